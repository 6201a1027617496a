//! The folders that an MCP client may use: those of the user who started the server, narrowed to those that the client announces.

use std::path::PathBuf;

use hashline_session::ServiceOptions;

/// Returns the options restricted to folders that are inside both the user's and the client's roots; `None` if there is no such folder.
pub(crate) fn narrowed(
    options: &ServiceOptions,
    user: &[PathBuf],
    client: &[String],
) -> Option<ServiceOptions> {
    let client: Vec<PathBuf> = client
        .iter()
        .filter_map(|uri| existing_folder(uri))
        .collect();
    let mut roots: Vec<PathBuf> = Vec::new();
    for one in user {
        for other in &client {
            let inner = match (other.starts_with(one), one.starts_with(other)) {
                (true, _) => other,
                (_, true) => one,
                _ => continue,
            };
            if !roots.contains(inner) {
                roots.push(inner.clone());
            }
        }
    }
    let first = roots.first()?.clone();
    let within = |base: &PathBuf| roots.iter().any(|root| base.starts_with(root));
    let base = options.base.clone().filter(within).unwrap_or(first);
    Some(ServiceOptions {
        roots,
        base: Some(base),
        ..options.clone()
    })
}

/// Returns the real path of the folder that a `file://` URI names, if the folder exists.
///
/// `..` and symbolic links are resolved by `canonicalize`: only the real path is ever compared with the user's roots.
fn existing_folder(uri: &str) -> Option<PathBuf> {
    let real = native_path(uri_path(uri)?)?.canonicalize().ok()?;
    real.is_dir().then_some(real)
}

/// Returns the percent-decoded path of a `file://` URI of this machine; the path begins with `/`.
///
/// The host must be empty or `localhost`. A URI with a query or fragment is refused: a client that forgot to encode the `#` of `/src/c#` must not be
/// given `/src/c`. A `%` that is not followed by two hexadecimal digits stands for itself, as in browsers.
fn uri_path(uri: &str) -> Option<Vec<u8>> {
    let (scheme, rest) = uri.split_at_checked("file:".len())?;
    let is_plain = !rest.contains(['?', '#']) && !rest.chars().any(char::is_control);
    if !scheme.eq_ignore_ascii_case("file:") || !is_plain {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        // `file://C:/x`, as clients on Windows write that only put the scheme before a path.
        Some(path) if cfg!(windows) && has_drive(path) => format!("/{path}"),
        Some(rest) => {
            let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
            is_here.then(|| if path.is_empty() { "/" } else { path }.to_owned())?
        }
        None => rest.to_owned(),
    };
    let path = percent_decoded(&path);
    (path.first() == Some(&b'/') && !path.contains(&0)).then_some(path)
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        let value = digit(after.first()).zip(digit(after.get(1)));
        match value.and_then(|(high, low)| u8::try_from(high << 4 | low).ok()) {
            Some(value) if *byte == b'%' => {
                out.push(value);
                rest = &after[2..];
            }
            _ => {
                out.push(*byte);
                rest = after;
            }
        }
    }
    out
}

/// Returns whether a path begins with a drive letter, as in `C:`.
fn has_drive(path: &str) -> bool {
    let mut chars = path.chars();
    let letter = chars
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic());
    letter && chars.next() == Some(':') && matches!(chars.next(), None | Some('/' | '\\'))
}

#[cfg(unix)]
fn native_path(path: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(path).into())
}

