//! Every refusal that has to do with files and the disk is provoked once, by its code.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_core::Code;
use hashline_core::Policy;
use hashline_core::policy::Mode;
use hashline_core::text::LineSpan;
use hashline_testing::disk::{Disk, Image, Meddling, Offers, Refusal};
use hashline_wire::{ParseOptions, parse};
use hashline_workspace::config::{ConfigOverrides, UserConfig};
use hashline_workspace::ledger::{MemoryLedger, NoLedger};
use hashline_workspace::search::{Audience, Pattern, Query};
use hashline_workspace::system::System;
use hashline_workspace::{
    ApplyError, ApplyOptions, ApplyOutcome, CancelToken, DiskFault, Limits, Settings, Workspace,
};

/// The codes of requests that cannot be understood or landed; the cases of the engine provoke them.
const OF_THE_ENGINE: [&str; 17] = [
    "ambiguous",
    "unknown_rev",
    "unseen",
    "partly_shown",
    "out_of_range",
    "bad_anchor",
    "bad_range",
    "overlap",
    "stale_file",
    "text_not_found",
    "text_not_unique",
    "empty_insert",
    "not_encodable",
    "escaped_bytes",
    "no_change",
    "conflicting_operations",
    "bad_request",
];

/// The codes of setup and of servers that cannot begin to listen, which have tests of their own.
const OF_OTHERS: [&str; 12] = [
    "entry_taken",
    "bad_agent_file",
    "cannot_bind",
    "no_common_port",
    "no_loopback",
    "already_served",
    "not_a_socket",
    "not_a_token",
    "not_private",
    "no_sockets",
    "runtime",
    "no_locks",
];

fn edit(path: &str) -> String {
    format!(r#"{{"path":"{path}","edits":[{{"op":"substitute","old":"text","new":"TEXT"}}]}}"#)
}

fn apply<S: System>(workspace: &Workspace<S>, request: &str) -> &'static str {
    match answer(workspace, request).result {
        Ok(_) => "ok",
        Err(error) => error.code().as_str(),
    }
}

fn answer<S: System>(workspace: &Workspace<S>, request: &str) -> ApplyOutcome {
    let parsed = parse(request.as_bytes(), &ParseOptions::default()).expect("well-formed");
    let policy = Policy::new(parsed.dialect);
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    workspace.apply(parsed.request, &MemoryLedger::default(), &asking)
}

/// A folder with a file of each kind.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        fs::write(root.join("file"), "text\n").expect("written");
        fs::write(root.join("other"), "text\n").expect("written");
        fs::create_dir(root.join("dir")).expect("made");
        fs::create_dir(root.join(".git")).expect("made");
        fs::write(root.join("nul"), "text\0\n").expect("written");
        fs::write(root.join("utf32"), b"\xff\xfe\0\0t\0\0\0").expect("written");
        fs::write(root.join("long"), "x".repeat((1 << 20) + 1)).expect("written");
        fs::write(root.join("large"), "x\n".repeat((32 << 20) + 1)).expect("written");
        for (name, mode) in [("closed", 0o444), ("setuid", 0o4755)] {
            fs::write(root.join(name), "text\n").expect("written");
            let rights = fs::Permissions::from_mode(mode);
            fs::set_permissions(root.join(name), rights).expect("changed");
        }
        fs::write(root.join("linked"), "text\n").expect("written");
        fs::hard_link(root.join("linked"), root.join("again")).expect("linked");
        std::os::unix::fs::symlink("/etc/hostname", root.join("way-out")).expect("linked");
        Self { folder }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn workspace(&self, limits: Limits) -> Workspace {
        let settings = Settings {
            limits,
            ..Settings::default()
        };
        Workspace::open(&[self.root().to_path_buf()], settings).expect("the folder is there")
    }

    fn edits(&self, path: &str) -> &'static str {
        apply(&self.workspace(Limits::default()), &edit(path))
    }
}

