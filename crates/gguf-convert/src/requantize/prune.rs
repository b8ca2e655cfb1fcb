//! Blocks that are left out, and the new numbers of those that are kept.

use alloc::vec::Vec;

use super::category::number_at;
use gguf_format::order::sort;

/// The blocks that are left out, and the new numbers of those that are kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Pruning {
    /// The blocks of the model in their order, each with its new number, or `None` if it is left out. Empty if nothing is left out.
    numbers: Vec<(u64, Option<u32>)>,
    /// The number of blocks of the new model.
    pub block_count: Option<u32>,
}

impl Pruning {
    /// Leaves out the blocks in `pruned`. `names` are the names of all tensors.
    pub fn new<'a>(pruned: &[u32], names: impl Iterator<Item = &'a [u8]>) -> Self {
        if pruned.is_empty() {
            return Self::default();
        }
        let mut blocks = sort(names.filter_map(|name| Some(block_in(name)?.number.into())).collect());
        blocks.dedup();
        let pruned = sort(pruned.iter().map(|block| u64::from(*block)).collect());
        let mut next = 0;
        let numbers = blocks.into_iter().map(|block| {
            if pruned.binary_search(&block).is_ok() {
                return (block, None);
            }
            // Blocks before the first one that is left out keep their numbers, also if some are missing.
            if pruned.first().is_none_or(|first| block < *first) {
                // Blocks are numbers of 32 bits.
                next = block as u32;
            }
            let number = next;
            next = next.saturating_add(1);
            (block, Some(number))
        });
        let numbers = numbers.collect();
        Self { numbers, block_count: Some(next) }
    }

    /// The new name of a tensor. `None` if it is left out.
    pub fn rename(&self, name: &[u8]) -> Option<Vec<u8>> {
        let Some(block) = block_in(name) else { return Some(name.to_vec()) };
        let Some(number) = self.number(block.number.into()) else { return Some(name.to_vec()) };
        let number = number?;
        if number == block.number {
            return Some(name.to_vec());
        }
        Some([&name[..block.start], format!("{number}").as_bytes(), &name[block.end..]].concat())
    }

    /// Whether a block is kept.
    pub fn keeps(&self, block: u64) -> bool {
        self.number(block).is_none_or(|number| number.is_some())
    }

    /// Whether the model has a block, kept or left out. `false` if no block is left out.
    pub fn knows(&self, block: u64) -> bool {
        self.number(block).is_some()
    }

    /// The new number of a block of the model.
    fn number(&self, block: u64) -> Option<Option<u32>> {
        let place = self.numbers.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        Some(self.numbers[place].1)
    }
}

/// The number of a block in a name, and where it stands.
struct Block {
    number: u32,
    start: usize,
    end: usize,
}

/// The first `blk.N.` in a name.
fn block_in(name: &[u8]) -> Option<Block> {
    let marks = name.windows(4).enumerate().filter(|(_, window)| window == b"blk.");
    marks.map(|(position, _)| position + 4).find_map(|start| {
        let (number, length) = number_at(&name[start..])?;
        (name.get(start + length) == Some(&b'.')).then_some(Block { number, start, end: start + length })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_after_a_pruned_one_move_up() {
        let names = [&b"blk.0.a"[..], b"blk.1.a", b"blk.2.a", b"blk.3.a", b"output"];
        let pruning = Pruning::new(&[1], names.iter().copied());
        let renamed: Vec<_> = names.iter().map(|name| pruning.rename(name)).collect();
        let expected = [Some(&b"blk.0.a"[..]), None, Some(b"blk.1.a"), Some(b"blk.2.a"), Some(b"output")];
        assert_eq!(renamed, expected.map(|name| name.map(<[u8]>::to_vec)));
        assert_eq!(pruning.block_count, Some(3));
        let none = Pruning::new(&[9], names.iter().copied());
        assert_eq!((none.rename(b"blk.3.a"), none.block_count), (Some(b"blk.3.a".to_vec()), Some(4)));
    }
}
