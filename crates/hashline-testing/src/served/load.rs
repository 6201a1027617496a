//! Load: many clients read, edit and write the same files at once, and each knows what every file must say.
//!
//! Every file has one line for every client, which only that client changes, and counts up in. So all clients edit all files without ever being in each
//! other's way, and whatever is lost, by anybody's mistake, is missing in somebody's line.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use hashline_core::dialect::Dialect;
use hashline_core::text::LineNo;
use serde_json::{Value, json};

use super::client::{Address, Client};
use crate::random::Random;

/// How long a client waits for a server that was killed to be started again.
const RESTART: Duration = Duration::from_millis(3);
/// The most errors that a client lists.
const MOST_ERRORS: usize = 5;
/// The most characters of an error that are kept.
const LONGEST_ERROR: usize = 400;

/// The files, and how many clients work on them.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The folder that is served.
    pub root: PathBuf,
    /// How many files there are.
    pub files: usize,
    /// How many folders they are in.
    pub folders: usize,
    /// How many lines each file has: at least one for every client.
    pub lines: usize,
    /// How many clients there are.
    pub clients: usize,
}

/// What clients do, each in how many of a hundred calls; the rest are reads.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// Edits of the client's own line, by its anchor.
    pub edits: usize,
    /// Writes of the whole file, over the version that was read just before.
    pub writes: usize,
    /// Whether a write names the version that it expects. Without, clients overwrite each other's lines.
    pub careful: bool,
}

/// A load under way.
#[derive(Debug)]
pub struct Load {
    scene: Scene,
    mix: Mix,
    target: RwLock<(Address, String)>,
    stop: AtomicBool,
}

/// What one client did.
#[derive(Debug, Default)]
pub struct Tally {
    /// How often the client's line was changed in each file, as acknowledged.
    acknowledged: Vec<u64>,
    /// Files in which the last change was not answered: it may be there or not.
    unanswered: BTreeMap<usize, u64>,
    /// How long each read took.
    pub reads: Vec<Duration>,
    /// How long each edit took.
    pub edits: Vec<Duration>,
    /// How long each write of a whole file took.
    pub writes: Vec<Duration>,
    /// How many writes were refused because the file was not of the expected version any more.
    pub conflicts: usize,
    /// How many edits were refused with the very line that they name, and were sent again with the revision of the refusal.
    pub repeated: usize,
    /// How many connections broke off.
    pub broken: usize,
    /// What else went wrong.
    pub errors: Vec<String>,
}

impl Tally {
    /// Returns how many changes were acknowledged.
    #[must_use]
    pub fn acknowledged(&self) -> u64 {
        self.acknowledged.iter().sum()
    }
}

impl Scene {
    /// Makes all files as they are before the first edit.
    ///
    /// # Errors
    ///
    /// The folder cannot be written.
    pub fn lay_out(&self) -> io::Result<()> {
        for file in 0..self.files {
            let path = self.root.join(self.path(file));
            fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
            fs::write(path, self.text(file, &|_| 0))?;
        }
        Ok(())
    }

    /// Returns the path of a file below the root.
    #[must_use]
    pub fn path(&self, file: usize) -> String {
        format!("{:03}/{file:04}.rs", file % self.folders)
    }

    /// Returns the text of a file in which every client has counted up to a number.
    fn text(&self, file: usize, count: &dyn Fn(usize) -> u64) -> String {
        let own = (0..self.clients).map(|client| line(client, count(client)));
        let others = self.clients..self.lines;
        let others =
            others.map(|number| format!("let line_{number} = file_{file}(); // unchanged"));
        own.chain(others).map(|line| line + "\n").collect()
    }

    /// Compares every file with what the clients were told: each change that was acknowledged is there, and nothing that nobody sent.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn audit(&self, tallies: &[Tally]) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for file in 0..self.files {
            let text = fs::read_to_string(self.root.join(self.path(file)))?;
            let lines: Vec<&str> = text.lines().collect();
            let counts: Vec<u64> = (0..self.clients)
                .map(|client| lines.get(client).and_then(|text| counted(client, text)))
                .map(|count| count.unwrap_or(u64::MAX))
                .collect();
            if self.text(file, &|client| counts[client]) != text {
                found.push(format!("{} is not what anybody wrote", self.path(file)));
            }
            for (client, tally) in tallies.iter().enumerate() {
                let acknowledged = tally.acknowledged[file];
                let unanswered = tally.unanswered.get(&file).copied();
                if counts[client] != acknowledged && Some(counts[client]) != unanswered {
                    let (path, count) = (self.path(file), counts[client]);
                    found.push(format!(
                        "{path}: client {client} was told {acknowledged}, the file has {count}"
                    ));
                }
            }
        }
        Ok(found)
    }
}

