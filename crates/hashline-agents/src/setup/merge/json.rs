//! Adds and removes hashline's entries in a JSON file, which may have comments.
//!
//! The file is never reformatted: entries are added and removed by splices, so comments, indentation, line endings and commas stay.

use std::ops::Range;

use jsonc_parser::ast::Value as Node;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json_text::{JsonText, Layout, elements, inside, items, member, range, value};
use super::{
    EntryOwner, Existing, MergeError, MergeProblem, MergeRules, Merged, OnConflict, Reach, Replaced,
};
use crate::setup::ownership::{CallKind, Ownership};
use crate::setup::text::{TextSplice, ending};

/// An entry of a JSON file that setup writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct JsonEntry {
    /// The key path of the object or list that contains the entry.
    pub(crate) path: Vec<String>,
    /// The entry itself: a member of the object, or an element of the list.
    pub(crate) item: JsonItem,
}

/// The kind and value of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum JsonItem {
    /// A member of an object: its key and value.
    Member(String, Value),
    /// A string in a list.
    Text(String),
    /// A group of hooks in a list of groups. The group that runs `hashline hook` is ours.
    Hooks(Value),
}

impl JsonEntry {
    /// Returns the entry's name for messages and receipts, such as `mcpServers.hl`.
    pub(crate) fn name(&self) -> String {
        let last = match &self.item {
            JsonItem::Member(key, _) => Some(key.clone()),
            JsonItem::Text(text) => Some(format!("\"{text}\"")),
            JsonItem::Hooks(_) => None,
        };
        let path = self.path.iter().cloned();
        path.chain(last).collect::<Vec<_>>().join(".")
    }

    /// Returns the entry's JSON value.
    pub(crate) fn value(&self) -> Value {
        match &self.item {
            JsonItem::Member(_, value) | JsonItem::Hooks(value) => value.clone(),
            JsonItem::Text(text) => Value::from(text.as_str()),
        }
    }

    /// Returns the entry's value inside new objects and lists for the keys of its path from `depth` on.
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

/// An entry, and the JSON text in which it is searched.
struct EntryIn<'a, 't> {
    json: &'a JsonText<'t>,
    entry: &'a JsonEntry,
    ownership: &'a Ownership,
}

/// An entry that was found in a JSON text: the object or list that contains it, its index, and its node.
struct FoundEntry<'a, 't> {
    list: &'a Node<'t>,
    index: usize,
    node: &'a Node<'t>,
}

impl<'a, 't> FoundEntry<'a, 't> {
    fn member(list: &'a Node<'t>, key: &str) -> Option<Self> {
        let (index, node) = member(list, key)?;
        Some(Self { list, index, node })
    }

    fn value(&self) -> Value {
        value(self.node)
    }

    /// Returns the byte range of the entry, including the key of a member.
    fn range(&self) -> Range<usize> {
        items(self.list)[self.index].clone()
    }

    /// Returns the entry as input for [`MergeRules::judge`]; comments within `range` count as the user's.
    fn existing(&self, json: &JsonText<'_>, range: &Range<usize>) -> Existing {
        Existing {
            value: self.value(),
            has_comments: json.has_comments(range),
        }
    }
}

/// Adds entries to a JSON text, or updates them.
pub(crate) fn install(
    text: &str,
    entries: &[JsonEntry],
    rules: &MergeRules<'_>,
) -> Result<Merged, MergeError> {
    let mut merged = Merged::from(text.to_owned());
    for entry in entries {
        // Several groups may run our hook: each step deals with one. The text is parsed again after each, since a splice moves all that follows.
        while let Some(text) = install_step(&merged.text, entry, rules)? {
            merged.text = text;
        }
        let json = JsonText::parse(&merged.text)?;
        if json.entry(entry, rules.ownership).exact().is_none() {
            merged.kept.push(entry.name());
        }
    }
    Ok(merged)
}

/// Makes one change to the text, towards the wanted entry; returns `None` once no change is left.
fn install_step(
    text: &str,
    entry: &JsonEntry,
    rules: &MergeRules<'_>,
) -> Result<Option<String>, MergeError> {
    let json = JsonText::parse(text)?;
    if json.root.is_none() {
        return Ok(Some(begin(text, entry)));
    }
    let entry_in = json.entry(entry, rules.ownership);
    let ours = entry.value();
    let is_current = entry_in.exact().is_some();
    let mut is_kept = false;
    for found in entry_in.places() {
        let existing = found.existing(&json, &range(found.node));
        if existing.value == ours {
            continue;
        }
        let at = range(found.node).start;
        match rules.judge(&existing, &ours, CallKind::Anything) {
            EntryOwner::Edited => is_kept = true,
            EntryOwner::Setup if is_current || entry_in.hook_in_shared_group(&found).is_some() => {
                return entry_in.without(&found).map(Some);
            }
            EntryOwner::Setup => {
                let ours = json.layout_at(at).print(&ours);
                return entry_in.replaced(&found, ours).map(Some);
            }
            EntryOwner::Foreign => return Err(MergeProblem::Taken(entry.name()).at(text, at)),
        }
    }
    if is_current || is_kept {
        return Ok(None);
    }
    entry_in.added().map(Some)
}

/// Removes entries from a JSON text. Objects and lists that become empty are removed too, unless the receipt says they are older than setup.
pub(crate) fn uninstall(
    text: &str,
    entries: &[JsonEntry],
    rules: &MergeRules<'_>,
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
        merged.text = match replaced.filter(|replaced| !is_removed_anyway(replaced, entry, rules)) {
            Some(replaced) => restored(merged.text, entry, replaced, rules)?,
            None => remove_all(merged.text, entry, rules)?,
        };
        if has_ours(&merged.text, std::slice::from_ref(entry), rules)? {
            merged.kept.push(entry.name());
        }
    }
    Ok(merged)
}

