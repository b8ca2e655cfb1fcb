//! The roles of special tokens, and which of them are added to a text.

use alloc::vec::Vec;

/// Roles in the order in which they are read.
pub(super) struct Roles {
    pub all: Vec<&'static str>,
    /// Whether the token of a role is added to a text, in the order in which this was found.
    pub adds: Vec<(&'static str, bool)>,
}

impl Roles {
    pub fn new(roles: &[&'static str]) -> Self {
        Self { all: roles.to_vec(), adds: Vec::new() }
    }

    /// Sets whether the token of a role is added to a text.
    pub fn set_adds(&mut self, role: &'static str, is_added: bool) {
        set_in_order(&mut self.adds, role, is_added);
    }

    /// Sets whether the token of a role is added to a text, unless this is known.
    pub fn set_adds_if_unknown(&mut self, role: &'static str, is_added: bool) {
        if !self.adds.iter().any(|(other, _)| *other == role) {
            self.adds.push((role, is_added));
        }
    }

    /// Adds a role for the token that ended a text before another one took its place. `None` if there is no such role left.
    pub fn add_end_role(&mut self) -> Option<&'static str> {
        let role = ["eot", "eom"].into_iter().find(|role| !self.all.contains(role))?;
        self.all.push(role);
        Some(role)
    }
}

/// Sets a value of a role. A role that has one keeps its place.
pub(super) fn set_in_order<T>(list: &mut Vec<(&'static str, T)>, role: &'static str, value: T) {
    match list.iter_mut().find(|(other, _)| *other == role) {
        Some((_, old)) => *old = value,
        None => list.push((role, value)),
    }
}
