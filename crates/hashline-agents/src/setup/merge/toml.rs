//! A table of ours in a TOML file. `toml_edit` says what is there and where; the text itself is only ever spliced.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toml_edit::{Document, Item, TableLike};

use super::{Fate, Leave, Mend, Merged, Reach, Remarks, Theirs, Unmerged, Verdict};
use crate::setup::lines::{Position, before_blank, ending, with_endings};
use crate::setup::owned::Calls;
use crate::setup::splice::{Splice, spliced};

/// A table: in which one it lies, its name, its keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// The table it lies in.
    pub(crate) parent: String,
    /// Its name there.
    pub(crate) name: String,
    /// Its keys and values.
    pub(crate) keys: Map<String, Value>,
}

impl Table {
    /// Returns how people call it.
    pub(crate) fn full_name(&self) -> String {
        format!("{}.{}", self.parent, self.name)
    }

    /// Returns it as text under a head of its own.
    fn block(&self) -> String {
        let lines = self.pairs().map(|pair| format!("{pair}\n"));
        format!("[{}]\n{}", self.full_name(), lines.collect::<String>())
    }

    /// Returns its value as text within a line.
    fn inline(&self) -> String {
        format!("{{ {} }}", self.pairs().collect::<Vec<_>>().join(", "))
    }

    /// Returns it as lines that each begin with the same words, for a place where keys have dots and there is no head.
    fn dotted(&self, before: &str) -> String {
        let lines = self.pairs().map(|pair| format!("{before}{pair}\n"));
        lines.collect()
    }

    fn pairs(&self) -> impl Iterator<Item = String> {
        let pairs = self.keys.iter();
        pairs.map(|(key, value)| format!("{key} = {}", printed(value)))
    }

    /// Returns its value.
    pub(crate) fn value(&self) -> Value {
        Value::Object(self.keys.clone())
    }
}

/// Adds the table at the end of a text, or brings it up to date where it stands.
pub(crate) fn install(text: &str, table: &Table, mend: &Mend<'_>) -> Result<Merged, Unmerged> {
    let document = read(text)?;
    let Some(item) = find(&document, table) else {
        return Ok(Merged::from(added(text, &document, table)?));
    };
    let at = Position::of(text, span(item).map_or(0, |span| span.start));
    let name = table.full_name();
    if item.is_array_of_tables() {
        let wanted = "a table";
        return Err(Unmerged::WrongKind { name, at, wanted });
    }
    let found = value(item);
    if found == table.value() {
        return Ok(Merged::from(text.to_owned()));
    }
    match mend.judge(&found, &table.value(), remarks(text, item)) {
        Verdict::Keep => Ok(kept(text, table)),
        Verdict::Refuse => Err(Unmerged::Taken { name, at }),
        Verdict::Replace => {
            let ours = match (item, dotted_before(text, item)) {
                (Item::Value(_), _) => table.inline(),
                (_, Some(before)) => with_endings(&table.dotted(before), ending(text)),
                _ => with_endings(&table.block(), ending(text)),
            };
            replaced(text, table, &ours).map(Merged::from)
        }
    }
}

/// Takes the table out of a text, with the tables below it, if it is ours to take; gives back what stood in its place.
pub(crate) fn uninstall(text: &str, table: &Table, leave: &Leave<'_>) -> Result<Merged, Unmerged> {
    let document = read(text)?;
    let same = || Merged::from(text.to_owned());
    let Some(item) = find(&document, table) else {
        return Ok(same());
    };
    let (found, ours) = (value(item), table.value());
    let Some(theirs) = leave.theirs(&table.full_name()) else {
        return match leave.fate(&found, &ours, Calls::Anything, remarks(text, item)) {
            Fate::Goes => removed(text, table).map(Merged::from),
            Fate::Keeps => Ok(kept(text, table)),
            Fate::NotOurs => Ok(same()),
        };
    };
    let before = parsed(&theirs.text, table);
    let runs_us = |value: &Value| leave.owned.runs_us(value, Calls::Anything);
    match before {
        // Setup took its place.
        Some(before) if found == ours && before != ours && !runs_us(&before) => {
            replaced(text, table, &theirs.text).map(Merged::from)
        }
        _ if leave.reach == Reach::Forced && runs_us(&found) => {
            removed(text, table).map(Merged::from)
        }
        _ if runs_us(&found) => Ok(kept(text, table)),
        _ => Ok(same()),
    }
}

