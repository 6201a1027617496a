//! What is wrong with files on a disk, as the three readers see it.

use hashline_core::dialect::Dialect;
use hashline_core::disk::{
    At, BadPath, BadPattern, Bound, CannotReplace, DiskError, Loss, PathFault, PatternFault,
    PatternPart, SystemTrouble, Unsettled,
};
use hashline_wire::render::{human, model};
use hashline_wire::response::common;
use hashline_wire::{Outcome, Refusal, Terms};

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
        DiskError::LineTooLong(bound(Some("src/a.rs"))),
        DiskError::TooMany(bound(None)),
        DiskError::ReadOnly(at()),
        DiskError::HardLinked(at()),
        DiskError::CannotReplace(cannot(Loss::SpecialMode)),
        DiskError::CannotReplace(cannot(Loss::Metadata)),
        DiskError::Busy(at()),
        DiskError::Unstable(at()),
        DiskError::Changed(at()),
        DiskError::NeedsRecovery(left()),
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

#[test]
fn every_refusal_of_a_disk_says_whether_anything_was_written() {
    let terms = Terms::new(Dialect::OMP);
    let mut texts = Vec::new();
    for error in all() {
        let refusal = Refusal::from(error);
        let outcome: Outcome = Err(refusal.clone());
        let answer = common(&terms, &outcome);
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
