//! The walk over folders: each is opened from the one above it, listed once, and left.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use hashline_core::render;

use super::Ground;
use super::filter::Filter;
use super::gather::{Gather, Key};
use super::query::Query;
use super::rules::Rules;
use super::scan::Scanner;

use crate::error::{Error, io_error};
use crate::system::{DirEntry, FileKind, System};

/// How many files are one task.
const FILES_AT_ONCE: usize = 32;

/// A folder that was opened.
pub(super) struct Folder<S: System> {
    /// Which root it lies in.
    pub(super) root: usize,
    /// Its path below the root.
    pub(super) path: PathBuf,
    pub(super) dir: S::Dir,
    pub(super) rules: Option<Arc<Rules>>,
}

/// A piece of work.
pub(super) enum Task<S: System> {
    /// A folder, with the rules above it.
    List(Folder<S>),
    /// A folder that is not open yet.
    Enter(Arc<Folder<S>>, OsString),
    /// Files of one folder.
    Search(Arc<Folder<S>>, Vec<OsString>),
}

/// One walk.
pub(super) struct Walk<'a, S: System> {
    pub(super) ground: &'a Ground<'a, S>,
    pub(super) query: &'a Query,
    pub(super) filter: &'a Filter,
    /// Files and folders that the caller named: each is searched once, as it was named.
    pub(super) named: &'a HashSet<(usize, PathBuf)>,
    /// Files up to this one are passed over.
    pub(super) beyond: Option<&'a Key>,
    pub(super) gather: &'a Mutex<Gather>,
    pub(super) queue: Queue<Task<S>>,
    pub(super) seen: Option<&'a AtomicUsize>,
}

impl<S: System> Walk<'_, S> {
    /// Does tasks until none is left.
    pub(super) fn work(&self, mut scanner: Scanner<'_, S>) {
        while let Some((task, _under_way)) = self.queue.take() {
            if self.ground.deadline.check().is_err() {
                // The search as a whole reports this; the queue is only emptied.
                continue;
            }
            match task {
                Task::List(folder) => self.list(folder),
                Task::Enter(above, name) => self.enter(&above, name),
                Task::Search(folder, names) => self.search(&mut scanner, &folder, &names),
            }
        }
        self.gather().searched(scanner.searched(), scanner.cut());
    }

    fn enter(&self, above: &Folder<S>, name: OsString) {
        let path = above.path.join(&name);
        match self.ground.system.open_child(&above.dir, &name) {
            Ok(dir) => self.list(Folder {
                root: above.root,
                path,
                dir,
                rules: above.rules.clone(),
            }),
            Err(error) => self.skip(above.root, &path, |requested| {
                io_error(requested, "opening the folder", &error)
            }),
        }
    }

    /// Lists a folder and queues what is to be searched.
    fn list(&self, mut folder: Folder<S>) {
        let entries = match self.ground.system.entries(&folder.dir) {
            Ok(entries) => entries,
            Err(error) => {
                return self.skip(folder.root, &folder.path, |requested| {
                    io_error(requested, "listing the folder", &error)
                });
            }
        };
        if self.query.ignore_rules {
            let (root, path) = (folder.root, &folder.path);
            let failed = |error| self.gather().skipped(Key::new(root, path), error);
            let system = self.ground.system;
            let above = folder.rules.take();
            folder.rules = Rules::of_folder(system, &folder.dir, path, &entries, above, failed);
        }
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in entries {
            if self.takes(&folder, &entry) {
                match entry.kind {
                    FileKind::Dir => folders.push(entry.name),
                    _ => files.push(entry.name),
                }
            }
        }
        let folder = Arc::new(folder);
        let enter = folders
            .into_iter()
            .map(|name| Task::Enter(folder.clone(), name));
        let at_once = files.chunks(FILES_AT_ONCE);
        let search = at_once.map(|names| Task::Search(folder.clone(), names.to_vec()));
        self.queue.add(enter.chain(search));
    }

    fn takes(&self, folder: &Folder<S>, entry: &DirEntry) -> bool {
        let path = folder.path.join(&entry.name);
        let rules = folder.rules.as_deref();
        self.filter.takes(&entry.name, &path, entry.kind, rules)
            && (self.named.is_empty() || !self.named.contains(&(folder.root, path)))
    }

    fn search(&self, scanner: &mut Scanner<'_, S>, folder: &Folder<S>, names: &[OsString]) {
        for name in names {
            let path = folder.path.join(name);
            let key = Key::new(folder.root, &path);
            if self.beyond.is_some_and(|beyond| key <= *beyond) {
                continue;
            }
            if let Some(seen) = self.seen {
                seen.fetch_add(1, Ordering::Relaxed);
            }
            let requested = requested(self.ground, folder.root, &path);
            match scanner.scan(&folder.dir, name, &requested) {
                Ok(None) => {}
                Ok(Some((found, document))) => self.gather().found(key, found, document),
                Err(error) => self.gather().skipped(key, error),
            }
        }
    }

    fn skip(&self, root: usize, path: &Path, error: impl FnOnce(&str) -> Error) {
        let error = error(&requested(self.ground, root, path));
        self.gather().skipped(Key::new(root, path), error);
    }

    fn gather(&self) -> MutexGuard<'_, Gather> {
        lock(self.gather)
    }
}

/// What was gathered is whole, whatever panicked meanwhile.
pub(super) fn lock(gather: &Mutex<Gather>) -> MutexGuard<'_, Gather> {
    gather.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns how a file is called in the answer, so that a request can name it so.
pub(super) fn requested<S: System>(ground: &Ground<'_, S>, root: usize, path: &Path) -> String {
    let path = ground.roots.spelled(root, path);
    render::display(path.as_os_str().as_encoded_bytes()).into_owned()
}

/// The tasks of a walk, shared by its threads. The latest comes first: folders are finished before others are started, which keeps few
/// of them open.
pub(super) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    waiting: Vec<T>,
    /// How many tasks are being done, each of which may add some.
    under_way: usize,
}

/// A task that is being done until this is dropped.
#[must_use]
pub(super) struct UnderWay<'a, T>(&'a Queue<T>);

impl<T> Queue<T> {
    /// Starts with some tasks.
    pub(super) fn new(waiting: Vec<T>) -> Self {
        let under_way = 0;
        Self {
            state: Mutex::new(QueueState { waiting, under_way }),
            changed: Condvar::new(),
        }
    }

    /// Adds tasks.
    pub(super) fn add(&self, tasks: impl IntoIterator<Item = T>) {
        self.state().waiting.extend(tasks);
        self.changed.notify_all();
    }

    /// Takes a task, waiting while threads at work may still add some; `None` once everything is done.
    pub(super) fn take(&self) -> Option<(T, UnderWay<'_, T>)> {
        let mut state = self.state();
        loop {
            if let Some(task) = state.waiting.pop() {
                state.under_way += 1;
                return Some((task, UnderWay(self)));
            }
            if state.under_way == 0 {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        // Nothing that can panic happens under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for UnderWay<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way -= 1;
        if state.under_way == 0 {
            // The other threads may wait for tasks that this one could have added; without a wake-up they would wait for ever.
            drop(state);
            self.0.changed.notify_all();
        }
    }
}
