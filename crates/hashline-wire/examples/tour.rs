//! A tour in memory: an agent reads a file, somebody else changes it, the old anchors still land, a real conflict is refused.
//!
//! `cargo run --example tour`

use std::collections::BTreeMap;
use std::io::{self, Write};

use hashline_core::files::{Files, edit_files};
use hashline_core::render::anchored;
use hashline_core::scheme::Scheme;
use hashline_core::shown::{History, Shown};
use hashline_core::{Document, Policy};
use hashline_wire::render::model;
use hashline_wire::response::shown;
use hashline_wire::{Outcome, ParseOptions, Refusal, Terms, parse};

const FILE: &str = "greet.py";
const READ: &str =
    "import sys\n\n\ndef greet(name):\n    return 'Hello ' + name\n\n\nprint(greet(sys.argv[1]))\n";

/// One file, and the record of what was shown of it.
struct Workspace {
    files: BTreeMap<String, Document>,
    history: History,
}

impl Files for Workspace {
    fn document(&self, path: &str) -> Option<Document> {
        self.files.get(path).cloned()
    }

    fn shown(&self, _path: &str) -> Shown<'_> {
        Shown::to_anyone(&self.history)
    }
}

impl Workspace {
    fn write(&mut self, text: &str) {
        self.files.insert(FILE.to_owned(), Document::new(text));
    }

    /// Shows the file to the agent, and writes down that it did.
    fn read(&mut self, out: &mut dyn Write) -> io::Result<String> {
        let Some(document) = self.files.get(FILE) else {
            return Ok(String::new());
        };
        for line in anchored(document, document.all(), Scheme::Omp) {
            writeln!(out, "{line}")?;
        }
        self.history
            .showed(document, None, Scheme::Omp, &[document.all()]);
        Ok(document.revision().short())
    }

    /// Does what the agent asks, or says why not; either way the answer is all the agent needs to go on.
    fn edit(&mut self, request: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "> {request}")?;
        let mut terms = Terms::new(hashline_core::dialect::Dialect::OMP);
        let outcome: Outcome = parse(request.as_bytes(), &ParseOptions::default())
            .map_err(Refusal::from)
            .and_then(|parsed| {
                terms = Terms::from(&parsed);
                edit_files(parsed.request, self, &Policy::default()).map_err(Refusal::from)
            });
        writeln!(out, "{}", model::answer(&terms, &outcome))?;
        for file in outcome.iter().flat_map(|edited| &edited.files) {
            let report = &file.edited.report;
            self.history
                .wrote(report.before(), report.after(), report.changes());
            self.files
                .insert(file.name().to_owned(), file.edited.document.clone());
        }
        // A refusal shows lines too, and the agent will try again with their anchors.
        for places in shown(&terms, &outcome) {
            self.history
                .showed(&places.document, None, Scheme::Omp, &places.spans);
        }
        Ok(())
    }
}

/// Plays the tour.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    let mut workspace = Workspace {
        files: BTreeMap::new(),
        history: History::new(),
    };
    workspace.write(READ);
    writeln!(out, "# The agent reads {FILE}.")?;
    let rev = workspace.read(out)?;

    writeln!(
        out,
        "\n# Meanwhile somebody puts two lines on top. The agent's anchors are old, and still mean what it saw."
    )?;
    workspace.write(&format!("#!/usr/bin/env python3\n# says hello\n{READ}"));
    let edit = r#"{"set_line":{"anchor":"8:d0","new_text":"print(greet('world'))"}}"#;
    workspace.edit(
        &format!(r#"{{"path":"{FILE}","rev":"{rev}","context":1,"edits":[{edit}]}}"#),
        out,
    )?;

    writeln!(
        out,
        "\n# Then somebody rewrites the very line the agent wants. It is refused, with all it takes to try again."
    )?;
    let rewritten = READ.replace("'Hello ' + name", "f'Hello {name}!'");
    workspace.write(&rewritten);
    let edit = r#"{"set_line":{"anchor":"5:4e","new_text":"    return 'Hi ' + name"}}"#;
    workspace.edit(
        &format!(r#"{{"path":"{FILE}","rev":"{rev}","context":1,"edits":[{edit}]}}"#),
        out,
    )
}

#[allow(
    dead_code,
    reason = "the test that replays the tour includes this file as a module"
)]
fn main() -> io::Result<()> {
    run(&mut io::stdout().lock())
}