/// Returns what a receipt records of a text from before setup: the key paths of existing objects and lists that our entries will go into, and the
/// existing entries that ours will replace.
pub(crate) fn before_setup(
    text: &str,
    entries: &[JsonEntry],
    ownership: &Ownership,
) -> (Vec<Vec<String>>, Vec<Replaced>) {
    let (mut parents, mut replaced) = (Vec::new(), Vec::new());
    let Ok(json) = JsonText::parse(text) else {
        return (parents, replaced);
    };
    for entry in entries {
        for path in (1..=entry.path.len()).map(|depth| entry.path[..depth].to_vec()) {
            if json.below(&path).is_some() && !parents.contains(&path) {
                parents.push(path);
            }
        }
        let entry_in = json.entry(entry, ownership);
        if let Some(found) = entry_in.find() {
            // From a shared group only our own hooks are ever taken; the rest was never replaced.
            let own = entry_in.hook_in_shared_group(&found).is_none();
            let text = own.then(|| text[range(found.node)].to_owned());
            replaced.push(Replaced {
                name: entry.name(),
                text: text.unwrap_or_default(),
            });
        }
    }
    (parents, replaced)
}

/// Returns the names of those string entries that are in their list already.
pub(crate) fn present_texts(
    text: &str,
    entries: &[JsonEntry],
    ownership: &Ownership,
) -> Vec<String> {
    let Ok(json) = JsonText::parse(text) else {
        return Vec::new();
    };
    let is_text = |entry: &&JsonEntry| matches!(entry.item, JsonItem::Text(_));
    let stands = |entry: &&JsonEntry| json.entry(entry, ownership).exact().is_some();
    let texts = entries.iter().filter(is_text).filter(stands);
    texts.map(JsonEntry::name).collect()
}

/// Returns whether one of the entries is in the text and runs hashline. Also true for a text that cannot be parsed, so that the merge reports the
/// parse error.
pub(crate) fn runs_hashline(text: &str, entries: &[JsonEntry], ownership: &Ownership) -> bool {
    let rules = MergeRules {
        ownership,
        reach: Reach::Running,
        edited: OnConflict::Keep,
        receipt: None,
    };
    has_ours(text, entries, &rules).unwrap_or(true)
}

/// Returns for each entry the existing value in its place, if there is one.
pub(crate) fn found(
    text: &str,
    entries: &[JsonEntry],
    ownership: &Ownership,
) -> Result<Vec<Option<Value>>, MergeError> {
    let json = JsonText::parse(text)?;
    let found = entries.iter().map(|entry| {
        let found = json.entry(entry, ownership).find();
        found.map(|found| found.value())
    });
    Ok(found.collect())
}

/// Returns the value at a key path of a JSON text; `None` if it is missing or the text cannot be parsed.
pub(crate) fn look_up(text: &str, path: &[&str]) -> Option<Value> {
    JsonText::parse(text).ok()?.below(path).map(value)
}

/// Returns whether a text has no content: no value or an empty object, and no comment.
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

