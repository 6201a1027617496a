//! A tree after a crash, or after somebody tampered with it: a journal, and files under every name that it may speak of.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use hashline_workspace::staging_name;

use crate::disk::{Disk, Image, Meddling, Offers};
use crate::forge::{Bytes, Entry, Forged, seal};
use crate::input::Input;

/// A file that no journal here names by itself.
pub(super) const FREE: &str = "free.txt";

/// Directories and names that journals are about. The directories `made` and `made/deep` are not there at first.
pub(super) const PLACES: [(&str, &str); 9] = [
    ("", "one"),
    ("a", "one"),
    ("a", "two"),
    ("a/b", "three"),
    ("made", "four"),
    ("made/deep", "five"),
    (".git", "config"),
    (".git/hooks", "pre-commit"),
    (".claude", "settings.json"),
];

/// What files hold: few different things, so that what a journal says of them is often true.
const CONTENTS: [&[u8]; 6] = [
    b"old\n",
    b"new\n",
    b"old\nand more\n",
    b"",
    b"\0\xff",
    &[b'x'; 2000],
];

/// The names of journals.
const JOURNALS: [&[&str]; 4] = [
    &["journal"],
    &["journal.done"],
    &["journal.tmp"],
    &["journal", "journal.done"],
];

/// A disk, and the bytes of the journals on it.
pub(super) struct Scene {
    pub(super) image: Image,
    pub(super) offers: Offers,
    pub(super) journal: Vec<u8>,
}

impl Scene {
    /// Makes a scene of some bytes.
    pub(super) fn read(input: &mut Input<'_>) -> Self {
        let offers = input.pick(&[Offers::All, Offers::Less]);
        let mut image = Image::with(&[
            (FREE, b"free\n"),
            ("a/b/other", b"other\n"),
            (".git/config", b"[core]\n"),
            (".git/hooks/pre-commit", b"#!/bin/sh\n"),
            (".claude/settings.json", b"{}\n"),
            (".hashline/.gitignore", b"*\n"),
        ]);
        for _ in 0..input.below(16) {
            put_something(&mut image, input);
        }
        let names = input.pick(&JOURNALS);
        let mode = if input.below(32) == 0 { 0o644 } else { 0o600 };
        let journal = journal(&image, input);
        for name in names {
            let path = Path::new(".hashline").join(name);
            image.put(&path, &journal);
            image.change_mode(&path, mode);
        }
        Self {
            image,
            offers,
            journal,
        }
    }

    pub(super) fn disk(&self) -> Disk {
        Disk::new(self.image.clone(), self.offers, Meddling::Nothing)
    }
}

/// A name beside a file, by its ending: staged bytes, displaced bytes, bytes that are not all there.
pub(super) fn beside(name: &str, ending: &str) -> OsString {
    let staged = staging_name(OsStr::new(name));
    Path::new(&staged).with_extension(ending).into()
}

/// The names of the copies of what the first entries overwrite.
pub(super) fn copies() -> impl Iterator<Item = PathBuf> {
    let each = |entry: usize| ["old", "new"].map(|which| format!("{entry}.{which}"));
    let names = (0..4).flat_map(each);
    names.map(|name| Path::new(".hashline").join(beside(&name, "new")))
}

fn content(input: &mut Input<'_>) -> Vec<u8> {
    match input.below(8) {
        0 => input.text().into_bytes(),
        1 => input.pick(&CONTENTS).to_vec(),
        _ => input.pick(&CONTENTS[..3]).to_vec(),
    }
}

/// Puts a file where a journal may look for one; sometimes a folder, or a second name of another file.
fn put_something(image: &mut Image, input: &mut Input<'_>) {
    let (dir, name) = input.pick(&PLACES[..6]);
    let dir = Path::new(dir);
    let target = dir.join(name);
    let staged = dir.join(beside(name, "new"));
    let displaced = dir.join(beside(name, "old"));
    match input.below(16) {
        0..4 => image.put(&target, &content(input)),
        4..8 => image.put(&staged, &content(input)),
        8 => image.put(&displaced, &content(input)),
        9 => image.put(&dir.join(beside(name, "tmp")), &content(input)),
        10 | 11 => {
            let copies: Vec<_> = copies().collect();
            image.put(&copies[input.below(copies.len())], &content(input));
        }
        12 => image.link(&target, &staged),
        13 => {
            let other = input.pick(&[&target, &staged]);
            image.link(other, &displaced);
        }
        14 => {
            let at = input.pick(&[&target, &staged, &displaced]);
            image.put(&at.join("inside"), b"in a folder\n");
        }
        _ => {
            let odd = input.pick(&["orphans", "foreign", "journal.tmp/x", "journal/x"]);
            image.put(&Path::new(".hashline").join(odd), b"in the way\n");
        }
    }
}

/// Makes a journal: any bytes, any bytes with a true checksum, a sound one, or a sound one that was tampered with.
fn journal(image: &Image, input: &mut Input<'_>) -> Vec<u8> {
    match input.below(8) {
        0 => input.0.to_vec(),
        1 => {
            let mut journal = [b"hashline journal 1\n", input.0].concat();
            seal(&mut journal);
            journal
        }
        2..5 => sound(image, input),
        _ => {
            let mut journal = sound(image, input);
            journal.truncate(journal.len() - 16);
            for _ in 0..=input.below(3) {
                let at = (input.below(256) * 256 + input.below(256)) % journal.len();
                match input.below(4) {
                    0 => _ = journal.remove(at),
                    1 => journal.insert(at, input.byte()),
                    _ => journal[at] = input.byte(),
                }
            }
            seal(&mut journal);
            journal
        }
    }
}

fn sound(image: &Image, input: &mut Input<'_>) -> Vec<u8> {
    let records = (0..=input.below(4)).map(|_| record(image, input));
    let forged = Forged {
        records: records.collect(),
        made: match input.below(4) {
            0 => vec![b"made".to_vec()],
            1 => vec![b"made".to_vec(), b"made/deep".to_vec()],
            _ => Vec::new(),
        },
        root: (input.below(32) == 1).then_some((7, 7)),
        count: None,
    };
    let root = image.identity(Path::new(""));
    forged.encode_for(root.expect("a disk has a root"))
}

fn record(image: &Image, input: &mut Input<'_>) -> Entry {
    let (dir, name) = match input.below(8) {
        0 => input.pick(&PLACES),
        _ => input.pick(&PLACES[..6]),
    };
    let digest = |input: &mut Input<'_>| match input.below(6) {
        0 => None,
        1 => Some(Bytes::of(content(input))),
        _ => Some(Bytes::of(input.pick(&CONTENTS[..3]))),
    };
    Entry {
        dir: dir.as_bytes().to_vec(),
        identity: match input.below(16) {
            0 => Some((7, 7)),
            _ => image.identity(Path::new(dir)),
        },
        name: name.as_bytes().to_vec(),
        overwritten: input.below(4) == 0,
        old: digest(input),
        new: digest(input),
    }
}
