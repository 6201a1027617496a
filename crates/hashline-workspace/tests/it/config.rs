//! Configuration: who may set what, and what is said of everything else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditNo, Operation, Place};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::policy::{Policy, RepairPolicy};
use hashline_workspace::config::bad_config::{BadConfig, ConfigFault, ConfigSource};
use hashline_workspace::config::{
    Config, ConfigKey, ConfigOverrides, ConfigValue, RootRule, UserConfig, ValueType,
};
use hashline_workspace::ledger::MemoryLedger;
use hashline_workspace::{ApplyOptions, DiskFault, PROTECTED_NAMES};
use tempfile::TempDir;

/// A person, a root, and what the files of both say.
#[derive(Default)]
struct Case<'a> {
    user: &'a str,
    given: &'a [&'a str],
    root: &'a str,
}

impl Case<'_> {
    fn config(&self) -> Result<Config, BadConfig> {
        self.in_folder(&tempfile::tempdir().expect("a folder can be made"))
    }

    fn in_folder(&self, folder: &TempDir) -> Result<Config, BadConfig> {
        let user = folder.path().join("config.toml");
        let root = folder.path().join("root");
        fs::create_dir_all(&root).expect("a folder can be made");
        fs::write(&user, self.user).expect("a file can be written");
        if !self.root.is_empty() {
            fs::write(root.join("hashline.toml"), self.root).expect("a file can be written");
        }
        opened(Some(&user), self.given, &[root])
    }
}

fn opened(user: Option<&Path>, given: &[&str], roots: &[PathBuf]) -> Result<Config, BadConfig> {
    let given = given
        .iter()
        .try_fold(ConfigOverrides::default(), |given, pair| {
            given.with_pair(pair)
        });
    let allowed = given.and_then(|given| UserConfig::read(user, &given));
    let config = allowed.and_then(|allowed| allowed.open(roots));
    config
        .map(|(_, config)| config)
        .map_err(|error| match error.why {
            DiskFault::BadConfig(bad) => *bad,
            other => panic!("{other:?}"),
        })
}

/// Says in one line what is wrong with a configuration.
fn describe(bad: &BadConfig) -> String {
    let source = match &bad.source {
        ConfigSource::Root(path) => path.as_str(),
        ConfigSource::User => "user",
        ConfigSource::Start => "start",
    };
    let spot = bad
        .spot
        .map(|spot| format!(" {}:{}", spot.line, spot.column));
    let why = match &bad.why {
        ConfigFault::Unreadable(error) => format!("unreadable: {}", error.code().as_str()),
        ConfigFault::NotToml(_) => "not toml".to_owned(),
        ConfigFault::UnknownKey { key, nearest } => {
            let nearest = nearest.as_deref().unwrap_or("nothing");
            format!("no {key}, rather {nearest}")
        }
        ConfigFault::BadValue { key, found, takes } => format!("{key} takes {takes}, not {found}"),
        ConfigFault::Widens {
            key,
            asked,
            allowed,
        } => format!("{key}: {asked} over {allowed}"),
        ConfigFault::NotForRoots(key) => format!("{key} is not for roots"),
    };
    format!("{source}{}: {why}", spot.unwrap_or_default())
}

#[test]
fn the_start_goes_before_the_users_file_and_that_before_the_defaults() {
    let config = Case {
        user: "context = 7\nlanding = 'strict'\n[limits]\nfile = '1 GiB'\n",
        given: &["landing=shown", "limits.edits=5", "protected.add=a,b"],
        ..Case::default()
    }
    .config()
    .expect("it can be used");
    let expected = [
        ("context", ConfigValue::Count(7)),
        ("landing", ConfigValue::Choice("shown")),
        ("limits.file", ConfigValue::Size(1 << 30)),
        ("limits.edits", ConfigValue::Count(5)),
        (
            "protected.add",
            ConfigValue::Names(vec!["a".to_owned(), "b".to_owned()]),
        ),
        ("limits.body", ConfigValue::Size(8 << 20)),
    ];
    for (name, value) in expected {
        let key = ConfigKey::named(name).expect("there is such a key");
        assert_eq!(config.get(key), value, "{name}");
    }
    assert_eq!(config.settings.limits.file, 1 << 30);
    assert_eq!(config.policy(Dialect::OMP).context.lines(), 7);
}

