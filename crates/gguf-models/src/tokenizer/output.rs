//! The tokens of a text, while they are found.

use alloc::vec::Vec;

/// The ids of tokens, and where in the text each ends.
#[derive(Default)]
pub(super) struct Output {
    pub ids: Vec<u32>,
    pub ends: Vec<usize>,
}

impl Output {
    /// Adds a token that ends at a position in the text.
    pub fn push(&mut self, id: u32, end: usize) {
        self.ids.push(id);
        self.ends.push(end);
    }

    /// Adds a token that stands for no text.
    pub fn push_added(&mut self, id: u32) {
        self.push(id, self.ends.last().copied().unwrap_or(0));
    }

    /// Lets the last token that stands for text end where the text ends.
    pub fn cover(&mut self, len: usize) {
        let mut last = None;
        let mut start = 0;
        for (index, end) in self.ends.iter().enumerate() {
            if *end > start {
                last = Some(index);
            }
            start = *end;
        }
        if let Some(last) = last {
            self.ends[last..].fill(len);
        }
    }
}
