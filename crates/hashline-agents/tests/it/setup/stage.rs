//! A project, a home and a state directory of their own, in which setup is run.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use hashline_agents::setup::{
    Agent, AgentPlaces, EditRights, OnConflict, Scope, SetupError, SetupOptions, SetupPlan,
    install, uninstall,
};

/// What a name in a tree stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Folder,
    Link(PathBuf),
    File(u32, Vec<u8>),
}

pub(crate) type Tree = BTreeMap<PathBuf, Found>;

pub(crate) struct Stage {
    top: tempfile::TempDir,
    pub(crate) options: SetupOptions,
    pub(crate) state: Option<PathBuf>,
}

impl Stage {
    pub(crate) fn new(agent: Agent, scope: Scope) -> Self {
        let top = tempfile::tempdir().unwrap();
        let real = top.path().canonicalize().unwrap();
        let (project, home) = (real.join("project"), real.join("home"));
        fs::create_dir(&project).unwrap();
        fs::create_dir(&home).unwrap();
        let places = AgentPlaces {
            project,
            home,
            claude: None,
            codex: None,
            config: None,
            pi: None,
        };
        Self {
            top,
            options: SetupOptions {
                agent,
                scope,
                places,
                command: "hashline".to_owned(),
                dialect: None,
                edits: EditRights::Ask,
                configured: None,
            },
            state: Some(real.join("state")),
        }
    }

    /// Returns the folder that is set up.
    pub(crate) fn folder(&self) -> &Path {
        match self.options.scope {
            Scope::Project => &self.options.places.project,
            Scope::User => &self.options.places.home,
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.path(name)).unwrap()).unwrap()
    }

    pub(crate) fn plan(&self, on_conflict: OnConflict) -> Result<SetupPlan, SetupError> {
        install(self.options.clone(), self.state.clone(), on_conflict)
    }

    /// Sets up; returns the plan that was carried out.
    pub(crate) fn install(&self) -> SetupPlan {
        let plan = self.plan(OnConflict::Keep).unwrap();
        let receipt_error = plan.clone().write().unwrap();
        assert_eq!(receipt_error, None);
        plan
    }

    pub(crate) fn uninstall(&self) -> SetupPlan {
        let plan = uninstall(self.options.clone(), self.state.clone(), OnConflict::Keep).unwrap();
        plan.clone().write().unwrap();
        plan
    }

    /// Puts a text without the paths of this stage.
    pub(crate) fn told(&self, text: &str) -> String {
        let top = self.top.path().canonicalize().unwrap();
        text.replace(top.to_str().unwrap(), "")
    }

    pub(crate) fn tree(&self) -> Tree {
        tree(self.folder())
    }
}

/// Returns everything below a folder.
pub(crate) fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    gather(folder, Path::new(""), &mut tree);
    tree
}

fn gather(folder: &Path, below: &Path, into: &mut Tree) {
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let name = below.join(entry.file_name());
        let kind = entry.file_type().unwrap();
        let found = if kind.is_symlink() {
            Found::Link(fs::read_link(entry.path()).unwrap())
        } else if kind.is_dir() {
            gather(folder, &name, into);
            Found::Folder
        } else {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            Found::File(mode, fs::read(entry.path()).unwrap())
        };
        into.insert(name, found);
    }
}

/// Copies a tree into a folder.
pub(crate) fn plant(tree: &Tree, into: &Path) {
    for (name, found) in tree {
        let path = into.join(name);
        match found {
            Found::Folder => fs::create_dir_all(path).unwrap(),
            Found::Link(target) => symlink(target, path).unwrap(),
            Found::File(mode, bytes) => {
                fs::write(&path, bytes).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).unwrap();
            }
        }
    }
}