/// Returns what stands in the place of the table in a text that setup has not touched.
pub(crate) fn theirs(text: &str, table: &Table) -> Option<Theirs> {
    let document = read(text).ok()?;
    let item = find(&document, table)?;
    let raw = match item {
        Item::Value(_) => text[span(item)?].to_owned(),
        _ => parts(text, item)
            .iter()
            .map(|part| &text[part.clone()])
            .collect(),
    };
    Some(Theirs {
        name: table.full_name(),
        text: raw,
    })
}

/// Returns the value of the table, if it stands in a text.
pub(crate) fn look_up(text: &str, table: &Table) -> Result<Option<Value>, Unmerged> {
    Ok(find(&read(text)?, table).map(value))
}

/// Returns the value below some keys, if the text can be read and has it.
pub(crate) fn look_below(text: &str, path: &[&str]) -> Option<Value> {
    let document = read(text).ok()?;
    let mut keys = path.iter();
    let found = keys.try_fold(document.as_item(), |item, key| {
        item.as_table_like()?.get(key)
    });
    found.map(value)
}

fn read(text: &str) -> Result<Document<String>, Unmerged> {
    Document::parse(text.to_owned()).map_err(|error| Unmerged::Invalid {
        at: Position::of(text, error.span().map_or(0, |span| span.start)),
        why: error.message().to_owned(),
    })
}

fn find<'a>(document: &'a Document<String>, table: &Table) -> Option<&'a Item> {
    let parent = document.get(&table.parent)?.as_table_like()?;
    parent.get(&table.name)
}

fn kept(text: &str, table: &Table) -> Merged {
    Merged {
        text: text.to_owned(),
        kept: vec![table.full_name()],
    }
}

/// Returns the value of a table that stood in a file: with its head, as lines under the head of its parent, or as it stands behind a key.
fn parsed(text: &str, table: &Table) -> Option<Value> {
    let in_table = |text: &str| {
        let document = read(text).ok()?;
        find(&document, table).map(value)
    };
    let behind_key = || {
        let document = read(&format!("it = {text}")).ok()?;
        document.get("it").map(value)
    };
    in_table(text)
        .or_else(|| in_table(&format!("[{}]\n{text}", table.parent)))
        .or_else(behind_key)
}

/// Returns everything that a text says besides the table.
fn rest(document: &Document<String>, table: &Table) -> Value {
    let mut all = value(document.as_item());
    if let Some(all) = all.as_object_mut()
        && let Some(Value::Object(parent)) = all.get_mut(&table.parent)
    {
        parent.remove(&table.name);
        if parent.is_empty() {
            all.remove(&table.parent);
        }
    }
    all
}

/// Returns a new text if it says the same as the old one, but for the table.
fn checked(text: &str, new: String, table: &Table) -> Result<String, Unmerged> {
    let before = read(text)?;
    match read(&new) {
        Ok(after) if rest(&before, table) == rest(&after, table) => Ok(new),
        _ => Err(Unmerged::Entangled {
            name: table.full_name(),
            at: Position::of(
                text,
                find(&before, table)
                    .and_then(span)
                    .map_or(0, |span| span.start),
            ),
        }),
    }
}

