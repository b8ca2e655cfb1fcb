//! A trie that finds all its texts in a text, in one pass over it (Aho and Corasick, 1975).
//!
//! All texts are read from their last byte to their first: the texts of the trie, and the text that is searched. So a pass
//! finds the texts that begin at each position. *Sorted* means sorted in this order. The *depth* of a node is the number of
//! bytes at the end of a text that lead to it.
//!
//! A hostile vocabulary has a node for each of its bytes, so a node takes only 6 bytes. The texts are sorted. Each has a
//! *chain* of nodes that follow each other: those that it does not share with the texts before it. Its *rank* is its place in
//! the order. The last node of its chain stands for the whole text, because a text is sorted before all texts that end with it.

use alloc::vec::Vec;

use super::error::{TokenizerError, collected, list};
use super::texts::{NONE, Texts};
use gguf_format::order::sort_by;

/// The node of no text.
const ROOT: u32 = 0;

/// Texts that are found in a text.
pub(super) struct Trie {
    /// For each rank, the number of the text.
    numbers: Vec<u32>,
    /// For each rank, the first node of the chain.
    starts: Vec<u32>,
    /// For each rank, the depth at which the chain begins: how many bytes the text shares with the previous text.
    shared: Vec<u32>,
    /// The ranks whose chains begin at the root, by their last byte.
    from_root: Vec<u32>,
    /// Where chains begin: the node before the chain, and in the lowest 8 bits the byte that leads to the chain. Sorted.
    branches: Vec<u32>,
    /// The ranks of the chains in the order of `branches`.
    branch_ranks: Vec<u32>,
    /// For each node, the node of the longest part of its text that is in the trie too: without bytes at the end of the text.
    fallbacks: SmallNumbers,
    /// For each node, the rank of the longest text with which the text of the node begins.
    longest: SmallNumbers,
    /// For each rank, the rank of the longest other text with which the text begins. [`NONE`] if there is none.
    shorter: Vec<u32>,
}

/// A node, and the rank of its chain.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    rank: u32,
    depth: u32,
}

impl Place {
    const ROOT: Self = Self { node: ROOT, rank: 0, depth: 0 };
}

impl Trie {
    /// The trie of texts with given numbers. They differ from each other, are not empty, and have less than 2^24 bytes.
    pub fn new(texts: &Texts, mut numbers: Vec<u32>) -> Result<Self, TokenizerError> {
        sort_by(&mut numbers, &|a, b| backwards(texts.get(a)).cmp(backwards(texts.get(b))));
        let count = numbers.len();
        let mut trie = Self {
            starts: list(count)?,
            shared: list(count)?,
            from_root: collected(256, core::iter::repeat(NONE))?,
            branches: Vec::new(),
            branch_ranks: Vec::new(),
            fallbacks: SmallNumbers::default(),
            longest: SmallNumbers::default(),
            shorter: Vec::new(),
            numbers,
        };
        let (parents, nodes) = trie.chain(texts)?;
        trie.branch(texts, &parents)?;
        trie.link(texts, &parents, nodes)?;
        Ok(trie)
    }

    /// Numbers the nodes of the chains. Returns the node before each chain, and the number of nodes.
    fn chain(&mut self, texts: &Texts) -> Result<(Vec<u32>, u32), TokenizerError> {
        let mut parents = list(self.numbers.len())?;
        // The ranks of the chains that lead to the text before, from the root on.
        let mut path = list(self.numbers.len())?;
        let mut node = ROOT + 1;
        let mut before: &[u8] = &[];
        for (rank, number) in (0..).zip(&self.numbers) {
            let text = texts.get(*number);
            let shared = backwards(before).zip(backwards(text)).take_while(|(a, b)| a == b).count() as u32;
            while path.pop_if(|top: &mut u32| self.shared[*top as usize] >= shared).is_some() {}
            parents.push(
                path.last().map_or(ROOT, |top| self.starts[*top as usize] + shared - self.shared[*top as usize] - 1),
            );
            path.push(rank);
            self.starts.push(node);
            self.shared.push(shared);
            node += text.len() as u32 - shared;
            before = text;
        }
        Ok((parents, node))
    }

