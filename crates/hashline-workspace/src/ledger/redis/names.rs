//! The names under which a workspace is stored on Redis. Paths, session names and the workspace's name are hashed or encrypted with keys that are
//! computed from the fleet's key.
//!
//! All keys of a workspace begin with the same tag in braces, so that Redis Cluster keeps them on one node.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use aes_siv::KeyInit as _;
use aes_siv::siv::Aes128Siv;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hashline_core::text::FingerprintKey;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::fleet::FleetOptions;

/// What all keys begin with. A new format of the logs gets a new name.
const PREFIX: &str = "hashline-1";

/// The names of one workspace on Redis.
pub(super) struct Names {
    root: PathBuf,
    /// What the keys of the workspace begin with.
    prefix: String,
    files: [u8; 32],
    sessions: [u8; 32],
    lines: FingerprintKey,
}

/// The name of a log among those of its workspace: a keyed hash of the path below the root.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LogId(pub(super) String);

impl LogId {
    /// Returns a number by which logs are divided into groups. Names are hashes, so all groups have about the same number of logs.
    pub(super) fn place(&self) -> u64 {
        u64::from_str_radix(self.0.get(..8).unwrap_or_default(), 16).unwrap_or_default()
    }
}

impl Names {
    /// Returns the names of the workspace that these options name.
    pub(super) fn new(options: &FleetOptions) -> Self {
        let workspace = options.workspace.as_bytes();
        let derived = |purpose: &str| keyed_hash(options.key.bytes(), purpose, workspace);
        let mut secret = [0; 8];
        secret.copy_from_slice(&derived("lines")[..8]);
        Self {
            root: options.root.clone(),
            prefix: format!("{PREFIX}:{{{}}}", hex(&derived("workspace")[..16])),
            files: derived("files"),
            sessions: derived("sessions"),
            lines: FingerprintKey::new(u64::from_le_bytes(secret)),
        }
    }

    /// Returns the key of the fingerprints of lines.
    pub(super) fn key(&self) -> FingerprintKey {
        self.lines
    }

    /// Returns the name of the log of a file; `None` if the file is not below the root.
    pub(super) fn log_of(&self, file: &Path) -> Option<LogId> {
        let below = file.strip_prefix(&self.root).ok()?;
        let mut path = Vec::new();
        for component in below.components() {
            let Component::Normal(name) = component else {
                return None;
            };
            path.extend_from_slice(name.as_encoded_bytes());
            path.push(b'/');
        }
        let hash = keyed_hash(&self.files, "path", &path);
        (!path.is_empty()).then(|| LogId(hex(&hash[..16])))
    }

    /// Returns the Redis key of a log.
    pub(super) fn log(&self, id: &LogId) -> String {
        format!("{}:log:{}", self.prefix, id.0)
    }

    /// Returns the Redis key of what belongs to the whole workspace.
    pub(super) fn shared(&self, what: &str) -> String {
        format!("{}:{what}", self.prefix)
    }

    /// Encrypts the name of a session. The same name always gives the same text, so that stored names can be compared.
    pub(super) fn seal_session(&self, name: &str) -> String {
        let sealed = self.cipher().encrypt([[]; 0], name.as_bytes());
        STANDARD_NO_PAD.encode(sealed.expect("because there are no headers"))
    }

    /// Decrypts the name of a session. A text that was not encrypted with this key is returned as it is: it is the name of no session.
    pub(super) fn open_session(&self, sealed: &str) -> Arc<str> {
        let opened = STANDARD_NO_PAD.decode(sealed).ok().and_then(|bytes| {
            let name = self.cipher().decrypt([[]; 0], &bytes).ok()?;
            String::from_utf8(name).ok()
        });
        opened.map_or_else(|| Arc::from(sealed), Arc::from)
    }

    fn cipher(&self) -> Aes128Siv {
        Aes128Siv::new(&self.sessions.into())
    }
}

/// Returns the HMAC-SHA-256 of some bytes, for one purpose.
fn keyed_hash(key: &[u8], purpose: &str, bytes: &[u8]) -> [u8; 32] {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key)
        .expect("because HMAC takes keys of any length");
    mac.update(purpose.as_bytes());
    mac.update(&[0]);
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::fleet::{FleetKey, FleetOptions, RedisNode};
    use super::Names;

    fn names(key: char, workspace: &str, root: &str) -> Names {
        Names::new(&FleetOptions {
            nodes: vec![RedisNode::parse("redis://localhost").expect("a node")],
            key: FleetKey::parse(&key.to_string().repeat(64)).expect("a key"),
            workspace: workspace.to_owned(),
            root: root.into(),
            patience: FleetOptions::PATIENCE,
        })
    }

    #[test]
    fn a_file_is_its_path_below_the_root_in_one_workspace_of_one_fleet() {
        let here = names('a', "w", "/here");
        let log =
            |names: &Names, path: &str| names.log_of(Path::new(path)).map(|id| names.log(&id));
        let there = names('a', "w", "/somewhere/else");
        let own = log(&here, "/here/src/a.rs");
        assert!(own.is_some());
        assert_eq!(own, log(&there, "/somewhere/else/src/a.rs"));
        for other in [
            log(&here, "/here/src/b.rs"),
            log(&here, "/here/srca.rs"),
            log(&names('b', "w", "/here"), "/here/src/a.rs"),
            log(&names('a', "v", "/here"), "/here/src/a.rs"),
        ] {
            assert!(other.is_some() && other != own);
        }
        for outside in ["/here", "/hereafter/a.rs", "/a.rs", "/here/../a.rs"] {
            assert_eq!(log(&here, outside), None, "{outside}");
        }
    }

    #[test]
    fn the_keys_of_a_workspace_have_one_tag() {
        let names = names('a', "w", "/");
        let tag = |key: &str| key.split(['{', '}']).nth(1).map(str::to_owned);
        let log = names.log_of(Path::new("/f")).map(|id| names.log(&id));
        let expected = tag(&names.shared("sizes"));
        assert!(expected.as_ref().is_some_and(|tag| tag.len() == 32));
        assert_eq!(log.and_then(|key| tag(&key)), expected);
    }

    #[test]
    fn a_session_is_found_again_and_only_with_the_key() {
        let (own, foreign) = (names('a', "w", "/"), names('b', "w", "/"));
        for name in ["", "s", &"long ".repeat(51)] {
            let sealed = own.seal_session(name);
            assert_eq!(sealed, own.seal_session(name));
            assert!(name.is_empty() || !sealed.contains(name));
            assert_eq!(&*own.open_session(&sealed), name);
            assert_eq!(&*foreign.open_session(&sealed), sealed);
        }
        assert_eq!(&*own.open_session("not sealed"), "not sealed");
    }
}
