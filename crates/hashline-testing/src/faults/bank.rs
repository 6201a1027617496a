//! T9: a bank whose clerks are killed at work. Money moves between files in requests over two of them; none may be lost or made.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::launch::Launch;
use super::trace::Run;
use super::{Bench, Extent, Row, tree};
use crate::random::Random;

const ACCOUNTS: usize = 8;
const CLERKS: u64 = 6;
const EACH: i64 = 1000;
/// How long a request may take before it counts as one that hangs.
const HANGS: Duration = Duration::from_secs(60);

/// T9: after any number of deaths the sum is what it was, every note that was acknowledged stands, and nothing lies about.
pub(super) fn killed_at_work(bench: &Bench, extent: Extent) -> Row {
    let mut row = Row::new("T9 bank");
    let deaths = match extent {
        Extent::Sample => 200,
        Extent::Full => 4000,
    };
    let bank = Bank::open(bench);
    let (killed, noted) = (
        AtomicUsize::new(0),
        [const { AtomicUsize::new(0) }; ACCOUNTS],
    );
    let found: Vec<String> = thread::scope(|scope| {
        let clerks: Vec<_> = (0..CLERKS)
            .map(|clerk| {
                let (bank, killed, noted) = (&bank, &killed, &noted);
                scope.spawn(move || bank.work(clerk, deaths, killed, noted))
            })
            .collect();
        clerks
            .into_iter()
            .flat_map(|clerk| {
                clerk
                    .join()
                    .unwrap_or_else(|_| vec!["a clerk panicked".into()])
            })
            .collect()
    });
    row.cases = killed.into_inner();
    row.violations.extend(found);
    row.violations.extend(bank.audit());
    row.violations.extend(bank.lost_notes(noted));
    row.control = usize::from(bank.loses_money_in_two_requests());
    row
}

/// The accounts.
struct Bank<'a> {
    bench: &'a Bench,
    root: PathBuf,
}

/// What a file says.
#[derive(Clone, Copy, Debug)]
struct Account {
    balance: i64,
    note: usize,
}

