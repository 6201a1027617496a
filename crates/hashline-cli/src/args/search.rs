//! `hashline search`.

use clap::Args;

use super::DialectArg;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/search.txt"))]
pub(crate) struct SearchArgs {
    /// Regular expression, matched against one line at a time
    pub(crate) pattern: String,
    /// Files and folders to search
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Encoding of the files, such as windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Treat the pattern as plain text, not as a regular expression
    #[arg(short = 'F', long)]
    pub(crate) fixed_strings: bool,
    /// Ignore case
    #[arg(short, long, overrides_with_all = ["case_sensitive", "smart_case"])]
    pub(crate) ignore_case: bool,
    /// Do not ignore case (the default; `hashline read --search` ignores it)
    #[arg(short = 's', long, overrides_with_all = ["ignore_case", "smart_case"])]
    pub(crate) case_sensitive: bool,
    /// Ignore case unless the pattern has an upper-case letter
    #[arg(short = 'S', long, overrides_with_all = ["ignore_case", "case_sensitive"])]
    pub(crate) smart_case: bool,
    /// Match only whole words
    #[arg(short, long)]
    pub(crate) word_regexp: bool,
    /// Only files that match a glob, or with `!` before it those that do not; can be given several times
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Only files of a type, as ripgrep names it; can be given several times
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// No files of a type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub(crate) types_not: Vec<String>,
    /// How many lines after each match
    #[arg(short = 'A', long, value_name = "N")]
    pub(crate) after_context: Option<usize>,
    /// How many lines before each match
    #[arg(short = 'B', long, value_name = "N")]
    pub(crate) before_context: Option<usize>,
    /// How many lines before and after each match
    #[arg(short = 'C', long, value_name = "N")]
    pub(crate) context: Option<usize>,
    /// Show only the names of files with a match
    #[arg(short = 'l', long, conflicts_with = "count")]
    pub(crate) files_with_matches: bool,
    /// Show only how many lines of each file match
    #[arg(short, long)]
    pub(crate) count: bool,
    /// Search hidden files and folders too
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Do not obey .gitignore, .ignore and .git/info/exclude
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// At most N matching lines of each file
    #[arg(short, long, value_name = "N")]
    pub(crate) max_count: Option<usize>,
    /// At most N matching lines in all; 0 for no limit
    #[arg(long, value_name = "N")]
    pub(crate) max_matches: Option<usize>,
    /// Number of threads
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}
