//! Parsing of a request's JSON text, which must be within the limits and have no key twice in one object.
//!
//! `serde_json` silently keeps the last of two equal keys, so one of two lists of edits would be lost.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Limits;
use crate::error::{BadRequest, Fault, joined};

/// Parses JSON text. For malformed JSON the error has the given `fault`, and its message begins with `not_json`.
pub(super) fn read(
    text: &[u8],
    limits: &Limits,
    fault: Fault,
    not_json: &str,
) -> Result<Value, BadRequest> {
    limits.check(text)?;
    // A custom error of serde carries only text, so the visitor leaves the key here; the fault is not guessed from a message.
    let repeated = RefCell::default();
    let mut track = serde_path_to_error::Track::new();
    let mut json = serde_json::Deserializer::from_slice(text);
    let unique = Unique {
        repeated: &repeated,
    };
    let value = unique
        .deserialize(serde_path_to_error::Deserializer::new(
            &mut json, &mut track,
        ))
        .and_then(|value| json.end().map(|()| value));
    value.map_err(|error| match repeated.take() {
        Some(key) => {
            let at = match track.path().to_string().as_str() {
                "." => key,
                object => joined(object, &key),
            };
            let message = "this key appears twice in one object; send it once";
            BadRequest::new(Fault::RepeatedKey, at, message)
        }
        None => BadRequest::new(fault, "", format!("{not_json}: {error}")),
    })
}

/// Deserializes any JSON value, and fails at a key that appears twice in one object.
#[derive(Clone, Copy)]
struct Unique<'a> {
    /// Receives the key that appears twice.
    repeated: &'a RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Unique<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unique<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if object.contains_key(&key) {
                self.repeated.replace(Some(key));
                return Err(A::Error::custom("a key appears twice in one object"));
            }
            let value = fields.next_value_seed(self)?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};
    use serde_json::Value;

    use super::read;
    use crate::error::{BadRequest, Fault};
    use crate::request::Limits;

    fn parsed(text: &str) -> Result<Value, BadRequest> {
        read(
            text.as_bytes(),
            &Limits::default(),
            Fault::NotARequest,
            "no JSON",
        )
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..5)
                    .prop_map(|fields| fields.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_has_no_key_twice_is_read_as_by_anybody(value in json()) {
            let text = value.to_string();
            prop_assert_eq!(parsed(&text).ok(), serde_json::from_str(&text).ok());
        }
    }

    #[test]
    fn what_follows_the_json_is_no_json() {
        let error = parsed("{} {}").expect_err("there is more than one object");
        assert_eq!(error.fault, Fault::NotARequest);
        assert_eq!(
            error.to_string(),
            "no JSON: trailing characters at line 1 column 4"
        );
    }
}
