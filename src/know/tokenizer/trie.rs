//! A trie that finds all its texts in a text, in one pass over it (Aho and Corasick, 1975).

use alloc::vec;
use alloc::vec::Vec;

use super::texts::NONE;

const ROOT: u32 = 0;

/// Texts, each with a number.
pub(super) struct Trie {
    /// The nodes are in the order of their depth, so the children of a node follow each other: for each node, its first child.
    first_children: Vec<u32>,
    /// For each node, the last byte of its text.
    labels: Vec<u8>,
    /// For each node, the number of its text. [`NONE`] if it is only the beginning of texts.
    numbers: Vec<u32>,
    /// For each node, the node of the longest end of its text that is in the trie.
    shorter: Vec<u32>,
    /// For each node, the nearest node with a number that is reached through `shorter`. [`NONE`] if there is none.
    shorter_text: Vec<u32>,
}

impl Trie {
    /// The trie of texts that differ from each other and are not empty.
    pub fn new(mut texts: Vec<(&[u8], u32)>) -> Self {
        texts.sort_unstable();
        let mut trie = Self {
            first_children: vec![],
            labels: vec![0],
            numbers: vec![],
            shorter: vec![ROOT],
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

    /// Fills `shorter` and `shorter_text`: those of the shorter texts first.
    fn link(&mut self) {
        self.shorter.resize(self.labels.len(), ROOT);
        self.shorter_text.resize(self.labels.len(), NONE);
        for node in 0..self.numbers.len() as u32 {
            for child in self.children(node) {
                let shorter = match node {
                    ROOT => ROOT,
                    _ => self.step(self.shorter[node as usize], self.labels[child as usize]),
                };
                self.shorter[child as usize] = shorter;
                self.shorter_text[child as usize] = match self.numbers[shorter as usize] {
                    NONE => self.shorter_text[shorter as usize],
                    _ => shorter,
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
    fn step(&self, mut node: u32, label: u8) -> u32 {
        loop {
            match self.child(node, label) {
                Some(child) => return child,
                None if node == ROOT => return ROOT,
                None => node = self.shorter[node as usize],
            }
        }
    }

    /// Starts a pass over a text.
    pub fn pass(&self) -> Pass<'_> {
        Pass { trie: self, node: ROOT }
    }

    /// The length of the longest beginning of `bytes` that is the beginning of a text.
    pub fn longest_beginning(&self, bytes: &[u8]) -> usize {
        let mut node = ROOT;
        bytes.iter().take_while(|byte| self.child(node, **byte).map(|child| node = child).is_some()).count()
    }

    /// Whether each of the texts, which have the numbers below `count`, occurs in `bytes`.
    pub fn occurring(&self, bytes: &[u8], count: usize) -> Vec<bool> {
        let mut visited = vec![false; self.labels.len()];
        let mut node = ROOT;
        for byte in bytes {
            node = self.step(node, *byte);
            visited[node as usize] = true;
        }
        let mut found = vec![false; count];
        for node in (0..visited.len()).rev().filter(|node| *node != ROOT as usize) {
            if visited[node] {
                visited[self.shorter[node] as usize] = true;
                if let Some(found) = found.get_mut(self.numbers[node] as usize) {
                    *found = true;
                }
            }
        }
        found
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
        self.node = self.trie.step(self.node, byte);
        let trie = self.trie;
        let node = match trie.numbers[self.node as usize] {
            NONE => trie.shorter_text[self.node as usize],
            _ => self.node,
        };
        let shorter = |node: &u32| Some(trie.shorter_text[*node as usize]).filter(|node| *node != NONE);
        core::iter::successors(Some(node).filter(|node| *node != NONE), shorter).map(|node| trie.numbers[node as usize])
    }
}
