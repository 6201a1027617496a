//! The ledger on Redis: what only a ledger has that several machines share, and what happens when Redis is lost.
//!
//! What it has in common with the other ledgers is tested in `ledger`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hashline_core::Document;
use hashline_core::scheme::Scheme;
use hashline_core::shown::CutLine;
use hashline_core::text::{Changes, LineSpan};
use hashline_workspace::ledger::{
    FleetKey, FleetOptions, Ledger, LedgerLimits, RedisLedger, RedisNode, ShownBy, ShownLines,
    StateNote,
};
use rustix::process::Signal;

use crate::ledger::{read, sessions_of, text};
use crate::redis_server::{
    self, Cluster, KEY, RedisServer, fleet, free_port, is_installed, wait_until,
};
use crate::stores::{note, small};

/// A call that finds Redis dead or hanging returns within a second. The tests allow for a machine that has much else to do.
const SOON: Duration = Duration::from_secs(5);

fn open(options: &FleetOptions) -> RedisLedger {
    RedisLedger::new(options, LedgerLimits::default())
}

/// Opens a ledger that waits no longer than usual.
fn open_impatiently(urls: &[&str]) -> RedisLedger {
    open(&FleetOptions {
        patience: FleetOptions::PATIENCE,
        ..fleet(urls, "w")
    })
}

/// Opens the ledger of a workspace whose files are below a root.
fn open_at(server: &RedisServer, root: &str) -> RedisLedger {
    open(&FleetOptions {
        root: root.into(),
        ..fleet(&[&server.url()], "workspace")
    })
}

fn sessions(ledger: &RedisLedger, file: &str) -> Vec<String> {
    sessions_of(ledger, file)
}

fn is_down(note: &StateNote) -> bool {
    matches!(note, StateNote::RedisDown { .. })
}

#[test]
fn what_one_machine_showed_is_known_to_the_others_wherever_the_root_is() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let (here, there) = (open_at(&server, "/here"), open_at(&server, "/mnt/there"));
    let (before, after) = (text(5), text(6));
    read(&here, "/here/src/a.rs", &before, "mine");
    assert_eq!(sessions(&there, "/mnt/there/src/a.rs"), ["mine"]);
    let changes = Changes::from_replacements([(LineSpan::gap(5), 1)]);
    let file = Path::new("/mnt/there/src/a.rs");
    there.wrote(file, Some("theirs"), &before, &after, &changes);
    let history = here.history(Path::new("/here/src/a.rs"));
    let revisions: Vec<_> = history.recorded().iter().map(|one| one.revision).collect();
    assert_eq!(revisions, [before.revision(), after.revision()]);
    assert_eq!(history.recorded()[1].origin, {
        let by = Some(Arc::from("theirs"));
        hashline_core::shown::Origin::Written { changes, by }
    });
    here.moved(Path::new("/here/src/a.rs"), Path::new("/here/b.rs"));
    assert!(sessions(&there, "/mnt/there/src/a.rs").is_empty());
    assert_eq!(sessions(&there, "/mnt/there/b.rs"), ["mine"]);
    assert_eq!((here.take_notes(), there.take_notes()), (vec![], vec![]));
}

#[test]
fn a_file_that_is_not_below_the_root_has_no_record() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let ledger = open_at(&server, "/root");
    for file in ["/elsewhere", "/rooted/a", "/root/../a"] {
        read(&ledger, file, &text(3), "s");
        assert!(sessions(&ledger, file).is_empty());
        assert!(!ledger.noticed(Path::new(file), &text(4)));
    }
    assert_eq!(server.ask::<u64>(&["DBSIZE"]), 0);
    // A file that leaves the root loses its record.
    read(&ledger, "/root/a", &text(3), "s");
    ledger.moved(Path::new("/root/a"), Path::new("/elsewhere"));
    assert!(sessions(&ledger, "/root/a").is_empty());
    assert_eq!(ledger.check_writable(), Ok(0));
    assert_eq!(ledger.take_notes(), []);
}

