//! `GgufSet`: the shards of a model, opened as one. Other files add methods to it.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

use js_sys::{Array as JsArray, Map, Object, Promise};
use wasm_bindgen::prelude::*;

use super::findings;
use super::place::Place;
use crate::error::ErrorCode;
use crate::files::merge::{MergedEntries, MergedShard, merge};
use crate::files::set_check::{SetCheck, SetFinding};
use crate::web::edit::edit_plan::EditPlan;
use crate::web::edit::editor::Editor;
use crate::web::files::export::json::JsonOptions;
use crate::web::interop::error::{failure, reason};
use crate::web::interop::objects::set_member;
use crate::web::interop::options::Options;
use crate::web::interop::plain_object::to_js;
use crate::web::interop::record::Record;
use crate::web::know::memory_options::{LargestContextOptions, MemoryOptions};
use crate::web::reader::gguf::Gguf;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::options::ReadOptions;
use crate::web::reader::tensor_info::{TensorInfo, TensorOrName};
use crate::web::values::number_format::NumberOptions;
use crate::web::values::preview::PreviewOptions;
use crate::web::values::statistics::StatisticsOptions;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A shard of a set. */
export interface SetShard {
  /** The number in the set, from 1. */
  readonly number: number;
  /** The name of the file. For a missing shard, the name that it should have. Empty if it is not known. */
  readonly name: string;
  /** The URL that was requested, or would be. Not present if the set was not opened by a URL. */
  readonly url?: string;
  /** The absolute path, if the set was opened by paths. */
  readonly path?: string;
  /** The opened file. Not present if it is missing, or could not be opened. */
  readonly gguf?: Gguf;
  /** Why the file could not be opened. */
  readonly error?: GgufError;
}

/** A tensor of a set. `offset` and `fileOffset` are those in its shard. */
export interface SetTensor extends TensorInfo {
  /** The number of its shard, from 1. */
  readonly shard: number;
}

/** How shards are merged. */
export interface MergeOptions {
  /**
   * `remove`, the default: the merged file has no `split.` keys. `llama.cpp`: it has them as llama.cpp writes them, with
   * `split.count` 0.
   */
  splitKeys?: "remove" | "llama.cpp";
}

export interface GgufSet {
  /**
   * Reads the elements `start..end` of a tensor: see `Gguf.read`. Only its shard is read.
   *
   * @throws {GgufError} As `Gguf.read`.
   */
  read<As extends keyof NumberArrays = "float32">(
    tensor: TensorInfo | string,
    options?: NumberOptions<As>,
  ): Promise<NumberArrays[As]>;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "MergeOptions")]
    pub type MergeOptions;
}

/// The shards of a model, opened as one: all tensors, and the metadata of the first shard.
///
/// @example
/// import { GgufSet } from "gguf-wasm";
///
/// const set = await GgufSet.open("https://example.com/model-00001-of-00003.gguf");
/// for (const { shard, message } of set.findings) console.log(shard, message);
/// const values = await set.read("output.weight", { end: 4096 }); // from the shard that has it
/// await set.merge().stream().pipeTo(writable);
#[wasm_bindgen]
pub struct GgufSet {
    /// From number 1 on.
    shards: Vec<SetShard>,
    merged: Gguf,
    /// `merged`, as JavaScript sees it.
    merged_object: JsValue,
    findings: Vec<SetFinding>,
    shard_objects: JsArray,
    tensor_objects: OnceCell<JsArray>,
    finding_objects: OnceCell<JsArray>,
}

/// A shard of a set, or the place of a missing one.
pub(super) struct SetShard {
    pub name: String,
    pub place: Option<Place>,
    /// The opened file. For a missing shard, the error of opening it, if it was tried.
    pub opened: Result<Gguf, Option<JsValue>>,
}

#[wasm_bindgen]
impl GgufSet {
    /// The shards in the order of their numbers, including missing ones.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetShard[]")]
    pub fn shards(&self) -> Result<JsArray, JsValue> {
        self.merged.state()?;
        Ok(self.shard_objects.clone())
    }

