//! `plan.estimateError`, `plan.proposeMix` and `plan.tryRows`: their types, and what they need of a plan. `glue/error-estimate.js` has the methods.

use wasm_bindgen::prelude::*;

use super::job_message::to_message;
use super::plan::ConversionPlan;
use super::workers;
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, JsArray, Options, Promise, abortable};
use gguf_convert::requantize::{sample_rows, types_of_tensors};

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** What `estimateError` reads and tries. */
export interface ErrorEstimateOptions extends AbortOptions {
  /**
   * The number of rows that are read of each tensor. Default: from 8 to 64, so that all tensors together have about 24 million weights. A
   * tensor with fewer rows is read whole. The types IQ1, IQ2 and IQ3 take long: they are tried with about 16,384 weights of these rows.
   */
  rows?: number;
  /** The file types whose errors are estimated. Default: all that are possible with the options of the plan. */
  fileTypes?: readonly string[];
  /** Whether the types are also tried without the importance matrix, so that its effect is known. It takes as long again. Default: false. */
  withoutImportance?: boolean;
  /** Is called after each tensor. */
  onProgress?: (progress: ErrorEstimateProgress) => void;
}

/** How far an estimate is. */
export interface ErrorEstimateProgress {
  /** Tensors that have been tried. */
  readonly tensorsDone: number;
  /** Tensors that will be tried in the end. */
  readonly tensorCount: number;
  /** What is known so far: the errors of file types are those of the tensors that have been tried. */
  estimate(): ErrorEstimate;
}

/** The errors that a conversion would have. */
export interface ErrorEstimate {
  /** The error of the plan as it was when the estimate began. */
  readonly plan: MixError;
  /** The file types, in the order of their sizes. */
  readonly fileTypes: readonly FileTypeError[];
  /** The tensors, in the order of `plan.tensors`. */
  readonly tensors: readonly TensorErrors[];
}

/** The error of a new file. */
export interface MixError {
  /** The size of all new files together, in bytes. */
  readonly size: number;
  /**
   * The mean of the normalised errors of the tensors, each counted by its number of weights: 0 if nothing is lost, and about 1 if everything
   * is. Here all weights of a tensor count the same, even with an importance matrix.
   */
  readonly normalisedError: number;
  /** With an importance matrix: the mean of the errors that count by importance. */
  readonly weightedError?: number;
  /** With `withoutImportance`: the same, if the types did not use the importance matrix. */
  readonly weightedErrorWithoutImportance?: number;
  /** The type of each tensor, in the order of `plan.tensors`. */
  readonly types: readonly string[];
}

/** The error of a file type. */
export interface FileTypeError extends MixError {
  /** The name of the file type: `"Q4_K_M"`. */
  readonly name: string;
}

/** What is known of a tensor. */
export interface TensorErrors {
  /** The name in the new file. */
  readonly name: string;
  /** The number of its weights. */
  readonly elementCount: number;
  /** The number of rows that were read. 0 if the tensor keeps its type in every file type, or was not reached. */
  readonly rowsRead: number;
  /** The number of rows that it has. */
  readonly rowCount: number;
  /** The types that were tried, in the order of their sizes. */
  readonly types: readonly TensorTypeError[];
}

/** The error of a tensor with a type. */
export interface TensorTypeError {
  /** The name of the type: `"Q4_K"`. */
  readonly type: string;
  /** The size of the tensor in the new file, in bytes. */
  readonly byteLength: number;
  /** The normalised mean squared error, as `TensorQuality` has it. */
  readonly normalisedError: number;
  /** With an importance matrix for the tensor: the error that counts by importance. */
  readonly weightedError?: number;
  /** With `withoutImportance`: the same, if the type did not use the importance matrix. */
  readonly weightedErrorWithoutImportance?: number;
}

/** The types with the smallest error whose file is not larger than a limit. */
export interface TypeMix extends MixError {
  /** The file type that most tensors have: `type` of `requantize`. */
  readonly fileType: string;
  /** The rules that give the types: `tensorTypes` of `requantize`, and `--tensor-type` of `llama-quantize`. */
  readonly tensorTypes: readonly string[];
}

