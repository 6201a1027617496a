//! `hashline apply`.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use hashline_core::policy::{Landing, Profile, RepairPolicy};
use hashline_wire::request::Show;
use hashline_workspace::Durability;

use super::DialectArg;
use super::setup::one_of;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes:  0 applied   1 stale, unseen or partly shown lines, nothing written, fresh anchors on standard error   2 anything else, nothing written",
    after_long_help = include_str!("../../help/apply.txt")
)]
pub(crate) struct ApplyArgs {
    /// File the edits are for; a request that names another is refused
    pub(crate) path: Option<String>,
    /// Read the request from a file or a named pipe; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base64", "fd"])]
    pub(crate) input: Option<String>,
    /// The request itself, in Base64
    #[arg(long, value_name = "TEXT", conflicts_with = "fd")]
    pub(crate) base64: Option<String>,
    /// Read the request from an open file descriptor
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=0x7fff_ffff))]
    pub(crate) fd: Option<u32>,
    /// Write a whole file: the request is {"path": FILE, "content": TEXT}, with "rev" if the file exists
    ///
    /// The content is written exactly as it was sent, or not at all. Lines that begin with anchors that were shown are refused, unless the
    /// request says "keep_anchors": true.
    #[arg(long, conflicts_with_all = ["path", "rev", "profile", "landing", "repair"])]
    pub(crate) whole: bool,
    /// Show what would happen, write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What to show of the new content [default: window; with --dry-run: diff]
    #[arg(long, value_name = "WHAT", value_parser = choice([
        ("window", "The touched lines with fresh anchors", Show::Windows),
        ("full", "The whole file with fresh anchors", Show::Everything),
        ("diff", "A unified diff", Show::Diff),
        ("none", "Only what was done", Show::Nothing),
    ]))]
    pub(crate) emit: Option<Show>,
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
    /// Revision the anchors were read from, for a request over one file; a request that names another is refused
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
    /// Encoding of files for which the request names none, such as windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Whether to behave as hashline does, or as the dialect's original tool
    #[arg(long, value_name = "NAME", value_parser = choice([
        ("default", "Land by what was shown, correct only with a proof", Profile::Default),
        ("seed", "Behave like the dialect's original tool (relocates by tag, auto-corrects text)", Profile::Seed),
    ]))]
    pub(crate) profile: Option<Profile>,
    /// Where an anchor lands
    #[arg(long, value_name = "POLICY", value_parser = choice([
        ("shown", "On the line that was shown, wherever it is now", Landing::Shown),
        ("strict", "On the current line with that number and tag", Landing::Strict),
        ("seed", "As the dialect's original tool does", Landing::Seed),
    ]))]
    pub(crate) landing: Option<Landing>,
    /// When new text may be corrected
    #[arg(long, value_name = "POLICY", value_parser = choice([
        ("proven", "Only with a proof", RepairPolicy::Proven),
        ("seed", "As the dialect's original tool does", RepairPolicy::Seed),
        ("off", "Never", RepairPolicy::Off),
    ]))]
    pub(crate) repair: Option<RepairPolicy>,
    /// Whether an answered edit survives a power cut
    #[arg(long, value_name = "HOW", value_parser = choice([
        ("full", "Yes: wait until the disk has it", Durability::Full),
        ("fast", "Not necessarily: leave it to the system", Durability::Fast),
    ]))]
    pub(crate) durability: Option<Durability>,
}

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerShape {
    /// Ours, the same for every dialect
    Common,
    /// The dialect's own
    Dialect,
    /// Plain text for a model, on standard output, refusals too
    Words,
}

/// Returns a parser that accepts these words; each has a help text and a value.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    words: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    let values = words.map(|(word, help, value)| (PossibleValue::new(word).help(help), value));
    one_of(values.to_vec())
}
