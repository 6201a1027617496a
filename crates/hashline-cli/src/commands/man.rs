//! `hashline man`: manual pages, one a command.

use std::fs;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(args: &ManArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let pages = pages()?;
    let Some(folder) = &args.folder else {
        for (_, page) in &pages {
            out.data().write_all(page)?;
        }
        return Ok(Exit::Done);
    };
    write_all(folder, &pages).map_err(|error| {
        Trouble::system(&folder.to_string_lossy(), "writing the manual", &error)
    })?;
    for (name, _) in &pages {
        out.line(&folder.join(name).display().to_string())?;
    }
    Ok(Exit::Done)
}

fn write_all(folder: &Path, pages: &[(String, Vec<u8>)]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut pages = pages.iter();
    pages.try_for_each(|(name, page)| fs::write(folder.join(name), page))
}

/// Renders the program's page and one for each command.
fn pages() -> Result<Vec<(String, Vec<u8>)>, Trouble> {
    let mut program = Cli::command();
    program.build();
    let mut pages = vec![("hashline.1".to_owned(), page(program.clone())?)];
    for command in program.get_subcommands() {
        let name = format!("hashline-{}", command.get_name());
        if command.get_name() != "help" {
            let command = command.clone().name(&*name.clone().leak());
            pages.push((format!("{name}.1"), page(command)?));
        }
    }
    Ok(pages)
}

fn page(command: clap::Command) -> Result<Vec<u8>, Trouble> {
    let version = concat!("hashline ", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    Man::new(command)
        .source(version)
        .manual("hashline")
        .render(&mut page)?;
    Ok(page)
}