/** Which rows `tryRows` converts. */
export interface TryRowsOptions extends AbortOptions {
  /** The name of the type. Default: the one that the plan gives the tensor. */
  type?: string;
  /** The first row. Default: 0. */
  firstRow?: number;
  /** The number of rows; fewer are converted if the matrix ends before. Default: 16. */
  rowCount?: number;
}

/** Some rows of a tensor before and after a conversion. */
export interface TriedRows {
  /** The type that they were converted to. */
  readonly type: string;
  readonly firstRow: number;
  readonly rowCount: number;
  /** The number of weights of a row. */
  readonly columns: number;
  /** The weights of the model, row after row. */
  readonly original: Float32Array<ArrayBuffer>;
  /** The weights that the new file would have. */
  readonly converted: Float32Array<ArrayBuffer>;
}

export interface ConversionPlan {
  /**
   * Estimates the errors of quantizing before anything is written: some rows of each tensor are quantized to all types that the file types
   * give it. Nothing of the plan changes. The rows are the same in each call.
   *
   * @throws {GgufError} `invalid-argument`, `freed`, `worker-failed`, `invalid-data` if a row contains a NaN or an infinity, or what reading
   * fails with.
   * @example
   * const { fileTypes } = await conversion.estimateError();
   * for (const { name, size, normalisedError } of fileTypes) console.log(name, size, normalisedError);
   */
  estimateError(options?: ErrorEstimateOptions): Promise<ErrorEstimate>;
  /**
   * The types with the smallest error whose file has at most `bytes` bytes: the tensors in which a byte saves the most error get more bits.
   * `undefined` if no file is as small.
   *
   * @param estimate A result of `estimateError` of this plan.
   * @throws {GgufError} `invalid-argument`, `freed`.
   * @example
   * const mix = await conversion.proposeMix(await conversion.estimateError(), 5e9);
   * if (mix) console.log(mix.fileType, mix.tensorTypes);
   */
  proposeMix(estimate: ErrorEstimate, bytes: number): Promise<TypeMix | undefined>;
  /**
   * Converts some rows of a tensor, without a new file: to see what a type changes.
   *
   * @param tensor Its name in the new file, its position in `tensors`, or an object of `tensors`.
   * @throws {GgufError} `unknown-tensor`, `out-of-range`, `invalid-argument`, `freed`, `invalid-data`, or what reading fails with.
   * @example
   * const { original, converted } = await conversion.tryRows("token_embd.weight", { type: "Q4_K", rowCount: 1 });
   * console.log(original[0], converted[0]);
   */
  tryRows(tensor: string | number | ConversionTensor, options?: TryRowsOptions): Promise<TriedRows>;
}
"#;

#[wasm_bindgen]
impl ConversionPlan {
    /// Some rows of a tensor as the message of a job.
    #[wasm_bindgen(js_name = _sampleRows, skip_typescript)]
    pub fn sample_rows(&self, tensor: usize, first: f64, count: f64, options: Option<AbortOptions>) -> Promise {
        let sample = sample_rows(&self.files, &self.recipe.borrow(), tensor, first as u64, count as u64);
        abortable(Options::new(options), async move { to_message(&sample?.await?) })
    }

    /// The names of the possible file types in one text, and the types of the tensors, one file type after the other.
    #[wasm_bindgen(js_name = _typesOfTensors, skip_typescript)]
    pub fn types_of_tensors(&self) -> Result<JsArray, Thrown> {
        let (names, types) = types_of_tensors(&self.headers(), self.recipe.borrow().options())?;
        let list = JsArray::new();
        list.push(&names.join(" ").into());
        types.iter().for_each(|ggml_type| {
            list.push(&(*ggml_type).into());
        });
        Ok(list)
    }

    /// What starts workers, and how many of them the caller wants.
    #[wasm_bindgen(js_name = _workers, skip_typescript)]
    pub fn workers(&self) -> JsArray {
        let count = self.workers.map_or(JsValue::UNDEFINED, |count| (count as f64).into());
        let list = JsArray::new();
        list.push(&workers::starter());
        list.push(&count);
        list
    }
}
