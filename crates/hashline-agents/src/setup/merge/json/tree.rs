//! A JSON text with comments, as places: where each value stands, and the commas and comments between them.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};
use serde_json::Value;

use crate::setup::lines::Position;
use crate::setup::merge::Unmerged;

/// A text, read.
#[derive(Debug)]
pub(super) struct Tree {
    /// The value; nothing if there is none.
    pub(super) root: Option<Node>,
    /// The commas and comments, in order.
    pub(super) marks: Vec<Mark>,
    /// Where everything stands that is no comma: words, brackets, comments.
    words: Vec<Range<usize>>,
}

/// A comma or a comment.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) range: Range<usize>,
    pub(super) is_comma: bool,
}

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar(Value),
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) value: Node,
    /// From the key to the end of the value.
    pub(super) range: Range<usize>,
}

impl Tree {
    /// Reads a text.
    pub(super) fn read(text: &str) -> Result<Self, Unmerged> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let read = parse_to_ast(text, &collect, &strict()).map_err(|error| Unmerged::Invalid {
            at: Position::of(text, error.range().start),
            why: error.kind().to_string(),
        })?;
        let tokens = read.tokens.unwrap_or_default();
        let range = |token: &TokenAndRange<'_>| {
            let range = token.start()..token.end();
            // The carriage return belongs to the ending of the line, not to the comment.
            let end = range.start + text[range.clone()].trim_end_matches('\r').len();
            range.start..end
        };
        let marks = tokens.iter().filter_map(|token| {
            let is_comma = match token.token {
                Token::Comma => true,
                Token::CommentLine(_) | Token::CommentBlock(_) => false,
                _ => return None,
            };
            let range = range(token);
            Some(Mark { range, is_comma })
        });
        let words = tokens.iter().filter(|token| token.token != Token::Comma);
        Ok(Self {
            marks: marks.collect(),
            words: words.map(range).collect(),
            root: read.value.as_ref().map(Node::of),
        })
    }

    /// Tells whether a text says all that another did, comments included and in the same order, but for a range of that. More may have
    /// come to it, in one place.
    pub(super) fn says_all(
        &self,
        text: &str,
        old: &Self,
        old_text: &str,
        gone: &Range<usize>,
    ) -> bool {
        let is_gone = |word: &Range<usize>| word.start >= gone.start && word.end <= gone.end;
        let old = old.words.iter().filter(|word| !is_gone(word));
        let old: Vec<&str> = old.map(|word| &old_text[word.clone()]).collect();
        let new: Vec<&str> = self.words.iter().map(|word| &text[word.clone()]).collect();
        let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
        let first = old.iter().zip(&new).take_while(same).count();
        let last = old.iter().rev().zip(new.iter().rev()).take_while(same);
        new.len() >= old.len() && first + last.count() >= old.len()
    }

    /// Returns the comma behind an item that ends at a byte, before another one.
    pub(super) fn comma_after(&self, end: usize, before: usize) -> Option<&Mark> {
        let mut between = self.between(end, before);
        between.find(|mark| mark.is_comma)
    }

    /// Returns the commas and comments between two bytes.
    pub(super) fn between(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = &Mark> {
        let inside = move |mark: &&Mark| mark.range.start >= from && mark.range.end <= to;
        self.marks.iter().filter(inside)
    }
}

impl Node {
    fn of(value: &ast::Value<'_>) -> Self {
        let kind = match value {
            ast::Value::Object(object) => {
                Kind::Object(object.properties.iter().map(Member::of).collect())
            }
            ast::Value::Array(array) => Kind::Array(array.elements.iter().map(Self::of).collect()),
            ast::Value::StringLit(text) => Kind::Scalar(Value::from(text.value.as_ref())),
            ast::Value::NumberLit(number) => {
                Kind::Scalar(serde_json::from_str(number.value).unwrap_or_default())
            }
            ast::Value::BooleanLit(yes) => Kind::Scalar(Value::from(yes.value)),
            ast::Value::NullKeyword(_) => Kind::Scalar(Value::Null),
        };
        let range = value.start()..value.end();
        Self { range, kind }
    }

    /// Returns a member of an object. Of several with one name the last counts, as for every reader of JSON.
    pub(super) fn member(&self, key: &str) -> Option<&Member> {
        match &self.kind {
            Kind::Object(members) => members.iter().rfind(|member| member.key == key),
            _ => None,
        }
    }

    /// Returns the value below some keys.
    pub(super) fn below(&self, path: &[String]) -> Option<&Self> {
        let mut path = path.iter();
        path.try_fold(self, |node, key| Some(&node.member(key)?.value))
    }

    /// Returns the elements of an array; none if it is something else.
    pub(super) fn elements(&self) -> &[Self] {
        match &self.kind {
            Kind::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns where the items of an object or array stand; none if it is something else.
    pub(super) fn items(&self) -> Vec<Range<usize>> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|member| member.range.clone()).collect(),
            Kind::Array(elements) => elements.iter().map(|node| node.range.clone()).collect(),
            Kind::Scalar(_) => Vec::new(),
        }
    }

    /// Returns what lies between the brackets of an object or array.
    pub(super) fn inside(&self) -> Range<usize> {
        self.range.start + 1..self.range.end - 1
    }

    /// Returns the value alone.
    pub(super) fn value(&self) -> Value {
        match &self.kind {
            Kind::Object(members) => {
                let pair = |member: &Member| (member.key.clone(), member.value.value());
                Value::Object(members.iter().map(pair).collect())
            }
            Kind::Array(elements) => elements.iter().map(Self::value).collect(),
            Kind::Scalar(value) => value.clone(),
        }
    }
}

impl Member {
    fn of(property: &ast::ObjectProp<'_>) -> Self {
        Self {
            key: property.name.as_str().to_owned(),
            value: Node::of(&property.value),
            range: property.start()..property.end(),
        }
    }
}

/// Comments and commas at the end are taken, as the agents do; what only JSON5 has is not.
fn strict() -> ParseOptions {
    ParseOptions {
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
    }
}