/// Returns whether an entry from before setup is removed instead of restored: `--force` removes everything that runs hashline.
fn is_removed_anyway(replaced: &Replaced, entry: &JsonEntry, rules: &MergeRules<'_>) -> bool {
    let runs_hashline = || {
        let value = look_up(&replaced.text, &[]).unwrap_or_default();
        rules.ownership.runs_hashline(&value, CallKind::Anything)
    };
    let is_hooks = matches!(entry.item, JsonItem::Hooks(_));
    rules.reach == Reach::Forced && (is_hooks || runs_hashline())
}

/// Restores the user's entry that setup had replaced by ours.
fn restored(
    text: String,
    entry: &JsonEntry,
    before: &Replaced,
    rules: &MergeRules<'_>,
) -> Result<String, MergeError> {
    let json = JsonText::parse(&text)?;
    let entry_in = json.entry(entry, rules.ownership);
    match entry_in.exact() {
        Some(found) if before.text.is_empty() => entry_in.removed(&found),
        Some(found) if look_up(&before.text, &[]) != Some(entry.value()) => {
            entry_in.replaced(&found, before.text.clone())
        }
        _ => Ok(text),
    }
}

/// Removes all values in the place of an entry that belong to setup, and the objects and lists that become empty.
fn remove_all(
    mut text: String,
    entry: &JsonEntry,
    rules: &MergeRules<'_>,
) -> Result<String, MergeError> {
    let parents = rules.receipt.map_or(&[][..], |receipt| &receipt.parents);
    loop {
        let json = JsonText::parse(&text)?;
        let entry_in = json.entry(entry, rules.ownership);
        let mut places = entry_in.places().into_iter();
        let Some(found) = places.find(|found| entry_in.owner(found, rules) == EntryOwner::Setup)
        else {
            return Ok(text);
        };
        let mut shorter = entry_in.without(&found)?;
        // What became empty goes too, from the inside out.
        for depth in (1..=entry.path.len()).rev() {
            let path = &entry.path[..depth];
            let json = JsonText::parse(&shorter)?;
            let is_theirs = parents.iter().any(|parent| parent == path);
            let Some(empty) = json.empty_member(path).filter(|_| !is_theirs) else {
                break;
            };
            shorter = json.entry(entry, rules.ownership).removed(&empty)?;
        }
        text = shorter;
    }
}

/// Returns whether a text has one of the entries and it belongs to setup. String entries are ignored, since the user may have written the same string.
fn has_ours(text: &str, entries: &[JsonEntry], rules: &MergeRules<'_>) -> Result<bool, MergeError> {
    let json = JsonText::parse(text)?;
    let sure = |entry: &&JsonEntry| !matches!(entry.item, JsonItem::Text(_));
    Ok(entries.iter().filter(sure).any(|entry| {
        let entry_in = json.entry(entry, rules.ownership);
        let is_ours =
            |found: &FoundEntry<'_, '_>| entry_in.owner(found, rules) != EntryOwner::Foreign;
        entry_in.places().iter().any(is_ours)
    }))
}

/// Returns the first content of a JSON file without a value: its comments, and an object with the entry.
fn begin(text: &str, entry: &JsonEntry) -> String {
    let layout = Layout {
        line: ending(text).to_owned(),
        unit: "  ".to_owned(),
    };
    let comments = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let line = &layout.line;
    let gap = if comments.is_empty() { "" } else { line };
    let value = layout.print(&entry.nested(0));
    format!("{comments}{gap}{value}{line}")
}

impl<'t> JsonText<'t> {
    fn entry<'a>(&'a self, entry: &'a JsonEntry, ownership: &'a Ownership) -> EntryIn<'a, 't> {
        EntryIn {
            json: self,
            entry,
            ownership,
        }
    }

    /// Returns the member at a key path if it is an object or list with nothing in it, not even a comment.
    fn empty_member(&self, path: &[String]) -> Option<FoundEntry<'_, 't>> {
        let (last, outer) = path.split_last()?;
        let found = FoundEntry::member(self.below(outer)?, last)?;
        let is_empty = items(found.node).is_empty() && !self.has_marks(&found.range());
        is_empty.then_some(found)
    }
}

impl<'a, 't> EntryIn<'a, 't> {
    /// Returns the existing entry: the one that equals ours, or else the first one in its place.
    fn find(&self) -> Option<FoundEntry<'a, 't>> {
        self.exact().or_else(|| self.places().into_iter().next())
    }

    /// Returns the existing entry that equals ours.
    fn exact(&self) -> Option<FoundEntry<'a, 't>> {
        let ours = self.entry.value();
        let mut all = self.candidates().into_iter();
        all.find(|found| found.value() == ours)
    }

