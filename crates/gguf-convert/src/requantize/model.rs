//! The model that is converted, as far as its recipe does not depend on the target.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use super::hyperparameters::Hyperparameters;
use super::image::ImageRules;
use super::imatrix::ImatrixEntry;
use super::options::Options;
use super::pattern::NameSearch;
use super::prune::Pruning;
use super::rules::MatchedRules;
use super::target_type::{is_target, no_target};
use super::tensors::{InputTensor, tensors_of};
use gguf_format::error::{Result, error};
use gguf_format::format::header::Header;
use gguf_models::kind::Shard;
use gguf_models::validate::new_file::NewFileProblems;

/// The model that is converted: the part of a recipe that does not depend on the target.
#[derive(Debug)]
pub(super) struct Model {
    pub headers: Vec<Arc<Header>>,
    pub tensors: Vec<InputTensor>,
    /// The rules of the options for these tensors.
    pub rules: MatchedRules,
    pub hyperparameters: Hyperparameters,
    /// The rules for an image model.
    pub image: Option<ImageRules>,
    pub pruning: Pruning,
    /// The names of the entries of the importance matrix that are used, in byte order.
    pub weights: Vec<Vec<u8>>,
    /// What llama.cpp refuses about the new file.
    pub problems: NewFileProblems,
}

impl Model {
    pub fn new(headers: &[Arc<Header>], options: &Options) -> Result<Self> {
        let Some(first) = headers.first() else {
            return Err(error!(InvalidArgument: "the model cannot be converted: no file is given"));
        };
        check_shards(headers)?;
        if !options.include_weights.is_empty() && !options.exclude_weights.is_empty() {
            return Err(error!(InvalidArgument:
                "weights of the importance matrix are both included and excluded: use one of the two options"));
        }
        for ggml_type in options.output_tensor_type.into_iter().chain(options.token_embedding_type) {
            if !is_target(ggml_type) {
                return Err(no_target(ggml_type));
            }
        }
        let names: Vec<_> =
            headers.iter().flat_map(|header| header.tensors()).map(|tensor| tensor.name().to_bytes()).collect();
        let pruning = Pruning::new(&options.prune_layers, names.iter().map(|name| &**name));
        let weights: Vec<_> = options.used_weights().into_iter().map(<[u8]>::to_vec).collect();
        if let Some(imatrix) = &options.imatrix {
            weights.iter().try_for_each(|name| imatrix.check_finite(name))?;
        }
        let image = ImageRules::of(first);
        let tensors = tensors_of(headers, options, &pruning, image.as_ref())?;
        Ok(Self {
            rules: MatchedRules::new(&options.tensor_types, &tensors, NameSearch::default())?,
            tensors,
            hyperparameters: Hyperparameters::of(first, options),
            problems: NewFileProblems::of(first, &|key| options.overrides.iter().any(|(own, _)| own.as_bytes() == key)),
            headers: headers.to_vec(),
            image,
            pruning,
            weights,
        })
    }

    /// The tensors of each shard of the new model, if shards are kept. A shard all of whose tensors are pruned is left out, except for
    /// the first one, which has the entries.
    pub fn tensors_of_shards(&self) -> Vec<Range<usize>> {
        let before = |shard| self.tensors.partition_point(|tensor| tensor.shard < shard);
        let ranges = (0..self.headers.len()).map(|shard| before(shard)..before(shard + 1));
        ranges.enumerate().filter(|(shard, range)| *shard == 0 || !range.is_empty()).map(|(_, range)| range).collect()
    }

    /// The entry of the importance matrix for a tensor.
    pub fn importance<'a>(&self, options: &'a Options, tensor: &InputTensor) -> Option<&'a ImatrixEntry> {
        let name = &tensor.original_name;
        options.imatrix.as_ref().filter(|_| self.weights.binary_search(name).is_ok())?.entry(name)
    }
}

/// Checks that the headers are one file that is no shard, or all shards of a set.
fn check_shards(headers: &[Arc<Header>]) -> Result<()> {
    let first = &headers[0];
    let count = Shard::of(first).map_or(1, |shard| shard.count);
    if count != headers.len() as u64 {
        return Err(error!(IncompleteSet:
            "the model cannot be converted: it has {count} shards, but {} files are given; open the whole set",
            headers.len()));
    }
    for (position, header) in headers.iter().enumerate() {
        let number = Shard::of(header).and_then(|shard| shard.number).unwrap_or(position as u64 + 1);
        if number != position as u64 + 1 {
            return Err(error!(IncompleteSet:
                "the model cannot be converted: file {} of {count} is shard {number}; give the shards in their order",
                position + 1));
        }
        if header.format().endian != first.format().endian {
            return Err(error!(ForeignShard:
                "the model cannot be converted: file {} of {count} has another byte order than the first", position + 1));
        }
    }
    Ok(())
}
