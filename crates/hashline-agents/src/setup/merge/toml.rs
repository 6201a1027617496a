//! Adds and removes hashline's table in a TOML file. `toml_edit` finds positions; the text itself is only changed by splices.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml_edit::{Document, Item, TableLike};

use super::{EntryOwner, Existing, MergeError, MergeProblem, MergeRules, Merged, Reach, Replaced};
use crate::setup::ownership::CallKind;
use crate::setup::text::{TextSplice, appended, before_blank, ending, spliced, with_endings};

/// A table of a TOML file that setup writes, such as `[mcp_servers.hl]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TomlTable {
    /// The name of the table that contains this one.
    pub(crate) parent: String,
    /// The name of the table within its parent.
    pub(crate) name: String,
    /// The keys and values of the table.
    pub(crate) keys: Map<String, Value>,
}

impl TomlTable {
    /// Returns the dotted name of the table, such as `mcp_servers.hl`.
    pub(crate) fn full_name(&self) -> String {
        format!("{}.{}", self.parent, self.name)
    }

    /// Returns the table as TOML lines below a header of its own.
    fn block(&self) -> String {
        let lines = self.pairs().map(|pair| format!("{pair}\n"));
        format!("[{}]\n{}", self.full_name(), lines.collect::<String>())
    }

    /// Returns the table as an inline table: `{ command = "hashline" }`.
    fn inline(&self) -> String {
        format!("{{ {} }}", self.pairs().collect::<Vec<_>>().join(", "))
    }

    /// Returns the table as lines with dotted keys, each beginning with `before`, for a file that has no header for the table.
    fn dotted(&self, before: &str) -> String {
        let lines = self.pairs().map(|pair| format!("{before}{pair}\n"));
        lines.collect()
    }

    fn pairs(&self) -> impl Iterator<Item = String> {
        let pairs = self.keys.iter();
        pairs.map(|(key, value)| format!("{key} = {}", printed(value)))
    }

    /// Returns the table as a JSON object.
    pub(crate) fn value(&self) -> Value {
        Value::Object(self.keys.clone())
    }

    /// Returns the value that this table has in a TOML text.
    fn value_in(&self, text: &str) -> Option<Value> {
        look_below(text, &[&self.parent, &self.name])
    }
}

/// Adds the table at the end of a text, or updates it in place.
pub(crate) fn install(
    text: &str,
    table: &TomlTable,
    rules: &MergeRules<'_>,
) -> Result<Merged, MergeError> {
    let document = read(text)?;
    let Some(item) = find(&document, table) else {
        return Ok(Merged::from(added(text, &document, table)?));
    };
    let (name, at) = (table.full_name(), start_of(Some(item)));
    if item.is_array_of_tables() {
        return Err(MergeProblem::WrongKind(name, "a table").at(text, at));
    }
    let existing = existing(text, table, item);
    if existing.value == table.value() {
        return Ok(Merged::from(text.to_owned()));
    }
    match rules.judge(&existing, &table.value(), CallKind::Anything) {
        EntryOwner::Edited => Ok(Merged::kept(text, name)),
        EntryOwner::Foreign => Err(MergeProblem::Taken(name).at(text, at)),
        EntryOwner::Setup => {
            let ours = match (item, dotted_before(text, item)) {
                (Item::Value(_), _) => table.inline(),
                (_, Some(before)) => with_endings(&table.dotted(before), ending(text)),
                _ => with_endings(&table.block(), ending(text)),
            };
            replaced(text, table, &ours).map(Merged::from)
        }
    }
}

/// Removes the table and its subtables if they are ours, or restores the table that setup had replaced.
pub(crate) fn uninstall(
    text: &str,
    table: &TomlTable,
    rules: &MergeRules<'_>,
) -> Result<Merged, MergeError> {
    let document = read(text)?;
    let Some(item) = find(&document, table) else {
        return Ok(Merged::from(text.to_owned()));
    };
    let (existing, ours) = (existing(text, table, item), table.value());
    let runs_hashline = |value: &Value| rules.ownership.runs_hashline(value, CallKind::Anything);
    let owner = match rules.replaced(&table.full_name()) {
        None => rules.judge(&existing, &ours, CallKind::Anything),
        Some(before) => match parsed(&before.text, table) {
            // Setup took its place.
            Some(old) if existing.value == ours && old != ours && !runs_hashline(&old) => {
                return replaced(text, table, &before.text).map(Merged::from);
            }
            _ if !runs_hashline(&existing.value) => EntryOwner::Foreign,
            _ if rules.reach == Reach::Forced => EntryOwner::Setup,
            _ => EntryOwner::Edited,
        },
    };
    match owner {
        EntryOwner::Setup => removed(text, table).map(Merged::from),
        EntryOwner::Edited => Ok(Merged::kept(text, table.full_name())),
        EntryOwner::Foreign => Ok(Merged::from(text.to_owned())),
    }
}

