//! Seed 001's reads and writes of whole files, which have answers of their own. Its edits are requests like all others.

use std::time::Instant;

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::files::{FileAction, Replaces, Request, Step};
use hashline_core::policy::RepairPolicy;
use hashline_core::text::LineNo;
use hashline_wire::answer::{PushPage, Sent};
use hashline_wire::request::{
    Anchors, Parsed, PushContent, PushWriteRequest, ReadFile, RevField, Shape,
};
use hashline_wire::{BadRequest, Fault, Refusal, answer};
use hashline_workspace::CancelToken;
use hashline_workspace::counters::CountedEvent;
use hashline_workspace::counters::totals::Work;
use hashline_workspace::encoding::TextEncoding;

use crate::apply::{EditAnswer, Overrides};
use crate::read::{ReadLines, ReadSpec};
use crate::service::Session;
use crate::view::Body;

/// What came of reading a file as seed 001 does.
#[derive(Clone, Debug)]
pub enum PushRead {
    /// What is to be shown of it.
    Page(PushPage),
    /// Nothing: the caller has this version of the file already.
    Known(String),
}

impl Session<'_> {
    /// Reads one file as seed 001 does: as text of at most `most` characters, with anchors if `annotate` is true. Lines with anchors are recorded as
    /// shown. Nothing is shown if the caller has the file already: `has` is asked with its SHA-256.
    ///
    /// # Errors
    ///
    /// If the file cannot be read; `bad_range` if the range ends before it begins.
    pub fn push_read(
        &self,
        file: &ReadFile,
        annotate: bool,
        most: usize,
        cancel: Option<&CancelToken>,
        has: &dyn Fn(&str) -> bool,
    ) -> Result<PushRead, Refusal> {
        let spec = ReadSpec {
            path: file.path.clone(),
            encoding: file.encoding.clone(),
            // The answer has the SHA-256 of the whole file.
            lines: ReadLines::All,
        };
        let mut shown = self.read(&[spec], Dialect::PUSH, cancel)?;
        let none = || {
            Refusal::new(
                Code::FileNotFound,
                format!("there is no file {}", file.path),
            )
        };
        let mut view = shown.files.pop().unwrap_or_else(|| Err(none()))?;
        let Body::Whole { document, .. } = &view.body else {
            return Err(none());
        };
        let page = answer::push_read(document, file.range, annotate, most).ok_or_else(|| {
            let (first, last) = (file.range.first, file.range.last);
            let message = format!(
                "the first line, {}, is after the last, {}",
                first.unwrap_or(1),
                last.unwrap_or_default()
            );
            Refusal::new(Code::BadRange, message)
        })?;
        if has(&page.answer.file_hash) {
            return Ok(PushRead::Known(page.answer.file_hash));
        }
        if annotate {
            view.spans = vec![page.span];
            view.cut = page.cut.into_iter().collect();
            self.showed(&view, Dialect::PUSH, None);
        }
        Ok(PushRead::Page(page))
    }

    /// Writes a whole file, whatever was there; if the request names the version that it expects, only over that version.
    #[must_use]
    pub fn push_write(
        &self,
        request: PushWriteRequest,
        replaces: Replaces,
        overrides: &Overrides<'_>,
    ) -> EditAnswer {
        let started = Instant::now();
        let parsed = self.overwrite(request, replaces);
        let parsed = parsed.map_err(|bad| BadRequest {
            dialect: Some(Dialect::PUSH),
            ..bad
        });
        let sent = Sent::WholeFile { existing: None };
        self.answer(parsed, RepairPolicy::Off, sent, overrides, started)
    }

    /// Turns a request to write a whole file into one with the single step that does it.
    fn overwrite(
        &self,
        request: PushWriteRequest,
        replaces: Replaces,
    ) -> Result<Parsed, BadRequest> {
        let path = request.path;
        let refuse = |message: String| BadRequest {
            fault: Fault::BadField,
            at: "content".to_owned(),
            edit: None,
            message,
            path: Some(path.clone()),
            dialect: None,
        };
        let bytes = match request.content {
            PushContent::Bytes(bytes) => bytes,
            PushContent::Text(text, encoding) => {
                if request.anchors == Anchors::Refused {
                    self.refuse_copied_into(&path, &text, Dialect::PUSH.scheme, None)?;
                }
                if let Some(index) = text.split('\n').position(|line| line.contains('\0')) {
                    let line = LineNo::from_index(index);
                    return Err(refuse(format!(
                        "line {line} of the new text contains a NUL byte; to write bytes that are not text, send them with \"encoding\": \"base64\""
                    )));
                }
                match encoding {
                    None => text.into_bytes(),
                    Some(name) => encoded(&text, &name).map_err(refuse)?,
                }
            }
        };
        let versions = request.expected_version.into_iter();
        let step = Step {
            no: EditNo::from_index(0),
            path: path.clone(),
            action: FileAction::Overwrite(bytes, replaces),
        };
        Ok(Parsed {
            dialect: Dialect::PUSH,
            shape: Shape::Push,
            request: Request {
                file_hashes: versions.map(|version| (path.clone(), version)).collect(),
                steps: vec![step],
                ..Request::default()
            },
            rev_field: RevField::Own,
            notes: request.notes,
            ..Parsed::default()
        })
    }

    /// Counts a request that was refused before it reached the workspace.
    pub fn count_refused(&self, work: Work, refusal: &Refusal, started: Instant) {
        let event = CountedEvent::refused(work, refusal.code(), started.elapsed());
        self.service.state.counters.record(&event);
    }
}

/// Encodes the whole text of a file in the encoding with this name.
fn encoded(text: &str, name: &str) -> Result<Vec<u8>, String> {
    let encoding =
        TextEncoding::named(name).ok_or_else(|| format!("there is no encoding `{name}`"))?;
    encoding.encode(text).map_err(|character| {
        format!(
            "{} has no character '{character}' (U+{:04X})",
            encoding.name(),
            u32::from(character)
        )
    })
}
