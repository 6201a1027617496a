//! Gemini CLI: the folder.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::json_at;
use crate::agent::Wish;
use crate::doctor::Finding;

/// Returns the files that are asked.
pub(super) fn files(wish: &Wish) -> Vec<PathBuf> {
    let own = wish.places.own_folder(wish.agent);
    vec![own.join("settings.json"), own.join("trustedFolders.json")]
}

pub(super) fn look(wish: &Wish) -> Finding {
    let about = wish.agent.title();
    let own = wish.places.own_folder(wish.agent);
    let keys = ["security", "folderTrust", "enabled"];
    if json_at(&own.join("settings.json"), &keys) == false {
        return Finding::ok(about, "folders need not be trusted");
    }
    let folders = json_at(&own.join("trustedFolders.json"), &[]);
    let fix = "start `gemini` in the project once and trust it";
    match level(&folders, &wish.places.project) {
        Some("TRUST_FOLDER" | "TRUST_PARENT") => Finding::ok(about, "the folder is trusted"),
        Some("DO_NOT_TRUST") => Finding::problem(
            about,
            "the folder is marked as not to be trusted: its .gemini is ignored",
        )
        .mended_by(
            "take its entry out of ~/.gemini/trustedFolders.json, then start `gemini` there",
        ),
        _ => Finding::warning(
            about,
            "the folder is not known to be trusted: its .gemini may be ignored",
        )
        .mended_by(fix),
    }
}

/// Returns what the most particular entry says that holds for a folder.
fn level<'a>(folders: &'a Value, project: &Path) -> Option<&'a str> {
    let entries = folders.as_object()?.iter();
    let holding = entries.filter_map(|(path, level)| {
        let (path, level) = (Path::new(path), level.as_str()?);
        let from = match level {
            "TRUST_PARENT" => path.parent()?,
            _ => path,
        };
        project.starts_with(from).then_some((path, level))
    });
    let nearest = holding.max_by_key(|(path, _)| path.as_os_str().len());
    nearest.map(|(_, level)| level)
}
