//! A file in somebody else's editor: lines are changed, moved and copied, and their identities go along.

use std::borrow::Cow;
use std::ops::Range;

use hashline_core::text::{Document, LineEnding};

use super::version::{Author, Identities, Identity, Version};

/// Lines being edited outside of hashline.
pub(super) struct Draft<'a> {
    bom: &'a [u8],
    lines: Vec<Line<'a>>,
    identities: &'a mut Identities,
}

#[derive(Clone)]
struct Line<'a> {
    id: Identity,
    text: Cow<'a, [u8]>,
    ending: LineEnding,
}

impl<'a> Draft<'a> {
    pub(super) fn of(version: &'a Version, identities: &'a mut Identities) -> Self {
        let lines = version.document.lines().zip(version.ids());
        let lines = lines.map(|(line, &id)| Line {
            id,
            text: Cow::Borrowed(line.text),
            ending: line.ending,
        });
        Self {
            bom: version.document.bom(),
            lines: lines.collect(),
            identities,
        }
    }

    /// Counts the lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns where a line stands now, if it does.
    pub(super) fn position(&self, id: Identity) -> Option<usize> {
        self.lines.iter().position(|line| line.id == id)
    }

    /// Returns the text of a line.
    pub(super) fn text(&self, index: usize) -> &[u8] {
        &self.lines[index].text
    }

    /// Gives a line another text: it is another line now.
    pub(super) fn rewrite(&mut self, index: usize, text: Vec<u8>) {
        self.lines[index].id = self.identities.new_line(Author::Other);
        self.lines[index].text = Cow::Owned(text);
    }

    /// Puts new lines before the one at `index`.
    pub(super) fn insert(&mut self, index: usize, texts: Vec<Vec<u8>>) {
        let like = self.lines.first().map(|line| line.ending);
        let ending = like
            .filter(|ending| *ending != LineEnding::None)
            .unwrap_or(LineEnding::Lf);
        let identities = &mut *self.identities;
        let new = texts.into_iter().map(|text| Line {
            id: identities.new_line(Author::Other),
            text: Cow::Owned(text),
            ending,
        });
        self.lines.splice(index..index, new);
    }

    /// Takes lines out.
    pub(super) fn remove(&mut self, lines: Range<usize>) {
        self.lines.drain(lines);
    }

    /// Puts copies of some lines before the one at `index`.
    pub(super) fn copy(&mut self, lines: Range<usize>, index: usize) {
        let texts = lines.map(|line| self.text(line).to_vec()).collect();
        self.insert(index, texts);
    }

    /// Moves lines to the gap before the line at `index`, which lies outside of them.
    pub(super) fn shift(&mut self, lines: Range<usize>, index: usize) {
        let moved: Vec<Line<'a>> = self.lines.drain(lines.clone()).collect();
        let index = if index >= lines.end {
            index - lines.len()
        } else {
            index
        };
        self.lines.splice(index..index, moved);
    }

    /// Saves the file. A line that is not the last any more gets an ending.
    pub(super) fn save(self) -> Version {
        let last = self.lines.len().saturating_sub(1);
        let mut bytes = self.bom.to_vec();
        let mut ids = Vec::with_capacity(self.lines.len());
        for (index, line) in self.lines.into_iter().enumerate() {
            let ending = match line.ending {
                LineEnding::None if index < last || line.text.is_empty() => LineEnding::Lf,
                ending => ending,
            };
            bytes.extend_from_slice(&line.text);
            bytes.extend_from_slice(ending.as_bytes());
            ids.push(line.id);
        }
        Version::new(Document::new(bytes), ids)
    }
}
