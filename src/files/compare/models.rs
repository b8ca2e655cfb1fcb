//! `compare`.

use wasm_bindgen::prelude::*;

use super::comparison::Comparison;
use crate::interop::{AbortOptions, Function, Options, ProgressOptions, Promise, abortable, options};
use crate::reader::given_file::{GgufOrSet, given_file};
use crate::reader::progress::{on_progress, teller};
use gguf_files::compare::{CompareReports, models};

options! {
    /// What `compare` compares.
    pub interface CompareOptions extends AbortOptions, ProgressOptions<"ReadProgress"> as progress fills wanted: models::CompareOptions {
        /// Whether the data of the tensors is compared. Otherwise only the headers are. Default: true.
        data?: "boolean" -> wanted.data: bool;
        /// Whether the numbers of the tensors are compared too, also between different types: see `TensorDifference.values`. Default:
        /// false.
        values?: "boolean" -> wanted.values: bool;
        /// The most bytes of tensor data that are read of both models together, not counting padding between tensors. Small tensors are
        /// then read whole, and of large ones evenly spread parts. Default: all data is read.
        max_bytes?: "number" -> wanted.max_bytes: u64, number from 0;
        /// Is called for each tensor that both models have, as soon as its data has been compared. Tensors whose data is not compared
        /// are left out.
        on_tensor?: "((pair: ComparedPair) => void)" => Function;
    }
}

/// Compares two models: their metadata, their tensors, and the data of the tensors. A set of shards counts as one model.
///
/// The data of tensors with the same name and the same type is read once and compared byte by byte, up to the first difference.
/// Data that both models read from the same place of the same file is not read: for example, if `b` is the plan of an edit of
/// `a`. Tensors whose names only one model has are compared by hash, if there are several with the same type and dimensions.
/// What is equal, but stored in another way, is in `format`. Bytes that belong to no entry and no tensor are not compared.
///
/// @throws {GgufError} `invalid-argument`, `other-module`, `freed`, `too-large`, or the error of reading a source.
/// @example
/// import { compare, Gguf } from "gguf-wasm/full";
///
/// const [a, b] = await Promise.all([Gguf.open(oldUrl), Gguf.open(newUrl)]);
/// const comparison = await compare(a, b, { values: true, maxBytes: 32e6 });
/// console.log(comparison.summary); // "Same weights as far as they were compared, other chat template."
/// for (const { key, change } of comparison.entries()) console.log(change, key);
/// comparison.free();
#[wasm_bindgen(unchecked_return_type = "Promise<Comparison>")]
pub fn compare(a: GgufOrSet, b: GgufOrSet, options: Option<CompareOptions>) -> Promise {
    let options = Options::new(options);
    abortable(options.clone(), async move {
        let (file_a, file_b) = (given_file("a", &a)?, given_file("b", &b)?);
        let given = CompareOptions::read(&options)?;
        let on_progress = on_progress(given.progress);
        let on_tensor = given.on_tensor.map(teller);
        let reports = CompareReports { on_progress: on_progress.as_deref(), on_tensor: on_tensor.as_deref() };
        let differences = models::compare(&file_a, &file_b, given.wanted, reports).await?;
        Ok(Comparison::new(differences, file_a.clone(), file_b.clone()).into())
    })
}
