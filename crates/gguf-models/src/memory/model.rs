//! The numbers of a model that its memory depends on, as llama.cpp reads them (`llama_model_base::load_hparams`).

use alloc::{string::String, string::ToString, vec::Vec};
use core::fmt;

use crate::architectures::{
    ArchitectureInfo, ContextRule, Hyperparameters, MOST_BLOCKS, Memory, architecture_info, block_count_of_tensors,
    key_of,
};
use gguf_format::format::header::Header;
use gguf_format::format::value::Value;
use gguf_format::write::checks::lossy;

/// The largest number that llama.cpp reads.
const LARGEST: u64 = u32::MAX as u64;

/// Why a part of an estimate is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// The file has no entry with this key.
    Missing(String),
    /// The value of this key is no number that llama.cpp can read, or an array of the wrong length.
    Unusable(String),
    /// llama.cpp does not know the architecture.
    Architecture(String),
    /// The size of this tensor is not known: its type is unknown, or it is too large.
    Tensor(String),
    /// The file has tensors of more blocks than it states.
    Blocks { stated: u64, found: u64 },
    /// The sizes do not fit in the numbers of a computer.
    TooLarge,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(key) => write!(f, "the entry {key} is missing"),
            Self::Unusable(key) => write!(f, "llama.cpp cannot use the value of {key}"),
            Self::Architecture(name) => write!(f, "how llama.cpp keeps the context of {name} is not known here"),
            Self::Tensor(name) => write!(f, "the size of the tensor {name} is not known"),
            Self::Blocks { stated, found } => {
                write!(f, "block_count is {stated}, but the file has tensors of block {}", found - 1)
            }
            Self::TooLarge => f.write_str("the sizes are too large for the numbers of a computer"),
        }
    }
}

/// The numbers of a model.
pub(super) struct Model<'a> {
    pub header: &'a Header,
    pub architecture: String,
    /// The row of the architecture.
    pub info: &'static ArchitectureInfo,
    hyperparameters: Hyperparameters<'a>,
    /// All layers, with those that predict further tokens.
    pub layer_count: u64,
    /// The number of the last block that has tensors, plus 1. `None` if no tensor belongs to a block.
    pub blocks_with_tensors: Option<u64>,
    /// The last layers, which predict further tokens.
    pub next_token_count: u64,
    /// The length of the vector of a token.
    pub embedding_length: u64,
    pub layers: Vec<LayerNumbers>,
    /// The length of a key and of a value, in one head.
    pub head: HeadLengths,
    /// The same in layers with a window.
    pub window_head: HeadLengths,
    /// What [`Model::is_latent`] returns. Each estimate asks for it, and finding it searches the rules.
    is_latent: Result<bool, Unknown>,
}

/// The numbers of one layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LayerNumbers {
    pub heads: u64,
    pub key_value_heads: u64,
    pub feed_forward_length: u64,
}

/// The lengths of a key and of a value, in one head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeadLengths {
    pub key: u64,
    pub value: u64,
}

impl<'a> Model<'a> {
    pub fn of(header: &'a Header) -> Result<Self, Unknown> {
        let key = "general.architecture";
        let entry = header.get(key).ok_or_else(|| Unknown::Missing(key.to_string()))?;
        let name = entry.value().as_str().ok_or_else(|| Unknown::Unusable(key.to_string()))?;
        let architecture = String::from_utf8_lossy(&name.to_bytes()).into_owned();
        let Some(info) = architecture_info(architecture.as_bytes()).filter(|info| info.is_in_llama_cpp) else {
            return Err(Unknown::Architecture(architecture));
        };
        let mut model = Self {
            header,
            info,
            hyperparameters: Hyperparameters::new(header, name.to_bytes(), None),
            architecture,
            layer_count: 0,
            blocks_with_tensors: block_count_of_tensors(header),
            next_token_count: 0,
            embedding_length: 0,
            layers: Vec::new(),
            head: HeadLengths { key: 0, value: 0 },
            window_head: HeadLengths { key: 0, value: 0 },
            is_latent: Ok(false),
        };
        model.read()?;
        model.is_latent = model.read_is_latent();
        Ok(model)
    }

