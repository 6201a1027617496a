//! Entries in a JSON file, with or without comments.
//!
//! The text is never printed anew: entries are added and removed by splices, so comments, indentation, line endings and commas stay.

use jsonc_parser::ast::Value as Node;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json_text::{JsonText, Layout, elements, inside, items, member, range, value};
use super::{
    Conflict, Existing, InstallRules, MergeError, Merged, Reach, Removal, RemoveRules, Replaced,
};
use crate::setup::ownership::{Calls, Ownership};
use crate::setup::text::{Position, Splice, ending};

/// An entry that setup writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JsonEntry {
    /// The keys of the object or list it stands in, from the top.
    pub(crate) path: Vec<String>,
    /// What it is there.
    pub(crate) item: JsonItem,
}

/// What an entry is in the object or list it stands in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum JsonItem {
    /// A member of an object, by its name.
    Member(String, Value),
    /// A text in a list.
    Text(String),
    /// A group of hooks in a list of such groups: ours is the one that runs our hook.
    Hooks(Value),
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

impl JsonEntry {
    /// Returns its name for messages and receipts.
    pub(crate) fn name(&self) -> String {
        let last = match &self.item {
            JsonItem::Member(key, _) => Some(key.clone()),
            JsonItem::Text(text) => Some(format!("\"{text}\"")),
            JsonItem::Hooks(_) => None,
        };
        let path = self.path.iter().cloned();
        path.chain(last).collect::<Vec<_>>().join(".")
    }

    /// Returns its value.
    pub(crate) fn value(&self) -> Value {
        match &self.item {
            JsonItem::Member(_, value) | JsonItem::Hooks(value) => value.clone(),
            JsonItem::Text(text) => Value::from(text.as_str()),
        }
    }

    /// Returns its value inside the objects that the keys of its path name, from a depth on.
    fn nested(&self, depth: usize) -> Value {
        let object = |key: &String, value| Value::Object(Map::from_iter([(key.clone(), value)]));
        let innermost = match &self.item {
            JsonItem::Member(key, value) => object(key, value.clone()),
            JsonItem::Text(_) | JsonItem::Hooks(_) => Value::from(vec![self.value()]),
        };
        let outer = self.path[depth..].iter().rev();
        outer.fold(innermost, |value, key| object(key, value))
    }
}

/// Where an entry stands: its list, and its place in that.
struct FoundEntry<'a, 't> {
    list: &'a Node<'t>,
    index: usize,
    node: &'a Node<'t>,
}

impl<'a, 't> FoundEntry<'a, 't> {
    fn value(&self) -> Value {
        value(self.node)
    }

    /// Returns our hook in a group in which somebody else's stand beside it.
    fn hook_in_shared_group(&self, entry: &JsonEntry, ownership: &Ownership) -> Option<Self> {
        if !matches!(entry.item, JsonItem::Hooks(_)) {
            return None;
        }
        let list = &member(self.node, "hooks")?.value;
        let is_ours = |node: &Node<'_>| ownership.runs_hashline(&value(node), Calls::Hook);
        let index = elements(list).iter().position(is_ours)?;
        let is_shared = !elements(list).iter().all(is_ours);
        let node = &elements(list)[index];
        is_shared.then_some(Self { list, index, node })
    }
}

/// Adds entries to a text.
pub(crate) fn install(
    text: &str,
    entries: &[JsonEntry],
    rules: &InstallRules<'_>,
) -> Result<Merged, MergeError> {
    let mut merged = Merged::from(text.to_owned());
    for entry in entries {
        // Several groups may run our hook: each step deals with one.
        while let Some(text) = install_step(&merged.text, entry, rules)? {
            merged.text = text;
        }
        if exact(&JsonText::parse(&merged.text)?, entry).is_none() {
            merged.kept.push(entry.name());
        }
    }
    Ok(merged)
}