/// Returns a URI's path without its first slash, if a drive letter follows: `/C:/x` becomes `C:/x`.
#[cfg(not(unix))]
fn native_path(path: Vec<u8>) -> Option<PathBuf> {
    let path = String::from_utf8(path).ok()?;
    let path = path.strip_prefix('/').filter(|path| has_drive(path))?;
    Some(PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn roots(user: &[PathBuf], client: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let uri =
            |path: &Path| format!("file://{}", path.display().to_string().replace(' ', "%20"));
        let client: Vec<String> = client.iter().map(|path| uri(path)).collect();
        narrowed(&ServiceOptions::in_memory(), user, &client).map(|options| options.roots)
    }

    #[test]
    fn what_both_allow_is_left() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let top = folder.path().canonicalize()?;
        let (one, inner, other) = (top.join("one"), top.join("one/in ner"), top.join("other"));
        std::fs::create_dir_all(&inner)?;
        std::fs::create_dir_all(&other)?;
        let user = vec![one.clone()];
        assert_eq!(
            roots(&user, std::slice::from_ref(&inner)),
            Some(vec![inner.clone()])
        );
        assert_eq!(
            roots(&user, std::slice::from_ref(&top)),
            Some(vec![one.clone()])
        );
        assert_eq!(
            roots(&user, &[other.clone(), one.clone()]),
            Some(user.clone())
        );
        assert_eq!(roots(&user, &[other]), None);
        assert_eq!(roots(&user, &[top.join("gone")]), None);
        Ok(())
    }

    #[test]
    fn what_is_no_file_is_no_root() {
        assert_eq!(existing_folder("https://example.com/one"), None);
        assert_eq!(existing_folder("nonsense"), None);
    }

    #[test]
    fn only_a_folder_that_exists_is_a_root() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let top = folder.path().canonicalize()?;
        std::fs::write(top.join("file"), "text")?;
        std::fs::create_dir(top.join("a%2fb"))?;
        let uri = |below: &str| format!("file://{}/{below}", top.display());
        assert_eq!(existing_folder(&uri("file")), None);
        assert_eq!(existing_folder(&uri("a%252fb")), Some(top.join("a%2fb")));
        assert_eq!(existing_folder(&uri("a%252fb/../.")), Some(top.clone()));
        assert_eq!(existing_folder(&uri("a%2fb")), None);
        Ok(())
    }

    #[test]
    fn a_uri_names_a_path_of_this_machine_or_nothing() {
        let path =
            |uri: &str| uri_path(uri).map(|path| String::from_utf8_lossy(&path).into_owned());
        for (uri, expected) in [
            ("file:///a/b", "/a/b"),
            ("FILE:///a", "/a"),
            ("file:/a", "/a"),
            ("file://localhost/a", "/a"),
            ("file://LocalHost/a", "/a"),
            ("file://", "/"),
            ("file://localhost", "/"),
            ("file:////a", "//a"),
            ("file:///a b/\u{e4}", "/a b/\u{e4}"),
            ("file:///a%20b/%c3%A4", "/a b/\u{e4}"),
            ("file:///a%23%3f%25", "/a#?%"),
            ("file:///a%2fb%2F..", "/a/b/.."),
            ("file:///100%/%zz/%4", "/100%/%zz/%4"),
            ("file:///C:/x", "/C:/x"),
            ("file:///c%3A/x", "/c:/x"),
        ] {
            assert_eq!(path(uri).as_deref(), Some(expected), "{uri}");
        }
        for uri in [
            "",
            "file",
            "file:",
            "file:a",
            "file:\\a",
            " file:///a",
            "files:///a",
            "http:///a",
            "file://host/a",
            "file://127.0.0.1/a",
            "file://localhost.evil/a",
            "file://localhost:80/a",
            "file://me@localhost/a",
            "file://%6cocalhost/a",
            "file://%2Fa",
            "file:///c#",
            "file:///a?b",
            "file:///a%00b",
            "file:///a\0b",
            "file:///a\nb",
            "\u{e4}\u{e4}\u{e4}:///a",
        ] {
            assert_eq!(path(uri), None, "{uri}");
        }
        assert_eq!(uri_path("file:///%ff"), Some(b"/\xff".to_vec()));
    }

    #[test]
    fn a_drive_is_a_letter_and_a_colon() {
        for path in ["C:", "c:/x", "C:\\x"] {
            assert!(has_drive(path), "{path}");
        }
        for path in ["", "C", "1:/x", "CC:/x", "C:x", "/C:/x", "server/share"] {
            assert!(!has_drive(path), "{path}");
        }
    }
}