#[test]
fn every_code_of_files_and_disks_is_provoked() {
    let scene = Scene::new();
    let mut provoked = BTreeSet::new();
    let mut expect = |code: &'static str, found: &str| {
        assert_eq!(found, code);
        provoked.insert(code);
    };
    for (code, path) in [
        ("bad_path", "../file"),
        ("outside_root", "way-out"),
        ("outside_root", "/etc/hostname"),
        ("protected", ".git/config"),
        ("file_not_found", "nothing"),
        ("not_a_file", "dir"),
        ("binary", "nul"),
        ("encoding", "utf32"),
        ("line_too_long", "long"),
        ("too_large", "large"),
        ("read_only", "closed"),
        ("cannot_replace", "setuid"),
        ("hardlinked", "linked"),
    ] {
        expect(code, scene.edits(path));
    }
    let create = r#"{"path":"file","edits":[{"op":"create","content":"x\n"}]}"#;
    expect(
        "file_exists",
        apply(&scene.workspace(Limits::default()), create),
    );
    expect("too_many", too_many(&scene));
    expect("busy", busy(&scene));
    expect("timeout", timeout(&scene));
    expect("cancelled", cancelled(&scene));
    expect("bad_pattern", bad_pattern(&scene));
    expect("recovery_conflict", recovery_conflict());
    expect("needs_recovery", needs_recovery());
    expect("io", io());
    expect("internal", internal());
    expect("unstable", unstable());
    expect("stale", stale());
    expect("bad_config", bad_config(&scene));
    let all: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let engine: BTreeSet<&str> = OF_THE_ENGINE.into_iter().chain(OF_OTHERS).collect();
    assert_eq!(provoked, all.difference(&engine).copied().collect());
}

fn too_many(scene: &Scene) -> &'static str {
    let limits = Limits {
        files: 1,
        ..Limits::default()
    };
    let two = r#"{"files":[{"path":"file","edits":[{"op":"substitute","old":"text","new":"a"}]},
        {"path":"other","edits":[{"op":"substitute","old":"text","new":"a"}]}]}"#;
    apply(&scene.workspace(limits), two)
}

fn busy(scene: &Scene) -> &'static str {
    let holder = fs::File::open(scene.root()).expect("open");
    holder.lock().expect("locked");
    let limits = Limits {
        lock_wait: Duration::ZERO,
        ..Limits::default()
    };
    apply(&scene.workspace(limits), &edit("file"))
}

fn timeout(scene: &Scene) -> &'static str {
    let limits = Limits {
        request_time: Duration::ZERO,
        ..Limits::default()
    };
    apply(&scene.workspace(limits), &edit("file"))
}

fn audience() -> Audience<'static> {
    Audience {
        scheme: hashline_core::scheme::Scheme::Omp,
        session: None,
        ledger: Some(&NoLedger),
        seen: None,
    }
}

fn cancelled(scene: &Scene) -> &'static str {
    let stop = CancelToken::default();
    stop.cancel();
    let workspace = scene.workspace(Limits::default());
    let audience = audience();
    let query = Query::new(Pattern::Fixed("text".to_owned()));
    let found = workspace.search(&query, &audience, Some(&stop));
    found.map_or_else(|error| error.code().as_str(), |_| "ok")
}

fn bad_pattern(scene: &Scene) -> &'static str {
    let audience = audience();
    let query = Query::new(Pattern::Regex("(".to_owned()));
    let found = scene
        .workspace(Limits::default())
        .search(&query, &audience, None);
    found.map_or_else(|error| error.code().as_str(), |_| "ok")
}

fn bad_config(scene: &Scene) -> &'static str {
    fs::write(scene.root().join("hashline.toml"), "contxt = 3\n").expect("written");
    let allowed = UserConfig::read(None, &ConfigOverrides::default()).expect("nothing is set");
    let opened = allowed.open(&[scene.root().to_path_buf()]);
    opened.map_or_else(|error| error.code().as_str(), |_| "ok")
}

