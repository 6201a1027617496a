//! Text encodings: which one a file has, how it is decoded, and how new text is encoded.
//!
//! A file has the encoding that the request or an option names, else the one of the first matching glob of the configuration, else that of its byte
//! order mark, else UTF-8 if it is valid, else a detected one. An encoding is used only if decoding the whole file and encoding it again gives the
//! same bytes, so that every untouched line keeps its bytes. What fits no encoding is kept as it is, and shown with escapes.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};
use hashline_core::Document;
use hashline_core::text::Encoding;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::error::{DiskFault, Excess};

/// The largest file in another encoding than UTF-8, in bytes. Decoded text takes up to three times as much, and an edit holds it twice.
const MOST: u64 = 8 << 20;

/// The byte order mark as a character: decoded text begins with it if the file does.
const MARK: char = '\u{FEFF}';
/// The byte order mark in UTF-8.
const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A text encoding, by a name of the WHATWG Encoding Standard, such as `windows-1252`, `latin1`, `shift_jis` or `utf-16le`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TextEncoding(&'static encoding_rs::Encoding);

impl TextEncoding {
    /// Returns the encoding with this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let encoding = encoding_rs::Encoding::for_label(name.as_bytes())?;
        // These two are not encodings of text.
        let is_text = encoding != REPLACEMENT && encoding != X_USER_DEFINED;
        is_text.then_some(Self(encoding))
    }

    /// Returns the encoding with this name.
    ///
    /// # Errors
    ///
    /// `encoding` if there is none.
    pub fn parse(name: &str) -> Result<Self, DiskFault> {
        let unknown = || DiskFault::Encoding(EncodingFault::Unknown(name.to_owned()));
        Self::named(name).ok_or_else(unknown)
    }

    /// Returns the standard name of the encoding.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Encodes the text of a whole file. In UTF-16, it begins with a byte order mark.
    ///
    /// # Errors
    ///
    /// The first character that the encoding does not have.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let marked = self.is_utf16() && !text.starts_with(MARK);
        let mark = if marked { "\u{FEFF}" } else { "" };
        encode(self.name(), &format!("{mark}{text}"))
    }

    /// Returns the empty document of a new file in this encoding. In UTF-16, it begins with a byte order mark.
    fn new_document(self) -> Document {
        match self.engine() {
            None => Document::new(""),
            Some(encoding) if self.is_utf16() => {
                let (mark, bytes) = (MARK.to_string(), encode_utf16(self.0, "\u{FEFF}"));
                Document::decoded(mark, bytes, encoding)
            }
            Some(encoding) => Document::decoded(String::new(), Vec::new(), encoding),
        }
    }

    /// Returns the encoding as the engine takes it; `None` for UTF-8.
    fn engine(self) -> Option<Encoding> {
        let encoding = (self.0 != UTF_8).then(|| Encoding::new(self.name(), encode))?;
        Some(if self.is_utf16() {
            encoding.with_mark()
        } else {
            encoding
        })
    }

    fn is_utf16(self) -> bool {
        self.0 == UTF_16LE || self.0 == UTF_16BE
    }

    /// Returns whether the bytes begin with the byte order mark of another encoding.
    fn has_other_mark(self, bytes: &[u8]) -> bool {
        match mark(bytes) {
            Some(marked) => marked != Some(self),
            None => bytes.starts_with(UTF_8_MARK) && self.0 != UTF_8,
        }
    }

    /// Decodes a file; gives the bytes back if they are not text in this encoding, or encoding the text does not give the same bytes.
    fn decode(self, bytes: Vec<u8>) -> Result<Document, Vec<u8>> {
        let Some(encoding) = self.engine() else {
            return Ok(Document::new(bytes));
        };
        let decoded = self
            .0
            .decode_without_bom_handling_and_without_replacement(&bytes);
        let text = decoded.map(|text| text.into_owned());
        match text.filter(|text| encoding.encode(text).as_deref() == Ok(bytes.as_slice())) {
            Some(text) => Ok(Document::decoded(text, bytes, encoding)),
            None => Err(bytes),
        }
    }
}

impl fmt::Debug for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TextEncoding({})", self.name())
    }
}

/// Decodes the bytes of a file as a read does, in the encoding that is named or else detected.
///
/// # Errors
///
/// `encoding` if the file does not fit the encoding, `too_large` if it is too large to be decoded.
pub fn decode(bytes: Vec<u8>, named: Option<TextEncoding>) -> Result<Document, DiskFault> {
    let choice = named.map_or(EncodingChoice::Detect, EncodingChoice::Named);
    choice.decode(bytes)
}

