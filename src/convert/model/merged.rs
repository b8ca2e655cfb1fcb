//! `mergeAdapter` and `MergedModel`: a model with an adapter merged into it.

use alloc::{sync::Arc, vec, vec::Vec};
use core::cell::OnceCell;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::findings;
use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, JsArray, NumberArgument, Options, Promise, TextArgument, abortable, argument_type, arguments,
    declare_types, failure, frozen_list, once, options, plain_object, refused_option, to_js,
};
use crate::reader::gguf::Gguf;
use crate::source::computed::Computed;
use crate::source::gguf_source::Source;
use crate::write::computed_file::{self, ComputedFile, NewFileStreamOptions, NewFileTarget, NewFileWriteOptions};
use gguf_convert::lora::{LoraAdapter, MergeOptions, MergedFile, MergedTensor, MergedTypes};
use gguf_declare::value::Floats;
use gguf_format::decode::decoder::parse;

declare_types!(MergedTensor);

argument_type!(GgufOfEntry: "GgufOfAnyEntry | GgufMessage");

options! {
    /// How an adapter is merged into a model.
    pub interface MergeAdapterOptions {
        /// How much the adapter counts: 1 as it was trained, which is the default, less for a weaker effect.
        scale?: "number" => f64 = 1.0, by scale;
        /// The types of the tensors that the adapter changes. `"f16"`, the default: F32 stays F32, all others become F16, as
        /// `llama-export-lora` has it. `"f32"`: all become F32; `requantize(merged.gguf)` of `gguf-wasm/convert` makes any type of them in
        /// one pass. `"keep"`: they keep their types, and are quantized again without an importance matrix.
        types?: MergedTypes of ["f16" => MergedTypes::F16, "f32" => MergedTypes::F32, "keep" => MergedTypes::Keep];
    }
}

plain_object! {
    /// Rows of a tensor before and after the merge.
    struct MergedRows {
        /// The numbers of the model.
        pub before: Floats,
        /// The numbers with the adapter, before they are rounded to the new type.
        pub after: Floats,
    }
}

/// Merges a LoRA adapter into a model, as `llama-export-lora` does it: W + scale · alpha / rank · B · A. Nothing is computed before the
/// result is read. The model and the adapter can be of any entry of the package. For several adapters, merge the next one into
/// `merged.gguf`.
///
/// @param model The model. It may be quantized.
/// @param adapter A LoRA adapter for it, in GGUF.
/// @throws {GgufError} `invalid-argument` if the adapter does not fit the model, or if a type cannot be quantized to; `incomplete-set` if
/// the model is a shard; `unknown-type`, `limit-exceeded`, `freed`.
/// @example
/// import { Gguf } from "gguf-wasm";
/// import { mergeAdapter } from "gguf-wasm/models";
///
/// const [model, adapter] = await Promise.all([Gguf.open(modelFile), Gguf.open(adapterFile)]);
/// const merged = mergeAdapter(model, adapter, { scale: 0.8 });
/// const { before, after } = await merged.rows("blk.0.attn_q.weight", 0, 4);
/// await merged.writeTo(await showSaveFilePicker({ suggestedName: "merged.gguf" }));
#[wasm_bindgen(js_name = mergeAdapter)]
pub fn merge_adapter(
    model: &GgufOfEntry,
    adapter: &GgufOfEntry,
    options: Option<MergeAdapterOptions>,
) -> Result<MergedModel, Thrown> {
    let wanted = MergeAdapterOptions::read(&Options::checked(options))?;
    let file = |given: &JsValue| Ok::<_, Thrown>(Gguf::from(given.unchecked_ref())?.state()?.file.file.clone());
    let adapter = LoraAdapter::new(file(adapter)?, wanted.scale as f32)?;
    let merged = MergedFile::new(file(model)?, vec![adapter], MergeOptions::default().with_types(wanted.types))?;
    Ok(MergedModel { merged, gguf: OnceCell::new() })
}

/// A model with an adapter merged into it: a GGUF file that is computed when it is read. It is a source: `Gguf.open` of every entry opens
/// it without writing it.
///
/// @example
/// const [model, adapter] = await Promise.all([Gguf.open(modelFile), Gguf.open(adapterFile)]);
/// const merged = mergeAdapter(model, adapter, { types: "f32" });
/// const quantized = await requantize(merged.gguf, { type: "Q4_K_M" });
/// await quantized.stream().pipeTo(writable);
#[wasm_bindgen]
pub struct MergedModel {
    merged: MergedFile<Source>,
    gguf: OnceCell<Gguf>,
}