/// A request over two files on the simulated disk.
const TWO: &str = r#"{"files":[{"path":"a","edits":[{"op":"substitute","old":"text","new":"TEXT"}]},
    {"path":"b","edits":[{"op":"substitute","old":"text","new":"TEXT"}]}]}"#;

fn simulated(image: Image, meddling: Meddling) -> (Disk, Workspace<Disk>) {
    let disk = Disk::new(image, Offers::All, meddling);
    let limits = Limits {
        lock_wait: Duration::ZERO,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let workspace = Workspace::on(disk.clone(), &[PathBuf::from("/")], settings);
    (disk, workspace.expect("the root is there"))
}

fn two_files() -> Image {
    Image::with(&[("a", b"text\n"), ("b", b"text\n")])
}

/// Refuses everything from some call on, at each of them, and returns which answers there were.
fn answers_when_refused() -> BTreeSet<&'static str> {
    let (disk, workspace) = simulated(two_files(), Meddling::Nothing);
    assert_eq!(apply(&workspace, TWO), "ok");
    let refused = |call| {
        let (count, how) = (usize::MAX, Refusal::Plainly);
        let disk = Disk::new(
            two_files(),
            Offers::All,
            Meddling::Refuse { call, count, how },
        );
        let workspace = Workspace::on(disk, &[PathBuf::from("/")], Settings::default());
        workspace.map_or_else(
            |error| error.code().as_str(),
            |workspace| apply(&workspace, TWO),
        )
    };
    (0..disk.calls().len()).map(refused).collect()
}

fn needs_recovery() -> &'static str {
    answers_when_refused()
        .take("needs_recovery")
        .unwrap_or("never")
}

fn io() -> &'static str {
    answers_when_refused().take("io").unwrap_or("never")
}

fn internal() -> &'static str {
    let (disk, workspace) = simulated(two_files(), Meddling::Nothing);
    assert_eq!(apply(&workspace, TWO), "ok");
    let call = disk.calls().len() - 20;
    apply(&simulated(two_files(), Meddling::Panic { call }).1, TWO)
}

/// Kills a commit between its two swaps and writes one of the files: somebody must decide.
fn recovery_conflict() -> &'static str {
    let (disk, workspace) = simulated(two_files(), Meddling::Nothing);
    assert_eq!(apply(&workspace, TWO), "ok");
    let moments = disk.moments();
    let swapped = moments.iter().find(|moment| moment.call == "exchange");
    let mut image = swapped.expect("files are swapped").seen().clone();
    image.put(Path::new("a"), b"somebody's\n");
    let (_, workspace) = simulated(image, Meddling::Nothing);
    assert!(workspace.read("a").is_ok(), "reading goes on");
    apply(&workspace, TWO)
}

fn unstable() -> &'static str {
    let path = PathBuf::from("a");
    let (_, workspace) = simulated(two_files(), Meddling::Grow { path });
    let part = workspace.read_part("a", LineSpan::new(0..1));
    assert_eq!(
        part.map_or_else(|error| error.code().as_str(), |_| "ok"),
        "unstable"
    );
    apply(&workspace, TWO)
}

fn stale() -> &'static str {
    let (call, path) = ("link", PathBuf::from("a"));
    let (disk, workspace) = simulated(two_files(), Meddling::GrowAt { call, path });
    let code = apply(&workspace, TWO);
    let tree = disk.now().seen().tree();
    let kept = tree[Path::new("a")].as_deref();
    assert!(
        kept.is_some_and(|bytes| bytes.starts_with(b"text\nmore\n")),
        "{kept:?}"
    );
    code
}

