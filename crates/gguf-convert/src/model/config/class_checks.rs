//! Configurations that classes of transformers refuse.
//!
//! The converter of llama.cpp then reads `config.json` as it is, without the defaults of the class. The checks are facts of
//! transformers 4.57.6.

use alloc::string::String;

use serde_json::{Map, Value};

type Members = Map<String, Value>;

/// Classes that check `rope_scaling` after they have copied its old name of the type.
const CHECKED: &[&str] = &[
    "arcee",
    "deepseek_v2",
    "deepseek_v3",
    "ernie4_5",
    "ernie4_5_moe",
    "glm4_moe",
    "glm4v_moe_text",
    "glm4v_text",
    "gpt_neox",
    "gpt_oss",
    "llama",
    "olmoe",
    "phi",
    "phimoe",
    "qwen2",
    "qwen2_5_omni_text",
    "qwen2_5_vl",
    "qwen2_5_vl_text",
    "qwen2_moe",
    "qwen2_vl",
    "qwen2_vl_text",
    "qwen3",
    "qwen3_moe",
    "seed_oss",
    "smollm3",
    "stablelm",
    "starcoder2",
];

/// Classes that check `rope_scaling` as it is.
const CHECKED_AS_IT_IS: &[&str] = &[
    "cohere",
    "cohere2",
    "gemma3_text",
    "gemma3n_text",
    "granite",
    "granitemoe",
    "granitemoeshared",
    "nemotron",
    "olmo3",
    "qwen3_next",
    "qwen3_vl_moe_text",
    "qwen3_vl_text",
];

/// Classes that check `layer_types`.
const CHECKED_LAYERS: &[&str] = &[
    "cohere2",
    "dots1",
    "exaone4",
    "gemma2",
    "gemma3_text",
    "gemma3n_text",
    "gpt_oss",
    "llama4_text",
    "olmo3",
    "qwen2",
    "qwen2_5_omni_text",
    "qwen2_5_vl",
    "qwen2_5_vl_text",
    "qwen2_vl",
    "qwen2_vl_text",
    "qwen3",
    "qwen3_next",
    "smollm3",
];

const LAYER_TYPES: &[&str] = &["full_attention", "sliding_attention", "chunked_attention", "linear_attention"];

/// The member because of which the class refuses a configuration. `None` if the class accepts it. `given` has the members of the whole file
/// and the members of the text model, which can be the same. `completed` has the members of the text model with defaults.
pub(super) fn refused_member(model_type: &str, given: [&Members; 2], completed: &Members) -> Option<&'static str> {
    let [_, own] = given;
    let present = |name: &str| own.get(name).filter(|value| !value.is_null());
    let refuses_rope = || present("rope_scaling").is_some_and(|rope| refuses_rope(model_type, rope, completed));
    let blocks = completed.get("num_hidden_layers").and_then(Value::as_u64);
    let refuses_layers = |layers: &Value| !layers.as_array().is_some_and(|layers| has_layers(layers, blocks));
    // The class computes these members, so a file cannot set them.
    let computed = ["head_dim", "rotary"].into_iter().find(|name| model_type == "falcon" && own.contains_key(*name));
    // The class treats any value of this member as a configuration, even `null`.
    let is_null = |members: &Members| members.get("quantization_config").is_some_and(Value::is_null);
    computed
        .or_else(|| given.into_iter().any(is_null).then_some("quantization_config"))
        .or_else(|| refuses_rope().then_some("rope_scaling"))
        .or_else(|| {
            let layers = present("layer_types").filter(|_| CHECKED_LAYERS.contains(&model_type));
            layers.is_some_and(refuses_layers).then_some("layer_types")
        })
        .or_else(|| {
            // The class computes with it, so that it fails for a text such as `LLLG`.
            const PATTERN: &str = "sliding_window_pattern";
            let is_computed = model_type == "exaone4" && present("layer_types").is_none();
            let is_number = own.get(PATTERN).is_none_or(|pattern| pattern.as_u64().is_some_and(|every| every > 0));
            let has_window = own.get("sliding_window").is_none_or(|window| !window.is_null());
            (is_computed && !(has_window && is_number)).then_some(PATTERN)
        })
}

fn has_layers(layers: &[Value], blocks: Option<u64>) -> bool {
    blocks == Some(layers.len() as u64)
        && layers.iter().all(|layer| layer.as_str().is_some_and(|name| LAYER_TYPES.contains(&name)))
}

fn refuses_rope(model_type: &str, rope: &Value, completed: &Members) -> bool {
    let Some(rope) = rope.as_object() else { return true };
    let text = |name: &str| rope.get(name).and_then(Value::as_str);
    let is_large = |value: &Value| value.is_f64() && value.as_f64().is_some_and(|number| number > 1.0);
    let present = |name: &str| rope.get(name).filter(|value| !value.is_null());
    let copies = CHECKED.contains(&model_type);
    match model_type {
        "olmo" | "olmo2" => {
            rope.len() != 2
                || !matches!(text("type"), Some("linear" | "dynamic"))
                || !present("factor").is_some_and(is_large)
        }
        "hunyuan_v1_dense" => {
            let numbers = [present("factor"), present("alpha")];
            rope.len() != 2
                || !matches!(text("type"), Some("linear" | "dynamic"))
                || numbers.iter().all(Option::is_none)
                || !numbers.into_iter().flatten().all(is_large)
        }
        "phi3" => {
            let number = |name: &str| completed.get(name).and_then(Value::as_f64);
            let head =
                number("hidden_size").zip(number("num_attention_heads")).map(|(size, heads)| libm::floor(size / heads));
            let part = number("partial_rotary_factor").unwrap_or(1.0);
            let count = head.map(|head| (head * part) as usize / 2);
            let fits = |name: &str| {
                let list = rope.get(name).and_then(Value::as_array);
                list.is_some_and(|list| list.iter().all(Value::is_number) && Some(list.len()) == count)
            };
            rope.len() != 3
                || !matches!(text("type"), Some("longrope" | "su" | "yarn"))
                || !fits("short_factor")
                || !fits("long_factor")
        }
        _ if copies || CHECKED_AS_IT_IS.contains(&model_type) => {
            let has_type = rope.contains_key("rope_type") || copies && rope.contains_key("type");
            let required: &[&str] = match text("rope_type").or(text("type")).unwrap_or("default") {
                "default" => &[],
                "linear" | "dynamic" | "yarn" => &["factor"],
                "longrope" => &["short_factor", "long_factor"],
                "llama3" => &["factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"],
                // The class warns only.
                _ => return false,
            };
            !has_type || !required.iter().all(|name| rope.contains_key(*name))
        }
        _ => false,
    }
}
