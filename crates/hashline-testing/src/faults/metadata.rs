//! T14: rights, owners, access lists and attributes are kept when a file is replaced or moved, or it is refused.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use super::launch::Launch;
use super::{Bench, Row};

const ACCESS_LIST: &str = "system.posix_acl_access";
const DEFAULT_LIST: &str = "system.posix_acl_default";
const CAPABILITY: &str = "security.capability";

/// T14: after an edit alone, an edit with another file and a move, everything is as it was, but for what is never copied.
pub(super) fn kept_or_refused(bench: &Bench) -> Row {
    let mut row = Row::new("T14 metadata");
    if !rustix::process::geteuid().is_root() {
        row.skipped
            .push("giving files to others needs root".to_owned());
        return row;
    }
    let root = bench.scratch.join("metadata");
    for case in cases() {
        for (way, request) in WAYS {
            row.cases += 1;
            let wrong = try_one(bench, &root, &case, way, request);
            row.violations
                .extend(wrong.map(|what| format!("{}: {way}: {what}", case.name)));
        }
        row.control += usize::from(careless_tool_loses_it(&root, &case));
    }
    row
}

const WAYS: [(&str, &str); 3] = [
    (
        "edited alone",
        r#"{"path":"file","edits":[{"op":"substitute","old":"old","new":"new"}]}"#,
    ),
    (
        "edited with another",
        r#"{"files":[{"path":"file","edits":[{"op":"substitute","old":"old","new":"new"}]},
            {"path":"other","edits":[{"op":"substitute","old":"old","new":"new"}]}]}"#,
    ),
    (
        "moved",
        r#"{"path":"file","edits":[{"op":"move","to_path":"folder/moved"}]}"#,
    ),
];

/// What a file is given, and what must become of it.
struct Case {
    name: String,
    mode: u32,
    owner: (u32, u32),
    attributes: Vec<(&'static str, Vec<u8>)>,
    /// What its folder hands down to new files.
    handed_down: Option<Vec<u8>>,
    code: &'static str,
}

impl Case {
    fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            mode: 0o644,
            owner: (0, 0),
            attributes: Vec::new(),
            handed_down: None,
            code: "ok",
        }
    }

    fn with(name: &'static str, attributes: Vec<(&'static str, Vec<u8>)>) -> Self {
        Self {
            attributes,
            ..Self::new(name)
        }
    }

    fn set_up(&self, root: &Path) {
        let fine = "root may give files what it likes";
        super::tree::make(root, &[("other", "old\n"), ("folder/there", "there\n")]);
        if let Some(list) = &self.handed_down {
            for dir in [root.to_path_buf(), root.join("folder")] {
                setxattr(dir, DEFAULT_LIST, list, XattrFlags::empty()).expect(fine);
            }
        }
        let file = root.join("file");
        fs::write(&file, "old\n").expect(fine);
        if self.handed_down.is_some() {
            // The file itself is older than what its folder hands down.
            let _ = rustix::fs::removexattr(&file, ACCESS_LIST);
        }
        chown(&file, Some(self.owner.0), Some(self.owner.1)).expect(fine);
        fs::set_permissions(&file, Permissions::from_mode(self.mode)).expect(fine);
        for (name, value) in &self.attributes {
            setxattr(&file, *name, value, XattrFlags::empty()).expect(fine);
        }
    }
}

/// Lists the cases.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let modes = [
        0o002, 0o020, 0o022, 0o200, 0o222, 0o600, 0o602, 0o622, 0o640, 0o644, 0o646, 0o660, 0o664,
        0o666, 0o700, 0o711, 0o733, 0o744, 0o750, 0o755, 0o770, 0o775, 0o777, 0o1644, 0o1777,
    ];
    let closed = [0o000, 0o400, 0o440, 0o444, 0o500, 0o555, 0o1444];
    let special = [0o2644, 0o2755, 0o4644, 0o4755, 0o6755, 0o4444];
    let of = |code: &'static str| {
        move |mode: u32| Case {
            mode,
            code,
            ..Case::new(format!("mode {mode:04o}"))
        }
    };
    cases.extend(modes.map(of("ok")));
    cases.extend(closed.map(of("read_only")));
    cases.extend(special.map(of("cannot_replace")));
    let owners = [
        (0, 1000),
        (1000, 0),
        (1000, 1000),
        (1001, 1000),
        (54321, 12345),
    ];
    cases.extend(owners.map(|owner| Case {
        owner,
        mode: 0o640,
        ..Case::new(format!("owner {owner:?}"))
    }));
    cases.extend(with_attributes());
    cases.extend(with_lists());
    cases
}

fn with_attributes() -> Vec<Case> {
    let one = |name, key, value: &[u8]| Case::with(name, vec![(key, value.to_vec())]);
    vec![
        one("an attribute", "user.one", b"value"),
        one("an empty attribute", "user.empty", b""),
        one("an attribute of any bytes", "user.bytes", b"\0\xff\n\0"),
        one(
            "a name of another script",
            "user.\u{65e5}\u{672c}",
            b"value",
        ),
        one("a long attribute", "user.long", &[b'x'; 2000]),
        Case::with(
            "several attributes",
            vec![
                ("user.a", b"1".to_vec()),
                ("user.b", b"2".to_vec()),
                ("user.c", vec![b'3'; 500]),
            ],
        ),
        Case {
            mode: 0o600,
            owner: (1000, 1000),
            ..one("an attribute and an owner", "user.mine", b"value")
        },
        one("a capability", CAPABILITY, &capability()),
        Case {
            mode: 0o755,
            ..one("a capability of a program", CAPABILITY, &capability())
        },
    ]
}

