//! Files that hashline itself could not take pass on every route: nobody is sent from one no to the next.

use std::fs;

use serde_json::{Value, json};

use super::stage::Stage;

/// Says everything that a client could do with a file.
fn routes(path: &str) -> Vec<(&'static str, Value)> {
    let before = |tool: &str, input: Value| json!({"hook_event_name": "PreToolUse", "cwd": "$ROOT", "tool_name": tool, "tool_input": input});
    let file = format!("$ROOT/{path}");
    vec![
        (
            "edit",
            before("Edit", json!({"file_path": file, "old_string": "a"})),
        ),
        (
            "write",
            before("Write", json!({"file_path": file, "content": "a"})),
        ),
        (
            "change",
            before("Bash", json!({"command": format!("sed -i s/a/b/ {path}")})),
        ),
        (
            "fill",
            before("Bash", json!({"command": format!("echo x > {path}")})),
        ),
        (
            "show",
            before("Bash", json!({"command": format!("cat {path}")})),
        ),
    ]
}

/// Returns the routes on which a file is refused.
fn refused(stage: &Stage, path: &str) -> Vec<&'static str> {
    let routes = routes(path).into_iter();
    let refused = routes.filter(|(_, said)| stage.hear(said).out.is_some());
    refused.map(|(route, _)| route).collect()
}

const ALL: [&str; 5] = ["edit", "write", "change", "fill", "show"];

#[test]
fn text_is_refused_on_every_route() {
    let stage = Stage::new();
    for path in ["a.txt", "bad.txt", "bom.txt", "empty.txt", "new.txt"] {
        assert_eq!(refused(&stage, path), ALL, "{path}");
    }
}

#[test]
fn what_is_no_text_passes() {
    let stage = Stage::new();
    stage.write("u32.txt", b"\xff\xfe\0\0a\0\0\0");
    stage.write("u32be.txt", b"\0\0\xfe\xff\0\0\0a");
    stage.write("nul.txt", b"a\0b\n");
    stage.write(
        "late.txt",
        format!("{}\0\n", "line\n".repeat(9000)).as_bytes(),
    );
    for path in ["u32.txt", "u32be.txt", "nul.txt", "late.txt"] {
        assert_eq!(refused(&stage, path), [""; 0], "{path}");
    }
}

#[test]
fn what_is_larger_than_is_taken_passes() {
    let stage = Stage::new().with("limits.file=1 MiB");
    stage.write("large.txt", "line\n".repeat(300_000).as_bytes());
    assert_eq!(refused(&stage, "large.txt"), [""; 0]);
    let stage = Stage::new();
    stage.write("large.txt", "line\n".repeat(300_000).as_bytes());
    assert_eq!(refused(&stage, "large.txt"), ALL);
    stage.write("long.txt", "x".repeat(2 << 20).as_bytes());
    assert_eq!(refused(&stage, "long.txt"), [""; 0]);
}

#[test]
fn a_file_that_nobody_may_write_is_shown_with_us_and_changed_without() {
    let stage = Stage::new();
    let path = stage.root().join("a.txt");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert_eq!(refused(&stage, "a.txt"), ["show"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_passes_and_nobody_waits_for_it() {
    let stage = Stage::new();
    let made = std::process::Command::new("mkfifo")
        .arg(stage.root().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    assert_eq!(refused(&stage, "pipe"), [""; 0]);
}