/// Returns the line of a client that has counted up to a number.
fn line(client: usize, count: u64) -> String {
    format!("let client_{client} = {count}; // counts up")
}

/// Returns how far a client has counted in its line.
fn counted(client: usize, text: &str) -> Option<u64> {
    let rest = text.strip_prefix(&format!("let client_{client} = "))?;
    rest.strip_suffix("; // counts up")?.parse().ok()
}

impl Load {
    /// Prepares a load on a server.
    #[must_use]
    pub fn new(scene: &Scene, mix: Mix, address: &Address, token: &str) -> Self {
        Self {
            scene: scene.clone(),
            mix,
            target: RwLock::new((address.clone(), token.to_owned())),
            stop: AtomicBool::new(false),
        }
    }

    /// Sends all clients to a server that was started anew.
    pub fn moved_to(&self, address: &Address, token: &str) {
        let mut target = self.target.write().unwrap_or_else(PoisonError::into_inner);
        *target = (address.clone(), token.to_owned());
    }

    /// Runs all clients while `meanwhile` runs; returns what each did, and what `meanwhile` returned.
    ///
    /// # Panics
    ///
    /// If a client does.
    pub fn run<T>(&self, before: &[Tally], meanwhile: impl FnOnce() -> T) -> (Vec<Tally>, T) {
        thread::scope(|scope| {
            let clients: Vec<_> = (0..self.scene.clients)
                .map(|number| {
                    let counts = before.get(number).map(|tally| tally.acknowledged.clone());
                    scope.spawn(move || Worker::new(self, number, counts).work())
                })
                .collect();
            let done = meanwhile();
            self.stop.store(true, Ordering::Relaxed);
            let joined = clients.into_iter().map(|client| client.join());
            let tallies = joined.map(|tally| tally.expect("a client does not panic"));
            (tallies.collect(), done)
        })
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn connect(&self) -> Client {
        let target = self.target.read().unwrap_or_else(PoisonError::into_inner);
        let (address, token) = &*target;
        Client::new(address.clone(), token)
    }
}

/// Returns whether a refusal shows the line that an edit named as it is, so that the edit can be sent again with its revision.
fn is_offered(answer: &Value, shown: &str) -> bool {
    let fresh = answer["fresh_refs"].as_array();
    let is_shown = fresh.is_some_and(|lines| lines.iter().any(|line| line == shown));
    is_shown && answer["written"] == false && answer["rev"].is_string()
}

/// One client at work.
struct Worker<'a> {
    load: &'a Load,
    number: usize,
    client: Client,
    random: Random,
    tally: Tally,
}

/// Why a call came to nothing.
enum Failed {
    /// There was no answer.
    Broken,
    /// The answer was this.
    Answer(Value),
}

impl<'a> Worker<'a> {
    fn new(load: &'a Load, number: usize, counts: Option<Vec<u64>>) -> Self {
        Self {
            number,
            client: load.connect(),
            random: Random::new(number as u64),
            tally: Tally {
                acknowledged: counts.unwrap_or_else(|| vec![0; load.scene.files]),
                ..Tally::default()
            },
            load,
        }
    }

    fn work(mut self) -> Tally {
        while !self.load.is_over() {
            let file = self.random.below(self.load.scene.files);
            match self.step(file) {
                Ok(()) => {}
                Err(Failed::Broken) => {
                    self.tally.broken += 1;
                    thread::sleep(RESTART);
                    self.client = self.load.connect();
                }
                Err(Failed::Answer(answer)) => {
                    let path = self.load.scene.path(file);
                    let what = format!("client {}: {path}: {answer}", self.number);
                    self.tally
                        .errors
                        .push(what.chars().take(LONGEST_ERROR).collect());
                    if self.tally.errors.len() >= MOST_ERRORS {
                        break;
                    }
                }
            }
        }
        self.tally
    }

    /// Makes one call about a file.
    fn step(&mut self, file: usize) -> Result<(), Failed> {
        if self.tally.unanswered.contains_key(&file) {
            return self.find_out(file);
        }
        let Mix { edits, writes, .. } = self.load.mix;
        let choice = self.random.below(100);
        if choice < edits {
            self.edit(file)
        } else if choice < edits + writes {
            self.write(file)
        } else {
            let (answer, took) = self.read(file, true)?;
            self.tally.reads.push(took);
            self.expect_own_line(file, &answer)
        }
    }

