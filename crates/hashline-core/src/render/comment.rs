//! Appends each line's anchor as a comment in the file's language: `fn main() {  // 1:68`.

use super::AnchoredLine;

/// How a programming language writes a comment: the opening and the closing marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    open: &'static str,
    close: &'static str,
}

/// Opening marker, closing marker, and the names and file extensions of the languages that use these comment markers.
const LANGUAGES: &[(&str, &str, &[&str])] = &[
    (
        "//",
        "",
        &[
            "rust",
            "rs",
            "c",
            "h",
            "cpp",
            "cc",
            "cxx",
            "hpp",
            "hh",
            "csharp",
            "cs",
            "java",
            "javascript",
            "js",
            "mjs",
            "cjs",
            "typescript",
            "ts",
            "mts",
            "cts",
            "jsx",
            "tsx",
            "go",
            "swift",
            "kotlin",
            "kt",
            "kts",
            "scala",
            "dart",
            "php",
            "zig",
            "groovy",
            "gradle",
            "solidity",
            "sol",
            "protobuf",
            "proto",
            "scss",
            "less",
        ],
    ),
    (
        "#",
        "",
        &[
            "python",
            "py",
            "pyi",
            "ruby",
            "rb",
            "shell",
            "sh",
            "bash",
            "zsh",
            "fish",
            "perl",
            "pl",
            "pm",
            "r",
            "julia",
            "jl",
            "elixir",
            "ex",
            "exs",
            "nix",
            "yaml",
            "yml",
            "toml",
            "make",
            "makefile",
            "mk",
            "dockerfile",
            "cmake",
            "cmakelists.txt",
            "graphql",
            "gql",
            "tcl",
            "powershell",
            "ps1",
            "terraform",
            "tf",
        ],
    ),
    (
        "--",
        "",
        &[
            "lua", "sql", "haskell", "hs", "elm", "ada", "adb", "ads", "vhdl", "vhd",
        ],
    ),
    (
        ";",
        "",
        &[
            "lisp", "el", "clojure", "clj", "cljs", "scheme", "scm", "assembly", "asm", "s", "ini",
        ],
    ),
    ("%", "", &["tex", "erlang", "erl", "matlab", "prolog"]),
    ("\"", "", &["vim"]),
    ("!", "", &["fortran", "f90", "f95", "f03", "f08"]),
    ("'", "", &["visual basic", "vb", "vbs", "bas"]),
    ("REM", "", &["batch", "bat", "cmd"]),
    (
        "<!--",
        "-->",
        &["html", "htm", "xml", "svg", "markdown", "md", "vue"],
    ),
    ("/*", "*/", &["css"]),
];

impl Comment {
    /// Returns the comment markers of a language, by its name or its file extension; `#` if the language is not known.
    #[must_use]
    pub(crate) fn of(language: &str) -> Self {
        let language = language.to_lowercase();
        let known = LANGUAGES
            .iter()
            .find(|(_, _, names)| names.contains(&language.as_str()));
        known.map_or(
            Self {
                open: "#",
                close: "",
            },
            |&(open, close, _)| Self { open, close },
        )
    }

    /// Returns the comment markers for a file, by the extension in its path or, without one, by the file name (`Makefile`).
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let known = |name: &str| {
            LANGUAGES
                .iter()
                .any(|(_, _, names)| names.contains(&name.to_lowercase().as_str()))
        };
        match name.rsplit_once('.') {
            Some((_, extension)) if !known(name) => Self::of(extension),
            _ => Self::of(name),
        }
    }

    /// Returns the text between the comment markers.
    #[must_use]
    pub(crate) fn wrap(self, text: &str) -> String {
        if self.close.is_empty() {
            format!("{} {text}", self.open)
        } else {
            format!("{} {text} {}", self.open, self.close)
        }
    }

    /// Returns the line, two spaces, and its anchor as a comment. For an empty line only the comment is returned.
    #[must_use]
    pub fn behind(self, line: &AnchoredLine<'_>) -> String {
        let comment = self.wrap(&line.anchor());
        match line.text.as_ref() {
            "" => comment,
            text => format!("{text}  {comment}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Comment;
    use crate::render::anchored;
    use crate::scheme::Scheme;
    use crate::text::Document;

    #[test]
    fn anchors_become_comments_of_the_language() {
        let cases = [
            ("main.rs", "fn main() {", "fn main() {  // 1:68"),
            ("a.html", "<div>", "<div>  <!-- 1:30 -->"),
            ("a.css", "a {}", "a {}  /* 1:90 */"),
            ("Makefile", "", "# 1:c5"),
            ("x.unknown", "a", "a  # 1:2c"),
            ("run.bat", "", "REM 1:c5"),
        ];
        for (path, line, expected) in cases {
            let document = Document::new(format!("{line}\n"));
            let comment = Comment::of_path(path);
            let shown: Vec<_> = anchored(&document, document.all(), Scheme::Cowboy)
                .map(|line| comment.behind(&line))
                .collect();
            assert_eq!(shown, [expected], "{path}");
        }
    }
}