#[wasm_bindgen]
impl MergedModel {
    /// The size of the new file in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.merged.byte_length() as f64
    }

    /// The tensors of the new file, in order. Those with `adapters` above 0 are changed.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly MergedModelTensor[]")]
    pub fn tensors(&self) -> JsArray {
        frozen_list(self.merged.tensors().iter().map(to_js).collect())
    }

    /// What llama.cpp refuses of the new file, or what is unusual in its keys, tensors and shapes. `Gguf.from(merged.gguf)` of
    /// `gguf-wasm/explain` makes all checks with `validate()`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Finding[]")]
    pub fn findings(&self) -> Result<JsArray, Thrown> {
        let header = Arc::new(parse(self.merged.header_bytes())?);
        Ok(findings::of_model(&header))
    }

    /// The new file, opened: its metadata and its tensors. `Gguf.from(merged.gguf)` of another entry and `requantize(merged.gguf)` of
    /// `gguf-wasm/convert` compute its data when they read it.
    #[wasm_bindgen(getter)]
    pub fn gguf(&self) -> Result<Gguf, Thrown> {
        once(&self.gguf, || {
            let header = parse(self.merged.header_bytes())?;
            Gguf::with_header(Arc::new(header), Source::Computed(Computed::new(self.merged.clone())))
        })
    }

    /// Some rows of a tensor before and after the merge: the rows from `start` up to, but not including, `end`. The rows of several
    /// matrices, such as experts, are counted through.
    ///
    /// @throws {GgufError} `invalid-argument` if there is no tensor of this name; `out-of-range`, or what reading fails with.
    /// @example
    /// const { before, after } = await merged.rows("blk.0.attn_q.weight", 0, 1);
    /// console.log(before[0], after[0]);
    #[wasm_bindgen(unchecked_return_type = "Promise<MergedRows>")]
    pub fn rows(
        &self,
        tensor: TextArgument,
        start: NumberArgument,
        end: NumberArgument,
        options: Option<AbortOptions>,
    ) -> Promise {
        let merged = self.merged.clone();
        abortable(Options::checked(options), async move {
            let tensor = arguments::short_text("tensor", &tensor)?;
            let range = arguments::range(&start, &end)?;
            let Some(place) = merged.tensors().iter().position(|other| other.name == tensor.as_bytes()) else {
                return Err(failure!(InvalidArgument: "the model has no tensor \"{tensor}\""));
            };
            let [before, after] = merged.rows(place, range).await?;
            Ok(to_js(&MergedRows { before: Floats(before), after: Floats(after) }))
        })
    }

    /// Reads the bytes of the new file from `start` up to, but not including, `end`. Positions after the end of the file have no bytes.
    ///
    /// @throws {GgufError} `out-of-range`, or what reading fails with.
    /// @example
    /// const opened = await Gguf.open(merged);
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read(&self, start: NumberArgument, end: NumberArgument, options: Option<AbortOptions>) -> Promise {
        computed_file::read(self.merged.clone(), start, end, options)
    }

    /// The bytes of the new file. The stream reads and computes the tensors while it is read itself: some rows at a time. If it breaks
    /// off, another one can continue at `start`.
    ///
    /// @throws {GgufError} `out-of-range`. The stream fails with what reading fails with.
    /// @example
    /// await merged.stream({ onProgress, signal }).pipeTo(await handle.createWritable(), { signal });
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<NewFileStreamOptions>) -> Result<JsValue, Thrown> {
        computed_file::stream(&self.merged, options)
    }

    /// Writes the new file. It appears complete or not at all.
    ///
    /// @param target A path or a `file:` URL, with `gguf-wasm/models/node`; or a `FileSystemFileHandle`.
    /// @throws {GgufError} as `stream`; `invalid-argument` if the target is a file that the new one is made from; and `write-failed`:
    /// nothing has changed. With a path, its `cause` is the error of the file system: `EEXIST` if the file exists and `overwrite` is not
    /// set.
    /// @example
    /// await merged.writeTo("merged.gguf");
    #[wasm_bindgen(js_name = writeTo, unchecked_return_type = "Promise<void>")]
    pub fn write_to(&self, target: NewFileTarget, options: Option<NewFileWriteOptions>) -> Promise {
        computed_file::write_to(self.merged.clone(), &Array::new(), target, options)
    }
}

impl ComputedFile for MergedFile<Source> {
    fn originals(&self) -> Vec<&Source> {
        let adapters = self.adapters().iter().map(|adapter| adapter.file().reader().source());
        core::iter::once(self.model().reader().source()).chain(adapters).collect()
    }
}

fn scale(options: &Options, name: &str) -> Result<Option<f64>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    // Adapters are scaled by 32-bit floats.
    match given.as_f64().filter(|scale| (*scale as f32).is_finite()) {
        Some(scale) => Ok(Some(scale)),
        None => Err(refused_option(name, &given, "a number that is finite as a 32-bit float")),
    }
}
