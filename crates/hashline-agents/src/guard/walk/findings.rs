//! What was found on the way: the first of each kind, and the first doubt.

use crate::guard::shell::Word;
use crate::guard::verdict::{Bypass, File, Unsure, Verdict};

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    write: Option<Bypass>,
    read: Option<Bypass>,
    unsure: Option<Unsure>,
}

impl Findings {
    pub(super) fn write(&mut self, command: &str, file: Option<&Word>) {
        self.write.get_or_insert_with(|| bypass(command, file));
    }

    pub(super) fn read(&mut self, command: &str, file: &Word) {
        self.read.get_or_insert_with(|| bypass(command, Some(file)));
    }

    pub(super) fn doubt(&mut self, unsure: Unsure) {
        self.unsure.get_or_insert(unsure);
    }

    /// A write goes before a read, and either before a doubt.
    pub(super) fn verdict(self) -> Verdict {
        match (self.write, self.read) {
            (Some(write), _) => Verdict::WriteBypass(write),
            (None, Some(read)) => Verdict::ReadBypass(read),
            (None, None) => Verdict::Allow(self.unsure),
        }
    }
}

fn bypass(command: &str, file: Option<&Word>) -> Bypass {
    let named = |word: &Word| match word.text() {
        // A glob is known as written, but not as a path.
        Some(text) if !word.has_glob() => File::Named(text),
        _ => File::Computed(word.source()),
    };
    Bypass {
        command: command.to_owned(),
        file: file.map(named),
    }
}
