//! Models whose files contradict each other are refused, whatever they say. They never panic.

use gguf_convert::model::{HubModel, ModelOptions, ModelPlan};
use gguf_format::io::{Source, block_on};
use serde_json::{Value as Json, json};

use super::bytes::{joined, parts, with_tensors};
use super::folder::{index, open, options};
use crate::corpus;
use crate::long::in_long;
use crate::safetensors_input;

/// Plans a conversion. A plan that is accepted can be read.
fn try_plan<S: Source>(model: &HubModel<S>, options: &ModelOptions) -> bool {
    match block_on(ModelPlan::new(model, options)) {
        Ok(plan) => {
            let size = plan.size();
            assert!(size < 100 << 20, "{size} bytes");
            block_on(plan.file().read(0..size)).unwrap();
            true
        }
        Err(_) => false,
    }
}

/// Values of a member that can break a calculation.
fn values() -> [Json; 8] {
    [Json::Null, json!(0), json!(1), json!(3), json!(u32::MAX), json!(-1), json!("x"), json!([{}, 7])]
}

#[test]
fn any_value_of_a_member_of_the_configuration_is_read() {
    let Some((folder, index)) = index() else { return };
    let mut tried = 0;
    for (position, model) in index["models"].as_array().unwrap().iter().enumerate() {
        let path = folder.join(model["folder"].as_str().unwrap());
        let mut opened = open(&path).unwrap();
        let options = options(&folder, &[], &model["pre"]);
        let config = corpus::json(&path.join("config.json"));
        for (number, name) in config.as_object().unwrap().keys().enumerate() {
            for (choice, value) in values().into_iter().enumerate() {
                if in_long(false, choice != (position + number) % values().len()) {
                    continue;
                }
                let mut changed = config.clone();
                changed[name] = value;
                opened.files.insert("config.json", changed.to_string().into_bytes());
                try_plan(&opened, &options);
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "the corpus is not whole: {tried} changes");
}

#[test]
fn any_shape_of_a_tensor_is_read() {
    let Some((folder, index)) = index() else { return };
    let mut tried = 0;
    for (position, model) in index["models"].as_array().unwrap().iter().enumerate() {
        let path = folder.join(model["folder"].as_str().unwrap());
        let Ok(file) = std::fs::read(path.join("model.safetensors")) else { continue };
        let opened = open(&path).unwrap();
        let options = options(&folder, &[], &model["pre"]);
        let (header, data) = parts(&file);
        let names: Vec<&String> = header.as_object().unwrap().keys().filter(|name| *name != "__metadata__").collect();
        for (number, name) in names.into_iter().enumerate() {
            let shape: Vec<u64> = serde_json::from_value(header[name]["shape"].clone()).unwrap();
            let elements: u64 = shape.iter().product();
            let reversed: Vec<u64> = shape.iter().rev().copied().collect();
            let nested = [&[1][..], &shape].concat();
            let shapes =
                [reversed, vec![elements], nested, vec![1, elements], vec![elements, 1], vec![0; 2], vec![1; 9]];
            for (choice, shape) in shapes.into_iter().enumerate() {
                if in_long(false, choice != (position + number) % 7) {
                    continue;
                }
                let mut changed = header.clone();
                if shape.iter().product::<u64>() != elements {
                    changed[name]["data_offsets"][1] = changed[name]["data_offsets"][0].clone();
                    changed[name]["dtype"] = "F4".into();
                }
                changed[name]["shape"] = json!(shape);
                if let Ok(model) = with_tensors(&opened, joined(&changed, data)) {
                    try_plan(&model, &options);
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "the corpus is not whole: {tried} changes");
}

#[test]
fn any_bytes_of_a_header_are_read() {
    let Some((folder, index)) = index() else { return };
    let path = folder.join(index["models"][0]["folder"].as_str().unwrap());
    let file = std::fs::read(path.join("model.safetensors")).unwrap();
    let end = 8 + u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    let mut input = [&(file.len() as u32).to_le_bytes()[..], &file[8..end]].concat();
    let mut state = 1_u64;
    let mut next = |below: usize| {
        // Knuth's generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut accepted = 0;
    for _ in 0..in_long(1_000_000, 20_000) {
        let position = next(input.len());
        let old = input[position];
        // Most changes to a digit leave JSON.
        input[position] = if old.is_ascii_digit() { b'0' + next(10) as u8 } else { next(256) as u8 };
        accepted += usize::from(safetensors_input::run(&input));
        input[position] = old;
    }
    assert!(accepted > 100, "{accepted} headers are accepted");
}
