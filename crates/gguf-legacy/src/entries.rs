//! The metadata entries of a migrated model.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::answers::CompleteAnswers;
use super::header::{FieldValue, LegacyHeader};
use super::llama::LlamaSizes;
use gguf_format::error::Result;
use gguf_format::format::value::ValueType;
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::new_value::{NewValue, value_too_long};
use gguf_format::write::writer::Writer;
use gguf_models::file_types::file_type_info;

/// The version of the quantized blocks of GGUF.
const QUANTIZATION_VERSION: u32 = 2;

/// Adds the entries of a LLaMA model, in the order of llama.cpp's migration script.
pub(super) fn add_llama(
    writer: &mut Writer,
    header: &LegacyHeader,
    sizes: &LlamaSizes,
    answers: &CompleteAnswers,
    file_type: Option<u32>,
    is_quantized: bool,
) -> Result<()> {
    let mut add = |key: &str, value: OwnedValue| writer.add(key.as_bytes(), &value);
    add("general.architecture", "llama".into())?;
    if let Some(name) = answers.name.as_ref().filter(|name| !name.is_empty()) {
        add("general.name", name.as_str().into())?;
    }
    add("general.description", description(header).into())?;
    if let Some(file_type) = file_type {
        add("general.file_type", file_type.into())?;
    }
    if is_quantized {
        add("general.quantization_version", QUANTIZATION_VERSION.into())?;
    }
    add("llama.context_length", answers.context_length.into())?;
    add("llama.embedding_length", sizes.embedding.into())?;
    add("llama.block_count", sizes.blocks.into())?;
    add("llama.feed_forward_length", sizes.feed_forward.into())?;
    add("llama.rope.dimension_count", sizes.head().into())?;
    add("llama.attention.head_count", sizes.heads.into())?;
    add("llama.attention.head_count_kv", sizes.key_value_heads.into())?;
    add("llama.attention.layer_norm_rms_epsilon", answers.rms_epsilon.into())?;
    if answers.rope_base != 10_000.0 {
        add("llama.rope.freq_base", answers.rope_base.into())?;
    }
    if answers.rope_scale != 1.0 {
        add("llama.rope.scaling.type", "linear".into())?;
        add("llama.rope.scaling.factor", answers.rope_scale.into())?;
    }
    add("tokenizer.ggml.model", "llama".into())?;
    add("tokenizer.ggml.pre", "default".into())?;
    if let Some(vocabulary) = &header.vocabulary {
        let tokens = vocabulary.tokens().enumerate().map(|(id, token)| llama_token(id, token.text));
        let types: Vec<i32> = tokens.clone().map(|(_, token_type)| token_type).collect();
        let texts = tokens.map(|(text, _)| text);
        put_strings(writer, "tokenizer.ggml.tokens", vocabulary.len(), texts)?;
        let scores: Vec<f32> = vocabulary.tokens().map(|token| token.score.unwrap_or(0.0)).collect();
        put_scores(writer, &scores)?;
        let mut encoder = NewValue::encoder(ValueType::Array);
        encoder.array(ValueType::Int32.id(), types.len() as u64).i32s(&types);
        writer.put(b"tokenizer.ggml.token_type", NewValue::encoded(encoder).ok_or_else(value_too_long)?)?;
    }
    let mut add = |key: &str, value: OwnedValue| writer.add(key.as_bytes(), &value);
    add("tokenizer.ggml.unknown_token_id", answers.unknown_token.into())?;
    add("tokenizer.ggml.bos_token_id", answers.bos_token.into())?;
    add("tokenizer.ggml.eos_token_id", answers.eos_token.into())
}

/// Adds the entries of an adapter.
pub(super) fn add_adapter(writer: &mut Writer, header: &LegacyHeader) -> Result<()> {
    let mut add = |key: &str, value: OwnedValue| writer.add(key.as_bytes(), &value);
    add("general.architecture", "llama".into())?;
    add("general.type", "adapter".into())?;
    add("adapter.type", "lora".into())?;
    add("adapter.lora.alpha", (header.integer("lora_alpha") as f32).into())
}

