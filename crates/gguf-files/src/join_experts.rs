//! Joining the experts of a model, which are separate tensors in files of before April 2024.
//!
//! Example: [`join_experts()`].

use alloc::{boxed::Box, vec::Vec};

use super::assembled_file::{AssembledFile, Joined, SourceTensor};
use super::duplicate_names::check_names;
use super::split::data_ranges;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::order::sorted;
use gguf_format::write::plan::WritePlan;
use gguf_models::kind::Shard;
use gguf_models::tensor_names::{TensorPart, tensor_role};

/// The matrices that each expert has: the base names of their tensors, and the names that llama.cpp has for all experts together.
const MATRICES: [(&str, &str); 3] =
    [("ffn_gate.{n}", "ffn_gate_exps"), ("ffn_up.{n}", "ffn_up_exps"), ("ffn_down.{n}", "ffn_down_exps")];

/// A matrix of the experts of a block: the block, and the position in [`MATRICES`].
type Place = (u32, usize);

/// The tensor of an expert: its matrix, the number of the expert, and the position of the tensor in the file.
type Expert = (Place, u32, usize);

/// Plans a file in which the experts of each block are one tensor for each matrix, as llama.cpp reads them since April 2024:
/// `blk.0.ffn_up_exps.weight` instead of `blk.0.ffn_up.0.weight`, `blk.0.ffn_up.1.weight` and so on. The new tensor has the data of the
/// experts one after the other, by their numbers. It has one more dimension, and the place of the first expert in the file. All else is
/// copied byte for byte. Source 0 of the plan is the file; `file_size` is its size in bytes.
///
/// # Errors
///
/// `invalid-argument` if no expert is a tensor of its own, or if the file is one of several shards. `incomplete-model` if an expert is
/// missing. `does-not-fit` if experts of a matrix have different types or dimensions. `unknown-type` if it is not known where the data of
/// an expert ends, or how it is divided. `name-taken` if two tensors have the same name, or if the file has a tensor of all experts, too.
/// `truncated`, `size-unknown`, `limit-exceeded`, `too-large`.
///
/// # Examples
///
/// ```
/// use gguf_files::join_experts::join_experts;
/// use gguf_format::{Format, write::encode::Encoder};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(2, 0);
/// for expert in 0..2 {
///     let name = format!("blk.0.ffn_up.{expert}.weight");
///     file.tensor_info(name.as_bytes(), &[8, 4], 0, 128 * expert);
/// }
/// file.pad_to(32).bytes(&[1; 128]).bytes(&[2; 128]);
/// let header = gguf_format::parse(file.as_bytes())?;
///
/// let plan = join_experts(&header, Some(file.len()))?;
/// // 256 bytes of data, of a tensor with the dimensions 8, 4 and 2.
/// assert_eq!(plan.size() - plan.data_offset(), 256);
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn join_experts(header: &Header, file_size: Option<u64>) -> Result<WritePlan> {
    const ACTION: &str = "join the experts";
    if let Some(shard) = Shard::of(header) {
        return Err(error!(InvalidArgument:
            "cannot {ACTION}: the file is one of {} shards; merge the set first, and then join the experts of the merged model",
            shard.count));
    }
    let experts = sorted(&header.tensors().filter_map(|info| expert_of(&info)).collect::<Vec<Expert>>());
    if experts.is_empty() {
        return Err(error!(InvalidArgument:
            "cannot {ACTION}: the file has no tensor of a single expert, such as \"blk.0.ffn_up.0.weight\"; it needs no joining"));
    }
    let count = header.architecture_value("expert_count").and_then(|count| count.as_u64());
    let most = experts.chunk_by(|a, b| a.0 == b.0).map(|matrix| matrix.len() as u64).max();
    let expected = count.filter(|count| *count > 0).or(most).unwrap_or(0);
    let data = data_ranges(ACTION, header, file_size)?;
    let range = |info: &TensorInfo<'_>| data.get(info.index()).cloned().unwrap_or_default();
    let (mut tensors, mut is_done) = (Vec::new(), vec![false; experts.len()]);
    for info in header.tensors() {
        let Some((place, ..)) = expert_of(&info) else {
            tensors.push(SourceTensor { data: range(&info), info, source: 0, joined: None });
            continue;
        };
        let start = experts.partition_point(|expert| expert.0 < place);
        if core::mem::replace(&mut is_done[start], true) {
            continue;
        }
        let matrix = experts[start..].chunk_by(|a, b| a.0 == b.0).next().unwrap_or_default();
        let mut ranges = experts_of(header, matrix, expected)?.into_iter().map(|expert| range(&expert));
        let data = ranges.next().unwrap_or_default();
        let name = format!("blk.{}.{}.weight", place.0, MATRICES[place.1].1).into_bytes();
        tensors.push(SourceTensor {
            info,
            source: 0,
            data,
            joined: Some(Box::new(Joined { name, more: ranges.collect() })),
        });
    }
    check_names(ACTION, tensors.len(), &|index| {
        let tensor = &tensors[index];
        tensor.joined.as_ref().map_or_else(|| tensor.info.name().to_bytes(), |joined| joined.name.clone().into())
    })?;
    let file = AssembledFile {
        format: header.format(),
        alignment: header.alignment(),
        copied_entries: header.metadata().map(|entry| entry.range()).collect(),
        new_entries: Vec::new(),
        tensors,
        keeps_dimensions: true,
    };
    file.plan()
}

