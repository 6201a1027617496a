//! `hashline apply`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use hashline_core::policy::{Landing, Profile, RepairPolicy};
use hashline_workspace::Durability;

use super::DialectArg;

/// Apply a request of anchored edits, all or nothing
///
/// The request is JSON on standard input, or comes from --input, --base64 or --fd. Any dialect's shape is understood, over one file or
/// several. All edits of all files are written, or nothing is. The answer shows the touched lines with fresh anchors, so nothing needs to
/// be read again.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes:  0 applied   1 stale, nothing written, fresh anchors on standard error   2 anything else, nothing written",
    after_long_help = include_str!("../../help/apply.txt")
)]
pub(crate) struct ApplyArgs {
    /// File the edits are for; a request that names another is refused
    pub(crate) path: Option<String>,
    /// Read the request from a file or a named pipe; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base64", "fd"])]
    pub(crate) input: Option<String>,
    /// Take the request from this argument, in Base64
    #[arg(long, value_name = "TEXT", conflicts_with = "fd")]
    pub(crate) base64: Option<String>,
    /// Read the request from a file descriptor that is open
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=0x7fff_ffff))]
    pub(crate) fd: Option<u32>,
    /// Take the request as a whole file: {"path": FILE, "content": TEXT}, and "rev" for one that is there
    ///
    /// It is written exactly as it was sent, or not at all. Lines with anchors that were shown are refused, unless the request says
    /// "keep_anchors": true.
    #[arg(long, conflicts_with_all = ["path", "rev", "profile", "landing", "repair"])]
    pub(crate) whole: bool,
    /// Show what would happen, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What to show of the new content [default: window; with --dry-run: diff]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) emit: Option<Emit>,
    /// The same as --emit window
    #[arg(long, conflicts_with = "emit")]
    pub(crate) emit_updated: bool,
    /// How many lines to show around each place (0 to 50) [default: 5]
    #[arg(short = 'C', long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) context: Option<u8>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    /// Answer format: `common` or `dialect` (need --json), or `words` (plain text for a model)
    #[arg(long, value_name = "SHAPE", value_enum, default_value = "common")]
    pub(crate) answer: AnswerShape,
    /// Revision the anchors were read from, for a request over one file; one that says another is refused
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
    /// Take the dialect by its own definition, landing and repairs included
    #[arg(long, value_name = "NAME", value_parser = choice([("default", "", Profile::Default), ("seed", "", Profile::Seed)]))]
    pub(crate) profile: Option<Profile>,
    /// How an anchor becomes a place
    #[arg(long, value_name = "POLICY", value_parser = choice([
        ("shown", "By what was shown: the line you saw, wherever it stands now", Landing::Shown),
        ("strict", "Number and tag must match the current line", Landing::Strict),
        ("seed", "As the dialect's own definition says", Landing::Seed),
    ]))]
    pub(crate) landing: Option<Landing>,
    /// When new text may be corrected
    #[arg(long, value_name = "POLICY", value_parser = choice([
        ("proven", "Only with a proof", RepairPolicy::Proven),
        ("seed", "As the dialect's own definition says", RepairPolicy::Seed),
        ("off", "Never", RepairPolicy::Off),
    ]))]
    pub(crate) repair: Option<RepairPolicy>,
    /// Whether an answered edit survives a power cut
    #[arg(long, value_name = "HOW", value_parser = choice([("full", "", Durability::Full), ("fast", "", Durability::Fast)]))]
    pub(crate) durability: Option<Durability>,
}

/// What is shown of the new content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The touched lines with fresh anchors
    Window,
    /// The whole file with fresh anchors
    Full,
    /// A unified diff
    Diff,
    /// Nothing but what was done
    None,
}

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerShape {
    /// Ours, the same for every dialect
    Common,
    /// The dialect's own
    Dialect,
    /// Words for a model, on standard output, refusals too
    Words,
}

/// Reads one of some words, which have a help text and a value each.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let possible = words.map(|(word, help, _)| match help {
        "" => PossibleValue::new(word),
        help => PossibleValue::new(word).help(help),
    });
    PossibleValuesParser::new(possible).try_map(move |found| {
        let known = words.iter().find(|(word, ..)| *word == found);
        known.map(|(.., value)| *value).ok_or("no such value")
    })
}
