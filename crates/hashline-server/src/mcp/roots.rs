//! The folders that may be touched: the person's, narrowed by those of the client.

use std::path::{Path, PathBuf};

use hashline_session::Start;
use url::Url;

/// Returns the start with the folders that lie both in the person's and in the client's; nothing if none does.
pub(crate) fn narrowed(start: &Start, person: &[PathBuf], client: &[String]) -> Option<Start> {
    let client: Vec<PathBuf> = client.iter().filter_map(|uri| folder(uri)).collect();
    let mut roots: Vec<PathBuf> = Vec::new();
    for one in person {
        for other in &client {
            let both = match (other.starts_with(one), one.starts_with(other)) {
                (true, _) => other,
                (_, true) => one,
                _ => continue,
            };
            if !roots.contains(both) {
                roots.push(both.clone());
            }
        }
    }
    let first = roots.first()?.clone();
    let within = |base: &PathBuf| roots.iter().any(|root| base.starts_with(root));
    let base = start.base.clone().filter(within).unwrap_or(first);
    Some(Start {
        roots,
        base: Some(base),
        ..start.clone()
    })
}

/// Reads a root of a client: a folder that is there, by its real path.
fn folder(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok().filter(|url| url.scheme() == "file")?;
    let path = url.to_file_path().ok()?;
    let real = path.canonicalize().ok()?;
    is_folder(&real).then_some(real)
}

fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(path: &Path) -> String {
        Url::from_file_path(path)
            .map(String::from)
            .unwrap_or_default()
    }

    fn roots(person: &[PathBuf], client: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let client: Vec<String> = client.iter().map(|path| uri(path)).collect();
        narrowed(&Start::alone(), person, &client).map(|start| start.roots)
    }

    #[test]
    fn what_both_allow_is_left() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let top = folder.path().canonicalize()?;
        let (one, inner, other) = (top.join("one"), top.join("one/in ner"), top.join("other"));
        std::fs::create_dir_all(&inner)?;
        std::fs::create_dir_all(&other)?;
        let person = vec![one.clone()];
        assert_eq!(
            roots(&person, std::slice::from_ref(&inner)),
            Some(vec![inner.clone()])
        );
        assert_eq!(
            roots(&person, std::slice::from_ref(&top)),
            Some(vec![one.clone()])
        );
        assert_eq!(
            roots(&person, &[other.clone(), one.clone()]),
            Some(person.clone())
        );
        assert_eq!(roots(&person, &[other]), None);
        assert_eq!(roots(&person, &[top.join("gone")]), None);
        Ok(())
    }

    #[test]
    fn what_is_no_file_is_no_root() {
        assert_eq!(folder("https://example.com/one"), None);
        assert_eq!(folder("nonsense"), None);
    }
}
