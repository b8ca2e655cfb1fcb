//! The parameters of the rotary position embedding, whatever form of `config.json` they are in.

use alloc::string::String;

use serde_json::{Map, Value, json};

/// The base frequency of blocks that see everything.
const GLOBAL_BASES: &[&str] =
    &["global_rope_theta", "rope_global_theta", "rope_theta_global", "rope_theta", "rotary_emb_base"];

/// The base frequency of blocks with a sliding window.
const LOCAL_BASES: &[&str] =
    &["local_rope_theta", "rope_local_theta", "rope_theta_local", "swa_rope_theta", "rope_local_base_freq"];

const PARTIAL_FACTORS: &[&str] = &["partial_rotary_factor", "rope_pct", "rope_percent"];

/// `rope_parameters` or `rope_scaling`, with the members that are outside of them.
pub(super) fn parameters(config: &Value) -> Map<String, Value> {
    let find = |names: &[&str]| names.iter().find_map(|name| config.get(name));
    let given = find(&["rope_parameters", "rope_scaling"]);
    let mut rope = given.and_then(Value::as_object).cloned().unwrap_or_default();
    if rope.contains_key("full_attention") || rope.contains_key("sliding_attention") {
        return rope;
    }
    let outside = |names: &[&str]| find(names).filter(|value| !value.is_null()).cloned();
    if let Some(base) = outside(LOCAL_BASES) {
        rope.insert("sliding_attention".into(), json!({ "rope_theta": base }));
    }
    let rope_type = rope.get("type").filter(|value| !value.is_null()).cloned();
    for (name, value) in [
        ("rope_theta", outside(GLOBAL_BASES)),
        ("rope_type", rope_type),
        ("partial_rotary_factor", outside(PARTIAL_FACTORS)),
        ("original_max_position_embeddings", outside(&["original_max_position_embeddings"])),
    ] {
        if let Some(value) = value.filter(|value: &Value| !value.is_null() && !rope.contains_key(name)) {
            rope.insert(name.into(), value);
        }
    }
    rope
}