    /// Lists where chains begin.
    fn branch(&mut self, texts: &Texts, parents: &[u32]) -> Result<(), TokenizerError> {
        let count = self.numbers.len();
        let first = |rank: &u32| self.byte(texts, *rank, self.shared[*rank as usize]).unwrap_or_default();
        let key = |rank: &u32| parents[*rank as usize] << 8 | u32::from(first(rank));
        let mut ranks = collected(count, 0..count as u32)?;
        sort_by(&mut ranks, &|a, b| key(&a).cmp(&key(&b)));
        let branches = collected(count, ranks.iter().map(key))?;
        for (key, rank) in branches.iter().zip(&ranks).take_while(|(key, _)| **key >> 8 == ROOT) {
            self.from_root[*key as usize] = *rank;
        }
        (self.branches, self.branch_ranks) = (branches, ranks);
        Ok(())
    }

    /// Fills `fallbacks`, `longest` and `shorter`, by depth: those of a node follow from nodes of lower depth.
    fn link(&mut self, texts: &Texts, parents: &[u32], nodes: u32) -> Result<(), TokenizerError> {
        let count = self.numbers.len();
        self.fallbacks = SmallNumbers::filled(ROOT, nodes)?;
        self.longest = SmallNumbers::filled(SmallNumbers::NONE, nodes)?;
        self.shorter = collected(count, core::iter::repeat(NONE))?;
        let mut order = collected(count, 0..count as u32)?;
        sort_by(&mut order, &|a, b| self.shared[a as usize].cmp(&self.shared[b as usize]));
        let mut waiting = order.into_iter().peekable();
        // The chains that have a node of the next depth.
        let mut chains: Vec<u32> = list(count)?;
        for depth in 0.. {
            while let Some(rank) = waiting.next_if(|rank| self.shared[*rank as usize] == depth) {
                chains.push(rank);
            }
            if chains.is_empty() {
                break;
            }
            chains.retain(|rank| {
                let place = *rank as usize;
                let node = self.starts[place] + depth - self.shared[place];
                let parent = if depth > self.shared[place] { node - 1 } else { parents[place] };
                let byte = self.byte(texts, *rank, depth).unwrap_or_default();
                let fallback = match parent {
                    ROOT => ROOT,
                    _ => self.step(texts, self.place(self.fallbacks.get(parent)), byte).node,
                };
                self.fallbacks.set(node, fallback);
                let mut longest = self.longest.get(fallback);
                let is_last = self.byte(texts, *rank, depth + 1).is_none();
                if is_last {
                    self.shorter[place] = or_none(longest);
                    longest = *rank;
                }
                self.longest.set(node, longest);
                !is_last
            });
        }
        Ok(())
    }

    /// The byte of a text that leads to the node below a depth. `None` if the text is not longer.
    fn byte(&self, texts: &Texts, rank: u32, depth: u32) -> Option<u8> {
        let text = texts.get(self.numbers[rank as usize]);
        text.len().checked_sub(depth as usize + 1).map(|place| text[place])
    }

    fn place(&self, node: u32) -> Place {
        if node == ROOT {
            return Place::ROOT;
        }
        let rank = self.starts.partition_point(|start| *start <= node) - 1;
        Place { node, rank: rank as u32, depth: self.shared[rank] + node - self.starts[rank] + 1 }
    }

    /// The place of the text of a place with one byte more before it.
    fn child(&self, texts: &Texts, place: Place, byte: u8) -> Option<Place> {
        let depth = place.depth + 1;
        let rank = if place.node == ROOT {
            Some(self.from_root[usize::from(byte)]).filter(|rank| *rank != NONE)?
        } else if self.byte(texts, place.rank, place.depth) == Some(byte) {
            return Some(Place { node: place.node + 1, depth, ..place });
        } else {
            let branch = self.branches.binary_search(&(place.node << 8 | u32::from(byte))).ok()?;
            self.branch_ranks[branch]
        };
        Some(Place { node: self.starts[rank as usize], rank, depth })
    }

