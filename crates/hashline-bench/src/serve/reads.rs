//! Reads over HTTP, beside the same call in process and a server that answers every request with the same bytes.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use hashline_core::dialect::Dialect;
use hashline_session::{PushRead, Session};
use hashline_testing::served::{Client, bare};
use hashline_wire::request::{Limits, parse_read};
use serde_json::json;

use super::{LINES, Sizes, Stage, WORKSPACE};
use crate::clock::{median, millis, ratio};
use crate::gates::Gates;
use crate::speed::mcp::open;
use crate::table::Table;

/// The most characters of a page: more than the file has.
const MOST: usize = 24_000;
/// A read over HTTP may take so many times as long as the call in process and the bare answer together.
const BAR: f64 = 1.5;
const ROUTE: &str = "/api/sandbox/read-file";

pub(super) fn measure(
    stage: &Stage,
    sizes: &Sizes,
    gates: &mut Gates,
    out: &mut dyn Write,
) -> Result<()> {
    let scene = stage.scene("reads", sizes)?;
    let server = stage.serve(&scene.root)?;
    let mut client = server.client(WORKSPACE)?;
    let service = open(&scene.root, Some(stage.folder.path().join("in-process")))?;
    let session = service.session(None);
    let body = json!({"path": scene.path(0), "annotate": true}).to_string();
    let body = body.as_bytes();
    let answer = in_process(&session, body)?;
    ensure!(
        served(&mut client, body)? == answer,
        "HTTP and the call in process answer differently"
    );
    let mut bare = Client::new(bare::answer_with(answer)?, "");
    let mut times: [Vec<Duration>; 3] = Default::default();
    // By turns, so that whatever else the machine does slows all of them alike.
    for _ in 0..sizes.reads {
        let [of_service, of_process, of_bare] = &mut times;
        of_service.push(timed(|| served(&mut client, body))?);
        of_process.push(timed(|| in_process(&session, body))?);
        of_bare.push(timed(|| served(&mut bare, body))?);
    }
    server.end()?;
    let [of_service, of_process, of_bare] = times.map(|times| median(&times));
    let over = ratio(of_service, of_process + of_bare);
    writeln!(out, "\n== Reads over HTTP, median of {}\n", sizes.reads)?;
    let mut table = Table::new(1, ["call", "served", "in process", "bare route", "ratio"]);
    table.row(vec![
        format!("read of {LINES} lines"),
        millis(of_service),
        millis(of_process),
        millis(of_bare),
        format!("{over:.2} x"),
    ]);
    table.print(out)?;
    let gate =
        format!("a read of {LINES} lines: at most {BAR} x the call in process and a bare route");
    gates.check_bar(sizes.bars, gate, format!("{over:.2} x"), over <= BAR);
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

fn served(client: &mut Client, body: &[u8]) -> Result<Vec<u8>> {
    let response = client.post(ROUTE, &[], body)?;
    ensure!(response.status == 200, "refused: {response:?}");
    Ok(response.body)
}

fn in_process(session: &Session<'_>, body: &[u8]) -> Result<Vec<u8>> {
    let request = parse_read(body, Dialect::PUSH, &Limits::default());
    let request = request.ok().context("it is a request")?;
    let [file] = request.files.as_slice() else {
        bail!("it names one file");
    };
    let page = session.push_read(file, request.annotate, MOST, None, &|_| false);
    match page {
        Ok(PushRead::Page(page)) => Ok(serde_json::to_vec(&page.answer)?),
        _ => bail!("it can be read"),
    }
}
