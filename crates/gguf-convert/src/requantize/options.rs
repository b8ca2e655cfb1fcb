//! What is wanted: the arguments of `llama-quantize`.

use alloc::{rc::Rc, string::String, string::ToString, vec::Vec};

use super::imatrix::Imatrix;
use super::pattern::{Pattern, PatternCount};
use super::target::Target;
use super::target_type::parse_tensor_type;
use gguf_format::decimal::float64;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::write::encode::OwnedValue;

/// The longest text that `llama-quantize` accepts for a key or a text of an override, in bytes.
const LONGEST_OVERRIDE: usize = 127;

/// What is wanted of a conversion: the arguments of `llama-quantize`.
///
/// # Examples
///
/// ```
/// use gguf_convert::requantize::{Options, Target, TensorTypeRule};
/// use gguf_format::GgmlType;
///
/// let mut options = Options::new(Target::parse("Q4_K_M")?);
/// options.tensor_types.push(TensorTypeRule::parse("attn_v=q8_0")?);
/// options.output_tensor_type = Some(GgmlType::Q8_0);
/// # Ok::<(), gguf_format::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What the model is converted to.
    pub target: Target,
    /// `--pure`: all tensors get the tensor type of the file type. `tensor_types` and the replacement of types whose blocks do not
    /// fit still apply, as since August 2026.
    pub pure: bool,
    /// `--leave-output-tensor`: `output.weight` keeps its type.
    pub leave_output_tensor: bool,
    /// `--output-tensor-type`: the type of `output.weight`.
    pub output_tensor_type: Option<GgmlType>,
    /// `--token-embedding-type`: the type of the token embeddings, and of `per_layer_token_embd.weight` unless a rule of `tensor_types`
    /// matches it.
    pub token_embedding_type: Option<GgmlType>,
    /// `--tensor-type`: the types of tensors by their names. The first rule that matches decides. Ignored if the file type is one of
    /// floats.
    pub tensor_types: Vec<TensorTypeRule>,
    /// `--allow-requantize`: tensors that are quantized already may be quantized once more.
    pub allow_requantize: bool,
    /// `--imatrix`: how much errors in each column count.
    pub imatrix: Option<Rc<Imatrix>>,
    /// `--include-weights`: the importance matrix is used only for tensors whose names contain one of these. Not together with
    /// `exclude_weights`.
    pub include_weights: Vec<String>,
    /// `--exclude-weights`: the importance matrix is not used for tensors whose names contain one of these.
    pub exclude_weights: Vec<String>,
    /// `--keep-split`: one file for each shard that keeps tensors, and for the first one, instead of one file.
    pub keep_split: bool,
    /// `--prune-layers`: the numbers of the blocks that are left out.
    pub prune_layers: Vec<u32>,
    /// `--override-kv`: entries of the new file. An integer or number also counts for the choice of the types, such as
    /// `llama.expert_count`. [`parse_override`] reads the form of `llama-quantize`, which stores integers as UINT32.
    pub overrides: Vec<(String, OwnedValue)>,
}

impl Options {
    /// The options of a conversion without any others.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            pure: false,
            leave_output_tensor: false,
            output_tensor_type: None,
            token_embedding_type: None,
            tensor_types: Vec::new(),
            allow_requantize: false,
            imatrix: None,
            include_weights: Vec::new(),
            exclude_weights: Vec::new(),
            keep_split: false,
            prune_layers: Vec::new(),
            overrides: Vec::new(),
        }
    }

    /// The names of the entries of the importance matrix that are used, in byte order.
    pub(super) fn used_weights(&self) -> Vec<&[u8]> {
        let Some(imatrix) = &self.imatrix else { return Vec::new() };
        let has = |parts: &[String], name: &[u8]| parts.iter().any(|part| super::category::contains(name, part));
        let is_used = |name: &[u8]| {
            let is_included = self.include_weights.is_empty() || has(&self.include_weights, name);
            is_included && !has(&self.exclude_weights, name)
        };
        imatrix.names().filter(|name| is_used(name)).collect()
    }
}

