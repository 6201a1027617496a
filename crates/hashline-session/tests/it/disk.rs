//! What is wrong with files on a disk, as the three readers see it.

use hashline_core::dialect::Dialect;
use hashline_core::files::FilesEdited;
use hashline_core::text::{Document, LineSpan};
use hashline_session::words::{disk_notice, disk_refusal};
use hashline_wire::answer::common;
use hashline_wire::render::{human, model};
use hashline_wire::{AnswerOptions, Outcome};
use hashline_workspace::config::bad_config::{BadConfig, ConfigFault, ConfigSource, Spot};
use hashline_workspace::encoding::EncodingFault;
use hashline_workspace::error::{
    BadPattern, DiskError, DiskFault, Excess, Fresh, Loss, PathFault, PatternFault, PatternPart,
};
use hashline_workspace::{DiskNote, Orphaned};
use serde_json::Value;

fn json(options: &AnswerOptions, outcome: &Outcome) -> Value {
    serde_json::to_value(common(options, outcome)).expect("it is JSON")
}

fn all() -> Vec<DiskError> {
    let at = |why: DiskFault| why.at("src/a.rs");
    let excess = Excess {
        found: 300,
        most: 256,
    };
    let paths = || vec!["src/a.rs".to_owned(), "src/b.rs".to_owned()];
    let pattern = |part, text: &str, why| {
        let text = text.to_owned();
        DiskFault::BadPattern(BadPattern { part, text, why }).into()
    };
    let malformed = |reason: &str| PatternFault::Malformed {
        reason: reason.to_owned(),
    };
    let (what, glob) = (PatternPart::Pattern, PatternPart::Glob);
    vec![
        DiskFault::BadPath(PathFault::Upward).at("../a.rs"),
        at(DiskFault::Outside),
        at(DiskFault::Protected),
        at(DiskFault::NotFound),
        at(DiskFault::Exists),
        at(DiskFault::NotAFile),
        at(DiskFault::Binary),
        at(DiskFault::Encoding(EncodingFault::Utf32)),
        at(DiskFault::Encoding(EncodingFault::DoesNotFit {
            name: "UTF-16LE",
        })),
        at(DiskFault::Encoding(EncodingFault::Misread {
            name: "windows-1252",
        })),
        at(DiskFault::Encoding(EncodingFault::Unknown(
            "latin-42".to_owned(),
        ))),
        at(DiskFault::TooLarge(excess)),
        at(DiskFault::TooLargeTogether(excess)),
        DiskFault::TooLargeTogether(excess).into(),
        at(DiskFault::TooManyLines(excess)),
        at(DiskFault::LineTooLong(excess)),
        at(DiskFault::WouldBe(Box::new(DiskFault::TooLarge(excess)))),
        at(DiskFault::WouldBe(Box::new(DiskFault::TooManyLines(
            excess,
        )))),
        at(DiskFault::WouldBe(Box::new(DiskFault::LineTooLong(excess)))),
        DiskFault::TooMany(excess).into(),
        at(DiskFault::TooManyOpen { files: 300 }),
        at(DiskFault::TooManyOpen { files: 1 }),
        at(DiskFault::ReadOnly),
        at(DiskFault::HardLinked),
        at(DiskFault::SameFile {
            other: "lib/a.rs".to_owned(),
        }),
        at(DiskFault::TwoPaths {
            other: "lib/a.rs".to_owned(),
            field: "rev",
        }),
        at(DiskFault::CannotReplace(Loss::SpecialMode)),
        at(DiskFault::CannotReplace(Loss::Metadata)),
        at(DiskFault::CannotReplace(Loss::MountPoint)),
        at(DiskFault::CannotReplace(Loss::Directory)),
        at(DiskFault::Busy),
        at(DiskFault::Unstable),
        at(DiskFault::Changed(None)),
        at(DiskFault::Changed(Some(Box::new(Fresh {
            document: Document::new("one\ntwo\nthree\n"),
            spans: vec![LineSpan::new(1..3)],
        })))),
        DiskFault::Timeout { most: 30_000 }.into(),
        DiskFault::Cancelled.into(),
        DiskFault::NeedsRecovery(paths()).into(),
        DiskFault::Internal(paths()).into(),
        DiskFault::RecoveryConflict(paths()).into(),
        at(DiskFault::SeveralRoots),
        at(DiskFault::OtherDevice),
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
        at(DiskFault::System {
            doing: "writing the new bytes",
            reason: "No space left on device (os error 28)".to_owned(),
        }),
    ]
}

fn bad_configs() -> Vec<DiskError> {
    let in_root = || ConfigSource::Root("hashline.toml".to_owned());
    let outside = Box::new(DiskFault::Outside.at("hashline.toml"));
    let unknown = |nearest: Option<&str>| {
        let nearest = nearest.map(str::to_owned);
        let key = "limit".to_owned();
        ConfigFault::UnknownKey { key, nearest }
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
            ConfigFault::BadValue {
                key: "context",
                found: "51".to_owned(),
                takes: "a whole number from 0 to 50".to_owned(),
            },
        ),
        (
            in_root(),
            ConfigFault::Widens {
                key: "limits.file",
                asked: "\"128 MiB\"".to_owned(),
                allowed: "\"64 MiB\"".to_owned(),
            },
        ),
        (in_root(), ConfigFault::NotForRoots("roots")),
    ];
    let at = Spot { line: 3, column: 8 };
    let bad = |(source, why): (ConfigSource, ConfigFault)| {
        let in_text = !matches!(
            (&source, &why),
            (ConfigSource::Start, _) | (_, ConfigFault::Unreadable(_))
        );
        let spot = in_text.then_some(at);
        DiskFault::BadConfig(Box::new(BadConfig { source, spot, why })).into()
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
    let left = || vec!["src/a.rs".to_owned(), "src/b.rs".to_owned()];
    let orphaned = Orphaned {
        path: "src/a.rs".to_owned(),
        kept: vec![".hashline/orphans/.hl-1.new-2".to_owned()],
    };
    let terms = AnswerOptions {
        disk: [
            DiskNote::RolledBack(left()),
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
        disk: vec![disk_notice(&DiskNote::RolledBack(vec![
            "src/a.rs".to_owned(),
        ]))],
        ..AnswerOptions::new(Dialect::OMP)
    };
    let refusal = disk_refusal(&DiskFault::NotFound.at("src/b.rs"), Dialect::OMP);
    let outcome: Outcome = Err(refusal);
    let said = model::answer(&terms, &outcome);
    let codes = &json(&terms, &outcome)["disk"];
    insta::assert_snapshot!(format!("{said}\n\n{codes}"));
}
