//! Lists of names in one text.
//!
//! In an array, each name is a pointer and a length, which compress badly: arrays would make the gzipped module 3 kB larger.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Deref;

use once_cell::race::OnceBox;

/// A list of names with a space between them. It is split at its first use.
pub(crate) struct NameList {
    text: &'static str,
    names: OnceBox<Vec<&'static str>>,
}

impl NameList {
    pub const fn new(text: &'static str) -> Self {
        Self { text, names: OnceBox::new() }
    }
}

impl Deref for NameList {
    type Target = [&'static str];

    fn deref(&self) -> &Self::Target {
        self.names.get_or_init(|| Box::new(self.text.split(' ').collect()))
    }
}
