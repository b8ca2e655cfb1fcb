//! Places the results of a graph in a buffer, as ggml does (`ggml_gallocr_alloc_graph_impl` in `ggml/src/ggml-alloc.c`).

use alloc::{vec, vec::Vec};

use super::graph::{Graph, Kind};

/// Each result starts at a multiple of this number of bytes (`TENSOR_ALIGNMENT` of ggml's CPU backend).
const ALIGNMENT: u64 = 32;

/// What a graph needs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Need {
    /// The most that exists at the same time. No placement needs less.
    pub least: u64,
    /// The end of the last place that ggml uses.
    pub placed: u64,
}

/// How many results still need a result, and the place of that result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Use {
    pub children: u32,
    pub views: u32,
    /// Whether the result still has its place: no other result has taken it over.
    pub is_placed: bool,
    pub start: u64,
}

/// A free part of the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    start: u64,
    length: u64,
}

#[doc(hidden)]
pub struct Placement<'a> {
    graph: &'a Graph,
    pub uses: Vec<Use>,
    /// In the order of their places. The last one has no end.
    pub free: Vec<Block>,
    /// The sum of all places in use.
    taken: u64,
    pub need: Need,
}

impl<'a> Placement<'a> {
    /// The inputs have places, and nothing is computed.
    pub fn new(graph: &'a Graph) -> Self {
        let mut placement = Placement {
            graph,
            uses: vec![Use::default(); graph.nodes.len()],
            free: vec![Block { start: 0, length: u64::MAX }],
            taken: 0,
            need: Need::default(),
        };
        for id in &graph.inputs {
            placement.allocate(*id);
        }
        for id in &graph.order {
            let node = &graph.nodes[*id as usize];
            if node.kind == Kind::View {
                placement.uses[node.root as usize].views += 1;
            }
            for source in graph.sources_of(*id) {
                placement.uses[*source as usize].children += 1;
            }
        }
        placement
    }

    /// Computes a result, and gives the places back that nothing else needs.
    pub fn compute(&mut self, id: u32) {
        self.allocate_result(id);
        for source in self.graph.sources_of(id) {
            self.release(*source);
        }
    }
}

impl Placement<'_> {
    fn size(&self, id: u32) -> u64 {
        self.graph.nodes[id as usize].bytes.next_multiple_of(ALIGNMENT)
    }

    fn allocate_result(&mut self, id: u32) {
        match self.graph.nodes[id as usize].kind {
            Kind::InPlace => match self.reusable_source(id) {
                Some(source) => {
                    self.uses[source].is_placed = false;
                    self.uses[id as usize].is_placed = true;
                    self.uses[id as usize].start = self.uses[source].start;
                }
                None => self.allocate(id),
            },
            Kind::Own => self.allocate(id),
            Kind::Input | Kind::View | Kind::Outside => {}
        }
    }

    /// A source in whose place a result of the same form can be: nothing else needs it, and it is no view.
    fn reusable_source(&self, id: u32) -> Option<usize> {
        let node = &self.graph.nodes[id as usize];
        let sources = self.graph.sources_of(id).iter().map(|source| *source as usize);
        sources.into_iter().find(|source| {
            let (parent, uses) = (&self.graph.nodes[*source], &self.uses[*source]);
            uses.is_placed
                && !parent.is_output
                && (parent.bytes, parent.width) == (node.bytes, node.width)
                && (uses.children, uses.views) == (1, 0)
        })
    }

    /// Takes the smallest free block that is large enough, or the end of the buffer.
    fn allocate(&mut self, id: u32) {
        let size = self.size(id);
        let end = self.free.len() - 1;
        let mut best = end;
        for (index, block) in self.free[..end].iter().enumerate() {
            if block.length >= size && block.length <= self.free[best].length {
                best = index;
            }
        }
        let block = &mut self.free[best];
        let start = block.start;
        block.start += size;
        block.length -= size;
        if block.length == 0 {
            self.free.remove(best);
        }
        self.uses[id as usize].is_placed = true;
        self.uses[id as usize].start = start;
        self.taken += size;
        self.need.least = self.need.least.max(self.taken);
        self.need.placed = self.need.placed.max(start + size);
    }

    /// Gives the place of a source back after its last use.
    fn release(&mut self, id: u32) {
        let node = &self.graph.nodes[id as usize];
        let uses = &mut self.uses[id as usize];
        uses.children -= 1;
        if (uses.children, uses.views) != (0, 0) {
            return;
        }
        let root = &mut self.uses[node.root as usize];
        if node.kind == Kind::View {
            root.views -= 1;
        }
        let is_output = self.graph.nodes[node.root as usize].is_output;
        if (root.children, root.views) == (0, 0) && root.is_placed && !is_output {
            root.is_placed = false;
            let start = root.start;
            let size = self.size(node.root);
            self.taken -= size;
            self.give_back(start, size);
        }
    }

    /// Adds a block to the free ones. Blocks that touch become one.
    fn give_back(&mut self, start: u64, length: u64) {
        if length == 0 {
            return;
        }
        let index = self.free.iter().position(|block| block.start > start).unwrap_or(self.free.len() - 1);
        if start + length == self.free[index].start {
            self.free[index].start = start;
            self.free[index].length += length;
        } else {
            self.free.insert(index, Block { start, length });
        }
        if let Some(before) = index.checked_sub(1)
            && self.free[before].start + self.free[before].length == start
        {
            self.free[before].length += self.free[index].length;
            self.free.remove(index);
        }
    }
}
