//! The findings of a set, of its shards, and of the model, and whether llama.cpp loads them, as JavaScript objects.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use super::set::GgufSet;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, declare_string_union, to_js};
use crate::validate::asked::options::ValidateOptions;
use crate::validate::findings::frozen_list;
use gguf_files::loads_set::loads_set;
use gguf_files::set_check::SetCheck;
use gguf_files::validate_set::{CheckedShard, validate_set};

declare_string_union!("The stable codes of findings about a set of shards.", "SetFindingCode", SetCheck::CODES);

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A problem of a set of shards, of one of its files, or of the model. */
export interface SetFinding extends Omit<Finding, "code"> {
  readonly code: FindingCode | SetFindingCode;
  /** The number of the shard that the finding is about, from 1. `index`, `offset` and `fix` are those in this file. */
  readonly shard?: number;
}

/** Whether llama.cpp loads a set of shards as a model, in words. */
export interface SetLoads extends Omit<Loads, "reason"> {
  /**
   * The first reason: an error of the set, of a shard, or of the model. Not present if llama.cpp loads the set. If a shard could not be
   * opened, the answer is `unknown`.
   */
  readonly reason?: SetFinding;
}

/** A model: an opened file, or the shards of one. */
export interface Model extends Omit<Gguf, "loads" | "validate"> {
  /** Says whether llama.cpp loads the model: see `Gguf.loads` and `GgufSet.loads`. */
  loads(): Loads | SetLoads;
  /** Checks the model: see `Gguf.validate` and `GgufSet.validate`. */
  validate(options?: ValidateOptions): readonly (Finding | SetFinding)[];
}
"#;

#[wasm_bindgen]
impl GgufSet {
    /// What is wrong with the set: missing, swapped, duplicate and truncated shards. `validate` also checks the files.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly SetFinding[]")]
    pub fn findings(&self) -> Result<JsArray, Thrown> {
        self.merged.state()?;
        Ok(self.finding_objects.get_or_init(|| frozen_list(&validate_set(&self.findings, &[], None, None))).clone())
    }

    /// Checks the set, each shard, and, if no shard is missing, the model as a whole. Findings about a shard have its number.
    /// Tensor data is not read. `fileName` is the name of the first shard.
    ///
    /// @throws {GgufError} `invalid-argument` if `fileName` is not a string; `freed`.
    /// @example
    /// for (const { shard, severity, message } of set.validate()) console.log(shard ?? "set", severity, message);
    #[wasm_bindgen(unchecked_return_type = "readonly SetFinding[]")]
    pub fn validate(&self, options: Option<ValidateOptions>) -> Result<JsArray, Thrown> {
        let file_name = ValidateOptions::take(options)?.file_name;
        let is_whole = self.is_complete()? && self.shards.len() > 1;
        let shards = self.checked_shards()?;
        let merged = self.merged.state()?;
        let model = is_whole.then(|| merged.file.header.header());
        Ok(frozen_list(&validate_set(&self.findings, &shards, model, file_name.as_deref())))
    }

    /// Says whether llama.cpp loads the whole set as a model, with the first reason why not. Tensor data is not read.
    ///
    /// @throws {GgufError} `freed`.
    /// @example
    /// console.log(set.loads().sentence); // "llama.cpp loads the set of shards."
    #[wasm_bindgen(unchecked_return_type = "SetLoads")]
    pub fn loads(&self) -> Result<JsValue, Thrown> {
        let merged = self.merged.state()?;
        Ok(to_js(&loads_set(&self.findings, &self.checked_shards()?, merged.file.header.header())))
    }
}

impl GgufSet {
    fn checked_shards(&self) -> Result<Vec<CheckedShard>, Thrown> {
        let mut shards = Vec::new();
        for (number, shard) in self.opened() {
            let file = &shard.state()?.file;
            shards.push(CheckedShard { number, header: file.header.header().clone(), file_size: file.file_size() });
        }
        Ok(shards)
    }
}
