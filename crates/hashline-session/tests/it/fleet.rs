//! Services on several machines with one ledger on Redis, and a service whose Redis is not there.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_session::{Overrides, ReadLines, ReadSpec, Service, ServiceOptions};
use hashline_wire::render::model;
use hashline_workspace::ledger::{FleetKey, FleetOptions, RedisNode};
use serde_json::json;

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
/// Ends the server when the test has ended, however that happened.
const KEEPER: &str = r#""$@" > /dev/null 2>&1 & read -r _; kill -9 $!"#;

/// Starts a Redis server; `None` if there is none to start.
fn start_redis(port: u16) -> Option<Child> {
    let version = Command::new("redis-server").arg("--version").output();
    if !version.is_ok_and(|output| output.status.success()) {
        let _ = writeln!(
            std::io::stderr(),
            "note: not tested: there is no redis-server"
        );
        return None;
    }
    let keeper = Command::new("sh")
        .args(["-c", KEEPER, "sh", "redis-server", "--save", "", "--port"])
        .arg(port.to_string())
        .stdin(Stdio::piped())
        .spawn()
        .expect("started");
    let answers = || {
        let mut redis = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
        let mut answer = [0; 7];
        redis.write_all(b"PING\r\n").ok()?;
        redis.read_exact(&mut answer).ok()
    };
    while answers().is_none() {
        thread::sleep(Duration::from_millis(10));
    }
    Some(keeper)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("bound");
    listener.local_addr().expect("an address").port()
}

/// Opens a folder on a machine that finds Redis on this port.
fn open(root: &Path, port: u16) -> Service {
    let url = format!("redis://127.0.0.1:{port}");
    let root = root.canonicalize().expect("it is there");
    let start = ServiceOptions {
        roots: vec![root.clone()],
        fleet: Some(FleetOptions {
            nodes: vec![RedisNode::parse(&url).expect("a node")],
            key: FleetKey::parse(&"5eed".repeat(16)).expect("a key"),
            workspace: "w".to_owned(),
            root,
            patience: Duration::from_secs(10),
        }),
        ..ServiceOptions::in_memory()
    };
    Service::open(&start).expect("the folder is there")
}

fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("a.txt"), text).expect("it can be written");
    folder
}

/// Reads the file as an agent does; returns its revision and the anchor of the line `five`.
fn read(service: &Service, agent: &str) -> (String, String) {
    let spec = ReadSpec {
        encoding: None,
        path: "a.txt".to_owned(),
        lines: ReadLines::All,
    };
    let session = service.session(Some(agent));
    let read = session.read(&[spec], Dialect::LEAN, None).expect("read");
    let view = read.files[0].as_ref().expect("a view");
    let mut shown = Vec::new();
    let written = session.show(view, Dialect::LEAN, &mut shown);
    written.expect("into memory");
    let line = view.anchored(Dialect::LEAN.scheme).nth(4);
    let anchor = line.expect("there are nine lines").anchor().to_string();
    (view.revision.to_string(), anchor)
}

/// Replaces the line of an anchor.
fn edit(service: &Service, agent: &str, rev: Option<&str>, anchor: &str) -> Result<String, Code> {
    let edits = json!([{"op": "replace", "at": anchor, "lines": ["FIVE"]}]);
    let request = json!({"path": "a.txt", "rev": rev, "edits": edits});
    let overrides = Overrides {
        dialect: Some(Dialect::LEAN),
        ..Overrides::default()
    };
    let answer = service.session(Some(agent)).apply(request, &overrides);
    match &answer.outcome {
        Ok(_) => Ok(model::answer(&answer.options, &answer.outcome)),
        Err(refusal) => Err(refusal.code()),
    }
}

#[test]
fn what_an_agent_was_shown_on_one_machine_lands_on_another() {
    let port = free_port();
    let Some(mut redis) = start_redis(port) else {
        return;
    };
    let (here, there) = (folder(TEXT), folder(TEXT));
    let (rev, anchor) = read(&open(here.path(), port), "agent");
    // Somebody else adds lines before the machine is left.
    let moved = format!("zero\nand\n{TEXT}");
    fs::write(there.path().join("a.txt"), &moved).expect("written");
    let service = open(there.path(), port);
    edit(&service, "agent", Some(&rev), &anchor).expect("it lands");
    let expected = moved.replace("five", "FIVE");
    let found = fs::read_to_string(there.path().join("a.txt")).expect("read");
    assert_eq!(found, expected);
    assert_eq!(service.take_notices(), []);
    let health = service.redis_health().expect("it is on Redis");
    assert!(health.is_up && health.failures == 0, "{health:?}");
    assert!(matches!(service.try_ledger(), Some(Ok(1..))));
    // A machine that was not told of the fleet does not know the revision.
    let alone = Service::open(&ServiceOptions {
        roots: vec![here.path().to_path_buf()],
        ..ServiceOptions::in_memory()
    });
    fs::write(here.path().join("a.txt"), &moved).expect("written");
    let refused = edit(&alone.expect("open"), "agent", Some(&rev), &anchor);
    assert_eq!(refused, Err(Code::UnknownRev));
    // Ends the server.
    drop(redis.stdin.take());
    redis.wait().expect("ended");
}

#[test]
fn without_redis_anchors_are_checked_against_the_file_and_the_answer_says_why() {
    let folder = folder(TEXT);
    let service = open(folder.path(), free_port());
    let (rev, anchor) = read(&service, "agent");
    let notes = |service: &Service| -> Vec<&str> {
        let notices = service.take_notices();
        notices.iter().map(|notice| notice.note).collect()
    };
    assert_eq!(notes(&service), ["redis_down"]);
    edit(&service, "agent", Some(&rev), &anchor).expect("number and tag are those of the line");
    assert_eq!(notes(&service), ["redis_down"]);
    let message = {
        let _ = service.noticed("a.txt");
        service.take_notices().remove(0).message
    };
    assert!(
        message.starts_with("Redis does not answer (connection refused): lines"),
        "{message}"
    );
    assert!(service.redis_health().is_some_and(|health| !health.is_up));
    assert!(matches!(service.try_ledger(), Some(Err(_))));
}
