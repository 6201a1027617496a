//! T24: a state folder that somebody else prepared: forged journals, links, planted files.

mod plants;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::exact::{self, Exact};
use super::launch::Launch;
use super::{Bench, Row};
use crate::forge::Forged;
use plants::Plant;

/// What stands in every file that no case may touch.
const TEXT: &str = "not yours\n";

/// T24: whatever was planted, nothing outside or protected is touched, no other file of the root is lost, and edits go on.
pub(super) fn planted(bench: &Bench) -> Row {
    let mut row = Row::new("T24 hostile state");
    if !rustix::process::geteuid().is_root() {
        row.skipped
            .push("giving files to others needs root".to_owned());
        return row;
    }
    let place = Place::new(&bench.scratch.join("hostile"));
    row.violations
        .extend(forgeries_are_believed(bench, &place).err());
    for plant in plants::all() {
        row.cases += 1;
        let wrong = try_one(bench, &place, &plant);
        row.violations
            .extend(wrong.map(|what| format!("{}: {what}", plant.name)));
        row.control += usize::from(careless_recovery_touches(&place, &plant));
    }
    row
}

/// The place of all cases: a root with files, protected files and links, and what lies beside it.
struct Place {
    scratch: PathBuf,
}

impl Place {
    fn new(scratch: &Path) -> Self {
        Self {
            scratch: scratch.to_path_buf(),
        }
    }

    fn root(&self) -> PathBuf {
        self.scratch.join("root")
    }

    fn area(&self) -> PathBuf {
        self.root().join(".hashline")
    }

    fn make(&self) {
        let fine = "the scratch folder can be written";
        super::tree::make(
            &self.scratch,
            &[
                ("root/file", "old\n"),
                ("root/second", "old\n"),
                ("root/dir/file", TEXT),
                ("root/.git/config", TEXT),
                ("root/.git/hooks/pre-commit", TEXT),
                ("root/.claude/settings.json", TEXT),
                ("outside/secret", TEXT),
                ("outside/dir/secret", TEXT),
            ],
        );
        for folder in ["root/.git/refs/tags", "root/dir/empty", "outside/empty"] {
            fs::create_dir_all(self.scratch.join(folder)).expect(fine);
        }
        let root = self.root();
        symlink("../outside", root.join("out")).expect(fine);
        symlink(".git", root.join("to-git")).expect(fine);
        symlink("../outside/secret", root.join("out-file")).expect(fine);
    }

    /// Makes the journal's folder as the program does.
    fn make_area(&self) {
        use std::os::unix::fs::DirBuilderExt;
        let made = fs::DirBuilder::new().mode(0o700).create(self.area());
        made.expect("the scratch folder can be written");
    }

    /// Plants a journal under one of its names, with the rights of a true one.
    fn plant(&self, name: &str, bytes: &[u8]) {
        use std::io::Write;
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let file = options.open(self.area().join(name));
        let written = file.and_then(|mut file| file.write_all(bytes));
        written.expect("the scratch folder can be written");
    }

    /// Looks at all that no case may touch.
    fn untouchable(&self) -> Exact {
        let mut found = exact::look(&self.scratch);
        let open = |name: &Path| {
            let inside = name.strip_prefix("root").unwrap_or(name);
            let ours = inside.starts_with(".hashline") || inside.starts_with("never-made");
            let edited = inside == Path::new("file") || inside == Path::new("second");
            let staged = inside.to_string_lossy().contains(".hl-");
            name.starts_with("root") && (ours || edited || staged)
        };
        found.retain(|name, _| !open(name) && name != Path::new("root/target"));
        found
    }
}

const EDIT: &str = r#"{"path":"file","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
const EDIT_TWO: &str = r#"{"files":[
    {"path":"file","edits":[{"op":"substitute","old":"new","new":"newer"}]},
    {"path":"second","edits":[{"op":"substitute","old":"old","new":"newer"}]}]}"#;

/// Plants something, then uses the root as usual; tells what went wrong, if anything.
fn try_one(bench: &Bench, place: &Place, plant: &Plant) -> Option<String> {
    place.make();
    (plant.plant)(place);
    let before = place.untouchable();
    let root = place.root();
    let launch = Launch::new(bench, &root).with("HASHLINE_DURABILITY", "fast");
    let recovered = launch.run(["recover"], "");
    let read = launch.run(["read", "file"], "");
    let edited = launch.run(["apply"], EDIT);
    let several = launch.run(["apply"], EDIT_TWO);
    let changed = exact::differences(&before, &place.untouchable());
    let text = fs::read_to_string(root.join("file")).unwrap_or_default();
    let expected = if several.outcome() == "ok" {
        "newer\n"
    } else {
        "new\n"
    };
    let dead = [&recovered, &read, &edited, &several]
        .into_iter()
        .find(|run| ["panicked", "killed"].contains(&run.outcome()) || run.code > Some(2));
    match () {
        () if !changed.is_empty() => Some(format!("it touched {changed:?}")),
        () if dead.is_some() => Some(format!("it died: {dead:?}")),
        () if read.outcome() != "ok" => Some(format!("no reading: {}", read.text.trim())),
        () if edited.outcome() != "ok" => Some(format!("no edit: {}", edited.text.trim())),
        () if !plant.several.contains(&several.outcome()) => Some(format!(
            "two files: {} instead of {:?}",
            several.text.trim(),
            plant.several
        )),
        () if text != expected => Some(format!("the file now reads {text:?}")),
        () => None,
    }
}

/// Shows that a forged journal about plain files is acted on: else nothing here would be an attack.
fn forgeries_are_believed(bench: &Bench, place: &Place) -> Result<(), String> {
    place.make();
    place.make_area();
    let root = place.root();
    fs::write(root.join("made"), "made\n").map_err(|error| error.to_string())?;
    let forged = Forged::taking_back(&[("", "made", "made\n")]);
    place.plant("journal", &forged.encode(&root));
    let run = Launch::new(bench, &root).run(["recover"], "");
    if run.text.contains("RolledBack") && !root.join("made").exists() {
        Ok(())
    } else {
        Err(format!("a forged journal is not believed: {}", run.text))
    }
}

/// The control: a recovery that believes what it reads.
fn careless_recovery_touches(place: &Place, plant: &Plant) -> bool {
    let Some(forged) = &plant.forged else {
        return false;
    };
    place.make();
    let before = place.untouchable();
    let root = place.root();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for record in &forged().records {
        let _ = fs::remove_file(root.join(text(&record.dir)).join(text(&record.name)));
    }
    for made in forged().made {
        let _ = fs::remove_dir(root.join(text(&made)));
    }
    before != place.untouchable()
}