/// Values for a key, from wide to narrow as its rule has it.
fn from_wide_to_narrow(key: ConfigKey) -> [&'static str; 3] {
    match key.takes() {
        ValueType::Count(..) => ["50", "20", "2"],
        ValueType::Size => ["1 GiB", "2 KiB", "1 B"],
        ValueType::Time => ["1 min", "1 s", "0 ms"],
        ValueType::Switch => ["true", "true", "false"],
        ValueType::OneOf(words) => {
            let words = words();
            [words[0], words[0], words[words.len() - 1]]
        }
        ValueType::Unlockable => [".claude", ".vscode", ".zed"],
        ValueType::Paths => ["/a", "/b", "/c"],
        ValueType::Names => ["a", "b", "c"],
        ValueType::Globs => ["*.a=latin1", "b/**=shift_jis", "/c=utf-16le"],
    }
}

/// Writes a key as a file would.
fn line(key: ConfigKey, word: &str) -> String {
    let value = match key.takes() {
        ValueType::Switch | ValueType::Count(..) => word.to_owned(),
        ValueType::Size | ValueType::Time | ValueType::OneOf(_) => format!("{word:?}"),
        ValueType::Names | ValueType::Unlockable | ValueType::Paths | ValueType::Globs => {
            format!("[{word:?}]")
        }
    };
    format!("{} = {value}\n", key.name())
}

