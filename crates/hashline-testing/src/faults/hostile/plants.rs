//! What is planted: each case of T24, by name.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use hashline_workspace::staging_name;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::{Place, TEXT};
use crate::forge::{Bytes, Entry, Forged};

/// What a request over several files may be answered with.
const ANY_TIME: &[&str] = &["ok"];
/// It needs the journal's folder, and that is not ours.
const NO_FOLDER: &[&str] = &["io"];
/// The planted journal stands until a person settles it; until then there is room for no other.
const UNSETTLED: &[&str] = &["ok", "recovery_conflict"];

/// One case.
pub(super) struct Plant {
    pub(super) name: String,
    pub(super) plant: Box<dyn Fn(&Place)>,
    /// The journal, where one is forged.
    pub(super) forged: Option<Box<dyn Fn() -> Forged>>,
    /// How a request over several files may be answered afterwards.
    pub(super) several: &'static [&'static str],
}

/// Lists the cases.
pub(super) fn all() -> Vec<Plant> {
    let mut all = Vec::new();
    all.extend(journals_about_others());
    all.extend(journals_that_are_wrong());
    all.extend(journals_of_the_wrong_kind());
    all.extend(files_in_the_way());
    all.extend(folders_of_the_wrong_kind());
    all.extend(leftovers());
    all
}

fn plant(
    name: impl Into<String>,
    several: &'static [&'static str],
    plant: impl Fn(&Place) + 'static,
) -> Plant {
    Plant {
        name: name.into(),
        plant: Box::new(plant),
        forged: None,
        several,
    }
}

/// Plants a sound journal under each of its names.
fn forged(name: &str, forge: impl Fn() -> Forged + Clone + 'static) -> Vec<Plant> {
    let each = |journal: &'static str| {
        let forge = forge.clone();
        let planted = forge.clone();
        Plant {
            forged: Some(Box::new(forge)),
            ..plant(format!("{journal}: {name}"), UNSETTLED, move |place| {
                place.make_area();
                place.plant(journal, &planted().encode(&place.root()));
            })
        }
    };
    ["journal", "journal.done"].map(each).into()
}

/// Sound journals that name what is not theirs.
fn journals_about_others() -> Vec<Plant> {
    let long = "n".repeat(300);
    let ways = [
        ("upward", "..", "secret"),
        ("upward outside", "../outside", "secret"),
        ("down and up", "dir/../../outside", "secret"),
        ("an absolute directory", "/etc", "hostname"),
        ("git", ".git", "config"),
        ("a hook", ".git/hooks", "pre-commit"),
        ("git in upper case", ".GIT", "config"),
        ("an agent's settings", ".claude", "settings.json"),
        ("a link out", "out", "secret"),
        ("a link out, deeper", "out/dir", "secret"),
        ("a link to git", "to-git", "config"),
        ("a link to git, deeper", "to-git/hooks", "pre-commit"),
        ("a link as the file", "", "out-file"),
        ("a name that goes up", "", "../outside/secret"),
        ("a name with a slash", "", ".git/config"),
        ("a name of one dot", "dir", "."),
        ("a name of two dots", "dir", ".."),
        ("no name", "dir", ""),
        ("a name with NUL", "", "file\0"),
        ("a directory with NUL", ".git\0", "config"),
        ("a name that is too long", "", &long),
        ("itself", ".hashline", "journal"),
    ];
    let mut all = Vec::new();
    for (name, dir, file) in ways {
        let (dir, file) = (dir.to_owned(), file.to_owned());
        all.extend(forged(name, move || {
            Forged::taking_back(&[(&dir, &file, TEXT)])
        }));
    }
    let made = [
        ("an empty folder outside", "../outside/empty"),
        ("an empty folder by a link", "out/empty"),
        ("an empty folder of git", ".git/refs/tags"),
        ("an empty folder of git, by a link", "to-git/refs/tags"),
        ("an empty folder of the root", "dir/empty"),
        ("an absolute folder", "/tmp"),
    ];
    for (name, folder) in made {
        all.extend(forged(&format!("{name} to be removed"), move || Forged {
            made: vec![folder.as_bytes().to_vec()],
            ..Forged::taking_back(&[])
        }));
    }
    all
}

