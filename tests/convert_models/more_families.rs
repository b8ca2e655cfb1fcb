//! Families that the corpus does not have, of which each was compared with the reference byte for byte.

use serde_json::{Value as Json, json};

use super::families::{ATTENTION, ENDS, GATED, Model, NORMS, config, elements, model, unsigned, whole_numbers};
use super::folder::index;

const EXPERTS: &[(&str, &[u64])] = &[
    ("model.layers.1.mlp.gate.weight", &[2, 8]),
    ("model.layers.1.mlp.gate.e_score_correction_bias", &[2]),
    ("model.layers.1.mlp.experts.0.gate_proj.weight", &[6, 8]),
    ("model.layers.1.mlp.experts.0.up_proj.weight", &[6, 8]),
    ("model.layers.1.mlp.experts.0.down_proj.weight", &[8, 6]),
    ("model.layers.1.mlp.experts.1.gate_proj.weight", &[6, 8]),
    ("model.layers.1.mlp.experts.1.up_proj.weight", &[6, 8]),
    ("model.layers.1.mlp.experts.1.down_proj.weight", &[8, 6]),
    ("model.layers.1.mlp.shared_experts.gate_proj.weight", &[6, 8]),
    ("model.layers.1.mlp.shared_experts.up_proj.weight", &[6, 8]),
    ("model.layers.1.mlp.shared_experts.down_proj.weight", &[8, 6]),
    ("model.layers.0.mlp.gate_proj.weight", &[12, 8]),
    ("model.layers.0.mlp.up_proj.weight", &[12, 8]),
    ("model.layers.0.mlp.down_proj.weight", &[8, 12]),
];

const QUERY_KEY_NORMS: &[(&str, &[u64])] =
    &[("model.layers.#.self_attn.q_norm.weight", &[4]), ("model.layers.#.self_attn.k_norm.weight", &[4])];

/// A model whose vocabulary is one of the corpus.
fn with_pieces(config: Json, tensors: &[&[(&str, &[u64])]]) -> Model {
    let ends: &[(&str, &[u64])] =
        &[("model.embed_tokens.weight", &[352, 8]), ("model.norm.weight", &[8]), ("lm_head.weight", &[352, 8])];
    let mut model = model(config, &[&[ends], tensors].concat());
    model.config["vocab_size"] = 352.into();
    model.vocabulary = Some("Tiny-Llama-0.1M-Chat-v1.0");
    model
}

#[test]
fn glm_4_5_has_experts_and_fixed_tokens() {
    let more = json!({ "head_dim": 4, "n_routed_experts": 2, "num_experts_per_tok": 1, "n_shared_experts": 1,
        "moe_intermediate_size": 6, "first_k_dense_replace": 1 });
    let glm =
        model(config("Glm4MoeForCausalLM", "glm4_moe", more), &[ENDS, ATTENTION, QUERY_KEY_NORMS, NORMS, EXPERTS]);
    let (header, _) = glm.assert_loads();
    assert_eq!(unsigned(&header, "glm4moe.expert_gating_func"), Some(2));
    assert_eq!(unsigned(&header, "glm4moe.rope.dimension_count"), Some(2));
    let tokens =
        ["bos", "eot", "unknown", "eom"].map(|role| unsigned(&header, &format!("tokenizer.ggml.{role}_token_id")));
    assert_eq!(tokens, [Some(5), Some(4), Some(3), Some(6)]);
}

#[test]
fn glm_of_2024_does_not_read_the_base_of_the_positions() {
    let mlp: &[(&str, &[u64])] =
        &[("model.layers.#.mlp.gate_up_proj.weight", &[24, 8]), ("model.layers.#.mlp.down_proj.weight", &[8, 12])];
    let more = json!({ "head_dim": 4, "rope_theta": 5e6 });
    let (header, _) = model(config("GlmForCausalLM", "glm", more), &[ENDS, ATTENTION, NORMS, mlp]).assert_loads();
    assert_eq!(header.get("chatglm.rope.freq_base").unwrap().value().as_f64(), Some(10_000.0));
    assert_eq!(unsigned(&header, "chatglm.context_length"), Some(8));
}

