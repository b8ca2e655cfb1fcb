//! LoRA adapters of PEFT: the files of the reference converter, and adapters that cannot be converted.

use std::path::Path;

use gguf_convert::lora::{ADAPTER_CONFIG, ADAPTER_WEIGHTS, BaseModel, open_adapter, plan_adapter};
use gguf_convert::model::{HubModel, ModelFolder, ModelPlan, OutputType};
use gguf_format::Result;
use gguf_format::io::{FileSource, Source, block_on};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::bytes::{joined, parts, with_tensors};
use super::folder::{arguments, index};
use crate::corpus;
use crate::long::in_long;

/// A folder on the disk.
struct Folder<'a>(&'a Path);

impl ModelFolder for Folder<'_> {
    type Source = FileSource;

    fn paths(&self) -> Option<Vec<&str>> {
        None
    }

    async fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        Ok(std::fs::read(self.0.join(path)).ok())
    }

    async fn open(&self, path: &str) -> Result<FileSource> {
        Ok(FileSource::open(self.0.join(path)).unwrap())
    }
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// Opens an adapter.
pub fn open(path: &Path) -> HubModel<FileSource> {
    block_on(open_adapter(name(path), &Folder(path))).unwrap()
}

/// Plans the conversion of an adapter for the model in a folder.
pub fn plan<S: Source>(adapter: &HubModel<S>, base: &Path, output_type: &str) -> Result<ModelPlan<S>> {
    let base = block_on(BaseModel::read(name(base), &Folder(base)))?;
    plan_adapter(adapter, &base, OutputType::parse(output_type).unwrap())
}