fn added(text: &str, document: &Document<String>, table: &Table) -> Result<String, Unmerged> {
    let added = match document.get(&table.parent) {
        Some(item @ Item::Value(inline)) if inline.is_inline_table() => {
            let end = span(item).map_or(0, |span| span.end.saturating_sub(1));
            let inside = text[..end].trim_end().len();
            let comma = match item.as_table_like().is_some_and(TableLike::is_empty) {
                true => " ",
                false => ", ",
            };
            let item = format!("{comma}{} = {}", table.name, table.inline());
            spliced(text, &[Splice::insert(inside, item)])
        }
        _ => appended(text, &table.block()),
    };
    // A parent that is no table, or one that dotted keys have closed, shows itself here.
    match read(&added) {
        Ok(document) if find(&document, table).is_some() => checked(text, added, table),
        _ => Err(Unmerged::WrongKind {
            name: table.parent.clone(),
            at: Position::of(
                text,
                document
                    .get(&table.parent)
                    .and_then(span)
                    .map_or(0, |span| span.start),
            ),
            wanted: "a table",
        }),
    }
}

fn appended(text: &str, block: &str) -> String {
    let ending = ending(text);
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => ending.to_owned(),
        _ => format!("{ending}{ending}"),
    };
    format!("{text}{gap}{}", with_endings(block, ending))
}

/// Takes the table out, whichever way it is written.
fn removed(text: &str, table: &Table) -> Result<String, Unmerged> {
    let document = read(text)?;
    let Some(item) = find(&document, table) else {
        return Ok(text.to_owned());
    };
    if let (Item::Value(_), Some(parent)) = (item, document.get(&table.parent)) {
        let without = without_inline(text, parent, table, item);
        return checked(text, without, table);
    }
    let splices = parts(text, item).into_iter().map(|part| {
        // Only before a head is there a blank line of ours.
        let start = match text[part.clone()].trim_start().starts_with('[') {
            true => before_blank(text, part.start),
            false => part.start,
        };
        Splice::remove(start..part.end)
    });
    let without = spliced(text, &merged(splices.collect()));
    checked(text, without, table)
}

/// Puts another text in the place of the table: of its value where it stands behind a key, else of all its lines.
fn replaced(text: &str, table: &Table, by: &str) -> Result<String, Unmerged> {
    let document = read(text)?;
    let item = find(&document, table);
    let parts = match item {
        Some(item @ Item::Value(_)) => span(item).into_iter().collect(),
        Some(item) => parts(text, item),
        None => Vec::new(),
    };
    let Some((first, rest)) = parts.split_first() else {
        return Ok(text.to_owned());
    };
    let mut splices = vec![Splice::replace(first.clone(), by)];
    splices.extend(rest.iter().map(|part| {
        let start = before_blank(text, part.start).max(first.end);
        Splice::remove(start..part.end)
    }));
    let replaced = spliced(text, &merged(splices));
    let is_there = |text: &str| read(text).is_ok_and(|new| find(&new, table).is_some());
    match checked(text, replaced, table) {
        Ok(replaced) if is_there(&replaced) => Ok(replaced),
        // Keys with dots leave no room for a head of its own.
        _ => {
            let without = removed(text, table)?;
            added(&without, &read(&without)?, table)
        }
    }
}

/// Returns the lines of a table and of those below it, in order.
fn parts(text: &str, item: &Item) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    collect(item, &mut spans);
    spans.sort_by_key(|span| span.start);
    let mut parts: Vec<Range<usize>> = Vec::new();
    for span in spans {
        let lines = whole_lines(text, span);
        match parts.last_mut() {
            Some(last) if lines.start < last.end => last.end = last.end.max(lines.end),
            _ => parts.push(lines),
        }
    }
    parts
}

