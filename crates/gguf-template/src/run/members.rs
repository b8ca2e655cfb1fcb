//! Members, indexes and slices.

use super::machine::{Machine, Run};
use crate::builtins::methods;
use crate::error::{Outcome, failed};
use crate::syntax::tree::{Id, Node};
use crate::values::bytes::Bytes;
use crate::values::compare::is_hashable;
use crate::values::value::{Body, Call, Function, Native, Value, seen};
use alloc::rc::Rc;

impl Machine<'_> {
    /// A function of the engine as a value.
    pub(super) fn native(&self, name: &'static str, native: Native, owner: Option<Value>) -> Outcome<Value> {
        Function::make(name, Body::Native(native), owner, &self.host.meter)
    }

    /// The method or filter of a value.
    pub(super) fn method(&self, value: &Value, name: &str) -> Outcome<Option<(&'static str, Native)>> {
        if self.host.is_watching {
            value.mark(seen::USED | if name == "selectattr" { seen::SELECTED } else { 0 });
        }
        methods::method(value, name)
    }

    /// The method of a value as a value, or an undefined value.
    fn method_value(&self, value: &Value, name: &[u8]) -> Outcome<Value> {
        let text = core::str::from_utf8(name).unwrap_or("");
        Ok(match self.method(value, text)? {
            Some((name, native)) => self.native(name, native, Some(value.clone()))?,
            None => Value::Undefined(Some(Rc::new(Bytes::of(name, &self.host.meter)?))),
        })
    }

    /// `object.name`: a method has precedence over a key.
    #[inline(never)]
    pub(super) fn member(&mut self, object: Id, name: Id) -> Run<Value> {
        let object = self.value(object)?;
        let Node::Name(name) = self.tree.node(name) else {
            return Ok(failed("after a dot, llama.cpp expects a name")?);
        };
        if let Some((name, native)) = self.method(&object, &self.tree.names[*name as usize])? {
            return Ok(self.native(name, native, Some(object))?);
        }
        let key = self.names[*name as usize].key.clone();
        // The rest is common with `object[key]`, but no method has this name.
        let value = match &object {
            Value::Dict(dict) => dict.get(&key)?.filter(|value| !value.is_undefined()),
            Value::Undefined(_) => return Ok(Value::Undefined(Some(self.hint("object_property")?))),
            _ => None,
        };
        let value = value.unwrap_or_else(|| Value::Undefined(Some(self.names[*name as usize].hint.clone())));
        if self.host.is_watching {
            value.mark(seen::USED);
        }
        Ok(value)
    }

    fn hint(&self, text: &str) -> Outcome<Rc<Bytes>> {
        Ok(Rc::new(Bytes::of(text.as_bytes(), &self.host.meter)?))
    }

    /// `object[index]`: a key has precedence over a method.
    #[inline(never)]
    pub(super) fn index(&mut self, object: Id, index: Id) -> Run<Value> {
        let object = self.value(object)?;
        let index = self.value(index)?;
        Ok(self.element(object, index)?)
    }

    fn element(&self, object: Value, index: Value) -> Outcome<Value> {
        let undefined = || self.hint("object_property").map(|hint| Value::Undefined(Some(hint)));
        if index.is_undefined() {
            return undefined();
        }
        if !is_hashable(&index, &self.host.meter)? {
            return index.refused("", " cannot be a key");
        }
        let value = match (&object, &index) {
            (Value::Undefined(_), _) => return undefined(),
            (Value::Dict(dict), _) => match dict.get(&index)?.filter(|value| !value.is_undefined()) {
                Some(value) => value,
                None => {
                    let name = crate::values::shown::shown(&index, &self.host.meter)?;
                    self.method_value(&object, &name)?
                }
            },
            (Value::List(list), Value::Int(index)) => match list.at(*index) {
                Some(value) => value,
                None => undefined()?,
            },
            // An index of a text is never counted from the end, and it counts bytes.
            (Value::Text(text), Value::Int(index)) => {
                let bytes = text.bytes()?;
                match usize::try_from(*index).ok().and_then(|index| bytes.get(index)) {
                    Some(byte) => self.host.text(&[*byte])?,
                    None => undefined()?,
                }
            }
            (_, Value::Text(name)) => self.method_value(&object, &name.bytes()?)?,
            _ => return failed(format!("{} has no element with {} as its index", object.kind(), index.kind())),
        };
        if self.host.is_watching {
            value.mark(seen::USED);
            object.mark(seen::USED | if matches!(index, Value::Int(_)) { seen::ELEMENTS } else { 0 });
            index.mark(seen::USED);
        }
        Ok(value)
    }

    /// `object[start:stop:step]`
    #[inline(never)]
    pub(super) fn slice(&mut self, object: Id, [start, stop, step]: [Option<Id>; 3]) -> Run<Value> {
        let object = self.value(object)?;
        let length = match &object {
            Value::List(list) => list.len() as i64,
            Value::Text(text) => text.len() as i64,
            _ => 0,
        };
        let step = match step {
            Some(step) => self.value(step)?,
            None => Value::Int(1),
        };
        let start = match start {
            Some(start) => self.value(start)?,
            None => Value::Int(if step.int()? < 0 { length - 1 } else { 0 }),
        };
        let stop = match stop {
            Some(stop) => self.value(stop)?,
            None => Value::Int(if step.int()? < 0 { -1 } else { length }),
        };
        match self.method(&object, "slice")? {
            Some((name, native)) => Ok(native(&Call { name, args: &[object, start, stop, step], host: &self.host })?),
            None => Ok(object.refused("", " has no slices")?),
        }
    }
}