#[test]
fn no_key_of_a_root_widens_what_the_person_allowed() {
    for key in ConfigKey::all() {
        let [wide, middle, narrow] = from_wide_to_narrow(key);
        let config = |person: &str, root: &str| {
            let case = Case {
                user: &line(key, person),
                root: &line(key, root),
                ..Case::default()
            };
            case.config()
                .map(|config| config.get(key).to_string())
                .map_err(|bad| bad.why)
        };
        let alone = |word: &str| {
            let user = line(key, word);
            let case = Case {
                user: &user,
                ..Case::default()
            };
            case.config().expect("it can be used").get(key).to_string()
        };
        match key.root_rule() {
            RootRule::Nothing => {
                let refused = config(middle, narrow);
                assert!(
                    matches!(refused, Err(ConfigFault::NotForRoots(_))),
                    "{key:?}"
                );
            }
            RootRule::Choose => assert_eq!(config(narrow, wide), Ok(alone(wide)), "{key:?}"),
            RootRule::Add => {
                let both = ConfigValue::Names(vec![middle.to_owned(), narrow.to_owned()]);
                assert_eq!(config(middle, narrow), Ok(both.to_string()), "{key:?}");
            }
            RootRule::Narrow => {
                assert_eq!(config(middle, narrow), Ok(alone(narrow)), "{key:?}");
                assert_eq!(config(middle, middle), Ok(alone(middle)), "{key:?}");
                let refused = config(narrow, wide);
                let Err(ConfigFault::Widens { asked, allowed, .. }) = refused else {
                    panic!("{key:?}: {refused:?}")
                };
                assert_eq!(allowed, alone(narrow));
                assert_eq!(asked, alone(wide));
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        (
            ("context = 51", "", ""),
            "user 1:11: context takes a whole number from 0 to 50, not 51",
        ),
        (
            ("context = 5.0", "", ""),
            "user 1:11: context takes a whole number from 0 to 50, not a number with a point",
        ),
        (
            ("# é\n\n  landin = 'x'", "", ""),
            "user 3:3: no landin, rather landing",
        ),
        (
            ("[limits]\nfil = 1", "", ""),
            "user 2:1: no limits.fil, rather limits.file",
        ),
        (
            ("[limit]\nfile = 1", "", ""),
            "user 1:2: no limit, rather limits",
        ),
        (
            ("limits = 3", "", ""),
            "user 1:1: no limits, rather nothing",
        ),
        (
            ("stats = 'yes'", "", ""),
            "user 1:9: stats takes true or false, not \"yes\"",
        ),
        (
            ("[[roots]]\na = 1", "", ""),
            "user 1:1: roots takes a list of absolute paths, not [a table]",
        ),
        (
            ("roots = ['src']", "", ""),
            "user 1:9: roots takes a list of absolute paths, not [\"src\"]",
        ),
        (("context = 1\ncontext = 2", "", ""), "user 2:1: not toml"),
        (("context = ", "", ""), "user 1:11: not toml"),
        (
            ("protected.unlock = ['.git']", "", ""),
            "user 1:20: protected.unlock takes a list of protected names that can be unlocked (.git and .hashline never are), not [\".git\"]",
        ),
        (
            ("", "lnading=strict", ""),
            "start: no lnading, rather landing",
        ),
        (
            ("", "limits.file=lots", ""),
            "start: limits.file takes a number of bytes from 1, such as 4096 or \"64 MiB\", not \"lots\"",
        ),
        (
            ("", "", "roots = ['/']"),
            "hashline.toml 1:1: roots is not for roots",
        ),
        (
            ("", "", "stats = false\ndurability = 'fast'"),
            "hashline.toml 2:1: durability: \"fast\" over \"full\"",
        ),
        (
            ("", "", "protected.unlock = ['.claude']"),
            "hashline.toml 1:11: protected.unlock is not for roots",
        ),
        (
            ("", "limits.file=1 MiB", "limits.file = '2 MiB'"),
            "hashline.toml 1:8: limits.file: \"2 MiB\" over \"1 MiB\"",
        ),
    ];
    for ((user, given, root), expected) in cases {
        let given: Vec<&str> = [given]
            .into_iter()
            .filter(|given| !given.is_empty())
            .collect();
        let case = Case {
            user,
            given: &given,
            root,
        };
        let told = case.config().map(|_| "it can be used".to_owned());
        assert_eq!(told.unwrap_or_else(|bad| describe(&bad)), expected);
    }
}

#[test]
fn in_matters_of_taste_the_start_goes_before_the_root_and_that_before_the_user() {
    let config = Case {
        user: "dialect = 'pi'\ncontext = 1\n",
        given: &["context=2"],
        root: "dialect = 'lean'\ncontext = 3\n",
    }
    .config()
    .expect("it can be used");
    assert_eq!(config.dialect, Some(Dialect::LEAN));
    assert_eq!(config.context.lines(), 2);
}

#[test]
fn several_roots_hold_each_other_to_the_strictest() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let texts = [
        "context = 1\nlimits.file = 10\n",
        "context = 2\nlimits.file = 20\nlimits.line = 5\n",
    ];
    let mut roots = Vec::new();
    for (name, text) in ["one", "two"].into_iter().zip(texts) {
        let root = folder.path().join(name);
        fs::create_dir(&root).expect("a folder can be made");
        fs::write(root.join("hashline.toml"), text).expect("a file can be written");
        roots.push(root);
    }
    let config = opened(None, &[], &roots).expect("it can be used");
    assert_eq!(config.context.lines(), 1);
    assert_eq!(
        (config.settings.limits.file, config.settings.limits.line),
        (10, 5)
    );
    fs::write(roots[1].join("hashline.toml"), "landing = 'seed'").expect("a file can be written");
    let bad = opened(None, &[], &roots).expect_err("it widens");
    let path = roots[1]
        .canonicalize()
        .expect("it is there")
        .join("hashline.toml");
    assert_eq!(
        bad.source,
        ConfigSource::Root(path.to_string_lossy().into_owned())
    );
}

#[test]
fn a_root_that_narrows_the_seeds_profile_gets_our_engine() {
    let seed = |root: &'static str| Case {
        user: "profile = 'seed'",
        root,
        ..Case::default()
    };
    let whole = seed("")
        .config()
        .expect("it can be used")
        .policy(Dialect::OMP);
    assert!(whole.engine.is_some());
    let narrowed = seed("repair = 'proven'").config().expect("it can be used");
    let policy = narrowed.policy(Dialect::OMP);
    assert_eq!(
        (policy.repair, policy.engine.is_some()),
        (RepairPolicy::Proven, false)
    );
}

#[test]
fn no_root_chooses_how_anchors_land() {
    for landing in ["shown", "strict", "seed"] {
        let root = format!("landing = '{landing}'");
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(folder.path().join("hashline.toml"), root).expect("a file can be written");
        let bad = opened(None, &[], &[folder.path().to_path_buf()]);
        let bad = bad.expect_err("only the person chooses");
        assert_eq!(bad.why, ConfigFault::NotForRoots("landing"));
    }
}

