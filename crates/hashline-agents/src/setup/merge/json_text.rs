//! A JSON text with comments, to which items can be added, and from which they can be removed, without changing a byte around them.
//!
//! `jsonc-parser` returns the positions of values, commas and comments. Its own editing (the `cst` feature) is not used: it breaks up objects that
//! are on one line, drops blank lines next to brackets, and removes comments in the line of a removed item.

use std::ops::Range;

use jsonc_parser::ast::{ObjectProp, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::{MergeError, MergeProblem};
use crate::setup::text::{TextSplice, ending, ending_before, indent, spliced};

/// A parsed JSON text, with the positions of its tokens.
pub(super) struct JsonText<'t> {
    pub(super) text: &'t str,
    /// The top-level value; `None` if the text has none.
    pub(super) root: Option<Node<'t>>,
    tokens: Vec<JsonToken>,
}

/// A token of the JSON text, and its byte range.
struct JsonToken {
    kind: TokenKind,
    range: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Comma,
    Comment,
    Other,
}

impl<'t> JsonText<'t> {
    /// Parses a JSON text. Comments and trailing commas are accepted, as agents do; other extensions of JSON5 are not.
    pub(super) fn parse(text: &'t str) -> Result<Self, MergeError> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &collect, &options).map_err(|error| {
            MergeProblem::Invalid(error.kind().to_string()).at(text, error.range().start)
        })?;
        let tokens = parsed.tokens.unwrap_or_default();
        let tokens = tokens.iter().map(|token| {
            let range = range(token);
            // The carriage return belongs to the ending of the line, not to the comment.
            let end = range.start + text[range.clone()].trim_end_matches('\r').len();
            JsonToken {
                kind: match token.token {
                    Token::Comma => TokenKind::Comma,
                    Token::CommentLine(_) | Token::CommentBlock(_) => TokenKind::Comment,
                    _ => TokenKind::Other,
                },
                range: range.start..end,
            }
        });
        Ok(Self {
            text,
            tokens: tokens.collect(),
            root: parsed.value,
        })
    }

    /// Returns the value at a key path.
    pub(super) fn below(&self, path: &[impl AsRef<str>]) -> Option<&Node<'t>> {
        let root = self.root.as_ref()?;
        path.iter()
            .try_fold(root, |node, key| Some(member(node, key.as_ref())?.1))
    }

    /// Returns whether there is a comment within a byte range.
    pub(super) fn has_comments(&self, range: &Range<usize>) -> bool {
        self.between(range.start, range.end)
            .any(|token| token.kind == TokenKind::Comment)
    }

    /// Returns whether there is a comma or a comment within a byte range.
    pub(super) fn has_marks(&self, range: &Range<usize>) -> bool {
        self.between(range.start, range.end).next().is_some()
    }

    /// Applies splices; `None` if that would lose a token or a comment outside of the range `gone`.
    pub(super) fn edited(&self, splices: &[TextSplice], gone: &Range<usize>) -> Option<String> {
        let edited = spliced(self.text, splices);
        let new = JsonText::parse(&edited).ok()?;
        let is_gone = |word: &Range<usize>| word.start >= gone.start && word.end <= gone.end;
        let before: Vec<&str> = self
            .words()
            .filter(|word| !is_gone(word))
            .map(|word| &self.text[word])
            .collect();
        let after: Vec<&str> = new.words().map(|word| &new.text[word]).collect();
        let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
        let first = before.iter().zip(&after).take_while(same).count();
        let last = before.iter().rev().zip(after.iter().rev());
        // More may have come, in one place.
        let says_all =
            after.len() >= before.len() && first + last.take_while(same).count() >= before.len();
        says_all.then_some(edited)
    }

    /// Returns the splices that add an item, which `print` prints in a given layout, at the end of an object or array.
    pub(super) fn add(
        &self,
        list: &Node<'t>,
        print: impl Fn(&Layout) -> String,
    ) -> Vec<TextSplice> {
        match items(list).as_slice() {
            [] => vec![self.add_only(list, print)],
            [.., last] => self.add_behind(list, last, print),
        }
    }

    fn add_behind(
        &self,
        list: &Node<'t>,
        last: &Range<usize>,
        print: impl Fn(&Layout) -> String,
    ) -> Vec<TextSplice> {
        let (text, inside, items) = (self.text, inside(list), items(list));
        let comma = self.comma_between(last.end, inside.end);
        let end = comma.map_or(last.end, |comma| comma.end);
        let before = items.len().checked_sub(2).map(|index| items[index].end);
        if !text[before.unwrap_or(inside.start)..last.start].contains('\n') {
            let item = print(&Layout::default());
            return match comma {
                Some(_) => vec![TextSplice::insert(end, format!(" {item},"))],
                None => vec![TextSplice::insert(end, format!(", {item}"))],
            };
        }
        let layout = self.lines_with(indent(text, last.start));
        let item = format!("{}{}", layout.line, print(&layout));
        // Comments in the same line belong to the item before.
        let at = self.between(end, inside.end).fold(end, |end, comment| {
            let same_line = !text[end..comment.range.start].contains('\n');
            if same_line { comment.range.end } else { end }
        });
        match comma {
            Some(_) => vec![TextSplice::insert(at, format!("{item},"))],
            None if at == end => vec![TextSplice::insert(end, format!(",{item}"))],
            None => vec![
                TextSplice::insert(last.end, ","),
                TextSplice::insert(at, item),
            ],
        }
    }

    fn add_only(&self, list: &Node<'t>, print: impl Fn(&Layout) -> String) -> TextSplice {
        let (text, inside) = (self.text, inside(list));
        let comment = self.between(inside.start, inside.end).next_back();
        let is_root = inside.start <= text.len() - text.trim_start().len() + 1;
        if is_flat(text) && !is_root {
            let item = print(&Layout::default());
            return match comment {
                Some(comment) => TextSplice::insert(comment.range.end, format!(" {item}")),
                None => TextSplice::replace(inside, item),
            };
        }
        let outer = self.lines_with(indent(text, list.start()));
        let layout = outer.inner();
        let item = format!("{}{}", layout.line, print(&layout));
        let at = comment.map_or(inside.start, |comment| comment.range.end);
        if text[at..inside.end].contains('\n') {
            return TextSplice::insert(at, item);
        }
        TextSplice::replace(at..inside.end, format!("{item}{}", outer.line))
    }

    /// Returns the splices that remove an item from an object or array, with its comma and line break, but without any comment or blank line of the
    /// user.
    pub(super) fn remove(&self, list: &Node<'t>, index: usize) -> Vec<TextSplice> {
        let (items, inside) = (items(list), inside(list));
        let item = &items[index];
        if items.len() == 1 && !self.has_comments(&inside) {
            return vec![TextSplice::remove(inside)];
        }
        let next = items.get(index + 1).map_or(inside.end, |next| next.start);
        let comma = self.comma_between(item.end, next);
        // A comment between the item and its comma stays.
        let apart = comma.filter(|comma| self.has_comments(&(item.end..comma.start)));
        let end = match (comma, apart) {
            (Some(comma), None) => comma.end,
            _ => item.end,
        };
        let before = index.checked_sub(1).map(|index| &items[index]);
        let mut splices = Vec::new();
        // The item before may be the last one now.
        if let (Some(before), None) = (before, comma) {
            let comma_before = self.comma_between(before.end, item.start);
            splices.extend(comma_before.cloned().map(TextSplice::remove));
        }
        let from = before.map_or(inside.start, |before| before.end);
        splices.push(TextSplice::remove(self.with_blanks(
            from,
            item.start..end,
            &inside,
        )));
        splices.extend(apart.cloned().map(TextSplice::remove));
        splices
    }

    /// Returns the range to remove for an item: the item with the whitespace around it. The line break before the item is kept if a `//` comment
    /// ends with it, or if more follows in the item's line.
    fn with_blanks(&self, from: usize, item: Range<usize>, inside: &Range<usize>) -> Range<usize> {
        let text = self.text;
        let mark = self.between(from, item.start).next_back();
        let gap = mark.map_or(from, |mark| mark.range.end);
        let rest = text[item.end..].trim_start_matches([' ', '\t']);
        let next = text.len() - rest.len();
        let (ends_line, closes) = (rest.starts_with(['\r', '\n']), next == inside.end);
        let line_end = ending_before(text, item.start).filter(|at| *at >= gap);
        let behind_comment = |line_end: usize| {
            mark.is_some_and(|mark| {
                text[mark.range.clone()].starts_with("//") && mark.range.end == line_end
            })
        };
        match line_end {
            // Blanks behind the item would become part of the comment.
            Some(at) if ends_line && behind_comment(at) => at..next,
            Some(at) if ends_line || closes && !behind_comment(at) => at..item.end,
            Some(_) => item.start..next,
            None if mark.is_none() => item.start..next,
            None => gap..item.end,
        }
    }

    /// Returns the layout for a value that replaces the one at offset `at`.
    pub(super) fn layout_at(&self, at: usize) -> Layout {
        if is_flat(self.text) {
            return Layout::default();
        }
        self.lines_with(indent(self.text, at))
    }

    /// Returns the layout for lines with a given indentation. The smallest indentation in the text is taken as one level.
    fn lines_with(&self, indent_of_line: &str) -> Layout {
        let blanks = self.text.lines().map(|line| indent(line, 0));
        let fewest = blanks
            .filter(|blanks| !blanks.is_empty())
            .min_by_key(|blanks| blanks.len());
        Layout {
            line: format!("{}{indent_of_line}", ending(self.text)),
            unit: fewest.unwrap_or("  ").to_owned(),
        }
    }

    /// Returns the range of the first comma between two byte offsets.
    fn comma_between(&self, from: usize, to: usize) -> Option<&Range<usize>> {
        let mut commas = self.between(from, to);
        let comma = commas.find(|token| token.kind == TokenKind::Comma);
        comma.map(|comma| &comma.range)
    }

    /// Returns the commas and comments between two byte offsets.
    fn between(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &JsonToken> {
        self.tokens.iter().filter(move |token| {
            token.kind != TokenKind::Other && token.range.start >= from && token.range.end <= to
        })
    }

    /// Returns the ranges of all tokens but commas: values, keys, brackets, comments.
    fn words(&self) -> impl Iterator<Item = Range<usize>> {
        let words = self.tokens.iter();
        words
            .filter(|token| token.kind != TokenKind::Comma)
            .map(|token| token.range.clone())
    }
}