    /// The place of the longest text that begins with a byte, goes on as that of a place does, and is in the trie.
    fn step(&self, texts: &Texts, mut place: Place, byte: u8) -> Place {
        loop {
            match self.child(texts, place, byte) {
                Some(child) => return child,
                None if place.node == ROOT => return Place::ROOT,
                None => place = self.place(self.fallbacks.get(place.node)),
            }
        }
    }

    /// For each position of `text`, the rank of the longest text that begins there. [`NONE`] if none does.
    pub fn longest_from_each(&self, texts: &Texts, text: &[u8]) -> Vec<u32> {
        let mut place = Place::ROOT;
        let next = |byte: &u8| {
            place = self.step(texts, place, *byte);
            or_none(self.longest.get(place.node))
        };
        let mut longest: Vec<u32> = backwards(text).map(next).collect();
        longest.reverse();
        longest
    }

    /// The number of texts.
    pub fn len(&self) -> u32 {
        self.numbers.len() as u32
    }

    /// The number of the text with a rank.
    pub fn number(&self, rank: u32) -> u32 {
        self.numbers[rank as usize]
    }

    /// The rank of the longest other text with which a text begins. [`NONE`] if there is none.
    pub fn shorter(&self, rank: u32) -> u32 {
        self.shorter[rank as usize]
    }
}

fn backwards(text: &[u8]) -> impl Iterator<Item = &u8> {
    text.iter().rev()
}

fn or_none(rank: u32) -> u32 {
    if rank == SmallNumbers::NONE { NONE } else { rank }
}

/// Numbers of 24 bits.
#[derive(Default)]
struct SmallNumbers(Vec<[u8; 3]>);

impl SmallNumbers {
    /// The highest number.
    const NONE: u32 = 0xFF_FFFF;

    fn filled(number: u32, len: u32) -> Result<Self, TokenizerError> {
        let [first, second, third, _] = number.to_le_bytes();
        Ok(Self(collected(len as usize, core::iter::repeat([first, second, third]))?))
    }

    fn get(&self, index: u32) -> u32 {
        let [first, second, third] = self.0[index as usize];
        u32::from_le_bytes([first, second, third, 0])
    }

    fn set(&mut self, index: u32, number: u32) {
        let [first, second, third, _] = number.to_le_bytes();
        self.0[index as usize] = [first, second, third];
    }
}

/// Some of the texts of a trie.
pub(super) struct Subset {
    /// For each rank, the rank of the longest text of the subset with which the text begins: itself if it is one of them.
    /// `None` if all texts are.
    nearest: Option<Vec<u32>>,
}

impl Subset {
    /// The texts whose numbers are wanted.
    pub fn new(trie: &Trie, is_wanted: &dyn Fn(u32) -> bool) -> Result<Self, TokenizerError> {
        /// A rank for which there is no result yet.
        const UNKNOWN: u32 = NONE - 1;
        if trie.numbers.iter().all(|number| is_wanted(*number)) {
            return Ok(Self { nearest: None });
        }
        let mut nearest = collected(trie.numbers.len(), core::iter::repeat(UNKNOWN))?;
        for rank in 0..trie.len() {
            let mut end = rank;
            while end != NONE && nearest[end as usize] == UNKNOWN && !is_wanted(trie.number(end)) {
                end = trie.shorter(end);
            }
            let result = match nearest.get(end as usize) {
                Some(known) if *known != UNKNOWN => *known,
                _ => end,
            };
            let mut place = rank;
            while place != end {
                nearest[place as usize] = result;
                place = trie.shorter(place);
            }
            if let Some(last) = nearest.get_mut(end as usize) {
                *last = result;
            }
        }
        Ok(Self { nearest: Some(nearest) })
    }

    /// The ranks of the texts of the subset with which the text with a rank begins, the longest first. `rank` may be [`NONE`].
    pub fn beginnings(&self, trie: &Trie, rank: u32) -> impl Iterator<Item = u32> {
        let wanted = |rank: u32| match &self.nearest {
            Some(nearest) => nearest.get(rank as usize).copied().filter(|rank| *rank != NONE),
            None => Some(rank).filter(|rank| *rank != NONE),
        };
        core::iter::successors(wanted(rank), move |rank| wanted(trie.shorter(*rank)))
    }
}
