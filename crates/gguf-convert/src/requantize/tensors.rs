//! The tensors of the model, in the order of the new file.

use alloc::{borrow::Cow, string::String, sync::Arc, vec::Vec};

use super::category::{Category, block_of, is_quantized};
use super::image::ImageRules;
use super::options::Options;
use super::prune::Pruning;
use super::target::Target;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::{GgmlType, GgmlTypeInfo};
use gguf_format::format::header::Header;
use gguf_format::order::sort_by;

/// A tensor of the model.
#[derive(Clone, Debug)]
pub(super) struct InputTensor {
    /// The file that has the tensor, and its position there.
    pub shard: usize,
    pub index: usize,
    /// The name in the model.
    pub original_name: Vec<u8>,
    /// The name in the new file.
    pub name: Vec<u8>,
    /// The dimensions in elements, the fastest first. Only in image models, trailing dimensions of 1 are among them.
    pub dimensions: Vec<u64>,
    pub ggml_type: GgmlType,
    pub byte_length: u64,
    pub category: Category,
    /// Whether `llama-quantize` changes types of such tensors.
    pub is_quantized: bool,
}

impl InputTensor {
    pub fn row_length(&self) -> u64 {
        self.dimensions.first().copied().unwrap_or(1)
    }

    pub fn element_count(&self) -> u64 {
        self.dimensions.iter().fold(1, |product, extent| product.saturating_mul(*extent))
    }

    /// The number of rows in a matrix.
    pub fn rows_of_matrix(&self) -> u64 {
        self.dimensions.get(1).copied().unwrap_or(1)
    }

    /// The number of matrices that have importance of their own: experts.
    pub fn matrix_count_of_dimension_2(&self) -> u64 {
        self.dimensions.get(2).copied().unwrap_or(1)
    }

    /// The number of all matrices.
    pub fn matrix_count(&self) -> u64 {
        self.dimensions.iter().skip(2).fold(1, |product, extent| product.saturating_mul(*extent))
    }

    pub fn shown_name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }
}

/// The tensors of the model in the order of the new file: by block, then by name. If shards are kept, in the order of their data. Those
/// of an image model keep their order.
///
/// # Errors
///
/// `unknown-type` if the size of a tensor is not known. `name-taken` if two tensors have the same name.
pub(super) fn tensors_of(
    headers: &[Arc<Header>],
    options: &Options,
    pruning: &Pruning,
    image: Option<&ImageRules>,
) -> Result<Vec<InputTensor>> {
    let architecture = headers.first().and_then(|header| header.architecture());
    let architecture = architecture.map_or(Cow::Borrowed(&b""[..]), |name| name.to_bytes());
    let mut tensors = Vec::new();
    for (shard, header) in headers.iter().enumerate() {
        for info in header.tensors() {
            let original_name = info.name().to_bytes().into_owned();
            let Some(name) = pruning.rename(&original_name) else { continue };
            let (Some(byte_length), Some(_)) = (info.byte_length(), info.element_count()) else {
                return Err(error!(UnknownType:
                    "the model cannot be converted: the size of tensor \"{}\" of type {} is not known", info.name(),
                    info.type_name())
                .at(info.range().start));
            };
            if let Some(GgmlTypeInfo { name, owner: Some(owner), .. }) = info.type_info()
                && !matches!(options.target, Target::Copy)
            {
                return Err(error!(UnknownType:
                    "the model cannot be converted: tensor \"{}\" has the type {name} of {owner}. Convert the original model, \
                     or a file of it with types of ggml", info.name())
                .at(info.range().start));
            }
            let mut dimensions: Vec<u64> = info.dimension_iter().collect();
            let used = dimensions.iter().rposition(|extent| *extent != 1).map_or(1, |last| last + 1);
            if image.is_none() {
                dimensions.truncate(used);
            }
            tensors.push(InputTensor {
                shard,
                index: info.index(),
                category: if image.is_some() { Category::Other } else { Category::of(&name) },
                is_quantized: image
                    .map_or_else(|| is_quantized(&architecture, &name, used), |image| image.is_quantized(&name, used)),
                original_name,
                name,
                dimensions,
                ggml_type: info.ggml_type(),
                byte_length,
            });
        }
    }
    let mut order: Vec<usize> = (0..tensors.len()).collect();
    let key = |position: usize| (block_of(&tensors[position].name), &tensors[position].name);
    sort_by(&mut order, &|a, b| key(a).cmp(&key(b)));
    if let Some(pair) = order.windows(2).find(|pair| tensors[pair[0]].name == tensors[pair[1]].name) {
        return Err(error!(NameTaken:
            "the model cannot be converted: two tensors have the name \"{}\"; rename or remove one of them first",
            tensors[pair[0]].shown_name()));
    }
    if image.is_some() {
        order = (0..tensors.len()).collect();
    }
    if options.keep_split {
        let place = |position: usize| {
            let tensor = &tensors[position];
            let offset = headers[tensor.shard].tensor_at(tensor.index).map_or(0, |info| info.offset());
            (tensor.shard, offset, tensor.index)
        };
        sort_by(&mut order, &|a, b| place(a).cmp(&place(b)));
    }
    let mut tensors: Vec<Option<InputTensor>> = tensors.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|position| tensors[position].take()).collect())
}
