//! Entries in a JSON file, with or without comments.
//!
//! The text is never printed anew: entries are added and removed by splices, so comments, indentation, line endings and commas stay.

mod add;
mod print;
mod remove;
mod tree;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Fate, Leave, Mend, Merged, Reach, Remarks, Theirs, Unmerged, Verdict};
use crate::setup::lines::Position;
use crate::setup::owned::{Calls, Owned};
use crate::setup::splice::{Splice, spliced};
use print::Layout;
use tree::{Kind, Node, Tree};

/// An entry of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The keys of the object or list it stands in, from the top.
    pub(crate) path: Vec<String>,
    /// What it is there.
    pub(crate) item: Item,
}

/// What an entry is in the object or list it stands in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Item {
    /// A member of an object, by its name.
    Member(String, Value),
    /// A text in a list.
    Text(String),
    /// A group of hooks in a list of such groups: ours is the one that runs our hook.
    Hooks(Value),
}

impl Entry {
    /// Returns how people call it.
    pub(crate) fn name(&self) -> String {
        let last = match &self.item {
            Item::Member(key, _) => Some(key.clone()),
            Item::Text(text) => Some(format!("\"{text}\"")),
            Item::Hooks(_) => None,
        };
        let path = self.path.iter().cloned();
        path.chain(last).collect::<Vec<_>>().join(".")
    }

    /// Returns its value.
    pub(crate) fn value(&self) -> Value {
        match &self.item {
            Item::Member(_, value) | Item::Hooks(value) => value.clone(),
            Item::Text(text) => Value::from(text.as_str()),
        }
    }
}

/// Where an entry stands already: its list, and its place in that.
struct Found<'a> {
    list: &'a Node,
    index: usize,
    value: &'a Node,
}

impl Found<'_> {
    /// Returns where it stands, with its key if it has one.
    fn range(&self) -> Range<usize> {
        self.list.items()[self.index].clone()
    }
}

/// Adds entries to a text.
pub(crate) fn install(text: &str, entries: &[Entry], mend: &Mend<'_>) -> Result<Merged, Unmerged> {
    let mut merged = Merged::from(text.to_owned());
    for entry in entries {
        // Several groups may run our hook: each step deals with one.
        while let Some(text) = step(&merged.text, entry, mend)? {
            merged.text = text;
        }
        if !is_there(&merged.text, entry)? {
            merged.kept.push(entry.name());
        }
    }
    Ok(merged)
}

/// Brings an entry one step nearer to how it should stand; nothing if no step is left.
fn step(text: &str, entry: &Entry, mend: &Mend<'_>) -> Result<Option<String>, Unmerged> {
    let tree = Tree::read(text)?;
    let Some(root) = &tree.root else {
        return Ok(Some(begun(text, entry)));
    };
    let ours = entry.value();
    let is_current = exact(root, entry).is_some();
    let mut is_kept = false;
    for found in places(root, entry, mend.owned) {
        let value = found.value.value();
        if value == ours {
            continue;
        }
        match mend.judge(&value, &ours, remarks(&tree, &found.value.range)) {
            Verdict::Keep => is_kept = true,
            Verdict::Replace
                if is_current || foreign_hooks(&found, entry, mend.owned).is_some() =>
            {
                return without(text, &tree, &found, entry, mend.owned).map(Some);
            }
            Verdict::Replace => return replaced(text, &tree, &found, entry).map(Some),
            Verdict::Refuse => {
                let at = Position::of(text, found.value.range.start);
                let name = entry.name();
                return Err(Unmerged::Taken { name, at });
            }
        }
    }
    match is_current || is_kept {
        true => Ok(None),
        false => added(text, &tree, root, entry).map(Some),
    }
}

fn is_there(text: &str, entry: &Entry) -> Result<bool, Unmerged> {
    let tree = Tree::read(text)?;
    let list = tree.root.as_ref().and_then(|root| root.below(&entry.path));
    let ours = entry.value();
    Ok(list.is_some_and(|list| match &entry.item {
        Item::Member(key, _) => list
            .member(key)
            .is_some_and(|one| one.value.value() == ours),
        Item::Text(_) | Item::Hooks(_) => list.elements().iter().any(|one| one.value() == ours),
    }))
}

