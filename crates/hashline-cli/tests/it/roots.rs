//! Which folders may be touched, and from where paths begin.

use std::fs;

use crate::stage::Stage;

const APPEND: &str = r#"[{"op":"append","lines":["more"]}]"#;

/// A project with a `.git` on top, and something beside it.
fn project() -> Stage {
    let stage = Stage::new(&[
        ("project/.git/HEAD", "ref\n"),
        ("project/top.txt", "top\n"),
        ("project/sub/deep.txt", "deep\n"),
        ("beside/other.txt", "other\n"),
    ]);
    stage.write("project/sub/request.json", request("deep.txt"));
    stage
}

fn request(path: &str) -> String {
    format!(r#"{{"path":"{path}","edits":{APPEND}}}"#)
}

#[test]
fn the_root_is_the_project_and_paths_begin_where_one_stands() {
    let stage = project();
    let told =
        stage.sh("cd project/sub && hashline read deep.txt ../top.txt ../../beside/other.txt");
    assert_eq!(told.code, Some(0), "{told:?}");
    for text in ["|deep\n", "--- ../top.txt ---\n", "|top\n", "|other\n"] {
        assert!(told.out.contains(text), "{}", told.out);
    }
    stage
        .sh("cd project/sub && hashline apply --input request.json")
        .done();
    assert_eq!(stage.text("project/sub/deep.txt"), "deep\nmore\n");
    let top = stage.path("project/top.txt");
    stage
        .feed(
            &["--root", "project", "apply"],
            request(top.to_str().unwrap()).as_bytes(),
        )
        .done();
    assert_eq!(stage.text("project/top.txt"), "top\nmore\n");
}

#[test]
fn a_path_of_the_command_line_may_lie_outside_one_of_a_request_may_not() {
    let stage = project();
    let other = stage.path("beside/other.txt");
    let outside = request(other.to_str().unwrap());
    stage.write("project/outside.json", &outside);
    let told = stage.sh("cd project && hashline apply --json --input outside.json");
    assert_eq!(told.code, Some(2));
    assert_eq!(told.json()["code"], "outside_root");
    assert_eq!(stage.text("beside/other.txt"), "other\n");
    stage.write("project/edits.json", format!(r#"{{"edits":{APPEND}}}"#));
    stage
        .sh("cd project && hashline apply ../beside/other.txt --input edits.json")
        .done();
    assert_eq!(stage.text("beside/other.txt"), "other\nmore\n");
    // What was allowed for one call is not allowed for the next.
    let told = stage.sh("cd project && hashline apply --json --input outside.json");
    assert_eq!(told.json()["code"], "outside_root");
}

#[test]
fn given_roots_are_the_only_ones() {
    let stage = project();
    let told =
        stage.sh("cd project && hashline --root ../beside apply --json --input sub/request.json");
    assert_eq!(told.json()["code"], "outside_root", "{}", told.out);
    let found = stage
        .sh("hashline --root project --root beside search -l -F e")
        .done();
    assert_eq!(found.lines().count(), 3, "{found}");
    let found = stage.sh("cd project/sub && hashline search -l -F e").done();
    assert_eq!(found, "deep.txt\nrequest.json\n");
    fs::create_dir_all(stage.path("../config/hashline")).unwrap();
    let roots = format!("roots = [{:?}]\n", stage.path("beside"));
    fs::write(stage.path("../config/hashline/config.toml"), roots).unwrap();
    let told = stage.sh("cd project && hashline apply --json --input sub/request.json");
    assert_eq!(told.json()["code"], "outside_root", "{}", told.out);
}

#[test]
fn a_roots_own_file_narrows_what_is_allowed() {
    let stage = project();
    stage.write(
        "project/hashline.toml",
        "limits.edits = 1\ndialect = \"lean\"\n",
    );
    let read = stage.sh("cd project && hashline read top.txt").done();
    assert!(read.starts_with("1 "), "{read}");
    let two = format!(
        r#"{{"path":"top.txt","edits":[{0},{0}]}}"#,
        r#"{"op":"append","lines":["x"]}"#
    );
    stage.write("project/two.json", two);
    let told = stage.sh("cd project && hashline apply --json --input two.json");
    assert_eq!(told.json()["code"], "too_many", "{}", told.out);
    stage.write("project/hashline.toml", "limits.file = \"1 TiB\"\n");
    let told = stage.sh("cd project && hashline read top.txt");
    assert_eq!(told.code, Some(2));
    assert!(told.err.contains("hashline.toml"), "{}", told.err);
}

#[test]
fn no_colours_without_a_terminal() {
    let stage = project();
    for args in [
        &["tour"][..],
        &["read", "project/top.txt"],
        &["read", "none"],
        &["--help"],
    ] {
        let told = stage.run(args);
        assert!(
            !told.out.contains('\x1b') && !told.err.contains('\x1b'),
            "{args:?}"
        );
    }
}
