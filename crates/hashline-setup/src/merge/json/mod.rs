//! Entries in a JSON file, with or without comments.
//!
//! The text is never printed anew: entries are added and removed by splices, so comments, indentation, line endings and commas stay.

mod add;
mod print;
mod remove;
mod tree;

use serde_json::{Map, Value};

use super::{Mend, Merged, Unmerged};
use crate::lines::Position;
use crate::owned::{Calls, Owned};
use crate::splice::spliced;
use print::Layout;
use tree::{Kind, Node, Tree};

/// An entry of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The keys of the object or list it stands in, from the top.
    pub path: Vec<String>,
    /// What it is there.
    pub item: Item,
}

/// What an entry is in the object or list it stands in.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A member of an object, by its name.
    Member(String, Value),
    /// A text in a list.
    Text(String),
    /// A group of hooks in a list of such groups: ours is the one that runs our hook.
    Hooks(Value),
}

impl Entry {
    /// Returns how people call it.
    #[must_use]
    pub fn name(&self) -> String {
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

/// Adds entries to a text.
pub(crate) fn install(text: &str, entries: &[Entry], mend: &Mend<'_>) -> Result<Merged, Unmerged> {
    let mut merged = Merged::from(text.to_owned());
    for entry in entries {
        let text = &merged.text;
        let tree = Tree::read(text)?;
        let Some(root) = &tree.root else {
            merged.text = begun(text, entry);
            continue;
        };
        let changed = match find(root, entry, mend.owned) {
            None => Some(added(text, &tree, root, entry)?),
            Some(found) if found.value.value() == entry.value() => None,
            Some(found) => {
                let at = Position::of(text, found.value.range.start);
                match mend.judge(&found.value.value()) {
                    super::Verdict::Replace => Some(replaced(text, &found, entry)),
                    super::Verdict::Keep => {
                        merged.kept.push(entry.name());
                        None
                    }
                    super::Verdict::Refuse => {
                        let name = entry.name();
                        return Err(Unmerged::Taken { name, at });
                    }
                }
            }
        };
        merged.text = changed.unwrap_or_else(|| text.clone());
    }
    Ok(merged)
}

/// Takes entries out of a text, wherever they stand by now. What became empty by that goes too, unless it stood there before.
pub(crate) fn uninstall(
    text: &str,
    entries: &[Entry],
    owned: &Owned,
    stood: &[Vec<String>],
) -> Result<String, Unmerged> {
    let mut text = text.to_owned();
    for entry in entries {
        let tree = Tree::read(&text)?;
        let Some(found) = tree.root.as_ref().and_then(|root| find(root, entry, owned)) else {
            continue;
        };
        let is_ours = match &entry.item {
            Item::Text(_) => true,
            Item::Member(..) | Item::Hooks(_) => {
                owned.runs_us(&found.value.value(), Calls::Anything)
            }
        };
        if !is_ours {
            continue;
        }
        text = match (&entry.item, foreign_hooks(found.value, owned)) {
            (Item::Hooks(_), Some(list)) => without_our_hooks(&text, list, owned)?,
            _ => {
                let splices = remove::remove(&text, &tree, found.list, found.index);
                without_empty(spliced(&text, &splices), &entry.path, stood)?
            }
        };
    }
    Ok(text)
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

fn find<'a>(root: &'a Node, entry: &Entry, owned: &Owned) -> Option<Found<'a>> {
    let list = root.below(&entry.path)?;
    let in_list = |is_it: &dyn Fn(&Node) -> bool| {
        let index = list.elements().iter().position(is_it)?;
        let value = &list.elements()[index];
        Some(Found { list, index, value })
    };
    match &entry.item {
        Item::Member(key, _) => {
            let Kind::Object(members) = &list.kind else {
                return None;
            };
            let index = members.iter().rposition(|member| member.key == *key)?;
            let value = &members[index].value;
            Some(Found { list, index, value })
        }
        Item::Text(text) => in_list(&|node| node.value() == **text),
        Item::Hooks(_) => in_list(&|node| owned.runs_us(&node.value(), Calls::Hook)),
    }
}

/// Begins the text of a file that holds no value yet.
fn begun(text: &str, entry: &Entry) -> String {
    let layout = Layout::Lines {
        ending: crate::lines::ending(text),
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
    Ok(spliced(text, &add::add(text, tree, list, write)))
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

fn replaced(text: &str, found: &Found<'_>, entry: &Entry) -> String {
    let range = found.value.range.clone();
    let layout = add::layout_at(text, range.start);
    let printed = print::print(&entry.value(), &layout);
    spliced(text, &[crate::splice::Splice::replace(range, printed)])
}

/// Returns the list of hooks of a group in which somebody else's stand beside ours.
fn foreign_hooks<'a>(group: &'a Node, owned: &Owned) -> Option<&'a Node> {
    let list = &group.member("hooks")?.value;
    let ours = |node: &Node| owned.runs_us(&node.value(), Calls::Hook);
    (!list.elements().iter().all(ours)).then_some(list)
}

/// Takes our hooks out of a group that is not ours alone.
fn without_our_hooks(text: &str, list: &Node, owned: &Owned) -> Result<String, Unmerged> {
    let tree = Tree::read(text)?;
    let ours = |node: &Node| owned.runs_us(&node.value(), Calls::Hook);
    match list.elements().iter().position(ours) {
        None => Ok(text.to_owned()),
        Some(index) => Ok(spliced(text, &remove::remove(text, &tree, list, index))),
    }
}

/// Takes away what an entry stood in, from the inside out, as long as nothing is left in it.
fn without_empty(text: String, path: &[String], stood: &[Vec<String>]) -> Result<String, Unmerged> {
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
    let inside = members[index].value.inside();
    let is_empty = members[index].value.items().is_empty()
        && tree.between(inside.start, inside.end).next().is_none();
    if !is_empty {
        return Ok(text);
    }
    let splices = remove::remove(&text, &tree, list, index);
    without_empty(spliced(&text, &splices), outer, stood)
}
