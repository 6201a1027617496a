//! Where found names go in a command: in place of a mark such as `{}`, or at its end.

use super::Words;
use crate::guard::shell::{Piece, Word};

/// The marks that `fd` knows. The longer ones stand first, so that none is taken for the beginning of another.
pub(super) const OF_FD: &[&str] = &["{//}", "{/.}", "{/}", "{.}", "{}"];

/// Returns the command once for every found name, the name in place of each mark.
pub(super) fn replaced(run: &[Word], marks: &[&str], found: &[Word]) -> Vec<Words> {
    let with = |name: &Word| {
        let words = run.iter().map(|word| with_name(word, marks, name));
        words.collect()
    };
    found.iter().map(with).collect()
}

/// Returns the command once for every found name, the name at its end.
pub(super) fn appended(run: &[Word], found: &[Word]) -> Vec<Words> {
    let with = |name: &Word| run.iter().chain([name]).cloned().collect();
    found.iter().map(with).collect()
}

/// Puts the names in place of the marks if there are any, else at the end.
pub(super) fn replaced_or_appended(run: &[Word], marks: &[&str], found: &[Word]) -> Vec<Words> {
    let has_mark = |word: &Word| marks.iter().any(|mark| word.source().contains(mark));
    if run.iter().any(has_mark) {
        replaced(run, marks, found)
    } else {
        appended(run, found)
    }
}

fn with_name(word: &Word, marks: &[&str], name: &Word) -> Word {
    let mut out = Word::default();
    for piece in word.pieces() {
        match piece {
            Piece::Text(text) => push_with_name(&mut out, text, marks, name),
            other => out.push(other.clone()),
        }
    }
    out
}

fn push_with_name(out: &mut Word, text: &str, marks: &[&str], name: &Word) {
    let mut rest = text;
    while let Some((before, after)) = marks
        .iter()
        .filter(|mark| !mark.is_empty())
        .filter_map(|mark| rest.split_once(*mark))
        .min_by_key(|(before, _)| before.len())
    {
        out.push_text(before);
        out.append(name);
        rest = after;
    }
    out.push_text(rest);
}
