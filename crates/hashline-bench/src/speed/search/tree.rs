//! The tree that is searched: real code in many small files, some of it not to be looked at.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::made_text;
use crate::rng::Rng;

/// What is looked for.
pub(in crate::speed) const NEEDLE: &str = "needle_in_the_haystack";

const FILES_A_FOLDER: usize = 40;
/// One file in so many has a line with the needle.
const RARE: usize = 40;
/// Lines of code that are cut into files, over and over.
const LINES: usize = 50_000;

/// Writes so many files; returns how many have the needle, each on one line. Each folder has a further file that is ignored.
pub(in crate::speed) fn plant(root: &Path, files: usize) -> Result<usize> {
    let code = made_text::code(LINES)?;
    let lines: Vec<&str> = code.lines().collect();
    let mut rng = Rng::new(20_000, &[]);
    fs::create_dir_all(root.join(".git"))?;
    fs::write(root.join(".gitignore"), "*.log\n/target/\n")?;
    let mut matching = 0;
    for file in 0..files {
        let folder = file / FILES_A_FOLDER;
        let path = root.join(format!("part{}/module{folder}", folder % 16));
        if file % FILES_A_FOLDER == 0 {
            fs::create_dir_all(&path)?;
            fs::write(path.join("run.log"), format!("{NEEDLE}\n"))?;
        }
        let length = rng.between(20, 160);
        let start = rng.below(lines.len() - length);
        let mut text: Vec<&str> = lines[start..start + length].to_vec();
        if file % RARE == 0 {
            matching += 1;
            text.insert(length / 2, NEEDLE);
        }
        fs::write(path.join(format!("file{file}.rs")), text.join("\n") + "\n")?;
    }
    Ok(matching)
}
