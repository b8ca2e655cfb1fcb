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
    /// The end of the node's sources in `Graph::sources`. They begin at the end of the previous node's sources.
    sources_end: u32,
}

impl Node {
    /// The number of rows, if the elements are F32.
    pub fn rows(&self) -> u64 {
        self.bytes / 4 / self.width.max(1)
    }
}

/// The end of a block.
pub(super) struct End {
    /// The number of results up to here.
    pub nodes: u32,
    /// The number of results that are computed up to here. The last ones of a block are computed in the next block.
    pub order: usize,
    /// The result that the next block begins with.
    pub output: u32,
    /// Equal for blocks that compute the same graph. `None` if no other block does.
    pub kind: Option<u64>,
}

#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    sources: Vec<u32>,
    /// The inputs that are used, in the order in which ggml finds them.
    pub inputs: Vec<u32>,
    /// The other results, in the order in which they are computed.
    pub order: Vec<u32>,
    /// The ends of the blocks.
    pub ends: Vec<End>,
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

    /// Ends a block with its output.
    pub fn end_block(&mut self, output: u32, kind: Option<u64>) {
        self.ends.push(End { nodes: self.nodes.len() as u32, order: self.order.len(), output, kind });
    }

    /// Adds the results of an earlier block of the same kind once more, and ends a block with them. Returns whether there is one.
    /// The blocks before it, from which results are computed in it, must be of the same kinds as the last blocks, too.
    pub fn repeat_block(&mut self, kind: u64) -> bool {
        let new = self.ends.len();
        let Some(model) = (1..new).rfind(|model| self.is_like(*model, new, kind)) else { return false };
        let first = self.ends[model - 1].nodes;
        let (first_order, end_order) = (self.ends[model - 1].order, self.ends[model].order);
        let (input, own_input) = (self.ends[model - 1].output, self.ends[new - 1].output);
        let moved = self.nodes.len() as u32 - first;
        for id in first..self.ends[model].nodes {
            let start = self.sources.len();
            for place in self.source_places(id) {
                let source = self.sources[place];
                let source = if source >= first {
                    source + moved
                } else if source == input {
                    own_input
                } else {
                    source
                };
                self.sources.push(source);
            }
            let Node { kind, bytes, width, is_output, .. } = self.nodes[id as usize];
            let root = match kind {
                Kind::View => self.nodes[self.sources[start] as usize].root,
                _ => id + moved,
            };
            let sources_end = self.sources.len() as u32;
            if kind == Kind::Input {
                self.inputs.push(id + moved);
            }
            self.nodes.push(Node {
                kind,
                bytes,
                width,
                root,
                is_output,
                is_in_order: kind == Kind::Input,
                sources_end,
            });
        }
        for place in first_order..end_order {
            let id = self.order[place];
            let back = self.blocks_back(model, id);
            let id = id + self.start(new - back) - self.start(model - back);
            self.nodes[id as usize].is_in_order = true;
            self.order.push(id);
        }
        self.end_block(self.ends[model].output + moved, Some(kind));
        true
    }

    /// Whether a block, and the blocks before it from which results are computed in it, are of the same kinds as a new block and
    /// those before it.
    fn is_like(&self, model: usize, new: usize, kind: u64) -> bool {
        if self.ends[model].kind != Some(kind) {
            return false;
        }
        // A result of a block before the last one would be another one in the new block.
        let (shared, first, input) = (self.start(1), self.start(model), self.ends[model - 1].output);
        let is_near = |source: &u32| *source < shared || *source >= first || *source == input;
        if !(first..self.ends[model].nodes).all(|id| self.sources_of(id).iter().all(is_near)) {
            return false;
        }
        let computed = &self.order[self.ends[model - 1].order..self.ends[model].order];
        let back = computed.iter().map(|id| self.blocks_back(model, *id)).max().unwrap_or(0);
        let kind_of = |block: usize| self.ends[block].kind;
        (1..=back)
            .all(|back| back < model && kind_of(model - back).is_some() && kind_of(model - back) == kind_of(new - back))
    }

    /// How many blocks before a block a result was added.
    fn blocks_back(&self, block: usize, id: u32) -> usize {
        (0..block).find(|back| id >= self.start(block - back)).unwrap_or(block)
    }

    /// The first result of a block.
    fn start(&self, block: usize) -> u32 {
        self.ends[block - 1].nodes
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