/// Returns the table of the same name in a text from before setup, for the receipt.
pub(crate) fn before_setup(text: &str, table: &TomlTable) -> Option<Replaced> {
    let document = read(text).ok()?;
    let places = places_of(text, find(&document, table)?).into_iter();
    Some(Replaced {
        name: table.full_name(),
        text: places.map(|place| &text[place]).collect(),
    })
}

/// Returns the value that the table has in a TOML text, if it is there.
pub(crate) fn look_up(text: &str, table: &TomlTable) -> Result<Option<Value>, MergeError> {
    read(text)?;
    Ok(table.value_in(text))
}

/// Returns the value at a key path of a TOML text; `None` if it is missing or the text cannot be parsed.
pub(crate) fn look_below(text: &str, path: &[&str]) -> Option<Value> {
    let mut value: Value = ::toml::from_str(text).ok()?;
    for key in path {
        value = value.get_mut(*key)?.take();
    }
    Some(value)
}

fn read(text: &str) -> Result<Document<String>, MergeError> {
    Document::parse(text.to_owned()).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        MergeProblem::Invalid(error.message().to_owned()).at(text, at)
    })
}

fn find<'a>(document: &'a Document<String>, table: &TomlTable) -> Option<&'a Item> {
    let parent = document.get(&table.parent)?.as_table_like()?;
    parent.get(&table.name)
}

/// Parses the text of a table from a receipt, in any of its three forms: lines with a header, lines for the header of its parent, or an inline
/// value.
fn parsed(text: &str, table: &TomlTable) -> Option<Value> {
    let under_parent = || table.value_in(&format!("[{}]\n{text}", table.parent));
    let behind_key = || look_below(&format!("it = {text}"), &["it"]);
    let in_table = table.value_in(text);
    in_table.or_else(under_parent).or_else(behind_key)
}

/// Returns everything in a TOML text except the table.
fn rest(text: &str, table: &TomlTable) -> Option<Value> {
    let mut all = look_below(text, &[])?;
    if let Some(Value::Object(parent)) = all.get_mut(&table.parent) {
        parent.remove(&table.name);
        if parent.is_empty() {
            all.as_object_mut()?.remove(&table.parent);
        }
    }
    Some(all)
}

/// Returns the new text, or an error if it differs from the old one in anything but the table.
fn checked(text: &str, new: String, table: &TomlTable) -> Result<String, MergeError> {
    let before = read(text)?;
    if rest(&new, table).is_some_and(|after| rest(text, table) == Some(after)) {
        return Ok(new);
    }
    let at = start_of(find(&before, table));
    Err(MergeProblem::Entangled(table.full_name()).at(text, at))
}

fn added(text: &str, document: &Document<String>, table: &TomlTable) -> Result<String, MergeError> {
    let added = match document.get(&table.parent) {
        Some(item @ Item::Value(inline)) if inline.is_inline_table() => {
            let end = item.span().map_or(0, |span| span.end.saturating_sub(1));
            let inside = text[..end].trim_end().len();
            let is_empty = item.as_table_like().is_some_and(TableLike::is_empty);
            let comma = if is_empty { " " } else { ", " };
            let item = format!("{comma}{} = {}", table.name, table.inline());
            spliced(text, &[TextSplice::insert(inside, item)])
        }
        _ => appended(text, &table.block()),
    };
    // A parent that is no table, or one that dotted keys have closed, shows itself here.
    match read(&added) {
        Ok(document) if find(&document, table).is_some() => checked(text, added, table),
        _ => {
            let at = start_of(document.get(&table.parent));
            Err(MergeProblem::WrongKind(table.parent.clone(), "a table").at(text, at))
        }
    }
}

/// Returns the text without the table, whether it is written with a header, with dotted keys or inline.
fn removed(text: &str, table: &TomlTable) -> Result<String, MergeError> {
    let document = read(text)?;
    let Some(item) = find(&document, table) else {
        return Ok(text.to_owned());
    };
    if let (Item::Value(_), Some(parent)) = (item, document.get(&table.parent)) {
        let without = without_inline(text, parent, table, item);
        return checked(text, without, table);
    }
    let lines = lines_of(text, item).into_iter().map(|lines| {
        // Only before a header is there a blank line of ours.
        let has_header = text[lines.clone()].trim_start().starts_with('[');
        let start = before_blank(text, lines.start);
        if has_header { start..lines.end } else { lines }
    });
    checked(text, without(text, lines.collect()), table)
}

/// Returns a text without the given ranges.
fn without(text: &str, ranges: Vec<Range<usize>>) -> String {
    let splices = joined(ranges).into_iter().map(TextSplice::remove);
    spliced(text, &splices.collect::<Vec<_>>())
}

