//! Calls of functions and macros.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::machine::{Machine, Run};
use super::scope::{SLOT, Scopes};
use crate::builtins::arguments::named_or_at;
use crate::error::failed;
use crate::limits::Taken;
use crate::syntax::tree::{Id, Macro, Node};
use crate::values::value::{Body, Call, Function, Value, name_of};

impl Machine<'_> {
    #[inline(never)]
    pub(super) fn call(&mut self, callee: Id, args: &[Id]) -> Run<Value> {
        let args = self.values(args, 1)?;
        match self.value(callee)? {
            Value::Function(function) => self.invoke(&function, args),
            value => Ok(value.refused("", " is not a function")?),
        }
    }

    /// Calls a function. The first argument is filled in here, if the function has an owner.
    pub(super) fn invoke(&mut self, function: &Rc<Function>, mut args: Vec<Value>) -> Run<Value> {
        match &function.body {
            Body::Native(native) => {
                let mut start = 1;
                if let Some(owner) = &function.owner {
                    args[0] = owner.clone();
                    start = 0;
                }
                Ok(native(&Call { name: &function.name, args: &args[start..], host: &self.host })?)
            }
            Body::Macro(id) => {
                let tree = self.tree;
                let Node::Macro(node) = tree.node(*id) else { return Ok(Value::None) };
                let parameters = self.parameters(node, &function.name, &args[1..])?;
                self.deeper(*id, |machine, _| machine.body(node, parameters))
            }
            Body::Caller(id, variables) => {
                let tree = self.tree;
                let Node::CallBlock { block, .. } = tree.node(*id) else { return Ok(Value::None) };
                let parameters = self.parameters(block, "caller", &args[1..])?;
                self.host.meter.step(variables.len())?;
                let _taken = Taken::new(variables.len() * SLOT, &self.host.meter)?;
                let outer = core::mem::replace(&mut self.scopes, Scopes::of(variables));
                let result = self.deeper(*id, |machine, _| machine.body(block, parameters));
                self.scopes = outer;
                result
            }
        }
    }

    /// Runs the body of a macro in a scope of its own.
    #[inline(never)]
    fn body(&mut self, node: &Macro, parameters: Vec<(u32, Value)>) -> Run<Value> {
        self.scopes.enter();
        for (name, value) in parameters {
            self.scopes.set(name, value);
        }
        let result = self.text_of(&node.body);
        self.scopes.leave();
        result
    }

    /// The values of the parameters of a macro. Default values are computed in the scope of the caller.
    #[inline(never)]
    fn parameters(&mut self, node: &Macro, name: &str, args: &[Value]) -> Run<Vec<(u32, Value)>> {
        let tree = self.tree;
        let mut values = Vec::with_capacity(node.parameters.len());
        for (index, parameter) in node.parameters.iter().enumerate() {
            let (parameter, default) = match tree.node(*parameter) {
                Node::Keyword { name, value } => (*name, Some(*value)),
                _ => (*parameter, None),
            };
            let Node::Name(number) = tree.node(parameter) else {
                return Ok(failed(format!("a parameter of the macro `{name}` is not a name"))?);
            };
            // The argument can stand anywhere.
            self.host.meter.step(args.len() / 8)?;
            let value = match default {
                _ if index < args.len() => named_or_at(args, &tree.names[*number as usize], index),
                Some(default) => self.value(default)?,
                None => {
                    let missing = name_of(&self.names[*number as usize].hint);
                    return Ok(failed(format!("the macro `{name}` needs the argument `{missing}`"))?);
                }
            };
            values.push((*number, value));
        }
        Ok(values)
    }

    /// Runs a `call` block: the macro gets the function `caller`, which runs the block.
    #[inline(never)]
    pub(super) fn call_block(&mut self, id: Id) -> Run<Value> {
        let tree = self.tree;
        let Node::CallBlock { callee, args, .. } = tree.node(id) else { return Ok(Value::None) };
        let function = match self.value(*callee)? {
            Value::Function(function) => function,
            value => return Ok(value.refused("", " is not a function")?),
        };
        let body = Body::Caller(id, self.all_variables()?);
        let caller = Function::make("caller", body, None, &self.host.meter)?;
        let args = self.values(args, 1)?;
        self.scopes.enter();
        if let Some(name) = tree.names.iter().position(|name| name == "caller") {
            self.scopes.set(name as u32, caller);
        }
        let result = self.invoke(&function, args);
        self.scopes.leave();
        result
    }
}
