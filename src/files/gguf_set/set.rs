//! `GgufSet`: the shards of a model, opened as one. Other files add methods to it.

use alloc::{rc::Rc, string::String, vec::Vec};
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AnyObject, JsArray, Map, Object, Record, failure, frozen, frozen_list, once, options, reason, set_member,
    to_open_js,
};
use crate::plan::edit_plan::EditPlan;
use crate::reader::gguf::Gguf;
use crate::reader::opened_file::OpenedFile;
use crate::reader::tensor_info::{self, TensorInfo, TensorOrName};
use gguf_files::merge::{MergedEntries, MergedShard, merge};
use gguf_files::open_set::OpenedShard;
use gguf_files::set_check::{SetCheck, SetFinding};
use gguf_files::shard_place::ShardPlace;
use gguf_format::format::header::TensorInfo as StoredTensor;

options! {
    /// How shards are merged.
    pub interface MergeOptions {
        /// `remove`, the default: the merged file has no `split.` keys. `llama.cpp`: it has them as llama.cpp writes them, with
        /// `split.count` 0.
        split_keys?: MergedEntries of ["remove" => MergedEntries::WithoutSplitKeys, "llama.cpp" => MergedEntries::AsLlamaCpp];
    }
}

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

/**
 * The model of the set. All members that are not described here are those of `merged`: they say what `Gguf` says of the merged
 * file.
 */
export interface GgufSet extends Omit<Gguf, "loads" | "validate"> {
    /**
     * Releases the memory of all headers at once. After that, this object, its shards and `merged` throw a `GgufError` with the
     * code `freed`: see `Gguf.free`. A second call does nothing.
     */
    free(): void;
}
"#;

/// The shards of a model, opened as one. It has all members of `Gguf`. They describe the merged file, with the metadata of the
/// first shard without `split.` keys; but tensors and their extents are those in their shards, and sizes are sums.
///
/// @example
/// import { GgufSet } from "gguf-wasm/full";
///
/// const set = await GgufSet.open("https://example.com/model-00001-of-00003.gguf");
/// for (const { shard, message } of set.findings) console.log(shard, message);
/// const values = await set.read("output.weight", { end: 4096 }); // from the shard that has it
/// await set.merge().stream().pipeTo(writable);
#[wasm_bindgen]
pub struct GgufSet {
    /// From number 1 on.
    pub(super) shards: Vec<OpenedShard<Gguf>>,
    pub(super) merged: Gguf,
    /// `merged`, as JavaScript sees it.
    merged_object: JsValue,
    pub(super) findings: Vec<SetFinding>,
    shard_objects: JsArray,
    tensor_objects: OnceCell<JsArray>,
    /// The first of these objects with each name.
    tensors_by_name: OnceCell<Map>,
    /// Made when a caller first asks for them: see `findings.rs`.
    pub(super) finding_objects: OnceCell<JsArray>,
}

/// A tensor of a shard.
struct PlacedTensor<'a> {
    /// The number of the shard.
    shard: u32,
    file: &'a OpenedFile,
    tensor: &'a StoredTensor<'a>,
    /// The position in the merged file, if that has the tensor.
    index: usize,
    is_in_merged: bool,
}