#[test]
fn only_a_small_regular_file_inside_the_root_is_read() {
    let large = format!("# {}", "x".repeat(64 << 10));
    let at_the_bound = &large[..64 << 10];
    type Prepare<'a> = &'a dyn Fn(&Path);
    let write = |text: &str| {
        let text = text.to_owned();
        move |at: &Path| fs::write(at, &text).expect("a file can be written")
    };
    let link = |to: &'static str| move |at: &Path| symlink(to, at).expect("a link can be made");
    let fifo = |at: &Path| {
        let made = rustix::fs::mkfifoat(rustix::fs::CWD, at, 0o600.into());
        made.expect("a pipe can be made");
    };
    let folder = |at: &Path| fs::create_dir(at).expect("a folder can be made");
    let cases: [(&str, Prepare<'_>, Option<&str>); 9] = [
        ("at the bound", &write(at_the_bound), None),
        ("over it", &write(&large), Some("too_large")),
        ("a pipe", &fifo, Some("not_a_file")),
        ("a folder", &folder, Some("not_a_file")),
        ("a link out", &link("../secret"), Some("outside_root")),
        (
            "an absolute link",
            &link("/etc/passwd"),
            Some("outside_root"),
        ),
        (
            "a link in a circle",
            &link("hashline.toml"),
            Some("bad_path"),
        ),
        ("a link to nothing", &link("nothing"), None),
        ("NUL", &write("\0"), Some("binary")),
    ];
    for (name, prepare, expected) in cases {
        let folder = tempfile::tempdir().expect("a folder can be made");
        fs::write(folder.path().join("secret"), "context = 9\n").expect("a file can be written");
        let root = folder.path().join("root");
        fs::create_dir(&root).expect("a folder can be made");
        prepare(&root.join("hashline.toml"));
        let found = opened(None, &[], &[root]).map(|config| config.context.lines());
        match (found, expected) {
            (Ok(context), None) => assert_eq!(context, 5, "{name}"),
            (Err(bad), Some(code)) => {
                assert_eq!(
                    describe(&bad),
                    format!("hashline.toml: unreadable: {code}"),
                    "{name}"
                );
            }
            (found, _) => panic!("{name}: {found:?}"),
        }
    }
}

#[test]
fn the_users_file_may_be_a_link_but_no_pipe() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("dotfile"), "context = 9\n").expect("a file can be written");
    symlink("dotfile", at("config.toml")).expect("a link can be made");
    let config = opened(Some(&at("config.toml")), &[], &[]).expect("it can be used");
    assert_eq!(config.context.lines(), 9);
    let absent = opened(Some(&at("none/config.toml")), &[], &[]).expect("none is no error");
    assert_eq!(absent.context.lines(), 5);
    let made = rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), 0o600.into());
    made.expect("a pipe can be made");
    let bad = opened(Some(&at("pipe")), &[], &[]).expect_err("a pipe is no file");
    assert_eq!(describe(&bad), "user: unreadable: not_a_file");
}

#[test]
fn a_root_cannot_write_its_own_file_through_an_edit() {
    let config = Case::default().config().expect("it can be used");
    let protection = &config.settings.protection;
    assert!(protection.covers(Path::new("hashline.toml")));
}