#[test]
fn workspaces_and_fleets_do_not_see_each_other() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let own = fleet(&[&server.url()], "one");
    read(&open(&own), "/f", &text(3), "s");
    let other_key = FleetKey::parse(&KEY.replace("5eed", "0000")).expect("a key");
    let others = [
        fleet(&[&server.url()], "two"),
        FleetOptions {
            key: other_key,
            ..own.clone()
        },
    ];
    let fingerprints = |options: &FleetOptions| {
        let history = open(options).history(Path::new("/f"));
        history.recorded()[0].fingerprints()
    };
    for other in others {
        assert!(sessions(&open(&other), "/f").is_empty());
        read(&open(&other), "/f", &text(3), "s");
        // The same lines are stored under other keys.
        assert_ne!(fingerprints(&other), fingerprints(&own));
    }
    assert_eq!(sessions(&open(&own), "/f"), ["s"]);
}

/// Returns all that a server holds: its keys and their values.
fn contents(server: &RedisServer) -> Vec<u8> {
    let mut all = Vec::new();
    for key in server.ask::<Vec<Vec<u8>>>(&["KEYS", "*"]) {
        let mut redis = server.connection();
        let kind: String = redis::cmd("TYPE")
            .arg(&key)
            .query(&mut redis)
            .expect("a type");
        let values: Vec<Vec<u8>> = match kind.as_str() {
            "string" => redis::cmd("GET")
                .arg(&key)
                .query(&mut redis)
                .map(|one| vec![one]),
            "zset" => (redis::cmd("ZRANGE").arg(&key).arg(0).arg(-1)).query(&mut redis),
            kind => panic!("{kind}"),
        }
        .expect("values");
        all.extend(key);
        values.into_iter().for_each(|value| all.extend(value));
    }
    all
}

#[test]
fn redis_holds_no_text_no_path_no_session_no_workspace_and_no_secret() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let password = |password: &str, login: &str| {
        let url = format!("redis://{login}127.0.0.1:{}", server.port);
        let mut redis = redis_server::connect(&url).expect("connected");
        let mut set = redis::cmd("CONFIG");
        set.arg(&["SET", "requirepass", password])
            .exec(&mut redis)
            .expect("set");
    };
    password("canary-password", "");
    let node = RedisNode::parse(&server.url()).expect("a node");
    let options = FleetOptions {
        nodes: vec![node.with_login(None, "canary-password")],
        root: "/canary-root".into(),
        ..fleet(&[], "canary-workspace")
    };
    let ledger = RedisLedger::new(&options, small(6_000));
    let document = Document::new("canary in the text\n".repeat(40));
    let edited = Document::new("canary as edited\n".repeat(40));
    let file = Path::new("/canary-root/canary.rs");
    for round in 0..20 {
        let changes = Changes::from_replacements([(document.all(), 40)]);
        let session = format!("canary-session-{round}");
        let cut = [CutLine { index: 2, bytes: 6 }];
        let showing = ShownLines {
            session: Some(&session),
            scheme: Scheme::Push,
            spans: &[document.all()],
            cut: &cut,
            tags: None,
            by: ShownBy::Read,
        };
        ledger.showed(file, &document, &showing);
        ledger.wrote(file, Some(&session), &document, &edited, &changes);
    }
    assert_eq!(ledger.take_notes(), []);
    assert!(!sessions(&ledger, "/canary-root/canary.rs").is_empty());
    let key: Vec<u8> = (0..KEY.len() / 2)
        .map(|at| u8::from_str_radix(&KEY[2 * at..2 * at + 2], 16).expect("digits"))
        .collect();
    let secrets = [
        b"canary".to_vec(),
        KEY.as_bytes().to_vec(),
        key[..8].to_vec(),
    ];
    let holds = |all: &[u8], secret: &[u8]| all.windows(secret.len()).any(|it| it == secret);
    password("", ":canary-password@");
    let all = contents(&server);
    assert!(all.len() > 1_000);
    for secret in &secrets {
        assert!(!holds(&all, secret), "{}", secret.escape_ascii());
        // The search finds what is there.
        let set = redis::cmd("SET")
            .arg("x")
            .arg(secret)
            .exec(&mut server.connection());
        set.expect("set");
        assert!(holds(&contents(&server), secret));
    }
    assert!(!format!("{ledger:?} {options:?}").contains("canary-password"));
}

