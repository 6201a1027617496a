//! The input of `hashline apply`: opens and reads the source of the request, up to the configured size limit.

use std::fs::File;
use std::io::{self, IsTerminal, Read};

use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine};

use crate::args::ApplyArgs;
use crate::output::Output;
use crate::refusals;
use hashline_wire::Refusal;

/// The decoder settings of `--base64`: padding is optional, with the standard and with the URL-safe alphabet.
const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// The opened source of a request.
pub(super) enum Source {
    /// A request on the command line (`--base64`), decoded.
    Given(Vec<u8>),
    /// A file, a pipe or a socket, and its name for errors.
    Opened(File, String),
    StandardInput,
}

impl Source {
    /// Opens the source of the request that the arguments name.
    pub(super) fn open(args: &ApplyArgs) -> Result<Self, Refusal> {
        let (opened, name) = match (&args.base64, &args.input, args.fd) {
            (Some(text), _, _) => return decode(text).map(Self::Given),
            (_, Some(path), _) if path != "-" => (File::open(path), path.clone()),
            (_, _, Some(number)) => (descriptor(number), format!("descriptor {number}")),
            _ => return Ok(Self::StandardInput),
        };
        match opened {
            Ok(file) => Ok(Self::Opened(file, name)),
            Err(error) => Err(refusals::system(&name, "opening the request", &error)),
        }
    }

    /// Reads the request, but at most one byte more than the limit, which is enough to refuse it as too large.
    pub(super) fn read(self, most: usize, out: &mut Output) -> Result<Vec<u8>, Refusal> {
        let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
        match self {
            Self::Given(body) => Ok(body),
            Self::Opened(file, name) => take(file, most, &name),
            Self::StandardInput => {
                if io::stdin().is_terminal() {
                    out.message(
                        "note: reading the request from standard input; end it with Ctrl-D",
                    );
                }
                take(io::stdin().lock(), most, "standard input")
            }
        }
    }
}

#[cfg(unix)]
fn descriptor(number: u32) -> io::Result<File> {
    super::descriptor::open(number)
}

#[cfg(not(unix))]
fn descriptor(_number: u32) -> io::Result<File> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this system has no numbered file descriptors; use --input or standard input",
    ))
}

fn take(from: impl Read, most: u64, path: &str) -> Result<Vec<u8>, Refusal> {
    let mut body = Vec::new();
    let read = from.take(most).read_to_end(&mut body);
    match read {
        Ok(_) => Ok(body),
        Err(error) => Err(refusals::system(path, "reading the request", &error)),
    }
}

fn decode(text: &str) -> Result<Vec<u8>, Refusal> {
    let plain: String = text.split_whitespace().collect();
    let alphabet = if plain.contains(['-', '_']) {
        &base64::alphabet::URL_SAFE
    } else {
        &base64::alphabet::STANDARD
    };
    let decoded = GeneralPurpose::new(alphabet, CONFIG).decode(plain);
    decoded.map_err(|error| {
        let why = match error {
            DecodeError::InvalidByte(at, byte) => format!(
                "invalid character `{}` at position {}",
                char::from(byte).escape_default(),
                at + 1
            ),
            DecodeError::InvalidLength(_) => "the text is cut off".to_owned(),
            DecodeError::InvalidLastSymbol { .. } | DecodeError::InvalidPadding => {
                "the end is damaged".to_owned()
            }
        };
        refusals::usage(format!("--base64: {why}; nothing was written"))
    })
}
