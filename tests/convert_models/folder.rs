//! Folders of models on the disk.

use std::fs;
use std::path::{Path, PathBuf};

use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan, NextTokenLayers, OutputType};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel, part_names};
use gguf_format::Result;
use gguf_format::io::{FileSource, block_on};
use serde_json::Value as Json;

use crate::corpus;

/// The folder of the models, and what the reference makes of them. `None` without the corpus.
pub fn index() -> Option<(PathBuf, Json)> {
    let all = corpus::folder()?;
    let folder = all.join("convert");
    let mut index = corpus::json(&folder.join("index.json"));
    // The index is of August 2026. The converter of October gives other files for some of the runs.
    let changed = corpus::json(&all.join("convert-2026-10/changed/convert.json"));
    for run in changed["changed"].as_array().unwrap() {
        for model in index["models"].as_array_mut().unwrap().iter_mut() {
            for old in model["runs"].as_array_mut().unwrap().iter_mut().filter(|old| old["id"] == run["id"]) {
                old["output"] = run["output"].clone();
            }
        }
    }
    Some((folder, index))
}

/// Opens a folder.
pub fn open(path: &Path) -> Result<HubModel<FileSource>> {
    let mut files = SmallFiles::default();
    let mut names = Vec::new();
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    for entry in entries {
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        if entry.is_dir() {
            for inner in fs::read_dir(&entry).unwrap() {
                let inner = inner.unwrap().path();
                let inner_name = format!("{name}/{}", inner.file_name().unwrap().to_str().unwrap());
                if SmallFiles::is_wanted(&inner_name) {
                    files.insert(inner_name, corpus::read(&inner));
                }
            }
        } else if SmallFiles::is_wanted(&name) {
            files.insert(name.clone(), corpus::read(&entry));
        }
        names.push(name);
    }
    let index = fs::read(path.join("model.safetensors.index.json")).ok();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut parts = Vec::new();
    for name in part_names(&names, index.as_deref())? {
        let source = FileSource::open(path.join(&name)).unwrap();
        parts.push(block_on(SafetensorsFile::open(name, source))?);
    }
    let folder = path.file_name().unwrap().to_str().unwrap().into();
    Ok(HubModel { folder, files, tensors: SafetensorsModel::new(parts, index.as_deref())? })
}

/// The options of a command line of the reference. `pre` is the name of the pre-tokenizer.
pub fn options(folder: &Path, arguments: &[&str], pre: &Json) -> ModelOptions {
    let value =
        |name: &str| arguments.iter().position(|argument| *argument == name).map(|position| arguments[position + 1]);
    let mut options = ModelOptions::default();
    options.output_type = OutputType::parse(value("--outtype").unwrap_or("auto")).unwrap();
    options.fp8_as_q8 = arguments.contains(&"--fp8-as-q8");
    options.vocabulary_only = arguments.contains(&"--vocab-only");
    options.fuse_gate_up_experts = arguments.contains(&"--fuse-gate-up-exps");
    options.projector = arguments.contains(&"--mmproj");
    options.next_token_layers = match () {
        () if arguments.contains(&"--mtp") => NextTokenLayers::Alone,
        () if arguments.contains(&"--no-mtp") => NextTokenLayers::LeftOut,
        () => NextTokenLayers::Included,
    };
    options.model_name = value("--model-name").map(Into::into);
    options.overrides = value("--metadata").map(|path| corpus::json(&folder.join(path)));
    options.pre = pre.as_str().map(Into::into);
    options
}

/// The command line of a run.
pub fn arguments(run: &Json) -> Vec<&str> {
    run["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()).collect()
}

/// Plans the conversion of a model. `run` has its command line.
pub fn plan(folder: &Path, model: &Json, run: &Json) -> Result<ModelPlan<FileSource>> {
    let path = folder.join(model["folder"].as_str().unwrap());
    block_on(ModelPlan::new(&open(&path)?, &options(folder, &arguments(run), &model["pre"])))
}
