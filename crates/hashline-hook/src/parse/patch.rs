//! The files a patch of Codex names. What it does to them is no matter here.

/// What a line begins with that names a file.
const HEADS: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Lists the files, each once.
pub(super) fn paths(patch: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for line in patch.lines() {
        let named = HEADS.iter().find_map(|head| line.strip_prefix(head));
        let named = named.map(str::trim).filter(|path| !path.is_empty());
        if let Some(path) = named
            && !paths.iter().any(|known| known == path)
        {
            paths.push(path.to_owned());
        }
    }
    paths
}
