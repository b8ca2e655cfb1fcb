//! The new tensors of a model, from its stored tensors and the rules of its family.

mod nvfp4;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::config::{CONFIG, Config};
use super::families::Family;
use super::families::rule::{Change, Found, Heads, Piece};
use super::quantization::Quantization;
use super::quantization::weights::Weight;
use super::rules::{Match, expert_rules, find_rule};
use super::several_models::text_name;
use super::tensors::content::{Content, Factor, Operation, Values};
use super::tensors::encoding::Encoding;
use super::tensors::input::{Input, is_readable};
use super::tensors::view::View;
use crate::safetensors::{DataType, StoredTensor};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_format::order::map_of;

/// Endings of names that every family leaves out: llama.cpp computes these tensors.
const COMPUTED: &[&str] = &[".attention.masked_bias", ".attention.bias", ".rotary_emb.inv_freq"];

/// A new tensor.
#[derive(Clone, Debug)]
pub(crate) struct MappedTensor {
    pub name: String,
    /// The number of elements in each dimension, slowest first.
    pub shape: Vec<u64>,
    pub content: Content,
    /// The name of the stored tensor. That of the first one, if there are several.
    pub stored_name: String,
    /// Whether the stored tensor is of 8-bit floats with scales.
    pub is_scaled: bool,
}

/// What becomes of the stored tensors.
pub(crate) struct Mapping {
    pub inputs: Vec<Input>,
    /// The new tensors, in order.
    pub tensors: Vec<MappedTensor>,
    /// New tensors that come before all others.
    pub first: Vec<MappedTensor>,
    /// The type of the first stored matrix that is F16 or BF16.
    pub first_half: Option<DataType>,
    /// The names of the stored tensors that are left out.
    pub dropped: Vec<String>,
}

/// What is known of a model beside its tensors.
pub(crate) struct MappingOptions<'a> {
    pub config: &'a Config,
    pub family: &'static Family,
    pub quantization: &'a Quantization,
    /// The number of tokens of the vocabulary.
    pub token_count: Option<u64>,
    /// Whether the tensors of the encoders are converted, in place of those of the text.
    pub is_projector: bool,
}

/// The stacked experts of a block that have been found so far.
#[derive(Default)]
struct ExpertGroup {
    /// The matrices of each rule, by the number of the expert.
    matrices: BTreeMap<usize, BTreeMap<u32, (View, String)>>,
    count: u64,
}

/// The matrices of NVFP4 of the experts of one rule in one block.
struct Nvfp4Experts {
    block: u32,
    /// The position of the rule.
    position: usize,
    /// The name of the new tensor.
    name: String,
    /// By the number of the expert: the matrix, and its factors.
    matrices: BTreeMap<u32, (View, [Factor; 2])>,
    /// The name of the stored matrix that came last.
    stored_name: String,
}

struct Mapper<'a, 'o> {
    options: &'a MappingOptions<'o>,
    block_count: u32,
    experts: u64,
    /// The positions of the stored tensors, by their names.
    positions: BTreeMap<&'a str, usize>,
    inputs: Vec<Input>,
    groups: BTreeMap<u32, ExpertGroup>,
    /// Experts of NVFP4 that have been found so far, in the order in which they were met.
    nvfp4_experts: Vec<Nvfp4Experts>,
    tensors: Vec<MappedTensor>,
    /// Tensors that come before all others.
    first: Vec<MappedTensor>,
    dropped: Vec<String>,
}

