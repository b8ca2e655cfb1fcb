//! Broken and unknown models.

use gguf_format::io::{Source, block_on};

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
