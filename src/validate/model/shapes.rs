//! The dimensions of tensors, for architectures whose tensors have the dimensions of Llama's.

use alloc::vec::Vec;

use super::complete_model::Model;
use crate::error::shown::Shown;
use crate::format::header::TensorInfo;
use crate::know::architectures::{TensorLengths, block_and_name};
use crate::validate::check::Check;
use crate::validate::findings::{Counted, Findings, Subject};
use crate::validate::known_keys::token_count;

/// A length that the metadata gives.
#[derive(Clone, Copy)]
enum Length {
    Embedding,
    Vocabulary,
    FeedForward,
    /// All heads of the queries.
    Queries,
    Keys,
    Values,
    /// All heads of the attention's result.
    Attention,
}

/// The dimensions of tensors outside of the blocks.
const OUTSIDE: &[(&str, &[Length])] = &[
    ("token_embd.weight", &[Length::Embedding, Length::Vocabulary]),
    ("output.weight", &[Length::Embedding, Length::Vocabulary]),
    ("output_norm.weight", &[Length::Embedding]),
];

/// The dimensions of tensors of a block.
const IN_BLOCKS: &[(&str, &[Length])] = &[
    ("attn_norm.weight", &[Length::Embedding]),
    ("attn_q.weight", &[Length::Embedding, Length::Queries]),
    ("attn_k.weight", &[Length::Embedding, Length::Keys]),
    ("attn_v.weight", &[Length::Embedding, Length::Values]),
    ("attn_output.weight", &[Length::Attention, Length::Embedding]),
    ("ffn_norm.weight", &[Length::Embedding]),
    ("ffn_up.weight", &[Length::Embedding, Length::FeedForward]),
    ("ffn_gate.weight", &[Length::Embedding, Length::FeedForward]),
    ("ffn_down.weight", &[Length::FeedForward, Length::Embedding]),
];

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    let lengths_of_row = model.info.map_or(TensorLengths::Unknown, |info| info.lengths);
    if lengths_of_row == TensorLengths::Unknown {
        return;
    }
    let lengths = Lengths::of(model);
    for tensor in model.header.tensors() {
        let name = tensor.name().to_bytes();
        let (block, name, table) = match block_and_name(&name) {
            Some((block, name)) => (block, name, IN_BLOCKS),
            None => (0, &*name, OUTSIDE),
        };
        let Some((own_name, expected)) = table.iter().find(|(own, _)| own.as_bytes() == name) else { continue };
        if *own_name == "ffn_up.weight" && lengths_of_row == TensorLengths::LlamaWithFusedGate {
            continue;
        }
        check_tensor(model, &lengths, &tensor, block, expected, findings);
    }
}

/// Compares the dimensions of a tensor. A length that the metadata does not give is not compared.
fn check_tensor(
    model: &Model<'_>,
    lengths: &Lengths,
    tensor: &TensorInfo<'_>,
    block: u64,
    expected: &[Length],
    findings: &mut Findings,
) {
    let found: Vec<u64> = tensor.dimensions().collect();
    let further = found.iter().enumerate().skip(expected.len()).find(|(_, length)| **length != 1);
    if let Some((index, length)) = further {
        let count = Counted(expected.len() as u64, "dimension");
        return findings.report(
            Check::TensorShape,
            Some(Subject::Tensor(tensor.index())),
            Some(tensor.fields().dimensions + index as u64 * model.header.format().length_size()),
            format_args!(
                "dimension {index} is {length}, but the tensor has {count}, so it must be 1. llama.cpp refuses the file. \
                 Convert the model again."
            ),
        );
    }
    for (index, length) in expected.iter().enumerate() {
        let found_length = found.get(index).copied().unwrap_or(1);
        let Some((expected, meaning)) = lengths.get(model, *length, block) else { continue };
        if found_length != expected {
            let architecture = Shown(&model.architecture);
            return findings.report(
                Check::TensorShape,
                Some(Subject::Tensor(tensor.index())),
                Some(tensor.fields().dimensions + index as u64 * model.header.format().length_size()),
                format_args!(
                    "dimension {index} is {found_length}, but {meaning} of {architecture} is {expected}. \
                     llama.cpp refuses the file. Convert the model again."
                ),
            );
        }
    }
}

/// The lengths that are the same for all blocks.
struct Lengths {
    embedding: Option<u64>,
    vocabulary: Option<u64>,
}

impl Lengths {
    fn of(model: &Model<'_>) -> Self {
        let vocabulary = token_count(model.header).or_else(|| model.number("{arch}.vocab_size"));
        Self { embedding: model.number("{arch}.embedding_length"), vocabulary }
    }

    /// A length, and what it is in words. `None` if the metadata does not give it.
    fn get(&self, model: &Model<'_>, length: Length, block: u64) -> Option<(u64, &'static str)> {
        let heads = || model.number_of_block("{arch}.attention.head_count", block).filter(|heads| *heads > 0);
        let shared_heads = || match model.entry("{arch}.attention.head_count_kv") {
            Some(_) => model.number_of_block("{arch}.attention.head_count_kv", block),
            None => heads(),
        };
        let head_length = |pattern: &str| match model.entry(pattern) {
            Some(entry) => entry.value().as_u64(),
            // llama.cpp divides by the number of heads of the first block.
            None => self.embedding?.checked_div(model.number_of_block("{arch}.attention.head_count", 0)?),
        };
        let key_length = || head_length("{arch}.attention.key_length");
        let value_length = || head_length("{arch}.attention.value_length");
        Some(match length {
            Length::Embedding => (self.embedding?, "the embedding length"),
            Length::Vocabulary => (self.vocabulary?, "the number of tokens"),
            Length::FeedForward => {
                let length = model.number_of_block("{arch}.feed_forward_length", block)?;
                (length, "the feed-forward length")
            }
            Length::Queries => (heads()?.checked_mul(key_length()?)?, "the length of the queries of all heads"),
            Length::Keys => (shared_heads()?.checked_mul(key_length()?)?, "the length of the keys of all heads"),
            Length::Values => (shared_heads()?.checked_mul(value_length()?)?, "the length of the values of all heads"),
            Length::Attention => (heads()?.checked_mul(value_length()?)?, "the length of the attention of all heads"),
        })
    }
}
