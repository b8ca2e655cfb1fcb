//! LLaMA models: the names of their tensors in GGUF, and what must be so that llama.cpp can run the migrated model.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::family::number_in;
use super::header::LegacyHeader;
use super::parts::JoinedTensor;
use super::shape::Shape;
use gguf_format::error::shown::Shown;

/// The name of a tensor in GGUF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NewName {
    /// The tensor is written under this name.
    Name(String),
    /// The tensor is left out: llama.cpp computes it.
    Dropped,
}

/// The sizes that tensors share: the length of a dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Embedding,
    Vocabulary,
    KeyValue,
    FeedForward,
}

/// A tensor: its name, its name in GGUF, and its dimensions.
type Row = (&'static str, &'static str, &'static [Size]);

const MODEL: [Row; 3] = [
    ("tok_embeddings.weight", "token_embd.weight", &[Size::Embedding, Size::Vocabulary]),
    ("norm.weight", "output_norm.weight", &[Size::Embedding]),
    ("output.weight", "output.weight", &[Size::Embedding, Size::Vocabulary]),
];

const BLOCK: [Row; 9] = [
    ("layers.#.attention.wq.weight", "attn_q.weight", &[Size::Embedding, Size::Embedding]),
    ("layers.#.attention.wk.weight", "attn_k.weight", &[Size::Embedding, Size::KeyValue]),
    ("layers.#.attention.wv.weight", "attn_v.weight", &[Size::Embedding, Size::KeyValue]),
    ("layers.#.attention.wo.weight", "attn_output.weight", &[Size::Embedding, Size::Embedding]),
    ("layers.#.attention_norm.weight", "attn_norm.weight", &[Size::Embedding]),
    ("layers.#.ffn_norm.weight", "ffn_norm.weight", &[Size::Embedding]),
    ("layers.#.feed_forward.w1.weight", "ffn_gate.weight", &[Size::Embedding, Size::FeedForward]),
    ("layers.#.feed_forward.w2.weight", "ffn_down.weight", &[Size::FeedForward, Size::Embedding]),
    ("layers.#.feed_forward.w3.weight", "ffn_up.weight", &[Size::Embedding, Size::FeedForward]),
];

const DROPPED_OF_BLOCK: &str = "layers.#.attention.inner_attention.rope.freqs";

/// The name of a tensor in GGUF. `None` if LLaMA models have no such tensor.
pub(super) fn new_name(name: &[u8]) -> Option<NewName> {
    if name == b"rope.freqs" || number_in(DROPPED_OF_BLOCK, name).is_some() {
        return Some(NewName::Dropped);
    }
    if let Some((_, new, _)) = MODEL.iter().find(|(old, ..)| old.as_bytes() == name) {
        return Some(NewName::Name((*new).into()));
    }
    let (number, new) = BLOCK.iter().find_map(|(old, new, _)| Some((number_in(old, name)?, new)))?;
    Some(NewName::Name(format!("blk.{number}.{new}")))
}

/// The sizes of a LLaMA model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LlamaSizes {
    pub vocabulary: u32,
    pub embedding: u32,
    pub blocks: u32,
    pub heads: u32,
    pub key_value_heads: u32,
    pub feed_forward: u32,
}

impl LlamaSizes {
    pub fn head(&self) -> u32 {
        self.embedding / self.heads
    }
}