/// Checks that a ledger whose Redis is lost answers soon, says so, and asks Redis at most once a second.
fn assert_degraded(ledger: &RedisLedger) {
    let before = ledger.health();
    let started = Instant::now();
    assert!(sessions(ledger, "/f").is_empty());
    let first = started.elapsed();
    assert!(first < SOON, "the first call took {first:?}");
    assert!(matches!(&ledger.take_notes()[..], [note] if is_down(note)));
    for round in 0..1_000 {
        read(ledger, "/f", &text(5), &format!("lost {round}"));
        assert!(sessions(ledger, "/f").is_empty());
        assert!(matches!(&ledger.take_notes()[..], [note] if is_down(note)));
    }
    let (after, seconds) = (ledger.health(), started.elapsed().as_secs());
    assert!(!after.is_up);
    let tried = after.failures - before.failures;
    assert!(
        (1..=2 + seconds).contains(&tried),
        "{tried} tries in {seconds} s"
    );
    assert!(after.skipped - before.skipped > 1_000);
}

/// Waits until a ledger records again, and has nothing to say about it. Nobody tells it that Redis is back.
fn assert_recovers(ledger: &RedisLedger) {
    wait_until("the ledger comes back", || {
        let _ = ledger.take_notes();
        read(ledger, "/f", &text(5), "back");
        let is_back = sessions(ledger, "/f")
            .last()
            .is_some_and(|last| last == "back");
        is_back && ledger.health().is_up && ledger.take_notes().is_empty()
    });
}

#[test]
fn a_redis_that_dies_is_reported_soon_and_comes_back_by_itself() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let ledger = open_impatiently(&[&server.url()]);
    assert_recovers(&ledger);
    server.kill();
    assert_degraded(&ledger);
    server.restart();
    assert_recovers(&ledger);
}

#[test]
fn a_redis_that_hangs_is_reported_soon_and_what_it_knows_is_found_again() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let patient = open(&fleet(&[&server.url()], "w"));
    let ledger = open_impatiently(&[&server.url()]);
    read(&patient, "/f", &text(5), "before");
    assert_recovers(&ledger);
    server.signal(Signal::STOP);
    assert_degraded(&ledger);
    server.signal(Signal::CONT);
    assert_recovers(&ledger);
    assert_eq!(sessions(&patient, "/f")[0], "before");
}

#[test]
fn a_redis_that_is_not_there_yet_is_found_when_it_comes() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    server.kill();
    let ledger = open_impatiently(&[&server.url()]);
    assert_degraded(&ledger);
    server.restart();
    assert_recovers(&ledger);
}

#[test]
fn one_who_listens_and_never_answers_is_given_up() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("bound");
    let port = listener.local_addr().expect("an address").port();
    let silent = format!("redis://127.0.0.1:{port}");
    let encrypted = format!("rediss://127.0.0.1:{port}");
    // A name that is not known, and no node at all.
    let unknown = "redis://nobody.invalid".to_owned();
    for urls in [
        vec![silent.as_str()],
        vec![&encrypted],
        vec![&unknown],
        vec![],
    ] {
        assert_degraded(&open_impatiently(&urls));
    }
}

#[test]
fn a_connection_that_was_closed_meanwhile_is_made_anew() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let ledger = open(&fleet(&[&server.url()], "w"));
    for round in 0..3 {
        read(&ledger, "/f", &text(5), &format!("{round}"));
        let () = server.ask(&["SCRIPT", "FLUSH"]);
        server.ask::<u64>(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
    }
    assert_eq!(sessions(&ledger, "/f"), ["0", "1", "2"]);
    assert_eq!(ledger.take_notes(), []);
    assert_eq!(ledger.health().connections, 4);
    assert_eq!(ledger.health().failures, 0);
}

