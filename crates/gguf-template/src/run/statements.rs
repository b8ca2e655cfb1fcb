//! Runs statements.

use alloc::vec::Vec;

use super::machine::{Machine, Run, Stop};
use crate::error::{Outcome, failed};
use crate::syntax::tree::{For, Id, Node};
use crate::values::value::{Body, Dict, Function, Value, seen};

impl Machine<'_> {
    /// Runs the statements of a block. If one ends early, nothing of the block is written.
    pub(super) fn block(&mut self, ids: &[Id]) -> Run<()> {
        let start = self.out.len();
        for id in ids {
            if let Err(stop) = self.statement(*id) {
                self.forget(start);
                return Err(stop);
            }
        }
        Ok(self.settle(start)?)
    }

    /// What the statements of a block write, as a value.
    pub(super) fn text_of(&mut self, ids: &[Id]) -> Run<Value> {
        let start = self.out.len();
        self.block(ids)?;
        Ok(Value::Text(self.take_text(start)?))
    }

    /// Runs a statement. If it ends early, it has written nothing.
    pub(super) fn statement(&mut self, id: Id) -> Run<()> {
        match self.tree.node(id) {
            Node::If { .. } | Node::For(_) | Node::Set { .. } | Node::SetBlock { .. } => {
                self.deeper(id, Machine::run_statement)
            }
            Node::Macro(_) | Node::CallBlock { .. } | Node::FilterBlock { .. } => {
                self.deeper(id, Machine::run_statement)
            }
            Node::Break => Err(Stop::Break(self.tree.at(id))),
            Node::Continue => Err(Stop::Continue(self.tree.at(id))),
            Node::Nothing => Ok(()),
            _ => {
                let value = self.value(id)?;
                self.write(value).map_err(|fault| Stop::from(fault).located(self.tree.at(id)))
            }
        }
    }

    fn run_statement(&mut self, id: Id) -> Run<()> {
        let tree = self.tree;
        match tree.node(id) {
            Node::If { branches, otherwise } => {
                for (test, body) in branches {
                    if self.value(*test)?.truth()? {
                        return self.block(body);
                    }
                }
                self.block(otherwise)
            }
            Node::For(node) => self.for_loop(node),
            Node::Set { target, value } => {
                let value = self.value(*value)?;
                self.assign(*target, value)
            }
            Node::SetBlock { target, body } => {
                let value = self.text_of(body)?;
                self.assign(*target, value)
            }
            Node::Macro(node) => {
                let Some(Node::Name(name)) = node.name.map(|name| tree.node(name)) else {
                    return Ok(failed("the name of a macro is not a name")?);
                };
                let text = tree.names[*name as usize].as_str();
                let function = Function::make(text, Body::Macro(id), None, &self.host.meter)?;
                self.scopes.set(*name, function);
                Ok(())
            }
            Node::CallBlock { .. } => {
                let value = self.call_block(id)?;
                Ok(self.write(value)?)
            }
            Node::FilterBlock { filter, body } => {
                let text = self.text_of(body)?;
                let value = self.filter(text, *filter)?;
                Ok(self.write(value)?)
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn assign(&mut self, target: Id, value: Value) -> Run<()> {
        let tree = self.tree;
        match tree.node(target) {
            Node::Name(name) => self.scopes.set(*name, value),
            Node::Tuple(names) => self.unpack(names, &value)?,
            Node::Member { object, name } => {
                let Node::Name(name) = tree.node(*name) else {
                    return Ok(failed("after a dot, llama.cpp expects a name")?);
                };
                let object = self.value(*object)?;
                let Value::Dict(dict) = &object else {
                    return Ok(object.refused("a member of ", " cannot be set")?);
                };
                dict.set(self.names[*name as usize].key.clone(), value)?;
                self.host.changed(&object);
            }
            Node::Index { .. } | Node::Slice { .. } => failed("`set` with square brackets is not possible")?,
            _ => failed("`set` needs a name, names with commas, or a member")?,
        }
        Ok(())
    }

    /// Sets names to the elements of a list.
    fn unpack(&mut self, names: &[Id], value: &Value) -> Outcome<()> {
        let items = self.unpacked(names, value)?;
        for (name, item) in names.iter().zip(items) {
            let Node::Name(name) = self.tree.node(*name) else { return failed("only names can be set") };
            self.scopes.set(*name, item);
        }
        Ok(())
    }

    fn unpacked(&self, names: &[Id], value: &Value) -> Outcome<Vec<Value>> {
        let Value::List(list) = value else { return value.refused("", " has no elements to unpack") };
        if list.len() != names.len() {
            return failed(format!("expected {} elements to unpack, found {}", names.len(), list.len()));
        }
        list.items()
    }

    #[inline(never)]
    fn for_loop(&mut self, node: &For) -> Run<()> {
        let start = self.out.len();
        self.scopes.enter();
        let result = self.steps(node);
        self.scopes.leave();
        let result = match result {
            Ok(true) => self.block(&node.otherwise),
            other => other.map(|_| ()),
        };
        if result.is_err() {
            self.forget(start);
            return result;
        }
        Ok(self.settle(start)?)
    }

    /// Runs the steps of a loop. Returns whether none of them came to its end.
    fn steps(&mut self, node: &For) -> Run<bool> {
        let items = self.items(node)?;
        let mut is_empty = true;
        for index in 0..items.len() {
            self.host.meter.step(1)?;
            if let Some(name) = self.loop_name {
                let state = self.loop_state(&items, index)?;
                self.scopes.set(name, state);
            }
            self.bind(node.target, &items[index])?;
            match self.loop_body(&node.body) {
                Ok(()) => is_empty = false,
                Err(Stop::Continue(_)) => {}
                Err(Stop::Break(_)) => break,
                Err(fault) => return Err(fault),
            }
        }
        Ok(is_empty)
    }

    /// Runs one step. What it wrote before it ended early stays.
    fn loop_body(&mut self, ids: &[Id]) -> Run<()> {
        ids.iter().try_for_each(|id| self.statement(*id))
    }

    /// The elements that a loop runs over.
    #[inline(never)]
    fn items(&mut self, node: &For) -> Run<Vec<Value>> {
        let (iterable, test) = match self.tree.node(node.iterable) {
            Node::Select { value, test } => (*value, Some(*test)),
            _ => (node.iterable, None),
        };
        let iterable = self.value(iterable)?;
        if self.host.is_watching {
            iterable.mark(seen::USED | seen::ELEMENTS);
        }
        let is_tuple = matches!(self.tree.node(node.target), Node::Tuple(_));
        let mut items = match &iterable {
            Value::Undefined(_) => Vec::new(),
            Value::List(list) => list.items()?,
            Value::Dict(dict) if is_tuple => dict.pairs(&self.host)?,
            Value::Dict(dict) => dict.keys()?,
            _ => return Ok(iterable.refused("a loop cannot run over ", "")?),
        };
        let mut kept = 0;
        for index in 0..items.len() {
            match self.tree.node(node.target) {
                Node::Name(_) => {}
                Node::Tuple(names) => {
                    self.host.meter.step(1)?;
                    drop(self.unpacked(names, &items[index])?)
                }
                _ => return Ok(failed("the variable of a loop is not a name")?),
            }
            if let Some(test) = test {
                self.scopes.enter();
                let result = match self.bind(node.target, &items[index]) {
                    Ok(()) => self.value(test).and_then(|value| Ok(value.truth()?)),
                    Err(fault) => Err(fault.into()),
                };
                self.scopes.leave();
                if !result? {
                    continue;
                }
            }
            items.swap(kept, index);
            kept += 1;
        }
        items.truncate(kept);
        Ok(items)
    }

    fn bind(&mut self, target: Id, item: &Value) -> Outcome<()> {
        let tree = self.tree;
        match tree.node(target) {
            Node::Name(name) => self.scopes.set(*name, item.clone()),
            Node::Tuple(names) => self.unpack(names, item)?,
            _ => {}
        }
        Ok(())
    }

    /// The dict `loop`.
    fn loop_state(&self, items: &[Value], index: usize) -> Outcome<Value> {
        let (number, count) = (index as i64, items.len() as i64);
        let neighbour = |index: usize, place: usize| match items.get(index) {
            Some(item) => item.clone(),
            None => match &self.loop_keys[place] {
                Value::Text(text) => Value::Undefined(text.parts().first().map(|part| part.bytes.clone())),
                _ => Value::Undefined(None),
            },
        };
        let values = [
            Value::Int(number + 1),
            Value::Int(number),
            Value::Int(count - number),
            Value::Int(count - number - 1),
            Value::Bool(index == 0),
            Value::Bool(number == count - 1),
            Value::Int(count),
            neighbour(index.wrapping_sub(1), 7),
            neighbour(index + 1, 8),
        ];
        let dict = Dict::with_methods(false, &self.host.meter)?;
        dict.fill(self.loop_keys.iter().cloned().zip(values).collect())?;
        Ok(dict.into_value())
    }
}
