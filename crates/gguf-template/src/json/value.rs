//! Values of JSON, with integers and floats apart.

use alloc::string::String;
use alloc::vec::Vec;

/// A value of JSON. Objects keep the order of their keys.
///
/// # Examples
///
/// ```
/// use gguf_template::Json;
///
/// let value = Json::parse(r#"{"a": [1, 1.0, null]}"#)?;
/// assert_eq!(value.get("a"), Some(&Json::List(vec![Json::Int(1), Json::Float(1.0), Json::Null])));
/// # Ok::<(), gguf_template::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number without fraction and exponent.
    Int(i64),
    /// A number without fraction and exponent from 2^63 to 2^64 - 1. A template gets it as a negative integer, as in llama.cpp.
    Unsigned(u64),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object. No key is there twice.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The member of an object. `None` if there is none, or if this is no object.
    #[inline(never)]
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The member of an object, to change it.
    #[inline(never)]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        match self {
            Json::Object(members) => members.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Sets a member of an object. A new one comes last. Anything but an object becomes one.
    #[inline(never)]
    pub fn set(&mut self, key: &str, value: Json) {
        if let Some(old) = self.get_mut(key) {
            *old = value;
        } else if let Json::Object(members) = self {
            members.push((key.into(), value));
        } else {
            *self = Json::Object(vec![(key.into(), value)]);
        }
    }

    /// Takes a member out of an object.
    #[inline(never)]
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        match self {
            Json::Object(members) => {
                let index = members.iter().position(|(name, _)| name == key)?;
                Some(members.remove(index).1)
            }
            _ => None,
        }
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }
}

/// An object with these members.
#[inline(never)]
fn object(members: Vec<(&str, Json)>) -> Json {
    let mut object = Json::Object(Vec::new());
    for (key, value) in members {
        object.set(key, value);
    }
    object
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl From<bool> for Json {
    fn from(truth: bool) -> Json {
        Json::Bool(truth)
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Json {
        Json::Int(number)
    }
}

impl From<f64> for Json {
    fn from(number: f64) -> Json {
        Json::Float(number)
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Json {
        Json::List(items)
    }
}

impl<const N: usize> From<[(&str, Json); N]> for Json {
    fn from(members: [(&str, Json); N]) -> Json {
        object(Vec::from(members))
    }
}
