//! T13: what is no plain file of one's own: pipes, devices, huge and made-up files, other people's files, mounts.

mod cast;

use std::fs;
use std::path::Path;

use super::exact;
use super::launch::Launch;
use super::machine::{why_no_mounts, why_not};
use super::{Bench, Row};
use cast::{Special, User};

/// T13: each gets its code without waiting, and nothing changes unless the request was done.
pub(super) fn refused_without_waiting(bench: &Bench) -> Row {
    let mut row = Row::new("T13 special files");
    let missing = why_no_mounts();
    let missing = missing.or_else(|| ["setpriv", "chattr"].iter().find_map(|name| why_not(name)));
    if missing.is_some() {
        row.skipped.extend(missing);
        return row;
    }
    let bench = &for_everybody(bench);
    let root = bench.scratch.join("special");
    for special in cast::all() {
        for (way, code) in special.ways {
            row.cases += 1;
            let wrong = try_one(bench, &root, &special, way, code);
            row.violations
                .extend(wrong.map(|what| format!("{}: {way}: {what}", special.name)));
            let refused = *code != "ok" && *way == "edit";
            row.control += usize::from(refused && careless_tool_replaces_it(&root, &special));
        }
    }
    row
}

/// Puts the program where every user can start it.
fn for_everybody(bench: &Bench) -> Bench {
    let fine = "the scratch folder can be written";
    fs::create_dir_all(&bench.scratch).expect(fine);
    let driver = bench.scratch.join("driver");
    fs::copy(&bench.driver, &driver).expect(fine);
    Bench {
        driver,
        scratch: bench.scratch.clone(),
    }
}

fn try_one(bench: &Bench, root: &Path, special: &Special, way: &str, code: &str) -> Option<String> {
    let _kept = special.set_up(root);
    let launch = match special.user {
        User::Root => Launch::new(bench, root),
        User::Other => Launch::new(bench, root).through(&[
            "setpriv",
            "--reuid=1000",
            "--regid=1000",
            "--clear-groups",
        ]),
    };
    let before = exact::without_area(exact::look(root));
    let run = match request(way) {
        None => launch.run(["read", "thing"], ""),
        Some(request) => launch.run(["apply"], request),
    };
    let after = exact::without_area(exact::look(root));
    let outcome = run.outcome();
    if outcome != code {
        return Some(format!(
            "{outcome} instead of {code}: {:?}",
            run.text.trim()
        ));
    }
    let changed = exact::differences(&before, &after);
    match (way, outcome) {
        ("edit" | "delete" | "move" | "onto", "ok") if changed.is_empty() => {
            Some("nothing was done".to_owned())
        }
        ("edit" | "delete" | "move" | "onto", "ok") => None,
        _ => changed.first().map(|name| format!("{name} was touched")),
    }
}

fn request(way: &str) -> Option<&'static str> {
    match way {
        "read" => None,
        "edit" => {
            Some(r#"{"path":"thing","edits":[{"op":"substitute","old":"text","new":"TEXT"}]}"#)
        }
        "delete" => Some(r#"{"path":"thing","edits":[{"op":"delete_file"}]}"#),
        "move" => Some(r#"{"path":"thing","edits":[{"op":"move","to_path":"other/moved"}]}"#),
        "both" => Some(
            r#"{"files":[{"path":"thing","edits":[{"op":"substitute","old":"text","new":"TEXT"}]},{"path":"other/thing","edits":[{"op":"append","lines":["x"]}]}]}"#,
        ),
        "create" => Some(
            r#"{"files":[{"path":"new/a","edits":[{"op":"create","content":"a"}]},{"path":"other/new/b","edits":[{"op":"create","content":"b"}]}]}"#,
        ),
        "onto" => Some(r#"{"path":"plain","edits":[{"op":"move","to_path":"thing"}]}"#),
        other => unreachable!("there is no way {other}"),
    }
}

/// The control: a tool that writes beside the file and renames.
fn careless_tool_replaces_it(root: &Path, special: &Special) -> bool {
    let _kept = special.set_up(root);
    let thing = root.join("thing");
    let facts = |path: &Path| fs::symlink_metadata(path).map(|facts| facts.file_type());
    let Ok(before) = facts(&thing) else {
        return false;
    };
    let beside = root.join("beside");
    let done = fs::write(&beside, "TEXT\n").and_then(|()| fs::rename(&beside, &thing));
    let _ = fs::remove_file(&beside);
    done.is_ok() && facts(&thing).is_ok_and(|after| after.is_file()) && !before.is_dir()
}
