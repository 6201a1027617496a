//! `hashline strip`: removes the anchors from lines of text that were shown with anchors.

use std::io::{self, Read};

use hashline_core::render::strip;
use serde_json::json;

use super::dialect;
use crate::args::{Global, StripArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::refusals;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &StripArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let dialect = dialect(global, args.dialect)?;
    let mut shown = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut shown)
        .map_err(|error| refusals::system("standard input", "reading the lines", &error))?;
    let shown = String::from_utf8(shown)
        .map_err(|_| refusals::usage("standard input is not UTF-8".to_owned()))?;
    let plain = strip(&shown, dialect.scheme);
    if out.json {
        out.object(&json!({"ok": true, "text": plain}));
    } else {
        out.text(&plain);
    }
    Ok(Exit::Done)
}
