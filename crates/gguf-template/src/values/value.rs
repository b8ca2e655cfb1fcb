//! The values of templates.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::bytes::{Bytes, OVERHEAD};
use super::parts::Parts;
use super::places::Places;
use crate::error::{ErrorKind, Fault, Outcome, fault};
use crate::limits::{Meter, Taken};

/// Bits that say what a template has done with a value. llama.cpp finds the capabilities of a template with them.
pub(crate) mod seen {
    pub const USED: u8 = 1;
    /// An element was taken, or a loop ran over it.
    pub const ELEMENTS: u8 = 2;
    /// The filter `selectattr` was called.
    pub const SELECTED: u8 = 4;
}

/// A value. Copies of lists and dicts are the same list or dict.
#[derive(Debug)]
pub(crate) enum Value {
    /// With a name that tells where it comes from. Python's form of a list shows it.
    Undefined(Option<Rc<Bytes>>),
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Rc<Parts>),
    List(Rc<List>),
    Dict(Rc<Dict>),
    Function(Rc<Function>),
    Keyword(Rc<Keyword>),
}

/// A list or a tuple.
#[derive(Debug)]
pub(crate) struct List {
    items: RefCell<Vec<Value>>,
    pub is_tuple: bool,
    pub seen: Cell<u8>,
    meter: Rc<Meter>,
}

/// A dict or a namespace. Any hashable value can be a key.
#[derive(Debug)]
pub(crate) struct Dict {
    pub(super) entries: RefCell<Entries>,
    /// Whether it has methods. The dict `loop` has none.
    pub has_methods: bool,
    pub seen: Cell<u8>,
    pub(super) meter: Rc<Meter>,
}

/// The entries of a dict in their order, and where each is found.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub list: Vec<(Value, Value)>,
    /// Empty for few entries, which are compared one by one.
    pub places: Places,
}

/// A function with the value that it belongs to.
#[derive(Debug)]
pub(crate) struct Function {
    pub name: Box<str>,
    pub body: Body,
    /// The first argument of a method or filter.
    pub owner: Option<Value>,
    _taken: Taken,
}

/// What a function does.
#[derive(Debug)]
pub(crate) enum Body {
    Native(Native),
    /// A node of the syntax tree.
    Macro(u32),
    /// The body of a `call` block: a node of the syntax tree, and all variables where the block stands.
    Caller(u32, Vec<Value>),
}

/// An argument with a name.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub name: Rc<Bytes>,
    pub value: Value,
    _taken: Taken,
}

/// A function of the engine.
pub(crate) type Native = fn(&Call) -> Outcome<Value>;

/// A call of a function of the engine.
pub(crate) struct Call<'a> {
    pub name: &'a str,
    pub args: &'a [Value],
    pub host: &'a Host,
}

/// What functions of the engine need of a rendering.
pub(crate) struct Host {
    pub meter: Rc<Meter>,
    /// Seconds since 1970, as the clock of the place shows them.
    pub now: i64,
    /// Whether values remember what is done with them.
    pub is_watching: bool,
    /// Lists and dicts that were changed. They can contain themselves, so they are emptied at the end.
    pub changed: RefCell<Vec<Value>>,
}

impl Clone for Value {
    // Values are cloned in many places, and one function is smaller than as many copies.
    #[inline(never)]
    fn clone(&self) -> Value {
        match self {
            Value::Undefined(hint) => Value::Undefined(hint.clone()),
            Value::None => Value::None,
            Value::Bool(truth) => Value::Bool(*truth),
            Value::Int(number) => Value::Int(*number),
            Value::Float(number) => Value::Float(*number),
            Value::Text(text) => Value::Text(text.clone()),
            Value::List(list) => Value::List(list.clone()),
            Value::Dict(dict) => Value::Dict(dict.clone()),
            Value::Function(function) => Value::Function(function.clone()),
            Value::Keyword(keyword) => Value::Keyword(keyword.clone()),
        }
    }
}

