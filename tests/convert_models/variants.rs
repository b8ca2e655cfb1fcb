//! Configurations and tensors that differ from those of the corpus. What becomes of them is recorded from the reference.

use gguf_convert::safetensors::part_names;
use gguf_format::ErrorCode;
use serde_json::json;

use super::families::{
    ATTENTION, ENDS, GATED, LATE_NORMS, Model, NORMS, config, elements, model, unsigned, whole_numbers,
};

#[track_caller]
fn assert_refused(model: &Model, code: ErrorCode, part: &str) {
    let error = model.converted().expect_err(part);
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(part), "{error}");
}

#[test]
fn the_biases_of_olmo_are_not_interleaved() {
    let biases: &[(&str, &[u64])] =
        &[("model.layers.#.self_attn.q_proj.bias", &[8]), ("model.layers.#.self_attn.k_proj.bias", &[4])];
    let ends: &[(&str, &[u64])] = &[ENDS[0], ENDS[2]];
    let converted = model(config("OlmoForCausalLM", "olmo", json!({})), &[ends, ATTENTION, GATED, biases]).converted();
    let converted = converted.unwrap();
    assert_eq!(elements(&converted, "blk.1.attn_q.bias"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    assert_eq!(elements(&converted, "blk.1.attn_k.bias"), [0.0, 1.0, 2.0, 3.0]);
    // Matrices are.
    assert_eq!(
        elements(&converted, "blk.1.attn_k.weight")[..17],
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 8.0]
    );
}

#[test]
fn null_is_not_the_default() {
    let biases: &[(&str, &[u64])] = &[
        ("model.norm.bias", &[8]),
        ("model.layers.#.input_layernorm.bias", &[8]),
        ("model.layers.#.post_attention_layernorm.bias", &[8]),
    ];
    let tensors: &[&[(&str, &[u64])]] = &[ENDS, ATTENTION, NORMS, GATED, biases];
    let stablelm = |more| model(config("StableLmForCausalLM", "stablelm", more), tensors);
    let parallel = |more| {
        let (header, _) = stablelm(more).converted().unwrap();
        header.get("stablelm.use_parallel_residual").unwrap().value().as_bool()
    };
    assert_eq!(parallel(json!({ "use_parallel_residual": null })), Some(false));
    assert_eq!(parallel(json!({ "use_parallel_residual": true })), Some(true));
    let qwen =
        model(config("Qwen2ForCausalLM", "qwen2", json!({ "vocab_size": null })), &[ENDS, ATTENTION, NORMS, GATED]);
    assert_refused(&qwen, ErrorCode::BadVocabulary, "vocab_size");
}

#[test]
fn the_window_of_tokens_that_see_later_ones_is_halved() {
    let norms: &[(&str, &[u64])] = &[
        ("model.layers.#.input_layernorm.weight", &[8]),
        ("model.layers.#.pre_feedforward_layernorm.weight", &[8]),
        ("model.layers.#.self_attn.q_norm.weight", &[4]),
        ("model.layers.#.self_attn.k_norm.weight", &[4]),
    ];
    let gemma = |more| {
        let mut config =
            config("Gemma3ForCausalLM", "gemma3_text", json!({ "head_dim": 4, "sliding_window": 32, "vocab_size": 7 }));
        config.as_object_mut().unwrap().extend::<serde_json::Map<_, _>>(more);
        model(config, &[&ENDS[..2], ATTENTION, norms, LATE_NORMS, GATED]).converted().unwrap().0
    };
    let more = |value: serde_json::Value| value.as_object().unwrap().clone();
    let plain = gemma(more(json!({})));
    assert_eq!(unsigned(&plain, "gemma3.attention.sliding_window"), Some(32));
    let both = gemma(more(json!({ "use_bidirectional_attention": true, "rope_theta": null })));
    assert_eq!(unsigned(&both, "gemma3.attention.sliding_window"), Some(17));
    // The reference has a default of its own for a base of null.
    assert_eq!(both.get("gemma3.rope.freq_base").unwrap().value().as_f64(), Some(1e6));
}

#[test]
fn what_the_architecture_does_not_have_is_refused() {
    let llama3 = json!({ "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64 });
    let granite = config(
        "GraniteForCausalLM",
        "granite",
        json!({ "rope_scaling": llama3, "rms_norm_eps": 1e-6,
        "rope_theta": 1e4, "embedding_multiplier": 1.0, "logits_scaling": 1.0, "residual_multiplier": 1.0,
        "attention_multiplier": 1.0 }),
    );
    assert_refused(&model(granite, &[ENDS, ATTENTION, NORMS, GATED]), ErrorCode::UnsupportedModel, "llama3");
    let norm = &NORMS[..1];
    let cohere = model(config("CohereForCausalLM", "cohere", json!({})), &[ENDS, ATTENTION, norm, GATED]);
    assert_refused(&cohere, ErrorCode::UnsupportedModel, "lm_head.weight");
    let bias: &[(&str, &[u64])] = &[("model.layers.#.self_attn.q_proj.bias", &[8])];
    let more = json!({ "rotary_pct": 1.0 });
    let cohere2 = model(config("Cohere2ForCausalLM", "cohere2", more), &[&ENDS[..2], ATTENTION, bias, norm, GATED]);
    assert_refused(&cohere2, ErrorCode::UnsupportedModel, "q_proj.bias");
}

#[test]
fn a_file_that_the_class_refuses_has_no_defaults() {
    let qwen = |more| model(config("Qwen2ForCausalLM", "qwen2", more), &[ENDS, ATTENTION, NORMS, GATED]);
    // The class fills in the base of the positions.
    assert!(qwen(json!({ "rope_scaling": { "type": "linear", "factor": 2.0 } })).converted().is_ok());
    assert_refused(
        &qwen(json!({ "rope_scaling": { "type": "linear" } })),
        ErrorCode::UnsupportedModel,
        "the class of transformers refuses this file",
    );
    let layers = json!({ "layer_types": ["full_attention"] });
    assert_refused(&qwen(layers), ErrorCode::UnsupportedModel, "layer_types");
}

#[test]
fn older_configurations_of_lfm2_number_the_blocks_with_attention() {
    let tensors: &[(&str, &[u64])] = &[
        ("model.embed_tokens.weight", &[8, 8]),
        ("model.embedding_norm.weight", &[8]),
        ("model.layers.#.operator_norm.weight", &[8]),
        ("model.layers.#.ffn_norm.weight", &[8]),
        ("model.layers.#.feed_forward.w1.weight", &[12, 8]),
        ("model.layers.#.feed_forward.w2.weight", &[8, 12]),
        ("model.layers.#.feed_forward.w3.weight", &[12, 8]),
        ("model.layers.0.conv.conv.weight", &[8, 1, 3]),
        ("model.layers.0.conv.in_proj.weight", &[24, 8]),
        ("model.layers.0.conv.out_proj.weight", &[8, 8]),
        ("model.layers.1.self_attn.q_proj.weight", &[8, 8]),
        ("model.layers.1.self_attn.k_proj.weight", &[4, 8]),
        ("model.layers.1.self_attn.v_proj.weight", &[4, 8]),
        ("model.layers.1.self_attn.out_proj.weight", &[8, 8]),
        ("model.layers.1.self_attn.q_layernorm.weight", &[4]),
        ("model.layers.1.self_attn.k_layernorm.weight", &[4]),
    ];
    let more = json!({ "full_attn_idxs": [1], "block_auto_adjust_ff_dim": false, "conv_L_cache": 3 });
    let (header, _) = model(config("Lfm2ForCausalLM", "lfm2", more), &[tensors]).assert_loads();
    assert_eq!(whole_numbers(&header, "lfm2.attention.head_count_kv"), [0, 1]);
}

#[test]
fn a_model_that_lacks_a_whole_block_is_refused() {
    let llama = |more| model(config("LlamaForCausalLM", "llama", more), &[ENDS, ATTENTION, NORMS, GATED]);
    let with_more_blocks = llama(json!({ "num_hidden_layers": 3 }));
    assert_refused(&with_more_blocks, ErrorCode::IncompleteModel, "block");
    let refused = llama(json!({ "rope_scaling": "linear" }));
    assert_refused(&refused, ErrorCode::BadJson, "rope_scaling");
}

#[test]
fn the_name_of_a_part_says_how_many_there_are() {
    let part = |number| format!("model-0000{number}-of-00003.safetensors");
    let (first, all) = ([part(1)], [part(1), part(2), part(3)]);
    let names = |parts: &[String]| part_names(&parts.iter().map(String::as_str).collect::<Vec<_>>(), None);
    assert_eq!(names(&all).unwrap(), all);
    assert_eq!(names(&first).unwrap_err().code(), ErrorCode::IncompleteModel);
}
