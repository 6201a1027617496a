//! `tests/data/setup/<agent>/<case>/`: files as people have them before, and as setup leaves them after. A case whose name begins with `user`
//! is about a home, any other about a project. `HASHLINE_BLESS=1` writes what comes out as what should. A file of ours that is installed as it
//! is stands there as one line that names it, so that a change of it is no change of every case.

use std::fs;
use std::path::{Path, PathBuf};

use hashline_agents::setup::{Agent, Scope, SetupAction};
use similar::{ChangeTag, TextDiff};

use super::stage::{Found, Stage, Tree, plant, tree};

/// Files of ours that are installed as they are, but for what they share.
const ASSETS: [(&str, &str); 2] = [
    (
        "@asset opencode/hashline.js\n",
        include_str!("../../../assets/opencode/hashline.js"),
    ),
    (
        "@asset pi/hashline.ts\n",
        include_str!("../../../assets/pi/hashline.ts"),
    ),
];

struct Case {
    name: String,
    agent: Agent,
    folder: PathBuf,
}

impl Case {
    fn before(&self) -> Tree {
        let before = self.folder.join("before");
        let mut found = if before.exists() {
            tree(&before)
        } else {
            Tree::new()
        };
        // So that an empty folder can be kept with the sources.
        found.retain(|name, _| !name.ends_with(".keep"));
        found
    }

    fn stage(&self) -> Stage {
        let user = self
            .folder
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with("user");
        let scope = if user { Scope::User } else { Scope::Project };
        let stage = Stage::new(self.agent, scope);
        plant(&self.before(), stage.folder());
        stage
    }
}

fn cases() -> Vec<Case> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/setup");
    let mut cases = Vec::new();
    for agent in Agent::ALL {
        for entry in fs::read_dir(data.join(agent.name())).unwrap() {
            let folder = entry.unwrap().path();
            let name = format!(
                "{}/{}",
                agent.name(),
                folder.file_name().unwrap().to_str().unwrap()
            );
            cases.push(Case {
                name,
                agent,
                folder,
            });
        }
    }
    assert!(cases.len() >= 25, "only {} cases were found", cases.len());
    cases
}

#[test]
fn every_case_is_set_up_as_recorded_and_a_second_time_nothing_changes() {
    let bless = std::env::var_os("HASHLINE_BLESS").is_some();
    for case in cases() {
        let stage = case.stage();
        stage.install();
        let after = case.folder.join("after");
        if bless {
            let _ = fs::remove_dir_all(&after);
            fs::create_dir_all(&after).unwrap();
            plant(&recorded(stage.tree()), &after);
        }
        assert_eq!(
            told(&recorded(stage.tree())),
            told(&recorded(tree(&after))),
            "{}",
            case.name
        );
        let again = stage.install();
        assert!(
            again.changes.is_empty(),
            "{}: {:?}",
            case.name,
            again.changes
        );
        assert!(again.kept.is_empty(), "{}: {:?}", case.name, again.kept);
    }
}

#[test]
fn only_lines_are_added_besides_a_comma() {
    for case in cases() {
        let stage = case.stage();
        for change in stage.install().changes {
            let text = |bytes: &Option<Vec<u8>>| {
                String::from_utf8(bytes.clone().unwrap_or_default()).unwrap()
            };
            let (before, after) = (text(&change.before), text(&change.after));
            // What is all on one line stays so.
            if before.trim().lines().count() < 2 {
                continue;
            }
            let diff = TextDiff::from_lines(&before, &after);
            let added: Vec<String> = diff
                .iter_all_changes()
                .filter(|line| line.tag() == ChangeTag::Insert)
                .map(|line| bare(line.value()))
                .collect();
            for line in diff.iter_all_changes() {
                if line.tag() == ChangeTag::Delete {
                    let line_before = bare(line.value());
                    assert!(
                        added.iter().any(|added| added.starts_with(&line_before)),
                        "{}: {line:?}\n{after}",
                        case.name
                    );
                }
            }
        }
    }
}

#[test]
fn uninstall_gives_every_byte_back() {
    for case in cases() {
        let stage = case.stage();
        stage.install();
        let plan = stage.uninstall();
        assert_eq!(plan.action, SetupAction::Uninstall);
        assert_eq!(told(&stage.tree()), told(&case.before()), "{}", case.name);
        let again = stage.uninstall();
        assert!(
            again.changes.is_empty(),
            "{}: {:?}",
            case.name,
            again.changes
        );
    }
}

