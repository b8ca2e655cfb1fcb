//! `ModelPlan`: the GGUF file that a model becomes.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::cell::OnceCell;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::findings;
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, JsArray, NumberArgument, Promise, declare_types, frozen_list, once, to_js};
use crate::reader::gguf::Gguf;
use crate::source::computed::Computed;
use crate::source::gguf_source::Source;
use crate::write::computed_file::{self, ComputedFile, NewFileStreamOptions, NewFileTarget, NewFileWriteOptions};
use gguf_convert::model::{ConvertedFile, ModelPlan as Plan, NewModelTensor};
use gguf_format::decode::decoder::parse;
use gguf_models::file_name::safe_name;

declare_types!(NewModelTensor);

/// The GGUF file that a model becomes: its size, its metadata and its tensors before it is written. It is a source: `Gguf.open` of every
/// entry opens the new file without writing it.
///
/// @example
/// const plan = await hubModel.convert({ type: "bf16" });
/// for (const { name, storedName, type, dimensions } of plan.tensors) console.log(name, storedName, type, dimensions);
/// for (const { key, value } of plan.gguf.entries) console.log(key, value, plan.defaultedKeys.includes(key));
/// await plan.writeTo(await showSaveFilePicker({ suggestedName: plan.suggestedName }));
#[wasm_bindgen]
pub struct ModelPlan {
    /// The name of the folder.
    folder: String,
    plan: Plan<Source>,
    /// The files that were read for it, as the caller gave them.
    inputs: Array,
    gguf: OnceCell<Gguf>,
}

impl ModelPlan {
    pub(super) fn new(folder: &str, plan: Plan<Source>, inputs: Array) -> Self {
        Self { folder: folder.into(), plan, inputs, gguf: OnceCell::new() }
    }
}

#[wasm_bindgen]
impl ModelPlan {
    /// The size of the new file in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.plan.size() as f64
    }

    /// The type that was asked for: `"q8_0"`. For `"auto"` the one that was chosen.
    #[wasm_bindgen(getter, js_name = type)]
    pub fn output_type(&self) -> String {
        self.plan.output_type().name().into()
    }

    /// A name for the new file: that of the folder, and the type. The name of a projector begins with `mmproj-`.
    #[wasm_bindgen(getter, js_name = suggestedName)]
    pub fn suggested_name(&self) -> String {
        safe_name(&self.folder, &format!("-{}.gguf", self.plan.output_type().name().to_uppercase()))
    }

    /// The tensors of the new file, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly ModelPlanTensor[]")]
    pub fn tensors(&self) -> JsArray {
        frozen_list(self.plan.tensors().iter().map(to_js).collect())
    }

    /// The stored tensors that are left out.
    #[wasm_bindgen(getter, js_name = droppedTensors, unchecked_return_type = "readonly string[]")]
    pub fn dropped_tensors(&self) -> JsArray {
        texts(self.plan.dropped_tensors())
    }

    /// The keys of metadata whose values are not in `config.json`: they are defaults of the class.
    #[wasm_bindgen(getter, js_name = defaultedKeys, unchecked_return_type = "readonly string[]")]
    pub fn defaulted_keys(&self) -> JsArray {
        texts(self.plan.defaulted_keys())
    }

    /// What llama.cpp refuses of the new file, or what is unusual in its keys, tensors and shapes. `Gguf.from(plan.gguf)` of
    /// `gguf-wasm/explain` makes all checks with `validate()`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly Finding[]")]
    pub fn findings(&self) -> Result<JsArray, Thrown> {
        let header = Arc::new(parse(self.plan.file().header_bytes())?);
        Ok(findings::of_model(&header))
    }

    /// The new file, opened: its metadata and its tensors. `Gguf.from(plan.gguf)` of another entry and `requantize(plan.gguf)` of
    /// `gguf-wasm/convert` compute its data when they read it.
    #[wasm_bindgen(getter)]
    pub fn gguf(&self) -> Result<Gguf, Thrown> {
        once(&self.gguf, || {
            let header = parse(self.plan.file().header_bytes())?;
            Gguf::with_header(Arc::new(header), Source::Computed(Computed::new(self.plan.file().clone())))
        })
    }

    /// Reads the bytes of the new file from `start` up to, but not including, `end`. Positions after the end of the file have no bytes.
    ///
    /// @throws {GgufError} `out-of-range`, or what reading fails with.
    /// @example
    /// const converted = await Gguf.open(plan);
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read(&self, start: NumberArgument, end: NumberArgument, options: Option<AbortOptions>) -> Promise {
        computed_file::read(self.plan.file().clone(), start, end, options)
    }

    /// The bytes of the new file. The stream reads and converts the tensors while it is read itself: some rows at a time. If it breaks
    /// off, another one can continue at `start`.
    ///
    /// @throws {GgufError} `out-of-range`. The stream fails with what reading fails with.
    /// @example
    /// await plan.stream({ onProgress, signal }).pipeTo(await handle.createWritable(), { signal });
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<NewFileStreamOptions>) -> Result<JsValue, Thrown> {
        computed_file::stream(self.plan.file(), options)
    }

    /// Writes the new file. It appears complete or not at all.
    ///
    /// @param target A path or a `file:` URL, with `gguf-wasm/models/node`; or a `FileSystemFileHandle`.
    /// @throws {GgufError} as `stream`; `invalid-argument` if the target is a file that the new one is made from; and `write-failed`:
    /// nothing has changed. With a path, its `cause` is the error of the file system: `EEXIST` if the file exists and `overwrite` is not
    /// set.
    /// @example
    /// import { openModel } from "gguf-wasm/models/node";
    ///
    /// const model = await openModel("models/Qwen3-0.6B");
    /// const plan = await model.convert({ type: "q8_0" });
    /// await plan.writeTo(plan.suggestedName);
    #[wasm_bindgen(js_name = writeTo, unchecked_return_type = "Promise<void>")]
    pub fn write_to(&self, target: NewFileTarget, options: Option<NewFileWriteOptions>) -> Promise {
        computed_file::write_to(self.plan.file().clone(), &self.inputs, target, options)
    }
}

impl ComputedFile for ConvertedFile<Source> {
    fn originals(&self) -> Vec<&Source> {
        self.model().parts().iter().map(|part| part.source()).collect()
    }
}

fn texts(list: &[String]) -> JsArray {
    frozen_list(list.iter().map(JsValue::from).collect())
}
