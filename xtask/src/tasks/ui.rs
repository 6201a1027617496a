//! `ui`: a real browser on the page of `hashline serve --ui`.

use crate::command::{Command, cargo, root, target};
use crate::failure::Failure;
use crate::tool;

/// Where the pictures of the documentation are.
const PICTURES: &str = "docs/images";

/// Builds the program, installs the browser and the packages unless they are there, and runs the tests. With `--pictures`, the pictures of the
/// documentation are taken again.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    let (pictures, args): (Vec<_>, Vec<_>) = args.iter().partition(|arg| *arg == "--pictures");
    let args: Vec<String> = args.into_iter().cloned().collect();
    cargo("build --locked -p hashline-cli").run()?;
    // The page's letters are drawn too, for which the browser brings no font.
    tool::offer_program("chromium", "chromium fonts-dejavu-core");
    tool::npm_packages("clients/ui")?;
    let program = target().join("debug/hashline").display().to_string();
    let tests = Command::new("node", "--test").args(&args);
    let tests = tests.args(&["page", "look"].map(|name| format!("clients/ui/{name}.test.mjs")));
    let tests = tests.env("HASHLINE_BIN", &program);
    let place = root().join(PICTURES).display().to_string();
    match pictures.as_slice() {
        [] => tests.run(),
        _ => tests.env("UI_PICTURES", &place).run(),
    }
}

/// Returns the command of this task, for the steps of another.
pub(super) fn command() -> Command {
    cargo("xtask ui")
}