#[wasm_bindgen]
impl GgufSet {
    /// The shards in the order of their numbers, including missing ones.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetShard[]")]
    pub fn shards(&self) -> Result<JsArray, Thrown> {
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
    pub fn merged(&self) -> Result<JsValue, Thrown> {
        self.merged.state()?;
        Ok(self.merged_object.clone())
    }

    /// All tensors, in the order of the shards. The objects can be passed to `read` and similar methods.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetTensor[]")]
    pub fn tensors(&self) -> Result<JsArray, Thrown> {
        once(&self.tensor_objects, || {
            let list = JsArray::new();
            self.for_each_tensor(|place| {
                let info = TensorInfo::new(&place.file.header.decoder, place.tensor)?;
                let object = to_open_js(&TensorInfo { index: place.index as u32, ..info });
                set_member(&object, "shard", &place.shard.into());
                list.push(&frozen(object));
                Ok(())
            })?;
            Ok(frozen_list(list))
        })
    }

    /// Whether all shards could be opened.
    #[wasm_bindgen(getter, js_name = isComplete)]
    pub fn is_complete(&self) -> Result<bool, Thrown> {
        self.merged.state()?;
        Ok(self.shards.iter().all(|shard| shard.file.is_ok()))
    }

    /// The first tensor with a name: an object of `tensors`, or `undefined` if there is none.
    ///
    /// @example
    /// const { shard, type } = set.tensor("token_embd.weight") ?? {};
    #[wasm_bindgen(unchecked_return_type = "SetTensor | undefined")]
    pub fn tensor(&self, #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue) -> Result<JsValue, Thrown> {
        let tensors = self.tensors()?;
        let by_name = self.tensors_by_name.get_or_init(|| {
            let by_name = Map::new();
            for tensor in tensors.iter() {
                let name = tensor.unchecked_ref::<AnyObject>().get("name").unwrap_or_default();
                if !by_name.has(&name) {
                    by_name.set(&name, &tensor);
                }
            }
            by_name
        });
        Ok(by_name.get(name))
    }

    /// Where the data of a tensor lies in its shard: see `Gguf.extent`.
    ///
    /// @throws {GgufError} `unknown-tensor`.
    /// @example
    /// const { shard } = set.tensor("output.weight") ?? {};
    /// const { start, end } = set.extent("output.weight") ?? {}; // in the shard with this number
    #[wasm_bindgen(unchecked_return_type = "TensorExtent | undefined")]
    pub fn extent(&self, tensor: TensorOrName) -> Result<JsValue, Thrown> {
        let sought = tensor_info::find(&self.merged.state()?.file.header, &tensor)?.index();
        let mut extent = JsValue::UNDEFINED;
        self.for_each_tensor(|place| {
            if place.is_in_merged && place.index == sought {
                extent = place.file.extent_object(place.tensor)?;
            }
            Ok(())
        })?;
        Ok(extent)
    }

    /// The size of all shards that could be opened together, in bytes, if it is known.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, js_name = fileSize)]
    pub fn file_size(&self) -> Result<Option<f64>, Thrown> {
        self.sum(Gguf::file_size)
    }

    /// The least size of all shards that could be opened together: see `Gguf.requiredSize`.
    ///
    /// @throws {GgufError} `freed`.
    #[wasm_bindgen(getter, js_name = requiredSize)]
    pub fn required_size(&self) -> Result<Option<f64>, Thrown> {
        self.sum(Gguf::required_size)
    }

    /// Plans one file with the tensors of all shards. Tensors are copied byte for byte; dimensions of 1 at the end are left out, as
    /// in llama.cpp, except in image models. Nothing is read or written.
    ///
    /// @throws {GgufError} `incomplete-set` if a shard is missing, or if the shards do not have as many tensors as the first one
    /// says, `truncated` if one is too short, `name-taken` if two tensors have the same name, `size-unknown`,
    /// `invalid-argument`, `limit-exceeded`, `too-large`, `freed`.
    /// @example
    /// await set.merge().stream({ onProgress }).pipeTo(writable);
    /// const blob = set.merge().toBlob(files); // for local files, in the order of the shards
    pub fn merge(&self, options: Option<MergeOptions>) -> Result<EditPlan, Thrown> {
        let entries = MergeOptions::take(options)?.split_keys;
        if !self.is_complete()? {
            return Err(self.incomplete("merge the shards"));
        }
        if let Some(finding) = self.findings.iter().find(|finding| finding.check == SetCheck::SetTensorCount) {
            return Err(failure!(IncompleteSet: "cannot merge the shards: {}", finding.message));
        }
        let mut files: Vec<Rc<OpenedFile>> = Vec::new();
        for (_, shard) in self.opened() {
            files.push(shard.state()?.file.clone());
        }
        let shards: Vec<_> = files
            .iter()
            .map(|file| MergedShard { header: file.header.header(), file_size: file.file_size() })
            .collect();
        let plan = merge(&shards, entries)?;
        Ok(EditPlan::of_files(files, plan))
    }

    /// Releases all headers.
    #[wasm_bindgen(js_name = _release, skip_typescript)]
    pub fn release(&self) {
        self.merged.release();
        for (_, shard) in self.opened() {
            shard.release();
        }
    }
}

impl GgufSet {
    pub(super) fn new(shards: Vec<OpenedShard<Gguf>>, merged: Gguf, findings: Vec<SetFinding>) -> Self {
        let shard_objects = JsArray::new();
        for (number, shard) in (1_u32..).zip(&shards) {
            let object = Record::new().value("number", &number.into()).text("name", &shard.name);
            let object = match &shard.place {
                Some(ShardPlace::Url(url)) => object.text("url", url),
                Some(ShardPlace::Path(path)) => object.text("path", path),
                None => object,
            };
            let object = match &shard.file {
                Ok(gguf) => object.value("gguf", &gguf.clone().into()),
                Err(Some(error)) => object.value("error", &Thrown::from(error.clone())),
                Err(None) => object,
            };
            shard_objects.push(&frozen(object.done()));
        }
        Self {
            merged_object: merged.clone().into(),
            shards,
            merged,
            findings,
            shard_objects: frozen_list(shard_objects),
            tensor_objects: OnceCell::new(),
            tensors_by_name: OnceCell::new(),
            finding_objects: OnceCell::new(),
        }
    }

