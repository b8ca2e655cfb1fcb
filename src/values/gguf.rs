//! The methods of `Gguf` that read the values of tensors.

use wasm_bindgen::prelude::*;

use crate::interop::{Options, Promise, abortable, to_js};
use crate::reader::elements;
use crate::reader::gguf::Gguf;
use crate::reader::progress::on_progress;
use crate::reader::tensor_info::{self, TensorOrName};
use crate::values::number_format::{NumberOptions, copy_into, new_array};
use crate::values::preview::{self, PreviewOptions};
use crate::values::statistics::StatisticsOptions;
use gguf_format::tensor::converter::Chunk;

#[wasm_bindgen(typescript_custom_section)]
const READ: &str = r#"
export interface Gguf {
  /**
   * Reads the elements `start..end` of a tensor, by default all of them, as floats with the bits that ggml's C code
   * computes. Only the blocks that hold these elements are fetched.
   *
   * @throws {GgufError} `unknown-tensor`, `out-of-range`, `unknown-type`, `invalid-argument` if the type cannot be read
   * as the format that `as` names, `too-large`, or the error of reading the source.
   * @example
   * const firstRow = await gguf.read("output.weight", { end: gguf.tensor("output.weight")?.dimensions[0] });
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
    // The interface above declares its types, which depend on the option `as`.
    #[wasm_bindgen(skip_typescript)]
    #[allow(missing_docs, reason = "the interface has the documentation")]
    pub fn read(&self, tensor: TensorOrName, options: Option<NumberOptions>) -> Promise {
        let (state, options) = (self.state(), Options::new(options));
        abortable(options.clone(), async move {
            let file = state?.file.clone();
            let tensor = tensor_info::find(&file.header, &tensor)?;
            let given = NumberOptions::read(&options)?;
            let (format, bounds) = (given.r#as, [given.elements.start, given.elements.end]);
            let elements = elements::of(&file.header, &tensor, bounds)?;
            let numbers = new_array(format, elements.end - elements.start)?;
            let mut take = |start, chunk: Chunk<'_>| copy_into(&numbers, start, chunk);
            file.read_numbers(&tensor, elements, format, &mut take).await?;
            Ok(numbers.into())
        })
    }

    /// Reads evenly spread parts of a tensor and shows them as a grid of cells, with statistics and a histogram of the
    /// elements that were read. It reads up to 4 MiB by default, in at most 64 requests.
    ///
    /// @throws {GgufError} `unknown-tensor`, `unknown-type`, `invalid-argument`, or the error of reading the source.
    /// @example
    /// const { rows, columns, mean, statistics } = await gguf.preview("blk.0.attn_q.weight", { maxBytes: 1 << 20 });
    #[wasm_bindgen(unchecked_return_type = "Promise<TensorPreview>")]
    pub fn preview(&self, tensor: TensorOrName, options: Option<PreviewOptions>) -> Promise {
        let (state, options) = (self.state(), Options::new(options));
        abortable(options.clone(), async move {
            let file = state?.file.clone();
            let tensor = tensor_info::find(&file.header, &tensor)?;
            let given = PreviewOptions::read(&options)?;
            let elements = elements::of(&file.header, &tensor, [given.start, given.end])?;
            let (limits, on_progress) = (preview::limits(given.limits), on_progress(given.statistics.progress));
            Ok(to_js(&file.preview(&tensor, elements, limits, on_progress.as_deref()).await?))
        })
    }

    /// Reads a whole tensor part by part and computes its statistics in constant memory.
    ///
    /// @throws {GgufError} `unknown-tensor`, `unknown-type`, or the error of reading the source.
    /// @example
    /// const { mean, standardDeviation } = await gguf.statistics("output_norm.weight");
    #[wasm_bindgen(unchecked_return_type = "Promise<TensorStatistics>")]
    pub fn statistics(&self, tensor: TensorOrName, options: Option<StatisticsOptions>) -> Promise {
        let (state, options) = (self.state(), Options::new(options));
        abortable(options.clone(), async move {
            let file = state?.file.clone();
            let tensor = tensor_info::find(&file.header, &tensor)?;
            let on_progress = on_progress(StatisticsOptions::read(&options)?.progress);
            let summary = file.statistics(&tensor, on_progress.as_deref()).await?;
            Ok(to_js(&summary))
        })
    }
}