/// Takes entries out of a text, wherever they stand by now. What became empty by that goes too, unless it stood there before.
pub(crate) fn uninstall(
    text: &str,
    entries: &[Entry],
    leave: &Leave<'_>,
) -> Result<Merged, Unmerged> {
    let mut merged = Merged::from(text.to_owned());
    // Anybody may have written a text: without a receipt it counts as ours only beside what surely is.
    let takes_texts =
        leave.known.is_some() || leave.reach == Reach::Forced || has_ours(text, entries, leave)?;
    for entry in entries {
        if matches!(entry.item, Item::Text(_)) && !takes_texts {
            continue;
        }
        match leave.theirs(&entry.name()) {
            Some(theirs) if !goes_anyway(theirs, entry, leave) => {
                merged.text = given_back(&merged.text, entry, theirs)?;
                if has_ours(&merged.text, std::slice::from_ref(entry), leave)? {
                    merged.kept.push(entry.name());
                }
            }
            _ => {
                merged.text = without_all(merged.text, entry, leave)?;
                if has_ours(&merged.text, std::slice::from_ref(entry), leave)? {
                    merged.kept.push(entry.name());
                }
            }
        }
    }
    Ok(merged)
}

/// Returns what stands in the places of entries in a text that setup has not touched.
pub(crate) fn theirs(text: &str, entries: &[Entry], owned: &Owned) -> Vec<Theirs> {
    let tree = Tree::read(text).ok();
    let Some(root) = tree.as_ref().and_then(|tree| tree.root.as_ref()) else {
        return Vec::new();
    };
    let of = |entry: &Entry| {
        let found = find(root, entry, owned)?;
        // From such a group only our own hooks are ever taken; the rest was never replaced.
        let is_shared = foreign_hooks(&found, entry, owned).is_some();
        let text = &text[found.value.range.clone()];
        Some(Theirs {
            name: entry.name(),
            text: if is_shared {
                String::new()
            } else {
                text.to_owned()
            },
        })
    };
    entries.iter().filter_map(of).collect()
}

/// Tells whether something that stood there before goes all the same: it runs hashline, and that is to go whoever put it there.
fn goes_anyway(theirs: &Theirs, entry: &Entry, leave: &Leave<'_>) -> bool {
    let runs_us = || leave.owned.runs_us(&parsed(&theirs.text), Calls::Anything);
    let is_hooks = matches!(entry.item, Item::Hooks(_));
    leave.reach == Reach::Forced && (is_hooks || runs_us())
}

/// Puts what stood in the place of an entry there again, if setup took the place.
fn given_back(text: &str, entry: &Entry, theirs: &Theirs) -> Result<String, Unmerged> {
    let tree = Tree::read(text)?;
    let ours = entry.value();
    let places = tree.root.as_ref().map(|root| exact(root, entry));
    match places.flatten() {
        Some(found) if theirs.text.is_empty() => {
            let splices = remove::remove(text, &tree, found.list, found.index);
            checked(text, &tree, &splices, found.range(), entry)
        }
        Some(found) if parsed(&theirs.text) != ours => {
            let range = found.value.range.clone();
            let splices = [Splice::replace(range.clone(), theirs.text.clone())];
            checked(text, &tree, &splices, range, entry)
        }
        _ => Ok(text.to_owned()),
    }
}

/// Takes everything of ours out that stands where an entry would.
fn without_all(mut text: String, entry: &Entry, leave: &Leave<'_>) -> Result<String, Unmerged> {
    let stood = leave.known.map_or(&[][..], |known| known.stood);
    loop {
        let tree = Tree::read(&text)?;
        let places = tree
            .root
            .as_ref()
            .map(|root| places(root, entry, leave.owned));
        let mut places = places.into_iter().flatten();
        let goes = |found: &Found<'_>| fate(&tree, found, entry, leave) == Fate::Goes;
        let Some(found) = places.find(goes) else {
            return Ok(text);
        };
        let shorter = without(&text, &tree, &found, entry, leave.owned)?;
        text = without_empty(shorter, entry, &entry.path, stood)?;
    }
}

