//! Where the request comes from, and no more of it than is taken.

use std::fs::File;
use std::io::{self, IsTerminal, Read};

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use crate::args::ApplyArgs;
use crate::output::Output;
use crate::trouble::Trouble;

/// Both alphabets are understood, with and without padding.
const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// Reads the request. One byte more than is taken is enough to know that it is too much.
pub(super) fn read(args: &ApplyArgs, most: usize, out: &mut Output) -> Result<Vec<u8>, Trouble> {
    if let Some(text) = &args.base64 {
        return decode(text);
    }
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    match (&args.input, args.fd) {
        (Some(path), _) if path != "-" => {
            let opened = File::open(path);
            let opened =
                opened.map_err(|error| Trouble::system(path, "opening the request", &error))?;
            take(opened, most, path)
        }
        (_, Some(fd)) => {
            let path = format!("/dev/fd/{fd}");
            let opened = File::open(&path);
            let opened =
                opened.map_err(|error| Trouble::system(&path, "opening the request", &error))?;
            take(opened, most, &path)
        }
        _ => {
            if io::stdin().is_terminal() {
                out.tell("note: reading the request from standard input; end it with Ctrl-D");
            }
            take(io::stdin().lock(), most, "standard input")
        }
    }
}

fn take(from: impl Read, most: u64, path: &str) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    let read = from.take(most).read_to_end(&mut body);
    match read {
        Ok(_) => Ok(body),
        Err(error) => Err(Trouble::system(path, "reading the request", &error)),
    }
}

fn decode(text: &str) -> Result<Vec<u8>, Trouble> {
    let plain: String = text.split_whitespace().collect();
    let alphabet = match plain.contains(['-', '_']) {
        true => &base64::alphabet::URL_SAFE,
        false => &base64::alphabet::STANDARD,
    };
    let decoded = GeneralPurpose::new(alphabet, CONFIG).decode(plain);
    decoded.map_err(|error| Trouble::Usage(format!("--base64: {error}; nothing was written")))
}
