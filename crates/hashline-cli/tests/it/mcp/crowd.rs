//! Many calls at once, and many clients of one file.

use std::collections::BTreeMap;
use std::thread;

use serde_json::{Value, json};

use super::server::{Server, Told, told};
use crate::stage::Stage;

const CALLS: usize = 1000;
const CLIENTS: usize = 8;
const EDITS: usize = 200;
/// Of the edits that all fight for one line.
const COUNTS: usize = 20;

#[test]
fn a_thousand_calls_at_once_are_each_answered_once() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&stage, &[]);
    let ids: Vec<i64> = (0..CALLS)
        .map(|n| match n % 5 {
            0 => server.begin(
                "write",
                &json!({"path": format!("new/{n}.txt"), "content": "x\n"}),
            ),
            1 => server.begin("search", &json!({"pattern": "two", "path": "a.txt"})),
            2 => server.begin(
                "edit",
                &json!({"path": "a.txt", "rev": "00000000", "edits": []}),
            ),
            3 => server.begin("read", &json!({"path": "none.txt"})),
            _ => server.begin("read", &json!({"path": "a.txt"})),
        })
        .collect();
    let ended = server.end();
    assert_eq!(ended.code, Some(0));
    let mut answers: BTreeMap<i64, Told> = BTreeMap::new();
    for message in &ended.said {
        let id = message["id"].as_i64().unwrap();
        assert!(answers.insert(id, told(message)).is_none(), "{id} twice");
    }
    assert_eq!(answers.len(), ids.len());
    for (n, id) in ids.iter().enumerate() {
        let told = &answers[id];
        assert_eq!(told.is_error, matches!(n % 5, 2 | 3), "{n}: {told:?}");
    }
    let made = std::fs::read_dir(stage.path("new")).unwrap().count();
    assert_eq!(made, CALLS / 5);
}

/// Where a client stands: the revision and the anchor it was handed last.
struct Place {
    rev: String,
    anchor: String,
    text: String,
}

/// Reads the revision and the first line with this text out of an answer, whatever it is: a read, an edit that landed, or a refusal.
fn handed(answer: &str, is_it: impl Fn(&str) -> bool) -> Place {
    let rev = match answer.rsplit_once("\"rev\":\"") {
        Some((_, after)) => after,
        None => answer.split_once("rev ").unwrap().1,
    };
    let line = answer.lines().find_map(|line| {
        let (anchor, text) = line.split_once('|')?;
        is_it(text).then_some((anchor, text))
    });
    let (anchor, text) = line.unwrap_or_else(|| panic!("it hands out no line: {answer}"));
    Place {
        rev: rev.chars().take_while(char::is_ascii_hexdigit).collect(),
        anchor: anchor.to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn eight_clients_add_lines_to_one_file_and_none_is_lost() {
    let stage = Stage::new(&[("log.txt", "begin\nend\n")]);
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let stage = &stage;
            scope.spawn(move || add_lines(stage, client));
        }
    });
    let text = stage.text("log.txt");
    let mut lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.remove(0), lines.pop()), ("begin", Some("end")));
    assert_eq!(lines.len(), CLIENTS * EDITS);
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), CLIENTS * EDITS, "a line stands twice");
}

/// Reads once, and then goes on from what each answer hands out.
fn add_lines(stage: &Stage, client: usize) {
    let mut server = Server::start(stage, &["--set", "durability=fast"]);
    let read = server.call("read", &json!({"path": "log.txt"}));
    let mut place = handed(&read.text, |text| text == "begin");
    for n in 0..EDITS {
        let line = format!("{client}-{n}");
        loop {
            let after = json!({"anchor": place.anchor, "text": line});
            let told = server.call(
                "edit",
                &json!({"path": "log.txt", "rev": place.rev, "edits": [{"insert_after": after}]}),
            );
            if !told.is_error {
                place = handed(&told.text, |text| text == line);
                break;
            }
            assert!(told.text.starts_with("Nothing was written"), "{told:?}");
            if !told.text.contains("locked") {
                let before = place.text.clone();
                place = handed(&told.text, |text| text == before);
            }
        }
    }
}

#[test]
fn eight_clients_count_in_one_line_and_no_count_is_lost() {
    let stage = Stage::new(&[("count.txt", "count 0\n")]);
    let refused: usize = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| scope.spawn(|| count(&stage)))
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .sum()
    });
    assert_eq!(
        stage.text("count.txt"),
        format!("count {}\n", CLIENTS * COUNTS)
    );
    assert!(refused > 0, "nobody was refused: nothing was tested");
}

/// Adds one to the count, again and again, and says how often it was refused.
fn count(stage: &Stage) -> usize {
    let mut server = Server::start(stage, &["--set", "durability=fast"]);
    let is_count = |text: &str| text.starts_with("count ");
    let mut place = handed(
        &server.call("read", &json!({"path": "count.txt"})).text,
        is_count,
    );
    let (mut done, mut refused) = (0, 0);
    while done < COUNTS {
        let told = server.call("edit", &one_more(&place));
        match told.is_error {
            false => done += 1,
            true => refused += 1,
        }
        if !told.text.contains("locked") {
            place = handed(&told.text, is_count);
        }
    }
    refused
}

fn one_more(place: &Place) -> Value {
    let count: usize = place.text["count ".len()..].parse().unwrap();
    let line = json!({"anchor": place.anchor, "new_text": format!("count {}", count + 1)});
    json!({"path": "count.txt", "rev": place.rev, "edits": [{"set_line": line}]})
}