/// Finds what becomes of each stored tensor. `stored` has the part of the model that each is in.
///
/// # Errors
///
/// `unsupported-model` if a tensor has no rule. `incomplete-model` if an expert is missing. `bad-safetensors` if a shape does not
/// fit the configuration.
pub(crate) fn map(stored: &[(usize, &StoredTensor)], options: &MappingOptions<'_>) -> Result<Mapping> {
    let inputs = stored.iter().map(|(part, tensor)| Input {
        part: *part,
        range: tensor.range.clone(),
        data_type: tensor.data_type,
        shape: tensor.shape.clone(),
        encoding: Encoding::Plain,
    });
    let positions = map_of(stored.iter().enumerate().map(|(position, (_, tensor))| (tensor.name.as_str(), position)));
    let mut inputs: Vec<Input> = inputs.collect();
    let weights = options.quantization.weights(stored, &positions, &mut inputs)?;
    let expert_count = options.config.unsigned(options.family.expert_count)?.unwrap_or(0);
    let mut mapper = Mapper {
        options,
        block_count: options.config.block_count()?,
        experts: u64::from(expert_count),
        positions,
        inputs,
        groups: BTreeMap::new(),
        nvfp4_experts: Vec::new(),
        tensors: Vec::new(),
        first: Vec::new(),
        dropped: Vec::new(),
    };
    let mut is_used = vec![false; stored.len()];
    for weight in &weights {
        if mapper.add(weight).map_err(|error| in_tensor(error, &weight.tensor))? {
            weight.parts.iter().chain([&weight.position]).for_each(|position| is_used[*position] = true);
        }
    }
    mapper.finish_nvfp4()?;
    mapper.check_experts()?;
    let halves = stored.iter().zip(is_used).filter(|((_, tensor), is_used)| {
        *is_used && tensor.shape.len() >= 2 && matches!(tensor.data_type, DataType::F16 | DataType::BF16)
    });
    let first_half = halves.map(|((_, tensor), _)| tensor.data_type).next();
    let Mapper { inputs, tensors, first, dropped, .. } = mapper;
    Ok(Mapping { inputs, tensors, first, first_half, dropped })
}

/// Says which tensor an error is about.
#[cold]
fn in_tensor(error: Error, tensor: &StoredTensor) -> Error {
    Error::new(error.code(), format!("the tensor \"{}\" cannot be converted: {error}", Shown(tensor.name.as_bytes())))
        .at(tensor.range.start)
}

#[cold]
fn wrong_shape(stored: &StoredTensor) -> Error {
    error!(UnsupportedModel: "its shape is {:?}: expected at most 4 dimensions, none of them 0", stored.shape)
}

