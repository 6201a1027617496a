//! Servers that end, and clients that go away, in the middle of edits: nothing that was acknowledged is lost, and nothing is half done.

use std::thread;
use std::time::Duration;

use hashline_testing::served::Signal;
use hashline_testing::served::load::{Load, Mix, Scene, Tally};

use super::{Place, first_anchor, read, replace};

#[test]
fn a_server_that_is_ended_finishes_or_refuses_every_edit() {
    let place = Place::new(&[]);
    let scene = Scene {
        root: place.root(),
        files: 8,
        folders: 2,
        lines: 40,
        clients: 16,
    };
    scene.lay_out().unwrap();
    let mix = Mix {
        edits: 80,
        writes: 10,
        careful: true,
    };
    let server = place.serve(&[]);
    let load = Load::new(
        &scene,
        mix,
        server.address(),
        &server.token("main").unwrap(),
    );
    let (tallies, ended) = load.run(&[], || {
        thread::sleep(Duration::from_millis(300));
        server.signal(Signal::TERM).unwrap();
        server.wait().unwrap()
    });
    assert!(ended.success());
    let acknowledged: u64 = tallies.iter().map(Tally::acknowledged).sum();
    assert!(acknowledged > 0, "nothing was under way");
    let found = scene.audit(&tallies).unwrap();
    assert!(found.is_empty(), "{found:?}");
    // Whoever was refused was told so, and by the server.
    let errors = tallies.iter().flat_map(|tally| &tally.errors);
    let unexpected: Vec<&String> = errors
        .filter(|error| !error.contains("cancelled") && !error.contains("stopping"))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
}

#[test]
fn a_client_that_hangs_up_leaves_the_file_whole() {
    let place = Place::new(&[("f", "0\n")]);
    let server = place.serve(&[]);
    for round in 1..40_u64 {
        let mut client = server.client("main").unwrap();
        let anchor = first_anchor(&mut client, "f");
        let (_, before) = read(&mut client, "f");
        let body = replace("f", &anchor, &round.to_string()).to_string();
        client
            .hang_up("/api/sandbox/edit-file", body.as_bytes())
            .unwrap();
        let text = String::from_utf8(place.bytes("f")).unwrap();
        let new = format!("{round}\n");
        let old = format!("{}\n", before["content"].as_str().unwrap());
        assert!(text == new || text == old, "{text:?}");
    }
    assert!(server.end().unwrap().success());
}
