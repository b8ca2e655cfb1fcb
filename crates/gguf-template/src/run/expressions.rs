//! Evaluates expressions.

use alloc::vec::Vec;

use super::machine::{Machine, Run, Stop};
use crate::builtins::tests;
use crate::error::failed;
use crate::syntax::tree::{Id, Node};
use crate::values::shown::as_text;
use crate::values::value::{Call, Dict, Keyword, Value, seen};

impl Machine<'_> {
    /// The value of an expression. A statement has none.
    pub(super) fn value(&mut self, id: Id) -> Run<Value> {
        match self.tree.node(id) {
            Node::Text(text) | Node::Quoted(text) => Ok(self.texts[*text as usize].clone()),
            Node::Int(number) => Ok(Value::Int(*number)),
            Node::Float(number) => Ok(Value::Float(*number)),
            Node::Name(name) => {
                self.host.meter.step(1).map_err(|fault| Stop::from(fault).located(self.tree.at(id)))?;
                let value = self.variable(*name)?;
                if self.host.is_watching {
                    value.mark(seen::USED);
                }
                Ok(value)
            }
            Node::Blank => Ok(Value::Undefined(None)),
            _ => self.deeper(id, Machine::nested),
        }
    }

    fn nested(&mut self, id: Id) -> Run<Value> {
        match self.tree.node(id) {
            Node::And(..) | Node::Or(..) | Node::Binary(..) => self.operation(id),
            Node::Member { object, name } => self.member(*object, *name),
            Node::Index { object, index } => self.index(*object, *index),
            Node::Slice { object, start, stop, step } => self.slice(*object, [*start, *stop, *step]),
            Node::Call { callee, args } => self.call(*callee, args),
            Node::Filter { value, filter } => {
                let value = self.value(*value)?;
                self.filter(value, *filter)
            }
            Node::Test { value, is_negated, test } => self.test(*value, *is_negated, *test),
            Node::Not(value) => Ok(Value::Bool(!self.value(*value)?.truth()?)),
            Node::Ternary { test, yes, no } => {
                let chosen = if self.value(*test)?.truth()? { yes } else { no };
                self.value(*chosen)
            }
            Node::Select { value, test } => match self.value(*test)?.truth()? {
                true => self.value(*value),
                false => Ok(Value::Undefined(None)),
            },
            Node::List(items) => self.sequence(items, false),
            Node::Tuple(items) => self.sequence(items, true),
            Node::Dict(entries) => self.dict(entries),
            Node::Keyword { name, value } => self.keyword(*name, *value),
            Node::Spread => Ok(failed("llama.cpp does not unpack arguments with `*`")?),
            _ => Ok(failed("a statement has no value")?),
        }
    }

    /// The values of expressions, after a number of other values that are filled in later.
    #[inline(never)]
    pub(super) fn values(&mut self, ids: &[Id], before: usize) -> Run<Vec<Value>> {
        let mut values = Vec::with_capacity(before + ids.len());
        values.resize(before, Value::None);
        for id in ids {
            values.push(self.value(*id)?);
        }
        Ok(values)
    }

    #[inline(never)]
    fn sequence(&mut self, items: &[Id], is_tuple: bool) -> Run<Value> {
        let items = self.values(items, 0)?;
        Ok(self.host.sequence(items, is_tuple)?)
    }

    #[inline(never)]
    fn dict(&mut self, entries: &[Id]) -> Run<Value> {
        let dict = Dict::new(&self.host.meter)?;
        for entry in entries.chunks_exact(2) {
            let key = self.value(entry[0])?;
            let value = self.value(entry[1])?;
            dict.set(key, value)?;
        }
        Ok(dict.into_value())
    }

    #[inline(never)]
    fn keyword(&mut self, name: Id, value: Id) -> Run<Value> {
        let Node::Name(name) = self.tree.node(name) else {
            return Ok(failed("the name of a named argument is not a name")?);
        };
        let value = self.value(value)?;
        Ok(Keyword::make(self.names[*name as usize].hint.clone(), value, &self.host.meter)?)
    }

    /// Applies a filter. Filters are the methods of the type of the value.
    #[inline(never)]
    pub(super) fn filter(&mut self, mut value: Value, filter: Id) -> Run<Value> {
        let (callee, args) = match self.tree.node(filter) {
            Node::Call { callee, args } => (*callee, Some(args)),
            _ => (filter, None),
        };
        let tree = self.tree;
        let Some(name) = tree.name(callee) else { return Ok(failed("a filter is not a name")?) };
        let name = match name {
            "count" => "length",
            "d" => "default",
            "e" => "escape",
            "trim" => "strip",
            name => name,
        };
        let mut values = self.values(args.map_or(&[], |args| args), 1)?;
        const OF_TEXTS: [&str; 7] = ["capitalize", "lower", "replace", "strip", "title", "upper", "wordcount"];
        let is_text = matches!(value, Value::Undefined(_) | Value::Text(_));
        if args.is_none() && !is_text && OF_TEXTS.contains(&name) {
            value = Value::Text(as_text(&value, &self.host.meter)?);
        }
        match self.method(&value, name)? {
            Some((name, native)) => {
                values[0] = value;
                Ok(native(&Call { name, args: &values, host: &self.host })?)
            }
            None => Ok(failed(format!("llama.cpp has no filter `{name}` for {}", value.kind()))?),
        }
    }

    #[inline(never)]
    fn test(&mut self, value: Id, is_negated: bool, test: Id) -> Run<Value> {
        let (callee, args) = match self.tree.node(test) {
            Node::Call { callee, args } => (*callee, &args[..]),
            _ => (test, &[][..]),
        };
        let value = self.value(value)?;
        let tree = self.tree;
        let Some(name) = tree.name(callee) else { return Ok(failed("a test is not a name")?) };
        let mut values = self.values(args, 1)?;
        values[0] = value;
        let Some((name, native)) = tests::find(name) else {
            return Ok(failed(format!("llama.cpp has no test `{name}`"))?);
        };
        let result = native(&Call { name, args: &values, host: &self.host })?;
        Ok(if is_negated { Value::Bool(!result.truth()?) } else { result })
    }
}