impl Value {
    /// The name of the type in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Undefined(_) => "an undefined value",
            Value::None => "none",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Text(_) => "a text",
            Value::List(list) if list.is_tuple => "a tuple",
            Value::List(_) => "a list",
            Value::Dict(_) => "a dict",
            Value::Function(_) => "a function",
            Value::Keyword(_) => "a named argument",
        }
    }

    /// An error about the type of the value, whose name stands between two texts.
    #[cold]
    pub fn refused<T>(&self, before: &str, after: &str) -> Outcome<T> {
        Err(self.fault(before, after))
    }

    #[inline(never)]
    fn fault(&self, before: &str, after: &str) -> Box<Fault> {
        fault(ErrorKind::Render, [before, self.kind(), after].concat())
    }

    pub fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined(_))
    }

    pub fn is_absent(&self) -> bool {
        matches!(self, Value::Undefined(_) | Value::None)
    }

    /// Whether the value counts as true. Functions count as neither.
    #[inline(never)]
    pub fn truth(&self) -> Outcome<bool> {
        Ok(match self {
            Value::Undefined(_) | Value::None => false,
            Value::Bool(truth) => *truth,
            Value::Int(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::Text(text) => text.len() > 0,
            Value::List(list) => !list.is_empty(),
            Value::Dict(dict) => dict.len() > 0,
            Value::Function(_) | Value::Keyword(_) => return self.refused("", " is neither true nor false"),
        })
    }

    /// The integer of a number or boolean. Floats are cut.
    #[inline(never)]
    pub fn int(&self) -> Outcome<i64> {
        match self {
            Value::Bool(truth) => Ok((*truth).into()),
            Value::Int(number) => Ok(*number),
            Value::Float(number) => Ok(if number.is_finite() { cut(*number) } else { 0 }),
            _ => self.refused("expected an integer, found ", ""),
        }
    }

    /// The float of a number.
    #[inline(never)]
    pub fn float(&self) -> Outcome<f64> {
        match self {
            Value::Int(number) => Ok(exact_float(*number)),
            Value::Float(number) => Ok(*number),
            _ => self.refused("expected a number, found ", ""),
        }
    }

    /// Remembers what is done with the value.
    #[inline(never)]
    pub fn mark(&self, bits: u8) {
        let seen = match self {
            Value::Text(text) => &text.seen,
            Value::List(list) => &list.seen,
            Value::Dict(dict) => &dict.seen,
            _ => return,
        };
        seen.set(seen.get() | bits);
    }

    /// Remembers that the value and everything in it is used.
    pub fn mark_all(&self, meter: &Meter, depth: u32) -> Outcome<()> {
        meter.step(1)?;
        self.mark(seen::USED);
        if depth == 0 {
            return Ok(());
        }
        match self {
            Value::List(list) => list.borrow().iter().try_for_each(|item| item.mark_all(meter, depth - 1)),
            Value::Dict(dict) => dict.iter().try_for_each(|(key, value)| {
                key.mark(seen::USED);
                value.mark_all(meter, depth - 1)
            }),
            _ => Ok(()),
        }
    }
}

/// A float without its fraction. Out of range, the result is the smallest integer, as on x86.
pub(crate) fn cut(number: f64) -> i64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&number) { number as i64 } else { i64::MIN }
}

/// The float of an integer. An integer that no float has becomes infinite, as in llama.cpp.
pub(crate) fn exact_float(number: i64) -> f64 {
    let float = number as f64;
    match cut(float) == number {
        true => float,
        false if number < 0 => f64::NEG_INFINITY,
        false => f64::INFINITY,
    }
}

impl List {
    pub fn new(items: Vec<Value>, is_tuple: bool, meter: &Rc<Meter>) -> Outcome<List> {
        meter.step(items.len() / 4)?;
        meter.take(OVERHEAD + items.capacity() * size_of::<Value>())?;
        Ok(List { items: RefCell::new(items), is_tuple, seen: Cell::new(0), meter: meter.clone() })
    }

    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> Option<Value> {
        self.items.borrow().get(index).cloned()
    }

    /// The element at an index, counted from the end if it is negative.
    #[inline(never)]
    pub fn at(&self, index: i64) -> Option<Value> {
        let index = if index < 0 { index.checked_add(self.len() as i64)? } else { index };
        self.get(usize::try_from(index).ok()?)
    }

    /// The elements. They must not be changed meanwhile.
    pub fn borrow(&self) -> core::cell::Ref<'_, Vec<Value>> {
        self.items.borrow()
    }

    /// A copy of the elements.
    #[inline(never)]
    pub fn items(&self) -> Outcome<Vec<Value>> {
        let items = self.items.borrow();
        self.meter.room(items.len() * size_of::<Value>())?;
        self.meter.step(items.len() / 4)?;
        Ok(items.clone())
    }

    pub fn push(&self, item: Value) -> Outcome<()> {
        let mut items = self.items.borrow_mut();
        if items.len() == items.capacity() {
            let more = items.len().max(4);
            self.meter.take(more * size_of::<Value>())?;
            items.reserve_exact(more);
        }
        items.push(item);
        Ok(())
    }

    /// Takes an element out. `index` must be in the list.
    pub fn remove(&self, index: usize) -> Value {
        self.items.borrow_mut().remove(index)
    }
}

impl Dict {
    pub fn new(meter: &Rc<Meter>) -> Outcome<Dict> {
        Dict::with_methods(true, meter)
    }

    pub fn with_methods(has_methods: bool, meter: &Rc<Meter>) -> Outcome<Dict> {
        meter.take(2 * OVERHEAD)?;
        Ok(Dict { entries: RefCell::default(), has_methods, seen: Cell::new(0), meter: meter.clone() })
    }

    pub fn len(&self) -> usize {
        self.entries.borrow().list.len()
    }

