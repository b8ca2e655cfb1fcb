//! Broken and unknown models.

use gguf_convert::model::{ModelOptions, ModelPlan, NextTokenLayers};
use gguf_format::io::{Source, block_on};
use serde_json::json;

use super::families::{ATTENTION, ENDS, GATED, NORMS, config, model};
use super::folder::{index, plan};

/// Inputs that the reference accepts although they are wrong, which are refused here.
const REFUSED_HERE: &[&str] = &[
    "tensor-missing",
    "shape-wrong-consistent",
    "no-weights",
    "offsets-overlap",
    "offsets-negative",
    "names-duplicate",
    "vocab-larger-than-config",
];

#[test]
fn every_broken_input_is_refused_with_a_code() {
    let Some((folder, index)) = index() else { return };
    let mut failures = Vec::new();
    let inputs = index["refused"].as_array().unwrap();
    assert!(inputs.len() > 40, "the corpus is not whole: {} inputs", inputs.len());
    for input in inputs {
        let path = folder.join(input["folder"].as_str().unwrap());
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_refused = input["accepted"] != true || REFUSED_HERE.contains(&name);
        match (plan(&folder, input, input), is_refused) {
            (Err(error), true) => {
                let code = error.code().name();
                let known = [
                    "bad-json",
                    "bad-safetensors",
                    "incomplete-model",
                    "unsupported-model",
                    "name-taken",
                    "bad-vocabulary",
                    "unknown-pre-tokenizer",
                    "truncated",
                    "unexpected-eof",
                    "limit-exceeded",
                ];
                if !known.contains(&code) {
                    failures.push(format!("{name}: {code}: {error}"));
                }
                println!("{name}: {code} at {:?}: {error}", error.offset());
            }
            (Ok(_), true) => failures.push(format!("{name} is accepted")),
            (Err(error), false) => failures.push(format!("{name}: {}: {error}", error.code())),
            (Ok(plan), false) => {
                block_on(plan.file().read(0..plan.size())).unwrap();
            }
        }
    }
    for model in index["models"].as_array().unwrap() {
        for run in model["runs"].as_array().unwrap().iter().filter(|run| run["exit"] != 0) {
            if plan(&folder, model, run).is_ok() {
                failures.push(format!("{} is accepted", run["id"]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_unknown_class_is_refused_with_the_nearest_one() {
    for (class, nearest) in [
        ("Qwen3TotallyNewForCausalLM", "Qwen3"),
        ("LlamaForCausalLMEagle3", "LlamaForCausalLM"),
        (&*"x".repeat(10_000), "XLMRoberta"),
    ] {
        let error = model(config(class, "llama", json!({})), &[ENDS]).converted().unwrap_err();
        assert_eq!(error.code(), "unsupported-model");
        let message = error.to_string();
        assert!(message.len() <= 400 && message.contains(&class[..20]), "{message}");
        assert!(message.rsplit(' ').next().unwrap().starts_with(nearest), "{message}");
    }
}

#[test]
fn a_file_without_a_key_that_llama_cpp_needs_is_not_made() {
    // The class does not know this member otherwise, so it has no default.
    let tensors = [ENDS, ATTENTION, NORMS, GATED];
    let known = json!({ "head_dim": 4, "rms_norm_eps": 1e-5 });
    model(config("IQuestCoderForCausalLM", "iquestcoder", known), &tensors).assert_loads();
    let error = model(config("IQuestCoderForCausalLM", "iquestcoder", json!({ "head_dim": 4 })), &tensors)
        .converted()
        .unwrap_err();
    assert_eq!(error.code(), "incomplete-model");
    assert!(error.to_string().contains("llama.attention.layer_norm_rms_epsilon is missing"), "{error}");
}

#[test]
fn layers_that_predict_later_tokens_are_not_separated_without_rules() {
    let mut options = ModelOptions::default();
    options.pre = Some("gpt-2".into());
    for layers in [NextTokenLayers::Alone, NextTokenLayers::LeftOut] {
        options.next_token_layers = layers;
        let llama = model(config("LlamaForCausalLM", "llama", json!({})), &[ENDS, ATTENTION, NORMS, GATED]).open();
        let error = block_on(ModelPlan::new(&llama, &options)).err().unwrap();
        assert_eq!(error.code(), "unsupported-model");
        assert!(error.to_string().contains("have no layers that predict later tokens"), "{error}");
    }
}