    /// The model as one file, which is not written anywhere: the metadata of the first shard without `split.` keys, and the
    /// tensors of all shards that could be opened. Its methods read the shards. `edit()` plans a merged file with the changes.
    ///
    /// @example
    /// const tokenizer = set.merged.tokenizer();
    /// const hashes = await set.merged.hash({ algorithms: ["sha256"] });
    #[wasm_bindgen(getter, unchecked_return_type = "Gguf")]
    pub fn merged(&self) -> Result<JsValue, JsValue> {
        self.merged.state()?;
        Ok(self.merged_object.clone())
    }

    /// All tensors, in the order of the shards. The objects can be passed to `read` and similar methods.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetTensor[]")]
    pub fn tensors(&self) -> Result<JsArray, JsValue> {
        if let Some(tensors) = self.tensor_objects.get() {
            return Ok(tensors.clone());
        }
        let list = JsArray::new();
        let merged = self.merged.state()?.file.clone();
        let mut index = 0;
        for (number, shard) in self.opened() {
            let file = shard.state()?.file.clone();
            for tensor in file.header.tensors() {
                // `merged` has the same tensors in the same order, without those whose offset or size is broken.
                let is_in_merged = merged
                    .header
                    .tensor_at(index)
                    .is_some_and(|other| other.name().to_bytes() == tensor.name().to_bytes());
                let info = TensorInfo { index: index as u32, ..TensorInfo::new(&file.header, &tensor)? };
                let object = to_js(&info);
                set_member(&object, "shard", &number.into());
                list.push(&object);
                index += usize::from(is_in_merged);
            }
        }
        Object::freeze(&list);
        Ok(self.tensor_objects.get_or_init(|| list).clone())
    }

    /// The metadata of the first shard; that of the first one that could be opened if it is missing.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, unchecked_return_type = "ReadonlyMap<string, MetadataValue>")]
    pub fn metadata(&self) -> Result<Map, JsValue> {
        match self.opened().next() {
            Some((_, shard)) => shard.metadata(),
            None => self.merged.metadata(),
        }
    }

    /// What is wrong with the set: missing, swapped, duplicate and truncated shards. `validate` also checks the files.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetFinding[]")]
    pub fn findings(&self) -> Result<JsArray, JsValue> {
        self.merged.state()?;
        Ok(self.finding_objects.get_or_init(|| findings::of_set(&self.findings)).clone())
    }

    /// Whether all shards could be opened.
    #[wasm_bindgen(getter, js_name = isComplete)]
    pub fn is_complete(&self) -> Result<bool, JsValue> {
        self.merged.state()?;
        Ok(self.shards.iter().all(|shard| shard.opened.is_ok()))
    }

