//! JSON values in little memory: lists of integers are rows of numbers, and the number of other values is limited.
//!
//! A tree of general values takes thirty times the memory of its text where the text is hostile, since each value of one
//! or two characters becomes an object of its own.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The maximum number of values, without the integers of rows. The largest puzzles of cubing.js have about 300,000.
const MOST_VALUES: usize = 600_000;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    /// A truth value, or a number that is no integer of 64 bits.
    Other,
    Integer(i64),
    Text(Box<str>),
    /// A list of integers.
    Row(Vec<i64>),
    /// Any other list.
    List(Vec<Json>),
    Object(BTreeMap<Box<str>, Json>),
}

impl Json {
    /// Reads a text.
    ///
    /// # Errors
    /// The fault, with its place.
    pub(super) fn parse(text: &str) -> Result<Json, String> {
        let left = Cell::new(MOST_VALUES);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let value = Value(&left).deserialize(&mut deserializer).map_err(|error| error.to_string())?;
        deserializer.end().map_err(|error| error.to_string())?;
        Ok(value)
    }

    /// The value of a key of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.as_object()?.get(key)
    }

    pub(super) fn as_object(&self) -> Option<&BTreeMap<Box<str>, Json>> {
        if let Json::Object(object) = self { Some(object) } else { None }
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// A number that counts something.
    pub(super) fn as_count(&self) -> Option<usize> {
        if let Json::Integer(number) = self { usize::try_from(*number).ok() } else { None }
    }

    /// The number of values of a list.
    pub(super) fn len(&self) -> Option<usize> {
        match self {
            Json::Row(row) => Some(row.len()),
            Json::List(list) => Some(list.len()),
            _ => None,
        }
    }
}

/// Reads a value, and counts those within it that are no integers of rows.
#[derive(Clone, Copy)]
struct Value<'a>(&'a Cell<usize>);

impl Value<'_> {
    fn counted<E: Error>(self, value: Json) -> Result<Json, E> {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                Ok(value)
            }
            None => Err(E::custom(format_args!("more than {MOST_VALUES} values"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or(Json::Other, Json::Integer))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut row = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            let Json::Integer(number) = item else {
                let integers = row.into_iter().map(|number| self.counted(Json::Integer(number)));
                let mut list = integers.collect::<Result<Vec<Json>, _>>()?;
                list.push(self.counted(item)?);
                while let Some(item) = items.next_element_seed(self)? {
                    list.push(self.counted(item)?);
                }
                return Ok(Json::List(list));
            };
            row.push(number);
        }
        Ok(Json::Row(row))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut object = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            object.insert(key.into_boxed_str(), self.counted(value)?);
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_their_number_is_limited() {
        let value = Json::parse(r#"{"a": [1, -2], "b": [1, "x", 2.5], "c": {"d": null}, "e": 4000000000}"#);
        let value = value.expect("JSON");
        assert_eq!(value.get("a"), Some(&Json::Row(vec![1, -2])));
        let list = vec![Json::Integer(1), Json::Text("x".into()), Json::Other];
        assert_eq!(value.get("b"), Some(&Json::List(list)));
        assert_eq!(value.get("c").and_then(|c| c.get("d")), Some(&Json::Null));
        assert_eq!(value.get("e").and_then(Json::as_count), Some(4_000_000_000));
        for hostile in [
            format!("[{}1]", "[],".repeat(1 << 20)),
            format!("[\"\",{}1]", "1,".repeat(1 << 20)),
            format!("[{}\"\"]", "1,".repeat(1 << 20)),
            format!("[{}1]", "{\"a\":1},".repeat(1 << 20)),
        ] {
            assert!(Json::parse(&hostile).expect_err("too many").contains("more than 600000 values"));
        }
        assert_eq!(
            Json::parse(&format!("[{}1]", "1,".repeat(1 << 20))).map(|row| row.len()),
            Ok(Some((1 << 20) + 1))
        );
        assert!(Json::parse("{} x").is_err() && Json::parse(&"[".repeat(1 << 20)).is_err());
    }
}