/// Which encoding a file is read in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EncodingChoice {
    /// None is named: the byte order mark decides, or detection.
    #[default]
    Detect,
    /// The one that the request or an option names. A file that does not fit it is refused.
    Named(TextEncoding),
    /// The one that the configuration names. A file that does not fit it is read as if none were named.
    Configured(TextEncoding),
    /// None: the bytes are taken as they are, text or not.
    Bytes,
}

impl EncodingChoice {
    /// Decodes the bytes of a file.
    ///
    /// # Errors
    ///
    /// `encoding` if the file does not fit the named encoding, or the one of its byte order mark; `too_large` if it is too large to be decoded.
    pub(crate) fn decode(self, bytes: Vec<u8>) -> Result<Document, DiskFault> {
        let bytes = match self {
            Self::Named(encoding) => {
                refuse_large(encoding, bytes.len() as u64)?;
                let does_not_fit = DiskFault::Encoding(EncodingFault::DoesNotFit {
                    name: encoding.name(),
                });
                return match encoding.has_other_mark(&bytes) {
                    true => Err(does_not_fit),
                    false => encoding.decode(bytes).map_err(|_| does_not_fit),
                };
            }
            Self::Configured(encoding)
                if bytes.len() as u64 <= MOST && !encoding.has_other_mark(&bytes) =>
            {
                match encoding.decode(bytes) {
                    Ok(document) => return Ok(document),
                    Err(bytes) => bytes,
                }
            }
            Self::Bytes => return Ok(Document::new(bytes)),
            Self::Configured(_) | Self::Detect => bytes,
        };
        if let Some(mark) = mark(&bytes) {
            let encoding = mark.ok_or(DiskFault::Encoding(EncodingFault::Utf32))?;
            refuse_large(encoding, bytes.len() as u64)?;
            let (name, decoded) = (encoding.name(), encoding.decode(bytes));
            return decoded.map_err(|_| DiskFault::Encoding(EncodingFault::DoesNotFit { name }));
        }
        Ok(match detected(&bytes) {
            None => Document::new(bytes),
            Some(encoding) => encoding.decode(bytes).unwrap_or_else(Document::new),
        })
    }

    /// Returns the empty document of a file that is created.
    pub(crate) fn new_document(self) -> Document {
        match self {
            Self::Detect | Self::Bytes => Document::new(""),
            Self::Named(encoding) | Self::Configured(encoding) => encoding.new_document(),
        }
    }

    /// Returns whether the encoding of a file of so many bytes is detected; a larger one is read as it is.
    pub(crate) fn is_detected_in(bytes: u64) -> bool {
        bytes <= MOST
    }

    /// Returns whether a file that begins with these bytes may be in another encoding than UTF-8, whatever follows.
    pub(crate) fn may_decode(self, beginning: &[u8]) -> bool {
        let named = match self {
            Self::Bytes => return false,
            Self::Detect => None,
            Self::Named(encoding) | Self::Configured(encoding) => encoding.engine(),
        };
        named.is_some() || mark(beginning).is_some()
    }

    /// Refuses new content of a file that would be read back as other text: in another encoding, or not as text.
    pub(crate) fn refuse_misread(self, document: &Document) -> Result<(), DiskFault> {
        let Some(encoding) = document.encoding() else {
            return Ok(());
        };
        let again = self.decode(document.file_bytes().to_vec());
        if again.is_ok_and(|again| again.bytes() == document.bytes()) {
            return Ok(());
        }
        let name = encoding.name();
        Err(DiskFault::Encoding(EncodingFault::Misread { name }))
    }
}

/// Why a file or new content is refused because of its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodingFault {
    /// The request names an encoding that is not known.
    Unknown(String),
    /// The file is UTF-32, which is not supported.
    Utf32,
    /// The bytes of the file are not text in this encoding, or encoding the text again gives other bytes.
    DoesNotFit {
        /// The name of the encoding.
        name: &'static str,
    },
    /// The new content, in this encoding, would be read back as other text unless the encoding is named.
    Misread {
        /// The name of the encoding.
        name: &'static str,
    },
}

/// The encodings that the configuration names, by globs.
#[derive(Clone, Debug, Default)]
pub struct EncodingRules {
    /// The rules as they were written: `GLOB=NAME`.
    written: Vec<String>,
    rules: Vec<(Gitignore, TextEncoding)>,
}