    /// The size of all shards that could be opened together, in bytes, if it is known.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> Result<Option<f64>, JsValue> {
        let mut size = 0.0;
        for (_, shard) in self.opened() {
            match shard.file_size()? {
                Some(bytes) => size += bytes,
                None => return Ok(None),
            }
        }
        Ok(Some(size))
    }

    // The interface above declares its types, which depend on the option `as`.
    #[wasm_bindgen(skip_typescript)]
    #[allow(missing_docs, reason = "the interface has the documentation")]
    pub fn read(&self, tensor: TensorOrName, options: Option<NumberOptions>) -> Promise {
        self.merged.read(tensor, options)
    }

    /// Reads the data of a tensor as stored: see `Gguf.readBytes`.
    ///
    /// @throws {GgufError} As `Gguf.readBytes`.
    #[wasm_bindgen(js_name = readBytes, unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read_bytes(&self, tensor: TensorOrName, options: Option<ReadOptions>) -> Promise {
        self.merged.read_bytes(tensor, options)
    }

    /// Reads evenly spread parts of a tensor: see `Gguf.preview`.
    ///
    /// @throws {GgufError} As `Gguf.preview`.
    #[wasm_bindgen(unchecked_return_type = "Promise<TensorPreview>")]
    pub fn preview(&self, tensor: TensorOrName, options: Option<PreviewOptions>) -> Promise {
        self.merged.preview(tensor, options)
    }

    /// Computes the statistics of a whole tensor: see `Gguf.statistics`.
    ///
    /// @throws {GgufError} As `Gguf.statistics`.
    #[wasm_bindgen(unchecked_return_type = "Promise<TensorStatistics>")]
    pub fn statistics(&self, tensor: TensorOrName, options: Option<StatisticsOptions>) -> Promise {
        self.merged.statistics(tensor, options)
    }

    /// Estimates the memory that llama.cpp would allocate for the model: see `Gguf.memory`.
    ///
    /// @throws {GgufError} As `Gguf.memory`.
    #[wasm_bindgen(unchecked_return_type = "MemoryEstimate")]
    pub fn memory(&self, options: Option<MemoryOptions>) -> Result<JsValue, JsValue> {
        self.merged.memory(options)
    }

    /// The longest context that fits into the memory of the GPU: see `Gguf.largestContext`.
    ///
    /// @throws {GgufError} As `Gguf.largestContext`.
    #[wasm_bindgen(js_name = largestContext)]
    pub fn largest_context(&self, options: LargestContextOptions) -> Result<Option<f64>, JsValue> {
        self.merged.largest_context(options)
    }

    /// Checks the set, each shard, and, if no shard is missing, the model as a whole. Findings about a shard have its number.
    /// Tensor data is not read.
    ///
    /// @throws {GgufError} `freed`.
    /// @example
    /// for (const { shard, severity, message } of set.validate()) console.log(shard ?? "set", severity, message);
    #[wasm_bindgen(unchecked_return_type = "readonly SetFinding[]")]
    pub fn validate(&self) -> Result<JsArray, JsValue> {
        let mut list = findings::FindingList::new(&self.findings()?);
        for (number, shard) in self.opened() {
            let file = shard.state()?.file.clone();
            list.add_shard(number, &file.header, file.file_size.get())?;
        }
        if self.is_complete()? && self.shards.len() > 1 {
            let file = self.merged.state()?.file.clone();
            list.add_model(&file.header)?;
        }
        Ok(list.finish())
    }

    /// Begins an edit of the first shard, which has the metadata. Its plan is the new first shard; the other shards stay as they
    /// are. To write one file with the changes, use `set.merged.edit()`.
    ///
    /// @throws {GgufError} `incomplete-set` if the first shard is missing; `freed`.
    /// @example
    /// const editor = set.edit();
    /// editor.set("general.name", "My model");
    /// await editor.plan().applyTo(handleOfFirstShard);
    pub fn edit(&self) -> Result<Editor, JsValue> {
        self.merged.state()?;
        match self.shards.first().map(|shard| &shard.opened) {
            Some(Ok(gguf)) => gguf.edit(),
            _ => Err(self.incomplete("edit the model")),
        }
    }

    /// Plans one file with the tensors of all shards. Tensors are copied byte for byte. Nothing is read or written.
    ///
    /// @throws {GgufError} `incomplete-set` if a shard is missing, or if the shards do not have as many tensors as the first one
    /// says, `truncated` if one is too short, `name-taken` if two tensors have the same name, `size-unknown`,
    /// `invalid-argument`, `limit-exceeded`, `too-large`, `freed`.
    /// @example
    /// await set.merge().stream({ onProgress }).pipeTo(writable);
    /// const blob = set.merge().toBlob(files); // for local files, in the order of the shards
    pub fn merge(&self, options: Option<MergeOptions>) -> Result<EditPlan, JsValue> {
        let options = Options::new(options);
        let entries = match options.get("splitKeys")? {
            None => MergedEntries::WithoutSplitKeys,
            Some(given) => match given.as_string().as_deref() {
                Some("remove") => MergedEntries::WithoutSplitKeys,
                Some("llama.cpp") => MergedEntries::AsLlamaCpp,
                _ => return Err(options.refused("splitKeys", &given, "\"remove\" or \"llama.cpp\"")),
            },
        };
        if !self.is_complete()? {
            return Err(self.incomplete("merge the shards"));
        }
        if let Some(finding) = self.findings.iter().find(|finding| finding.check == SetCheck::SetTensorCount) {
            let message = format!("cannot merge the shards: {}", finding.message);
            return Err(failure(ErrorCode::IncompleteSet, &message));
        }
        let mut files: Vec<Rc<OpenedFile>> = Vec::new();
        for (_, shard) in self.opened() {
            files.push(shard.state()?.file.clone());
        }
        let shards: Vec<_> = files
            .iter()
            .map(|file| MergedShard { header: file.header.header(), file_size: file.file_size.get() })
            .collect();
        let plan = merge(&shards, entries)?;
        Ok(EditPlan::of_files(files, plan))
    }

    /// The metadata and the tensors of all shards as an object for `JSON.stringify`: see `Gguf.toJSON`. The offsets are those in
    /// the merged file. `JSON.stringify(set)` calls this method.
    ///
    /// @throws {GgufError} As `Gguf.toJSON`.
    #[wasm_bindgen(js_name = toJSON, unchecked_return_type = "GgufJson")]
    pub fn to_json(&self, options: Option<JsonOptions>) -> Result<JsValue, JsValue> {
        self.merged.to_json(options)
    }

    /// Releases the memory of all headers at once. After that, this object, its shards and `merged` throw a `GgufError` with the
    /// code `freed`: see `Gguf.free`. A second call does nothing.
    pub fn free(&self) {
        self.merged.free();
        for (_, shard) in self.opened() {
            shard.free();
        }
    }
}

