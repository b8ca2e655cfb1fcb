//! The formats that numbers are read as: the option `as`.

use js_sys::{BigInt64Array, Float32Array, Float64Array};
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{FromOption, Numbers, Options, no_memory, options, typed_arrays};
use crate::reader::options::ReadOptions;
use gguf_format::tensor::converter::{Chunk, NumberFormat};

options! {
    /// Which elements of a tensor are read, and as what.
    pub interface NumberOptions<"As extends keyof NumberArrays = keyof NumberArrays"> extends ReadOptions as elements {
        /// `"float32"` by default.
        r#as?: "As" => NumberFormat = NumberFormat::Float32;
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** The formats that numbers can be read as. */
export interface NumberArrays {
  /** For all types: what ggml computes, or the nearest `f32` for I32, I64 and F64. */
  float32: Float32Array<ArrayBuffer>;
  /** For all types: exactly, or the nearest `f64` for I64. */
  float64: Float64Array<ArrayBuffer>;
  /** For I8, I16, I32 and I64: exactly. */
  bigint64: BigInt64Array<ArrayBuffer>;
}
"#;

impl FromOption for NumberFormat {
    fn from_option(options: &Options, name: &str) -> Result<Option<Self>, Thrown> {
        let index = options.choice(name, &["float32", "float64", "bigint64"])?;
        Ok(index.map(|index| [Self::Float32, Self::Float64, Self::Int64][index]))
    }
}

/// A new array of `count` numbers. Fails with `too-large` if the memory cannot be allocated.
pub(crate) fn new_array(format: NumberFormat, count: u64) -> Result<Numbers, Thrown> {
    let length = count as f64;
    let (array, number_size) = match format {
        NumberFormat::Float32 => (typed_arrays::new_float32_array(length), 4),
        NumberFormat::Float64 => (typed_arrays::new_float64_array(length), 8),
        NumberFormat::Int64 => (typed_arrays::new_bigint64_array(length), 8),
    };
    array.map_err(|_| no_memory(count.saturating_mul(number_size)))
}

/// Copies numbers into an array of the same format, from the place `start` on.
pub(crate) fn copy_into(array: &Numbers, start: u64, numbers: Chunk<'_>) {
    let part = array.subarray(start as f64, (start + numbers.count() as u64) as f64);
    match numbers {
        Chunk::Floats(floats) => part.unchecked_ref::<Float32Array>().copy_from(floats),
        Chunk::Doubles(doubles) => part.unchecked_ref::<Float64Array>().copy_from(doubles),
        Chunk::Integers(integers) => part.unchecked_ref::<BigInt64Array>().copy_from(integers),
    }
}