    /// Reads whether a change that was not answered is there.
    fn find_out(&mut self, file: usize) -> Result<(), Failed> {
        let (answer, _) = self.read(file, false)?;
        let count = self.count_in(&answer);
        let acknowledged = self.tally.acknowledged[file];
        let unanswered = self.tally.unanswered.remove(&file);
        if count == Some(acknowledged) || count == unanswered {
            self.tally.acknowledged[file] = count.unwrap_or_default();
            Ok(())
        } else {
            Err(Failed::Answer(
                json!({"found": count, "acknowledged": acknowledged}),
            ))
        }
    }

    fn read(&mut self, file: usize, annotate: bool) -> Result<(Value, Duration), Failed> {
        let path = self.load.scene.path(file);
        let body = json!({"path": path, "annotate": annotate});
        self.call("/api/sandbox/read-file", &body)
    }

    fn edit(&mut self, file: usize) -> Result<(), Failed> {
        let (before, after) = self.next_line(file);
        let tag = Dialect::PUSH
            .scheme
            .tag(before.as_bytes(), LineNo::from_index(self.number));
        let anchor = format!("{}:{tag}", self.number + 1);
        let edit = json!({"type": "replace_line", "ref": anchor, "new_content": after});
        let mut body = json!({"path": self.load.scene.path(file), "edits": [edit]});
        let shown = format!("{anchor}|{before}");
        loop {
            match self.change("/api/sandbox/edit-file", file, &body) {
                Ok((_, took)) => {
                    self.tally.edits.push(took);
                    return Ok(());
                }
                // A server that was killed has not recorded all that it wrote, so the next one asks which version is meant.
                Err(Failed::Answer(answer)) if is_offered(&answer, &shown) => {
                    self.tally.repeated += 1;
                    body["rev"] = answer["rev"].clone();
                }
                Err(failed) => return Err(failed),
            }
        }
    }

    fn write(&mut self, file: usize) -> Result<(), Failed> {
        let (answer, _) = self.read(file, false)?;
        let (before, after) = self.next_line(file);
        let content = answer["content"].as_str().unwrap_or_default();
        let content = content.replacen(&before, &after, 1) + "\n";
        let mut body = json!({"path": self.load.scene.path(file), "content": content});
        if self.load.mix.careful {
            body["expected_version"] = answer["file_hash"].clone();
        }
        match self.change("/api/sandbox/write-file", file, &body) {
            Ok((_, took)) => {
                self.tally.writes.push(took);
                Ok(())
            }
            // Somebody else was faster.
            Err(Failed::Answer(answer)) if answer["error"] == "STALE_FILE" => {
                self.tally.conflicts += 1;
                Ok(())
            }
            Err(failed) => Err(failed),
        }
    }

    /// Sends a change of the client's line, and notes that it is there once the server says so.
    fn change(
        &mut self,
        route: &str,
        file: usize,
        body: &Value,
    ) -> Result<(Value, Duration), Failed> {
        let count = self.tally.acknowledged[file] + 1;
        let answered = self.call(route, body);
        match &answered {
            Ok(_) => self.tally.acknowledged[file] = count,
            Err(Failed::Broken) => _ = self.tally.unanswered.insert(file, count),
            Err(Failed::Answer(_)) => {}
        }
        answered
    }

    /// Returns the client's line of a file as it is, and as it is to be next.
    fn next_line(&self, file: usize) -> (String, String) {
        let count = self.tally.acknowledged[file];
        (line(self.number, count), line(self.number, count + 1))
    }

    fn expect_own_line(&self, file: usize, answer: &Value) -> Result<(), Failed> {
        let is_there = self.count_in(answer) == Some(self.tally.acknowledged[file]);
        let is_careful = self.load.mix.careful || self.load.mix.writes == 0;
        if is_there || !is_careful {
            Ok(())
        } else {
            Err(Failed::Answer(answer.clone()))
        }
    }

    /// Returns how far the client has counted in a file that was read.
    fn count_in(&self, answer: &Value) -> Option<u64> {
        let content = answer["content"].as_str()?;
        let text = content.split('\n').nth(self.number)?;
        let text = text.split_once('|').map_or(text, |(_, text)| text);
        counted(self.number, text)
    }

    fn call(&mut self, route: &str, body: &Value) -> Result<(Value, Duration), Failed> {
        let started = Instant::now();
        let answered = self.client.call(route, body);
        let took = started.elapsed();
        let response = answered.map_err(|_| Failed::Broken)?;
        let mut answer = response.json();
        if response.status == 200 && answer["ok"] == true {
            return Ok((answer, took));
        }
        if answer.is_null() {
            answer = json!({"status": response.status});
        }
        Err(Failed::Answer(answer))
    }
}
