//! Whether llama.cpp loads a file, as a JavaScript object.

use alloc::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{declare_types, to_js};
use crate::reader::decoded_header::DecodedHeader;
use crate::reader::gguf::Gguf;
use gguf_models::architectures::RULES_VERSION;
use gguf_models::validate::{DescribedLoads, described_loads};

declare_types!(DescribedLoads);

/// Whether llama.cpp loads a file with a header, and with a size if it is known.
pub(crate) fn answer(header: &Rc<DecodedHeader>, file_size: Option<u64>) -> JsValue {
    to_js(&described_loads(header.header(), file_size))
}

/// The llama.cpp whose rules `loads`, `validate` and `memory` apply: its month, commit and date.
///
/// @example
/// console.log(llamaCppRules()); // "llama.cpp of October 2026 (b11549, 2026-10-10)"
#[wasm_bindgen(js_name = llamaCppRules, unchecked_return_type = "string")]
pub fn llama_cpp_rules() -> JsValue {
    RULES_VERSION.into()
}

#[wasm_bindgen]
impl Gguf {
    /// Says whether llama.cpp loads the file as a model, with the first reason why not, as llama.cpp would meet it. Tensor data
    /// is not read. For an adapter or a projector the answer is `no`, and the reason names the option that takes it. For one shard
    /// of several it is `unknown`: `GgufSet.loads` has the answer for the set.
    ///
    /// @example
    /// const { answer, sentence } = gguf.loads();
    /// if (answer !== "yes") console.log(sentence); // "llama.cpp does not load the file: it is not a language model (kind: Adapter). …"
    #[wasm_bindgen(unchecked_return_type = "Loads")]
    pub fn loads(&self) -> Result<JsValue, Thrown> {
        let file = &self.state()?.file;
        Ok(answer(&file.header, file.file_size()))
    }
}
