//! The TOML file that lists the workspaces of a server.

use std::path::PathBuf;

use serde::Deserialize;

use crate::api::rollout::Rollout;
use crate::api::workspaces::WorkspaceOptions;
use crate::front::TokenDigest;

/// A workspace as the file lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceEntry {
    /// The name of the workspace.
    pub name: String,
    /// The folder whose files may be read and changed, relative to the file.
    pub root: PathBuf,
    /// The path under which callers know the folder.
    pub alias: Option<PathBuf>,
    /// Where its token is.
    pub token: TokenSource,
    /// Settings, each as `key=value`.
    pub set: Vec<String>,
    /// For which tasks `edit-file` is on.
    pub edit_file: Rollout,
    /// How many characters `read-file` shows at most.
    pub read_chars: usize,
}

/// Where the token of a workspace is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// It is made when the server starts, and stored in a file of the server's.
    Made,
    /// In this file, which exists already; relative to the file that lists the workspaces.
    File(PathBuf),
    /// Whoever runs the server knows it; this is its digest.
    Digest(TokenDigest),
}

impl WorkspaceEntry {
    /// Returns a workspace with the usual settings, whose token is made when the server starts.
    #[must_use]
    pub fn new(name: &str, root: PathBuf) -> Self {
        Self {
            name: name.to_owned(),
            root,
            alias: None,
            token: TokenSource::Made,
            set: Vec::new(),
            edit_file: Rollout::default(),
            read_chars: WorkspaceOptions::READ_CHARS,
        }
    }
}

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    workspace: Vec<WrittenWorkspace>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenWorkspace {
    name: String,
    root: PathBuf,
    #[serde(rename = "as")]
    alias: Option<PathBuf>,
    token_file: Option<PathBuf>,
    token_sha256: Option<String>,
    dialect: Option<String>,
    #[serde(default)]
    set: Vec<String>,
    edit_file: Option<String>,
    read_chars: Option<usize>,
}

/// Parses the file.
///
/// # Errors
///
/// What is wrong with it, as a clause.
pub fn parse(text: &str) -> Result<Vec<WorkspaceEntry>, String> {
    let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
    written.workspace.into_iter().map(entry).collect()
}

fn entry(written: WrittenWorkspace) -> Result<WorkspaceEntry, String> {
    let name = written.name;
    let wrong = |what: String| format!("workspace {name}: {what}");
    let token = match (written.token_file, written.token_sha256) {
        (None, None) => TokenSource::Made,
        (Some(file), None) => TokenSource::File(file),
        (None, Some(digits)) => {
            let digest = TokenDigest::parse(&digits);
            let digest = digest.ok_or_else(|| wrong("token_sha256 is 64 hex digits".to_owned()))?;
            TokenSource::Digest(digest)
        }
        (Some(_), Some(_)) => {
            return Err(wrong(
                "give token_file or token_sha256, not both".to_owned(),
            ));
        }
    };
    if written
        .alias
        .as_ref()
        .is_some_and(|alias| !alias.is_absolute())
    {
        return Err(wrong(
            "`as` is an absolute path such as /workspace".to_owned(),
        ));
    }
    let edit_file = written.edit_file.map(|text| text.parse::<Rollout>());
    let edit_file = edit_file
        .transpose()
        .map_err(|why| wrong(format!("edit_file: {why}")))?;
    let read_chars = written.read_chars.unwrap_or(WorkspaceOptions::READ_CHARS);
    if read_chars == 0 {
        return Err(wrong("read_chars is at least 1".to_owned()));
    }
    let mut set = written.set;
    set.extend(written.dialect.map(|name| format!("dialect={name}")));
    Ok(WorkspaceEntry {
        root: written.root,
        alias: written.alias,
        token,
        set,
        edit_file: edit_file.unwrap_or_default(),
        read_chars,
        name,
    })
}

#[cfg(test)]
mod tests {
    use super::{TokenSource, WorkspaceEntry, parse};
    use crate::api::Rollout;

    #[test]
    fn a_workspace_has_the_settings_that_it_is_given_and_the_usual_ones() {
        let parsed = parse(
            "[[workspace]]\nname = \"a\"\nroot = \"/srv/a\"\n\n[[workspace]]\nname = \"b\"\nroot = \"b\"\nas = \"/workspace\"\n\
             token_file = \"b.token\"\nedit_file = \"10%\"\nread_chars = 100\ndialect = \"push\"\nset = [\"landing=strict\"]\n",
        );
        let a = WorkspaceEntry::new("a", "/srv/a".into());
        let b = WorkspaceEntry {
            alias: Some("/workspace".into()),
            token: TokenSource::File("b.token".into()),
            set: vec!["landing=strict".to_owned(), "dialect=push".to_owned()],
            edit_file: Rollout::Percent(10),
            read_chars: 100,
            ..WorkspaceEntry::new("b", "b".into())
        };
        assert_eq!(parsed, Ok(vec![a, b]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let workspace =
            |more: &str| format!("[[workspace]]\nname = \"a\"\nroot = \"/a\"\n{more}\n");
        for (text, says) in [
            ("[[workspace]]\nname = \"a\"\n".to_owned(), "root"),
            (workspace("rooot = 1"), "rooot"),
            (workspace("as = \"workspace\""), "absolute path"),
            (workspace("edit_file = \"some\""), "edit_file: `some`"),
            (workspace("token_sha256 = \"ab\""), "64 hex digits"),
            (workspace("read_chars = 0"), "at least 1"),
            (
                workspace("token_file = \"t\"\ntoken_sha256 = \"ab\""),
                "not both",
            ),
        ] {
            let error = parse(&text).map(|_| ()).expect_err("it is wrong");
            assert!(error.contains(says), "{error}");
        }
    }
}
