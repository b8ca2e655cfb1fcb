//! The metadata of the new files.

use alloc::{string::String, vec::Vec};

use super::model::Model;
use super::options::Options;
use super::prune::Pruning;
use gguf_format::error::{Result, error};
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::{Value, ValueType};
use gguf_format::format::version::{ALIGNMENT, DEFAULT_ALIGNMENT, Format};
use gguf_format::write::NewValue;
use gguf_format::write::checks::{check_alignment, check_key};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_models::kind::{SHARD_KEYS, SPLIT_COUNT, SPLIT_NO, SPLIT_TENSORS_COUNT};

/// The version of the blocks of quantized types: ggml's `GGML_QNT_VERSION`.
const QUANTIZATION_VERSION: u32 = 2;

/// The most bytes of a text in an entry about the importance matrix, as in `llama-quantize`.
const LONGEST_TEXT: usize = 127;

/// The entries of a new file: entries of the model, by their positions in its first file, and new ones after them.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    copied: Vec<usize>,
    new: Vec<(Vec<u8>, OwnedValue)>,
    /// Whether the copied arrays that have an element for each block lose those of pruned blocks.
    is_pruned: bool,
}

/// The format of the new files: version 3, in the byte order of the model.
pub(super) fn format_of(header: &Header) -> Format {
    Format { version: 3, endian: header.format().endian }
}

impl Entries {
    /// The entries of the first file, or of the only one.
    pub fn of_first(model: &Model, options: &Options, file_type: Option<u32>) -> Result<Self> {
        let header = &model.headers[0];
        let mut entries = Self {
            copied: (0..header.metadata().len()).collect(),
            new: Vec::new(),
            is_pruned: model.pruning.block_count.is_some(),
        };
        entries.set(header, "general.quantization_version", OwnedValue::Uint32(QUANTIZATION_VERSION));
        if let Some(file_type) = file_type {
            entries.set(header, "general.file_type", OwnedValue::Uint32(file_type));
        }
        for key in SHARD_KEYS {
            entries.remove(header, key.as_bytes());
        }
        for (key, value) in &options.overrides {
            check_key(key.as_bytes())?;
            let stored = NewValue::new(value)?;
            check_alignment(key.as_bytes(), Some(stored.value()))?;
            entries.set(header, key, value.clone());
        }
        if let Some(imatrix) = options.imatrix.as_ref().filter(|_| !model.weights.is_empty()) {
            entries.set(header, "quantize.imatrix.file", text(imatrix.file_name()));
            if let Some(dataset) = imatrix.datasets().first() {
                entries.set(header, "quantize.imatrix.dataset", text(dataset));
            }
            let count = OwnedValue::Uint32(model.weights.len() as u32);
            entries.set(header, "quantize.imatrix.entries_count", count);
            if let Some(chunks) = imatrix.chunk_count().filter(|count| *count > 0) {
                entries.set(header, "quantize.imatrix.chunks_count", OwnedValue::Uint32(chunks));
            }
        }
        if let Some(count) = model.pruning.block_count {
            let architecture = String::from_utf8_lossy(&model.hyperparameters.architecture);
            entries.set(header, &format!("{architecture}.block_count"), OwnedValue::Uint32(count));
        }
        if options.keep_split {
            let shard_count = model.tensors_of_shards().len();
            if shard_count > 1 {
                entries.add_shard_keys(0, shard_count, model.tensors.len())?;
            }
        }
        Ok(entries)
    }

    /// The entries of a file after the first one.
    pub fn of_later(shard: usize, shard_count: usize, tensor_count: usize, alignment: u64) -> Result<Self> {
        let mut entries = Self::default();
        if alignment != DEFAULT_ALIGNMENT {
            entries.new.push((ALIGNMENT.as_bytes().to_vec(), OwnedValue::Uint32(alignment as u32)));
        }
        entries.add_shard_keys(shard, shard_count, tensor_count)?;
        Ok(entries)
    }

    fn add_shard_keys(&mut self, shard: usize, shard_count: usize, tensor_count: usize) -> Result<()> {
        let small = |number: usize| {
            u16::try_from(number).map(OwnedValue::Uint16).map_err(
                |_| error!(LimitExceeded: "the model cannot have {shard_count} shards: expected at most 65535"),
            )
        };
        self.new.push((SPLIT_NO.as_bytes().to_vec(), small(shard)?));
        self.new.push((SPLIT_COUNT.as_bytes().to_vec(), small(shard_count)?));
        self.new.push((SPLIT_TENSORS_COUNT.as_bytes().to_vec(), OwnedValue::Int32(tensor_count as i32)));
        Ok(())
    }

