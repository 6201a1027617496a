//! What one command does to its files, looked up by its name. Nothing here knows who sees the output.

mod call;
mod copies;
mod dd;
mod downloads;
mod editors;
mod filters;
pub(crate) mod found;
mod grep;
mod in_place;
mod patches;
mod readers;
mod scripts;
pub(crate) mod shells;
pub(crate) mod wrappers;

pub(crate) use call::{Call, Input};
pub(crate) use scripts::Language;

use crate::guard::places::Places;
use crate::guard::shell::Word;

/// What a command would do.
#[derive(Debug, Default)]
pub(crate) struct Deed {
    /// What it would write.
    pub(crate) writes: Option<Object>,
    /// The guarded file that it would print.
    pub(crate) shows: Option<Word>,
    /// What becomes of text that is piped into it.
    pub(crate) piped: Piped,
}

/// What is written.
#[derive(Debug)]
pub(crate) enum Object {
    /// A guarded file.
    File(Word),
    /// Files that the command line does not name.
    Unnamed,
}

/// What becomes of text that is piped into a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Piped {
    /// It is searched, counted, run: it does not come out again.
    #[default]
    Consumed,
    /// It comes out again, perhaps changed: the command is a reader, or `tee`.
    Passed,
    /// It is shown, wherever the standard output goes.
    Shown,
}

impl Deed {
    /// Writes the first guarded one of `files`.
    fn writing<'a>(files: impl IntoIterator<Item = &'a Word>, places: &Places) -> Self {
        let file = files.into_iter().find(|file| places.guards(file));
        Self {
            writes: file.cloned().map(Object::File),
            ..Self::default()
        }
    }
}

/// A family of commands that are judged alike.
type Judge = fn(&Call, &Places) -> Deed;

/// Every command that reads or writes, and its judge. Commands that are not here do neither, as far as the guard is concerned.
const TOOLS: &[(&[&str], Judge)] = &[
    (&["sed", "gsed"], filters::sed),
    (
        &["awk", "gawk", "mawk", "nawk", "original-awk", "goawk"],
        filters::awk,
    ),
    (
        &["grep", "egrep", "fgrep", "ggrep", "rg", "ag", "ack"],
        grep::judge,
    ),
    (&["dd"], dd::judge),
    (&["tee", "sponge"], in_place::tee),
    (&["yq"], in_place::yq),
    (&["sd"], in_place::sd),
    (&["sort"], in_place::sort),
    (&["truncate"], in_place::truncate),
    (&["cp", "mv", "install", "rsync", "ln"], copies::judge),
    (&["curl"], downloads::curl),
    (&["wget"], downloads::wget),
    (&["git"], patches::git),
    (&["patch"], patches::patch),
];

/// Finds out what a command would do.
pub(crate) fn deed(call: &Call, places: &Places) -> Deed {
    if call
        .args
        .iter()
        .any(|word| word.is("--help") || word.is("--version"))
    {
        return Deed::default();
    }
    if let Some(reader) = readers::find(&call.name) {
        return reader.judge(call, places);
    }
    if let Some(editor) = editors::find(&call.name) {
        return editor.judge(call, places);
    }
    if let Some(language) = Language::of(&call.name) {
        return scripts::judge(language, call, places);
    }
    let known = TOOLS
        .iter()
        .find(|(names, _)| names.contains(&call.name.as_str()));
    known
        .map(|(_, judge)| judge(call, places))
        .unwrap_or_default()
}
