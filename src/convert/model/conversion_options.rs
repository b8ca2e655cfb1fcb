//! The options of `HubModel.convert`.

use alloc::string::String;

use serde_json::Value;

use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Options, as_object, failure, is_array, options, refused_option};
use gguf_convert::json;
use gguf_convert::model::{ModelOptions, NextTokenLayers, OutputType};

options! {
    /// What is wanted of a conversion.
    pub interface ModelConversionOptions extends AbortOptions {
        /// The type of the matrices. Case does not count. By default `"auto"`: BF16 or F16, as the model has it. For any other type,
        /// plan `"f32"`, and pass `plan.gguf` to `requantize` of `gguf-wasm/convert`: both are done in one pass.
        r#type?: "\"auto\" | \"f32\" | \"f16\" | \"bf16\" | \"q8_0\" | \"tq1_0\" | \"tq2_0\"" => OutputType = OutputType::Auto, by output_type;
        /// The value of `tokenizer.ggml.pre`. By default it is found in a list of known vocabularies.
        pre?: "string" => String;
        /// `general.name`. By default it follows from the model card, `config.json`, and the name of the folder.
        model_name?: "string" => String;
        /// Values of `general.*` by their keys, which come before those of the files: `{ "general.author": "…" }`.
        metadata?: "Readonly<Record<string, unknown>>" => Value, by metadata;
        /// Whether weights that are stored as 8-bit floats with scales become Q8_0, whatever the type. By default false.
        fp8_as_q8?: "boolean" => bool = false;
        /// Whether the gates and the other halves of experts become one tensor. No supported architecture has such a tensor, so a model
        /// with experts is refused. By default false.
        fuse_gate_up_experts?: "boolean" => bool = false;
        /// What becomes of the layers that predict later tokens, which llama.cpp uses as a draft: they are converted with the model, or
        /// alone, or left out. A model whose layers cannot be separated is refused, unless they are included. By default `"included"`.
        next_token_layers?: "\"included\" | \"alone\" | \"left-out\"" => NextTokenLayers = NextTokenLayers::Included, by next_token_layers;
        /// Whether the projector is made, in place of the model of the text: the encoders of images and sound, in a file of their own. See
        /// `HubModel.projector`. By default false.
        projector?: "boolean" => bool = false;
        /// Whether the new file has metadata and vocabulary only, without tensors. By default false.
        vocabulary_only?: "boolean" => bool = false;
    }
}

/// The options as the core takes them.
pub(super) fn model_options(options: &Options) -> Result<ModelOptions, Thrown> {
    let given = ModelConversionOptions::read(options)?;
    let mut options = ModelOptions::default();
    options.output_type = given.r#type;
    options.pre = given.pre;
    options.model_name = given.model_name;
    options.overrides = given.metadata;
    options.fp8_as_q8 = given.fp8_as_q8;
    options.fuse_gate_up_experts = given.fuse_gate_up_experts;
    options.next_token_layers = given.next_token_layers;
    options.projector = given.projector;
    options.vocabulary_only = given.vocabulary_only;
    Ok(options)
}

/// The type that an option names.
pub(super) fn output_type(options: &Options, name: &str) -> Result<Option<OutputType>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    match given.as_string() {
        Some(given) => Ok(Some(OutputType::parse(&given)?)),
        None => Err(refused_option(name, &given, "the name of a type")),
    }
}

fn next_token_layers(options: &Options, name: &str) -> Result<Option<NextTokenLayers>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let layers = match given.as_string().as_deref() {
        Some("included") => NextTokenLayers::Included,
        Some("alone") => NextTokenLayers::Alone,
        Some("left-out") => NextTokenLayers::LeftOut,
        _ => return Err(refused_option(name, &given, "\"included\", \"alone\" or \"left-out\"")),
    };
    Ok(Some(layers))
}

fn metadata(options: &Options, name: &str) -> Result<Option<Value>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    as_object(&given)
        .filter(|_| !is_array(&given))
        .ok_or_else(|| refused_option(name, &given, "an object of keys and values"))?;
    let text = js_sys::JSON::stringify(&given).ok().and_then(|text| text.as_string()).ok_or_else(|| {
        failure!(InvalidArgument:
            "options.{name} has a value that JSON does not have: expected texts, numbers, truth values, lists and objects, but no BigInt, \
             and no object that contains itself")
    })?;
    Ok(Some(json::parse("options.metadata", text.as_bytes())?))
}