#[test]
fn what_redis_refuses_is_noted_and_what_it_allows_still_works() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let options = fleet(&[&server.url()], "w");
    let ledger = open(&options);
    read(&ledger, "/f", &text(5), "before");
    let () = server.ask(&["CONFIG", "SET", "maxmemory", "1"]);
    read(&ledger, "/f", &text(6), "too much");
    let code = "OOM".to_owned();
    assert_eq!(ledger.take_notes(), [StateNote::RedisRefused { code }]);
    assert_eq!(sessions(&ledger, "/f"), ["before"]);
    let () = server.ask(&["CONFIG", "SET", "maxmemory", "0"]);
    read(&ledger, "/f", &text(6), "after");
    assert_eq!(sessions(&ledger, "/f"), ["before", "after"]);
    assert_eq!(ledger.take_notes(), []);

    let login = |node: RedisNode| node.with_login(Some("agent"), "secret");
    let with_login = FleetOptions {
        nodes: options.nodes.iter().cloned().map(login).collect(),
        ..options
    };
    let () = server.ask(&["ACL", "SETUSER", "default", "nopass", "+@all", "~*"]);
    let ledger = open(&with_login);
    assert!(sessions(&ledger, "/f").is_empty());
    let code = "authentication failed".to_owned();
    assert_eq!(ledger.take_notes(), [StateNote::RedisRefused { code }]);
    // These are the rights that a ledger needs.
    let rights = [
        "resetkeys",
        "~hashline-1:*",
        "+get",
        "+set",
        "+del",
        "+evalsha",
        "+script|load",
    ];
    let more = [
        "+append",
        "+expire",
        "+exists",
        "+getrange",
        "+rename",
        "+strlen",
        "+ttl",
        "+zadd",
    ];
    let last = ["+zincrby", "+zrange", "+zrem", "+zscore"];
    let words = ["ACL", "SETUSER", "agent", "on", ">secret"].into_iter();
    let words: Vec<&str> = words.chain(rights).chain(more).chain(last).collect();
    let () = server.ask(&words);
    assert_eq!(sessions(&ledger, "/f"), ["before", "after"]);
    read(&ledger, "/f", &text(7), "agent");
    ledger.moved(Path::new("/f"), Path::new("/g"));
    assert_eq!(sessions(&ledger, "/g"), ["before", "after", "agent"]);
    assert!(ledger.check_writable().is_ok());
    assert_eq!(ledger.take_notes(), []);
}

#[test]
fn a_log_expires_when_nothing_was_added_for_long() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let limits = |seconds: u64| LedgerLimits {
        age: Duration::from_secs(seconds),
        ..LedgerLimits::default()
    };
    let options = fleet(&[&server.url()], "w");
    let ledger = RedisLedger::new(&options, limits(100));
    read(&ledger, "/long", &text(5), "s");
    for key in server.ask::<Vec<String>>(&["KEYS", "*"]) {
        let left: i64 = server.ask(&["TTL", &key]);
        assert!((1..=100).contains(&left), "{key}: {left}");
    }
    read(
        &RedisLedger::new(&options, limits(1)),
        "/short",
        &text(50),
        "s",
    );
    let logs = || server.ask::<Vec<String>>(&["KEYS", "*:log:*"]).len();
    assert_eq!(logs(), 2);
    wait_until("the log expires", || logs() == 1);
    // What is still counted for it is found to be gone.
    wait_until("the log is no longer counted", || {
        let ledger = RedisLedger::new(&options, limits(2));
        read(&ledger, "/new", &text(5), "s");
        ledger.check_writable() == Ok(log_bytes(&server))
    });
    let ledger = RedisLedger::new(&options, limits(100));
    assert!(!sessions(&ledger, "/new").is_empty());
}

/// Returns how many bytes all logs take.
fn log_bytes(server: &RedisServer) -> u64 {
    let logs: Vec<String> = server.ask(&["KEYS", "*:log:*"]);
    let size = |log: &String| server.ask::<u64>(&["STRLEN", log]);
    logs.iter().map(size).sum()
}