/// The sizes of a LLaMA model, from its hyperparameters and its tensors.
///
/// # Errors
///
/// Why llama.cpp could not run it: a sentence for each reason, at most a few.
pub(super) fn sizes(header: &LegacyHeader, tensors: &[JoinedTensor]) -> Result<LlamaSizes, Vec<String>> {
    let (embedding, heads, blocks) = (header.integer("n_embd"), header.integer("n_head"), header.integer("n_layer"));
    let vocabulary = header.integer("n_vocab");
    let mut obstacles = Vec::new();
    if heads == 0 || embedding == 0 || embedding % heads != 0 {
        obstacles.push(format!(
            "n_embd is {embedding} and n_head is {heads}, expected a width that is a multiple of the number of heads."
        ));
        return Err(obstacles);
    }
    let of_block = |row: &Row, block: u32| row.0.replacen('#', &format!("{block}"), 1);
    let dimension = |row: &Row| {
        let name = of_block(row, 0);
        let tensor = tensors.iter().find(|tensor| tensor.name == name.as_bytes());
        tensor.and_then(|tensor| u32::try_from(*tensor.dimensions.get(1)?).ok())
    };
    // The file has neither number. Both follow from the shapes of the first block.
    let (Some(key_value), Some(feed_forward)) = (dimension(&BLOCK[1]), dimension(&BLOCK[6])) else {
        obstacles.push(format!(
            "the tensors \"{}\" or \"{}\" are missing, from which sizes of the model follow.",
            of_block(&BLOCK[1], 0),
            of_block(&BLOCK[6], 0)
        ));
        return Err(obstacles);
    };
    let head = embedding / heads;
    let key_value_heads = key_value / head;
    if key_value_heads == 0 || key_value % head != 0 || heads % key_value_heads != 0 {
        obstacles.push(format!(
            "attention.wk has {key_value} rows, expected a multiple of {head}, the width of a head, that divides {embedding}."
        ));
    }
    let length = |size: &Size| {
        u64::from(match size {
            Size::Embedding => embedding,
            Size::Vocabulary => vocabulary,
            Size::KeyValue => key_value,
            Size::FeedForward => feed_forward,
        })
    };
    let mut names = BTreeSet::new();
    for tensor in tensors {
        let shown = Shown(&tensor.name);
        let of_block = BLOCK.iter().find_map(|row| Some((row, number_in(row.0, &tensor.name)?)));
        let row = MODEL.iter().find(|row| row.0.as_bytes() == tensor.name).or(of_block.map(|(row, _)| row));
        let found = match (row, of_block, new_name(&tensor.name)) {
            (_, _, None) => "is no tensor of a LLaMA model",
            (_, Some((_, block)), _) if block >= blocks => "is in a block that n_layer does not count",
            _ if !names.insert(&tensor.name[..]) => "exists twice",
            (Some((_, _, sizes)), ..) if !sizes.iter().map(length).eq(tensor.dimensions.iter().copied()) => {
                let expected: Vec<u64> = sizes.iter().map(length).collect();
                let dimensions = &tensor.dimensions;
                let hint = if dimensions.len() == 2 && dimensions.iter().product::<u64>() < expected.iter().product() {
                    " Possibly the other parts of the model are missing."
                } else {
                    ""
                };
                obstacles.push(format!(
                    "the tensor \"{shown}\" has the shape {}, expected {}.{hint}",
                    Shape(dimensions),
                    Shape(&expected)
                ));
                continue;
            }
            _ => continue,
        };
        obstacles.push(format!("the tensor \"{shown}\" {found}."));
    }
    let missing = MODEL.iter().map(|row| row.0.into());
    let mut missing = missing.chain((0..blocks).flat_map(|block| BLOCK.iter().map(move |row| of_block(row, block))));
    // Only the first one: `n_layer` can be any number.
    if let Some(name) = missing.find(|name: &String| !names.contains(name.as_bytes())) {
        obstacles.push(format!("the tensor \"{name}\" is missing."));
    }
    if blocks == 0 {
        obstacles.push("n_layer is 0, expected 1 or more.".into());
    }
    if header.vocabulary.as_ref().is_none_or(|tokens| tokens.len() < 3) {
        obstacles.push("the vocabulary has fewer than three tokens.".into());
    }
    obstacles.truncate(MOST_OBSTACLES);
    match obstacles.is_empty() {
        true => Ok(LlamaSizes { vocabulary, embedding, blocks, heads, key_value_heads, feed_forward }),
        false => Err(obstacles),
    }
}

/// The most reasons that are listed.
const MOST_OBSTACLES: usize = 8;
