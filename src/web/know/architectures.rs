//! `architectures` and `architectureInfo`: the model architectures, and the keys that a model of each needs.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::know::architectures::{
    ARCHITECTURES, ArchitectureInfo as Row, KeyNeed, Need, Place, TensorGroup, architecture_info as row_of,
};
use crate::web::interop::arguments::{self, TextArgument};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::know::listing::Listing;

plain_object! {
    /// A model architecture: a value of `general.architecture`.
    readonly struct ArchitectureInfo {
        /// The value of `general.architecture`.
        name: &'static str,
        /// The name of the model family.
        title: &'static str,
        /// Whether llama.cpp has the name. It cannot load every architecture that it names.
        is_in_llama_cpp: bool,
        /// The keys that the specification requires: `"llama.context_length"`. Not present if the specification does not
        /// describe the architecture.
        specification_keys?: Vec<String> as "readonly string[]",
        /// The keys without which llama.cpp refuses every model. Not present if it is not known which it needs.
        llama_cpp_keys?: Vec<String> as "readonly string[]",
        /// The keys without which llama.cpp refuses some models: those with experts, for example, or without another key that
        /// can replace it. Not present if it is not known which it needs.
        llama_cpp_conditional_keys?: Vec<String> as "readonly string[]",
        /// The tensors that llama.cpp reads. Not present if it is not known which it needs.
        llama_cpp_tensors?: Vec<RequiredTensors> as "readonly RequiredTensors[]",
    }
}

plain_object! {
    /// Tensors that belong to the same part of a model of an architecture.
    readonly struct RequiredTensors {
        /// The names, without the number of the block: `"attn_q.weight"`.
        names: &'static [&'static str] as "readonly string[]",
        /// Where the tensors are: outside of the blocks, in each block, or in each block of the encoder or decoder.
        place: &'static str as "\"model\" | \"block\" | \"encoder-block\" | \"decoder-block\"",
        /// `required`: llama.cpp refuses a model without them. `optional`: it uses them if they are there. `tied`: without them,
        /// it uses `token_embd.weight`.
        need: &'static str as "\"required\" | \"optional\" | \"tied\"",
        /// A tensor of the same place that can replace them.
        alternative?: &'static str,
        /// Whether only some blocks or some models need them: those with experts, for example.
        is_conditional: bool,
    }
}

std::thread_local! {
    static LISTING: Listing = Listing::default();
}

/// Lists the model architectures that llama.cpp, the Python package gguf or the GGUF specification name, sorted by name. The
/// list is made once, and is frozen.
///
/// @example
/// const known = new Set(architectures().map(({ name }) => name));
#[wasm_bindgen(unchecked_return_type = "readonly ArchitectureInfo[]")]
pub fn architectures() -> JsArray {
    LISTING.with(|listing| listing.rows(|| ARCHITECTURES.iter().map(|row| object(listing, row)).collect()))
}

/// Explains a model architecture. The result is `undefined` if the architecture is not known, else one of the objects of
/// `architectures()`.
///
/// @param name - A value of `general.architecture`.
/// @throws {GgufError} `invalid-argument` if the name is not a string.
/// @example
/// const info = architectureInfo("llama");
/// const missing = info?.llamaCppKeys?.filter((key) => !gguf.metadata.has(key));
#[wasm_bindgen(js_name = architectureInfo, unchecked_return_type = "ArchitectureInfo | undefined")]
pub fn architecture_info(name: &TextArgument) -> Result<JsValue, JsValue> {
    let name = arguments::name("name", name)?;
    let row = name.and_then(|name| row_of(name.as_bytes()));
    Ok(row.map_or(JsValue::UNDEFINED, |row| LISTING.with(|listing| object(listing, row))))
}

fn object(listing: &Listing, row: &Row) -> JsValue {
    listing.row(row.name, || to_js(&ArchitectureInfo::new(row)))
}

impl ArchitectureInfo {
    fn new(row: &Row) -> Self {
        // A key without `{arch}` is the same for all architectures.
        let key = |pattern: &&str| match pattern.strip_prefix("{arch}") {
            Some(rest) => [row.name, rest].concat(),
            None => String::from(*pattern),
        };
        let keys = |patterns: &[&str]| patterns.iter().map(key).collect();
        let required = |need| row.requirements.map(|requirements| keys(&requirements.keys_needed(need)));
        let specified = Some(row.specification_keys).filter(|patterns| !patterns.is_empty());
        Self {
            name: row.name,
            title: row.title,
            is_in_llama_cpp: row.is_in_llama_cpp,
            specification_keys: specified.map(keys),
            llama_cpp_keys: required(KeyNeed::Always),
            llama_cpp_conditional_keys: required(KeyNeed::Conditional),
            llama_cpp_tensors: row.requirements.map(|requirements| requirements.tensors().map(tensors).collect()),
        }
    }
}

fn tensors(group: &TensorGroup) -> RequiredTensors {
    RequiredTensors {
        names: group.names,
        place: match group.place {
            Place::Model => "model",
            Place::Block => "block",
            Place::EncoderBlock => "encoder-block",
            Place::DecoderBlock => "decoder-block",
        },
        need: match group.need {
            Need::Required => "required",
            Need::Optional => "optional",
            Need::Tied => "tied",
        },
        alternative: group.alternative,
        is_conditional: !group.conditions.is_empty(),
    }
}