/// Brings an entry one step nearer to how it should stand; nothing if no step is left.
fn install_step(
    text: &str,
    entry: &JsonEntry,
    rules: &InstallRules<'_>,
) -> Result<Option<String>, MergeError> {
    let json = JsonText::parse(text)?;
    if json.root.is_none() {
        return Ok(Some(begin(text, entry)));
    }
    let ours = entry.value();
    let is_current = exact(&json, entry).is_some();
    let mut is_kept = false;
    for found in places(&json, entry, rules.ownership) {
        let existing = Existing {
            value: found.value(),
            has_comments: json.has_comments(&range(found.node)),
        };
        if existing.value == ours {
            continue;
        }
        let is_shared = || found.hook_in_shared_group(entry, rules.ownership).is_some();
        match rules.judge(&existing, &ours) {
            Conflict::Keep => is_kept = true,
            Conflict::Replace if is_current || is_shared() => {
                return without(&json, &found, entry, rules.ownership).map(Some);
            }
            Conflict::Replace => {
                let layout = json.layout_at(range(found.node).start);
                return replaced(&json, &found, layout.print(&ours), entry).map(Some);
            }
            Conflict::Refuse => {
                return Err(MergeError::Taken {
                    name: entry.name(),
                    at: Position::of(text, range(found.node).start),
                });
            }
        }
    }
    if is_current || is_kept {
        return Ok(None);
    }
    added(&json, entry).map(Some)
}

/// Takes entries out of a text, wherever they stand by now. What became empty by that goes too, unless it stood there before.
pub(crate) fn uninstall(
    text: &str,
    entries: &[JsonEntry],
    rules: &RemoveRules<'_>,
) -> Result<Merged, MergeError> {
    let mut merged = Merged::from(text.to_owned());
    // Anybody may have written a text: without a receipt it counts as ours only beside what surely is.
    let takes_texts =
        rules.receipt.is_some() || rules.reach == Reach::Forced || has_ours(text, entries, rules)?;
    for entry in entries {
        if matches!(entry.item, JsonItem::Text(_)) && !takes_texts {
            continue;
        }
        let replaced = rules.replaced(&entry.name());
        merged.text = match replaced.filter(|replaced| !goes_anyway(replaced, entry, rules)) {
            Some(replaced) => given_back(merged.text, entry, replaced)?,
            None => without_all(merged.text, entry, rules)?,
        };
        if has_ours(&merged.text, std::slice::from_ref(entry), rules)? {
            merged.kept.push(entry.name());
        }
    }
    Ok(merged)
}

/// Returns what stands in the places of entries in a text that setup has not touched.
pub(crate) fn in_our_places(
    text: &str,
    entries: &[JsonEntry],
    ownership: &Ownership,
) -> Vec<Replaced> {
    let Ok(json) = JsonText::parse(text) else {
        return Vec::new();
    };
    let of = |entry: &JsonEntry| {
        let found = find(&json, entry, ownership)?;
        // From a shared group only our own hooks are ever taken; the rest was never replaced.
        let is_shared = found.hook_in_shared_group(entry, ownership).is_some();
        let text = if is_shared {
            ""
        } else {
            &text[range(found.node)]
        };
        Some(Replaced {
            name: entry.name(),
            text: text.to_owned(),
        })
    };
    entries.iter().filter_map(of).collect()
}

