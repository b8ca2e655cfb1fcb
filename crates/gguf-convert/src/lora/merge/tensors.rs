//! The tensors of a model with adapters: their types, and how they are quantized.

use alloc::vec::Vec;

use super::header::NewTensor;
use super::options::MergedTypes;
use super::pairs::Pairs;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::{GgmlType, GgmlTypeInfo};
use gguf_format::format::header::TensorInfo;
use gguf_format::io::Source;
use gguf_format::order::sort_by;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::tensor::{Quantizer, quantizer};

/// The tensors of the new file, in their order, and the quantizers of those that are changed.
///
/// # Errors
///
/// `invalid-argument` if a changed tensor cannot be quantized to its new type. `unknown-type` or `unexpected-eof` if the place of a
/// tensor in the model is not known.
pub(super) fn new_tensors<S: Source>(
    model: &OpenedFile<S>,
    pairs: &Pairs,
    types: MergedTypes,
) -> Result<(Vec<NewTensor>, Vec<Quantizer>)> {
    let mut quantizers: Vec<Quantizer> = Vec::new();
    let mut new = Vec::new();
    for tensor in model.header().tensors() {
        let old_type = tensor.ggml_type();
        let is_changed = pairs.contains_key(&tensor.index());
        if let Some(GgmlTypeInfo { name, owner: Some(owner), .. }) = tensor.type_info().filter(|_| is_changed) {
            return Err(error!(UnknownType:
                "the adapter cannot be merged: tensor \"{}\" has the type {name} of {owner}. Merge it into a file of the model \
                 with types of ggml", tensor.name())
            .at(tensor.range().start));
        }
        let ggml_type = match types {
            _ if !is_changed => old_type,
            MergedTypes::F16 if old_type != GgmlType::F32 => GgmlType::F16,
            MergedTypes::Keep => old_type,
            _ => GgmlType::F32,
        };
        if is_changed && !quantizers.iter().any(|quantizer| quantizer.ggml_type() == ggml_type) {
            quantizers.push(usable_quantizer(&tensor, ggml_type)?);
        }
        new.push(new_tensor(model, &tensor, ggml_type)?);
    }
    // The order of llama-export-lora, which keeps tensors by their names.
    let mut order: Vec<usize> = (0..new.len()).collect();
    sort_by(&mut order, &|a: usize, b| (&new[a].name, a).cmp(&(&new[b].name, b)));
    let mut places: Vec<Option<NewTensor>> = new.into_iter().map(Some).collect();
    Ok((order.into_iter().filter_map(|index| places[index].take()).collect(), quantizers))
}

/// The tensor of the new file.
fn new_tensor<S: Source>(model: &OpenedFile<S>, tensor: &TensorInfo<'_>, ggml_type: GgmlType) -> Result<NewTensor> {
    let mut dimensions: Vec<u64> = tensor.dimension_iter().collect();
    let row_length = dimensions.first().copied().unwrap_or(1);
    let byte_length = match ggml_type == tensor.ggml_type() {
        true => {
            let extent = model.extent(tensor)?;
            Some(extent.end - extent.start)
        }
        false => tensor.element_count().and_then(|count| ggml_type.byte_length(count, row_length)),
    };
    let byte_length = byte_length.ok_or_else(|| no_quantizer(tensor, ggml_type, ""))?;
    // ggml does not store the last dimensions of one element.
    while dimensions.len() > 1 && dimensions.last() == Some(&1) {
        dimensions.pop();
    }
    let name = tensor.name().to_bytes().into_owned();
    Ok(NewTensor { index: tensor.index(), name, dimensions, ggml_type, byte_length, position: 0 })
}

/// The quantizer of a type that a changed tensor gets.
fn usable_quantizer(tensor: &TensorInfo<'_>, ggml_type: GgmlType) -> Result<Quantizer> {
    let found = quantizer(ggml_type).ok_or_else(|| no_quantizer(tensor, ggml_type, ""))?;
    match found.requires_importance() {
        true => Err(no_quantizer(tensor, ggml_type, " without an importance matrix")),
        false => Ok(found),
    }
}

#[cold]
pub(super) fn no_quantizer(tensor: &TensorInfo<'_>, ggml_type: GgmlType, how: &str) -> Error {
    error!(InvalidArgument:
        "the changed tensor \"{}\" cannot be quantized to {ggml_type}{how}; let changed tensors become F16",
        Shown(&tensor.name().to_bytes()))
}