impl<'a> Bank<'a> {
    fn open(bench: &'a Bench) -> Self {
        let root = bench.scratch.join("bank");
        let text = format!("balance={EACH};\nnote=0;\n");
        let names: Vec<String> = (0..ACCOUNTS)
            .map(|account| format!("{account}/account"))
            .collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*text)).collect();
        tree::make(&root, &files);
        Self { bench, root }
    }

    /// Looks into a file, as anybody may at any time.
    fn read(&self, account: usize) -> Option<Account> {
        let text = fs::read_to_string(self.root.join(format!("{account}/account"))).ok()?;
        let (balance, note) = text.strip_suffix(";\n")?.split_once(";\n")?;
        Some(Account {
            balance: balance.strip_prefix("balance=")?.parse().ok()?,
            note: note.strip_prefix("note=")?.parse().ok()?,
        })
    }

    /// Moves money and makes notes until enough clerks died; tells what went wrong.
    fn work(
        &self,
        clerk: u64,
        deaths: usize,
        killed: &AtomicUsize,
        noted: &[AtomicUsize; ACCOUNTS],
    ) -> Vec<String> {
        let mut random = Random::new(clerk);
        let mut found = Vec::new();
        for _ in 0..deaths * 20 {
            if killed.load(Ordering::Relaxed) >= deaths || found.len() > 5 {
                break;
            }
            let (from, to) = (random.below(ACCOUNTS), random.below(ACCOUNTS));
            let (Some(payer), Some(payee)) = (self.read(from), self.read(to)) else {
                found.push("an account cannot be read".to_owned());
                continue;
            };
            let two = from != to;
            let request = if two {
                transfer(from, payer, to, payee, 1 + random.below(9))
            } else {
                note(from, payer)
            };
            let patience = random.chance(70).then(|| random.below(12_000) as u64);
            match self.send(&request, patience) {
                Sent::Killed => _ = killed.fetch_add(1, Ordering::Relaxed),
                Sent::Answered(run) if run.code == Some(0) && !two => {
                    noted[from].fetch_add(1, Ordering::Relaxed);
                }
                // Somebody else was faster; `text_not_found` is how that shows here.
                Sent::Answered(run)
                    if ["ok", "text_not_found", "stale", "busy"].contains(&run.outcome()) => {}
                Sent::Answered(run) => found.push(format!("clerk {clerk}: {}", run.text.trim())),
                Sent::Hung => found.push(format!("clerk {clerk}: no answer to {request}")),
            }
        }
        found
    }

    /// Sends a request, and kills who carries it out after so many microseconds, if any are given.
    fn send(&self, request: &str, patience: Option<u64>) -> Sent {
        let mut command = Command::new(&self.bench.driver);
        command.arg(&self.root).arg("apply");
        let mut child = started(command, request);
        if let Some(patience) = patience {
            thread::sleep(Duration::from_micros(patience));
            let _ = child.kill();
        }
        let deadline = Instant::now() + HANGS;
        while matches!(child.try_wait(), Ok(None)) {
            if Instant::now() > deadline {
                let _ = child.kill();
                let _ = child.wait();
                return Sent::Hung;
            }
            thread::sleep(Duration::from_micros(500));
        }
        let output = child.wait_with_output().expect("it ended");
        match output.status.code() {
            None => Sent::Killed,
            Some(code) => Sent::Answered(Run {
                code: Some(code),
                text: String::from_utf8_lossy(&output.stdout).into_owned(),
            }),
        }
    }

    /// Recovers, looks into every file as its readers do, and counts.
    fn audit(&self) -> Vec<String> {
        let mut found = Vec::new();
        let launch = Launch::new(self.bench, &self.root);
        let recovered = launch.run(["recover"], "");
        if recovered.code != Some(0) {
            found.push(recovered.text);
        }
        for account in 0..ACCOUNTS {
            let read = launch.run(["read", &format!("{account}/account")], "");
            if read.code != Some(0) {
                found.push(read.text);
            }
        }
        let sum = self.sum();
        let expected = EACH * i64::try_from(ACCOUNTS).unwrap_or_default();
        if sum != Some(expected) {
            found.push(format!("the sum is {sum:?} instead of {expected}"));
        }
        let strays = tree::without_orphans(tree::read(&self.root));
        let strays = strays.into_keys().filter(|name| {
            let parts: Vec<&str> = name.split('/').collect();
            !matches!(parts[..], [folder] | [folder, "account"] if folder.len() == 1)
        });
        found.extend(strays.map(|name| format!("{name} lies about")));
        found
    }

    /// Compares the notes that were acknowledged with those that stand.
    fn lost_notes(&self, noted: [AtomicUsize; ACCOUNTS]) -> Vec<String> {
        let lost = |(account, noted): (usize, AtomicUsize)| {
            let stands = self.read(account).map_or(0, |account| account.note);
            let noted = noted.into_inner();
            (stands < noted).then(|| format!("account {account}: {noted} notes, {stands} stand"))
        };
        noted.into_iter().enumerate().filter_map(lost).collect()
    }

    fn sum(&self) -> Option<i64> {
        let balance = |account| self.read(account).map(|account| account.balance);
        (0..ACCOUNTS).map(balance).sum()
    }

    /// The control: the same in two requests, by a clerk who dies between them.
    fn loses_money_in_two_requests(&self) -> bool {
        let Some(before) = self.sum() else {
            return true;
        };
        for turn in 0..200 {
            let (Some(payer), Some(payee)) = (self.read(0), self.read(1)) else {
                return true;
            };
            let halves = [
                change(0, payer, payer.balance - 1),
                change(1, payee, payee.balance + 1),
            ];
            let requests = halves.map(|half| format!(r#"{{"files":[{half}]}}"#));
            let mut command = Command::new("sh");
            let script = r#"printf %s "$2" | "$0" "$1" apply; printf %s "$3" | "$0" "$1" apply"#;
            command
                .args(["-c", script])
                .arg(&self.bench.driver)
                .arg(&self.root);
            command.args(&requests);
            let mut clerk = started(command, "");
            thread::sleep(Duration::from_micros(turn * 200));
            let _ = clerk.kill();
            let _ = clerk.wait_with_output();
            if self.sum() != Some(before) {
                return true;
            }
        }
        false
    }
}

/// What became of a request.
enum Sent {
    Killed,
    Hung,
    Answered(Run),
}

fn started(mut command: Command, input: &str) -> Child {
    use std::io::Write;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the driver can be started");
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(input.as_bytes());
    }
    child
}

fn transfer(from: usize, payer: Account, to: usize, payee: Account, amount: usize) -> String {
    let amount = i64::try_from(amount).unwrap_or(1);
    let (pays, gets) = (
        change(from, payer, payer.balance - amount),
        change(to, payee, payee.balance + amount),
    );
    format!(r#"{{"files":[{pays},{gets}]}}"#)
}

/// Says that a balance becomes another: only if it still is what was seen.
fn change(account: usize, seen: Account, balance: i64) -> String {
    let old = seen.balance;
    format!(
        r#"{{"path":"{account}/account","edits":[{{"op":"substitute","old":"balance={old};","new":"balance={balance};"}}]}}"#
    )
}

fn note(account: usize, seen: Account) -> String {
    let (old, new) = (seen.note, seen.note + 1);
    format!(
        r#"{{"path":"{account}/account","edits":[{{"op":"substitute","old":"note={old};","new":"note={new};"}}]}}"#
    )
}
