//! `hashline read`.

use std::num::NonZeroUsize;

use clap::Args;

use super::DialectArg;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/read.txt"))]
pub(crate) struct ReadArgs {
    /// Files to read
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Encoding of the files, such as windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// First line to show, or to search (with --search)
    #[arg(long, value_name = "N", conflicts_with = "around")]
    pub(crate) start_line: Option<NonZeroUsize>,
    /// How many lines to show
    #[arg(long, value_name = "N", conflicts_with_all = ["around", "search"])]
    pub(crate) lines: Option<usize>,
    /// Last line to show
    #[arg(long, value_name = "N", conflicts_with_all = ["lines", "around", "search"])]
    pub(crate) end_line: Option<NonZeroUsize>,
    /// Show the lines around an anchor, wherever its line is now
    #[arg(long, value_name = "ANCHOR", conflicts_with = "search")]
    pub(crate) around: Option<String>,
    /// How many lines around the anchor (with --around) or each match (with --search)
    #[arg(short = 'C', long, value_name = "N")]
    pub(crate) context: Option<usize>,
    /// Revision the anchor was shown in (with --around)
    #[arg(long, value_name = "REV", requires = "around")]
    pub(crate) rev: Option<String>,
    /// Show only lines that contain this text, ignoring case
    ///
    /// A plain text is compared in lower case, and a regular expression (--regex) ignores case, unless --case-sensitive is given. At most 200
    /// matching lines are shown, or --max-matches. (`hashline search` takes a regular expression and respects case.)
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Treat the text as a regular expression, matched against one line at a time
    #[arg(long, requires = "search")]
    pub(crate) regex: bool,
    /// Do not ignore case
    #[arg(long, requires = "search")]
    pub(crate) case_sensitive: bool,
    /// How many lines before each match
    #[arg(short = 'B', long, value_name = "N", requires = "search")]
    pub(crate) before: Option<usize>,
    /// How many lines after each match
    #[arg(short = 'A', long, value_name = "N", requires = "search")]
    pub(crate) after: Option<usize>,
    /// How many matching lines at most (1 to 1000) [default: 200]
    #[arg(long, value_name = "N", requires = "search", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) max_matches: Option<u16>,
    /// Split the output into chunks of at most N lines
    #[arg(long, value_name = "N")]
    pub(crate) chunk_lines: Option<usize>,
    /// Split the output into chunks of at most N bytes
    #[arg(long, value_name = "N")]
    pub(crate) chunk_bytes: Option<usize>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    /// Show the lines without anchors
    #[arg(long, conflicts_with = "comment")]
    pub(crate) plain: bool,
    /// Show anchors after the lines, as comments in the file's language
    #[arg(long)]
    pub(crate) comment: bool,
    /// Print path, revision and number of lines first
    #[arg(long)]
    pub(crate) header: bool,
    /// Print one page for a model, as the MCP tool `read` answers
    ///
    /// What plugins of agents pass on: cut to what an agent takes, with the calls that read the rest.
    #[arg(
        long,
        hide = true,
        conflicts_with_all = ["json", "around", "chunk_lines", "chunk_bytes", "plain", "comment", "header"]
    )]
    pub(crate) page: bool,
}
