//! Reads the arguments of a call. An argument with a name also counts by its place.

use alloc::rc::Rc;

use crate::error::{Outcome, failed};
use crate::values::parts::Parts;
use crate::values::value::{Call, Dict, List, Value};

/// The argument with a name.
pub(crate) fn named(args: &[Value], name: &str) -> Value {
    args.iter()
        .find_map(|arg| match arg {
            Value::Keyword(keyword) if keyword.name.as_slice() == name.as_bytes() => Some(keyword.value.clone()),
            _ => None,
        })
        .unwrap_or(Value::Undefined(None))
}

/// The argument with a name, or the one at an index if that has no name.
#[inline(never)]
pub(crate) fn named_or_at(args: &[Value], name: &str, index: usize) -> Value {
    match (named(args, name), args.get(index)) {
        (Value::Undefined(_), Some(arg)) if !matches!(arg, Value::Keyword(_)) => arg.clone(),
        (value, _) => value,
    }
}

impl Call<'_> {
    /// The argument at an index.
    #[inline(never)]
    pub fn arg(&self, index: usize) -> Outcome<&Value> {
        match self.args.get(index) {
            Some(arg) => Ok(arg),
            None => failed(format!("`{}` needs {} arguments", self.name, index + 1)),
        }
    }

    /// The argument with a name, or at an index.
    #[inline(never)]
    pub fn named_or_at(&self, name: &str, index: usize) -> Value {
        named_or_at(self.args, name, index)
    }

    /// Whether the argument with a name, or at an index, counts as true.
    #[inline(never)]
    pub fn flag(&self, name: &str, index: usize) -> Outcome<bool> {
        self.named_or_at(name, index).truth()
    }

    /// Checks the number of arguments.
    #[inline(never)]
    pub fn count(&self, least: usize, most: usize) -> Outcome<()> {
        match (least..=most).contains(&self.args.len()) {
            true => Ok(()),
            false => failed(format!("`{}` has {} arguments, which is not possible", self.name, self.args.len())),
        }
    }

    #[inline(never)]
    pub fn text_at(&self, index: usize) -> Outcome<&Rc<Parts>> {
        match self.arg(index)? {
            Value::Text(text) => Ok(text),
            arg => self.refuse(arg, "a text"),
        }
    }

    #[inline(never)]
    pub fn list_at(&self, index: usize) -> Outcome<&Rc<List>> {
        match self.arg(index)? {
            Value::List(list) => Ok(list),
            arg => self.refuse(arg, "a list"),
        }
    }

    #[inline(never)]
    pub fn dict_at(&self, index: usize) -> Outcome<&Rc<Dict>> {
        match self.arg(index)? {
            Value::Dict(dict) => Ok(dict),
            arg => self.refuse(arg, "a dict"),
        }
    }

    #[inline(never)]
    pub fn int_at(&self, index: usize) -> Outcome<i64> {
        match self.arg(index)? {
            Value::Int(number) => Ok(*number),
            arg => self.refuse(arg, "an integer"),
        }
    }

    fn refuse<T>(&self, arg: &Value, expected: &str) -> Outcome<T> {
        failed(format!("`{}` expected {expected}, found {}", self.name, arg.kind()))
    }

    /// What llama.cpp has a name for, but does not do.
    #[inline(never)]
    pub fn missing<T>(&self) -> Outcome<T> {
        failed(format!("llama.cpp cannot do this with `{}` yet", self.name))
    }
}