/// Takes an inline value out of its parent: a line of its own under a head, or a part of an inline table.
fn without_inline(text: &str, parent: &Item, table: &Table, item: &Item) -> String {
    let Some(value) = span(item) else {
        return text.to_owned();
    };
    let key = parent
        .as_table_like()
        .and_then(|parent| parent.key(&table.name));
    let start = key
        .and_then(toml_edit::Key::span)
        .map_or(value.start, |key| key.start);
    if !matches!(parent, Item::Value(_)) {
        return spliced(text, &[Splice::remove(whole_lines(text, start..value.end))]);
    }
    let before = text[..start].trim_end();
    let range = match before.strip_suffix(',') {
        Some(before) => before.len()..value.end,
        None => {
            let rest = text[value.end..].trim_start();
            let end = match rest.strip_prefix(',') {
                Some(rest) => text.len() - rest.trim_start().len(),
                None => value.end,
            };
            match end == value.end {
                true => before.len()..end,
                false => start..end,
            }
        }
    };
    spliced(text, &[Splice::remove(range)])
}

/// Gathers where a table and the tables below it stand. Keys with dots may stand anywhere among others, so each counts by itself.
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
    match table.span().filter(|_| has_head(table)) {
        Some(head) => {
            let ends = pairs
                .filter_map(|(_, item)| span(item))
                .map(|span| span.end);
            into.push(head.start..ends.max().unwrap_or(head.end).max(head.end));
        }
        None => into.extend(pairs.filter_map(|(key, item)| {
            let key = table.key(key).and_then(toml_edit::Key::span)?;
            Some(key.start..span(item)?.end)
        })),
    }
    for (_, below) in table {
        collect(below, into);
    }
}

fn has_head(table: &toml_edit::Table) -> bool {
    !table.is_dotted() && !table.is_implicit()
}

/// Returns what stands before the keys of a table in their lines, if that is how it is written: without a head, by keys with dots.
fn dotted_before<'t>(text: &'t str, item: &Item) -> Option<&'t str> {
    let table = item.as_table().filter(|table| table.is_dotted())?;
    let (key, _) = table.iter().find(|(_, item)| item.is_value())?;
    let key = table.key(key)?.span()?;
    let line = whole_lines(text, key.clone());
    Some(&text[line.start..key.start])
}

/// Tells whether a table has comments in it. What its values hold is no comment.
fn remarks(text: &str, item: &Item) -> Remarks {
    let places = match item {
        Item::Value(_) => span(item).into_iter().collect(),
        _ => parts(text, item),
    };
    let signs: usize = places
        .into_iter()
        .map(|place| text[place].matches('#').count())
        .sum();
    let in_values = value(item).to_string().matches('#').count();
    match signs > in_values {
        true => Remarks::Some,
        false => Remarks::None,
    }
}

fn whole_lines(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..]
        .find('\n')
        .map_or(text.len(), |at| span.end + at + 1);
    start..end
}

/// Joins splices that touch.
fn merged(splices: Vec<Splice>) -> Vec<Splice> {
    let mut joined: Vec<Splice> = Vec::new();
    for splice in splices {
        match joined.last_mut() {
            Some(last) if splice.range.start <= last.range.end => {
                last.range.end = last.range.end.max(splice.range.end);
            }
            _ => joined.push(splice),
        }
    }
    joined
}

fn span(item: &Item) -> Option<Range<usize>> {
    item.span()
}

/// Writes a value as people do.
fn printed(value: &Value) -> String {
    match value {
        Value::Array(list) => {
            let list: Vec<String> = list.iter().map(printed).collect();
            format!("[{}]", list.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// Returns an item as a value; what JSON does not have becomes text.
fn value(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        let pairs = table
            .iter()
            .map(|(key, item)| (key.to_owned(), value(item)));
        return Value::Object(pairs.collect());
    }
    if let Some(tables) = item.as_array_of_tables() {
        let tables = tables.iter().cloned();
        return tables.map(|table| value(&Item::Table(table))).collect();
    }
    let Some(plain) = item.as_value() else {
        return Value::Null;
    };
    match plain {
        toml_edit::Value::String(text) => Value::from(text.value().as_str()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => Value::from(*number.value()),
        toml_edit::Value::Boolean(yes) => Value::from(*yes.value()),
        toml_edit::Value::Array(list) => list
            .iter()
            .map(|one| value(&Item::Value(one.clone())))
            .collect(),
        other => Value::from(other.to_string().trim()),
    }
}
