//! The families, projectors and stored types of October 2026, against the reference converter.

use std::path::PathBuf;

use serde_json::Value as Json;

use super::folder::{arguments, plan};
use super::reading::assert_any_range;
use super::runs::assert_runs;
use crate::corpus;

/// The folder of the models, and what the reference makes of them. `None` without the corpus.
pub fn index() -> Option<(PathBuf, Json)> {
    let folder = corpus::folder()?.join("convert-2026-10");
    let index = corpus::json(&folder.join("index.json"));
    Some((folder, index))
}

fn is_projector(run: &Json) -> bool {
    arguments(run).contains(&"--mmproj")
}

#[test]
fn text_models_are_those_of_the_reference() {
    let Some((folder, index)) = index() else { return };
    let count = assert_runs(&folder, &index, |model, run| model["quant"].is_null() && !is_projector(run));
    assert!(count > 60, "the corpus is not whole: {count} runs");
}

#[test]
fn projectors_are_those_of_the_reference() {
    let Some((folder, index)) = index() else { return };
    let count = assert_runs(&folder, &index, |_, run| is_projector(run));
    assert!(count > 15, "the corpus is not whole: {count} runs");
}

#[test]
fn models_with_quantized_weights_are_those_of_the_reference() {
    let Some((folder, index)) = index() else { return };
    let count = assert_runs(&folder, &index, |model, run| !model["quant"].is_null() && !is_projector(run));
    assert!(count > 30, "the corpus is not whole: {count} runs");
}

#[test]
fn any_range_of_a_model_with_quantized_weights_is_that_of_the_whole_file() {
    let Some((folder, index)) = index() else { return };
    let models = index["models"].as_array().unwrap().iter().filter(|model| !model["quant"].is_null());
    let mut count = 0;
    for model in models {
        let mut runs = model["runs"].as_array().unwrap().iter().filter(|run| run["exit"] == 0);
        let Some(run) = runs.next() else { continue };
        assert_any_range(&plan(&folder, model, run).unwrap(), &run["id"]);
        count += 1;
    }
    assert!(count > 10, "the corpus is not whole: {count} models");
}
