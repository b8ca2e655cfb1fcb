//! Opening the folder of a model: what it is, what is missing, and its stored tensors as a file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use gguf_convert::model::{ModelFolder, ModelOptions, OpenedModel, open::read_whole};
use gguf_format::io::{Buffer, BufferBuilder, Source, block_on};
use gguf_format::{Error, ErrorCode, GgmlType, Result, parse};
use serde_json::Value as Json;

use super::bytes::Bytes;
use super::folder::{arguments, index, options};
use super::october;

/// A folder in memory. Without a list, it answers as a server does.
struct Folder {
    files: BTreeMap<String, Rc<Vec<u8>>>,
    is_listed: bool,
    asked: RefCell<Vec<String>>,
}

impl Folder {
    fn of(path: &Path, is_listed: bool) -> Self {
        let mut files = BTreeMap::new();
        let mut add = |name: String, path: &Path| files.insert(name, Rc::new(fs::read(path).unwrap()));
        for entry in fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
            if !entry.is_dir() {
                add(name, &entry);
                continue;
            }
            for inner in fs::read_dir(&entry).unwrap().map(|inner| inner.unwrap().path()) {
                add(format!("{name}/{}", inner.file_name().unwrap().to_str().unwrap()), &inner);
            }
        }
        Self { files, is_listed, asked: RefCell::default() }
    }
}

impl ModelFolder for Folder {
    type Source = Bytes;

    fn paths(&self) -> Option<Vec<&str>> {
        self.is_listed.then(|| self.files.keys().map(String::as_str).collect())
    }

    async fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.asked.borrow_mut().push(path.into());
        let Some(bytes) = self.files.get(path) else { return Ok(None) };
        read_whole(path, &Bytes(bytes.clone())).await.map(Some)
    }

    async fn open(&self, path: &str) -> Result<Bytes> {
        self.asked.borrow_mut().push(path.into());
        let missing = || Error::new(ErrorCode::Http, "not found").of_url("https://example.com", Some(404));
        self.files.get(path).cloned().map(Bytes).ok_or_else(missing)
    }
}

fn open(folder: &Path, path: &str, is_listed: bool) -> (OpenedModel<Bytes>, Vec<String>) {
    let folder = Folder::of(&folder.join(path), is_listed);
    let name = path.rsplit('/').next().unwrap();
    (block_on(OpenedModel::open(name, &folder)).unwrap(), folder.asked.into_inner())
}

#[test]
fn a_folder_with_and_without_a_list_gives_the_same_plan() {
    let Some((folder, index)) = index() else { return };
    for model in index["models"].as_array().unwrap() {
        let path = model["folder"].as_str().unwrap();
        let run = model["runs"].as_array().unwrap().iter().find(|run| run["exit"] == 0).unwrap();
        let options = options(&folder, &arguments(run), &model["pre"]);
        for is_listed in [true, false] {
            let (opened, asked) = open(&folder, path, is_listed);
            assert!(opened.obstacles().is_empty(), "{path}: {:?}", opened.obstacles());
            assert_eq!(opened.class_name(), model["hf_class"].as_str(), "{path}");
            assert_eq!(opened.architecture(), model["gguf_arch"].as_str(), "{path}");
            let vocabulary = opened.vocabulary().unwrap();
            let is_known = model["pre"].is_null();
            assert_eq!(vocabulary.probable_pre_tokenizers.is_none(), is_known, "{path}: {vocabulary:?}");
            let plan = block_on(opened.plan(&options)).unwrap();
            // A server does not tell which templates there are.
            let has_templates = asked.iter().any(|path| path.starts_with("additional_chat_templates/"));
            let is_whole = is_listed || !opened.model().files.has("chat_template.jinja");
            if is_whole {
                assert_eq!(Json::from(plan.size()), run["output"]["size"], "{path}");
            }
            assert!(is_listed || !has_templates);
        }
    }
}

#[test]
fn what_is_missing_is_told_and_named_when_it_is_planned() {
    let Some((folder, _)) = index() else { return };
    for (path, code, text) in [
        ("hostile/part-missing", ErrorCode::IncompleteModel, "model-00002-of-0000"),
        ("hostile/no-weights", ErrorCode::IncompleteModel, "model.safetensors"),
        ("hostile/config-absent", ErrorCode::IncompleteModel, "config.json"),
        ("hostile/arch-unknown", ErrorCode::UnsupportedModel, "TotallyNewForCausalLM"),
        ("hostile/no-tokenizer", ErrorCode::IncompleteModel, "tokenizer"),
        ("hostile/tensor-missing-index", ErrorCode::IncompleteModel, "index"),
    ] {
        for is_listed in [true, false] {
            let (opened, _) = open(&folder, path, is_listed);
            let obstacle = &opened.obstacles()[0];
            assert_eq!(obstacle.code(), code, "{path}");
            assert!(obstacle.to_string().contains(text), "{path}: {obstacle}");
            let error = block_on(opened.plan(&Default::default())).err().unwrap();
            assert_eq!(error.code(), code, "{path}");
            for obstacle in opened.obstacles() {
                assert!(error.to_string().contains(&obstacle.to_string()), "{path}: {error}");
            }
        }
    }
}