    /// The entries in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Value, Value)> {
        (0..).map_while(|index| self.entries.borrow().list.get(index).cloned())
    }

    /// Drops all entries.
    fn clear(&self) {
        let mut parts = Vec::new();
        self.take_apart(&mut parts);
        dismantle(parts);
    }

    fn take_apart(&self, parts: &mut Vec<Value>) {
        let entries = self.entries.take();
        self.meter.give(entries.list.len() * ENTRY_BYTES);
        for (key, value) in entries.list {
            parts.push(key);
            parts.push(value);
        }
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        self.meter.give(2 * OVERHEAD);
        self.clear();
    }
}

/// What an entry of a dict takes, with its place in the table.
pub(super) const ENTRY_BYTES: usize = 2 * size_of::<(Value, Value)>() + 32;

impl Host {
    /// A text of the template. llama.cpp marks the result of most operations as text of the template.
    #[inline(never)]
    pub fn text(&self, bytes: &[u8]) -> Outcome<Value> {
        Parts::of(bytes, false, &self.meter).map(Value::Text)
    }

    /// A text that is input if the text that it is made of is.
    #[inline(never)]
    pub fn text_like(&self, bytes: Bytes, origin: &Parts) -> Outcome<Value> {
        Parts::of_bytes(bytes, origin.is_input(), &self.meter).map(Value::Text)
    }

    #[inline(never)]
    pub fn list(&self, items: Vec<Value>) -> Outcome<Value> {
        self.sequence(items, false)
    }

    /// A tuple, or a list.
    #[inline(never)]
    pub fn sequence(&self, items: Vec<Value>, is_tuple: bool) -> Outcome<Value> {
        Ok(Value::List(Rc::new(List::new(items, is_tuple, &self.meter)?)))
    }

    /// Remembers that a list or dict was changed: it can contain itself now.
    pub fn changed(&self, value: &Value) {
        const CHANGED: u8 = 128;
        let seen = match value {
            Value::List(list) => &list.seen,
            Value::Dict(dict) => &dict.seen,
            _ => return,
        };
        if seen.get() & CHANGED == 0 {
            seen.set(seen.get() | CHANGED);
            self.changed.borrow_mut().push(value.clone());
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        for value in self.changed.take() {
            match value {
                Value::List(list) => {
                    let items = core::mem::take(&mut *list.items.borrow_mut());
                    self.meter.give(items.capacity() * size_of::<Value>());
                    dismantle(items);
                }
                Value::Dict(dict) => dict.clear(),
                _ => {}
            }
        }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let items = self.items.take();
        self.meter.give(OVERHEAD + items.capacity() * size_of::<Value>());
        dismantle(items);
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        let mut parts = Vec::new();
        self.take_apart(&mut parts);
        dismantle(parts);
    }
}

impl Drop for Keyword {
    fn drop(&mut self) {
        dismantle(vec![core::mem::replace(&mut self.value, Value::None)]);
    }
}

impl Keyword {
    pub fn make(name: Rc<Bytes>, value: Value, meter: &Rc<Meter>) -> Outcome<Value> {
        let taken = Taken::new(OVERHEAD + size_of::<Keyword>(), meter)?;
        Ok(Value::Keyword(Rc::new(Keyword { name, value, _taken: taken })))
    }
}

impl Function {
    #[inline(never)]
    pub fn make(name: &str, body: Body, owner: Option<Value>, meter: &Rc<Meter>) -> Outcome<Value> {
        let variables = match &body {
            Body::Caller(_, variables) => size_of_val(&variables[..]),
            _ => 0,
        };
        let taken = Taken::new(OVERHEAD + size_of::<Function>() + name.len() + variables, meter)?;
        Ok(Value::Function(Rc::new(Function { name: name.into(), body, owner, _taken: taken })))
    }

    fn take_apart(&mut self, parts: &mut Vec<Value>) {
        parts.extend(self.owner.take());
        if let Body::Caller(_, variables) = &mut self.body {
            parts.append(variables);
        }
    }
}

/// Drops values without recursion, so that deeply nested ones need no stack.
pub(super) fn dismantle(mut pending: Vec<Value>) {
    while let Some(mut value) = pending.pop() {
        match &mut value {
            Value::List(list) => {
                if let Some(list) = Rc::get_mut(list) {
                    pending.append(list.items.get_mut());
                }
            }
            Value::Dict(dict) => {
                if let Some(dict) = Rc::get_mut(dict) {
                    dict.take_apart(&mut pending);
                }
            }
            Value::Function(function) => {
                if let Some(function) = Rc::get_mut(function) {
                    function.take_apart(&mut pending);
                }
            }
            Value::Keyword(keyword) => {
                if let Some(keyword) = Rc::get_mut(keyword) {
                    pending.push(core::mem::replace(&mut keyword.value, Value::None));
                }
            }
            _ => {}
        }
    }
}

/// The name of a function or of a value that is undefined, as text.
pub(crate) fn name_of(name: &Bytes) -> String {
    String::from_utf8_lossy(name.as_slice()).into_owned()
}
