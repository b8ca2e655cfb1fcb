//! The numbers of a model that the choice of types depends on.

use alloc::{borrow::Cow, string::String, vec::Vec};

use super::options::Options;
use gguf_format::format::header::Header;
use gguf_format::format::value::Value;
use gguf_format::write::encode::OwnedValue;

/// The numbers of a model that the choice of types depends on, with the entries that the options override, as llama.cpp reads them
/// (`llama_model_base::load_hparams`).
#[derive(Clone, Debug, Default)]
pub(super) struct Hyperparameters {
    pub architecture: Vec<u8>,
    pub block_count: u32,
    pub expert_count: u32,
    /// The query heads for each key and value head, in the first block; 0 if it has none.
    pub heads_per_value: u32,
    /// Whether llama.cpp calls the model one of 70 billion parameters.
    pub is_70b: bool,
}

impl Hyperparameters {
    pub fn of(header: &Header, options: &Options) -> Self {
        let architecture = header.architecture().map_or(Cow::Borrowed(&b""[..]), |name| name.to_bytes());
        let reader = Reader { header, options, architecture: &architecture };
        let block_count = reader.number("block_count");
        let expert_count = reader.number("expert_count");
        let heads = reader.first_of_layers("attention.head_count").unwrap_or(0);
        let value_heads = reader.first_of_layers("attention.head_count_kv").unwrap_or(heads);
        let layers = block_count.saturating_sub(reader.number("nextn_predict_layers"));
        let is_70b = match &*architecture {
            b"llama" | b"llama-embed" => layers == 80 && expert_count != 8 && heads != value_heads,
            b"deci" | b"olmo" | b"qwen2" => layers == 80,
            b"jais2" => layers == 68,
            _ => false,
        };
        Self {
            block_count,
            expert_count,
            heads_per_value: heads.checked_div(value_heads).unwrap_or(0),
            is_70b,
            architecture: architecture.into_owned(),
        }
    }
}

struct Reader<'a> {
    header: &'a Header,
    options: &'a Options,
    architecture: &'a [u8],
}

impl Reader<'_> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", String::from_utf8_lossy(self.architecture))
    }

    /// The value of a key, or 0.
    fn number(&self, name: &str) -> u32 {
        let key = self.key(name);
        self.overridden(&key).or_else(|| Some(small(self.header.get(&key)?.value().as_u64()?))).unwrap_or(0)
    }

    /// The number of the first layer. llama.cpp overrides neither a missing entry nor an array.
    fn first_of_layers(&self, name: &str) -> Option<u32> {
        let key = self.key(name);
        match self.header.get(&key)?.value() {
            Value::Array(array) => array.get(0)?.as_u64().map(small),
            value => self.overridden(&key).or_else(|| value.as_u64().map(small)),
        }
    }

    fn overridden(&self, key: &str) -> Option<u32> {
        let (_, value) = self.options.overrides.iter().rfind(|(other, _)| other == key)?;
        Some(match value {
            OwnedValue::Uint8(number) => (*number).into(),
            OwnedValue::Uint16(number) => (*number).into(),
            OwnedValue::Uint32(number) => *number,
            OwnedValue::Uint64(number) => small(*number),
            OwnedValue::Int32(number) => u32::try_from(*number).ok()?,
            OwnedValue::Int64(number) => u64::try_from(*number).map(small).ok()?,
            _ => return None,
        })
    }
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