/// Journals that are sound by their checksum and wrong in themselves.
fn journals_that_are_wrong() -> Vec<Plant> {
    let counted = |count| {
        move || Forged {
            count: Some(count),
            ..Forged::taking_back(&[("dir", "file", TEXT)])
        }
    };
    let many = |count: usize| {
        move || Forged {
            records: vec![
                Entry {
                    name: b"never-made".to_vec(),
                    new: Some(Bytes::of("never\n")),
                    ..Entry::default()
                };
                count
            ],
            ..Forged::default()
        }
    };
    let mut all = Vec::new();
    all.extend(forged(
        "as many entries as there are numbers",
        counted(u64::MAX),
    ));
    all.extend(forged(
        "a million entries that are not there",
        counted(1_000_000),
    ));
    all.extend(forged("4096 entries", many(4096)));
    all.extend(forged("4097 entries", many(4097)));
    all.extend(forged("another root", || Forged {
        root: Some((1, 2)),
        ..Forged::taking_back(&[("dir", "file", TEXT)])
    }));
    all.extend(forged("another directory", || {
        let mut forged = Forged::taking_back(&[("dir", "file", TEXT)]);
        forged.records[0].identity = Some((1, 2));
        forged
    }));
    all.extend(forged("nothing to do", || Forged {
        records: vec![Entry {
            dir: b"dir".to_vec(),
            name: b"file".to_vec(),
            ..Entry::default()
        }],
        ..Forged::default()
    }));
    all
}

/// Journals that are damaged, or no files of ours.
fn journals_of_the_wrong_kind() -> Vec<Plant> {
    let sound = |place: &Place| Forged::taking_back(&[("dir", "file", TEXT)]).encode(&place.root());
    let damaged = |name: String, damage: fn(&mut Vec<u8>, usize), by: usize| {
        plant(
            format!("a journal that is {name}"),
            ANY_TIME,
            move |place| {
                let mut bytes = sound(place);
                damage(&mut bytes, by);
                place.make_area();
                place.plant("journal", &bytes);
            },
        )
    };
    let cut = [0, 1, 15, 19, 40, 90].map(|at| damaged(format!("cut at {at}"), Vec::truncate, at));
    let flipped = [0, 20, 36, 60, 100, 140]
        .map(|at| damaged(format!("wrong at {at}"), |bytes, at| bytes[at] ^= 1, at));
    let spoiled = |name, spoil: fn(&Path)| {
        plant(
            format!("a journal that is {name}"),
            ANY_TIME,
            move |place| {
                place.make_area();
                place.plant("journal", &sound(place));
                spoil(&place.area().join("journal"));
            },
        )
    };
    let instead = |name, instead: fn(&Path)| {
        ["journal", "journal.done", "journal.tmp"].map(move |journal| {
            plant(
                format!("{journal} that is {name}"),
                ANY_TIME,
                move |place| {
                    place.make_area();
                    instead(&place.area().join(journal));
                },
            )
        })
    };
    let mut all: Vec<Plant> = cut.into_iter().chain(flipped).collect();
    all.extend([
        spoiled("somebody else's", |path| {
            done(chown(path, Some(1000), None));
        }),
        spoiled("for others to read", |path| change_mode(path, 0o644)),
        spoiled("for others to write", |path| change_mode(path, 0o666)),
        spoiled("of two names", |path| {
            done(fs::hard_link(path, path.with_file_name("second")));
        }),
        spoiled("a link to a sound one", |path| {
            done(fs::rename(path, path.with_file_name("sound")));
            done(symlink("sound", path));
        }),
        spoiled("larger than any", |path| {
            done(
                File::options()
                    .write(true)
                    .open(path)
                    .and_then(|file| file.set_len(1 << 40)),
            );
        }),
    ]);
    all.extend(instead("a folder", |path| done(fs::create_dir(path))));
    all.extend(instead("a full folder", |path| {
        done(fs::create_dir_all(path.join("x")));
    }));
    all.extend(instead("a pipe", pipe));
    all.extend(instead("a link out", |path| {
        done(symlink("../../outside/secret", path));
    }));
    all.extend(instead("a link to nothing", |path| {
        done(symlink("nothing", path));
    }));
    all.extend(instead("empty", |path| done(File::create(path).map(drop))));
    all
}

/// Sound journals about files that are something else now.
fn files_in_the_way() -> Vec<Plant> {
    let way = |name: &'static str, staged: bool, put: fn(&Path)| {
        plant(format!("a journal about {name}"), UNSETTLED, move |place| {
            place.make_area();
            let root = place.root();
            let target = if staged {
                root.join(staging_name("target".as_ref()))
            } else {
                root.join("target")
            };
            put(&target);
            let forged = Forged {
                records: vec![Entry {
                    name: b"target".to_vec(),
                    old: Some(Bytes::of("before\n")),
                    new: Some(Bytes {
                        size: 1 << 40,
                        hash: 0,
                    }),
                    ..Entry::default()
                }],
                ..Forged::default()
            };
            place.plant("journal", &forged.encode(&root));
        })
    };
    type Kind = (&'static str, &'static str, fn(&Path));
    let kinds: [Kind; 5] = [
        ("a pipe", "a staged pipe", pipe),
        ("a folder", "a staged folder", |path| {
            done(fs::create_dir(path));
        }),
        ("a link out", "a staged link out", |path| {
            done(symlink("../outside/secret", path));
        }),
        (
            "a terabyte of nothing",
            "a staged terabyte of nothing",
            |path| {
                done(File::create(path).and_then(|file| file.set_len(1 << 40)));
            },
        ),
        ("a device", "a staged device", |path| {
            let zero = rustix::fs::makedev(1, 5);
            let mode = Mode::from_raw_mode(0o600);
            mknodat(CWD, path, FileType::CharacterDevice, mode, zero).expect("root may");
        }),
    ];
    let pair = |(plain, staged, put): Kind| [way(plain, false, put), way(staged, true, put)];
    kinds.into_iter().flat_map(pair).collect()
}

