//! Calls that are taken back: before they begin, while they wait, and after it is too late.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use serde_json::json;

use super::server::{Server, Told, told};
use crate::stage::Stage;

/// How the next answer begins after a cancel that came too late.
const TOO_LATE: &str = "Note: a call that you cancelled was done all the same";
/// More calls than work at once.
const MANY: usize = 20;

/// Keeps writers out of a folder, as another hashline would, until it is dropped.
pub(super) fn lock(folder: &Path) -> File {
    let folder = File::open(folder).unwrap();
    flock(&folder, FlockOperation::LockExclusive).unwrap();
    folder
}

fn write(server: &mut Server, path: &str) -> i64 {
    server.begin("write", &json!({"path": path, "content": "new\n"}))
}

fn look(server: &mut Server) -> Told {
    server.call("read", &json!({"path": "a.txt"}))
}

fn stage() -> Stage {
    Stage::new(&[("a.txt", "one\n"), ("in/b.txt", "two\n")])
}

#[test]
fn a_call_that_waits_for_a_lock_is_taken_back() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let lock = lock(&stage.path("in"));
    let id = write(&mut server, "in/new.txt");
    // It has begun, or will; either way it cannot write.
    server.said();
    server.cancel(id);
    let told = look(&mut server);
    assert!(!told.text.contains(TOO_LATE), "{told:?}");
    drop(lock);
    let ended = server.end();
    assert!(ended.said.is_empty(), "{:?}", ended.said);
    assert!(!stage.path("in/new.txt").exists());
}

#[test]
fn a_call_that_is_not_taken_back_is_done() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let lock = lock(&stage.path("in"));
    let id = write(&mut server, "in/new.txt");
    server.said();
    drop(lock);
    server.answer(&id.into());
    assert_eq!(stage.text("in/new.txt"), "new\n");
}

#[test]
fn a_call_that_has_not_begun_is_never_begun() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let lock = lock(&stage.path("in"));
    let waiting: Vec<i64> = (0..MANY)
        .map(|n| write(&mut server, &format!("in/{n}.txt")))
        .collect();
    let late = write(&mut server, "late.txt");
    server.said();
    server.cancel(late);
    server.said();
    drop(lock);
    for id in waiting {
        server.answer(&id.into());
    }
    let told = look(&mut server);
    let done = stage.path("late.txt").exists();
    assert_eq!(told.text.contains(TOO_LATE), done, "{told:?}");
    assert!(!done);
    assert!(server.end().said.is_empty());
}

#[test]
fn a_cancel_that_comes_after_the_answer_is_told_with_the_next() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let id = write(&mut server, "new.txt");
    server.answer(&id.into());
    server.cancel(id);
    server.said();
    let told = look(&mut server);
    assert!(told.text.starts_with(TOO_LATE), "{told:?}");
    assert!(told.text.contains("Created new.txt"), "{told:?}");
    assert!(told.text.contains("|one"), "{told:?}");
    // It is told once.
    assert!(!look(&mut server).text.contains(TOO_LATE));
}

#[test]
fn a_cancel_of_what_changed_nothing_is_not_told() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let read = server.begin("read", &json!({"path": "a.txt"}));
    server.answer(&read.into());
    server.cancel(read);
    let refused = server.begin("write", &json!({"path": "a.txt", "content": "new\n"}));
    server.answer(&refused.into());
    server.cancel(refused);
    server.cancel(4711);
    server.said();
    assert!(!look(&mut server).text.contains(TOO_LATE));
}

/// A call that has written its file is still busy with its record when the next call would be answered.
#[test]
fn the_next_answer_waits_for_a_cancelled_call_that_is_finishing() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    look(&mut server);
    let record = lock(&stage.home().join("state/hashline/ledger-2"));
    let id = write(&mut server, "new.txt");
    while !stage.path("new.txt").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    server.cancel(id);
    // It is refused before it needs a record, so nothing but the cancelled call keeps it waiting.
    let next = server.begin("read", &json!({}));
    std::thread::sleep(Duration::from_millis(300));
    drop(record);
    let told = told(&server.answer(&next.into()));
    assert!(told.text.contains("Created new.txt"), "{told:?}");
}

/// So many calls are taken back.
const ROUNDS: usize = 60;
/// And no more than so many, until one cancel came in time and one too late.
const MOST_ROUNDS: usize = 3000;

#[test]
fn whoever_takes_a_call_back_learns_what_became_of_it() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let (mut done, mut undone) = (0, 0);
    for round in 0..MOST_ROUNDS {
        // However busy the machine is, both must have happened.
        if round >= ROUNDS && done > 0 && undone > 0 {
            break;
        }
        let path = format!("{round}.txt");
        let id = write(&mut server, &path);
        // The later the cancel, the likelier it is too late; both must be told apart.
        for _ in 0..round % 20 {
            server.said();
        }
        server.cancel(id);
        server.said();
        // The next write waits for the lock that the first may hold.
        let told = server.call(
            "write",
            &json!({"path": format!("{round}-next.txt"), "content": ""}),
        );
        let more = look(&mut server);
        let told = format!("{}\n{}", told.text, more.text);
        let is_there = stage.path(&path).exists();
        assert_eq!(
            told.contains(&format!("Created {path}")),
            is_there,
            "{round}: {told}"
        );
        if is_there {
            done += 1;
        } else {
            undone += 1;
        }
    }
    assert!(undone > 0, "every cancel came too late: nothing was tested");
    assert!(done > 0, "every cancel came in time: nothing was tested");
}

/// Returns how much processor time the program has used, in ticks of the clock.
fn used(server: &Server) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.id())).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Waits until the program does nothing any more; returns what it has used by then.
fn at_rest(server: &Server) -> u64 {
    loop {
        let before = used(server);
        std::thread::sleep(Duration::from_millis(200));
        if used(server) == before {
            return before;
        }
    }
}

/// Returns lines of letters and digits in no order, in which a pattern finds nothing to hold on to.
fn scribble(bytes: usize) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz012345";
    let mut seed: u64 = 1;
    let letter = |index: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        match index % 80 {
            79 => '\n',
            _ => char::from(LETTERS[usize::try_from(seed >> 59).unwrap()]),
        }
    };
    (0..bytes).map(letter).collect()
}

/// A search that is taken back stops inside of a file, whichever tool searches. What it would cost to go on is measured, not guessed.
#[test]
fn a_search_that_is_taken_back_stops_in_the_middle_of_a_file() {
    let stage = Stage::new(&[("a.txt", "one\n"), ("big.txt", &scribble(9_000_000))]);
    let slow = "[a-m].{60}[A-Z]";
    let calls = [
        ("search", json!({"pattern": slow, "path": "big.txt"})),
        (
            "read",
            json!({"path": "big.txt", "search": slow, "regex": true, "caseSensitive": true}),
        ),
    ];
    for (tool, call) in calls {
        let mut server = Server::start(&stage, &[]);
        let before = used(&server);
        server.call(tool, &call);
        let whole = used(&server) - before;
        let before = used(&server);
        let id = server.begin(tool, &call);
        server.said();
        server.cancel(id);
        let cut = at_rest(&server) - before;
        assert!(whole > 20, "{tool}: too fast to be stopped: {whole} ticks");
        assert!(cut < whole / 2, "{tool}: {cut} of {whole} ticks");
    }
}
