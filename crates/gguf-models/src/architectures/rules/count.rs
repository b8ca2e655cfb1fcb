//! The number of tensors that llama.cpp creates, with the scales of weights.

use alloc::{format, vec::Vec};

use super::grammar::Expr;
use super::loading::{Loading, Problem};
use crate::architectures::table_reader::lists::definition;
use crate::decimal::split_decimal;
use gguf_format::format::header::TensorInfo;

impl<'a> Loading<'_, 'a> {
    /// Compares the number of tensors in the file with the number that llama.cpp creates. Scales of weights are included.
    pub(super) fn compare_count(&mut self) {
        let header = self.evaluator.header;
        let mut is_any_superfluous = false;
        for tensor in header.tensors() {
            let index = tensor.index();
            if !self.is_requested[index] && !self.is_scale(&tensor) {
                is_any_superfluous = true;
                self.report(|_| Problem::Superfluous(index));
            } else if !self.is_counted[index] {
                self.created += usize::from(!self.is_requested[index]);
            }
        }
        let (created, found) = (self.created, header.tensors().len());
        if !is_any_superfluous && self.problem_count == 0 && created != found {
            self.report(|_| Problem::Count { created, found });
        }
    }

    /// Whether a tensor is the scale of a weight. llama.cpp looks for such scales in all architectures.
    fn is_scale(&mut self, tensor: &TensorInfo<'a>) -> bool {
        let name = tensor.name().to_bytes();
        let Some(weight) = name.strip_suffix(b".input_scale").or_else(|| name.strip_suffix(b".scale")) else {
            return false;
        };
        let of_block = weight.strip_prefix(b"blk.").and_then(split_decimal);
        let Some((block, [b'.', own @ ..])) = of_block else {
            // The output has scales if it is stored as NVFP4.
            let output = self.requested(weight.to_vec());
            return weight == b"output"
                && output.and_then(|output| output.own_type_info()).is_some_and(|info| info.name == "NVFP4");
        };
        if !SCALED.iter().any(|scaled| scaled.as_bytes() == own) {
            return false;
        }
        // Blocks that predict further tokens are not loaded, unless the model has no others.
        let blocks = self.evaluator.value(&Expr::Definition(definition::BLOCKS)).unwrap_or(0);
        if blocks > 0 && i64::from(block) >= blocks {
            return false;
        }
        // The scales of a decoder (`dec.blk.N`) are named like those of a block (`blk.N`).
        let of_decoder = if own == b"attn_output" { b"attn_o" } else { own };
        let in_decoder = [format!("dec.blk.{block}.").as_bytes(), of_decoder].concat();
        if self.requested(weight.to_vec()).is_none() && self.requested(in_decoder).is_none() {
            return false;
        }
        let expected = match own.ends_with(b"_exps") {
            true => self.evaluator.value(&Expr::Definition(definition::EXPERTS)).unwrap_or(0),
            false => 1,
        };
        let found = tensor.dimension_iter().next().unwrap_or(1);
        if u64::try_from(expected).ok() != Some(found) {
            self.report_shape(tensor, 0, 1, found, expected, None);
        }
        true
    }

    /// The weight with this name, if llama.cpp creates it.
    fn requested(&self, mut name: Vec<u8>) -> Option<TensorInfo<'a>> {
        name.extend(b".weight");
        self.evaluator.header.tensor(name).filter(|weight| self.is_requested[weight.index()])
    }
}

/// The weights of a block that may have a scale of their own (`load_tensors` in llama-model.cpp).
const SCALED: [&str; 21] = [
    "attn_q",
    "attn_k",
    "attn_v",
    "attn_output",
    "attn_qkv",
    "attn_gate",
    "ffn_gate",
    "ffn_down",
    "ffn_up",
    "ffn_gate_shexp",
    "ffn_down_shexp",
    "ffn_up_shexp",
    "ffn_gate_exps",
    "ffn_down_exps",
    "ffn_up_exps",
    "ssm_in",
    "ssm_out",
    "ssm_alpha",
    "ssm_beta",
    "nextn.eh_proj",
    "nextn.shared_head_head",
];
