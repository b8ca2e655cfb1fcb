//! The file type that llama.cpp assumes if a file does not say it.

use alloc::borrow::Cow;

use super::table::{FILE_TYPES, GUESSED_FILE_TYPE};
use crate::decimal::split_decimal;
use gguf_format::format::ggml_type::{GGML_TYPES, GgmlType, GgmlTypeInfo};
use gguf_format::format::header::Header;

/// The file type that llama.cpp assumes if `general.file_type` is missing, with [`GUESSED_FILE_TYPE`] added. It is the file
/// type of the tensor type that most tensors have (`llama_model_loader`, August 2026).
///
/// llama.cpp takes F32 if there are no tensors, or if no guess is known for the tensor type, such as MXFP4. For the types
/// of the K-quants with several file types it takes the medium one. A shard gives the guess of its own tensors only.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_models::file_types::{GUESSED_FILE_TYPE, file_type_info, guessed_file_type};
///
/// let header = gguf_format::parse(&file)?;
/// let guess = guessed_file_type(&header);
/// assert_eq!(guess, 2 + GUESSED_FILE_TYPE);
/// assert_eq!(file_type_info(guess).unwrap().name, "Q4_0");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn guessed_file_type(header: &Header) -> u32 {
    // Types that ggml never had share the last element.
    let mut counts = [0_u64; GGML_TYPES.len() + 1];
    // For each type, the last tensor in llama.cpp's order. Of two types with equally many tensors, llama.cpp takes the one
    // that reaches this number first.
    let mut last: [Option<Position<'_>>; GGML_TYPES.len() + 1] = [const { None }; GGML_TYPES.len() + 1];
    for tensor in header.tensors() {
        let index = tensor.own_type_info().and_then(|info| GgmlType(info.id).row_index()).unwrap_or(GGML_TYPES.len());
        counts[index] += 1;
        let position = Position::of(tensor.name().to_bytes());
        if last[index].as_ref().is_none_or(|last| *last < position) {
            last[index] = Some(position);
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let first = (0..counts.len()).filter(|index| counts[*index] == most).min_by(|a, b| last[*a].cmp(&last[*b]));
    let of_most = if most == 0 { GgmlType::F32.info() } else { first.and_then(|index| GGML_TYPES.get(index)) };
    guess_of(of_most) | GUESSED_FILE_TYPE
}

/// The place of a tensor in llama.cpp's map of tensors: by block, then by name. Tensors outside of blocks come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Position<'a> {
    block: Option<u32>,
    name: Cow<'a, [u8]>,
}

impl<'a> Position<'a> {
    fn of(name: Cow<'a, [u8]>) -> Self {
        let block = name.strip_prefix(b"blk.").and_then(split_decimal).map(|(block, _)| block);
        Self { block, name }
    }
}

/// The file type that llama.cpp guesses for a tensor type. `None` is a type that ggml never had.
fn guess_of(ggml_type: Option<&GgmlTypeInfo>) -> u32 {
    // Where the names of the file types differ from the name of the tensor type.
    match ggml_type.map(|info| GgmlType(info.id)) {
        Some(GgmlType::Q3_K) => return 12,
        Some(GgmlType::Q4_K) => return 15,
        Some(GgmlType::Q5_K) => return 17,
        _ => {}
    }
    let name = ggml_type.map(|info| info.name);
    let info = FILE_TYPES.iter().find(|info| !info.is_removed && Some(info.name) == name);
    info.map_or(0, |info| info.id)
}
