//! `requantize`: the plan of a model with other tensor types.

use alloc::{rc::Rc, sync::Arc, vec::Vec};

use wasm_bindgen::prelude::*;

use super::given_models::{ConvertibleModel, files_of};
use super::imatrix;
use super::options::{RequantizeOptions, wanted};
use super::plan::ConversionPlan;
use crate::interop::{Options, Promise, abortable};
use gguf_convert::requantize::Recipe;
use gguf_format::format::header::Header;

/// Plans the conversion of a model to other tensor types, as `llama-quantize` makes it, bit for bit. No tensor data is read before
/// the plan is written: it says which type each tensor gets and how large the new files are, and types can be changed.
///
/// The model can be of any entry of the package; it can be freed afterwards. If shards are given, they become one file, unless
/// `keepSplit` is set.
///
/// An image model gets the types that ComfyUI-GGUF's `llama-quantize` (December 2025) gives it. If that has no rules for the family or for
/// the file type, `ConversionPlan.findings` has the reason, and the plan is not written.
///
/// @throws {GgufError} `invalid-argument`, `bad-imatrix`, `incomplete-set`, `foreign-shard`, `unknown-type`, `name-taken`,
/// `bad-alignment`, `limit-exceeded`, `freed`, or what reading the importance matrix fails with. A tensor that cannot be converted is
/// no error here: see `ConversionTensor.problem`.
/// @example
/// import { Gguf } from "gguf-wasm";
/// import { requantize } from "gguf-wasm/convert";
///
/// const gguf = await Gguf.open(file);
/// const plan = await requantize(gguf, { type: "Q4_K_M", allowRequantize: true });
/// console.log(plan.size, plan.bitsPerWeight);
/// await plan.stream().pipeTo(writable);
#[wasm_bindgen(unchecked_return_type = "Promise<ConversionPlan>")]
pub fn requantize(model: ConvertibleModel, options: RequantizeOptions) -> Promise {
    let options = Options::new(Some(options));
    abortable(options.clone(), async move {
        let mut given = RequantizeOptions::read(&options)?;
        let mut wanted = wanted(&mut given);
        let files = files_of(&model)?;
        if let Some(imatrix) = given.imatrix {
            wanted.imatrix = Some(imatrix::given(imatrix, given.imatrix_file_name).await?);
        }
        let headers: Vec<Arc<Header>> = files.iter().map(|file| file.header().clone()).collect();
        let recipe = Recipe::new(&headers, wanted)?;
        Ok(ConversionPlan::new(Rc::new(files), recipe, given.workers, given.nmse).into())
    })
}
