//! The graph of a batch: the results that llama.cpp computes, in the order in which ggml computes them.

use alloc::vec::Vec;

/// More bytes than any device has. Sizes of hostile files end here, so that sums of sizes do not overflow.
pub(super) const MOST_BYTES: u64 = 1 << 48;

/// Where a result is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An input. Its place is chosen before the first result.
    Input,
    /// A place of its own.
    Own,
    /// The place of a source that nothing else needs, or a place of its own (`ggml_op_can_inplace`).
    InPlace,
    /// In the place of another result.
    View,
    /// Outside of the buffer: a copy into a cache, for example.
    Outside,
}

/// A result.
pub(super) struct Node {
    pub kind: Kind,
    pub bytes: u64,
    /// The length of a row, in elements.
    pub width: u64,
    /// The result whose place is used: of a view, the viewed result.
    pub root: u32,
    /// Whether the caller reads the result, so that its place is never reused.
    pub is_output: bool,
    is_in_order: bool,
    /// The end of the sources in `Graph::sources`. They begin where those of the node before end.
    sources_end: u32,
}

impl Node {
    /// The number of rows, if the elements are F32.
    pub fn rows(&self) -> u64 {
        self.bytes / 4 / self.width.max(1)
    }
}

#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    sources: Vec<u32>,
    /// The inputs that are used, in the order in which ggml finds them.
    pub inputs: Vec<u32>,
    /// The other results, in the order in which they are computed.
    pub order: Vec<u32>,
}

impl Graph {
    /// Adds a result. It is not computed before [`Graph::compute`] needs it.
    pub fn add(&mut self, kind: Kind, width: u64, bytes: u64, sources: &[u32]) -> u32 {
        let id = self.nodes.len() as u32;
        let root = match sources.first() {
            Some(first) if kind == Kind::View => self.nodes[*first as usize].root,
            _ => id,
        };
        self.sources.extend_from_slice(sources);
        self.nodes.push(Node {
            kind,
            bytes: bytes.min(MOST_BYTES),
            width,
            root,
            is_output: false,
            is_in_order: false,
            sources_end: self.sources.len() as u32,
        });
        id
    }

    /// Computes a result: its sources first, from the left to the right (`ggml_build_forward_expand`).
    pub fn compute(&mut self, id: u32) {
        if core::mem::replace(&mut self.nodes[id as usize].is_in_order, true) {
            return;
        }
        for place in self.source_places(id) {
            self.compute(self.sources[place]);
        }
        let is_input = self.nodes[id as usize].kind == Kind::Input;
        (if is_input { &mut self.inputs } else { &mut self.order }).push(id);
    }

    /// The results from which a result is computed.
    pub fn sources_of(&self, id: u32) -> &[u32] {
        &self.sources[self.source_places(id)]
    }

    fn source_places(&self, id: u32) -> core::ops::Range<usize> {
        let start = id.checked_sub(1).map_or(0, |before| self.nodes[before as usize].sources_end);
        start as usize..self.nodes[id as usize].sources_end as usize
    }
}
