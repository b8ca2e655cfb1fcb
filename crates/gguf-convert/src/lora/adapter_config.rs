//! `adapter_config.json`: how PEFT made an adapter.
//!
//! Source: the classes `PeftConfig` and `LoraConfig` of PEFT, and what `convert_lora_to_gguf.py` of llama.cpp reads of them.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use crate::json;
use crate::model::json_members::{elements, is_true, member, members, text_member};
use gguf_format::decimal::plain;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The name of the file.
pub const ADAPTER_CONFIG: &str = "adapter_config.json";

/// Ways to begin the training that change the weights of the base model, too: an adapter for the original model is another one.
const CHANGED_BASES: &[&str] = &["pissa", "olora", "corda", "loftq"];

/// What `adapter_config.json` says.
#[derive(Debug, PartialEq)]
pub(super) struct AdapterConfig {
    /// `lora_alpha`. The scale of an adapter is this number divided by the rank of each matrix.
    pub alpha: f32,
    /// The tokens after which the adapter counts. Empty: it always does.
    pub invocation_tokens: Vec<u32>,
}

impl AdapterConfig {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if the file is missing. `bad-json` if it is not JSON, or if a member has a value that it cannot have.
    /// `unsupported-model` if the adapter does more than GGUF adapters can.
    pub fn parse(text: Option<&[u8]>) -> Result<Self> {
        let Some(text) = text else {
            return Err(error!(IncompleteModel:
                "the adapter has no {ADAPTER_CONFIG}; choose the folder in which PEFT has saved the adapter"));
        };
        let config = json::parse(ADAPTER_CONFIG, text)?;
        if !config.is_object() {
            return Err(wrong("the file", "no object", "an object with the member \"lora_alpha\""));
        }
        refuse(&config)?;
        Ok(Self { alpha: alpha(&config)?, invocation_tokens: invocation_tokens(&config)? })
    }
}

/// Refuses adapters that a GGUF file cannot describe: the file would be accepted, but the model would compute something else.
fn refuse(config: &Value) -> Result<()> {
    let peft_type = member(config, "peft_type");
    if !peft_type.is_null() && peft_type != "LORA" {
        return Err(unsupported(format_args!("\"peft_type\" is {peft_type}: expected \"LORA\"")));
    }
    if is_true(member(config, "use_dora")) {
        return Err(unsupported(format_args!(
            "\"use_dora\" is true: GGUF adapters have no magnitudes of columns; merge the adapter into its model with PEFT, and convert the model"
        )));
    }
    if is_true(member(config, "use_rslora")) {
        let (rank, alpha) = (member(config, "r").as_f64(), member(config, "lora_alpha").as_f64());
        let same = rank.zip(alpha).map(|(rank, alpha)| alpha * libm::sqrt(rank)).filter(|same| same.is_finite());
        let advice = same.map_or_else(String::new, |same| {
            format!(
                "; if all ranks are \"r\", the same adapter has \"use_rslora\": false and \"lora_alpha\": {}",
                plain(same)
            )
        });
        return Err(unsupported(format_args!(
            "\"use_rslora\" is true: it divides \"lora_alpha\" by the square root of the rank, but llama.cpp by the rank{advice}"
        )));
    }
    let alpha = member(config, "lora_alpha");
    if let Some((name, other)) =
        members(member(config, "alpha_pattern")).find(|(_, value)| value.as_f64() != alpha.as_f64())
    {
        return Err(unsupported(format_args!(
            "\"alpha_pattern\" gives \"{}\" the value {other}, but \"lora_alpha\" is {alpha}: a GGUF adapter has one value for all \
             matrices",
            Shown(name.as_bytes())
        )));
    }
    let start = text_member(config, "init_lora_weights").unwrap_or_default();
    if let Some(name) = CHANGED_BASES.iter().find(|name| start.starts_with(**name)) {
        return Err(unsupported(format_args!(
            "\"init_lora_weights\" is \"{}\": {name} also changes the weights of the base model; let PEFT convert the adapter to one \
             for the original model",
            Shown(start.as_bytes())
        )));
    }
    if !elements(member(config, "layer_replication")).is_empty() {
        return Err(unsupported(format_args!(
            "\"layer_replication\" is set: the adapter is for a model that repeats blocks of its base model"
        )));
    }
    Ok(())
}

/// The value of `lora_alpha`.
fn alpha(config: &Value) -> Result<f32> {
    let value = member(config, "lora_alpha");
    let alpha = value.as_f64().map(|alpha| alpha as f32).filter(|alpha| alpha.is_finite());
    // llama.cpp takes 0 for a missing value, and applies the adapter as a whole.
    alpha.filter(|alpha| *alpha != 0.0).ok_or_else(|| {
        let found = if value.is_null() { "missing".into() } else { format!("{value}") };
        wrong("\"lora_alpha\"", &found, "a number other than 0")
    })
}

