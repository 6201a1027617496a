//! The part of the README about `hashline serve`: its commands are run, against a real server and with curl.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::stage::{HASHLINE, Stage, ran};

const README: &str = include_str!("../../../../README.md");
const FLEET: &str = include_str!("../transcripts/demo.in/fleet.py");
/// The port that the README names.
const PORT: &str = "8741";
/// What stands between the outputs of two commands.
const MARK: &str = "== next ==";

#[test]
fn the_readme_shows_what_the_service_answers() {
    let session = README.split("```sh-session\n").nth(1).unwrap();
    let session = session.split("```").next().unwrap();
    let mut commands = Vec::new();
    let mut expected: Vec<String> = Vec::new();
    for line in session.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => {
                commands.push(command);
                expected.push(String::new());
            }
            None => expected.last_mut().unwrap().push_str(&format!("{line}\n")),
        }
    }
    assert_eq!(
        commands.remove(0),
        format!("hashline serve --http {PORT} &")
    );
    expected.remove(0);

    let stage = Stage::new(&[("fleet.py", FLEET)]);
    let mut server = stage
        .command(HASHLINE)
        .args(["--json", "serve", "--http", "0"])
        .env_remove("XDG_STATE_HOME")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(server.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let url = told["urls"][0].as_str().unwrap();
    let port = url.rsplit(':').next().unwrap();

    let script = commands.join(&format!("\necho '{MARK}'\n"));
    let script = script.replace(PORT, port);
    let mut shell = stage.command("sh");
    let told = ran(shell.args(["-c", &script]).output().unwrap());
    server.kill().unwrap();
    server.wait().unwrap();
    let answered: Vec<&str> = told.out.split(&format!("{MARK}\n")).collect();
    assert_eq!(answered, expected, "{told:?}");
}
