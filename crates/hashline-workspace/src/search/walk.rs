//! The walk over the folder tree: each folder is opened from its parent's handle, listed once, and closed.

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

/// How many files form one task.
const FILES_AT_ONCE: usize = 32;

/// A folder that is open.
pub(super) struct Folder<S: System> {
    /// The index of the root that contains the folder.
    pub(super) root: usize,
    /// The path of the folder below the root.
    pub(super) path: PathBuf,
    pub(super) dir: S::Dir,
    pub(super) rules: Option<Arc<Rules>>,
}

/// A unit of work for a search thread.
pub(super) enum Task<S: System> {
    /// List an open folder, and queue its files and subfolders; `rules` are those of the folders above it.
    List(Folder<S>),
    /// Open the subfolder of this name, then list it.
    Enter(Arc<Folder<S>>, OsString),
    /// Search these files of one folder.
    Search(Arc<Folder<S>>, Vec<OsString>),
}

/// The walk of one search, shared by its threads.
pub(super) struct Walk<'a, S: System> {
    pub(super) ground: &'a Ground<'a, S>,
    pub(super) query: &'a Query,
    pub(super) filter: &'a Filter,
    /// Files and folders that the caller named. They have tasks of their own, so the walk skips them in their parent folders.
    pub(super) named: &'a HashSet<(usize, PathBuf)>,
    /// Files up to and including this one, in the order of paths, are skipped.
    pub(super) beyond: Option<&'a Key>,
    pub(super) gather: &'a Mutex<Gather>,
    pub(super) queue: Queue<Task<S>>,
    pub(super) seen: Option<&'a AtomicUsize>,
}

impl<S: System> Walk<'_, S> {
    /// Runs tasks until none is left.
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

    /// Lists a folder and queues its files and subfolders that the filter accepts.
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

/// Locks the gathered results, even if a thread panicked: they are always in a consistent state.
pub(super) fn lock(gather: &Mutex<Gather>) -> MutexGuard<'_, Gather> {
    gather.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the path of a file as the answer shows it and a request can name it.
pub(super) fn requested<S: System>(ground: &Ground<'_, S>, root: usize, path: &Path) -> String {
    let path = ground.roots.spelled(root, path);
    render::display(path.as_os_str().as_encoded_bytes()).into_owned()
}

/// The tasks of a walk, shared by its threads. The newest task is taken first, so that one folder is finished before the next is started, and few
/// are open at a time.
pub(super) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    waiting: Vec<T>,
    /// How many tasks are running; each of them may add tasks.
    under_way: usize,
}

/// A guard for a running task; dropping it marks the task as done.
#[must_use]
pub(super) struct UnderWay<'a, T>(&'a Queue<T>);

impl<T> Queue<T> {
    /// Makes a queue with the first tasks.
    pub(super) fn new(waiting: Vec<T>) -> Self {
        let under_way = 0;
        Self {
            state: Mutex::new(QueueState { waiting, under_way }),
            changed: Condvar::new(),
        }
    }

    /// Adds tasks, and wakes waiting threads.
    pub(super) fn add(&self, tasks: impl IntoIterator<Item = T>) {
        self.state().waiting.extend(tasks);
        self.changed.notify_all();
    }

    /// Takes a task, and waits while running tasks may still add some; returns `None` once all tasks are done.
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
