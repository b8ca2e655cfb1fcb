//! Blocks that repeat are placed a few times: until the places repeat, too.

use alloc::vec::Vec;

use super::graph::{End, Graph};
use super::placement::{Block, Need, Placement, Use};

/// The size of the buffer for the results of a graph.
#[doc(hidden)]
pub fn place(graph: &Graph) -> Need {
    let mut placement = Placement::new(graph);
    let mut snapshots = Vec::new();
    let mut computed = 0;
    let mut block = 0;
    loop {
        let end = graph.ends.get(block).map_or(graph.order.len(), |end| end.order);
        for id in &graph.order[computed..end] {
            placement.compute(*id);
        }
        computed = end;
        let Some(reached) = graph.ends.get(block) else { break };
        if reached.kind.is_some()
            && let Some(to) = repeats(graph, &placement, &mut snapshots, block)
        {
            placement.skip(graph, block, to);
            block = to;
            computed = graph.ends[to].order;
        }
        block += 1;
    }
    placement.need
}

/// The places at the end of a block.
struct Snapshot {
    block: usize,
    free: Vec<Block>,
    /// The results that have a place: their distance from the end of the block.
    placed: Vec<(u32, Use)>,
}

/// The number of blocks whose results can still have a place at the end of the last one of them.
const LIVING_BLOCKS: usize = 4;

/// The first result that can have a place at the end of a block.
fn first_node(ends: &[End], block: usize) -> u32 {
    ends[block.saturating_sub(LIVING_BLOCKS)].nodes
}

impl Snapshot {
    fn of(placement: &Placement<'_>, ends: &[End], block: usize) -> Self {
        let end = ends[block].nodes;
        let uses = (first_node(ends, block)..end).map(|id| (end - id, placement.uses[id as usize]));
        Self { block, free: placement.free.clone(), placed: uses.filter(|(_, of)| of.is_placed).collect() }
    }
}

/// The last block after which the graph goes on as it does after `block`, so that the blocks between can be skipped. `None` unless the
/// places at the end of `block` equal the places at the end of an earlier block. At least one period is left, because results are used for
/// the last time in it.
fn repeats(graph: &Graph, placement: &Placement<'_>, snapshots: &mut Vec<Snapshot>, block: usize) -> Option<usize> {
    let ends = &graph.ends;
    let snapshot = Snapshot::of(placement, ends, block);
    let is_same = |own: &&Snapshot| {
        let is_kind_same = |back: usize| ends[own.block - back].kind == ends[block - back].kind;
        own.block > LIVING_BLOCKS
            && (0..LIVING_BLOCKS).all(is_kind_same)
            && own.free == snapshot.free
            && own.placed == snapshot.placed
    };
    let found = snapshots.iter().rfind(is_same).map(|own| block - own.block);
    snapshots.push(snapshot);
    let period = found?;
    let goes_on = |index: &usize| ends[*index].kind.is_some() && ends[*index].kind == ends[*index - period].kind;
    let last = (block + 1..ends.len()).take_while(goes_on).last()?;
    let periods = ((last - block) / period).checked_sub(1).filter(|periods| *periods > 0)?;
    Some(block + periods * period)
}

impl Placement<'_> {
    /// Goes on at the end of block `to`, with the places from the end of block `from`.
    fn skip(&mut self, graph: &Graph, from: usize, to: usize) {
        let first = first_node(&graph.ends, from) as usize;
        let [end, new_end] = [from, to].map(|block| graph.ends[block].nodes as usize);
        self.uses.copy_within(first..end, first + new_end - end);
        // Results that were computed before the blocks have fewer uses left from here on.
        let shared = graph.ends[0].nodes;
        for id in &graph.order[graph.ends[from].order..graph.ends[to].order] {
            for source in graph.sources_of(*id).iter().filter(|source| **source < shared) {
                self.uses[*source as usize].children -= 1;
            }
            let node = &graph.nodes[*id as usize];
            if node.root != *id && node.root < shared {
                self.uses[node.root as usize].views -= 1;
            }
        }
    }
}
