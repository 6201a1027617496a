//! The JSON answer to a read of one file.

use hashline_core::dialect::Dialect;
use hashline_wire::Refusal;
use hashline_wire::answer::FileLines;
use serde::Serialize;

use crate::view::View;

/// The lines of one file, and whether more lines match than are shown.
#[derive(Serialize)]
struct ReadAnswer<T: Serialize> {
    #[serde(flatten)]
    file: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<bool>,
}

/// Returns the lines of a view as an object for JSON. `path` is the name of the file as the caller knows it, and `lines` returns the lines as they are to
/// be shown.
#[must_use]
pub fn read_answer<'v, I>(
    view: &'v View,
    path: &'v str,
    lines: impl Fn() -> I + 'v,
) -> impl Serialize + 'v
where
    I: Iterator<Item = String> + 'v,
{
    let file = FileLines {
        path,
        rev: view.revision.short(),
        encoding: view.encoding,
        total_lines: view.line_count,
        shown: view.ends(),
        matches: view.matches,
        consistent: view.consistent,
        lines,
    };
    ReadAnswer {
        file,
        more: view.more.then_some(true),
    }
}

/// Returns the JSON answer to a request that read nothing.
#[must_use]
pub fn refused_answer(refusal: &Refusal, dialect: Dialect) -> impl Serialize + use<> {
    let options = hashline_wire::AnswerOptions::new(dialect);
    hashline_wire::answer::common(&options, &Err(refusal.clone()))
}
