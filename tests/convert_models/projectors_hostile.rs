//! Projectors of models with odd configurations and odd tensors: they are planned and read, or refused.

use std::rc::Rc;

use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::Result;
use gguf_format::io::{Source, block_on};
use serde_json::{Map, Value as Json, json};

use super::bytes::{Bytes, joined};
use super::projectors::cases;
use crate::long::in_long;

/// The largest file that is read whole.
const LARGEST: u64 = 1 << 20;

/// A model with zeros for numbers.
fn tensors(case: &Json) -> Result<SafetensorsModel<Bytes>> {
    let (mut header, mut size) = (Map::new(), 0);
    for (name, shape) in case["tensors"].as_object().unwrap() {
        let blocks = if name.contains('#') { case["blocks"].as_u64().unwrap() } else { 1 };
        let elements: u64 = shape.as_array().unwrap().iter().map(|length| length.as_u64().unwrap()).product();
        for name in (0..blocks).map(|block| name.replace('#', &block.to_string())) {
            let end = size + 2 * elements as usize;
            header.insert(name, json!({ "dtype": "BF16", "shape": shape, "data_offsets": [size, end] }));
            size = end;
        }
    }
    let source = Bytes(Rc::new(joined(&Json::Object(header), &vec![0; size])));
    let part = block_on(SafetensorsFile::open("model.safetensors", source))?;
    SafetensorsModel::new(vec![part], None)
}

/// Plans a projector, and reads it. Returns whether that is possible.
fn is_planned(case: &Json, tensors: SafetensorsModel<Bytes>) -> bool {
    let mut files = SmallFiles::default();
    for (name, content) in case["files"].as_object().unwrap() {
        files.insert(name, content.to_string().into_bytes());
    }
    let model = HubModel { folder: "odd".into(), files, tensors };
    let mut options = ModelOptions::default();
    options.projector = true;
    match block_on(ModelPlan::new(&model, &options)) {
        Ok(plan) if plan.size() < LARGEST => {
            let file = block_on(plan.file().read(0..plan.size())).unwrap();
            assert_eq!(file.as_slice().len() as u64, plan.size());
            true
        }
        Ok(_) => true,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// The paths of all values.
fn pointers(value: &Json, path: &str, found: &mut Vec<String>) {
    found.push(path.into());
    let members: Vec<(String, &Json)> = match value {
        Json::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Json::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in members {
        pointers(value, &format!("{path}/{}", name.replace('/', "~1")), found);
    }
}

#[test]
fn any_value_of_a_configuration_is_used_or_refused() {
    let values = [
        Json::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(3),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(-0.5),
        json!("x"),
        json!([]),
        json!([u32::MAX, 7]),
        json!({}),
        json!({ "hidden_size": 1 }),
    ];
    let (mut planned, mut refused, mut tried) = (0, 0, 0);
    for case in cases() {
        let stored = tensors(&case).unwrap();
        assert!(is_planned(&case, stored.clone()), "{}", case["folder"]);
        let mut paths = Vec::new();
        pointers(&case["files"], "/files", &mut paths);
        for path in paths.iter().filter(|path| path.matches('/').count() > 1) {
            for value in &values {
                tried += 1;
                if tried % in_long(1, 6) != 0 {
                    continue;
                }
                let mut odd = case.clone();
                *odd.pointer_mut(path).unwrap() = value.clone();
                if is_planned(&odd, stored.clone()) {
                    planned += 1;
                } else {
                    refused += 1;
                }
            }
        }
    }
    assert!(planned > 300 && refused > 300, "{planned} planned, {refused} refused");
}

#[test]
fn any_shape_of_a_tensor_is_used_or_refused() {
    let shapes = [
        json!([]),
        json!([1]),
        json!([7]),
        json!([2, 3]),
        json!([0, 3]),
        json!([1, 3, 2]),
        json!([1, 1, 2, 1, 3]),
        json!([1, 1, 1, 1, 1, 2]),
    ];
    let (mut planned, mut refused, mut tried) = (0, 0, 0);
    for case in cases() {
        for name in case["tensors"].as_object().unwrap().keys() {
            for shape in &shapes {
                tried += 1;
                if tried % in_long(1, 5) != 0 {
                    continue;
                }
                let mut odd = case.clone();
                odd["tensors"][name] = shape.clone();
                match tensors(&odd).is_ok_and(|tensors| is_planned(&odd, tensors)) {
                    true => planned += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(planned > 20 && refused > 20, "{planned} planned, {refused} refused");
}