fn with_lists() -> Vec<Case> {
    let list = |name, mode, list: Vec<u8>| Case {
        mode,
        ..Case::with(name, vec![(ACCESS_LIST, list)])
    };
    let user = |perm| (2, perm, 1000);
    let group = |perm| (8, perm, 1000);
    vec![
        list(
            "a list with a user",
            0o660,
            access_list(6, &[user(6)], 6, 0),
        ),
        list(
            "a list with a group",
            0o640,
            access_list(6, &[group(4)], 4, 0),
        ),
        list(
            "a list with both",
            0o674,
            access_list(6, &[user(7), group(5)], 7, 4),
        ),
        list(
            "a list with a narrow mask",
            0o640,
            access_list(6, &[user(7)], 4, 0),
        ),
        list(
            "a list that forbids",
            0o664,
            access_list(6, &[user(0)], 6, 4),
        ),
        Case {
            owner: (1000, 1001),
            ..list(
                "a list and an owner",
                0o660,
                access_list(6, &[(2, 6, 1002)], 6, 0),
            )
        },
        Case {
            attributes: vec![
                (ACCESS_LIST, access_list(6, &[user(6)], 6, 0)),
                ("user.one", b"value".to_vec()),
            ],
            ..Case::new("a list and an attribute")
        },
        Case {
            handed_down: Some(access_list(7, &[user(7)], 7, 0)),
            ..Case::new("no list, in a folder that hands one down")
        },
        Case {
            handed_down: Some(access_list(7, &[user(7)], 7, 0)),
            mode: 0o600,
            ..Case::new("no list and 0600, in a folder that hands one down")
        },
        Case {
            handed_down: Some(access_list(7, &[group(7)], 7, 7)),
            ..list(
                "a list of its own, in a folder that hands one down",
                0o660,
                access_list(6, &[user(6)], 6, 0),
            )
        },
    ]
}

/// Writes an access list as the kernel keeps it; who is named comes with a tag, rights and a number.
fn access_list(owner: u16, named: &[(u16, u16, u32)], mask: u16, others: u16) -> Vec<u8> {
    const NOBODY: u32 = u32::MAX;
    let mut entries = vec![(1, owner, NOBODY), (4, mask & 4, NOBODY)];
    entries.extend_from_slice(named);
    entries.extend([(0x10, mask, NOBODY), (0x20, others, NOBODY)]);
    entries.sort_unstable();
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, rights, who) in entries {
        list.extend(u16::to_le_bytes(tag));
        list.extend(u16::to_le_bytes(rights));
        list.extend(who.to_le_bytes());
    }
    list
}

/// The right to bind low ports, as the kernel keeps it with a file.
fn capability() -> Vec<u8> {
    let fields: [u32; 5] = [0x0200_0001, 1 << 10, 0, 0, 0];
    fields
        .iter()
        .flat_map(|field| field.to_le_bytes())
        .collect()
}

/// What is known of a file beside its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Facts {
    mode: u32,
    owner: (u32, u32),
    attributes: BTreeMap<OsString, Vec<u8>>,
}

impl Facts {
    fn of(file: &Path) -> Option<Self> {
        let facts = fs::symlink_metadata(file).ok()?;
        let mut names = vec![0; 1 << 16];
        let len = listxattr(file, &mut names[..]).unwrap_or(0);
        let mut attributes = BTreeMap::new();
        for name in names[..len].split(|&byte| byte == 0) {
            let mut value = vec![0; 1 << 16];
            let name = OsString::from_vec(name.to_vec());
            if let Ok(len) = getxattr(file, name.as_os_str(), &mut value[..]) {
                value.truncate(len);
                attributes.insert(name, value);
            }
        }
        Some(Self {
            mode: facts.mode() & 0o7777,
            owner: (facts.uid(), facts.gid()),
            attributes,
        })
    }

    /// Leaves out what is never copied: rights of a program that was looked at belong to that program only.
    fn without_security(mut self) -> Self {
        self.attributes
            .retain(|name, _| !name.as_bytes().starts_with(b"security."));
        self
    }
}

fn try_one(bench: &Bench, root: &Path, case: &Case, way: &str, request: &str) -> Option<String> {
    case.set_up(root);
    let file = root.join("file");
    let (before, bytes) = (Facts::of(&file)?, fs::read(&file).ok()?);
    let run = Launch::new(bench, root)
        .with("HASHLINE_DURABILITY", "fast")
        .run(["apply"], request);
    if run.outcome() != case.code {
        return Some(format!("{} instead of {}", run.outcome(), case.code));
    }
    let (now, expected) = match (case.code, way) {
        ("ok", "moved") => (root.join("folder/moved"), before.without_security()),
        ("ok", _) => (file, before.without_security()),
        _ => (file, before),
    };
    let after = Facts::of(&now);
    let same_bytes = fs::read(&now).ok().as_ref() == Some(&bytes);
    if after.as_ref() != Some(&expected) {
        let attributes = |facts: &Facts| facts.attributes.keys().cloned().collect::<Vec<_>>();
        let compared = |facts: &Facts| (facts.mode, facts.owner, attributes(facts));
        return Some(format!(
            "{:?} instead of {:?}",
            after.as_ref().map(compared),
            compared(&expected)
        ));
    }
    let unchanged = case.code != "ok" || way == "moved";
    (same_bytes != unchanged).then(|| "its bytes are not what they must be".to_owned())
}

/// The control: a tool that writes beside the file and renames.
fn careless_tool_loses_it(root: &Path, case: &Case) -> bool {
    case.set_up(root);
    let (file, beside) = (root.join("file"), root.join("beside"));
    let before = Facts::of(&file);
    let _ = fs::write(&beside, "new\n").and_then(|()| fs::rename(&beside, &file));
    Facts::of(&file) != before
}
