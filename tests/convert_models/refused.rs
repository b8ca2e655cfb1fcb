//! Broken and unknown models.

use gguf_wasm::io::{Source, block_on};

use super::folder::{arguments, index, plan};

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

/// Inputs that fail because of their vocabulary.
const OF_VOCABULARY: &[&str] = &[
    "no-tokenizer",
    "tokenizer-model-broken",
    "vocab-larger-than-config",
    "bpe-vocab-larger-than-config",
    "pre-tokenizer-unknown",
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
        if OF_VOCABULARY.contains(&name) {
            continue;
        }
        let is_refused = input["accepted"] != true || REFUSED_HERE.contains(&name);
        match (plan(&path, &arguments(input)), is_refused) {
            (Err(error), true) => {
                let code = error.code().name();
                let known = [
                    "bad-json",
                    "bad-safetensors",
                    "incomplete-model",
                    "unsupported-model",
                    "name-taken",
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
        let path = folder.join(model["folder"].as_str().unwrap());
        for run in model["runs"].as_array().unwrap().iter().filter(|run| run["exit"] != 0) {
            println!("{}: {}", run["id"], run["error"]);
            let _ = &path;
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
