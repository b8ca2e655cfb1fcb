//! The method of `Gguf` that splits a file into shards, and the names of shards.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    JsArray, NumberArgument, Options, POSITION_END, Record, TextArgument, arguments, failure, is_integer, options,
    refused_option, shown_number,
};
use crate::plan::edit_plan::EditPlan;
use crate::reader::gguf::Gguf;
use gguf_files::split::{DEFAULT_MAX_TENSORS, SplitLimit, split};
use gguf_models::file_name::{self, MOST_SHARDS};

options! {
    /// How a file is split.
    pub interface SplitOptions {
        /// The beginning of the shards' names, by default "model".
        name?: "string" => String = "model".into();
        /// The most tensors of a shard. By default 128, if `maxBytes` is not given either.
        max_tensors?: "number" => u64, by count;
        /// The most bytes of tensor data in a shard, each tensor with its padding. The header does not count, so a file is a little
        /// larger. A tensor that is larger gets a shard of its own. Not together with `maxTensors`.
        max_bytes?: "number" => u64, by count;
        /// Whether the first shard has tensors, by default true. With false, it has the metadata only.
        tensors_in_first?: "boolean" => bool = true;
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A shard that is to be written. */
export interface PlannedShard {
  /** The name that llama.cpp expects: `model-00001-of-00003.gguf`. */
  readonly name: string;
  readonly plan: EditPlan;
  /** The number of tensors in the shard. */
  readonly tensorCount: number;
}
"#;

#[wasm_bindgen]
impl Gguf {
    /// Plans the shards of the file, as llama.cpp's `llama-gguf-split` makes them. An alignment other than 32 is kept. Tensors
    /// are copied byte for byte, also those of an unknown type; dimensions of 1 at the end are left out, except in image models.
    /// Nothing is read or written.
    ///
    /// @throws {GgufError} `invalid-argument` if an option has a value of no use, or if the file is itself one of several shards;
    /// `name-taken` if two tensors have the same name; `truncated`, `size-unknown`, `limit-exceeded` (more than 65,535 shards), `too-large`.
    /// @example
    /// for (const { name, plan } of gguf.split({ name: "Llama-3-8B", maxBytes: 2e9 })) {
    ///   const handle = await folder.getFileHandle(name, { create: true });
    ///   await plan.stream().pipeTo(await handle.createWritable());
    /// }
    #[wasm_bindgen(unchecked_return_type = "PlannedShard[]")]
    pub fn split(&self, options: Option<SplitOptions>) -> Result<JsArray, Thrown> {
        let file = self.state()?.file.clone();
        let options = SplitOptions::take(options)?;
        let limit = match (options.max_tensors, options.max_bytes) {
            (Some(_), Some(_)) => {
                return Err(failure!(InvalidArgument:
                    "options.maxTensors and options.maxBytes are both given, expected one of them"));
            }
            (None, Some(bytes)) => SplitLimit::Bytes(bytes),
            (tensors, None) => SplitLimit::Tensors(tensors.unwrap_or(DEFAULT_MAX_TENSORS)),
        };
        let shards = split(&file.header, file.file_size(), limit, options.tensors_in_first)?;
        let count = shards.len() as u32;
        let objects = (1..).zip(shards).map(|(number, shard)| {
            let plan = EditPlan::new(file.clone(), shard.plan);
            Record::new()
                .text("name", &file_name::shard_name(&options.name, number, count))
                .value("plan", &plan.into())
                .number("tensorCount", shard.tensors.len() as f64)
                .done()
        });
        Ok(objects.collect())
    }
}

/// The name that llama.cpp gives a shard, and by which it finds the others. All of them begin with `prefix`.
///
/// @throws {GgufError} `invalid-argument` if an argument has another type, if the prefix has more than 65,535 characters, or if
/// there is no such shard: a set has at most 65,535, with numbers from 1 on.
/// @example
/// const first = shardName("model", 1, 3); // "model-00001-of-00003.gguf"
#[wasm_bindgen(js_name = shardName)]
pub fn shard_name(prefix: &TextArgument, number: &NumberArgument, count: &NumberArgument) -> Result<String, Thrown> {
    let prefix = arguments::short_text("prefix", prefix)?;
    let (number, count) = (arguments::number("number", number)?, arguments::number("count", count)?);
    let is_whole = is_integer(number) && is_integer(count);
    if !is_whole || !(1.0..=count).contains(&number) || count > f64::from(MOST_SHARDS) {
        let [number, count] = [number, count].map(shown_number);
        return Err(failure!(InvalidArgument:
            "there is no shard {number} of {count}: shards have numbers from 1 to their count, at most {MOST_SHARDS}"));
    }
    Ok(file_name::shard_name(&prefix, number as u32, count as u32))
}

/// An option that is a positive whole number.
fn count(options: &Options, name: &str) -> Result<Option<u64>, Thrown> {
    let Some(number) = options.number(name, 1.0)? else { return Ok(None) };
    if !is_integer(number) || number >= POSITION_END as f64 {
        let expected = format!("a whole number from 1 to {}", POSITION_END - 1);
        return Err(refused_option(name, &number.into(), &expected));
    }
    Ok(Some(number as u64))
}
