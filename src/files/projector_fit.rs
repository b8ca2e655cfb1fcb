//! Whether a projector belongs to a model.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{declare_types, to_js};
use crate::reader::given_file::{GgufOrSet, given_file};
use gguf_models::projector_fit::{self as core_of, ProjectorFit};

declare_types!(ProjectorFit);

/// Says whether a multimodal projector belongs to a model of text: whether its embeddings are as long as those that the model reads, and
/// whether its kind belongs to the architecture of the model. Tensor data is not read. A set of shards counts as one model.
///
/// @throws {GgufError} `invalid-argument`, `other-module`, `freed`.
/// @example
/// import { projectorFit } from "gguf-wasm/full";
///
/// const { answer, sentence } = projectorFit(gguf, projector);
/// if (answer === "no") console.log(sentence); // "The projector does not fit the model: its embeddings have 2560 numbers, …"
#[wasm_bindgen(js_name = projectorFit, unchecked_return_type = "ProjectorFit")]
pub fn projector_fit(model: GgufOrSet, projector: GgufOrSet) -> Result<JsValue, Thrown> {
    let (model, projector) = (given_file("model", &model)?, given_file("projector", &projector)?);
    Ok(to_js(&core_of::projector_fit(&model.header, &projector.header)))
}