impl<'a> Mapper<'a, '_> {
    /// Adds what becomes of a stored tensor. Returns whether it is used.
    fn add(&mut self, weight: &Weight<'_>) -> Result<bool> {
        let stored = &*weight.tensor;
        let config = self.options.config;
        let name = if self.options.is_projector { Some(stored.name.clone()) } else { text_name(&stored.name) };
        let Some(name) = name.and_then(|name| (self.options.family.rename)(config, &name)) else {
            self.dropped.push(stored.name.clone());
            return Ok(false);
        };
        if COMPUTED.iter().any(|end| stored.name.ends_with(end)) {
            self.dropped.push(stored.name.clone());
            return Ok(true);
        }
        let Some(found) = find_rule(self.options.family, &name) else {
            return Err(error!(UnsupportedModel:
                "models of the class {} are not known to have it", Shown(config.class().as_bytes())));
        };
        if matches!(found.rule.change, Change::Drop) {
            self.dropped.push(stored.name.clone());
            return Ok(false);
        }
        if let Some(block) = found.block.filter(|block| *block >= self.block_count) {
            if self.options.family.drops_later_blocks {
                self.dropped.push(stored.name.clone());
                return Ok(true);
            }
            return Err(error!(UnsupportedModel:
                "it belongs to block {block}, but {CONFIG} says that the model has {} blocks", self.block_count));
        }
        if !is_readable(stored.data_type) {
            return Err(error!(UnsupportedModel: "its elements have the type {}", stored.data_type));
        }
        if stored.element_count() == 0 {
            return Err(wrong_shape(stored));
        }
        let view = View::whole(weight.position, &stored.shape);
        if let Some(factors) = &weight.factors {
            self.add_nvfp4(&found, view, stored, factors)?;
            return Ok(true);
        }
        match found.expert {
            Some(expert) => self.add_expert(&found, expert, view, stored)?,
            None => self.add_tensor(&found, view, stored)?,
        }
        Ok(true)
    }

    /// A stored tensor that a rule is for.
    fn found(&self, found: &Match, view: View) -> Found<'a> {
        Found {
            config: self.options.config,
            view,
            block: found.block.unwrap_or(0),
            suffix: found.suffix,
            target: found.rule.target,
            token_count: self.options.token_count,
        }
    }

    fn add_tensor(&mut self, found: &Match, view: View, stored: &StoredTensor) -> Result<()> {
        let source = self.found(found, view.clone());
        let with = |operation| vec![Piece { operation, ..source.piece(view.clone()) }];
        let pieces: Vec<Piece> = match found.rule.change {
            Change::First if self.tensors.iter().any(|tensor| tensor.name == source.named(source.target)) => {
                self.dropped.push(stored.name.clone());
                Vec::new()
            }
            Change::Keep | Change::First => with(Operation::Keep),
            // A bias stays as it is.
            Change::AddOne if found.suffix == ".bias" => with(Operation::Keep),
            Change::AddOne => with(Operation::AddOne),
            Change::NegativeExponential => with(Operation::NegativeExponential),
            Change::Interleave(heads) => vec![source.joined(vec![self.interleaved(view.clone(), heads)?])],
            Change::Transpose if stored.shape.len() == 1 => with(Operation::Keep),
            Change::Transpose => vec![source.piece(view.clone().with_rank(2)?.swapped(0, 1)?)],
            // A bias has one dimension.
            Change::Squeeze => vec![source.piece(view.clone().squeezed())],
            Change::Custom(make) => make(&source)?,
            Change::Mxfp4 { scales, halves } => return self.add_mxfp4(&source, stored, scales, halves),
            Change::Partner => return self.check_partner(stored),
            Change::Drop => Vec::new(),
        };
        for piece in pieces {
            if piece.shape.len() > 4 {
                return Err(wrong_shape(stored));
            }
            self.tensors.push(self.mapped(piece, stored));
        }
        Ok(())
    }

    fn mapped(&self, piece: Piece, stored: &StoredTensor) -> MappedTensor {
        let is_scaled = piece.views.first().is_some_and(|view| self.inputs[view.input].encoding.is_fp8());
        MappedTensor {
            name: piece.name,
            shape: piece.shape,
            content: Content::Values(Values { views: piece.views, operation: piece.operation }),
            stored_name: stored.name.clone(),
            is_scaled,
        }
    }

    /// The rows of each head: first and second half, then as neighbours.
    fn interleaved(&self, view: View, heads: Heads) -> Result<View> {
        let config = self.options.config;
        let key_value = match heads {
            Heads::Query => None,
            Heads::KeyValue => config.unsigned(&["n_kv_heads", "num_key_value_heads"])?.filter(|heads| *heads > 0),
        };
        let heads = u64::from(key_value.map_or_else(|| config.heads(), Ok)?);
        view.divided(0, &[Some(heads), Some(2), None])?.swapped(1, 2)
    }

    /// Adds a matrix of an expert, and all stacked matrices of the block if it is the last.
    fn add_expert(&mut self, found: &Match, expert: u32, view: View, stored: &StoredTensor) -> Result<()> {
        if u64::from(expert) >= self.experts {
            return Err(error!(UnsupportedModel:
                "it belongs to expert {expert}, but {CONFIG} says that the model has {} experts", self.experts));
        }
        // Without a block, each rule has its own matrices.
        let block = found.block.unwrap_or(u32::MAX - found.position as u32);
        let group = self.groups.entry(block).or_default();
        let matrices = group.matrices.entry(found.position).or_default();
        if let Some((first, _)) = matrices.values().next().filter(|(first, _)| first.shape() != view.shape()) {
            return Err(error!(BadSafetensors:
                "its shape is {:?}, but that of another expert is {:?}; download the file again", stored.shape,
                first.shape()));
        }
        if matrices.insert(expert, (view, stored.name.clone())).is_some() {
            return Err(error!(UnsupportedModel: "expert {expert} of block {block} has it twice, under two names"));
        }
        group.count += 1;
        let rules = expert_rules(self.options.family, found.block.is_none().then_some(found.position));
        if group.count < self.experts * rules.len() as u64 {
            return Ok(());
        }
        let Some(group) = self.groups.remove(&block) else { return Ok(()) };
        for (position, rule) in rules {
            let matrices = group.matrices.get(&position).into_iter().flat_map(BTreeMap::values);
            let views: Vec<View> = matrices.map(|(view, _)| view.clone()).collect();
            let Some(first) = views.first() else { continue };
            let mut shape = vec![views.len() as u64];
            shape.extend(first.shape());
            let name = format!("{}{}", rule.target.replace('#', &format!("{block}")), found.suffix);
            let piece = Piece { name, shape, views, operation: Operation::Keep };
            let mapped = self.mapped(piece, stored);
            self.tensors.push(mapped);
        }
        Ok(())
    }

    /// Checks that all experts of all blocks have been found.
    fn check_experts(&self) -> Result<()> {
        let Some((block, group)) = self.groups.iter().next() else { return Ok(()) };
        let rule_alone = block.checked_sub(self.block_count).map(|_| (u32::MAX - block) as usize);
        let rules = expert_rules(self.options.family, rule_alone);
        for (position, rule) in &rules {
            let found = group.matrices.get(position);
            let is_missing = |expert: &u64| found.is_none_or(|found| !found.contains_key(&(*expert as u32)));
            if let Some(expert) = (0..self.experts).find(is_missing) {
                let name = rule.source.replace('#', &format!("{block}")).replace('@', &format!("{expert}"));
                return Err(error!(IncompleteModel:
                    "the model has no tensor \"{name}\": block {block} has {} of {} matrices of its experts; download all files \
                     of the model", group.count, self.experts * rules.len() as u64));
            }
        }
        Ok(())
    }

    /// Adds blocks of MXFP4, which come before all other tensors.
    fn add_mxfp4(
        &mut self,
        found: &Found<'_>,
        stored: &StoredTensor,
        scales: &str,
        halves: Option<&'static [&'static str; 2]>,
    ) -> Result<()> {
        let base = stored.name.strip_suffix("_blocks").unwrap_or(&stored.name);
        let scales_name = format!("{base}{scales}");
        let Some(position) = self.positions.get(scales_name.as_str()).copied() else {
            return Err(
                error!(IncompleteModel: "the model has no tensor \"{}\" with its scales", Shown(scales_name.as_bytes())),
            );
        };
        let [experts, rows, blocks, bytes] = stored.shape[..] else {
            return Err(error!(BadSafetensors: "its shape is {:?}: expected 4 dimensions", stored.shape));
        };
        let scale = &self.inputs[position];
        let is_byte = stored.data_type == DataType::U8 && scale.data_type == DataType::U8;
        if bytes != 16 || scale.shape[..] != [experts, rows, blocks] || !is_byte {
            return Err(error!(BadSafetensors:
                "its shape is {:?} of {}, and that of its scales is {:?} of {}: expected blocks of 16 bytes with a scale each",
                stored.shape, stored.data_type, scale.shape, scale.data_type));
        }
        let scales = View::whole(position, &scale.shape);
        let targets = halves.map_or_else(|| vec![found.target], |halves| halves.to_vec());
        let count = targets.len() as u64;
        for (start, target) in (0..count).zip(targets) {
            // Even rows, and odd rows.
            let part = |view: View| view.sliced(1, start, count, rows / count);
            self.first.push(MappedTensor {
                name: found.named(target),
                shape: vec![experts, rows / count, blocks * 32],
                content: Content::Mxfp4 { blocks: part(found.view.clone())?, scales: part(scales.clone())? },
                stored_name: stored.name.clone(),
                is_scaled: false,
            });
        }
        Ok(())
    }

    /// Checks that scales belong to blocks.
    fn check_partner(&self, stored: &StoredTensor) -> Result<()> {
        let base = stored.name.strip_suffix("_scales").unwrap_or(&stored.name);
        let blocks = format!("{base}_blocks");
        match self.positions.contains_key(blocks.as_str()) {
            true => Ok(()),
            false => Err(
                error!(IncompleteModel: "the model has no tensor \"{}\", which it is for", Shown(blocks.as_bytes())),
            ),
        }
    }
}