fn whole<S: Source>(plan: &ModelPlan<S>) -> S::Buffer {
    block_on(plan.file().read(0..plan.size())).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_accepted_run_gives_the_file_of_the_reference() {
    let Some((folder, index)) = index() else { return };
    let mut count = 0;
    for adapter in index["lora"].as_array().unwrap() {
        let opened = open(&folder.join(adapter["folder"].as_str().unwrap()));
        for run in adapter["runs"].as_array().unwrap() {
            let (id, arguments) = (run["id"].as_str().unwrap(), arguments(run));
            let value =
                |name: &str| arguments.iter().position(|found| *found == name).map(|found| arguments[found + 1]);
            let planned = plan(&opened, &folder.join(value("--base").unwrap()), value("--outtype").unwrap_or("f32"));
            count += 1;
            if run["exit"] != 0 {
                assert_eq!(planned.err().unwrap().code(), "invalid-argument", "{id}");
                continue;
            }
            let file = whole(&planned.unwrap());
            assert_eq!(sha256(file.as_slice()), run["output"]["sha256"].as_str().unwrap(), "{id}");
            let header = gguf_format::parse(file.as_slice()).unwrap();
            let findings = gguf_models::validate::validate(&header, None);
            let errors =
                findings.iter().filter(|finding| finding.check.severity() == gguf_models::validate::Severity::Error);
            assert_eq!(errors.count(), 0, "{id}: {findings:?}");
        }
    }
    assert!(count >= 9, "the corpus is not whole: {count} runs");
}

#[test]
fn any_part_of_the_file_is_the_same() {
    let Some((folder, _)) = index() else { return };
    let adapter = open(&folder.join("lora/embed-and-norms"));
    let plan = plan(&adapter, &folder.join("models/llama3-style"), "q8_0").unwrap();
    let file = whole(&plan);
    for size in [1, 7, 100, 3000] {
        for start in (0..plan.size()).step_by(size) {
            let range = start..plan.size().min(start + size as u64);
            let part = block_on(plan.file().read(range.clone())).unwrap();
            assert_eq!(part.as_slice(), &file.as_slice()[range.start as usize..range.end as usize], "{range:?}");
        }
    }
}

#[test]
fn adapters_that_gguf_cannot_describe_are_refused() {
    let Some((folder, _)) = index() else { return };
    let path = folder.join("lora/attn-only");
    let base = folder.join("models/llama3-style");
    let config = corpus::json(&path.join(ADAPTER_CONFIG));
    let file = corpus::read(&path.join(ADAPTER_WEIGHTS));
    let (header, data) = parts(&file);
    let first = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight";

    let code = |config: &Json, header: &Json, base: &Path| {
        let mut adapter = open(&path);
        adapter.files.insert(ADAPTER_CONFIG, config.to_string().into_bytes());
        match with_tensors(&adapter, joined(header, data)) {
            Ok(adapter) => plan(&adapter, base, "f32").err().map_or("", |error| error.code().name()),
            Err(error) => error.code().name(),
        }
    };
    assert_eq!(code(&config, &header, &base), "");
    for (name, value) in [("use_dora", json!(true)), ("use_rslora", json!(true)), ("peft_type", json!("IA3"))] {
        let mut changed = config.clone();
        changed[name] = value;
        assert_eq!(code(&changed, &header, &base), "unsupported-model", "{name}");
    }
    let mut changed = config.clone();
    changed.as_object_mut().unwrap().remove("lora_alpha");
    assert_eq!(code(&changed, &header, &base), "bad-json");

    // Another name for one matrix: of DoRA, of a saved module, of a block that the model does not have, of no tensor of the model.
    for (name, expected) in [
        ("base_model.model.model.layers.0.self_attn.q_proj.lora_magnitude_vector", "unsupported-model"),
        ("base_model.model.lm_head.weight", "unsupported-model"),
        ("base_model.model.model.layers.0.self_attn.q_proj.bias", "unsupported-model"),
        ("base_model.model.model.layers.0.self_attn.x_proj.lora_A.weight", "incomplete-model"),
        ("base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight", "unsupported-model"),
    ] {
        let mut changed = header.clone();
        let entry = changed.as_object_mut().unwrap().remove(first).unwrap();
        changed[name] = entry;
        assert_eq!(code(&config, &changed, &base), expected, "{name}");
    }
    let renamed = |from: &str, to: &str| serde_json::from_str::<Json>(&header.to_string().replace(from, to)).unwrap();
    assert_eq!(code(&config, &renamed("layers.2.", "layers.3."), &base), "unsupported-model");
    assert_eq!(code(&config, &renamed("v_proj", "x_proj"), &base), "unsupported-model");
    assert_eq!(code(&config, &renamed("model.model.layers", "model.vision_tower.layers"), &base), "incomplete-model");
    // The shapes of a pair do not fit together.
    let mut changed = header.clone();
    changed[first]["shape"] = json!([8, 32]);
    assert_eq!(code(&config, &changed, &base), "bad-safetensors");
    // A base model without heads of this size, and none at all.
    assert_eq!(code(&config, &header, &folder.join("hostile/arch-unknown")), "unsupported-model");
    assert_eq!(code(&config, &header, &folder.join("hostile/config-absent")), "incomplete-model");
}

/// Rules that move columns, or whose result is no sum, refuse a pair: the reference fails, too, or makes a file that llama.cpp refuses.
#[test]
fn tensors_whose_columns_move_are_refused() {
    let Some((folder, _)) = index() else { return };
    for (model, name, rows, columns) in [
        ("gpt2-odd-rows", "transformer.h.0.attn.c_attn", 6, 2),
        ("DeepSeek-V3-tiny", "model.layers.0.self_attn.kv_b_proj", 128, 32),
        ("gemma-tiny-it", "lm_head", 8, 4),
    ] {
        let adapter = pairs_of(&folder, &[(name, rows, columns)]);
        match plan(&adapter, &folder.join("models").join(model), "f32") {
            Ok(plan) => panic!("{model}: {:?}", plan.tensors()),
            Err(error) => {
                println!("{model}: {error}");
                assert!(["unsupported-model", "bad-safetensors"].contains(&error.code().name()), "{model}: {error}");
            }
        }
    }
}

/// An adapter of rank 2 with pairs for some tensors of the base model: their names without `.weight`, their rows and columns.
fn pairs_of(folder: &Path, tensors: &[(&str, usize, usize)]) -> HubModel<super::bytes::Bytes> {
    let mut header = json!({});
    let mut length = 0;
    for (name, rows, columns) in tensors {
        for (end, shape) in [("lora_A", [2, *columns]), ("lora_B", [*rows, 2])] {
            let new = length + 4 * shape[0] * shape[1];
            header[format!("base_model.model.{name}.{end}.weight")] =
                json!({ "dtype": "F32", "shape": shape, "data_offsets": [length, new] });
            length = new;
        }
    }
    let data: Vec<u8> = (0..length / 4).flat_map(|number| (number as f32).to_le_bytes()).collect();
    with_tensors(&open(&folder.join("lora/attn-only")), joined(&header, &data)).unwrap()
}

#[test]
fn any_bytes_of_an_adapter_are_read() {
    let Some((folder, _)) = index() else { return };
    let path = folder.join("lora/embed-and-norms");
    let base = folder.join("models/llama3-style");
    let mut adapter = open(&path);
    let file = corpus::read(&path.join(ADAPTER_WEIGHTS));
    let end = 8 + u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    let config = corpus::read(&path.join(ADAPTER_CONFIG));
    let mut state = 7_u64;
    let mut next = |below: usize| {
        // Knuth's generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut accepted = 0;
    for _ in 0..in_long(20_000, 600) {
        let (mut file, mut config) = (file.clone(), config.clone());
        for _ in 0..=next(2) {
            let (bytes, start, end) = if next(4) == 0 { (&mut config, 0, 0) } else { (&mut file, 8, end) };
            let end = if end == 0 { bytes.len() } else { end };
            let position = start + next(end - start);
            let old = bytes[position];
            bytes[position] = if old.is_ascii_digit() { b'0' + next(10) as u8 } else { next(256) as u8 };
        }
        adapter.files.insert(ADAPTER_CONFIG, config);
        let Ok(changed) = with_tensors(&adapter, file) else { continue };
        if let Ok(plan) = plan(&changed, &base, "q8_0") {
            assert!(plan.size() < 1 << 20, "{} bytes", plan.size());
            whole(&plan);
            accepted += 1;
        }
    }
    assert!(accepted > 10, "{accepted} adapters are accepted");
}
