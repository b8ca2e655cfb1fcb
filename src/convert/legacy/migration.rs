//! `MigrationPlan`: the GGUF file that a model in a format before GGUF becomes.

use alloc::{rc::Rc, string::String, vec::Vec};

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, JsArray, NumberArgument, Options, ProgressOptions, Promise, abortable, frozen_list, options, to_js,
};
use crate::reader::progress::on_progress;
use crate::source::gguf_source::Source;
use crate::write::computed_file::{self, ComputedFile, NewFileStreamOptions, NewFileTarget, NewFileWriteOptions};
use gguf_legacy::{MigratedFile, Migration, without_extension};
use gguf_models::file_name::safe_name;

options! {
    /// Options of computing what a migration does to the values.
    pub interface ExactnessOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress {
    }
}

/// The GGUF file that a model becomes: its size, its tensors, and what a person should know before it is written. It is a source:
/// `Gguf.open` of every entry opens the new file without writing it.
///
/// @example
/// const plan = model.migrate();
/// for (const { oldName, oldType, name, newType, relation } of plan.tensors) console.log(oldName, oldType, name, newType, relation);
/// await plan.writeTo(await showSaveFilePicker({ suggestedName: plan.suggestedName }));
#[wasm_bindgen]
pub struct MigrationPlan {
    /// The name of the old file.
    file_name: Option<String>,
    migration: Rc<Migration<Source>>,
}

impl MigrationPlan {
    pub(super) fn new(file_name: Option<&str>, migration: Migration<Source>) -> Self {
        Self { file_name: file_name.map(Into::into), migration: Rc::new(migration) }
    }
}

#[wasm_bindgen]
impl MigrationPlan {
    /// The size of the new file in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.migration.size() as f64
    }

    /// A name for the new file: that of the old file, with the extension `.gguf` in place of `.bin`.
    #[wasm_bindgen(getter, js_name = suggestedName)]
    pub fn suggested_name(&self) -> String {
        safe_name(self.file_name.as_deref().map_or("", without_extension), ".gguf")
    }

    /// The tensors of the new file, in order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly MigrationTensor[]")]
    pub fn tensors(&self) -> JsArray {
        frozen_list(self.migration.tensors().iter().map(to_js).collect())
    }

    /// What a person should know before the file is written.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly MigrationFinding[]")]
    pub fn findings(&self) -> JsArray {
        frozen_list(self.migration.notes().iter().map(to_js).collect())
    }

    /// Computes how many values change, and by how much at most. The data of all tensors whose values can change is read.
    ///
    /// @throws {GgufError} what reading fails with.
    /// @example
    /// const { total, tensors } = await plan.exactness({ signal: AbortSignal.timeout(60_000) });
    /// if (total.lostToOverflow > 0) console.log(`${total.lostToOverflow} values become infinite`);
    #[wasm_bindgen(unchecked_return_type = "Promise<MigrationExactness>")]
    pub fn exactness(&self, options: Option<ExactnessOptions>) -> Promise {
        let (migration, options) = (self.migration.clone(), Options::new(options));
        abortable(options.clone(), async move {
            let report = on_progress(ExactnessOptions::read(&options)?.progress);
            Ok(to_js(&migration.exactness(report.as_deref()).await?))
        })
    }

    /// Reads the bytes of the new file from `start` up to, but not including, `end`. Positions after the end of the file have no bytes.
    ///
    /// @throws {GgufError} `out-of-range`, or what reading fails with.
    /// @example
    /// const migrated = await Gguf.open(plan);
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array<ArrayBuffer>>")]
    pub fn read(&self, start: NumberArgument, end: NumberArgument, options: Option<AbortOptions>) -> Promise {
        computed_file::read(self.migration.file().clone(), start, end, options)
    }

    /// The bytes of the new file. The stream reads and converts the old file while it is read itself. If it breaks off, another one can
    /// continue at `start`.
    ///
    /// @throws {GgufError} `out-of-range`. The stream fails with what reading fails with.
    /// @example
    /// await plan.stream({ onProgress, signal }).pipeTo(await handle.createWritable(), { signal });
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<NewFileStreamOptions>) -> Result<JsValue, Thrown> {
        computed_file::stream(self.migration.file(), options)
    }

    /// Writes the new file. It appears complete or not at all.
    ///
    /// @param target A path or a `file:` URL, with `gguf-wasm/convert/node`; or a `FileSystemFileHandle`.
    /// @throws {GgufError} as `stream`; `invalid-argument` if the target is a file that the new one is made from; and `write-failed`:
    /// nothing has changed. With a path, its `cause` is the error of the file system: `EEXIST` if the file exists and `overwrite` is not
    /// set.
    /// @example
    /// import { openLegacy } from "gguf-wasm/convert/node";
    ///
    /// const model = await openLegacy("ggml-model-q4_0.bin");
    /// await model.migrate().writeTo("ggml-model-q4_0.gguf");
    #[wasm_bindgen(js_name = writeTo, unchecked_return_type = "Promise<void>")]
    pub fn write_to(&self, target: NewFileTarget, options: Option<NewFileWriteOptions>) -> Promise {
        computed_file::write_to(self.migration.file().clone(), &Array::new(), target, options)
    }
}

impl ComputedFile for MigratedFile<Source> {
    fn originals(&self) -> Vec<&Source> {
        self.source().parts().iter().collect()
    }
}
