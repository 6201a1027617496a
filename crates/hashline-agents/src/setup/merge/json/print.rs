//! JSON as it is written into a text: with the text's own indentation, or on one line.

use serde_json::Value;

/// How a value is written.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// On one line.
    Flat,
    /// One member a line.
    Lines {
        /// How lines end.
        ending: &'static str,
        /// The blanks before a line of the level that the value stands in.
        indent: String,
        /// The blanks that each level adds.
        unit: String,
    },
}

impl Layout {
    /// Returns the layout one level further in.
    pub(super) fn inner(&self) -> Self {
        match self {
            Self::Flat => Self::Flat,
            Self::Lines {
                ending,
                indent,
                unit,
            } => Self::Lines {
                ending,
                indent: format!("{indent}{unit}"),
                unit: unit.clone(),
            },
        }
    }

    /// Returns what stands between one item and the next, behind the comma.
    fn gap(&self) -> String {
        match self {
            Self::Flat => " ".to_owned(),
            Self::Lines { .. } => self.line(),
        }
    }

    /// Returns what begins a new line; nothing where everything stands on one.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Flat => String::new(),
            Self::Lines { ending, indent, .. } => format!("{ending}{indent}"),
        }
    }
}

/// Writes a member of an object.
pub(super) fn member(key: &str, value: &Value, layout: &Layout) -> String {
    format!("{}: {}", Value::from(key), print(value, layout))
}

/// Writes a value. Lists of plain values stand on one line, as people write them.
pub(super) fn print(value: &Value, layout: &Layout) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let inner = layout.inner();
            let members = members
                .iter()
                .map(|(key, value)| member(key, value, &inner));
            bracketed(['{', '}'], members, layout)
        }
        Value::Array(elements) if elements.iter().any(|one| one.is_object() || one.is_array()) => {
            let inner = layout.inner();
            let elements = elements.iter().map(|one| print(one, &inner));
            bracketed(['[', ']'], elements, layout)
        }
        Value::Array(elements) => {
            let elements = elements.iter().map(ToString::to_string);
            bracketed(['[', ']'], elements, &Layout::Flat)
        }
        plain => plain.to_string(),
    }
}

fn bracketed(
    [open, close]: [char; 2],
    items: impl Iterator<Item = String>,
    layout: &Layout,
) -> String {
    let inner = layout.inner();
    let items = items.collect::<Vec<_>>().join(&format!(",{}", inner.gap()));
    format!("{open}{}{items}{}{close}", inner.line(), layout.line())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Layout, print};

    #[test]
    fn values_are_written_as_people_write_them() {
        let value = json!({"a": ["x", "y"], "b": [{"c": 1}], "d": {}, "e": []});
        let flat = print(&value, &Layout::Flat);
        assert_eq!(
            flat,
            r#"{"a": ["x", "y"], "b": [{"c": 1}], "d": {}, "e": []}"#
        );
        let lines = Layout::Lines {
            ending: "\r\n",
            indent: " ".to_owned(),
            unit: "\t".to_owned(),
        };
        let expected = "{\r\n \t\"a\": [\"x\", \"y\"],\r\n \t\"b\": [\r\n \t\t{\r\n \t\t\t\"c\": 1\r\n \t\t}\r\n \t],\r\n \t\"d\": {},\r\n \t\"e\": []\r\n }";
        assert_eq!(print(&value, &lines), expected);
    }
}