/// The tokens after which the adapter counts.
fn invocation_tokens(config: &Value) -> Result<Vec<u32>> {
    let list = member(config, "alora_invocation_tokens");
    if !list.is_null() && !list.is_array() {
        return Err(wrong("\"alora_invocation_tokens\"", &format!("{list}"), "a list of ids of tokens"));
    }
    let text = text_member(config, "invocation_string").unwrap_or_default();
    if elements(list).is_empty() && !text.is_empty() {
        return Err(unsupported(format_args!(
            "\"invocation_string\" is \"{}\", and \"alora_invocation_tokens\" is missing: write the ids of the tokens of the text \
             there, without the first token",
            Shown(text.as_bytes())
        )));
    }
    let id = |id: &Value| {
        let number = id.as_u64().and_then(|id| u32::try_from(id).ok());
        number.ok_or_else(|| wrong("an element of \"alora_invocation_tokens\"", &format!("{id}"), "the id of a token"))
    };
    elements(list).iter().map(id).collect()
}

/// The error of a member with another value than expected.
#[cold]
fn wrong(what: &str, found: &str, expected: &str) -> Error {
    error!(BadJson: "{what} in {ADAPTER_CONFIG} is {}: expected {expected}; save the adapter again with PEFT", Shown(found.as_bytes()))
}

/// The error of an adapter that a GGUF file cannot describe.
#[cold]
fn unsupported(reason: core::fmt::Arguments<'_>) -> Error {
    error!(UnsupportedModel: "the adapter cannot be converted: in {ADAPTER_CONFIG}, {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn parse(text: &str) -> Result<AdapterConfig> {
        AdapterConfig::parse(Some(text.as_bytes()))
    }

    #[test]
    fn alpha_and_tokens_are_read() {
        let config = r#"{"peft_type": "LORA", "r": 4, "lora_alpha": 8, "alora_invocation_tokens": [5, 6],
            "rank_pattern": {"q_proj": 2}, "alpha_pattern": {"q_proj": 8}, "init_lora_weights": "gaussian"}"#;
        assert_eq!(parse(config).unwrap(), AdapterConfig { alpha: 8.0, invocation_tokens: vec![5, 6] });
        assert_eq!(parse(r#"{"lora_alpha": -0.5}"#).unwrap().alpha, -0.5);
    }

    #[test]
    fn other_values_are_errors() {
        for (text, code) in [
            ("{}", "bad-json"),
            ("[]", "bad-json"),
            ("{\"lora_alpha\": 0}", "bad-json"),
            ("{\"lora_alpha\": null}", "bad-json"),
            ("{\"lora_alpha\": \"8\"}", "bad-json"),
            ("{\"lora_alpha\": 1e300}", "bad-json"),
            ("{\"lora_alpha\": 8, \"alora_invocation_tokens\": [-1]}", "bad-json"),
            ("{\"lora_alpha\": 8, \"alora_invocation_tokens\": 5}", "bad-json"),
            ("{\"lora_alpha\": 8, \"invocation_string\": \"<go>\"}", "unsupported-model"),
            ("{\"lora_alpha\": 8, \"peft_type\": \"IA3\"}", "unsupported-model"),
            ("{\"lora_alpha\": 8, \"use_dora\": true}", "unsupported-model"),
            ("{\"lora_alpha\": 8, \"r\": 16, \"use_rslora\": true}", "unsupported-model"),
            ("{\"lora_alpha\": 8, \"alpha_pattern\": {\"q_proj\": 4}}", "unsupported-model"),
            ("{\"lora_alpha\": 8, \"init_lora_weights\": \"pissa_niter_16\"}", "unsupported-model"),
            ("{\"lora_alpha\": 8, \"layer_replication\": [[0, 2]]}", "unsupported-model"),
        ] {
            assert_eq!(parse(text).map_err(|error| error.code().name()), Err(code), "{text}");
        }
        assert_eq!(AdapterConfig::parse(None).unwrap_err().code(), "incomplete-model");
    }

    #[test]
    fn the_same_adapter_without_rank_stabilisation_is_named() {
        let error = parse(r#"{"lora_alpha": 8, "r": 16, "use_rslora": true}"#).unwrap_err().to_string();
        assert!(error.ends_with("\"use_rslora\": false and \"lora_alpha\": 32"), "{error}");
    }
}