    /// How llama.cpp keeps the context of the architecture.
    pub fn rule(&self) -> &'static ContextRule {
        &self.info.context
    }

    fn read(&mut self) -> Result<(), Unknown> {
        self.layer_count = self.required("{arch}.block_count")?;
        if self.layer_count == 0 || self.layer_count > MOST_BLOCKS {
            return Err(self.unusable("{arch}.block_count"));
        }
        self.embedding_length = self.required("{arch}.embedding_length")?;
        if self.embedding_length == 0 {
            return Err(self.unusable("{arch}.embedding_length"));
        }
        self.next_token_count = self.or_zero("{arch}.nextn_predict_layers")?.min(self.layer_count);
        let heads = self.of_layers("{arch}.attention.head_count")?;
        let key_value_heads = self.of_layers("{arch}.attention.head_count_kv")?;
        let lengths = self.of_layers("{arch}.feed_forward_length")?;
        let of = |numbers: &Option<Vec<u64>>, layer: usize| numbers.as_ref().map(|numbers| numbers[layer]);
        let layer = |layer| {
            let heads = of(&heads, layer).unwrap_or(0);
            LayerNumbers {
                heads,
                key_value_heads: of(&key_value_heads, layer).unwrap_or(heads),
                feed_forward_length: of(&lengths, layer).unwrap_or(0),
            }
        };
        self.layers = (0..self.layer_count as usize).map(layer).collect();
        // A model without attention has no heads, and llama.cpp then reads no lengths.
        if let Some(even) = self.embedding_length.checked_div(self.layers[0].heads) {
            self.head = HeadLengths {
                key: self.optional("{arch}.attention.key_length")?.unwrap_or(even),
                value: self.optional("{arch}.attention.value_length")?.unwrap_or(even),
            };
        }
        self.window_head = HeadLengths {
            key: self.optional("{arch}.attention.key_length_swa")?.unwrap_or(self.head.key),
            value: self.optional("{arch}.attention.value_length_swa")?.unwrap_or(self.head.value),
        };
        Ok(())
    }

    /// The value of a key. `None` if the file does not have it.
    pub fn optional(&self, pattern: &str) -> Result<Option<u64>, Unknown> {
        if !self.hyperparameters.has(pattern) {
            return Ok(None);
        }
        let number = self.hyperparameters.number(pattern).filter(|number| *number <= LARGEST);
        number.map(Some).ok_or_else(|| self.unusable(pattern))
    }

    /// The value of a key.
    pub fn required(&self, pattern: &str) -> Result<u64, Unknown> {
        self.optional(pattern)?.ok_or_else(|| Unknown::Missing(self.key(pattern)))
    }

    /// The value of a key, or 0 if the file does not have it.
    pub fn or_zero(&self, pattern: &str) -> Result<u64, Unknown> {
        Ok(self.optional(pattern)?.unwrap_or(0))
    }

    /// The value of a key without the architecture, for a block. 0 if the file does not have it. A value that is no whole
    /// number counts as 1.
    pub fn number_in_block(&self, name: &str, block: u64) -> u64 {
        let pattern = alloc::format!("{{arch}}.{name}");
        match self.hyperparameters.value(&pattern) {
            Some(_) => self.hyperparameters.number_of_block(&pattern, block).unwrap_or(1),
            None => 0,
        }
    }

    /// The values of a key for all layers: one number for all of them, or an array with one for each. `None` if the file
    /// does not have the key.
    pub fn of_layers(&self, pattern: &str) -> Result<Option<Vec<u64>>, Unknown> {
        let count = self.layer_count as usize;
        if self.has_array(pattern) {
            return self.of_first_layers(pattern, count).map(Some);
        }
        Ok(self.optional(pattern)?.map(|number| alloc::vec![number; count]))
    }

    /// The largest value of a key for any layer. 0 if the file does not have it.
    pub fn most(&self, pattern: &str) -> Result<u64, Unknown> {
        Ok(self.of_layers(pattern)?.into_iter().flatten().max().unwrap_or(0))
    }

    /// Whether the file has a key.
    pub fn has(&self, pattern: &str) -> bool {
        self.hyperparameters.has(pattern)
    }

    /// Whether the value of a key is an array.
    pub fn has_array(&self, pattern: &str) -> bool {
        matches!(self.hyperparameters.value(pattern), Some(Value::Array(_)))
    }

    /// Checks that the elements of an array for the first layers are numbers. There may be fewer than layers.
    ///
    /// # Errors
    ///
    /// The key is unusable if an element is no number.
    pub fn check_numbers(&self, pattern: &str, count: u64) -> Result<(), Unknown> {
        let Some(Value::Array(array)) = self.hyperparameters.value(pattern) else { return Err(self.unusable(pattern)) };
        let is_number = |layer| self.hyperparameters.number_of_block(pattern, layer).is_some();
        if (0..count.min(array.len())).all(is_number) { Ok(()) } else { Err(self.unusable(pattern)) }
    }

    /// The elements of an array with one element for each of the first layers. The last layers, which predict further
    /// tokens, may have elements, too.
    pub fn of_first_layers(&self, pattern: &str, count: usize) -> Result<Vec<u64>, Unknown> {
        let Some(Value::Array(array)) = self.hyperparameters.value(pattern) else { return Err(self.unusable(pattern)) };
        if array.len() != count as u64 && array.len() != self.layer_count {
            return Err(self.unusable(pattern));
        }
        let number = |layer| self.hyperparameters.number_of_block(pattern, layer).filter(|number| *number <= LARGEST);
        let numbers = (0..count as u64).map(number).collect::<Option<Vec<u64>>>();
        numbers.ok_or_else(|| self.unusable(pattern))
    }

    /// Whether the cache of a layer holds a compressed vector instead of keys and values (multi-head latent attention).
    pub fn is_latent(&self) -> Result<bool, Unknown> {
        self.is_latent.clone()
    }

    fn read_is_latent(&self) -> Result<bool, Unknown> {
        const KEY_LENGTH: &str = "{arch}.attention.key_length_mla";
        let is_set = |key| Ok(self.or_zero(key)? > 0);
        // Most files do not have the key, and reading the rules takes time.
        let reads_key = self.has(KEY_LENGTH) && self.info.reads_key(KEY_LENGTH);
        Ok(reads_key && is_set(KEY_LENGTH)? && is_set("{arch}.attention.value_length_mla")?)
    }

    /// The number of tokens in the vocabulary.
    pub fn token_count(&self) -> Result<u64, Unknown> {
        let tokens = self.header.get("tokenizer.ggml.tokens").and_then(|entry| entry.value().as_array());
        match tokens {
            Some(tokens) => Ok(tokens.len()),
            None => {
                let count = self.optional("{arch}.vocab_size")?;
                count.ok_or_else(|| Unknown::Missing("tokenizer.ggml.tokens".to_string()))
            }
        }
    }

    /// Whether the model computes a number for each token of the vocabulary. Encoders such as BERT do not. If the model has
    /// no tensor of its own for it, it uses the token embedding.
    pub fn has_output(&self) -> bool {
        let has = |name| self.header.tensor(name).is_some();
        self.rule().memory != Memory::Nothing || has("output.weight") || has("output_norm.weight")
    }

    /// A pattern with the name of the architecture.
    pub fn key(&self, pattern: &str) -> String {
        lossy(&key_of(pattern, self.architecture.as_bytes())).into_owned()
    }

    pub fn unusable(&self, pattern: &str) -> Unknown {
        Unknown::Unusable(self.key(pattern))
    }
}
