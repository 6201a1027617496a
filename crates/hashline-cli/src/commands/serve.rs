//! `hashline serve`: starts the sandbox service.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashline_core::Code;
use hashline_server::api::workspace_file::{self, TokenSource, WorkspaceEntry};
use hashline_server::api::{ApiError, ApiOptions, ApiServer, Ui, WorkspaceOptions, serve_api};
use hashline_server::front::{
    BearerToken, BindAddress, Front, HttpLimits, TokenDigest, TokenFile, TrustedProxies,
};
use hashline_session::discover;
use hashline_session::words::read_refusal;
use hashline_wire::render::human;
use hashline_wire::{Refusal, Written};
use hashline_workspace::config::{ConfigOverrides, user_file};
use serde_json::json;

use super::listen;
use crate::args::{Global, ServeArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::refusals;

/// The name of the only workspace, if the arguments name none.
const ONLY: &str = "main";
/// The fewest characters of a token that is not made by the server.
const LEAST_TOKEN: usize = 32;
/// How long requests in progress may take when the server stops: as long as a request may take at all.
const STOP_TIME: std::time::Duration = std::time::Duration::from_secs(30);

pub(super) fn run(global: &Global, args: &ServeArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let source = Arc::new(Source::new(global, args)?);
    let (workspaces, operator) = source.read()?;
    let names: Vec<String> = workspaces.iter().map(|one| one.name.clone()).collect();
    let server = ApiServer::open(ApiOptions {
        workspaces,
        operator,
        user_file: user_file(),
        ui: if args.ui { Ui::On } else { Ui::Off },
        ..ApiOptions::default()
    });
    let server = server.map_err(refused)?;
    refuse_unproved(&server)?;
    let address = listen::address(&args.listen).unwrap_or(BindAddress::Loopback(0));
    let limits = HttpLimits {
        body_bytes: server.body_bytes(),
        connections: args.connections.into(),
        stop_time: STOP_TIME,
        ..HttpLimits::default()
    };
    let origins = listen::origins(&args.listen)?;
    let origins = if args.ui { origins.and_own() } else { origins };
    let front = Front::bind(address, server.tokens(), limits, origins);
    let front = front.map_err(|error| listen::refused(&error))?;
    let front = front.behind(TrustedProxies {
        addresses: args.proxy.clone(),
        host_names: args.proxy_host.clone(),
    });
    source.store_tokens(&listen::address_in_file_name(&front))?;
    let urls: Vec<String> = front.addresses().iter().map(ToString::to_string).collect();
    let is_exposed = front.is_exposed();
    let ready = || {
        announce(&urls, &names, &source, out);
        if args.ui {
            announce_page(&urls, &source, out);
        }
        listen::warn_if_exposed(is_exposed, out);
    };
    let reload = {
        let (server, source) = (server.clone(), Arc::clone(&source));
        move || reload(&server, &source)
    };
    serve_api(&server, front, ready, reload).map_err(|error| listen::refused(&error))?;
    Ok(Exit::Done)
}

/// Where the workspaces of the server and their tokens come from.
struct Source {
    /// The workspaces of the command line.
    named: Vec<WorkspaceEntry>,
    /// The file that lists further workspaces.
    file: Option<PathBuf>,
    /// The settings of the command line, for all workspaces.
    set: ConfigOverrides,
    /// The file for the token of the only workspace, if the arguments name one.
    token_file: Option<PathBuf>,
    /// The tokens that were made, by the name of their workspace. Their files are removed when the server ends.
    made: Mutex<Vec<MadeToken>>,
    /// The address of the server, as part of the names of token files: two servers must not take each other's.
    address: OnceLock<String>,
}

/// A token that the server made.
struct MadeToken {
    /// The name of its workspace; empty for the operator.
    workspace: String,
    digest: TokenDigest,
    stored: StoredToken,
}

/// Where a token is that the server made.
enum StoredToken {
    /// Nowhere else yet; in this file once the server has an address, or in one that is named after the address.
    Pending(BearerToken, Option<PathBuf>),
    /// In this file.
    File(TokenFile),
}

impl Source {
    fn new(global: &Global, args: &ServeArgs) -> Result<Self, Refusal> {
        let set = paths::config_overrides(global)?;
        let set = match args.dialect.get() {
            Some(dialect) => {
                let pair = format!("dialect={}", dialect.name());
                set.with_pair(&pair).map_err(|error| read_refusal(&error))?
            }
            None => set,
        };
        let mut named = Vec::new();
        for typed in &args.workspace {
            let (name, root) = typed.split_once('=').ok_or_else(|| {
                refusals::usage(format!("--workspace is NAME=ROOT, not `{typed}`"))
            })?;
            named.push(WorkspaceEntry::new(name, absolute(Path::new(root))?));
        }
        if named.is_empty() && args.workspaces.is_none() {
            let root = match global.root.as_slice() {
                [] => discover(&absolute(Path::new("."))?),
                [root] => absolute(root)?,
                _ => {
                    let message = "a workspace has one folder: name several with --workspace";
                    return Err(refusals::usage(message));
                }
            };
            named.push(WorkspaceEntry::new(ONLY, root));
        }
        let file = args.workspaces.as_deref().map(absolute).transpose()?;
        Ok(Self {
            named,
            file,
            set,
            token_file: args.listen.token_file.clone(),
            made: Mutex::default(),
            address: OnceLock::new(),
        })
    }

    /// Reads the workspaces, and makes the tokens that are missing. Also returns the token of the operator, if there are several workspaces.
    fn read(&self) -> Result<(Vec<WorkspaceOptions>, Option<TokenDigest>), Refusal> {
        let mut entries = self.named.clone();
        let folder = self.file.as_deref().and_then(Path::parent);
        let folder = folder.unwrap_or(Path::new("/"));
        if let Some(file) = &self.file {
            let text = fs::read_to_string(file);
            let text = text.map_err(|error| {
                refusals::system(&file.to_string_lossy(), "reading the workspaces", &error)
            })?;
            let listed = workspace_file::parse(&text);
            entries.extend(listed.map_err(|why| bad_file(file, &why))?);
        }
        let is_only = entries.len() == 1 && self.file.is_none();
        let mut workspaces = Vec::new();
        for entry in entries {
            let mut set = entry.set.iter();
            let set = set.try_fold(self.set.clone(), |set, pair| set.with_pair(pair));
            let token = match &entry.token {
                TokenSource::Digest(digest) => digest.clone(),
                TokenSource::File(path) => digest_of_file(&folder.join(path))?,
                TokenSource::Made => self.made_token(&entry.name, is_only)?,
            };
            workspaces.push(WorkspaceOptions {
                alias: entry.alias,
                set: set.map_err(|error| read_refusal(&error))?,
                edit_file: entry.edit_file,
                read_chars: entry.read_chars,
                ..WorkspaceOptions::new(&entry.name, folder.join(&entry.root), token)
            });
        }
        let operator = (!is_only).then(|| self.made_token("", false)).transpose()?;
        Ok((workspaces, operator))
    }

    /// Returns the token that was made for a workspace, or for the operator (the empty name); makes it if there is none.
    fn made_token(&self, name: &str, is_only: bool) -> Result<TokenDigest, Refusal> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.iter().find(|one| one.workspace == name) {
            return Ok(known.digest.clone());
        }
        let token = listen::new_token()?;
        let digest = TokenDigest::of(token.reveal().as_bytes());
        let path = self.token_file.clone();
        let path = path.filter(|_| is_only || name.is_empty());
        made.push(MadeToken {
            workspace: name.to_owned(),
            digest: digest.clone(),
            stored: StoredToken::Pending(token, path),
        });
        Ok(digest)
    }

    /// Writes the tokens that were made into their files; those that no argument names are named after the workspace and the server's address.
    fn store_tokens(&self, address: &str) -> Result<(), Refusal> {
        let address = self.address.get_or_init(|| address.to_owned());
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        for one in made.iter_mut() {
            let StoredToken::Pending(token, path) = &one.stored else {
                continue;
            };
            let path = match (path, one.workspace.as_str()) {
                (Some(path), _) => path.clone(),
                (None, "") => listen::token_folder()?.join(format!("serve{address}.token")),
                (None, name) => {
                    listen::token_folder()?.join(format!("serve-{name}{address}.token"))
                }
            };
            one.stored = StoredToken::File(listen::token_file(&path, token)?);
        }
        Ok(())
    }

    /// Returns the paths of the token files that were made, with the names of their workspaces.
    fn token_files(&self) -> Vec<(String, PathBuf)> {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let files = made.iter().filter_map(|one| match &one.stored {
            StoredToken::File(file) => Some((one.workspace.clone(), file.path().to_owned())),
            StoredToken::Pending(..) => None,
        });
        files.collect()
    }
}

