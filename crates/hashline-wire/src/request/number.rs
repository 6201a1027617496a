//! Whole numbers in requests, and what is said where there is none.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// Reads a whole number from 0 on, or nothing for null.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = signed_number_as(from, "a whole number, 0 or more")?;
    let negative = |number: i64| {
        D::Error::invalid_value(Unexpected::Signed(number), &"a whole number, 0 or more")
    };
    number
        .map(|number| usize::try_from(number).map_err(|_| negative(number)))
        .transpose()
}

/// Reads a whole number, or nothing for null.
pub(super) fn signed_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    signed_number_as(from, "a whole number")
}

fn signed_number_as<'de, D: Deserializer<'de>>(
    from: D,
    what: &'static str,
) -> Result<Option<i64>, D::Error> {
    from.deserialize_any(Number(what))
}

/// Reads a number; what does not fit into 63 bits is more than anybody counts to.
struct Number(&'static str);

impl Visitor<'_> for Number {
    type Value = Option<i64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Option<i64>, E> {
        Ok(Some(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Option<i64>, E> {
        Ok(Some(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    /// Some libraries write every number with a point.
    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<i64>, E> {
        if number.fract() != 0.0 {
            return Err(E::invalid_type(Unexpected::Float(number), &self));
        }
        let beyond = if number < 0.0 { i64::MIN } else { i64::MAX };
        Ok(Some(format!("{number:.0}").parse().unwrap_or(beyond)))
    }

    fn visit_unit<E>(self) -> Result<Option<i64>, E> {
        Ok(None)
    }
}