/// Returns the byte range of a node or token.
pub(super) fn range(node: &impl Ranged) -> Range<usize> {
    node.start()..node.end()
}

/// Returns a parsed node as a `serde_json` value.
pub(super) fn value(node: &Node<'_>) -> Value {
    node.clone().into()
}

/// Returns the index and the value of an object's member. If a key occurs several times the last one counts, as in most JSON parsers.
pub(super) fn member<'a, 't>(node: &'a Node<'t>, key: &str) -> Option<(usize, &'a Node<'t>)> {
    let members = &node.as_object()?.properties;
    let is_named = |member: &ObjectProp<'_>| member.name.as_str() == key;
    let index = members.iter().rposition(is_named)?;
    Some((index, &members[index].value))
}

/// Returns the elements of an array; an empty slice if the node is not an array.
pub(super) fn elements<'a, 't>(node: &'a Node<'t>) -> &'a [Node<'t>] {
    node.as_array().map_or(&[], |array| &array.elements)
}

/// Returns the byte ranges of the members of an object or the elements of an array; empty for other nodes.
pub(super) fn items(node: &Node<'_>) -> Vec<Range<usize>> {
    match node {
        Node::Object(object) => object.properties.iter().map(range).collect(),
        _ => elements(node).iter().map(range).collect(),
    }
}