    /// The set as JavaScript sees it. The hidden member `_merged` is for `set-members.js`: it needs no call into the module, which
    /// may have stopped.
    pub(super) fn into_object(self) -> JsValue {
        let merged = self.merged_object.clone();
        let object: JsValue = self.into();
        let descriptor = Record::new().value("value", &merged).done();
        Object::define_property(object.unchecked_ref::<Object>(), &"_merged".into(), descriptor.unchecked_ref());
        object
    }

    /// Visits each tensor of the shards that could be opened.
    fn for_each_tensor(&self, mut visit: impl FnMut(PlacedTensor<'_>) -> Result<(), Thrown>) -> Result<(), Thrown> {
        let merged = self.merged.state()?.file.clone();
        let mut index = 0;
        for (shard, gguf) in self.opened() {
            let file = &gguf.state()?.file;
            for tensor in file.header.tensors() {
                // `merged` has the same tensors in the same order, without those whose offset or size is broken.
                let other = merged.header.tensor_at(index);
                let is_in_merged = other.is_some_and(|other| other.name().to_bytes() == tensor.name().to_bytes());
                visit(PlacedTensor { shard, file, tensor: &tensor, index, is_in_merged })?;
                index += usize::from(is_in_merged);
            }
        }
        Ok(())
    }

    /// The sum of the sizes of the shards that could be opened, if all sizes are known.
    fn sum(&self, size: fn(&Gguf) -> Result<Option<f64>, Thrown>) -> Result<Option<f64>, Thrown> {
        self.merged.state()?;
        let mut sum = 0.0;
        for (_, shard) in self.opened() {
            let Some(bytes) = size(shard)? else { return Ok(None) };
            sum += bytes;
        }
        Ok(Some(sum))
    }

    /// The shards that could be opened, with their numbers.
    pub(super) fn opened(&self) -> impl Iterator<Item = (u32, &Gguf)> {
        (1..).zip(&self.shards).filter_map(|(number, shard)| Some((number, shard.file.as_ref().ok()?)))
    }

    #[cold]
    pub(super) fn incomplete(&self, action: &str) -> Thrown {
        let missing =
            (1..).zip(&self.shards).find_map(|(number, shard)| Some((number, shard, shard.file.as_ref().err()?)));
        let Some((number, shard, error)) = missing else { return failure!(IncompleteSet: "{action}") };
        let name = if shard.name.is_empty() { String::new() } else { format!(" (\"{}\")", shard.name) };
        let problem = match error {
            Some(error) => format!("could not be opened: {}", reason(&Thrown::from(error.clone()))),
            None => "is missing; add the file and open the set again".into(),
        };
        failure!(IncompleteSet: "cannot {action}: shard {number} of {}{name} {problem}", self.shards.len())
    }
}