#[test]
fn uninstall_without_a_receipt_takes_ours_and_nothing_else() {
    let mut exact = 0;
    for case in cases() {
        let mut stage = case.stage();
        stage.install();
        stage.state = None;
        stage.uninstall();
        let (before, left) = (case.before(), stage.tree());
        for (name, found) in &left {
            let theirs = before.get(name);
            let place = format!("{}: {}", case.name, name.display());
            assert!(theirs.is_some(), "{place} was not there before");
            if let Some(theirs) = theirs.filter(|theirs| !is_vague(theirs)) {
                let left = Tree::from([(name.clone(), found.clone())]);
                let theirs = Tree::from([(name.clone(), theirs.clone())]);
                assert_eq!(told(&left), told(&theirs), "{place}");
                exact += 1;
            }
            if let Found::File(_, bytes) = found {
                let text = String::from_utf8_lossy(bytes);
                assert!(!text.contains("hashline"), "{place}: {text}");
            }
        }
        for (name, theirs) in &before {
            let is_left = left.contains_key(name) || is_vague(theirs);
            assert!(is_left, "{}: {} is gone", case.name, name.display());
        }
    }
    assert!(exact > 25, "only {exact} files came back exactly");
}

/// Tells whether something cannot be told from what setup makes: a blank file, empty brackets, a folder; or has no ending, which setup adds.
fn is_vague(found: &Found) -> bool {
    let Found::File(_, bytes) = found else {
        return true;
    };
    let text = String::from_utf8_lossy(bytes);
    let dense: String = text.split_whitespace().collect();
    let has_empty = dense.contains("{}") || dense.contains("[]");
    has_empty
        || text.trim_matches(['\u{feff}', ' ', '\n', '\r']).is_empty()
        || !text.ends_with('\n')
}

/// Returns a line without commas, and without brackets at its end: they may close on another line than before, or behind more.
fn bare(line: &str) -> String {
    let line = line.replace(',', "");
    line.trim_end_matches(|letter: char| letter.is_whitespace() || "{}[]".contains(letter))
        .to_owned()
}

/// Returns a text with something a person might add, or nothing where there is no text yet.
fn meddled(name: &Path, text: &str) -> Option<String> {
    let kind = name.extension().and_then(|kind| kind.to_str());
    match kind {
        Some("json" | "jsonc") => {
            let at = text.find('{')? + 1;
            let empty = text[at..].trim_start().starts_with('}');
            (!empty).then(|| format!("{}\"mine\": [1, 2],{}", &text[..at], &text[at..]))
        }
        Some("toml") if !text.is_empty() => Some(format!("# mine\n{text}")),
        Some("md") if text.ends_with('\n') => Some(format!("Mine.\n{text}")),
        _ => None,
    }
}

#[test]
fn what_a_person_changed_since_stays() {
    let mut tried = 0;
    for case in cases() {
        let stage = case.stage();
        stage.install();
        let mut expected = case.before();
        for (name, found) in &mut expected {
            let Found::File(_, bytes) = found else {
                continue;
            };
            let Some(theirs) = meddled(name, std::str::from_utf8(bytes).unwrap_or_default()) else {
                continue;
            };
            let path = stage.folder().join(name);
            let installed = fs::read_to_string(&path).unwrap();
            fs::write(&path, meddled(name, &installed).unwrap()).unwrap();
            *bytes = theirs.into_bytes();
            tried += 1;
        }
        stage.uninstall();
        assert_eq!(told(&stage.tree()), told(&expected), "{}", case.name);
    }
    assert!(tried > 20, "only {tried} files were changed");
}

/// Returns a tree as it is recorded: with the names of our files where their contents are, and permissions as sources have them.
fn recorded(mut tree: Tree) -> Tree {
    for found in tree.values_mut() {
        let Found::File(mode, bytes) = found else {
            continue;
        };
        *mode = 0o644 | *mode & 0o111;
        if let Some((name, _)) = ASSETS.iter().find(|(_, text)| is_whole(text, bytes)) {
            *bytes = name.as_bytes().to_vec();
        }
    }
    tree
}

/// Tells whether a file is a plugin of ours with what it shares with the others in place of the line that imports it.
fn is_whole(plugin: &str, bytes: &[u8]) -> bool {
    let end = "from \"../shared.js\";\n";
    let (before, after) = plugin.split_once(end).unwrap();
    let start = before.rfind('\n').unwrap() + 1;
    let shared = include_str!("../../../assets/shared.js").replace("\nexport ", "\n");
    bytes == [&before[..start], &shared, after].concat().as_bytes()
}

/// Puts a tree so that a difference can be read.
fn told(tree: &Tree) -> String {
    let line = |(name, found): (&PathBuf, &Found)| match found {
        Found::Folder => format!("== {}/\n", name.display()),
        Found::Link(target) => format!("== {} -> {}\n", name.display(), target.display()),
        Found::File(mode, bytes) => {
            let text = String::from_utf8_lossy(bytes).replace('\r', "<CR>");
            format!("== {} {mode:o}\n{text}\n", name.display())
        }
    };
    tree.iter().map(line).collect()
}
