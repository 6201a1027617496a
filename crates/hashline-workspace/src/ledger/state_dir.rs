//! Where the state of this user lies.

use std::ffi::OsString;
use std::path::PathBuf;

/// Returns `$XDG_STATE_HOME/hashline`, else `$HOME/.local/state/hashline`; nothing if neither is an absolute path.
#[must_use]
pub fn state_dir() -> Option<PathBuf> {
    state_dir_in(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"))
}

fn state_dir_in(state_home: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let state_home = state_home.and_then(absolute);
    let base = state_home.or_else(|| Some(home.and_then(absolute)?.join(".local/state")))?;
    Some(base.join("hashline"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::state_dir_in;

    #[test]
    fn the_state_home_comes_first_and_must_be_absolute() {
        let cases = [
            (Some("/s"), Some("/h"), Some("/s/hashline")),
            (None, Some("/h"), Some("/h/.local/state/hashline")),
            (Some("s"), Some("/h"), Some("/h/.local/state/hashline")),
            (Some(""), Some("h"), None),
            (None, None, None),
        ];
        for (state_home, home, expected) in cases {
            let found = state_dir_in(state_home.map(Into::into), home.map(Into::into));
            assert_eq!(found.as_deref(), expected.map(Path::new));
        }
    }
}