    fn remove(&mut self, header: &Header, key: &[u8]) {
        self.copied.retain(|index| header.metadata_at(*index).is_none_or(|entry| *entry.key().to_bytes() != *key));
        self.new.retain(|(other, _)| other != key);
    }

    /// Sets a value. As in gguf.cpp, the entry moves to the end.
    fn set(&mut self, header: &Header, key: &str, value: OwnedValue) {
        self.remove(header, key.as_bytes());
        self.new.push((key.as_bytes().to_vec(), value));
    }

    /// The alignment of a file with these entries.
    pub fn alignment(&self, header: &Header) -> u64 {
        let new = self.new.iter().rfind(|(key, _)| key == ALIGNMENT.as_bytes());
        match new {
            Some((_, OwnedValue::Uint32(alignment))) => u64::from(*alignment),
            _ => header.alignment(),
        }
    }

    pub fn len(&self) -> usize {
        self.copied.len() + self.new.len()
    }

    /// The number of bytes of the entries.
    pub fn byte_length(&self, header: &Header, pruning: &Pruning) -> u64 {
        let mut length = 0;
        for entry in self.copied_entries(header) {
            let is_same = header.format().version >= 2 && !(self.is_pruned && is_of_blocks(header, &entry));
            length += if is_same {
                entry.range().end - entry.range().start
            } else {
                let mut encoder = Encoder::new(format_of(header));
                self.encode_copied(&mut encoder, header, pruning, &entry);
                encoder.len()
            };
        }
        let mut encoder = Encoder::new(format_of(header));
        self.encode_new(&mut encoder);
        length + encoder.len()
    }

    /// Encodes the entries.
    pub fn encode(&self, encoder: &mut Encoder, header: &Header, pruning: &Pruning) {
        for entry in self.copied_entries(header) {
            self.encode_copied(encoder, header, pruning, &entry);
        }
        self.encode_new(encoder);
    }

    fn copied_entries<'a>(&self, header: &'a Header) -> impl Iterator<Item = MetadataKv<'a>> {
        self.copied.iter().filter_map(|index| header.metadata_at(*index))
    }

    fn encode_new(&self, encoder: &mut Encoder) {
        for (key, value) in &self.new {
            encoder.kv(key, value);
        }
    }

    fn encode_copied(&self, encoder: &mut Encoder, header: &Header, pruning: &Pruning, entry: &MetadataKv<'_>) {
        encoder.key(&entry.key().to_bytes(), entry.value_type().id());
        let start = entry.value_range().start;
        match entry.value() {
            Value::Array(array) if self.is_pruned && is_of_blocks(header, entry) => {
                let kept = (0..array.len()).filter(|block| pruning.keeps(*block)).count();
                encoder.array(array.element_type().id(), kept as u64);
                // The elements begin after the type and the length of the array.
                let mut offset = start + 4 + header.format().length_size();
                let mut left_out = Encoder::new(format_of(header));
                for block in 0..array.len() {
                    let target = if pruning.keeps(block) { &mut *encoder } else { &mut left_out };
                    offset = target.copy_values(entry.storage(), array.element_type(), 1, offset);
                }
            }
            _ => _ = encoder.copy_values(entry.storage(), entry.value_type(), 1, start),
        }
    }
}

/// Whether an entry is an array of the architecture with an element for each block.
fn is_of_blocks(header: &Header, entry: &MetadataKv<'_>) -> bool {
    if entry.value_type() != ValueType::Array {
        return false;
    }
    let count = header.architecture_value("block_count").and_then(|count| count.as_u64());
    let (Some(architecture), Value::Array(array)) = (header.architecture(), entry.value()) else { return false };
    let key = entry.key().to_bytes();
    let rest = key.strip_prefix(&*architecture.to_bytes());
    Some(array.len()) == count && rest.is_some_and(|rest| rest.starts_with(b"."))
}

/// The first bytes of a text.
fn text(text: &str) -> OwnedValue {
    OwnedValue::String(text.as_bytes()[..text.len().min(LONGEST_TEXT)].to_vec())
}
