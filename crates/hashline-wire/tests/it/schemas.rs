//! The published schemas.

use hashline_core::dialect::Dialect;
use hashline_wire::answer::FileLines;
use hashline_wire::schema::{
    Tool, answer_schema, common_answer_schema, common_schema, offered, read_answer_schema, schema,
};
use serde_json::{Value, json};

/// Strict vendors refuse unions, null types and references.
fn assert_plain(schema: &Value, at: &str) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object {
                assert!(
                    !["anyOf", "oneOf", "allOf", "$ref", "$defs", "if"].contains(&key.as_str()),
                    "{at}.{key}"
                );
                if key == "type" {
                    assert!(
                        value.is_string() || at.ends_with("properties"),
                        "{at}.type is {value}"
                    );
                    assert_ne!(value, "null", "{at}.type");
                }
                assert_plain(value, &format!("{at}.{key}"));
            }
        }
        Value::Array(list) => list.iter().for_each(|item| assert_plain(item, at)),
        _ => {}
    }
}

#[test]
fn every_schema_is_plain_and_described() {
    for dialect in Dialect::ALL {
        for tool in [Tool::Read, Tool::Edit] {
            let schema = schema(dialect, tool);
            assert_eq!(schema["type"], "object", "{} {tool:?}", dialect.name());
            assert_plain(&schema, dialect.name());
            let properties = schema["properties"].as_object().expect("it has properties");
            for (name, property) in properties {
                assert!(
                    property["description"].is_string(),
                    "{} {tool:?} {name}",
                    dialect.name()
                );
            }
        }
    }
    assert_plain(&common_schema(), "common");
}

/// A client may be written from the schema of the answers alone, so each of their fields says what it holds.
#[test]
fn every_field_of_an_answer_is_described() {
    let dialects = Dialect::ALL.map(|dialect| (dialect.name(), answer_schema(dialect)));
    let others = [
        ("common", common_answer_schema()),
        ("read", read_answer_schema()),
    ];
    for (name, schema) in dialects.into_iter().chain(others) {
        assert_eq!(undescribed(&schema, &schema, name), Vec::<String>::new());
    }
}

/// Lists the fields without a description of at least three words, their own or that of their type.
fn undescribed(part: &Value, whole: &Value, at: &str) -> Vec<String> {
    let is_described = |field: &Value| {
        let has_words = |text: &Value| {
            let words = text.as_str().map(str::split_whitespace);
            words.is_some_and(|words| words.count() >= 3)
        };
        let of_type = field["$ref"].as_str().and_then(|path| {
            let path = path.strip_prefix('#')?;
            Some(has_words(&whole.pointer(path)?["description"]))
        });
        has_words(&field["description"]) || of_type == Some(true)
    };
    let fields = part["properties"].as_object();
    // A variant with a value is an object with one field; the description is the variant's.
    let is_variant = fields.is_some_and(|fields| fields.len() == 1) && is_described(part);
    let fields = fields.filter(|_| !is_variant).into_iter().flatten();
    let mut missing: Vec<String> = fields
        .filter(|(_, field)| !is_described(field))
        .map(|(name, _)| format!("{at}.{name}"))
        .collect();
    let inner: Vec<(String, &Value)> = match part {
        Value::Object(parts) => parts
            .iter()
            .map(|(key, part)| (key.clone(), part))
            .collect(),
        Value::Array(parts) => parts.iter().map(|part| (String::new(), part)).collect(),
        _ => Vec::new(),
    };
    for (key, part) in inner {
        missing.extend(undescribed(part, whole, &format!("{at}/{key}")));
    }
    missing
}

#[test]
fn the_schemas_are_as_published() {
    for dialect in Dialect::ALL {
        let schema =
            serde_json::to_string_pretty(&schema(dialect, Tool::Edit)).expect("it is JSON");
        insta::assert_snapshot!(format!("schema_{}", dialect.name()), schema);
    }
}

#[test]
fn the_tools_as_a_server_offers_them() {
    for dialect in Dialect::ALL {
        for tool in Tool::ALL {
            let name = format!("offered_{}_{}", tool.name(), dialect.name());
            let offered = offered(dialect, tool);
            // Only the edit is another in each dialect.
            if tool == Tool::Edit || dialect == Dialect::default() {
                insta::assert_snapshot!(name.clone(), format!("{offered:#}"));
            }
            assert_plain(&offered, &name);
            assert_eq!(offered["type"], "object", "{name}");
            assert_eq!(
                jsonschema::meta::validate(&offered)
                    .err()
                    .map(|e| e.to_string()),
                None,
                "{name}"
            );
        }
    }
}

#[test]
fn the_schemas_of_answers_tell_an_answer_from_other_objects() {
    let dialects = Dialect::ALL.map(answer_schema);
    let others = [common_answer_schema(), read_answer_schema()];
    for schema in dialects.into_iter().chain(others) {
        let fault = jsonschema::meta::validate(&schema).err();
        assert_eq!(fault.map(|error| error.to_string()), None, "{schema:#}");
        for other in [json!({}), json!({"ok": "yes"}), json!({"ok": false})] {
            assert!(!jsonschema::is_valid(&schema, &other), "{other} {schema:#}");
        }
    }
}

#[test]
fn lines_that_were_read_fit_their_schema() {
    for shown in [None, Some((1, 2))] {
        let lines = FileLines {
            encoding: None,
            path: "a",
            rev: "12345678".to_owned(),
            total_lines: 2,
            shown,
            matches: shown.map(|_| 1),
            consistent: true,
            lines: || ["1:aa|x".to_owned()].into_iter(),
        };
        let answer = serde_json::to_value(&lines).expect("it is JSON");
        let fault = jsonschema::validate(&read_answer_schema(), &answer).err();
        assert_eq!(fault.map(|error| error.to_string()), None, "{answer}");
    }
}