#[test]
fn many_machines_keep_to_the_bound_together_and_lose_nothing_of_what_fits() {
    if !is_installed() {
        return;
    }
    const MACHINES: usize = 8;
    const ROUNDS: usize = 40;
    let server = RedisServer::start(&[]);
    let options = fleet(&[&server.url()], "w");
    let run = |limits: LedgerLimits| {
        thread::scope(|scope| {
            for machine in 0..MACHINES {
                let options = &options;
                scope.spawn(move || {
                    let ledger = RedisLedger::new(options, limits);
                    for round in 0..ROUNDS {
                        let name = format!("{machine} {round}");
                        read(&ledger, "/shared", &text(5), &name);
                        read(&ledger, &format!("/{machine}"), &text(5 + round % 3), &name);
                        let cut = [CutLine {
                            index: machine,
                            bytes: round,
                        }];
                        let document = text(MACHINES);
                        let showing = ShownLines {
                            session: None,
                            scheme: Scheme::Omp,
                            spans: &[document.all()],
                            cut: &cut,
                            tags: None,
                            by: ShownBy::Read,
                        };
                        ledger.showed(Path::new("/cut"), &document, &showing);
                    }
                    assert_eq!(ledger.take_notes(), []);
                });
            }
        });
        let ledger = RedisLedger::new(&options, limits);
        let bytes = log_bytes(&server);
        assert_eq!(ledger.check_writable(), Ok(bytes));
        assert!(bytes <= limits.bytes);
        ledger
    };
    let ledger = run(LedgerLimits::default());
    let found: BTreeSet<String> = sessions(&ledger, "/shared").into_iter().collect();
    assert_eq!(found.len(), MACHINES * ROUNDS);
    let cut = server.ask::<Vec<String>>(&["KEYS", "*:cut"]);
    assert_eq!(server.ask::<u64>(&["STRLEN", &cut[0]]), 8 * MACHINES as u64);
    let () = server.ask(&["FLUSHALL"]);
    run(small(20_000));
}

/// Passes bytes on to a server. Closes the connection instead of passing on one of the next answers, if it is told to.
struct Proxy {
    port: u16,
    /// Which of the next answers is lost; 0: none.
    lost: Arc<AtomicUsize>,
}

impl Proxy {
    fn start(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("bound");
        let port = listener.local_addr().expect("an address").port();
        let lost = Arc::new(AtomicUsize::new(0));
        let shared = Arc::clone(&lost);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let lost = Arc::clone(&shared);
                thread::spawn(move || pass_on(client, server, &lost));
            }
        });
        Self { port, lost }
    }
}

fn pass_on(mut client: TcpStream, server: u16, lost: &AtomicUsize) -> io::Result<()> {
    let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, server))?;
    let (mut requests, mut to_server) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || io::copy(&mut requests, &mut to_server));
    let mut bytes = [0; 65_536];
    loop {
        let length = server.read(&mut bytes)?;
        let count = |lost: usize| lost.checked_sub(1);
        let is_lost = lost.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count) == Ok(1);
        if length == 0 || is_lost {
            return client.shutdown(Shutdown::Both);
        }
        client.write_all(&bytes[..length])?;
    }
}

#[test]
fn a_change_whose_answer_was_lost_is_not_made_twice() {
    if !is_installed() {
        return;
    }
    let server = RedisServer::start(&[]);
    let proxy = Proxy::start(server.port);
    let ledger = open(&fleet(&[&format!("redis://127.0.0.1:{}", proxy.port)], "w"));
    let (before, after) = (text(5), text(6));
    let changes = Changes::from_replacements([(LineSpan::gap(5), 1)]);
    // The first answer is that to a look at the log, the second that to the change.
    for lost in 0..3 {
        let file = format!("/{lost}");
        read(&ledger, &file, &before, "s");
        proxy.lost.store(lost, Ordering::Relaxed);
        ledger.wrote(Path::new(&file), None, &before, &after, &changes);
        assert_eq!(proxy.lost.load(Ordering::Relaxed), 0);
        let history = ledger.history(Path::new(&file));
        let revisions: Vec<_> = history.recorded().iter().map(|one| one.revision).collect();
        assert_eq!(revisions, [before.revision(), after.revision()], "{lost}");
    }
    assert_eq!(ledger.health().connections, 3);
    assert_eq!(ledger.take_notes(), []);
}