#[test]
fn the_projector_of_an_opened_model() {
    let Some((folder, index)) = october::index() else { return };
    let mut options = ModelOptions::default();
    options.projector = true;
    for model in index["models"].as_array().unwrap() {
        let (path, runs) = (model["folder"].as_str().unwrap(), model["runs"].as_array().unwrap());
        let has_projector = runs.iter().any(|run| arguments(run).contains(&"--mmproj"));
        for is_listed in [true, false] {
            let (opened, _) = open(&folder, path, is_listed);
            assert_eq!(opened.projector().is_some(), has_projector, "{path}");
            let planned = block_on(opened.plan(&options));
            assert_eq!(planned.is_ok(), has_projector, "{path}: {:?}", planned.err());
        }
    }
}

#[test]
fn a_projector_that_is_refused_is_not_refused_for_the_text() {
    let Some((folder, _)) = october::index() else { return };
    let path = folder.join("models/Qwen3-VL-4X-Instruct");
    let mut files = Folder::of(&path, true);
    files.files.remove("tokenizer.json");
    files.files.remove("preprocessor_config.json");
    let opened = block_on(OpenedModel::open("model", &files)).unwrap();
    let mut options = ModelOptions::default();
    options.projector = true;
    let error = block_on(opened.plan(&options)).err().unwrap().to_string();
    assert!(error.contains("preprocessor_config.json") && !error.contains("tokenizer"), "{error}");
}

#[test]
fn stored_tensors_are_shown_with_their_bytes_or_their_values() {
    let Some((folder, index)) = index() else { return };
    let mut converted = 0;
    for model in index["models"].as_array().unwrap() {
        let (opened, _) = open(&folder, model["folder"].as_str().unwrap(), true);
        let file = opened.stored_file().unwrap();
        let header = parse(file.header_bytes()).unwrap();
        for tensor in opened.tensors() {
            let stored = &opened.model().tensors.parts()[tensor.part];
            let range = stored.header().tensor(&tensor.name).unwrap().range.clone();
            let stored = block_on(stored.read(range)).unwrap();
            let shown = header.tensor(&tensor.name).unwrap();
            let start = header.data_offset() + shown.offset();
            let bytes = block_on(file.read(start..start + shown.byte_length().unwrap())).unwrap();
            assert_eq!(Some(shown.ggml_type()), tensor.view_type);
            if tensor.data_type == shown.ggml_type().to_string() {
                assert_eq!(bytes.as_slice(), stored.as_slice(), "{}", tensor.name);
                continue;
            }
            assert_eq!(shown.ggml_type(), GgmlType::F32);
            if matches!(tensor.data_type, "U8" | "BOOL") {
                let values = stored.as_slice().iter().flat_map(|byte| f32::from(*byte).to_le_bytes());
                assert_eq!(bytes.as_slice(), values.collect::<Vec<u8>>(), "{}", tensor.name);
            }
            converted += 1;
        }
    }
    assert!(converted > 10, "{converted}");
}

/// A file of zeros, of which a source may not know the size.
struct Zeros {
    size: u64,
    is_known: bool,
}

impl Source for Zeros {
    type Buffer = gguf_format::io::MemoryBuffer;
    type Host = gguf_format::io::Blocking;

    fn size(&self) -> Option<u64> {
        self.is_known.then_some(self.size)
    }

    async fn read(&self, range: Range<u64>) -> Result<Self::Buffer> {
        assert!(range.end <= 80 << 20, "the file is read to {}", range.end);
        let mut buffer = <Self::Buffer as Buffer>::builder(range.end.min(self.size).saturating_sub(range.start))?;
        buffer.set(0, &[])?;
        Ok(buffer.finish())
    }
}

#[test]
fn each_kind_of_small_file_has_a_limit_of_its_own() {
    let read = |path: &str, size, is_known| block_on(read_whole(path, &Zeros { size, is_known }));
    for (path, limit) in [
        ("config.json", 4 << 20),
        ("generation_config.json", 4 << 20),
        ("adapter_config.json", 4 << 20),
        ("1_Pooling/config.json", 4 << 20),
        ("additional_chat_templates/tools.jinja", 4 << 20),
        ("README.md", 4 << 20),
        ("tokenizer_config.json", 64 << 20),
        ("tokenizer.json", 64 << 20),
        ("tokenizer.model", 64 << 20),
        ("model.safetensors.index.json", 64 << 20),
    ] {
        for is_known in [true, false] {
            assert_eq!(read(path, limit, is_known).unwrap().len() as u64, limit, "{path}");
            for size in [limit + 1, 1 << 40] {
                let error = read(path, size, is_known).unwrap_err();
                assert_eq!(error.code(), ErrorCode::LimitExceeded, "{path}");
                let text = error.to_string();
                assert!(text.contains(path) && text.contains(&format!("{limit} bytes")), "{text}");
            }
        }
    }
}
