//! The methods of `Gguf` that read the values of tensors.

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use crate::web::interop::js;
use crate::web::reader::gguf::{Gguf, TensorTask};
use crate::web::reader::tensor::TensorOrName;
use crate::web::source::stream::on_progress;
use crate::web::values::dequantize::NumberOptions;
use crate::web::values::numbers;
use crate::web::values::preview::{self, PreviewOptions};
use crate::web::values::statistics::{self, StatisticsOptions};

#[wasm_bindgen(typescript_custom_section)]
const READ: &str = r#"
export interface Gguf {
  /**
   * Reads the elements `start..end` of a tensor, by default all of them, as floats: the bits that ggml's C code
   * computes. Only the blocks in which they lie are fetched.
   *
   * @throws {GgufError} `unknown-tensor`, `out-of-range`, `unknown-type`, `invalid-argument` if the type holds none of
   * what `as` asks for, `too-large`, or what reading fails with.
   * @example
   * const firstRow = await gguf.read("output.weight", { end: gguf.tensor("output.weight").dimensions[0] });
   * const ids = await gguf.read("indices", { as: "bigint64" });
   */
  read<As extends keyof NumberArrays = "float32">(
    tensor: TensorInfo | string,
    options?: NumberOptions<As>,
  ): Promise<NumberArrays[As]>;
}
"#;

#[wasm_bindgen]
impl Gguf {
    /// Reads elements of a tensor: see the interface's declaration.
    #[wasm_bindgen(skip_typescript)]
    pub fn read(&self, tensor: TensorOrName, options: Option<NumberOptions>) -> Promise {
        let task = TensorTask { prepare: numbers::task, needs_file_size: false, on_progress: |_| Ok(None) };
        self.run(tensor, js::members_of(&options), task)
    }

    /// Reads part of a tensor, evenly spread over it, and shows it as a grid of cells, with a histogram and other
    /// figures of what was read: a few megabytes of a tensor of any size, in at most 64 requests.
    ///
    /// @throws {GgufError} `unknown-tensor`, `unknown-type`, `invalid-argument`, or what reading fails with.
    /// @example
    /// const { rows, columns, mean, statistics } = await gguf.preview("blk.0.attn_q.weight", { maxBytes: 1 << 20 });
    #[wasm_bindgen(unchecked_return_type = "Promise<TensorPreview>")]
    pub fn preview(&self, tensor: TensorOrName, options: Option<PreviewOptions>) -> Promise {
        self.run(
            tensor,
            js::members_of(&options),
            TensorTask { prepare: preview::task, needs_file_size: false, on_progress },
        )
    }

    /// Reads a whole tensor, a piece after the other, and computes figures of it in constant memory.
    ///
    /// @throws {GgufError} `unknown-tensor`, `unknown-type`, or what reading fails with.
    /// @example
    /// const { mean, standardDeviation } = await gguf.statistics("output_norm.weight");
    #[wasm_bindgen(unchecked_return_type = "Promise<TensorStatistics>")]
    pub fn statistics(&self, tensor: TensorOrName, options: Option<StatisticsOptions>) -> Promise {
        self.run(
            tensor,
            js::members_of(&options),
            TensorTask { prepare: statistics::task, needs_file_size: false, on_progress },
        )
    }
}
