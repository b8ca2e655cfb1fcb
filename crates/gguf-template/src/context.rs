//! The variables that a template gets.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind, Outcome, beyond};
use crate::json::value::Json;
use crate::limits::VALUE_DEPTH;
use crate::values::parts::Parts;
use crate::values::value::{Dict, Host, Value};

/// The variables that a template gets: `messages`, `tools`, `bos_token` and others.
///
/// A variable that is not set is undefined in the template. llama.cpp sets `add_generation_prompt` only if it is true, and
/// `tools` only if there are some.
///
/// # Examples
///
/// ```
/// use gguf_template::{Context, Json};
///
/// let mut context = Context::parse(r#"{"messages": [{"role": "user", "content": "Hi"}]}"#)?;
/// context.set("add_generation_prompt", true);
/// assert_eq!(context.get("add_generation_prompt"), Some(&Json::Bool(true)));
/// # Ok::<(), gguf_template::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    variables: Vec<(String, Json)>,
}

impl Context {
    /// A context without variables.
    pub fn new() -> Context {
        Context::default()
    }

    /// Reads the variables from a JSON object. Integers and floats stay apart: `1.0` is not `1`.
    ///
    /// # Errors
    ///
    /// `template-context` if the text is not valid JSON, or not an object. `template-limit` if an object has very many keys that were chosen to
    /// be found slowly.
    pub fn parse(json: &str) -> Result<Context, Error> {
        match Json::parse(json)? {
            Json::Object(variables) => Ok(Context { variables }),
            _ => Err(Error::new(ErrorKind::Context, "the context is not a JSON object")),
        }
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.variables.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: impl Into<Json>) {
        self.set_json(name, value.into());
    }

    // Not one copy for each type.
    #[inline(never)]
    fn set_json(&mut self, name: &str, value: Json) {
        match self.variables.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => *old = value,
            None => self.variables.push((name.into(), value)),
        }
    }

    /// Makes a variable undefined. Returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let index = self.variables.iter().position(|(other, _)| other == name)?;
        Some(self.variables.remove(index).1)
    }

    /// All variables in their order.
    pub fn variables(&self) -> &[(String, Json)] {
        &self.variables
    }
}

/// A value of JSON as a value of the template. Its texts are input.
pub(crate) fn value_of(json: &Json, host: &Host) -> Outcome<Value> {
    value_at(json, host, VALUE_DEPTH)
}

fn value_at(json: &Json, host: &Host, depth: u32) -> Outcome<Value> {
    let Some(depth) = depth.checked_sub(1) else { return beyond("a variable is nested too deeply") };
    Ok(match json {
        Json::Null => Value::None,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Int(number) => Value::Int(*number),
        Json::Unsigned(number) => Value::Int(*number as i64),
        Json::Float(number) => Value::Float(*number),
        Json::Text(text) => Value::Text(Parts::of(text.as_bytes(), true, &host.meter)?),
        Json::List(items) => {
            let mut values = Vec::with_capacity(items.len());
            for item in items {
                values.push(value_at(item, host, depth)?);
            }
            host.list(values)?
        }
        Json::Object(members) => {
            let dict = Dict::new(&host.meter)?;
            for (key, value) in members {
                dict.set(host.text(key.as_bytes())?, value_at(value, host, depth)?)?;
            }
            dict.into_value()
        }
    })
}