impl EncodingRules {
    /// Parses rules, each a glob as in a `.gitignore` and the name of an encoding: `*.txt=windows-1252`. Returns `None` if one of them has another
    /// form or names no known encoding.
    #[must_use]
    pub fn parse(written: Vec<String>) -> Option<Self> {
        let rule = |rule: &String| {
            let (glob, name) = rule.rsplit_once('=')?;
            let mut globs = GitignoreBuilder::new("");
            globs.add_line(None, glob).ok()?;
            let glob = globs.build().ok().filter(|glob| glob.num_ignores() == 1)?;
            Some((glob, TextEncoding::named(name.trim())?))
        };
        let rules = written.iter().map(rule).collect::<Option<_>>()?;
        Some(Self { written, rules })
    }

    /// Returns the rules as they were written.
    #[must_use]
    pub fn written(&self) -> &[String] {
        &self.written
    }

    /// Returns the encoding in which a file is read; `path` is relative to its root, and `named` is the encoding that the request names.
    pub(crate) fn choice(
        &self,
        path: &std::path::Path,
        named: Option<TextEncoding>,
    ) -> EncodingChoice {
        if let Some(named) = named {
            return EncodingChoice::Named(named);
        }
        let mut rules = self.rules.iter();
        let rule =
            rules.find(|(glob, _)| glob.matched_path_or_any_parents(path, false).is_ignore());
        rule.map_or(EncodingChoice::Detect, |(_, encoding)| {
            EncodingChoice::Configured(*encoding)
        })
    }
}

impl PartialEq for EncodingRules {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

/// Returns the encoding of a byte order mark, if the bytes begin with one of UTF-16 or UTF-32; `Some(None)` for UTF-32.
pub(crate) fn mark(bytes: &[u8]) -> Option<Option<TextEncoding>> {
    match bytes {
        // First: the mark of UTF-32 with the low byte first begins with that of UTF-16.
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => Some(None),
        [0xFF, 0xFE, ..] => Some(Some(TextEncoding(UTF_16LE))),
        [0xFE, 0xFF, ..] => Some(Some(TextEncoding(UTF_16BE))),
        _ => None,
    }
}

/// Detects the encoding of bytes that are not valid UTF-8. Returns `None` for UTF-8, for binary files, and for text with characters in UTF-8: with
/// these, it is probably of several encodings, and decoding it would turn those characters into nonsense.
fn detected(bytes: &[u8]) -> Option<TextEncoding> {
    let is_candidate = EncodingChoice::is_detected_in(bytes.len() as u64)
        && str::from_utf8(bytes).is_err()
        && memchr::memchr(0, bytes).is_none()
        && bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii());
    if !is_candidate {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    Some(TextEncoding(detector.guess(None, Utf8Detection::Deny)))
}

fn refuse_large(encoding: TextEncoding, found: u64) -> Result<(), DiskFault> {
    match encoding.engine() {
        None => Ok(()),
        Some(_) => Excess::refuse(found, MOST, DiskFault::TooLarge),
    }
}

/// Encodes text in the encoding with this name, so that decoding the bytes gives the same text. Fails with the first character for which there are
/// none.
fn encode(name: &str, text: &str) -> Result<Vec<u8>, char> {
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8);
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return Ok(encode_utf16(encoding, text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    // Line by line: some encodings switch between character sets, and the bytes of a line must not depend on the lines before.
    for line in text.split_inclusive('\n') {
        if line.is_ascii() && encoding != ISO_2022_JP {
            bytes.extend_from_slice(line.as_bytes());
            continue;
        }
        let (encoded, _, _) = encoding.encode(line);
        if !is_text(encoding, &encoded, line) {
            let is_missing = |character: &char| {
                let text = character.to_string();
                !is_text(encoding, &encoding.encode(&text).0, &text)
            };
            let missing = line.chars().find(is_missing);
            return Err(missing.or(line.chars().next()).unwrap_or(MARK));
        }
        bytes.extend_from_slice(&encoded);
    }
    Ok(bytes)
}

/// Returns whether the bytes are this text. Some characters are encoded as similar ones, and others as references such as `&#8364;`.
fn is_text(encoding: &'static encoding_rs::Encoding, bytes: &[u8], text: &str) -> bool {
    let decoded = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    decoded.is_some_and(|decoded| decoded == text)
}

fn encode_utf16(encoding: &'static encoding_rs::Encoding, text: &str) -> Vec<u8> {
    let units = text.encode_utf16();
    if encoding == UTF_16LE {
        units.flat_map(u16::to_le_bytes).collect()
    } else {
        units.flat_map(u16::to_be_bytes).collect()
    }
}