/// Returns the objects and lists that entries go into and that stand in a text already, by their keys.
pub(crate) fn standing(text: &str, entries: &[JsonEntry]) -> Vec<Vec<String>> {
    let Ok(json) = JsonText::parse(text) else {
        return Vec::new();
    };
    let mut found: Vec<Vec<String>> = Vec::new();
    for entry in entries {
        for path in (1..=entry.path.len()).map(|depth| entry.path[..depth].to_vec()) {
            if json.below(&path).is_some() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the names of the entries that are texts and stand in a list already.
pub(crate) fn standing_texts(text: &str, entries: &[JsonEntry]) -> Vec<String> {
    let Ok(json) = JsonText::parse(text) else {
        return Vec::new();
    };
    let texts = entries
        .iter()
        .filter(|entry| matches!(entry.item, JsonItem::Text(_)));
    texts
        .filter(|entry| exact(&json, entry).is_some())
        .map(JsonEntry::name)
        .collect()
}

/// Tells whether one of the entries stands in a text and runs hashline. A text that cannot be parsed counts: whoever looks closer will
/// report it.
pub(crate) fn runs_hashline(text: &str, entries: &[JsonEntry], ownership: &Ownership) -> bool {
    let rules = RemoveRules {
        ownership,
        reach: Reach::Running,
        receipt: None,
    };
    has_ours(text, entries, &rules).unwrap_or(true)
}

/// Returns how each of the entries stands in a text.
pub(crate) fn presence(
    text: &str,
    entries: &[JsonEntry],
    ownership: &Ownership,
) -> Result<Vec<Presence>, MergeError> {
    let json = JsonText::parse(text)?;
    let of = |entry: &JsonEntry| {
        let Some(found) = find(&json, entry, ownership) else {
            return Presence::Missing;
        };
        match found.value() {
            value if value == entry.value() => Presence::Current,
            value if ownership.runs_hashline(&value, Calls::Anything) => Presence::Differs(value),
            _ => Presence::Foreign,
        }
    };
    Ok(entries.iter().map(of).collect())
}

/// Returns the value of a text below some keys, if the text can be parsed and has it.
pub(crate) fn look_up(text: &str, path: &[&str]) -> Option<Value> {
    let path: Vec<String> = path.iter().map(|&key| key.to_owned()).collect();
    let json = JsonText::parse(text).ok()?;
    json.below(&path).map(value)
}

/// Tells whether a text holds nothing: no value at all, or an empty object, and no comment.
pub(crate) fn is_blank(text: &str) -> bool {
    let Ok(json) = JsonText::parse(text) else {
        return false;
    };
    let is_empty = match &json.root {
        None => true,
        Some(root) => root
            .as_object()
            .is_some_and(|root| root.properties.is_empty()),
    };
    is_empty && !json.has_marks(&(0..text.len()))
}

/// Tells whether something that stood there before goes all the same: it runs hashline, and that is to go whoever put it there.
fn goes_anyway(replaced: &Replaced, entry: &JsonEntry, rules: &RemoveRules<'_>) -> bool {
    let runs_hashline = || {
        let value = look_up(&replaced.text, &[]).unwrap_or_default();
        rules.ownership.runs_hashline(&value, Calls::Anything)
    };
    let is_hooks = matches!(entry.item, JsonItem::Hooks(_));
    rules.reach == Reach::Forced && (is_hooks || runs_hashline())
}

/// Puts what stood in the place of an entry there again, if setup took the place.
fn given_back(text: String, entry: &JsonEntry, before: &Replaced) -> Result<String, MergeError> {
    let json = JsonText::parse(&text)?;
    match exact(&json, entry) {
        Some(found) if before.text.is_empty() => removed(&json, &found, entry),
        Some(found) if look_up(&before.text, &[]) != Some(entry.value()) => {
            replaced(&json, &found, before.text.clone(), entry)
        }
        _ => Ok(text),
    }
}

/// Takes everything of ours out that stands where an entry would.
fn without_all(
    mut text: String,
    entry: &JsonEntry,
    rules: &RemoveRules<'_>,
) -> Result<String, MergeError> {
    let stood = rules.receipt.map_or(&[][..], |receipt| &receipt.stood);
    loop {
        let json = JsonText::parse(&text)?;
        let mut places = places(&json, entry, rules.ownership).into_iter();
        let Some(found) =
            places.find(|found| removal(&json, found, entry, rules) == Removal::Remove)
        else {
            return Ok(text);
        };
        let shorter = without(&json, &found, entry, rules.ownership)?;
        text = without_empty(shorter, entry, &entry.path, stood)?;
    }
}

/// Decides what becomes of something that stands where an entry would: of a group that is not ours alone, of our hook in it.
fn removal(
    json: &JsonText<'_>,
    found: &FoundEntry<'_, '_>,
    entry: &JsonEntry,
    rules: &RemoveRules<'_>,
) -> Removal {
    let of = |found: &FoundEntry<'_, '_>, ours: &Value, calls| {
        let existing = Existing {
            value: found.value(),
            has_comments: json.has_comments(&items(found.list)[found.index]),
        };
        rules.judge(&existing, ours, calls)
    };
    let ours = entry.value();
    match &entry.item {
        JsonItem::Text(_) => Removal::Remove,
        JsonItem::Member(..) => of(found, &ours, Calls::Anything),
        JsonItem::Hooks(_) => match found.hook_in_shared_group(entry, rules.ownership) {
            Some(hook) => of(&hook, &ours["hooks"][0], Calls::Hook),
            None => of(found, &ours, Calls::Hook),
        },
    }
}

/// Tells whether something stands in a text that is surely ours.
fn has_ours(
    text: &str,
    entries: &[JsonEntry],
    rules: &RemoveRules<'_>,
) -> Result<bool, MergeError> {
    let json = JsonText::parse(text)?;
    let sure = |entry: &&JsonEntry| !matches!(entry.item, JsonItem::Text(_));
    Ok(entries.iter().filter(sure).any(|entry| {
        let places = places(&json, entry, rules.ownership);
        let is_ours = |found| removal(&json, found, entry, rules) != Removal::NotOurs;
        places.iter().any(is_ours)
    }))
}

/// Takes one entry out: of a group that is not ours alone, only our hook.
fn without(
    json: &JsonText<'_>,
    found: &FoundEntry<'_, '_>,
    entry: &JsonEntry,
    ownership: &Ownership,
) -> Result<String, MergeError> {
    match found.hook_in_shared_group(entry, ownership) {
        Some(hook) => removed(json, &hook, entry),
        None => removed(json, found, entry),
    }
}

fn removed(
    json: &JsonText<'_>,
    found: &FoundEntry<'_, '_>,
    entry: &JsonEntry,
) -> Result<String, MergeError> {
    let splices = json.remove(found.list, found.index);
    edited(json, &splices, &items(found.list)[found.index], entry)
}

fn replaced(
    json: &JsonText<'_>,
    found: &FoundEntry<'_, '_>,
    by: String,
    entry: &JsonEntry,
) -> Result<String, MergeError> {
    let range = range(found.node);
    let splices = [Splice::replace(range.clone(), by)];
    edited(json, &splices, &range, entry)
}

/// Makes splices for the sake of an entry, if all that the text says besides a range is said afterwards as well.
fn edited(
    json: &JsonText<'_>,
    splices: &[Splice],
    gone: &std::ops::Range<usize>,
    entry: &JsonEntry,
) -> Result<String, MergeError> {
    json.edited(splices, gone)
        .ok_or_else(|| MergeError::Entangled {
            name: entry.name(),
            at: Position::of(json.text, gone.start),
        })
}

/// Returns where an entry stands: where it is just as it should be, or else the first place that is ours.
fn find<'a, 't>(
    json: &'a JsonText<'t>,
    entry: &JsonEntry,
    ownership: &Ownership,
) -> Option<FoundEntry<'a, 't>> {
    let first = || places(json, entry, ownership).into_iter().next();
    exact(json, entry).or_else(first)
}

/// Returns where an entry stands just as it should.
fn exact<'a, 't>(json: &'a JsonText<'t>, entry: &JsonEntry) -> Option<FoundEntry<'a, 't>> {
    let ours = entry.value();
    let mut all = candidates(json, entry).into_iter();
    all.find(|found| found.value() == ours)
}

/// Returns where an entry stands, whatever it reads like there: the member of its name, its text, the groups that run our hook.
fn places<'a, 't>(
    json: &'a JsonText<'t>,
    entry: &JsonEntry,
    ownership: &Ownership,
) -> Vec<FoundEntry<'a, 't>> {
    let mut found = candidates(json, entry);
    found.retain(|found| match &entry.item {
        JsonItem::Member(..) => true,
        JsonItem::Text(text) => found.value() == **text,
        JsonItem::Hooks(_) => ownership.runs_hashline(&found.value(), Calls::Hook),
    });
    found
}

fn candidates<'a, 't>(json: &'a JsonText<'t>, entry: &JsonEntry) -> Vec<FoundEntry<'a, 't>> {
    let Some(list) = json.below(&entry.path) else {
        return Vec::new();
    };
    match (&entry.item, list) {
        (JsonItem::Member(key, _), Node::Object(object)) => {
            let members = object.properties.iter().enumerate();
            let mut named = members.filter(|(_, member)| member.name.as_str() == key);
            // Of several with one name the last counts.
            let last = named.next_back().map(|(index, member)| FoundEntry {
                list,
                index,
                node: &member.value,
            });
            last.into_iter().collect()
        }
        (JsonItem::Text(_) | JsonItem::Hooks(_), Node::Array(array)) => {
            let elements = array.elements.iter().enumerate();
            elements
                .map(|(index, node)| FoundEntry { list, index, node })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Begins the text of a file that holds no value yet.
fn begin(text: &str, entry: &JsonEntry) -> String {
    let layout = Layout::Lines {
        line: ending(text).to_owned(),
        unit: "  ".to_owned(),
    };
    let comments = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let gap = if comments.is_empty() {
        ""
    } else {
        layout.line()
    };
    let value = layout.print(&entry.nested(0));
    format!("{comments}{gap}{value}{}", layout.line())
}

/// Adds an entry, and the objects and lists it stands in as far as they are missing.
fn added(json: &JsonText<'_>, entry: &JsonEntry) -> Result<String, MergeError> {
    let is_there = |depth: &usize| json.below(&entry.path[..*depth]).is_some();
    let depth = (0..=entry.path.len()).rev().find(is_there).unwrap_or(0);
    let Some(list) = json.below(&entry.path[..depth]) else {
        return Ok(json.text.to_owned());
    };
    let is_for_list = depth == entry.path.len() && !matches!(entry.item, JsonItem::Member(..));
    let fits = match list {
        Node::Object(_) => !is_for_list,
        Node::Array(_) => is_for_list,
        _ => false,
    };
    if !fits {
        return Err(MergeError::WrongKind {
            name: match &entry.path[..depth] {
                [] => "the value".to_owned(),
                path => path.join("."),
            },
            at: Position::of(json.text, range(list).start),
            wanted: if is_for_list { "a list" } else { "an object" },
        });
    }
    let splices = json.add(list, |layout| match (entry.path.get(depth), &entry.item) {
        (Some(key), _) => layout.member(key, &entry.nested(depth + 1)),
        (None, JsonItem::Member(key, value)) => layout.member(key, value),
        (None, _) => layout.print(&entry.value()),
    });
    let end = inside(list).end;
    edited(json, &splices, &(end..end), entry)
}

/// Takes away what an entry stood in, from the inside out, as long as nothing is left in it and it did not stand there before.
fn without_empty(
    text: String,
    entry: &JsonEntry,
    path: &[String],
    stood: &[Vec<String>],
) -> Result<String, MergeError> {
    let Some((last, outer)) = path.split_last() else {
        return Ok(text);
    };
    let json = JsonText::parse(&text)?;
    let members = json.below(outer).and_then(|list| {
        let members = &list.as_object()?.properties;
        let index = members
            .iter()
            .rposition(|member| member.name.as_str() == last)?;
        Some((list, &members[index], index))
    });
    let Some((list, member, index)) = members else {
        return Ok(text);
    };
    let is_empty = items(&member.value).is_empty() && !json.has_marks(&range(member));
    if !is_empty || stood.iter().any(|stood| stood == path) {
        return Ok(text);
    }
    let splices = json.remove(list, index);
    let shorter = edited(&json, &splices, &range(member), entry)?;
    without_empty(shorter, entry, outer, stood)
}
