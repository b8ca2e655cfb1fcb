//! The runs of `llama-quantize` that the reference corpus has recorded: `quantize/index-*.json`, which its README describes. Where
//! `llama-cpp-2026-10/quantize/changed.json` has another result, that one counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use gguf_convert::requantize::{
    Imatrix, Options, Target, TensorTypeRule, parse_override, parse_prune_layers, parse_tensor_type, parse_tensor_types,
};
use gguf_format::io::{FileSource, block_on};
use gguf_format::{Header, Limits, OpenedFile, Result};
use serde_json::Value as Json;

use crate::corpus;

/// The indexes, by the models that they convert.
const INDEXES: [&str; 4] = ["llama-gqa4", "llama-moe8", "qwen2-tied", "tiny"];

/// The members of a result that a later result replaces.
const RESULT: [&str; 4] = ["exit", "size", "sha256", "tensors"];

/// The members of a result that does not count any more: errors of llama.cpp that it has corrected, and the message of a failure.
const OUTDATED: [&str; 2] = ["block_data_wrong", "message"];

/// A recorded run.
pub struct Run {
    pub json: Json,
    /// Hashes of data and lists of keys, which the runs of an index share.
    pub index: Rc<Json>,
    /// Whether the result is that of a later version.
    pub is_later: bool,
}

/// Results of October 2026 that the corpus does not have. `october.rs` describes them.
pub fn october() -> Json {
    serde_json::from_str(include_str!("october.json")).unwrap()
}

/// The folder of the runs, and the runs. `None` without the corpus.
pub fn all() -> Option<(PathBuf, Vec<Run>)> {
    let folder = corpus::folder()?.join("quantize");
    let mut runs = Vec::new();
    for name in INDEXES {
        let index = Rc::new(corpus::json(&folder.join(format!("index-{name}.json"))));
        runs.extend(index["runs"].as_array().unwrap().iter().map(|json| Run {
            json: json.clone(),
            index: index.clone(),
            is_later: false,
        }));
    }
    assert!(runs.len() > 300, "the corpus is not whole: {} runs", runs.len());
    let later = corpus::json(&folder.join("../llama-cpp-2026-10/quantize/changed.json"));
    for result in later["changed"].as_array().unwrap() {
        let run = runs.iter_mut().find(|run| run.json["id"] == result["id"]).unwrap();
        assert_eq!(run.json["exit"], result["was_exit"], "{}", run.id());
        run.is_later = true;
        let members = run.json.as_object_mut().unwrap();
        OUTDATED.iter().for_each(|name| drop(members.remove(*name)));
        members.extend(RESULT.map(|name| (name.to_string(), result[name].clone())));
    }
    for result in october()["changed"].as_array().unwrap() {
        let run = runs.iter_mut().find(|run| run.json["id"] == result["id"]).unwrap();
        run.json["sha256"] = result["sha256"].clone();
        run.json["tensors"].as_array_mut().unwrap().iter_mut().for_each(|tensor| tensor[3] = Json::Null);
    }
    Some((folder, runs))
}

impl Run {
    pub fn id(&self) -> &str {
        self.json["id"].as_str().unwrap()
    }

    pub fn source(&self) -> &str {
        self.json["source"].as_str().unwrap()
    }

    pub fn target(&self) -> &str {
        self.json["target"].as_str().unwrap()
    }

    pub fn has(&self, mark: &str) -> bool {
        self.json.get(mark).is_some_and(|mark| *mark != Json::Bool(false))
    }

    pub fn has_option(&self, name: &str) -> bool {
        self.arguments().contains(&name)
    }

    pub fn arguments(&self) -> Vec<&str> {
        self.json["options"].as_array().unwrap().iter().map(|option| option.as_str().unwrap()).collect()
    }

    pub fn has_succeeded(&self) -> bool {
        self.json["exit"] == 0
    }

    /// The recorded output files: with their tensors. None for a dry run.
    pub fn outputs(&self) -> Vec<&Json> {
        match self.json["outputs"].as_array() {
            Some(outputs) => outputs.iter().collect(),
            None if self.json.get("tensors").is_some() => vec![&self.json],
            None => Vec::new(),
        }
    }

    /// The SHA-256 of the data of a tensor. Null if only that of the file is known.
    pub fn hash_of<'a>(&'a self, tensor: &'a Json) -> &'a Json {
        match tensor[3].as_u64() {
            Some(position) => &self.index["sha256"][position as usize],
            None => &tensor[3],
        }
    }

    /// Whether llama.cpp is wrong in a way that this crate does not copy, or has changed since.
    pub fn is_different_on_purpose(&self) -> bool {
        let is_copy_without_type =
            self.target() == "COPY" && matches!(self.source(), "tiny-no-file-type.gguf" | "llama-moe8-f32.gguf");
        is_copy_without_type || self.has("written_alignment") || self.has("changed_2026_08")
    }

    /// The options of the run.
    pub fn options(&self, folder: &Path, matrices: &mut Matrices) -> Result<Options> {
        let mut options = Options::new(Target::parse(self.target())?);
        let mut arguments = self.arguments().into_iter();
        while let Some(name) = arguments.next() {
            let mut value = || arguments.next().unwrap();
            match name {
                "--pure" => options.pure = true,
                "--leave-output-tensor" => options.leave_output_tensor = true,
                "--output-tensor-type" => options.output_tensor_type = Some(parse_tensor_type(value())?),
                "--token-embedding-type" => options.token_embedding_type = Some(parse_tensor_type(value())?),
                "--tensor-type" => options.tensor_types.push(TensorTypeRule::parse(value())?),
                "--tensor-type-file" => {
                    let text = std::fs::read_to_string(folder.join(value())).unwrap();
                    options.tensor_types.extend(parse_tensor_types(&text)?);
                }
                "--allow-requantize" => options.allow_requantize = true,
                "--imatrix" => options.imatrix = Some(matrices.open(folder, value())?),
                "--include-weights" => options.include_weights.push(value().into()),
                "--exclude-weights" => options.exclude_weights.push(value().into()),
                "--keep-split" => options.keep_split = true,
                "--prune-layers" => options.prune_layers = parse_prune_layers(value())?,
                "--override-kv" => options.overrides.push(parse_override(value())?),
                "--dry-run" => {}
                other => panic!("{}: unknown option {other}", self.id()),
            }
        }
        Ok(options)
    }
}

/// Importance matrices that have been opened.
#[derive(Default)]
pub struct Matrices(BTreeMap<String, Result<Rc<Imatrix>>>);

impl Matrices {
    pub fn open(&mut self, folder: &Path, name: &str) -> Result<Rc<Imatrix>> {
        let open = || Ok(Rc::new(block_on(Imatrix::open(FileSource::open(folder.join(name))?, name))?));
        self.0.entry(name.to_string()).or_insert_with(open).clone()
    }
}

pub type File = Rc<OpenedFile<FileSource>>;

/// The files of a model: all shards if the name is that of the first one.
pub fn model(folder: &Path, name: &str) -> Vec<File> {
    let names = match name.strip_suffix("-00001-of-00003.gguf") {
        Some(prefix) => (1..=3).map(|number| format!("{prefix}-0000{number}-of-00003.gguf")).collect(),
        None => vec![name.to_string()],
    };
    let open = |name: String| {
        let source = FileSource::open(folder.join(name)).unwrap();
        Rc::new(block_on(OpenedFile::open(source, Limits::default())).unwrap())
    };
    names.into_iter().map(open).collect()
}

pub fn headers(files: &[File]) -> Vec<Arc<Header>> {
    files.iter().map(|file| file.header().clone()).collect()
}