/// Adds the entries of a model that is exported for inspection only: its hyperparameters under their own names.
pub(super) fn add_for_inspection(writer: &mut Writer, header: &LegacyHeader, is_quantized: bool) -> Result<()> {
    let family = header.family.name();
    let mut add = |key: &str, value: OwnedValue| writer.add(key.as_bytes(), &value);
    add("general.architecture", family.into())?;
    add("general.description", format!("{}, for inspection only", description(header)).into())?;
    if is_quantized {
        add("general.quantization_version", QUANTIZATION_VERSION.into())?;
    }
    add_own(writer, header, &format!("{family}."))
}

/// Adds the hyperparameters, with a prefix before their names, and the vocabulary as the file has it.
pub(super) fn add_own(writer: &mut Writer, header: &LegacyHeader, prefix: &str) -> Result<()> {
    for (name, value) in &header.fields {
        let key = format!("{prefix}{name}");
        match value {
            FieldValue::Integer(value) => writer.add(key.as_bytes(), &(*value).into())?,
            FieldValue::Float(value) => writer.add(key.as_bytes(), &(*value).into())?,
        }
    }
    let Some(vocabulary) = &header.vocabulary else { return Ok(()) };
    let texts = vocabulary.tokens().map(|token| Cow::Borrowed(token.text));
    put_strings(writer, "tokenizer.ggml.tokens", vocabulary.len(), texts)?;
    match vocabulary.has_scores() {
        true => put_scores(writer, &vocabulary.tokens().filter_map(|token| token.score).collect::<Vec<_>>()),
        false => Ok(()),
    }
}

fn put_strings<'a>(
    writer: &mut Writer,
    key: &str,
    count: usize,
    texts: impl Iterator<Item = Cow<'a, [u8]>>,
) -> Result<()> {
    let mut encoder = NewValue::encoder(ValueType::Array);
    encoder.array(ValueType::String.id(), count as u64);
    texts.for_each(|text| {
        encoder.string(&text);
    });
    writer.put(key.as_bytes(), NewValue::encoded(encoder).ok_or_else(value_too_long)?)
}

fn put_scores(writer: &mut Writer, scores: &[f32]) -> Result<()> {
    let mut encoder = NewValue::encoder(ValueType::Array);
    encoder.array(ValueType::Float32.id(), scores.len() as u64).f32s(scores);
    writer.put(b"tokenizer.ggml.scores", NewValue::encoded(encoder).ok_or_else(value_too_long)?)
}

/// The description that llama.cpp's migration script writes.
fn description(header: &LegacyHeader) -> String {
    let file_type = header.file_type_name().unwrap_or_default();
    let file_type = if file_type.is_empty() { String::new() } else { format!(" {file_type}") };
    format!("converted from legacy {}{file_type} format", header.container_name())
}

/// The text and the type of a token of a LLaMA model, as llama.cpp's migration script makes them: the container has the text
/// that SentencePiece decodes, and GGUF the piece.
fn llama_token(id: usize, text: &[u8]) -> (Cow<'_, [u8]>, i32) {
    const NORMAL: i32 = 1;
    const UNKNOWN: i32 = 2;
    const CONTROL: i32 = 3;
    const BYTE: i32 = 6;
    match (id, text) {
        (0, _) => (b"<unk>".into(), UNKNOWN),
        (1, _) => (b"<s>".into(), CONTROL),
        (2, _) => (b"</s>".into(), CONTROL),
        (_, []) => (b"".into(), CONTROL),
        (3..=258, [byte]) => (format!("<0x{byte:02X}>").into_bytes().into(), BYTE),
        _ if text.contains(&b' ') => {
            let mut piece = Vec::with_capacity(text.len() + 2);
            for byte in text {
                match byte {
                    b' ' => piece.extend_from_slice("\u{2581}".as_bytes()),
                    byte => piece.push(*byte),
                }
            }
            (piece.into(), NORMAL)
        }
        _ => (text.into(), NORMAL),
    }
}

/// Whether GGUF has the file type of a LLaMA model.
pub(super) fn has_file_type(value: u32) -> bool {
    value <= 18 && file_type_info(value).is_some()
}