#[test]
fn what_the_system_says_is_told_apart() {
    let one = edit("a");
    let create = r#"{"path":"new","edits":[{"op":"create","content":"new\n"}]}"#;
    let delete = r#"{"path":"a","edits":[{"op":"delete_file"}]}"#;
    let cases = [
        // Only a system that cannot do a thing is asked for another way to do it.
        ("create_unnamed", ErrorKind::StorageFull, one.as_str(), "io"),
        ("exchange", ErrorKind::StorageFull, &one, "io"),
        ("rename_new", ErrorKind::StorageFull, create, "io"),
        ("rename_new", ErrorKind::StorageFull, delete, "io"),
        ("create_unnamed", ErrorKind::Unsupported, &one, "ok"),
        ("exchange", ErrorKind::Unsupported, &one, "ok"),
        ("rename_new", ErrorKind::Unsupported, create, "ok"),
        ("rename_new", ErrorKind::Unsupported, delete, "ok"),
        ("create_unnamed", ErrorKind::StorageFull, TWO, "io"),
        ("create_unnamed", ErrorKind::Unsupported, TWO, "ok"),
        // The same words mean something else in another place.
        (
            "copy_metadata",
            ErrorKind::PermissionDenied,
            &one,
            "cannot_replace",
        ),
        (
            "copy_metadata",
            ErrorKind::Unsupported,
            TWO,
            "cannot_replace",
        ),
        ("copy_metadata", ErrorKind::StorageFull, &one, "io"),
        (
            "create_unnamed",
            ErrorKind::PermissionDenied,
            &one,
            "cannot_replace",
        ),
        ("write", ErrorKind::PermissionDenied, &one, "io"),
        ("exchange", ErrorKind::ResourceBusy, &one, "cannot_replace"),
        (
            "create_unnamed",
            ErrorKind::ReadOnlyFilesystem,
            &one,
            "read_only",
        ),
        ("make_dir", ErrorKind::ReadOnlyFilesystem, TWO, "read_only"),
        ("make_dir", ErrorKind::StorageFull, TWO, "io"),
        ("create", ErrorKind::StorageFull, TWO, "io"),
        ("open_dir", ErrorKind::WouldBlock, &one, "unstable"),
        ("open_dir", ErrorKind::StorageFull, &one, "io"),
        // A journal's folder that is closed to us is somebody else's; without one, an edit of one file goes on.
        ("open_child", ErrorKind::PermissionDenied, &one, "ok"),
        ("open_child", ErrorKind::PermissionDenied, TWO, "io"),
        ("open_child", ErrorKind::StorageFull, &one, "io"),
    ];
    for (call, kind, request, code) in cases {
        let (disk, workspace) = simulated(two_files(), Meddling::RefuseAt { call, kind });
        assert_eq!(apply(&workspace, request), code, "{call} {kind:?}");
        let seen = disk.now().seen().tree();
        let done = match request {
            _ if request == create => seen.contains_key(Path::new("new")),
            _ if request == delete => !seen.contains_key(Path::new("a")),
            _ => seen[Path::new("a")].as_deref() == Some(b"TEXT\n"),
        };
        assert_eq!(done, code == "ok", "{call} {kind:?}");
    }
}

#[test]
fn a_refusal_names_the_file_it_is_about() {
    let (disk, workspace) = simulated(two_files(), Meddling::Nothing);
    assert_eq!(apply(&workspace, TWO), "ok");
    let mut found = BTreeSet::new();
    for call in 1..disk.calls().len() {
        let (count, how) = (1, Refusal::Plainly);
        let refuse = Meddling::Refuse { call, count, how };
        let disk = Disk::new(two_files(), Offers::All, refuse);
        let Ok(workspace) = Workspace::on(disk, &[PathBuf::from("/")], Settings::default()) else {
            continue;
        };
        if let Err(ApplyError::Disk(error)) = answer(&workspace, TWO).result
            && let DiskFault::System { doing, .. } = error.why
        {
            found.insert((doing, error.path.unwrap_or_default()));
        }
    }
    let about = |doing| {
        let found = found.iter().filter(|(what, _)| *what == doing);
        found.map(|(_, path)| path.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(about("looking at the file"), ["a", "b"]);
    assert_eq!(about("writing the new bytes"), ["a", "b"]);
    assert_eq!(about("swapping the files"), ["a", "b"]);
    assert_eq!(about("finishing the journal"), ["a"]);
}
