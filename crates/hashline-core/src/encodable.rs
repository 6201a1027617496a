//! Checks that new text can be written in the encoding of its file.

use crate::edit::{Edit, EditNo, Operation};
use crate::error::{Error, NotEncodable};
use crate::text::{Document, Payload};

/// Refuses edits of a file whose encoding does not have a character of their new text.
pub(crate) fn refuse_unencodable(document: &Document, edits: &[Edit]) -> Result<(), Error> {
    if document.encoding().is_none() {
        return Ok(());
    }
    edits.iter().try_for_each(|edit| {
        let refuse = |text: &str| refuse_unencodable_text(document, edit.no, text);
        match &edit.operation {
            Operation::Replace { with: text, .. } | Operation::Insert { text, .. } => match text {
                Payload::Text(text) => refuse(text),
                Payload::Lines(lines) => lines.iter().try_for_each(|line| refuse(line)),
            },
            Operation::Substitute { new, .. } => refuse(new),
            Operation::Delete { .. } => Ok(()),
        }
    })
}

/// Refuses new text with a character that the encoding of the file does not have.
pub(crate) fn refuse_unencodable_text(
    document: &Document,
    edit: EditNo,
    text: &str,
) -> Result<(), Error> {
    let Some(encoding) = document.encoding() else {
        return Ok(());
    };
    let encoded = encoding.encode(text);
    encoded.map(drop).map_err(|character| {
        Error::NotEncodable(NotEncodable {
            edit,
            character,
            encoding,
        })
    })
}
