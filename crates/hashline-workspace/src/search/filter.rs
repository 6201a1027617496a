//! Decides which files and folders are searched: by the caller's globs and file types, the ignore files, and names that are never searched.

use std::ffi::OsStr;
use std::path::Path;

use ignore::Match;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};

use super::query::{Query, TypeChoice};
use super::rules::Rules;
use crate::commit::is_staging_name;
use crate::error::{BadPattern, DiskFault, Error, PatternFault, PatternPart};
use crate::path::is_closed;
use crate::system::FileKind;

/// The caller's globs and file types, compiled.
pub(super) struct Filter {
    globs: Override,
    types: Types,
    hidden: bool,
}

impl Filter {
    /// Compiles the globs and file types of a search; a glob may have at most `longest` bytes.
    ///
    /// # Errors
    ///
    /// `bad_pattern` if a glob is malformed or too long, or a file type is unknown.
    pub(super) fn new(query: &Query, longest: usize) -> Result<Self, Error> {
        Ok(Self {
            globs: globs(&query.globs, longest)?,
            types: types(&query.types)?,
            hidden: query.hidden,
        })
    }

    /// Returns whether a file is searched, or a folder entered.
    pub(super) fn takes(
        &self,
        name: &OsStr,
        path: &Path,
        kind: FileKind,
        rules: Option<&Rules>,
    ) -> bool {
        if !may_be_searched(name, kind) {
            return false;
        }
        let is_dir = kind == FileKind::Dir;
        let mut found = self.globs.matched(path, is_dir).map(|_| ());
        if found.is_none() {
            let by_rule = rules.map_or(Match::None, |rules| rules.matched(path, kind));
            found = if by_rule.is_ignore() {
                by_rule
            } else {
                self.types.matched(path, is_dir).map(|_| ()).or(by_rule)
            };
        }
        match found {
            Match::Ignore(()) => false,
            Match::Whitelist(()) => true,
            Match::None => self.hidden || !name.as_encoded_bytes().starts_with(b"."),
        }
    }
}

/// Returns whether a name may be searched at all: it is a file or folder, not `.git` or `.hashline`, and not a staging file of a commit.
pub(super) fn may_be_searched(name: &OsStr, kind: FileKind) -> bool {
    matches!(kind, FileKind::File | FileKind::Dir) && !is_closed(name) && !is_staging_name(name)
}

fn globs(globs: &[String], longest: usize) -> Result<Override, Error> {
    let mut builder = OverrideBuilder::new("");
    for glob in globs {
        let bad = |why| bad(PatternPart::Glob, glob, why);
        if glob.len() > longest {
            return Err(bad(PatternFault::TooLong { most: longest }));
        }
        builder.add(glob).map_err(|error| bad(malformed(&error)))?;
    }
    let all = globs.join(" ");
    let built = builder.build();
    built.map_err(|error| bad(PatternPart::Glob, &all, malformed(&error)))
}

fn types(choices: &[TypeChoice]) -> Result<Types, Error> {
    let mut builder = TypesBuilder::new();
    if choices.is_empty() {
        return Ok(Types::empty());
    }
    builder.add_defaults();
    let known = builder.definitions();
    for choice in choices {
        let (TypeChoice::Only(name) | TypeChoice::Except(name)) = choice;
        // The library takes `all` for every type it knows.
        if name != "all" && !known.iter().any(|known| known.name() == name) {
            return Err(bad(PatternPart::FileType, name, PatternFault::Unknown));
        }
        match choice {
            TypeChoice::Only(name) => builder.select(name),
            TypeChoice::Except(name) => builder.negate(name),
        };
    }
    let built = builder.build();
    built.map_err(|error| bad(PatternPart::FileType, "", malformed(&error)))
}

fn bad(part: PatternPart, text: &str, why: PatternFault) -> Error {
    let text = text.to_owned();
    DiskFault::BadPattern(BadPattern { part, text, why }).into()
}

fn malformed(error: &ignore::Error) -> PatternFault {
    let reason = match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    };
    PatternFault::Malformed { reason }
}