    /// Returns all existing values in the entry's place: the member with its key, the equal strings of a list, or the groups that run our hook.
    fn places(&self) -> Vec<FoundEntry<'a, 't>> {
        let mut found = self.candidates();
        found.retain(|found| match &self.entry.item {
            JsonItem::Member(..) => true,
            JsonItem::Text(text) => found.value() == **text,
            JsonItem::Hooks(_) => self.ownership.runs_hashline(&found.value(), CallKind::Hook),
        });
        found
    }

    fn candidates(&self) -> Vec<FoundEntry<'a, 't>> {
        let Some(list) = self.json.below(&self.entry.path) else {
            return Vec::new();
        };
        match &self.entry.item {
            JsonItem::Member(key, _) => FoundEntry::member(list, key).into_iter().collect(),
            JsonItem::Text(_) | JsonItem::Hooks(_) => {
                let elements = elements(list).iter().enumerate();
                let found = elements.map(|(index, node)| FoundEntry { list, index, node });
                found.collect()
            }
        }
    }

    /// Returns our hook in a group of hooks, if the group also has hooks of others.
    fn hook_in_shared_group(&self, found: &FoundEntry<'a, 't>) -> Option<FoundEntry<'a, 't>> {
        if !matches!(self.entry.item, JsonItem::Hooks(_)) {
            return None;
        }
        let (_, list) = member(found.node, "hooks")?;
        let is_ours = |node: &Node<'_>| self.ownership.runs_hashline(&value(node), CallKind::Hook);
        let index = elements(list).iter().position(is_ours)?;
        let is_shared = !elements(list).iter().all(is_ours);
        let node = &elements(list)[index];
        is_shared.then_some(FoundEntry { list, index, node })
    }

    /// Decides who owns an existing value in the entry's place; in a group with other hooks, who owns our hook.
    fn owner(&self, found: &FoundEntry<'a, 't>, rules: &MergeRules<'_>) -> EntryOwner {
        let of = |found: &FoundEntry<'_, '_>, ours: &Value, calls| {
            rules.judge(&found.existing(self.json, &found.range()), ours, calls)
        };
        let ours = self.entry.value();
        match &self.entry.item {
            JsonItem::Text(_) => EntryOwner::Setup,
            JsonItem::Member(..) => of(found, &ours, CallKind::Anything),
            JsonItem::Hooks(_) => match self.hook_in_shared_group(found) {
                Some(hook) => of(&hook, &ours["hooks"][0], CallKind::Hook),
                None => of(found, &ours, CallKind::Hook),
            },
        }
    }

    /// Returns the text without an existing entry; from a group with other hooks, only our hook is removed.
    fn without(&self, found: &FoundEntry<'a, 't>) -> Result<String, MergeError> {
        match self.hook_in_shared_group(found) {
            Some(hook) => self.removed(&hook),
            None => self.removed(found),
        }
    }

    fn removed(&self, found: &FoundEntry<'_, 't>) -> Result<String, MergeError> {
        let splices = self.json.remove(found.list, found.index);
        self.edited(&splices, &found.range())
    }

    fn replaced(&self, found: &FoundEntry<'_, 't>, by: String) -> Result<String, MergeError> {
        let range = range(found.node);
        self.edited(&[TextSplice::replace(range.clone(), by)], &range)
    }

    /// Returns the text with the entry added, and with the objects and lists around it that were missing.
    fn added(&self) -> Result<String, MergeError> {
        let Self { json, entry, .. } = self;
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
            let name = match &entry.path[..depth] {
                [] => "the value".to_owned(),
                path => path.join("."),
            };
            let wanted = if is_for_list { "a list" } else { "an object" };
            return Err(MergeProblem::WrongKind(name, wanted).at(json.text, range(list).start));
        }
        let splices = json.add(list, |layout| match (entry.path.get(depth), &entry.item) {
            (Some(key), _) => layout.member(key, &entry.nested(depth + 1)),
            (None, JsonItem::Member(key, value)) => layout.member(key, value),
            (None, _) => layout.print(&entry.value()),
        });
        let end = inside(list).end;
        self.edited(&splices, &(end..end))
    }

    /// Applies splices, or returns an error if they would lose a token or comment outside of the range `gone`.
    fn edited(&self, splices: &[TextSplice], gone: &Range<usize>) -> Result<String, MergeError> {
        let edited = self.json.edited(splices, gone);
        let entangled = || MergeProblem::Entangled(self.entry.name());
        edited.ok_or_else(|| entangled().at(self.json.text, gone.start))
    }
}