#[test]
fn a_cluster_whose_master_dies_is_used_again_when_a_replica_took_over() {
    if !is_installed() {
        return;
    }
    let cluster = Cluster::start(3, 1);
    let urls = cluster.urls();
    let all: Vec<&str> = urls.iter().map(String::as_str).collect();
    let (one, other) = (open(&fleet(&all, "w")), open(&fleet(&all, "w")));
    let files: Vec<String> = (0..50).map(|number| format!("/{number}")).collect();
    for file in &files {
        read(&one, file, &text(5), "before");
    }
    for file in &files {
        assert_eq!(sessions(&other, file), ["before"]);
    }
    assert_eq!((one.take_notes(), other.take_notes()), (vec![], vec![]));
    // A machine that is told of one node only finds the others.
    let told_one = open(&fleet(&all[4..5], "w"));
    assert_eq!(sessions(&told_one, "/0"), ["before"]);

    let [first, second] = [(); 2].map(|()| open_impatiently(&all));
    assert_recovers(&first);
    cluster.nodes[cluster.master_with_keys()].kill();
    for ledger in [&first, &second] {
        wait_until("a replica takes over", || {
            let began = Instant::now();
            read(ledger, "/after", &text(5), "after");
            assert!(began.elapsed() < SOON);
            let found = sessions(ledger, "/after");
            let is_known =
                |note: &StateNote| is_down(note) || matches!(note, StateNote::RedisRefused { .. });
            let notes = ledger.take_notes();
            assert!(notes.iter().all(is_known), "{notes:?}");
            found.last().is_some_and(|last| last == "after")
        });
    }
    for file in &files {
        let found = sessions(&other, file);
        assert!(found.is_empty() || found == ["before"], "{found:?}");
        read(&one, file, &text(6), "later");
        assert_eq!(
            sessions(&other, file).last().map(String::as_str),
            Some("later")
        );
    }
    assert_eq!((one.take_notes(), other.take_notes()), (vec![], vec![]));
}

#[test]
fn a_cluster_whose_master_hangs_is_used_again_when_a_replica_took_over() {
    if !is_installed() {
        return;
    }
    let cluster = Cluster::start(3, 1);
    let urls = cluster.urls();
    let all: Vec<&str> = urls.iter().map(String::as_str).collect();
    let patient = open(&fleet(&all, "w"));
    read(&patient, "/f", &text(5), "before");
    let ledger = open_impatiently(&all);
    cluster.wait_for_replicas();
    let hanging = &cluster.nodes[cluster.master_with_keys()];
    hanging.signal(Signal::STOP);
    wait_until("a replica takes over", || {
        let began = Instant::now();
        let found = sessions(&ledger, "/f");
        assert!(began.elapsed() < SOON);
        found == ["before"]
    });
    hanging.signal(Signal::CONT);
    // The old master may take a moment to find out that it is none any more.
    wait_until("all know the new master", || {
        read(&patient, "/f", &text(6), "after");
        sessions(&patient, "/f") == ["before", "after"]
    });
}