/// Returns the byte range between the brackets of an object or array.
pub(super) fn inside(list: &Node<'_>) -> Range<usize> {
    list.start() + 1..list.end() - 1
}

/// Returns whether the whole text is on one line (and more than `{}`), so that additions go on the same line.
fn is_flat(text: &str) -> bool {
    !text.trim().contains('\n') && text.trim() != "{}"
}

/// How a value is printed: one member a line, or, by default, everything on one line.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// The string that begins a new line: a line ending and the indentation. Empty if everything is printed on one line.
    pub(super) line: String,
    /// The whitespace that each nesting level adds to the indentation.
    pub(super) unit: String,
}

impl Layout {
    fn inner(&self) -> Self {
        Self {
            line: format!("{}{}", self.line, self.unit),
            unit: self.unit.clone(),
        }
    }

    /// Prints a member of an object: its key, a colon and its value.
    pub(super) fn member(&self, key: &str, value: &Value) -> String {
        format!("{}: {}", Value::from(key), self.print(value))
    }

    /// Prints a value. Lists without objects and lists in them are printed on one line.
    pub(super) fn print(&self, value: &Value) -> String {
        let inner = self.inner();
        match value {
            Value::Object(members) if !members.is_empty() => {
                let members = members.iter();
                let members = members.map(|(key, value)| inner.member(key, value));
                self.bracketed(['{', '}'], members.collect())
            }
            Value::Array(list) if list.iter().any(|one| one.is_object() || one.is_array()) => {
                let list = list.iter().map(|one| inner.print(one));
                self.bracketed(['[', ']'], list.collect())
            }
            Value::Array(list) => {
                let list = list.iter().map(ToString::to_string);
                Self::default().bracketed(['[', ']'], list.collect())
            }
            plain => plain.to_string(),
        }
    }

    fn bracketed(&self, [open, close]: [char; 2], items: Vec<String>) -> String {
        let inner = self.inner();
        let gap = match inner.line.as_str() {
            "" => " ",
            line => line,
        };
        let items = items.join(&format!(",{gap}"));
        format!("{open}{}{items}{}{close}", inner.line, self.line)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Layout;

    #[test]
    fn values_are_printed_as_people_write_them() {
        let value = json!({"a": ["x", "y"], "b": [{"c": 1}], "d": {}, "e": []});
        assert_eq!(
            Layout::default().print(&value),
            r#"{"a": ["x", "y"], "b": [{"c": 1}], "d": {}, "e": []}"#
        );
        let lines = Layout {
            line: "\r\n ".to_owned(),
            unit: "\t".to_owned(),
        };
        let expected = "{\r\n \t\"a\": [\"x\", \"y\"],\r\n \t\"b\": [\r\n \t\t{\r\n \t\t\t\"c\": 1\r\n \t\t}\r\n \t],\r\n \t\"d\": {},\r\n \t\"e\": []\r\n }";
        assert_eq!(lines.print(&value), expected);
    }
}
