//! The input of the fuzz target `safetensors`: the first bytes of a file. The tests of changed files use the same function.
//!
//! ```text
//! size     u32       the size of the file, little-endian
//! header   the rest  JSON. Its length is put before it.
//! ```

use gguf_convert::safetensors::SafetensorsHeader;

/// Decodes a header. Returns whether it is accepted.
pub fn run(input: &[u8]) -> bool {
    let Some((size, json)) = input.split_first_chunk() else { return false };
    let size = u64::from(u32::from_le_bytes(*size));
    let file = [&(json.len() as u64).to_le_bytes()[..], json].concat();
    for length in [0, 7, file.len() / 2, file.len().saturating_sub(1)] {
        assert!(SafetensorsHeader::decode(&file[..length.min(file.len() - 1)], None).is_err());
    }
    let Ok(header) = SafetensorsHeader::decode(&file, Some(size)) else { return false };
    assert_eq!(header.data_start(), file.len() as u64);
    let mut ranges = Vec::new();
    for tensor in header.tensors() {
        let bits = tensor.element_count() * tensor.data_type.bits();
        assert_eq!((tensor.range.end - tensor.range.start) * 8, bits, "{}", tensor.name);
        assert!(tensor.range.start >= header.data_start() && tensor.range.end <= size, "{}", tensor.name);
        assert_eq!(header.tensor(&tensor.name), Some(tensor));
        if bits > 0 {
            ranges.push(tensor.range.clone());
        }
    }
    ranges.sort_by_key(|range| range.start);
    assert!(ranges.windows(2).all(|pair| pair[0].end <= pair[1].start), "{ranges:?}");
    assert!(header.tensors().windows(2).all(|pair| pair[0].name < pair[1].name));
    true
}
