//! What is wrong with files on a disk, as the three readers see it.

use hashline_core::dialect::Dialect;
use hashline_core::files::FilesEdited;
use hashline_core::text::{Document, LineSpan};
use hashline_session::words::{disk_notice, disk_refusal};
use hashline_wire::answer::common;
use hashline_wire::render::{human, model};
use hashline_wire::{AnswerOptions, Outcome};
use hashline_workspace::config::bad_config::{
    BadConfig, BadValue, ConfigFault, ConfigSource, NotForRoots, Spot, UnknownKey, Widens,
};
use hashline_workspace::error::{
    At, BadPath, BadPattern, Bound, CannotReplace, Changed, DiskError, Fresh, Loss, PathFault,
    PatternFault, PatternPart, SystemTrouble, Timeout, TooManyOpen, Unsettled,
};
use hashline_workspace::{DiskNote, Orphaned};
use serde_json::Value;

fn json(options: &AnswerOptions, outcome: &Outcome) -> Value {
    serde_json::to_value(common(options, outcome)).expect("it is JSON")
}

fn all() -> Vec<DiskError> {
    let at = || At::new("src/a.rs");
    let bound = |path: Option<&str>| Bound {
        path: path.map(str::to_owned),
        found: 300,
        most: 256,
    };
    let left = || Unsettled {
        paths: vec!["src/a.rs".to_owned(), "src/b.rs".to_owned()],
    };
    let cannot = |why| CannotReplace {
        path: "src/a.rs".to_owned(),
        why,
    };
    let pattern = |part, text: &str, why| {
        let text = text.to_owned();
        DiskError::BadPattern(BadPattern { part, text, why })
    };
    let malformed = |reason: &str| PatternFault::Malformed {
        reason: reason.to_owned(),
    };
    let (what, glob) = (PatternPart::Pattern, PatternPart::Glob);
    vec![
        DiskError::BadPath(BadPath {
            path: "../a.rs".to_owned(),
            why: PathFault::Upward,
        }),
        DiskError::Outside(at()),
        DiskError::Protected(at()),
        DiskError::NotFound(at()),
        DiskError::Exists(at()),
        DiskError::NotAFile(at()),
        DiskError::Binary(at()),
        DiskError::Encoding(at()),
        DiskError::TooLarge(bound(Some("src/a.rs"))),
        DiskError::TooLargeTogether(bound(Some("src/a.rs"))),
        DiskError::TooLargeTogether(bound(None)),
        DiskError::TooManyLines(bound(Some("src/a.rs"))),
        DiskError::LineTooLong(bound(Some("src/a.rs"))),
        DiskError::TooMany(bound(None)),
        DiskError::TooManyOpen(TooManyOpen {
            path: "src/a.rs".to_owned(),
            files: 300,
        }),
        DiskError::TooManyOpen(TooManyOpen {
            path: "src/a.rs".to_owned(),
            files: 1,
        }),
        DiskError::ReadOnly(at()),
        DiskError::HardLinked(at()),
        DiskError::CannotReplace(cannot(Loss::SpecialMode)),
        DiskError::CannotReplace(cannot(Loss::Metadata)),
        DiskError::CannotReplace(cannot(Loss::MountPoint)),
        DiskError::CannotReplace(cannot(Loss::Directory)),
        DiskError::Busy(at()),
        DiskError::Unstable(at()),
        DiskError::Changed(Box::new(Changed {
            path: "src/a.rs".to_owned(),
            now: None,
        })),
        DiskError::Changed(Box::new(Changed {
            path: "src/a.rs".to_owned(),
            now: Some(Fresh {
                document: Document::new("one\ntwo\nthree\n"),
                spans: vec![LineSpan::new(1..3)],
            }),
        })),
        DiskError::Timeout(Timeout { most: 30_000 }),
        DiskError::Cancelled,
        DiskError::NeedsRecovery(left()),
        DiskError::Internal(left()),
        DiskError::RecoveryConflict(left()),
        DiskError::SeveralRoots(at()),
        pattern(what, "a(b", malformed("unclosed group")),
        pattern(
            what,
            &"x".repeat(4097),
            PatternFault::TooLong { most: 4096 },
        ),
        pattern(what, r"\w{900}", PatternFault::TooBig { most: 1 << 20 }),
        pattern(what, "a\nb", PatternFault::LineEnd),
        pattern(glob, "a[", malformed("unclosed character class")),
        pattern(PatternPart::FileType, "rusty", PatternFault::Unknown),
        DiskError::System(SystemTrouble {
            path: "src/a.rs".to_owned(),
            doing: "writing the new bytes",
            reason: "No space left on device (os error 28)".to_owned(),
        }),
    ]
}

