//! The variables of a template.
//!
//! llama.cpp copies all variables for each loop and each macro, so a macro sees the variables of its caller, and nothing
//! that is set in a loop or macro is seen outside of it. Here each variable has a stack of values instead, one for each scope that sets it.

use alloc::vec::Vec;

use crate::values::bytes::OVERHEAD;
use crate::values::value::Value;

/// What a variable with a value takes: a list grows to four elements at once.
pub(super) const SLOT: usize = OVERHEAD + size_of::<Vec<(u32, Value)>>() + 4 * size_of::<(u32, Value)>();

/// All variables, by the numbers of their names.
pub(super) struct Scopes {
    /// The values of each variable, with the depth of the scope that set them.
    values: Vec<Vec<(u32, Value)>>,
    depth: u32,
    /// The variables that the open scopes have set, in the order in which they did.
    set: Vec<u32>,
    /// For each open scope, how many there were before.
    starts: Vec<usize>,
}

impl Scopes {
    pub fn new(names: usize) -> Scopes {
        Scopes { values: vec![Vec::new(); names], depth: 0, set: Vec::new(), starts: Vec::new() }
    }

    /// Variables that have the given values.
    pub fn of(values: &[Value]) -> Scopes {
        let mut scopes = Scopes::new(values.len());
        for (slot, value) in scopes.values.iter_mut().zip(values) {
            slot.push((0, value.clone()));
        }
        scopes
    }

    pub fn get(&self, name: u32) -> Option<&Value> {
        self.values[name as usize].last().map(|(_, value)| value)
    }

    pub fn set(&mut self, name: u32, value: Value) {
        let slot = &mut self.values[name as usize];
        match slot.last_mut() {
            Some((depth, old)) if *depth == self.depth => *old = value,
            _ => {
                slot.push((self.depth, value));
                self.set.push(name);
            }
        }
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.depth += 1;
        self.starts.push(self.set.len());
    }

    /// Closes the scope that was opened last.
    pub fn leave(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        self.depth -= 1;
        for name in self.set.drain(start..) {
            self.values[name as usize].pop();
        }
    }
}
