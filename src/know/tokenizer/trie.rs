//! A trie that finds all its texts in a text, in one pass over it (Aho and Corasick, 1975).

use alloc::vec;
use alloc::vec::Vec;

use super::texts::NONE;

/// Texts, each with a number.
pub(super) struct Trie {
    /// The nodes are in the order of their depth, so the children of a node follow each other: for each node, its first child.
    first_children: Vec<u32>,
    /// For each node, the last byte of its text.
    labels: Vec<u8>,
    /// For each node, the number of its text. [`NONE`] if it is only the beginning of texts.
    numbers: Vec<u32>,
    /// For each node, the node of the longest end of its text that is in the trie.
    fallbacks: Vec<u32>,
    /// For each node, the nearest node with a number that is reached through `fallbacks`. [`NONE`] if there is none.
    shorter_text: Vec<u32>,
}

impl Trie {
    /// The node of no text, where a pass begins.
    pub const ROOT: u32 = 0;

    /// The trie of texts that differ from each other and are not empty.
    pub fn new(mut texts: Vec<(&[u8], u32)>) -> Self {
        texts.sort_unstable();
        let mut trie = Self {
            first_children: vec![],
            labels: vec![0],
            numbers: vec![],
            fallbacks: vec![Self::ROOT],
            shorter_text: vec![NONE],
        };
        // The texts of each node.
        let mut ranges = vec![(0, texts.len())];
        let (mut node, mut level_end, mut depth) = (0, 1, 0);
        while let Some((mut start, end)) = ranges.get(node).copied() {
            if node == level_end {
                (level_end, depth) = (ranges.len(), depth + 1);
            }
            let mut number = NONE;
            while start < end && texts[start].0.len() == depth {
                number = texts[start].1;
                start += 1;
            }
            trie.numbers.push(number);
            trie.first_children.push(ranges.len() as u32);
            while start < end {
                let label = texts[start].0[depth];
                let len = texts[start..end].iter().take_while(|(text, _)| text[depth] == label).count();
                ranges.push((start, start + len));
                trie.labels.push(label);
                start += len;
            }
            node += 1;
        }
        trie.first_children.push(ranges.len() as u32);
        trie.link();
        trie
    }

    /// Fills `fallbacks` and `shorter_text`: those of the shorter texts first.
    fn link(&mut self) {
        self.fallbacks.resize(self.labels.len(), Self::ROOT);
        self.shorter_text.resize(self.labels.len(), NONE);
        for node in 0..self.numbers.len() as u32 {
            for child in self.children(node) {
                let fallback = match node {
                    Self::ROOT => Self::ROOT,
                    _ => self.step(self.fallbacks[node as usize], self.labels[child as usize]),
                };
                self.fallbacks[child as usize] = fallback;
                self.shorter_text[child as usize] = match self.numbers[fallback as usize] {
                    NONE => self.shorter_text[fallback as usize],
                    _ => fallback,
                };
            }
        }
    }

    fn children(&self, node: u32) -> core::ops::Range<u32> {
        self.first_children[node as usize]..self.first_children[node as usize + 1]
    }

    /// The node whose text is that of a node and one byte more.
    fn child(&self, node: u32, label: u8) -> Option<u32> {
        let children = self.children(node);
        let labels = &self.labels[children.start as usize..children.end as usize];
        labels.binary_search(&label).ok().map(|place| children.start + place as u32)
    }

    /// The node of the longest end of a node's text and one byte more.
    pub fn step(&self, mut node: u32, label: u8) -> u32 {
        loop {
            match self.child(node, label) {
                Some(child) => return child,
                None if node == Self::ROOT => return Self::ROOT,
                None => node = self.fallbacks[node as usize],
            }
        }
    }

    /// The node of the longest text that ends as the text of a node does. `None` if there is none.
    pub fn longest(&self, node: u32) -> Option<u32> {
        match self.numbers[node as usize] {
            NONE => self.shorter(node),
            _ => Some(node),
        }
    }

    /// The node of the next shorter text that ends as the text of a node does. `None` if there is none.
    pub fn shorter(&self, node: u32) -> Option<u32> {
        Some(self.shorter_text[node as usize]).filter(|node| *node != NONE)
    }

    /// The number of the text of a node.
    pub fn number(&self, node: u32) -> u32 {
        self.numbers[node as usize]
    }

    /// Starts a pass over a text.
    pub fn pass(&self) -> Pass<'_> {
        Pass { trie: self, node: Self::ROOT }
    }

    /// The length of the longest beginning of `bytes` that is the beginning of a text.
    pub fn longest_beginning(&self, bytes: &[u8]) -> usize {
        let mut node = Self::ROOT;
        bytes.iter().take_while(|byte| self.child(node, **byte).map(|child| node = child).is_some()).count()
    }
}

/// A pass over a text.
pub(super) struct Pass<'a> {
    trie: &'a Trie,
    node: u32,
}

impl Pass<'_> {
    /// Takes the next byte. Returns the numbers of the texts that end with it, the longest first.
    pub fn next(&mut self, byte: u8) -> impl Iterator<Item = u32> {
        let trie = self.trie;
        self.node = trie.step(self.node, byte);
        core::iter::successors(trie.longest(self.node), |node| trie.shorter(*node)).map(|node| trie.number(node))
    }
}