/// A journal's folder that is none.
fn folders_of_the_wrong_kind() -> Vec<Plant> {
    let folder = |name, several, put: fn(&Path)| {
        plant(
            format!("a journal's folder that is {name}"),
            several,
            move |place| {
                put(&place.area());
            },
        )
    };
    let spoiled = |name, several, spoil: fn(&Path)| {
        plant(
            format!("a journal's folder {name}"),
            several,
            move |place| {
                place.make_area();
                let sound = Forged::taking_back(&[("dir", "file", TEXT)]).encode(&place.root());
                place.plant("journal", &sound[..sound.len() - 1]);
                spoil(&place.area());
            },
        )
    };
    vec![
        folder("a link out", NO_FOLDER, |path| {
            done(symlink("../outside", path));
        }),
        folder("a link to git", NO_FOLDER, |path| {
            done(symlink(".git", path));
        }),
        folder("a link to nothing", NO_FOLDER, |path| {
            done(symlink("nothing", path));
        }),
        folder("a link to itself", NO_FOLDER, |path| {
            done(symlink(".hashline", path));
        }),
        folder("a file", NO_FOLDER, |path| done(fs::write(path, TEXT))),
        folder("a pipe", NO_FOLDER, pipe),
        spoiled("of somebody else", NO_FOLDER, |path| {
            done(chown(path, Some(1000), None));
        }),
        spoiled("for all to write", NO_FOLDER, |path| {
            change_mode(path, 0o777);
        }),
        spoiled("for a group to write", NO_FOLDER, |path| {
            change_mode(path, 0o770);
        }),
        spoiled("with a link for what is foreign", ANY_TIME, |path| {
            done(symlink("../../outside", path.join("foreign")));
        }),
        spoiled("with a file for what is foreign", ANY_TIME, |path| {
            done(fs::write(path.join("foreign"), TEXT));
        }),
        spoiled(
            "with a link as its list of what git ignores",
            ANY_TIME,
            |path| {
                done(symlink("../../outside/secret", path.join(".gitignore")));
            },
        ),
    ]
}

/// Files under the names of staged ones.
fn leftovers() -> Vec<Plant> {
    let staged = |place: &Place| place.root().join(staging_name("file".as_ref()));
    let displaced = move |place: &Place| -> PathBuf { staged(place).with_extension("old") };
    let left = |name, put: fn(&Path)| {
        [
            plant(
                format!("a staged file that is {name}"),
                ANY_TIME,
                move |place| {
                    put(&staged(place));
                },
            ),
            plant(
                format!("a displaced file that is {name}"),
                ANY_TIME,
                move |place| {
                    put(&displaced(place));
                },
            ),
        ]
    };
    let mut all = Vec::new();
    all.extend(left("a file", |path| done(fs::write(path, TEXT))));
    all.extend(left("a link out", |path| {
        done(symlink("../outside/secret", path));
    }));
    all.extend(left("a link to git", |path| {
        done(symlink(".git/config", path));
    }));
    all.extend(left("a pipe", pipe));
    all.extend(left("a full folder", |path| {
        done(fs::create_dir_all(path.join("x")));
    }));
    all.extend(left("a terabyte of nothing", |path| {
        done(File::create(path).and_then(|file| file.set_len(1 << 40)));
    }));
    all.push(plant(
        "a staged file and orphans that are a link",
        ANY_TIME,
        move |place| {
            place.make_area();
            done(symlink("../../outside", place.area().join("orphans")));
            done(fs::write(staged(place), TEXT));
        },
    ));
    all.push(plant(
        "a staged file and no folder for it",
        NO_FOLDER,
        move |place| {
            done(symlink("../outside", place.area()));
            done(fs::write(staged(place), TEXT));
        },
    ));
    all
}

fn done(result: std::io::Result<()>) {
    result.expect("it can be planted");
}

fn pipe(path: &Path) {
    let mode = Mode::from_raw_mode(0o600);
    mknodat(CWD, path, FileType::Fifo, mode, 0).expect("a pipe can be made");
}

fn change_mode(path: &Path, mode: u32) {
    done(fs::set_permissions(path, Permissions::from_mode(mode)));
}