/// Reads the workspaces again, for a server that runs. If they cannot be used, everything stays as it was.
fn reload(server: &ApiServer, source: &Source) {
    let replaced = source.read().and_then(|(workspaces, _)| {
        let count = workspaces.len();
        server.replace(workspaces).map_err(refused)?;
        // The address is known since the start.
        source.store_tokens("")?;
        Ok(count)
    });
    let message = match replaced {
        Ok(count) => format!("note: workspaces read again; {count} are served"),
        Err(refusal) => format!(
            "{}\nnote: the workspaces are served as before",
            human::refusal(&refusal)
        ),
    };
    // There is nobody else to tell.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Refuses to serve a folder in which two servers could write at once without noticing.
fn refuse_unproved(server: &ApiServer) -> Result<(), Refusal> {
    match server.unproved().as_slice() {
        [] => Ok(()),
        names => Err(Refusal::new(
            Code::NoLocks,
            format!(
                "the folder of {} is on a file system whose locks may not keep other servers out",
                names.join(", ")
            ),
        )
        .with_written(Written::NotAsked)
        .with_next("serve a folder on a local disk or volume")),
    }
}

/// Returns the digest of the token in a file.
fn digest_of_file(path: &Path) -> Result<TokenDigest, Refusal> {
    let named = path.to_string_lossy();
    let text = fs::read(path);
    let text = text.map_err(|error| refusals::system(&named, "reading the token", &error))?;
    let token = text.trim_ascii();
    let is_token = token.len() >= LEAST_TOKEN && token.iter().all(u8::is_ascii_graphic);
    if !is_token {
        let message = format!(
            "{named} holds no token: at least {LEAST_TOKEN} visible characters without blanks"
        );
        return Err(Refusal::new(Code::NotAToken, message).with_written(Written::NotAsked));
    }
    Ok(TokenDigest::of(token))
}

fn absolute(path: &Path) -> Result<PathBuf, Refusal> {
    let named = path.to_string_lossy();
    std::path::absolute(path)
        .map_err(|error| refusals::system(&named, "finding the folder", &error))
}

fn bad_file(file: &Path, why: &str) -> Refusal {
    Refusal::new(
        Code::BadConfig,
        format!("{}: {}", file.display(), why.trim_end()),
    )
    .with_written(Written::NotAsked)
    .with_next("see `hashline serve --help` for the keys of a workspace")
}

/// Builds the refusal for workspaces that cannot be served.
fn refused(error: ApiError) -> Refusal {
    let message = match error {
        ApiError::Workspace(name, refusal) => {
            let what = format!("workspace {name}: {}", refusal.failure.what.join("; "));
            return Refusal::new(refusal.code(), what).with_written(Written::NotAsked);
        }
        ApiError::BadName(name) => format!(
            "`{name}` is not a name for a workspace: use letters, digits, `.`, `_` and `-`, at most 128"
        ),
        ApiError::SameName(name) => format!("two workspaces are named {name}"),
        ApiError::SameToken(name) => {
            format!("the token of workspace {name} is that of another one, too")
        }
    };
    Refusal::new(Code::BadConfig, message).with_written(Written::NotAsked)
}

/// Prints the URLs of the server, and the names of its workspaces with the files of their tokens.
fn announce(urls: &[String], names: &[String], source: &Source, out: &mut Output) {
    let files = source.token_files();
    let file_of = |name: &str| {
        let mut files = files.iter();
        files.find(|(made, _)| made == name).map(|(_, path)| path)
    };
    if out.json {
        let workspaces: Vec<_> = names
            .iter()
            .map(|name| json!({"name": name, "token_file": file_of(name)}))
            .collect();
        out.object(&json!({"ok": true, "urls": urls, "workspaces": workspaces, "operator_token_file": file_of("")}));
        return out.finish();
    }
    out.message(&format!("note: serving at {}", urls.join(" and ")));
    for (name, path) in &files {
        let path = path.display();
        out.message(&match name.as_str() {
            "" => {
                format!("note: the token for /metrics and /readyz of all workspaces is in {path}")
            }
            name => format!("note: the token of workspace {name} is in {path}"),
        });
    }
}

/// Prints where the page is. Its URL has the token only on a terminal, where the person who asked for the page reads it; elsewhere it may be a log.
fn announce_page(urls: &[String], source: &Source, out: &mut Output) {
    let Some(url) = urls.iter().find(|url| url.starts_with("http")) else {
        return;
    };
    if out.json {
        return;
    }
    let files = source.token_files();
    if files.is_empty() {
        out.message(&format!(
            "note: the page is at {url}/#token=TOKEN, with the token of a workspace"
        ));
    }
    for (name, file) in files {
        let whose = match name.as_str() {
            "" => "all workspaces".to_owned(),
            name => format!("workspace {name}"),
        };
        let token = fs::read_to_string(&file)
            .ok()
            .filter(|_| std::io::stderr().is_terminal());
        out.message(&match token {
            Some(token) => format!("note: the page of {whose} is {url}/#token={}", token.trim()),
            None => format!(
                "note: the page of {whose} is {url}/#token=TOKEN, with the token in {}",
                file.display()
            ),
        });
    }
}
