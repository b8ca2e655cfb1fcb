//! The options of `requantize`.

use alloc::{string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, Options, Values, as_object, describe, elements, failure, is_array, is_integer, options,
    refused_option,
};
use gguf_convert::requantize::{
    Options as Wanted, PatternCount, Target, TensorTypeRule, parse_override, parse_tensor_type,
};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::write::encode::OwnedValue;

options! {
    /// What a model is converted to, and how. Most options are those of `llama-quantize`.
    pub interface RequantizeOptions extends AbortOptions {
        /// The file type: its name, such as `"Q4_K_M"`, or its number. `"COPY"` keeps the type of every tensor.
        r#type: "string | number" => Target, by target;
        /// Whether all tensors get the tensor type of the file type. `tensorTypes` still apply. Default: false.
        pure?: "boolean" => bool = false;
        /// Whether `output.weight` keeps its type. Default: false.
        leave_output_tensor?: "boolean" => bool = false;
        /// The type of `output.weight`: `"Q8_0"`.
        output_tensor_type?: "string" => GgmlType, by tensor_type;
        /// The type of the token embeddings.
        token_embedding_type?: "string" => GgmlType, by tensor_type;
        /// The types of tensors by their names, in order: the first pattern that a name matches decides. A pattern is a regular
        /// expression, which becomes lower case. A text has the form `"attn_v=q8_0"`.
        tensor_types?: "readonly (string | TensorTypeRule)[]" => Vec<TensorTypeRule>, by tensor_types;
        /// Whether tensors that are quantized already may be quantized once more, which loses quality. Default: false.
        allow_requantize?: "boolean" => bool = false;
        /// An importance matrix in the GGUF form or in the older binary form: an opened one, or its source.
        imatrix?: "ImatrixSource" => JsValue;
        /// The name of the file of the importance matrix: see `ImatrixOptions`.
        imatrix_file_name?: "string" => String;
        /// The importance matrix is used only for tensors whose names contain one of these texts. Not together with `excludeWeights`.
        include_weights?: "readonly string[]" => Vec<String>, by texts;
        /// The importance matrix is not used for tensors whose names contain one of these texts.
        exclude_weights?: "readonly string[]" => Vec<String>, by texts;
        /// Whether a model of several shards becomes as many files. Default: false.
        keep_split?: "boolean" => bool = false;
        /// The numbers of the blocks that are left out.
        prune_layers?: "readonly number[]" => Vec<u32>, by numbers;
        /// Entries of the new file, which replace those of the model. A text has the form `"llama.context_length=int:4096"`.
        overrides?: "readonly (string | MetadataOverride)[]" => Vec<(String, OwnedValue)>, by overrides;
        /// The number of workers that convert. By default as many as the machine has cores, at most 8. With 0, the calling thread
        /// converts. If no worker can be started, it converts too, unless a number is given.
        workers?: "number" => usize, integer from 0;
        /// Whether the errors of quantizing are measured: see `ConversionProgress.quality`. Measuring takes time. Default: false.
        nmse?: "boolean" => bool = false;
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A source of an importance matrix, or an opened one. */
export type ImatrixSource = GgufSource | Imatrix;

/** The type of all tensors whose names match a pattern. */
export interface TensorTypeRule {
  /** A regular expression that the name must match somewhere. It becomes lower case. */
  pattern: string;
  /** The name of the type: `"Q8_0"`. */
  type: string;
}

/** An entry of a new file. An `int` becomes a `UINT32`, a `float` a `FLOAT32`. */
export interface MetadataOverride {
  key: string;
  type: "int" | "float" | "bool" | "str";
  value: number | boolean | string;
}
"#;

/// What is wanted of the core, except for the importance matrix.
pub(super) fn wanted(given: &mut Values<RequantizeOptions>) -> Wanted {
    let mut wanted = Wanted::new(given.r#type);
    wanted.pure = given.pure;
    wanted.leave_output_tensor = given.leave_output_tensor;
    wanted.output_tensor_type = given.output_tensor_type;
    wanted.token_embedding_type = given.token_embedding_type;
    wanted.tensor_types = given.tensor_types.take().unwrap_or_default();
    wanted.allow_requantize = given.allow_requantize;
    wanted.include_weights = given.include_weights.take().unwrap_or_default();
    wanted.exclude_weights = given.exclude_weights.take().unwrap_or_default();
    wanted.keep_split = given.keep_split;
    wanted.prune_layers = given.prune_layers.take().unwrap_or_default();
    wanted.overrides = given.overrides.take().unwrap_or_default();
    wanted
}

fn target(options: &Options, name: &str) -> Result<Target, Thrown> {
    let given = options.get(name)?.unwrap_or_default();
    let text = given.as_string().or_else(|| given.as_f64().map(|_| describe(&given)));
    let text = text.ok_or_else(|| refused_option(name, &given, "the name or the number of a file type"))?;
    Ok(Target::parse(&text)?)
}

fn tensor_type(options: &Options, name: &str) -> Result<Option<GgmlType>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let text = given.as_string().ok_or_else(|| refused_option(name, &given, "the name of a tensor type"))?;
    Ok(Some(parse_tensor_type(&text)?))
}

/// The elements of an option that is an array.
fn list<T>(
    options: &Options,
    name: &str,
    expected: &str,
    convert: impl Fn(&JsValue) -> Result<Option<T>, Thrown>,
) -> Result<Option<Vec<T>>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    if !is_array(&given) {
        return Err(refused_option(name, &given, &format!("an array of {expected}")));
    }
    let element = |given: &JsValue| {
        convert(given)?.ok_or_else(
            || failure!(InvalidArgument: "options.{name} contains {}, expected {expected}", describe(given)),
        )
    };
    elements(&given)?.iter().map(element).collect::<Result<_, _>>().map(Some)
}

fn texts(options: &Options, name: &str) -> Result<Option<Vec<String>>, Thrown> {
    list(options, name, "strings", |given| Ok(given.as_string()))
}

fn numbers(options: &Options, name: &str) -> Result<Option<Vec<u32>>, Thrown> {
    let is_number = |number: &f64| is_integer(*number) && (0.0..=f64::from(u32::MAX)).contains(number);
    list(options, name, "numbers of blocks", |given| Ok(given.as_f64().filter(is_number).map(|number| number as u32)))
}

fn tensor_types(options: &Options, name: &str) -> Result<Option<Vec<TensorTypeRule>>, Thrown> {
    let count = PatternCount::default();
    list(options, name, "texts such as \"attn_v=q8_0\" or objects with pattern and type", |given| {
        let Some(rule) = tensor_type_rule(given)? else { return Ok(None) };
        count.add(&rule.pattern)?;
        Ok(Some(rule))
    })
}

fn tensor_type_rule(given: &JsValue) -> Result<Option<TensorTypeRule>, Thrown> {
    if let Some(text) = given.as_string() {
        return Ok(Some(TensorTypeRule::parse(&text)?));
    }
    let Some(members) = as_object(given) else { return Ok(None) };
    let (pattern, ggml_type) = (members.get("pattern")?.as_string(), members.get("type")?.as_string());
    let (Some(pattern), Some(ggml_type)) = (pattern, ggml_type) else { return Ok(None) };
    Ok(Some(TensorTypeRule::new(&pattern, parse_tensor_type(&ggml_type)?)?))
}

fn overrides(options: &Options, name: &str) -> Result<Option<Vec<(String, OwnedValue)>>, Thrown> {
    let expected = "texts such as \"llama.context_length=int:4096\" or objects with key, type and value";
    list(options, name, expected, |given| {
        if let Some(text) = given.as_string() {
            return Ok(Some(parse_override(&text)?));
        }
        let Some(members) = as_object(given) else { return Ok(None) };
        let (key, value_type) = (members.get("key")?.as_string(), members.get("type")?.as_string());
        let (Some(key), Some(value_type)) = (key, value_type) else { return Ok(None) };
        let value = members.get("value")?;
        let value = match value.as_string() {
            Some(text) => text,
            None if value.as_f64().is_some() || value.as_bool().is_some() => describe(&value),
            None => return Ok(None),
        };
        Ok(Some(parse_override(&format!("{key}={value_type}:{value}"))?))
    })
}