#[test]
fn command_r7b_and_dots_are_loaded() {
    let more = json!({ "rotary_pct": 1.0 });
    let tensors: &[&[(&str, &[u64])]] = &[&ENDS[..2], ATTENTION, &NORMS[..1], GATED];
    let (header, _) = model(config("Cohere2ForCausalLM", "cohere2", more), tensors).assert_loads();
    assert_eq!(unsigned(&header, "cohere2.attention.sliding_window"), Some(4096));
    assert_eq!(unsigned(&header, "cohere2.rope.dimension_count"), Some(4));

    let more = json!({ "head_dim": 4, "num_key_value_heads": 2, "n_routed_experts": 2, "num_experts_per_tok": 1,
        "n_shared_experts": 1, "moe_intermediate_size": 6, "first_k_dense_replace": 1, "scoring_func": "sigmoid" });
    let attention: &[(&str, &[u64])] = &[
        ("model.layers.#.self_attn.q_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.k_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.v_proj.weight", &[8, 8]),
        ("model.layers.#.self_attn.o_proj.weight", &[8, 8]),
    ];
    let dots = model(config("Dots1ForCausalLM", "dots1", more), &[ENDS, attention, QUERY_KEY_NORMS, NORMS, EXPERTS]);
    let (header, _) = dots.assert_loads();
    assert_eq!(unsigned(&header, "dots1.expert_gating_func"), Some(2));
}

#[test]
fn families_with_pieces_are_loaded() {
    if index().is_none() {
        return;
    }
    with_pieces(config("Ernie4_5ForCausalLM", "ernie4_5", json!({ "head_dim": 4 })), &[ATTENTION, NORMS, GATED])
        .assert_loads();

    let mlp: &[(&str, &[u64])] =
        &[("model.layers.#.mlp.up_proj.weight", &[12, 8]), ("model.layers.#.mlp.down_proj.weight", &[8, 12])];
    let biases: &[(&str, &[u64])] = &[
        ("model.norm.bias", &[8]),
        ("model.layers.#.input_layernorm.bias", &[8]),
        ("model.layers.#.post_attention_layernorm.bias", &[8]),
    ];
    let nemotron = config("NemotronForCausalLM", "nemotron", json!({ "head_dim": 4, "num_key_value_heads": 1 }));
    let converted = with_pieces(nemotron, &[ATTENTION, NORMS, mlp, biases]).assert_loads();
    // 1 is added to the factors of a norm, and not to what it adds.
    assert_eq!(elements(&converted, "output_norm.weight")[..3], [1.0, 2.0, 3.0]);
    assert_eq!(elements(&converted, "output_norm.bias")[..3], [0.0, 1.0, 2.0]);
    assert_eq!(unsigned(&converted.0, "tokenizer.ggml.unknown_token_id"), Some(1));
}

#[test]
fn the_text_of_qwen_vl_is_in_an_object_or_not() {
    let images: &[(&str, &[u64])] = &[("visual.blocks.0.attn.proj.weight", &[4, 4])];
    let biases: &[(&str, &[u64])] = &[
        ("model.layers.#.self_attn.q_proj.bias", &[8]),
        ("model.layers.#.self_attn.k_proj.bias", &[4]),
        ("model.layers.#.self_attn.v_proj.bias", &[4]),
    ];
    let tensors: &[&[(&str, &[u64])]] = &[ENDS, ATTENTION, NORMS, GATED, biases, images];
    let more = json!({ "rope_scaling": { "type": "mrope", "mrope_section": [1, 1, 0] }, "rms_norm_eps": 1e-6 });
    let flat = config("Qwen2VLForConditionalGeneration", "qwen2_vl", more);
    let mut text = flat.clone();
    text["model_type"] = "qwen2_vl_text".into();
    text.as_object_mut().unwrap().remove("architectures");
    let nested = json!({ "architectures": flat["architectures"], "model_type": "qwen2_vl", "text_config": text });
    let (header, file) = model(flat, tensors).assert_loads();
    assert_eq!(whole_numbers(&header, "qwen2vl.rope.dimension_sections"), [1, 1, 0, 0]);
    assert!(header.get("qwen2vl.rope.scaling.type").is_none());
    assert!(header.tensors().all(|tensor| !tensor.name().to_string().contains("visual")));
    assert_eq!(model(nested, tensors).assert_loads().1, file);
}