impl GgufSet {
    pub(super) fn new(shards: Vec<SetShard>, merged: Gguf, findings: Vec<SetFinding>) -> Self {
        let shard_objects = JsArray::new();
        for (number, shard) in (1_u32..).zip(&shards) {
            let object = Record::new().value("number", &number.into()).text("name", &shard.name);
            let object = match &shard.place {
                Some(Place::Url(url)) => object.text("url", url),
                Some(Place::Path(path)) => object.text("path", path),
                None => object,
            };
            let object = match &shard.opened {
                Ok(gguf) => object.value("gguf", &gguf.clone().into()),
                Err(Some(error)) => object.value("error", error),
                Err(None) => object,
            };
            let object = object.done();
            Object::freeze(object.unchecked_ref::<Object>());
            shard_objects.push(&object);
        }
        Object::freeze(&shard_objects);
        Self {
            merged_object: merged.clone().into(),
            shards,
            merged,
            findings,
            shard_objects,
            tensor_objects: OnceCell::new(),
            finding_objects: OnceCell::new(),
        }
    }

    /// The model as one file.
    pub(crate) fn merged_gguf(&self) -> &Gguf {
        &self.merged
    }

    /// The shards that could be opened, with their numbers.
    fn opened(&self) -> impl Iterator<Item = (u32, &Gguf)> {
        (1..).zip(&self.shards).filter_map(|(number, shard)| Some((number, shard.opened.as_ref().ok()?)))
    }

    #[cold]
    fn incomplete(&self, action: &str) -> JsValue {
        let missing =
            (1..).zip(&self.shards).find_map(|(number, shard)| Some((number, shard, shard.opened.as_ref().err()?)));
        let Some((number, shard, error)) = missing else { return failure(ErrorCode::IncompleteSet, action) };
        let name = if shard.name.is_empty() { String::new() } else { format!(" (\"{}\")", shard.name) };
        let problem = match error {
            Some(error) => format!("could not be opened: {}", reason(error)),
            None => "is missing; add the file and open the set again".into(),
        };
        let message = format!("cannot {action}: shard {number} of {}{name} {problem}", self.shards.len());
        failure(ErrorCode::IncompleteSet, &message)
    }
}