/// Says what becomes of something that stands where an entry would: of a group that is not ours alone, of our hook in it.
fn fate(tree: &Tree, found: &Found<'_>, entry: &Entry, leave: &Leave<'_>) -> Fate {
    let ours = entry.value();
    let of = |node: &Node, range: &Range<usize>, ours: &Value, calls| {
        leave.fate(&node.value(), ours, calls, remarks(tree, range))
    };
    let whole = |calls| of(found.value, &found.range(), &ours, calls);
    match &entry.item {
        Item::Text(_) => Fate::Goes,
        Item::Member(..) => whole(Calls::Anything),
        Item::Hooks(_) => match foreign_hooks(found, entry, leave.owned) {
            Some((list, index)) => {
                let hook = &list.elements()[index];
                of(hook, &hook.range, &ours["hooks"][0], Calls::Hook)
            }
            None => whole(Calls::Hook),
        },
    }
}

/// Tells whether there are comments in a range.
fn remarks(tree: &Tree, range: &Range<usize>) -> Remarks {
    let mut marks = tree.between(range.start, range.end);
    match marks.any(|mark| !mark.is_comma) {
        true => Remarks::Some,
        false => Remarks::None,
    }
}

/// Tells whether something stands in a text that is surely ours.
fn has_ours(text: &str, entries: &[Entry], leave: &Leave<'_>) -> Result<bool, Unmerged> {
    let tree = Tree::read(text)?;
    let Some(root) = &tree.root else {
        return Ok(false);
    };
    let sure = |entry: &&Entry| !matches!(entry.item, Item::Text(_));
    let mut entries = entries.iter().filter(sure);
    Ok(entries.any(|entry| {
        let mut places = places(root, entry, leave.owned).into_iter();
        places.any(|found| fate(&tree, &found, entry, leave) != Fate::NotOurs)
    }))
}

/// Takes one entry out: of a group that is not ours alone, only our hook.
fn without(
    text: &str,
    tree: &Tree,
    found: &Found<'_>,
    entry: &Entry,
    owned: &Owned,
) -> Result<String, Unmerged> {
    let (list, index) = match foreign_hooks(found, entry, owned) {
        Some((list, index)) => (list, index),
        None => (found.list, found.index),
    };
    let splices = remove::remove(text, tree, list, index);
    checked(text, tree, &splices, list.items()[index].clone(), entry)
}

/// Makes splices for the sake of an entry, if all that the text says besides a range is said afterwards as well.
fn checked(
    text: &str,
    tree: &Tree,
    splices: &[Splice],
    gone: Range<usize>,
    entry: &Entry,
) -> Result<String, Unmerged> {
    let new = spliced(text, splices);
    match Tree::read(&new) {
        Ok(read) if read.says_all(&new, tree, text, &gone) => Ok(new),
        _ => Err(Unmerged::Entangled {
            name: entry.name(),
            at: Position::of(text, gone.start),
        }),
    }
}

/// Returns the objects and lists that entries go into and that stand in a text already, by their keys.
pub(crate) fn standing(text: &str, entries: &[Entry]) -> Vec<Vec<String>> {
    let Some(root) = Tree::read(text).ok().and_then(|tree| tree.root) else {
        return Vec::new();
    };
    let mut found: Vec<Vec<String>> = Vec::new();
    for entry in entries {
        let prefixes = (1..=entry.path.len()).map(|depth| entry.path[..depth].to_vec());
        let new = prefixes.filter(|path| root.below(path).is_some() && !found.contains(path));
        let new: Vec<Vec<String>> = new.collect();
        found.extend(new);
    }
    found
}

/// Returns the names of the entries that are texts and stand in a list already.
pub(crate) fn standing_texts(text: &str, entries: &[Entry]) -> Vec<String> {
    let root = Tree::read(text).ok().and_then(|tree| tree.root);
    let stands = |entry: &&Entry| {
        let is_text = matches!(entry.item, Item::Text(_));
        is_text
            && root
                .as_ref()
                .is_some_and(|root| exact(root, entry).is_some())
    };
    entries.iter().filter(stands).map(Entry::name).collect()
}

/// Tells whether one of the entries stands in a text and runs hashline. A text that cannot be read counts: who looks closer will say so.
pub(crate) fn runs_us(text: &str, entries: &[Entry], owned: &Owned) -> bool {
    let leave = Leave {
        owned,
        reach: Reach::Running,
        known: None,
    };
    has_ours(text, entries, &leave).unwrap_or(true)
}

