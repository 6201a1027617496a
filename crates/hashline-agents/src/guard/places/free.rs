//! The tables of what is not guarded inside a workspace, and of devices.

use super::PathKind;

/// Folders that tools write, at the top of the workspace only.
pub(super) const TOP_FOLDERS: &[&str] = &[
    "target", "dist", "build", "out", "coverage", "venv", ".venv",
];

/// Folders that tools write, anywhere.
pub(super) const FOLDERS: &[&str] = &["node_modules", ".git", "__pycache__"];

/// Variables that lead out of the workspace, besides those of the XDG directories.
const VARIABLES: &[&str] = &["TMPDIR", "TMP", "TEMP", "HOME"];

/// What programs leave behind while they run.
const TRACES: &[&str] = &["log", "out", "pid"];

/// Files that are no text, by the end of their names.
const BINARY: &[&str] = &[
    // Images.
    "png jpg jpeg gif bmp ico icns webp tif tiff avif heic psd xcf",
    // Archives and packages.
    "zip tar gz tgz bz2 tbz tbz2 xz txz zst lz lz4 lzma 7z rar jar war ear whl egg deb rpm dmg iso apk cab crate gem \
     nupkg vsix",
    // Fonts.
    "ttf otf ttc woff woff2 eot",
    // Sound and film.
    "mp3 mp4 m4a m4v wav flac ogg oga ogv opus aac avi mov mkv webm mpg mpeg wmv",
    // Objects, libraries, programs.
    "o obj a lib so dylib dll exe class pyc pyo pyd rlib rmeta ko elf wasm bin img",
    // Documents and data.
    "pdf doc docx xls xlsx ppt pptx odt ods odp sqlite sqlite3 db db3 mdb parquet npy npz pkl pickle h5 onnx pt pth \
     safetensors gguf",
];

/// Devices that show what is written to them.
const TERMINALS: &[&str] = &["tty", "stdout", "stderr", "console", "fd/1", "fd/2"];

/// Says which kind of device `/dev/name` is.
pub(super) fn device(name: &str) -> PathKind {
    if TERMINALS.contains(&name) || name.starts_with("pts/") || name.starts_with("tty") {
        PathKind::Terminal
    } else {
        PathKind::Device
    }
}

/// Says whether a path that begins with this variable leads out of the workspace.
pub(super) fn is_free_variable(name: &str) -> bool {
    VARIABLES.contains(&name) || name.starts_with("XDG_")
}

/// Says whether a file whose name ends so is no text that anybody edits.
pub(super) fn has_free_ending(name: &str) -> bool {
    let Some((_, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let extension = extension.to_ascii_lowercase();
    TRACES.contains(&extension.as_str())
        || BINARY
            .iter()
            .any(|kind| kind.split(' ').any(|own| own == extension))
}
