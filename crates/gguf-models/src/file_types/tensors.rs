//! The file types that fit the tensors of a file, and those that do not.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::mixtures::{TYPES_OF_ORIGINAL, TYPES_OF_OUTPUT, is_float, mixture, replacements, stand_ins};
use super::table::{FILE_TYPES, FileTypeInfo, file_type_info};
use super::type_set::TypeSet;
use gguf_format::format::ggml_type::{GGML_TYPES, GgmlType, GgmlTypeInfo};
use gguf_format::format::header::{Header, TensorInfo};

/// The tensor type that most bytes of the matrices have. `None` if there are no matrices whose size can be computed.
///
/// A matrix is a tensor with more than one row: biases and norms are not. Embeddings of tokens and the output often have a
/// type of their own, so they count only if the file has no other matrices.
pub fn main_tensor_type(header: &Header) -> Option<&'static GgmlTypeInfo> {
    main_type(header, is_matrix, |tensor| tensor.byte_length())
}

/// The tensor type that most elements have. `None` if there are no elements, or if the type is not known. Embeddings and
/// the output count only if the file has no other tensors.
pub(crate) fn type_of_most_elements(header: &Header) -> Option<&'static GgmlTypeInfo> {
    main_type(header, |_| true, |tensor| Some(tensor.element_count().unwrap_or(u64::MAX)))
}