fn bad_configs() -> Vec<DiskError> {
    let in_root = || ConfigSource::Root("hashline.toml".to_owned());
    let outside = Box::new(DiskError::Outside(At::new("hashline.toml")));
    let unknown = |nearest: Option<&str>| {
        ConfigFault::UnknownKey(UnknownKey {
            key: "limit".to_owned(),
            nearest: nearest.map(str::to_owned),
        })
    };
    let faults = [
        (in_root(), ConfigFault::Unreadable(outside)),
        (
            in_root(),
            ConfigFault::NotToml("key with no value, expected `=`".to_owned()),
        ),
        (ConfigSource::User, unknown(Some("limits"))),
        (ConfigSource::Start, unknown(None)),
        (
            ConfigSource::User,
            ConfigFault::BadValue(BadValue {
                key: "context",
                found: "51".to_owned(),
                takes: "a whole number from 0 to 50".to_owned(),
            }),
        ),
        (
            in_root(),
            ConfigFault::Widens(Widens {
                key: "limits.file",
                asked: "\"128 MiB\"".to_owned(),
                allowed: "\"64 MiB\"".to_owned(),
            }),
        ),
        (
            in_root(),
            ConfigFault::NotForRoots(NotForRoots { key: "roots" }),
        ),
    ];
    let at = Spot { line: 3, column: 8 };
    let bad = |(source, why): (ConfigSource, ConfigFault)| {
        let in_text = !matches!(
            (&source, &why),
            (ConfigSource::Start, _) | (_, ConfigFault::Unreadable(_))
        );
        let spot = in_text.then_some(at);
        DiskError::BadConfig(Box::new(BadConfig { source, spot, why }))
    };
    faults.into_iter().map(bad).collect()
}

#[test]
fn every_refusal_of_a_disk_says_whether_anything_was_written() {
    let terms = AnswerOptions::new(Dialect::OMP);
    let mut texts = Vec::new();
    for error in all().into_iter().chain(bad_configs()) {
        let refusal = disk_refusal(&error, Dialect::OMP);
        let outcome: Outcome = Err(refusal.clone());
        let answer = json(&terms, &outcome);
        let said = model::answer(&terms, &outcome);
        let told = human::refusal(&refusal);
        assert!(said.contains("written"), "{said}");
        assert!(told.contains("written"), "{told}");
        let (code, written) = (&answer["code"], &answer["written"]);
        let retryable = &answer["retryable"];
        texts.push(format!(
            "{code}, written: {written}, retryable: {retryable}\n{said}\n{told}\n"
        ));
    }
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn what_there_is_to_know_about_a_disk_is_said_to_all_three_readers() {
    let left = || Unsettled {
        paths: vec!["src/a.rs".to_owned(), "src/b.rs".to_owned()],
    };
    let orphaned = Orphaned {
        path: "src/a.rs".to_owned(),
        kept: vec![".hashline/orphans/.hl-1.new-2".to_owned()],
    };
    let terms = AnswerOptions {
        disk: [
            DiskNote::TakenBack(left()),
            DiskNote::Finished(left()),
            DiskNote::ForeignJournal,
            DiskNote::ForeignFolder,
            DiskNote::Unsettled(left()),
            DiskNote::Orphaned(orphaned),
            DiskNote::NotCleanedUp(left()),
            DiskNote::AdvisoryLocks,
            DiskNote::DurabilityUnknown,
        ]
        .iter()
        .map(disk_notice)
        .collect(),
        ..AnswerOptions::new(Dialect::OMP)
    };
    let outcome: Outcome = Ok(FilesEdited::default());
    let said = model::answer(&terms, &outcome);
    let answer = &json(&terms, &outcome)["disk"];
    let codes = answer.as_array().into_iter().flatten();
    let codes: Vec<String> = codes
        .map(|note| format!("{} {}", note["note"], note["paths"]))
        .collect();
    insta::assert_snapshot!(format!("{said}\n\n{}", codes.join("\n")));
}

#[test]
fn a_refusal_too_says_what_there_is_to_know_about_the_disk() {
    let terms = AnswerOptions {
        disk: vec![disk_notice(&DiskNote::TakenBack(Unsettled {
            paths: vec!["src/a.rs".to_owned()],
        }))],
        ..AnswerOptions::new(Dialect::OMP)
    };
    let refusal = disk_refusal(&DiskError::NotFound(At::new("src/b.rs")), Dialect::OMP);
    let outcome: Outcome = Err(refusal);
    let said = model::answer(&terms, &outcome);
    let codes = &json(&terms, &outcome)["disk"];
    insta::assert_snapshot!(format!("{said}\n\n{codes}"));
}