/// Replaces an existing table with the text `by`: its value if the table is inline, else all its lines.
fn replaced(text: &str, table: &TomlTable, by: &str) -> Result<String, MergeError> {
    let document = read(text)?;
    let places = find(&document, table).map(|item| places_of(text, item));
    let places = places.unwrap_or_default();
    let Some((first, rest)) = places.split_first() else {
        return Ok(text.to_owned());
    };
    let rest = rest
        .iter()
        .map(|lines| before_blank(text, lines.start).max(first.end)..lines.end);
    let mut splices = vec![TextSplice::replace(first.clone(), by)];
    splices.extend(joined(rest.collect()).into_iter().map(TextSplice::remove));
    let replaced = spliced(text, &splices);
    let is_there = |text: &str| read(text).is_ok_and(|new| find(&new, table).is_some());
    match checked(text, replaced, table) {
        Ok(replaced) if is_there(&replaced) => Ok(replaced),
        // Between dotted keys there may be no place for a header.
        _ => {
            let without = removed(text, table)?;
            added(&without, &read(&without)?, table)
        }
    }
}

/// Returns the byte ranges of a table: its value if the table is inline, else all its lines.
fn places_of(text: &str, item: &Item) -> Vec<Range<usize>> {
    match item {
        Item::Value(_) => item.span().into_iter().collect(),
        _ => lines_of(text, item),
    }
}

/// Returns the byte ranges of the lines of a table and its subtables, sorted.
fn lines_of(text: &str, item: &Item) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    collect(item, &mut spans);
    let lines = spans.into_iter().map(|span| whole_lines(text, span));
    joined(lines.collect())
}

/// Sorts the ranges and merges those that touch or overlap.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// Removes an inline table from its parent: a whole line below a header, or a part of another inline table.
fn without_inline(text: &str, parent: &Item, table: &TomlTable, item: &Item) -> String {
    let Some(value) = item.span() else {
        return text.to_owned();
    };
    let key = parent
        .as_table_like()
        .and_then(|parent| parent.key(&table.name));
    let start = key
        .and_then(toml_edit::Key::span)
        .map_or(value.start, |key| key.start);
    if !matches!(parent, Item::Value(_)) {
        return without(text, vec![whole_lines(text, start..value.end)]);
    }
    let before = text[..start].trim_end();
    let range = match before.strip_suffix(',') {
        Some(before) => before.len()..value.end,
        None => {
            let rest = text[value.end..].trim_start();
            match rest.strip_prefix(',') {
                Some(rest) => start..text.len() - rest.trim_start().len(),
                None => before.len()..value.end,
            }
        }
    };
    without(text, vec![range])
}

/// Collects the byte ranges of a table and its subtables. Each dotted key is a range of its own, since other keys may be in between.
fn collect(item: &Item, into: &mut Vec<Range<usize>>) {
    match item {
        Item::Table(table) => collect_table(table, into),
        Item::ArrayOfTables(tables) => {
            for table in tables {
                collect_table(table, into);
            }
        }
        _ => {}
    }
}

fn collect_table(table: &toml_edit::Table, into: &mut Vec<Range<usize>>) {
    let pairs = table.iter().filter(|(_, item)| item.is_value());
    match table.span().filter(|_| has_header(table)) {
        Some(head) => {
            let ends = pairs
                .filter_map(|(_, item)| item.span())
                .map(|span| span.end);
            into.push(head.start..ends.max().unwrap_or(head.end).max(head.end));
        }
        None => into.extend(pairs.filter_map(|(key, item)| {
            let key = table.key(key).and_then(toml_edit::Key::span)?;
            Some(key.start..item.span()?.end)
        })),
    }
    for (_, below) in table {
        collect(below, into);
    }
}

fn has_header(table: &toml_edit::Table) -> bool {
    !table.is_dotted() && !table.is_implicit()
}

/// Returns the text in front of a table's keys, such as `mcp_servers.hl.`, if the table is written with dotted keys instead of a header.
fn dotted_before<'t>(text: &'t str, item: &Item) -> Option<&'t str> {
    let table = item.as_table().filter(|table| table.is_dotted())?;
    let (key, _) = table.iter().find(|(_, item)| item.is_value())?;
    let key = table.key(key)?.span()?;
    let line = whole_lines(text, key.clone());
    Some(&text[line.start..key.start])
}

/// Returns the value of an existing table, and whether there are comments in it. A `#` inside of a value is not a comment.
fn existing(text: &str, table: &TomlTable, item: &Item) -> Existing {
    let value = table.value_in(text).unwrap_or_default();
    let signs = |text: &str| text.matches('#').count();
    let places = places_of(text, item).into_iter();
    let in_text: usize = places.map(|place| signs(&text[place])).sum();
    Existing {
        has_comments: in_text > signs(&value.to_string()),
        value,
    }
}

fn start_of(item: Option<&Item>) -> usize {
    item.and_then(Item::span).map_or(0, |span| span.start)
}

fn whole_lines(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..]
        .find('\n')
        .map_or(text.len(), |at| span.end + at + 1);
    start..end
}

/// Returns a value as TOML, with spaces after the commas of a list.
fn printed(value: &Value) -> String {
    match value {
        Value::Array(list) => {
            let list: Vec<String> = list.iter().map(printed).collect();
            format!("[{}]", list.join(", "))
        }
        plain => plain.to_string(),
    }
}
