//! Matrices of NVFP4, which the new file has as they are stored, with their factors beside them.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::{MappedTensor, Mapper, Nvfp4Experts};
use crate::model::families::rule::{Change, Piece};
use crate::model::rules::Match;
use crate::model::tensors::content::{Content, Factor, Operation, Values};
use crate::model::tensors::nvfp4::{BLOCK, GROUP};
use crate::model::tensors::view::{Order, View};
use crate::safetensors::StoredTensor;
use gguf_format::error::{Result, error};

/// Architectures whose special rearrangements the reference makes with blocks of NVFP4, too.
const REARRANGED: &[&str] = &["qwen35", "qwen35moe"];

/// Architectures whose heads the reference interleaves, but not in blocks of NVFP4.
const NOT_INTERLEAVED: &[&str] = &["olmo"];

/// Architectures whose experts have factors of another form.
const OTHER_EXPERTS: &[&str] = &["gemma4"];

/// The ends of the names of experts that the reference stacks.
const EXPERTS: &[&str] = &[".gate_proj", ".up_proj", ".down_proj"];

impl Mapper<'_, '_> {
    /// Adds a matrix, or one of an expert.
    pub(super) fn add_nvfp4(
        &mut self,
        found: &Match,
        view: View,
        stored: &StoredTensor,
        factors: &[Factor; 2],
    ) -> Result<()> {
        let source = self.found(found, view.clone());
        let architecture = self.options.family.architecture;
        if let Some(expert) = found.expert {
            let is_known = EXPERTS.iter().any(|end| found.rule.source.ends_with(end));
            return match is_known && !OTHER_EXPERTS.contains(&architecture) {
                true => self.add_nvfp4_expert(found, expert, source.named(found.rule.target), view, stored, factors),
                false => Err(error!(UnsupportedModel:
                    "experts of {architecture} that are stored as NVFP4 cannot be converted; convert a model with BF16 or FP8")),
            };
        }
        let pieces: Vec<Piece> = match found.rule.change {
            Change::Keep => vec![source.piece(view)],
            Change::Interleave(heads) if !NOT_INTERLEAVED.contains(&architecture) => {
                vec![source.joined(vec![self.interleaved(view, heads)?])]
            }
            Change::Custom(make) if REARRANGED.contains(&architecture) => make(&source)?,
            _ => {
                return Err(error!(UnsupportedModel:
                    "it is stored as NVFP4, and {architecture} needs it in another order; convert a model with BF16 or FP8"));
            }
        };
        for piece in pieces {
            self.push_nvfp4(piece, &stored.name, [vec![factors[0]], vec![factors[1]]])?;
        }
        Ok(())
    }

    fn add_nvfp4_expert(
        &mut self,
        found: &Match,
        expert: u32,
        name: String,
        view: View,
        stored: &StoredTensor,
        factors: &[Factor; 2],
    ) -> Result<()> {
        let block = found.block.unwrap_or(0);
        let is_group = |group: &Nvfp4Experts| (group.block, group.position) == (block, found.position);
        let place = self.nvfp4_experts.iter().position(is_group).unwrap_or_else(|| {
            let (matrices, stored_name) = (BTreeMap::new(), String::new());
            self.nvfp4_experts.push(Nvfp4Experts { block, position: found.position, name, matrices, stored_name });
            self.nvfp4_experts.len() - 1
        });
        let group = &mut self.nvfp4_experts[place];
        group.stored_name.clone_from(&stored.name);
        if group.matrices.insert(expert, (view, *factors)).is_some() {
            return Err(error!(UnsupportedModel: "expert {expert} of block {block} has it twice, under two names"));
        }
        // Without these members, the reference writes the experts when it has seen all tensors.
        let count = self.options.config.unsigned(&["num_local_experts", "num_experts"])?.unwrap_or(0) as usize;
        if count > 0 && group.matrices.len() >= count {
            let group = self.nvfp4_experts.remove(place);
            return self.finish_nvfp4_experts(group);
        }
        Ok(())
    }

    /// Adds the experts whose number the configuration does not say in the usual member.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if an expert is missing.
    pub(super) fn finish_nvfp4(&mut self) -> Result<()> {
        for group in core::mem::take(&mut self.nvfp4_experts) {
            self.finish_nvfp4_experts(group)?;
        }
        Ok(())
    }

    fn finish_nvfp4_experts(&mut self, group: Nvfp4Experts) -> Result<()> {
        if let Some(missing) = (0..self.experts).find(|expert| !group.matrices.contains_key(&(*expert as u32))) {
            return Err(error!(IncompleteModel:
                "block {} has no expert {missing} of {} that is stored as NVFP4, as the others are; download all files of the model",
                group.block, group.name));
        }
        let views: Vec<View> = group.matrices.values().map(|(view, _)| view.clone()).collect();
        let Some(first) = views.first() else { return Ok(()) };
        if views.iter().any(|view| view.shape() != first.shape()) {
            return Err(error!(BadSafetensors:
                "the experts of {} have different shapes; download the file again", group.name));
        }
        let mut shape = vec![views.len() as u64];
        shape.extend(first.shape());
        let factors = [0, 1].map(|which| group.matrices.values().map(|(_, factors)| factors[which]).collect());
        let piece = Piece { name: group.name, shape, views, operation: Operation::Keep };
        self.push_nvfp4(piece, &group.stored_name, factors)
    }

    fn push_nvfp4(&mut self, piece: Piece, stored_name: &str, factors: [Vec<Factor>; 2]) -> Result<()> {
        let row_length = piece.shape.last().copied().unwrap_or(0);
        let is_whole = |view: &View| {
            let stretches = matches!(view.order(row_length), Order::Stretches(length) if length.is_multiple_of(GROUP));
            stretches && view.offset.is_multiple_of(GROUP)
        };
        if piece.operation != Operation::Keep || !row_length.is_multiple_of(BLOCK) || !piece.views.iter().all(is_whole)
        {
            return Err(error!(UnsupportedModel:
                "it is stored as NVFP4, whose groups of {GROUP} elements would have to be divided; convert a model with BF16 or FP8"));
        }
        let named = |end: &str| piece.name.replace(".weight", end);
        let of_factors = |name: String, factors: Vec<Factor>| MappedTensor {
            name,
            shape: vec![factors.len() as u64],
            content: Content::Factors(factors),
            stored_name: stored_name.into(),
            is_scaled: false,
        };
        let [elements, input] = factors;
        let (elements, input) = (of_factors(named(".scale"), elements), of_factors(named(".input_scale"), input));
        self.first.push(MappedTensor {
            name: piece.name,
            shape: piece.shape,
            content: Content::Nvfp4(Values { views: piece.views, operation: piece.operation }),
            stored_name: stored_name.into(),
            is_scaled: false,
        });
        self.first.extend([elements, input]);
        Ok(())
    }
}
