//! `hashline --version`: prints the version of the program.

use hashline_core::dialect::Dialect;
use serde_json::json;

use crate::exit::Exit;
use crate::output::Output;

const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(out: &mut Output) -> Exit {
    if out.json {
        out.object(&json!({
            "ok": true,
            "name": "hashline",
            "version": VERSION,
            "dialects": Dialect::ALL.map(Dialect::name),
            "system": std::env::consts::OS,
            "machine": std::env::consts::ARCH,
        }));
    } else {
        out.line(&format!("hashline {VERSION}"));
    }
    Exit::Done
}
