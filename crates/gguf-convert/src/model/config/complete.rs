//! Completing a configuration with the defaults of its class.

use alloc::collections::BTreeSet;
use alloc::string::String;

use serde_json::{Map, Value};

use super::defaults::{Defaults, Derived};
use crate::json;
use gguf_format::error::Result;

type Members = Map<String, Value>;

/// Adds the defaults of a class.
pub(super) fn complete(members: &mut Members, defaults: &Defaults, defaulted: &mut BTreeSet<String>) -> Result<()> {
    for (alias, name) in defaults.aliases {
        if let Some(value) = members.shift_remove(*alias) {
            members.insert((*name).into(), value);
        }
    }
    let values = json::parse("the defaults", defaults.values.as_bytes())?;
    for (name, value) in values.as_object().into_iter().flatten() {
        if !members.contains_key(name) {
            members.insert(name.clone(), value.clone());
            defaulted.insert(name.clone());
        }
    }
    for (name, derived) in defaults.derived {
        let keeps = |value: &Value| !value.is_null() || matches!(derived, Derived::HeadSizeUnlessNull);
        if members.get(*name).is_some_and(keeps) {
            continue;
        }
        if let Some(value) = derived.value(members) {
            members.insert((*name).into(), value);
            defaulted.insert((*name).into());
        }
    }
    // Classes of transformers copy the old name of the type to the new one.
    if let Some(Value::Object(rope)) = members.get_mut("rope_scaling")
        && let Some(rope_type) = rope.get("type").cloned()
    {
        rope.insert("rope_type".into(), rope_type);
    }
    Ok(())
}

impl Derived {
    /// The value, from other members. `None` if these are missing.
    fn value(self, members: &Members) -> Option<Value> {
        let number = |name: &str| members.get(name).and_then(Value::as_u64);
        Some(match self {
            Self::Same(name) => number(name)?.into(),
            Self::HeadSize | Self::HeadSizeUnlessNull => {
                (number("hidden_size")?.checked_div(number("num_attention_heads")?)?).into()
            }
            Self::Windows(period) => layer_types(number("num_hidden_layers")?, period, SLIDING)?,
            Self::WindowsOf(name) => layer_types(number("num_hidden_layers")?, number(name)?, SLIDING)?,
            Self::LinearOf(name, period) => {
                layer_types(number("num_hidden_layers")?, number(name).unwrap_or(period), "linear_attention")?
            }
        })
    }
}

const SLIDING: &str = "sliding_attention";

/// The types of the layers, of which each whose number is a multiple of `period` sees everything.
fn layer_types(layers: u64, period: u64, other: &str) -> Option<Value> {
    let kind = |layer: u64| if layer.is_multiple_of(period) { "full_attention" } else { other };
    (period > 0 && layers <= u64::from(u16::MAX)).then(|| (1..=layers).map(kind).collect())
}