#[test]
fn no_edit_writes_the_users_own_file_wherever_the_roots_are() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let home = folder.path().canonicalize().expect("it is there");
    fs::create_dir(home.join(".config")).expect("a folder can be made");
    fs::write(home.join("dotfile"), "").expect("a file can be written");
    let user = home.join(".config/hashline/config.toml");
    let workspace = |user: &Path| {
        let allowed =
            UserConfig::read(Some(user), &ConfigOverrides::default()).expect("it can be used");
        let opened = allowed.open(std::slice::from_ref(&home));
        opened.expect("it can be opened").0
    };
    let create = |user: &Path, path: &str| {
        let step = Step {
            no: EditNo::from_index(0),
            path: path.to_owned(),
            action: FileAction::Edit(Operation::Insert {
                place: Place::End,
                text: "x".into(),
            }),
        };
        let request = Request {
            steps: vec![step],
            ..Request::default()
        };
        let asking = ApplyOptions {
            session: None,
            policy: &Policy::new(Dialect::OPENAGENT),
            mode: Mode::Write,
            cancel: None,
        };
        let applied = workspace(user).apply(request, &MemoryLedger::default(), &asking);
        let result = applied.result.map(|_| ());
        result.map_err(|why| why.code().as_str())
    };
    assert_eq!(
        create(&user, ".config/hashline/config.toml"),
        Err("protected")
    );
    assert_eq!(
        create(&user, ".config/hashline/other.toml"),
        Err("protected")
    );
    assert_eq!(create(&user, ".config/other.toml"), Ok(()));
    fs::create_dir(home.join(".config/hashline")).expect("a folder can be made");
    symlink("../../dotfile", &user).expect("a link can be made");
    assert_eq!(create(&user, "dotfile"), Err("protected"));
    assert_eq!(
        create(&user, ".config/hashline/config.toml"),
        Err("protected")
    );
    assert_eq!(
        create(&home.join("elsewhere/config.toml"), "dotfile"),
        Ok(())
    );
}

/// Says what the file of a root may do to a key.
fn root_may(key: ConfigKey) -> &'static str {
    match (key.root_rule(), key.takes()) {
        (RootRule::Choose, _) => "set it",
        (RootRule::Narrow, ValueType::Switch) => "turn it off",
        (RootRule::Narrow, ValueType::OneOf(_)) => "make it stricter",
        (RootRule::Narrow, _) => "lower it",
        (RootRule::Add, _) => "add to it",
        (RootRule::Nothing, _) => "nothing",
    }
}

/// Returns the page about configuration.
fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    fs::read_to_string(path).expect("the page is there")
}

#[test]
fn the_table_of_keys_is_the_one_in_the_source() {
    let defaults = Config::default();
    let mut table = String::from(
        "| key | takes | default | a root's file may | what it decides |\n|---|---|---|---|---|\n",
    );
    for key in ConfigKey::all() {
        table.push_str(&format!(
            "| `{}` | {} | `{}` | {} | {} |\n",
            key.name(),
            key.takes(),
            defaults.get(key),
            root_may(key),
            key.help()
        ));
    }
    let page = page();
    let found = page.split("<!-- keys -->\n").nth(1).unwrap_or_default();
    assert_eq!(
        found.trim(),
        table.trim(),
        "docs/configuration.md must end in this table:\n{table}"
    );
}

#[test]
fn the_table_of_protected_names_is_the_one_in_the_source() {
    let mut table = String::from("| name | what is run |\n|---|---|\n");
    for row in PROTECTED_NAMES {
        table.push_str(&format!("| `{}` | {} |\n", row.name, row.why));
    }
    let page = page();
    let after = page.split("<!-- protected -->\n").nth(1);
    let found = after.and_then(|after| after.split("\n\n").next());
    assert_eq!(
        found.map(str::trim),
        Some(table.trim()),
        "docs/configuration.md must hold this table:\n{table}"
    );
}

#[test]
fn every_example_of_the_page_can_be_used() {
    let page = page();
    let examples = |mark: &'static str| {
        let blocks = page.split("```toml\n").skip(1);
        let texts = blocks.filter_map(|block| block.split("\n```").next());
        texts
            .filter(move |text| text.starts_with(mark))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (users, roots) = (
        examples("# ~/.config/hashline/config.toml"),
        examples("# hashline.toml"),
    );
    assert!(!users.is_empty() && !roots.is_empty());
    for user in &users {
        for root in &roots {
            let case = Case {
                user,
                root,
                ..Case::default()
            };
            if let Err(bad) = case.config() {
                panic!("{}\n{user}\n{root}", describe(&bad));
            }
        }
    }
    let all = users.concat() + &roots.concat();
    let named = ConfigKey::all().filter(|key| {
        let own = key.name().rsplit('.').next().unwrap_or_default();
        all.contains(&format!("{own} = "))
    });
    assert_eq!(
        named.count(),
        ConfigKey::all().count(),
        "every key has an example"
    );
}
