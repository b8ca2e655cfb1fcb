//! Blocks of NVFP4.

use alloc::vec::Vec;

use super::encoding::Encoding;
use super::input::Inputs;
use super::view::{Run, View};
use gguf_format::error::{Result, error};
use gguf_format::io::Source;
use gguf_format::io::memory::zeros;

/// The elements that share a scale.
pub(crate) const GROUP: u64 = 16;

/// The elements of a block.
pub(crate) const BLOCK: u64 = 64;

/// The blocks of some rows as GGUF stores them: the scales of four groups of 16 elements, then 8 bytes for each group. Byte i of a group
/// has the elements i and i + 8. The stored byte i has the elements 2i and 2i + 1, the first in the lower half. The scales have no sign.
///
/// The stretches of the view are whole groups.
pub(super) async fn view_rows<S: Source>(
    inputs: &Inputs<S>,
    view: &View,
    row_length: u64,
    first_row: u64,
    row_count: u64,
) -> Result<Vec<u8>> {
    let input = &inputs.list[view.input];
    let Encoding::Nvfp4 { scales } = input.encoding else {
        return Err(error!(UnsupportedModel: "elements of the type {} cannot become NVFP4", input.data_type));
    };
    let runs = view.runs(row_length, first_row, row_count);
    let parts = |size: u64| -> Vec<Run> {
        let part =
            |run: &Run| Run { start: run.start / size, length: run.length / size, target: run.target / size, ..*run };
        runs.iter().map(part).collect()
    };
    let count = row_count * row_length;
    let elements = inputs.gather(input, &parts(2), count / 2).await?;
    let scales = inputs.gather(&inputs.list[scales], &parts(GROUP), count / GROUP).await?;
    let mut target = zeros(count / BLOCK * 36)?;
    let stored = elements.as_chunks::<32>().0.iter().zip(scales.as_chunks::<4>().0);
    for ((elements, scales), target) in stored.zip(target.as_chunks_mut().0) {
        *target = block(elements, scales);
    }
    Ok(target)
}

fn block(elements: &[u8; 32], scales: &[u8; 4]) -> [u8; 36] {
    let mut block = [0; 36];
    for (target, scale) in block.iter_mut().zip(scales) {
        *target = scale & 0x7F;
    }
    let groups = elements.as_chunks::<8>().0.iter().zip(block[4..].as_chunks_mut::<8>().0);
    for (group, target) in groups {
        let element = |i: usize| group[i / 2] >> (i % 2 * 4) & 15;
        for (i, byte) in target.iter_mut().enumerate() {
            *byte = element(i) | element(i + 8) << 4;
        }
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_keep_their_elements_and_lose_the_signs_of_their_scales() {
        let elements: [u8; 32] = core::array::from_fn(|i| (i as u8).wrapping_mul(37));
        let new = block(&elements, &[0x81, 2, 0x7F, 0xFF]);
        assert_eq!(new[..4], [1, 2, 0x7F, 0x7F]);
        for i in 0..64 {
            let (group, place) = (i / 16, i % 16);
            let found = new[4 + group * 8 + place % 8] >> (place / 8 * 4) & 15;
            assert_eq!(found, elements[i / 2] >> (i % 2 * 4) & 15, "element {i}");
        }
    }
}
