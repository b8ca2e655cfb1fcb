//! Mistral 3 and Ministral 3: the model of the text.

use super::decoder::{ENDS, GATED, NORMS};
use super::llama::{INTERLEAVED, KEYS, LLAMA};
use super::row::Family;
use crate::model::config::{CONFIG, ConfigRules, float, missing};
use crate::model::entries::EntryValue;
use crate::model::keys::{Key, Keys, rope_type};
use gguf_format::error::{Result, error};

const MISTRAL3: Family = Family {
    architecture: "mistral3",
    rules: &[ENDS, INTERLEAVED, NORMS, GATED],
    keys: &[Key::List(KEYS), Key::Call(scales)],
    ..LLAMA
};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        classes: &["Mistral3ForConditionalGeneration"],
        config: ConfigRules::Text(&["mistral", "ministral3"]),
        ..MISTRAL3
    },
    Family { classes: &["Ministral3ForCausalLM"], config: ConfigRules::Types(&["ministral3"]), ..MISTRAL3 },
];

/// The scales of Ministral 3, which has a position embedding of the type yarn.
fn scales(keys: &mut Keys<'_>) -> Result<()> {
    if keys.config.text(&["model_type"])? != Some("ministral3") {
        return Ok(());
    }
    let rope = keys.config.rope();
    if rope_type(rope)? != Some("yarn") {
        return Err(error!(UnsupportedModel:
            "the rotary position embedding of Ministral 3 in {CONFIG} has not the type yarn, which llama.cpp expects"));
    }
    for (key, member) in [
        ("rope.scaling.yarn_log_multiplier", "mscale_all_dim"),
        ("attention.temperature_scale", "llama_4_scaling_beta"),
    ] {
        let value = rope.get(member).ok_or_else(|| missing(&[member]))?;
        keys.put(key, EntryValue::F32(float(member, value)? as f32));
    }
    Ok(())
}