/// Returns which of the entries stand in a text just as they should, in the same order.
pub(crate) fn present(
    text: &str,
    entries: &[Entry],
    owned: &Owned,
) -> Result<Vec<Presence>, Unmerged> {
    let tree = Tree::read(text)?;
    let state = |entry: &Entry| {
        let found = tree
            .root
            .as_ref()
            .and_then(|root| find(root, entry, owned))?;
        Some(found.value.value())
    };
    Ok(entries
        .iter()
        .map(|entry| match state(entry) {
            None => Presence::Missing,
            Some(value) if value == entry.value() => Presence::Current,
            Some(value) if owned.runs_us(&value, Calls::Anything) => Presence::Differs(value),
            Some(_) => Presence::Foreign,
        })
        .collect())
}

/// How an entry stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Presence {
    /// It is not there.
    Missing,
    /// It is there, as setup would write it.
    Current,
    /// It is there and runs hashline, but otherwise than setup would write it.
    Differs(Value),
    /// Its place is taken by something else.
    Foreign,
}

/// Returns the value of a text below some keys, if the text can be read and has it.
pub(crate) fn look_up(text: &str, path: &[&str]) -> Option<Value> {
    let path: Vec<String> = path.iter().map(|&key| key.to_owned()).collect();
    let tree = Tree::read(text).ok()?;
    Some(tree.root?.below(&path)?.value())
}

/// Tells whether a text holds nothing: no value at all, or an empty object, and no comment.
pub(crate) fn is_blank(text: &str) -> bool {
    let Ok(tree) = Tree::read(text) else {
        return false;
    };
    let empty = match &tree.root {
        None => true,
        Some(root) => matches!(&root.kind, Kind::Object(members) if members.is_empty()),
    };
    empty && tree.marks.is_empty()
}

/// Returns where an entry stands: where it is just as it should be, or else the first place that is ours.
fn find<'a>(root: &'a Node, entry: &Entry, owned: &Owned) -> Option<Found<'a>> {
    let first = || places(root, entry, owned).into_iter().next();
    exact(root, entry).or_else(first)
}

/// Returns where an entry stands just as it should.
fn exact<'a>(root: &'a Node, entry: &Entry) -> Option<Found<'a>> {
    let ours = entry.value();
    let mut all = candidates(root, entry).into_iter();
    all.find(|found| found.value.value() == ours)
}

/// Returns where an entry stands, whatever it reads like there: the member of its name, its text, the groups that run our hook.
fn places<'a>(root: &'a Node, entry: &Entry, owned: &Owned) -> Vec<Found<'a>> {
    let mut found = candidates(root, entry);
    found.retain(|found| match &entry.item {
        Item::Member(..) => true,
        Item::Text(text) => found.value.value() == **text,
        Item::Hooks(_) => owned.runs_us(&found.value.value(), Calls::Hook),
    });
    found
}

