//! `MigrationPlan`: the GGUF file that a model in a format before GGUF becomes.

use alloc::{format, rc::Rc, string::String};

use wasm_bindgen::prelude::*;

use crate::convert::legacy::{Migration, without_extension};
use crate::io::Source as _;
use crate::web::convert::target::write_to_target;
use crate::web::interop::{
    AbortOptions, JsArray, NumberArgument, Options, ProgressOptions, Promise, abortable, argument_type, arguments,
    check_signal, describe, failure, frozen_list, is_integer, is_position, options, to_js,
};
use crate::web::reader::progress::on_progress;
use crate::web::source::gguf_source::Source;
use crate::web::write::chunk_stream::{self, ChunkStream, MadeChunks, WriteOptions};

argument_type!(MigrationTarget: "string | URL | ReplaceableFile");

options! {
    /// Options of streaming a migrated model.
    pub interface MigrationStreamOptions extends WriteOptions {
        /// The position of the first byte, by default 0. A stream that broke off can be continued by another one.
        start?: "number" => JsValue = 0.0.into();
    }
}

options! {
    /// Options of writing a migrated model.
    pub interface MigrationWriteOptions extends WriteOptions {
        /// Whether an existing file at the path may be replaced. By default false.
        overwrite?: "boolean" => bool = false;
    }
}

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
        let base = self.file_name.as_deref().map_or("", without_extension);
        format!("{}.gguf", if base.is_empty() { "model" } else { base })
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
        let migration = self.migration.clone();
        abortable(Options::new(options), async move {
            let (start, end) = (arguments::number("start", &start)?, arguments::number("end", &end)?);
            if !(is_position(start) && is_position(end) && start <= end) {
                return Err(failure!(OutOfRange:
                    "cannot read from {start} to {end}: expected whole numbers with 0 <= start <= end"));
            }
            Ok(migration.file().read(start as u64..end as u64).await?.into())
        })
    }

    /// The bytes of the new file. The stream reads and converts the old file while it is read itself. If it breaks off, another one can
    /// continue at `start`.
    ///
    /// @throws {GgufError} `out-of-range`. The stream fails with what reading fails with.
    /// @example
    /// await plan.stream({ onProgress, signal }).pipeTo(await handle.createWritable(), { signal });
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<MigrationStreamOptions>) -> Result<JsValue, JsValue> {
        let options = Options::new(options);
        let given = MigrationStreamOptions::read(&options)?.start;
        let size = self.migration.size();
        let start = given.as_f64().filter(|start| (0.0..=size as f64).contains(start) && is_integer(*start));
        let Some(start) = start else {
            return Err(failure!(OutOfRange:
                "options.start is {}, expected a whole number from 0 to {size}", describe(&given)));
        };
        Ok(stream(&self.migration, options, start)?.into())
    }

    /// Writes the new file. It appears complete or not at all.
    ///
    /// @param target A path or a `file:` URL, with `gguf-wasm/convert/node`; or a `FileSystemFileHandle`.
    /// @throws {GgufError} as `stream`, and `write-failed`: nothing has changed. With a path, its `cause` is the error of the file
    /// system: `EEXIST` if the file exists and `overwrite` is not set.
    /// @example
    /// import { openLegacy } from "gguf-wasm/convert/node";
    ///
    /// const model = await openLegacy("ggml-model-q4_0.bin");
    /// await model.migrate().writeTo("ggml-model-q4_0.gguf");
    #[wasm_bindgen(js_name = writeTo, unchecked_return_type = "Promise<void>")]
    pub fn write_to(&self, target: MigrationTarget, options: Option<MigrationWriteOptions>) -> Promise {
        let (options, target) = (Options::new(options), JsValue::from(target));
        let migration = self.migration.clone();
        abortable(Options::default(), async move {
            check_signal(&options)?;
            let overwrite = MigrationWriteOptions::read(&options)?.overwrite;
            let stream = stream(&migration, options.clone(), 0.0)?;
            let parts = migration.file().source().parts().iter().collect();
            write_to_target(stream, target, overwrite, parts, &options).await
        })
    }
}

fn stream(migration: &Migration<Source>, options: Options, start: f64) -> Result<ChunkStream, JsValue> {
    let chunks = MadeChunks::new(migration.file().chunks(start as u64));
    chunk_stream::stream(chunks, options, start, migration.size())
}