/// The type of tensors whose sizes have the largest sum. Embeddings and the output count only if there are no others.
fn main_type(
    header: &Header,
    is_counted: fn(&TensorInfo<'_>) -> bool,
    size: fn(&TensorInfo<'_>) -> Option<u64>,
) -> Option<&'static GgmlTypeInfo> {
    let of = |is_chosen: fn(&TensorInfo<'_>) -> bool| {
        // All types of which nothing is known are counted together.
        let mut sums: Vec<(Option<&'static GgmlTypeInfo>, u64)> = Vec::new();
        for tensor in header.tensors().filter(|tensor| is_counted(tensor) && is_chosen(tensor)) {
            let (info, size) = (tensor.type_info(), size(&tensor).unwrap_or(0));
            let id = |info: Option<&GgmlTypeInfo>| info.map(|info| (info.id, info.owner));
            match sums.iter_mut().find(|(other, _)| id(*other) == id(info)) {
                Some((_, sum)) => *sum = sum.saturating_add(size),
                None => sums.push((info, size)),
            }
        }
        // Of types with equal sums, the one with the least id.
        let order = |(info, sum): &(Option<&GgmlTypeInfo>, u64)| (*sum, info.map(|info| Reverse(info.id)));
        sums.into_iter().filter(|(_, sum)| *sum > 0).max_by_key(order)
    };
    of(|tensor| !is_output(tensor)).or_else(|| of(|_| true))?.0
}

/// The file types whose files can have the tensors of this one, if `llama-quantize` or the converter made it, by id.
///
/// Several file types can fit: a file whose blocks have only Q4_K is a Q4_K_S as well as a Q4_K_M. None fits a file whose
/// types were chosen by hand. For a shard, the answer is about its own tensors.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, GgmlType, write::encode::Encoder};
/// use gguf_models::file_types::file_types_of_tensors;
///
/// let mut file = Encoder::new(Format::default());
/// file.header(2, 0)
///     .tensor_info(b"blk.0.ffn_up.weight", &[256, 2], GgmlType::Q4_K.0, 0)
///     .tensor_info(b"blk.0.ffn_down.weight", &[256, 2], GgmlType::Q6_K.0, 288);
/// let header = gguf_format::parse(file.as_bytes())?;
/// let names: Vec<_> = file_types_of_tensors(&header).map(|info| info.name).collect();
/// assert_eq!(names, ["Q4_K_M"]);
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn file_types_of_tensors(header: &Header) -> impl Iterator<Item = &'static FileTypeInfo> {
    FILE_TYPES.iter().filter(|info| !info.is_removed && fits(header, info))
}

/// Whether the matrices of the blocks have only types of a file type's mixture, and its own type among them.
fn fits(header: &Header, info: &FileTypeInfo) -> bool {
    let has_eight_bits = header.architecture().is_some_and(|name| name == "glm5-next");
    let mixture = mixture(info, has_eight_bits);
    let mut has_own = false;
    for tensor in header.tensors().filter(|tensor| is_matrix(tensor) && !is_output(tensor)) {
        let ggml_type = tensor.ggml_type();
        if tensor.own_type_info().is_none() {
            return false;
        } else if stands_for(&tensor, info.tensor_type) {
            has_own = true;
        } else if !mixture.has(ggml_type) && !has_stand_in(mixture, &tensor) {
            return false;
        }
    }
    has_own
}

/// Whether the type of a matrix stands for a type of the mixture that does not fit its rows.
fn has_stand_in(mixture: TypeSet, tensor: &TensorInfo<'_>) -> bool {
    let mut types = GGML_TYPES.iter().map(|row| GgmlType(row.id)).filter(|ggml_type| mixture.has(*ggml_type));
    let row_length = row_length(tensor);
    types.any(|ggml_type| stand_ins(ggml_type, row_length).has(tensor.ggml_type()))
}

/// Whether the tensors of a file show that its `general.file_type` is wrong.
///
/// The answer is yes only in clear cases, because many files have mixtures of types that were chosen by hand:
///
/// - No matrix of the blocks has the type of the file type, or a type that stands for it in short rows. The embeddings and
///   the output count unless they have a type that they get in many files.
/// - The file type is F32, F16 or BF16, but most bytes of the matrices of the blocks are quantized, or, if it is F32, have 16
///   bits. MXFP4 and NVFP4 do not count, because converters copy them from the original model.
/// - The file type is Q8_0, but less than 1 % of the bytes are Q8_0.
///
/// The answer is no for a file type that is not in the table, for a shard, for a file with tensor types that are not in
/// the table, and while the header arrives.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, GgmlType, write::encode::Encoder};
/// use gguf_models::file_types::contradicts_file_type;
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 0).tensor_info(b"blk.0.attn_q.weight", &[256, 8], GgmlType::Q8_0.0, 0);
/// let header = gguf_format::parse(file.as_bytes())?;
/// assert!(!contradicts_file_type(&header, 7)); // Q8_0
/// assert!(contradicts_file_type(&header, 15)); // Q4_K_M
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn contradicts_file_type(header: &Header, value: u32) -> bool {
    let Some(info) = file_type_info(value) else { return false };
    let is_shard = header.get("split.count").is_some_and(|entry| entry.value().as_u64().is_none_or(|count| count > 1));
    if is_shard || !header.is_complete() {
        return false;
    }
    let own = info.tensor_type;
    let (mut has_own, mut count) = (false, 0);
    let (mut own_bytes, mut wrong_bytes, mut all_bytes) = (0_u64, 0_u64, 0_u64);
    for tensor in header.tensors().filter(is_matrix) {
        let ggml_type = tensor.ggml_type();
        if tensor.own_type_info().is_none() {
            return false;
        }
        if is_output(&tensor) {
            has_own |= ggml_type == own && !TYPES_OF_OUTPUT.has(own);
            continue;
        }
        if is_integer(ggml_type) {
            continue;
        }
        count += 1;
        let bytes = tensor.byte_length().unwrap_or(0);
        all_bytes = all_bytes.saturating_add(bytes);
        if stands_for(&tensor, own) {
            has_own = true;
            own_bytes = own_bytes.saturating_add(bytes);
        } else if !TYPES_OF_ORIGINAL.has(ggml_type) && (!is_float(ggml_type) || own == GgmlType::F32) {
            wrong_bytes = wrong_bytes.saturating_add(bytes);
        }
    }
    if count == 0 || all_bytes == 0 {
        return false;
    }
    let is_mostly_wrong = wrong_bytes > all_bytes / 2;
    let is_rare = own_bytes < all_bytes / 100;
    !has_own || is_mostly_wrong && (is_float(own) || own == GgmlType::Q8_0 && is_rare)
}

/// Whether the type of a matrix is a type, or stands for it.
fn stands_for(tensor: &TensorInfo<'_>, ggml_type: GgmlType) -> bool {
    let own = tensor.ggml_type();
    own == ggml_type || replacements(ggml_type).has(own) || stand_ins(ggml_type, row_length(tensor)).has(own)
}

fn row_length(tensor: &TensorInfo<'_>) -> u64 {
    tensor.dimension_iter().next().unwrap_or(1)
}

/// Whether a tensor has more than one row.
fn is_matrix(tensor: &TensorInfo<'_>) -> bool {
    tensor.dimension_iter().skip(1).any(|extent| extent > 1)
}

/// Whether a tensor is an embedding of tokens or the output, which get types of their own.
fn is_output(tensor: &TensorInfo<'_>) -> bool {
    let name = tensor.name();
    name == "token_embd.weight" || name == "per_layer_token_embd.weight" || name == "output.weight"
}

/// Whether a type holds integers: tables of ids, not weights.
fn is_integer(ggml_type: GgmlType) -> bool {
    matches!(ggml_type, GgmlType::I8 | GgmlType::I16 | GgmlType::I32 | GgmlType::I64)
}