fn candidates<'a>(root: &'a Node, entry: &Entry) -> Vec<Found<'a>> {
    let Some(list) = root.below(&entry.path) else {
        return Vec::new();
    };
    match (&entry.item, &list.kind) {
        (Item::Member(key, _), Kind::Object(members)) => {
            let index = members.iter().rposition(|member| member.key == *key);
            let found = index.map(|index| Found {
                list,
                index,
                value: &members[index].value,
            });
            found.into_iter().collect()
        }
        (Item::Text(_) | Item::Hooks(_), Kind::Array(elements)) => {
            let elements = elements.iter().enumerate();
            let found = elements.map(|(index, value)| Found { list, index, value });
            found.collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the value of a text that stood in a file; null if it is none.
fn parsed(text: &str) -> Value {
    let tree = Tree::read(text).ok();
    let root = tree.and_then(|tree| tree.root);
    root.map(|root| root.value()).unwrap_or_default()
}

/// Begins the text of a file that holds no value yet.
fn begun(text: &str, entry: &Entry) -> String {
    let layout = Layout::Lines {
        ending: crate::setup::lines::ending(text),
        indent: String::new(),
        unit: "  ".to_owned(),
    };
    let gap = match text.trim_end_matches([' ', '\t', '\r', '\n']) {
        "" => String::new(),
        comments => format!("{comments}{}", layout.line()),
    };
    let value = nested(&entry.path, &entry.item);
    format!("{gap}{}{}", print::print(&value, &layout), layout.line())
}

/// Adds an entry, and the objects and lists it stands in as far as they are missing.
fn added(text: &str, tree: &Tree, root: &Node, entry: &Entry) -> Result<String, Unmerged> {
    let mut list = root;
    let mut depth = 0;
    while let Some(member) = entry.path.get(depth).and_then(|key| list.member(key)) {
        list = &member.value;
        depth += 1;
    }
    let missing = &entry.path[depth..];
    let takes_text_or_hooks = missing.is_empty() && !matches!(entry.item, Item::Member(..));
    let fits = match &list.kind {
        Kind::Object(_) => !takes_text_or_hooks,
        Kind::Array(_) => takes_text_or_hooks,
        Kind::Scalar(_) => false,
    };
    if !fits {
        return Err(Unmerged::WrongKind {
            name: match &entry.path[..depth] {
                [] => "the value".to_owned(),
                path => path.join("."),
            },
            at: Position::of(text, list.range.start),
            wanted: if takes_text_or_hooks {
                "a list"
            } else {
                "an object"
            },
        });
    }
    let write = |layout: &Layout| match (missing.split_first(), &entry.item) {
        (Some((key, rest)), item) => print::member(key, &nested(rest, item), layout),
        (None, Item::Member(key, value)) => print::member(key, value, layout),
        (None, _) => print::print(&entry.value(), layout),
    };
    let end = list.inside().end;
    let splices = add::add(text, tree, list, write);
    checked(text, tree, &splices, end..end, entry)
}

/// Returns an item inside the objects that its path names.
fn nested(path: &[String], item: &Item) -> Value {
    let innermost = match item {
        Item::Member(key, value) => Value::Object(Map::from_iter([(key.clone(), value.clone())])),
        Item::Text(text) => Value::from(vec![text.as_str()]),
        Item::Hooks(value) => Value::from(vec![value.clone()]),
    };
    path.iter().rev().fold(innermost, |value, key| {
        Value::Object(Map::from_iter([(key.clone(), value)]))
    })
}

fn replaced(text: &str, tree: &Tree, found: &Found<'_>, entry: &Entry) -> Result<String, Unmerged> {
    let range = found.value.range.clone();
    let layout = add::layout_at(text, range.start);
    let printed = print::print(&entry.value(), &layout);
    let splices = [Splice::replace(range.clone(), printed)];
    checked(text, tree, &splices, range, entry)
}

/// Returns where our hook stands in a group in which somebody else's stand beside it.
fn foreign_hooks<'a>(found: &Found<'a>, entry: &Entry, owned: &Owned) -> Option<(&'a Node, usize)> {
    if !matches!(entry.item, Item::Hooks(_)) {
        return None;
    }
    let list = &found.value.member("hooks")?.value;
    let ours = |node: &Node| owned.runs_us(&node.value(), Calls::Hook);
    let elements = list.elements();
    let index = elements.iter().position(ours)?;
    (!elements.iter().all(ours)).then_some((list, index))
}

/// Takes away what an entry stood in, from the inside out, as long as nothing is left in it.
fn without_empty(
    text: String,
    entry: &Entry,
    path: &[String],
    stood: &[Vec<String>],
) -> Result<String, Unmerged> {
    let may_go = !stood.iter().any(|stood| stood == path);
    let Some((last, outer)) = path.split_last().filter(|_| may_go) else {
        return Ok(text);
    };
    let tree = Tree::read(&text)?;
    let outer_list = tree.root.as_ref().and_then(|root| root.below(outer));
    let Some((list, Kind::Object(members))) = outer_list.map(|list| (list, &list.kind)) else {
        return Ok(text);
    };
    let Some(index) = members.iter().rposition(|member| member.key == *last) else {
        return Ok(text);
    };
    let Range { start, end } = members[index].range;
    let is_empty =
        members[index].value.items().is_empty() && tree.between(start, end).next().is_none();
    if !is_empty {
        return Ok(text);
    }
    let splices = remove::remove(&text, &tree, list, index);
    let gone = members[index].range.clone();
    let shorter = checked(&text, &tree, &splices, gone, entry)?;
    without_empty(shorter, entry, outer, stood)
}