/// The type of all tensors whose names match a pattern.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TensorTypeRule {
    /// What the names must match somewhere.
    pub pattern: Pattern,
    /// The type of these tensors.
    pub ggml_type: GgmlType,
}

impl TensorTypeRule {
    /// A rule. The pattern is a regular expression, which becomes lower case, as in `llama-quantize`.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if the pattern is not valid.
    pub fn new(pattern: &str, ggml_type: GgmlType) -> Result<Self> {
        Ok(Self { pattern: Pattern::new(&pattern.to_ascii_lowercase())?, ggml_type })
    }

    /// The rule of an argument of `--tensor-type`: `"attn_v=q8_0"`.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if a part is missing or not valid.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |problem: &str| {
            error!(InvalidArgument:
                "the type of tensors \"{text}\" {problem}: expected a pattern and a type, such as \"attn_v=q8_0\"")
        };
        let (pattern, type_name) = text.split_once('=').ok_or_else(|| wrong("has no \"=\""))?;
        if pattern.is_empty() {
            return Err(wrong("has no pattern"));
        }
        if type_name.is_empty() {
            return Err(wrong("has no type"));
        }
        Self::new(pattern, parse_tensor_type(type_name)?)
    }
}

/// The rules of a file for `--tensor-type-file`: separated by spaces and newlines.
///
/// # Errors
///
/// As [`TensorTypeRule::parse`]. `limit-exceeded` if all patterns together are too long.
pub fn parse_tensor_types(text: &str) -> Result<Vec<TensorTypeRule>> {
    let count = PatternCount::default();
    let rule = |text| {
        let rule = TensorTypeRule::parse(text)?;
        count.add(&rule.pattern).map(|()| rule)
    };
    text.split_ascii_whitespace().map(rule).collect()
}

/// The numbers of an argument of `--prune-layers`: `"3,7"`.
///
/// # Errors
///
/// `invalid-argument` if a part is not a number.
pub fn parse_prune_layers(text: &str) -> Result<Vec<u32>> {
    let number = |part: &str| {
        part.trim().parse::<u32>().map_err(
            |_| error!(InvalidArgument: "\"{part}\" is not the number of a block: expected numbers such as \"3,7\""),
        )
    };
    text.split(',').map(number).collect()
}

/// The entry of an argument of `--override-kv`: `"llama.context_length=int:4096"`. The types are `int`, `float`, `bool` and `str`.
/// As in `llama-quantize`, an integer becomes a UINT32 without its sign, and a float a FLOAT32.
///
/// # Errors
///
/// `invalid-argument` if a part is missing or not valid, or if an integer does not fit in 32 bits.
pub fn parse_override(text: &str) -> Result<(String, OwnedValue)> {
    let wrong = |problem: &str| -> Error {
        error!(InvalidArgument:
            "the entry \"{text}\" {problem}: expected a key, a type and a value, such as \"llama.context_length=int:4096\"")
    };
    let (key, rest) = text.split_once('=').ok_or_else(|| wrong("has no \"=\""))?;
    if key.is_empty() || key.len() > LONGEST_OVERRIDE {
        return Err(wrong("has no key of 1 to 127 bytes"));
    }
    let (type_name, value) = rest.split_once(':').ok_or_else(|| wrong("has no type"))?;
    let value = match type_name {
        "int" => {
            let number = value.parse::<i64>().map_err(|_| wrong("has a value that is no integer"))?;
            let number = u32::try_from(number.unsigned_abs());
            OwnedValue::Uint32(number.map_err(|_| wrong("has a value of more than 32 bits"))?)
        }
        "float" => {
            // As `llama-quantize`, which reads a double.
            OwnedValue::Float32(float64(value).ok_or_else(|| wrong("has a value that is no number"))? as f32)
        }
        "bool" => OwnedValue::Bool(value.parse().map_err(|_| wrong("has a value that is neither true nor false"))?),
        "str" if value.len() > LONGEST_OVERRIDE => return Err(wrong("has a text of more than 127 bytes")),
        "str" => OwnedValue::from(value),
        _ => return Err(wrong("has a type that is none of int, float, bool and str")),
    };
    Ok((key.to_string(), value))
}
