//! The method of `Gguf` that joins experts which are separate tensors.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::plan::edit_plan::EditPlan;
use crate::reader::gguf::Gguf;
use gguf_files::join_experts::join_experts;

#[wasm_bindgen]
impl Gguf {
    /// Plans a file in which the experts of each block are one tensor for each matrix, as llama.cpp reads them since April 2024:
    /// `blk.0.ffn_up_exps.weight` instead of `blk.0.ffn_up.0.weight`, `blk.0.ffn_up.1.weight` and so on. The new tensor has the data of
    /// the experts one after the other. All else is copied byte for byte. Nothing is read or written. `validate` reports files that need
    /// this with the code `separate-experts`.
    ///
    /// @throws {GgufError} `invalid-argument` if no expert is a tensor of its own, or if the file is one of several shards;
    /// `incomplete-model` if an expert is missing; `does-not-fit` if experts have different types or dimensions; `unknown-type`,
    /// `name-taken`, `truncated`, `size-unknown`, `limit-exceeded`, `too-large`.
    /// @example
    /// const isOld = gguf.validate().some(({ code }) => code === "separate-experts");
    /// if (isOld) await gguf.joinExperts().stream().pipeTo(await handle.createWritable());
    #[wasm_bindgen(js_name = joinExperts)]
    pub fn join_experts(&self) -> Result<EditPlan, Thrown> {
        let file = self.state()?.file.clone();
        let plan = join_experts(&file.header, file.file_size())?;
        Ok(EditPlan::new(file, plan))
    }
}
