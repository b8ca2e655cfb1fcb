//! Families that the corpus does not have: what the reference makes of them was recorded by `tests/python/model_families.py`.

use gguf_convert::model::{ModelOptions, ModelPlan, NextTokenLayers, OutputType};
use gguf_format::io::{Source, block_on};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::families::Model;
use super::folder::index;

fn model(case: &Json) -> Model {
    let tensors: Vec<(&str, Vec<u64>)> = (case["tensors"].as_array().unwrap().iter())
        .map(|tensor| {
            let tensor = tensor.as_array().unwrap();
            (tensor[0].as_str().unwrap(), tensor[1..].iter().map(|length| length.as_u64().unwrap()).collect())
        })
        .collect();
    let tensors: Vec<(&str, &[u64])> = tensors.iter().map(|(name, shape)| (*name, shape.as_slice())).collect();
    let vocabulary = case["vocabulary"].as_str().map(|name| &*name.to_owned().leak());
    let mut model = Model::new(case["config"].clone(), &tensors);
    (model.vocabulary, model.is_counted) = (vocabulary, true);
    for (name, text) in case["files"].as_object().into_iter().flatten() {
        model.files.push((name.clone(), text.as_str().unwrap().into()));
    }
    model
}

#[test]
fn models_of_every_family_are_those_of_the_reference() {
    if index().is_none() {
        return;
    }
    let cases: Vec<Json> = serde_json::from_str(include_str!("model_families.json")).unwrap();
    assert!(cases.len() >= 40, "{} models", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let mut options = ModelOptions::default();
        options.output_type = OutputType::F32;
        options.pre = Some("gpt-2".into());
        options.next_token_layers = match case["arguments"][0].as_str() {
            Some("--mtp") => NextTokenLayers::Alone,
            Some("--no-mtp") => NextTokenLayers::LeftOut,
            _ => NextTokenLayers::Included,
        };
        let converted = block_on(async {
            let plan = ModelPlan::new(&model(case).open(), &options).await?;
            plan.file().read(0..plan.size()).await
        });
        match (converted, case["sha256"].as_str()) {
            (Ok(file), Some(expected)) => {
                let hash: String = Sha256::digest(file.as_slice()).iter().map(|byte| format!("{byte:02x}")).collect();
                if hash != expected {
                    failures.push(format!("{name} has other bytes"));
                    if let Some(folder) = std::env::var_os("GGUF_KEPT") {
                        std::fs::write(
                            std::path::Path::new(&folder).join(format!("{name}.ours.gguf")),
                            file.as_slice(),
                        )
                        .unwrap();
                    }
                }
            }
            (Err(_), None) => {}
            // The reference writes files that llama.cpp refuses.
            (Err(error), Some(_))
                if case["refused_here"].as_str().is_some_and(|text| error.to_string().contains(text)) => {}
            (Ok(_), None) => failures.push(format!("{name} is converted: the reference says {}", case["refused"])),
            (Err(error), Some(_)) => failures.push(format!("{name}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{} of {} models:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