/// The expert whose tensor this is. `None` for all other tensors.
fn expert_of(info: &TensorInfo<'_>) -> Option<Expert> {
    let role = tensor_role(&info.name().to_bytes())?;
    let matrix = MATRICES.iter().position(|(base, _)| *base == role.base)?;
    let is_of_block = role.section.prefix == "blk.{n}." && role.part == Some(TensorPart::Weight);
    Some(((role.block.filter(|_| is_of_block)?, matrix), role.expert?, info.index()))
}

/// The tensors of a matrix by the numbers of the experts, after checks that they fit each other. `expected` is the number of experts.
fn experts_of<'a>(header: &'a Header, matrix: &[Expert], expected: u64) -> Result<Vec<TensorInfo<'a>>> {
    let mut tensors: Vec<TensorInfo<'a>> = Vec::new();
    for (wanted, (_, number, index)) in (0_u64..).zip(matrix) {
        let tensor = header.tensor_at(*index).filter(|_| u64::from(*number) == wanted && wanted < expected);
        let tensor = tensor.ok_or_else(|| wrong_number(matrix, wanted, expected))?;
        check_alike(tensors.first().unwrap_or(&tensor), &tensor)?;
        tensors.push(tensor);
    }
    if (tensors.len() as u64) < expected {
        return Err(wrong_number(matrix, tensors.len() as u64, expected));
    }
    Ok(tensors)
}

#[cold]
fn wrong_number(matrix: &[Expert], number: u64, expected: u64) -> Error {
    let ((block, base), found) = (matrix.first().map_or((0, 0), |expert| expert.0), matrix.len());
    let name = MATRICES[base].0.trim_end_matches("{n}");
    error!(IncompleteModel:
        "cannot join the experts: the file has {found} tensors \"blk.{block}.{name}N.weight\", expected one for each of {expected} experts; \
         the first that is missing or too many has the number {number}. Download the file again, or convert the original model again")
}

/// Checks that an expert has the type and the dimensions of the first one, and data that can follow those of another.
fn check_alike(first: &TensorInfo<'_>, expert: &TensorInfo<'_>) -> Result<()> {
    let name = expert.name();
    let is_whole = expert.byte_length().is_some() && expert.type_info().is_some_and(|info| info.owner.is_none());
    if !is_whole {
        return Err(error!(UnknownType:
            "cannot join the experts: tensor \"{name}\" has the type {}, of which it is not known whether tensors can follow each other; \
             convert the original model again", expert.type_name())
        .at(expert.range().start));
    }
    if expert.dimension_iter().len() != 2 {
        return Err(error!(DoesNotFit:
            "cannot join the experts: tensor \"{name}\" has {} dimensions, expected 2; convert the original model again",
            expert.dimension_iter().len())
        .at(expert.range().start));
    }
    if expert.ggml_type() != first.ggml_type() || !expert.dimension_iter().eq(first.dimension_iter()) {
        return Err(error!(DoesNotFit:
            "cannot join the experts: tensor \"{name}\" has another type or other dimensions than \"{}\": one tensor has one type. \
             Quantize the file to one type for all experts first", first.name())
        .at(expert.range().start));
    }
    Ok(())
}
