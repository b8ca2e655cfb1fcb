//! Adapters for the models of the corpus: what the reference makes of them was recorded by `tests/python/lora_families.py`.

use std::path::Path;

use gguf_format::io::{Source, block_on};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::bytes::{Bytes, joined, with_tensors};
use super::folder::index;
use super::lora::{open, plan};
use gguf_convert::lora::ADAPTER_CONFIG;
use gguf_convert::model::HubModel;

const RANK: u64 = 2;

/// An adapter with pairs for some tensors of the base model: lists of their names without `.weight`, their rows and columns.
fn adapter(folder: &Path, tensors: &[Json]) -> HubModel<Bytes> {
    let mut header = json!({});
    let mut count = 0;
    for tensor in tensors {
        let name = tensor[0].as_str().unwrap();
        let (mut rows, mut columns) = (tensor[1].as_u64().unwrap(), tensor[2].as_u64().unwrap());
        // GPT-NeoX calls its output matrix an embedding.
        let is_embedding = (name.contains("embed") || name.ends_with("wte")) && name != "embed_out";
        let ends = if is_embedding {
            (rows, columns) = (columns, rows);
            ["lora_embedding_A", "lora_embedding_B"]
        } else {
            ["lora_A.weight", "lora_B.weight"]
        };
        for (end, shape) in ends.iter().zip([[RANK, columns], [rows, RANK]]) {
            let end_count = count + shape[0] * shape[1];
            header[format!("base_model.model.{name}.{end}")] =
                json!({ "dtype": "F32", "shape": shape, "data_offsets": [4 * count, 4 * end_count] });
            count = end_count;
        }
    }
    let number = |number: u64| ((number * 37 % 251) as f32 - 125.0) / 64.0;
    let data: Vec<u8> = (0..count).flat_map(|position| number(position).to_le_bytes()).collect();
    let mut adapter = with_tensors(&open(&folder.join("lora/attn-only")), joined(&header, &data)).unwrap();
    adapter.folder = "family-adapter".into();
    let config = json!({ "peft_type": "LORA", "lora_alpha": 4, "r": RANK });
    adapter.files.insert(ADAPTER_CONFIG, config.to_string().into_bytes());
    adapter
}

#[test]
fn adapters_of_every_family_are_those_of_the_reference() {
    let Some((folder, _)) = index() else { return };
    let cases: Vec<Json> = serde_json::from_str(include_str!("lora_families.json")).unwrap();
    assert!(cases.len() >= 38, "{} models", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let model = case["model"].as_str().unwrap();
        let base = folder.join("models").join(model);
        match plan(&adapter(&folder, case["accepted"].as_array().unwrap()), &base, "bf16") {
            Ok(plan) => {
                let file = block_on(plan.file().read(0..plan.size())).unwrap();
                let hash: String = Sha256::digest(file.as_slice()).iter().map(|byte| format!("{byte:02x}")).collect();
                if hash != case["sha256"].as_str().unwrap() {
                    failures.push(format!("{model}: other bytes"));
                }
            }
            Err(error) => failures.push(format!("{model}: {error}")),
        }
        for group in case["refused"].as_array().unwrap() {
            match plan(&adapter(&folder, group.as_array().unwrap()), &base, "bf16") {
                Ok(_) => failures.push(format!("{model}: {group} is accepted")),
                Err(error) => println!("{model}: {error}"),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