#[test]
fn a_slot_that_moves_to_another_node_takes_the_records_along() {
    if !is_installed() {
        return;
    }
    let cluster = Cluster::start(2, 0);
    let urls = cluster.urls();
    let ledger = open(&fleet(&[&urls[0]], "w"));
    read(&ledger, "/f", &text(5), "before");
    let from = cluster.master_with_keys();
    let (from, to) = (&cluster.nodes[from], &cluster.nodes[1 - from]);
    let keys: Vec<String> = from.ask(&["KEYS", "*"]);
    let slot: u64 = from.ask(&["CLUSTER", "KEYSLOT", &keys[0]]);
    let (slot, port) = (slot.to_string(), to.port.to_string());
    let set = |node: &RedisServer, how: &str, id: &str| {
        let () = node.ask(&["CLUSTER", "SETSLOT", &slot, how, id]);
    };
    set(to, "IMPORTING", &from.id());
    set(from, "MIGRATING", &to.id());
    let words = ["MIGRATE", "127.0.0.1", &port, "", "0", "5000", "KEYS"].into_iter();
    let words: Vec<&str> = words.chain(keys.iter().map(String::as_str)).collect();
    let () = from.ask(&words);
    // Until all know where the slot is, one node sends callers to the other for each call.
    assert_eq!(sessions(&ledger, "/f"), ["before"]);
    assert_eq!(ledger.take_notes(), []);
    for node in [to, from] {
        set(node, "NODE", &to.id());
    }
    read(&ledger, "/f", &text(6), "after");
    assert_eq!(sessions(&ledger, "/f"), ["before", "after"]);
    assert_eq!(ledger.take_notes(), []);
}

#[test]
fn a_port_that_nobody_listens_on_costs_no_time_out() {
    let ledger = open(&fleet(
        &[&format!("redis://127.0.0.1:{}", free_port())],
        "w",
    ));
    assert!(sessions(&ledger, "/f").is_empty());
    let kind = io::ErrorKind::ConnectionRefused;
    assert_eq!(ledger.take_notes(), [StateNote::RedisDown { kind }]);
}

const TLS_CHILD: &str = "HASHLINE_FLEET_TEST_TLS";

/// Records over TLS and finds it again; returns the notes.
fn tried_over_tls(url: &str) -> (Vec<String>, Vec<StateNote>) {
    let ledger = open(&fleet(&[url], "w"));
    read(&ledger, "/f", &text(5), "s");
    (sessions(&ledger, "/f"), ledger.take_notes())
}

/// What a child of the next test does, which trusts the certificate; nothing on its own.
#[test]
fn a_child_records_over_tls() {
    if let Ok(url) = std::env::var(TLS_CHILD) {
        assert_eq!(tried_over_tls(&url), (vec!["s".to_owned()], vec![]));
    }
}

#[test]
fn tls_is_for_a_server_whose_certificate_is_trusted() {
    if !is_installed() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let openssl = |words: &str| {
        let made = Command::new("openssl")
            .args(words.split(' '))
            .current_dir(dir.path())
            .output();
        made.is_ok_and(|output| output.status.success())
    };
    fs::write(dir.path().join("names"), "subjectAltName=IP:127.0.0.1\n").expect("written");
    let certificates = [
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=ca -days 2",
        "req -newkey rsa:2048 -nodes -keyout own.key -out own.csr -subj /CN=own",
        "x509 -req -in own.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out own.crt -days 2 -extfile names",
    ];
    if !certificates.into_iter().all(openssl) {
        return note("TLS is not tested: there is no openssl to make certificates with");
    }
    let path = |name: &str| dir.path().join(name).display().to_string();
    let port = free_port();
    let _server = RedisServer::start(&[
        "--tls-port",
        &port.to_string(),
        "--tls-cert-file",
        &path("own.crt"),
        "--tls-key-file",
        &path("own.key"),
        "--tls-ca-cert-file",
        &path("ca.crt"),
        "--tls-auth-clients",
        "no",
    ]);
    let url = format!("rediss://127.0.0.1:{port}");
    let child = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "fleet::a_child_records_over_tls"])
        .env(TLS_CHILD, &url)
        .env("SSL_CERT_FILE", path("ca.crt"))
        .output();
    let child = child.expect("started");
    assert!(
        child.status.success(),
        "{}",
        String::from_utf8_lossy(&child.stdout)
    );
    // Who does not trust the certificate does not talk to the server, and nobody talks to it without TLS.
    for url in [url.as_str(), &format!("redis://127.0.0.1:{port}")] {
        let (sessions, notes) = tried_over_tls(url);
        assert!(sessions.is_empty());
        assert!(matches!(&notes[..], [note] if is_down(note)), "{notes:?}");
    }
}
