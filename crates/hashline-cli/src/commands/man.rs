//! `hashline man`: manual pages, one for the program and one for each command.

use std::fs;
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::refusals;
use hashline_wire::Refusal;

pub(super) fn run(args: &ManArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let pages = pages();
    let Some(folder) = &args.folder else {
        for (_, page) in &pages {
            out.text(page);
        }
        return Ok(Exit::Done);
    };
    write_all(folder, &pages).map_err(|error| {
        refusals::system(&folder.to_string_lossy(), "writing the manual", &error)
    })?;
    for (name, _) in &pages {
        out.line(&folder.join(name).display().to_string());
    }
    Ok(Exit::Done)
}

fn write_all(folder: &Path, pages: &[(String, String)]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut pages = pages.iter();
    pages.try_for_each(|(name, page)| fs::write(folder.join(name), page))
}

/// Renders the manual page of the program and one for each command, as pairs of file name and text.
fn pages() -> Vec<(String, String)> {
    let mut program = Cli::command();
    program.build();
    let mut pages = vec![("hashline.1".to_owned(), page(program.clone()))];
    for command in program.get_subcommands() {
        let name = format!("hashline-{}", command.get_name());
        if command.get_name() != "help" {
            let command = command.clone().name(&*name.clone().leak());
            pages.push((format!("{name}.1"), page(command)));
        }
    }
    pages
}

/// Renders one manual page. The text after the options (the examples) keeps its line breaks.
fn page(command: Command) -> String {
    let version = concat!("hashline ", env!("CARGO_PKG_VERSION"));
    let behind = command.get_after_long_help().map(ToString::to_string);
    let command = command.after_help(None).after_long_help(None);
    let mut page = Vec::new();
    // A vector takes whatever is written to it.
    let _ = Man::new(command)
        .source(version)
        .manual("hashline")
        .render(&mut page);
    let mut page = String::from_utf8_lossy(&page).into_owned();
    if let Some(behind) = behind {
        page.push_str(&unfilled(&behind));
    }
    page
}

/// Renders text in `roff` without filling lines, and escapes lines that begin with a dot, which `roff` would take for its own commands.
fn unfilled(text: &str) -> String {
    let mut out = String::from(".SH EXAMPLES\n.nf\n");
    for line in text.trim_end().lines() {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        let line = line.replace('\'', "\\(aq").replace('`', "\\(ga");
        if line.starts_with('.') {
            out.push_str("\\&");
        }
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(".fi\n");
    out
}
