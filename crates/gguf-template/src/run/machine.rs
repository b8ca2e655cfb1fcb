//! The state of a rendering.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::pieces::Piece;
use super::scope::Scopes;
use crate::builtins::globals;
use crate::error::{ErrorKind, Fault, Outcome, fault};
use crate::limits::Limits;
use crate::syntax::tree::{Id, Tree};
use crate::values::bytes::Bytes;
use crate::values::parts::Parts;
use crate::values::value::{Host, Native, Value};

/// Runs one rendering.
pub(crate) struct Machine<'a> {
    pub(super) tree: &'a Tree,
    pub(super) host: Host,
    pub(super) scopes: Scopes,
    pub(super) out: Vec<Piece>,
    /// How many pieces of `out` are lists, whose text is not known yet.
    pub(super) open_lists: usize,
    /// How much deeper the rendering may go.
    depth: u32,
    /// The texts of the tree as values.
    pub(super) texts: Vec<Value>,
    /// What is known of each name of the tree.
    pub(super) names: Vec<Name>,
    /// The number of the name `loop`, if the template uses it.
    pub(super) loop_name: Option<u32>,
    /// The keys of the dict `loop`.
    pub(super) loop_keys: Vec<Value>,
}

/// A name of the template.
pub(super) struct Name {
    /// Tells where an undefined value comes from.
    pub hint: Rc<Bytes>,
    /// The name as a key.
    pub key: Value,
    /// The function with this name, which a variable hides.
    pub global: Option<(&'static str, Native)>,
}

/// Why a statement or an expression ended early.
pub(crate) enum Stop {
    Fault(Box<Fault>),
    /// The innermost running loop ends, even if the statement stands in a macro that the loop calls. With the position of the statement.
    Break(u32),
    Continue(u32),
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        Stop::Fault(fault)
    }
}

impl Stop {
    /// Gives the error a position if it has none. The innermost node has set it first.
    #[cold]
    pub fn located(mut self, at: u32) -> Stop {
        if let Stop::Fault(fault) = &mut self {
            fault.at = fault.at.or(Some(at));
        }
        self
    }
}

/// The result of a node.
pub(crate) type Run<T> = Result<T, Stop>;

/// The keys of the dict `loop` in their order.
pub(super) const LOOP_KEYS: [&str; 9] =
    ["index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem", "nextitem"];

impl<'a> Machine<'a> {
    pub fn new(tree: &'a Tree, host: Host, limits: &Limits) -> Outcome<Machine<'a>> {
        let (mut texts, mut names, mut loop_keys) = (Vec::new(), Vec::new(), Vec::new());
        for text in &tree.texts {
            texts.push(host.text(text.as_bytes())?);
        }
        for name in &tree.names {
            let hint = Rc::new(Bytes::of(name.as_bytes(), &host.meter)?);
            names.push(Name { hint, key: host.text(name.as_bytes())?, global: globals::find(name) });
        }
        for key in &LOOP_KEYS {
            loop_keys.push(host.text(key.as_bytes())?);
        }
        let mut machine = Machine {
            tree,
            scopes: Scopes::new(names.len()),
            host,
            out: Vec::new(),
            open_lists: 0,
            depth: limits.depth,
            texts,
            names,
            loop_name: tree.names.iter().position(|name| name == "loop").map(|name| name as u32),
            loop_keys,
        };
        machine.set_variable("true", Value::Bool(true));
        machine.set_variable("True", Value::Bool(true));
        machine.set_variable("false", Value::Bool(false));
        machine.set_variable("False", Value::Bool(false));
        machine.set_variable("none", Value::None);
        machine.set_variable("None", Value::None);
        Ok(machine)
    }

    /// Sets a variable of the template. A name that the template does not contain is ignored.
    #[inline(never)]
    pub fn set_variable(&mut self, name: &str, value: Value) {
        if let Some(index) = self.tree.names.iter().position(|other| other == name) {
            self.scopes.set(index as u32, value);
        }
    }

    /// Runs the template. The host comes back.
    pub fn run(mut self) -> (Outcome<Rc<Parts>>, Host) {
        let body = &self.tree.body;
        let text = match self.block(body) {
            Ok(()) => self.take_text(0),
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Break(at) | Stop::Continue(at)) => {
                let mut fault = fault(ErrorKind::Render, "`break` and `continue` can only stand in a loop");
                fault.at = Some(at);
                Err(fault)
            }
        };
        (text, self.host)
    }

    /// The value of a variable, or the function with its name.
    pub(super) fn variable(&self, name: u32) -> Outcome<Value> {
        let info = &self.names[name as usize];
        match (self.scopes.get(name), info.global) {
            (Some(value), _) if !value.is_undefined() => Ok(value.clone()),
            (_, Some((name, native))) => self.native(name, native, None),
            _ => Ok(Value::Undefined(Some(info.hint.clone()))),
        }
    }

    /// The values of all variables.
    pub(super) fn all_variables(&self) -> Outcome<Vec<Value>> {
        self.host.meter.step(self.names.len() / 4)?;
        self.host.meter.room(self.names.len() * size_of::<Value>())?;
        let value = |(index, info): (usize, &Name)| {
            let undefined = || Value::Undefined(Some(info.hint.clone()));
            self.scopes.get(index as u32).cloned().unwrap_or_else(undefined)
        };
        Ok(self.names.iter().enumerate().map(value).collect())
    }

    /// Runs something one level deeper.
    #[inline]
    pub(super) fn deeper<T>(&mut self, id: Id, part: impl FnOnce(&mut Self, Id) -> Run<T>) -> Run<T> {
        if self.depth == 0 {
            let fault = fault(ErrorKind::Limit, "the template is nested too deeply, or calls itself");
            return Err(Stop::from(fault).located(self.tree.at(id)));
        }
        self.depth -= 1;
        let result = self.host.meter.step(1).map_err(Stop::from).and_then(|()| part(self, id));
        self.depth += 1;
        result.map_err(|stop| stop.located(self.tree.at(id)))
    }
}
