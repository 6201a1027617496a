//! `serve --ui` prints the URL of its page: with the token on a terminal, and nowhere else.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use crate::stage::{HASHLINE, Stage};
use crate::terminal::{seen, terminal};

/// A server, which is ended with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server with its messages on `err`.
fn serve(stage: &Stage, args: &[&str], err: impl Into<Stdio>) -> Served {
    let mut command = stage.command(HASHLINE);
    let command = command.args(["serve", "--http", "0", "--token-file"]);
    let command = command.arg(token_file(stage)).args(args);
    let command = command.stdout(Stdio::null()).stderr(err);
    Served(command.spawn().unwrap())
}

fn token_file(stage: &Stage) -> PathBuf {
    stage.home().join("tokens/main.token")
}

fn token(stage: &Stage) -> String {
    let file = token_file(stage);
    fs::read_to_string(file).unwrap().trim().to_owned()
}

#[test]
fn on_a_terminal_the_url_of_the_page_has_the_token() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let (mut screen, err) = terminal();
    let _served = serve(&stage, &["--ui"], err);
    let text = seen(&mut screen, |text| {
        let url = text.split_once("/#token=");
        url.is_some_and(|(_, rest)| rest.contains('\n'))
    });
    let (before, rest) = text.split_once("/#token=").unwrap();
    assert!(before.contains("the page of workspace main"), "{text}");
    let printed: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
    assert_eq!(printed, token(&stage));
}

#[test]
fn elsewhere_the_url_names_the_file_of_the_token() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let mut served = serve(&stage, &["--ui"], Stdio::piped());
    let err = BufReader::new(served.0.stderr.take().unwrap());
    let lines: Vec<String> = err.lines().take(3).map(Result::unwrap).collect();
    let page = lines.last().unwrap();
    let expected = "/#token=TOKEN, with the token in ";
    assert!(
        page.contains(expected) && page.ends_with("tokens/main.token"),
        "{page}"
    );
    let token = token(&stage);
    assert!(lines.iter().all(|line| !line.contains(&token)), "{lines:?}");
}
