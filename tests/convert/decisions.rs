//! Recipes choose the types of llama.cpp's own snapshots for real models: `quantize/type-decisions.json` of the reference corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gguf_convert::requantize::{Options, Recipe, Target};
use gguf_format::write::encode::Encoder;
use gguf_format::{Format, GgmlType, Header};
use serde_json::Value as Json;

use crate::corpus;

/// The positions of a list of ranges: `"2,10-12"`.
fn positions(ranges: &Json) -> BTreeSet<usize> {
    let ranges = ranges.as_str().unwrap_or_default().split(',').filter(|range| !range.is_empty());
    let number = |text: &str| text.parse::<usize>().unwrap();
    ranges
        .flat_map(|range| match range.split_once('-') {
            Some((first, last)) => number(first)..=number(last),
            None => number(range)..=number(range),
        })
        .collect()
}

/// A header with the tensors and numbers of a model.
fn header_of(model: &Json) -> Arc<Header> {
    let (architecture, number) = (model["arch"].as_str().unwrap(), |name: &str| model[name].as_u64());
    let tensors = model["tensors"].as_array().unwrap();
    let keys = [
        ("block_count", "n_layer"),
        ("attention.head_count", "n_head"),
        ("attention.head_count_kv", "n_head_kv"),
        ("expert_count", "n_expert"),
    ];
    let entries: Vec<_> = keys.iter().filter_map(|(key, name)| Some((key, number(name)? as u32))).collect();
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, entries.len() as u64 + 1).kv(b"general.architecture", &architecture.into());
    for (key, number) in entries {
        file.kv(format!("{architecture}.{key}").as_bytes(), &number.into());
    }
    let (experts, odd) = (positions(&model["experts_3d"]), positions(&model["row_not_multiple_of_256"]));
    let mut offset = 0;
    for (position, name) in tensors.iter().enumerate() {
        let row_length = if odd.contains(&position) { 32 } else { 256 };
        let dimensions: &[u64] = if experts.contains(&position) { &[row_length, 2, 2] } else { &[row_length, 2] };
        file.tensor_info(name.as_str().unwrap().as_bytes(), dimensions, GgmlType::F16.0, offset);
        offset += dimensions.iter().product::<u64>() * 2;
    }
    Arc::new(gguf_format::parse(file.as_bytes()).unwrap())
}

#[test]
fn types_are_those_of_the_snapshots() {
    let Some(folder) = corpus::folder() else { return };
    let models = corpus::json(&folder.join("quantize/type-decisions.json"));
    let (mut compared, mut lines) = (0, Vec::new());
    for (model_name, model) in models.as_object().unwrap() {
        let header = [header_of(model)];
        for (target, expected) in model["ftypes"].as_object().unwrap() {
            let mut types = BTreeMap::new();
            for (name, ranges) in expected["exceptions"].as_object().unwrap() {
                types.extend(positions(ranges).into_iter().map(|position| (position, name.as_str())));
            }
            let recipe = Recipe::new(&header, Options::new(Target::parse(target).unwrap())).unwrap();
            let rows: BTreeMap<_, _> = recipe.rows().iter().map(|row| (row.index, row)).collect();
            for (position, name) in model["tensors"].as_array().unwrap().iter().enumerate() {
                let expected = types.get(&position).copied().unwrap_or_else(|| expected["default"].as_str().unwrap());
                let found = rows[&position].new_type.to_string();
                if !found.eq_ignore_ascii_case(expected) {
                    lines.push(format!("{model_name}, {target}: {name} is {found}, expected {expected}"));
                }
                compared += 1;
            }
        }
    }
    lines.truncate(40);
    assert!(lines.is_empty(), "of {compared} types:\n{}", lines.join("\n"));
    assert!(compared > 20_000, "only {compared} types were compared");
}
