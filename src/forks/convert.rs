//! `convertForkRows`.

use alloc::vec::Vec;

use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::typed_arrays::new_float32_array;
use crate::interop::{
    Bytes, NumberArgument, TextArgument, describe, failure, is_position, no_memory, number, short_text,
};
use gguf_format::tensor::{RowGroup, fork_kernel};

/// About how many bytes are converted at a time, so that the memory of the module stays small.
const BYTES_AT_ONCE: usize = 1 << 20;

/// Converts rows of a tensor type that another program writes than llama.cpp, as they are stored in files. The result has the bits that
/// the other program computes, without contraction of products and sums; a NaN may be any NaN.
///
/// The types are those of ik_llama.cpp (such as `IQ4_K`, `IQ2_KT` and `Q4_K_R4`), of PrismML's llama.cpp (`Q2_0_G128`, `PQ2_0`) and of
/// llama-cpp-turboquant (`TQ3_1S`, `TQ4_1S`). Rows of some types are stored in groups: 4 rows of `_R4`, 8 of `_R8`, 16 of `_R16`.
///
/// @param type - The name of the type, in capital letters.
/// @param columns - The elements of a row: the first dimension of the tensor.
/// @param bytes - Whole rows; of a type with groups, whole groups.
/// @returns The elements, row after row.
/// @throws {GgufError} `unknown-type` if the values of the type are not known; `out-of-range` if `columns` is not a whole number of
/// blocks, or `bytes` not a whole number of groups; `invalid-argument`; `too-large` if there is not enough memory.
/// @example
/// // Two rows of 32 elements: the scale 0.5, four bytes that are not used, and 32 integers.
/// const bytes = new Uint8Array(80).fill(3);
/// for (const row of [0, 40]) new DataView(bytes.buffer).setFloat32(row, 0.5, true);
/// const elements = convertForkRows("Q8_KV", 32, bytes);
/// console.log(elements.length, elements[0]); // 64 1.5
#[wasm_bindgen(js_name = convertForkRows, unchecked_return_type = "Float32Array<ArrayBuffer>")]
pub fn convert_fork_rows(
    #[wasm_bindgen(js_name = "type")] fork_type: &TextArgument,
    columns: &NumberArgument,
    #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: &JsValue,
) -> Result<JsValue, Thrown> {
    let name = short_text("type", fork_type)?;
    let kernel = fork_kernel(&name).ok_or_else(|| {
        failure!(UnknownType:
            "{} is not a type of another program whose values are known, such as \"IQ4_K\"", describe(fork_type))
    })?;
    let count = Some(number("columns", columns)?).filter(|count| is_position(*count)).map(|count| count as usize);
    let (columns, RowGroup { rows, bytes: group_bytes }) =
        count.and_then(|count| Some((count, kernel(count, &[], &mut [])?))).ok_or_else(|| {
            failure!(OutOfRange:
                "a row of type {name} cannot have {} columns, expected a whole number of blocks", describe(columns))
        })?;
    let Some(bytes) = Bytes::of(bytes) else {
        return Err(failure!(InvalidArgument: "the argument bytes is {}, expected a Uint8Array", describe(bytes)));
    };
    let length = bytes.byte_length() as u64;
    if !length.is_multiple_of(group_bytes as u64) {
        return Err(failure!(OutOfRange:
            "the rows of type {name} have {length} bytes, expected a multiple of {group_bytes}: {rows} rows are stored together"));
    }
    let groups = length / group_bytes as u64;
    let elements = groups.saturating_mul(rows as u64).saturating_mul(columns as u64);
    let out = new_float32_array(elements as f64).map_err(|_| no_memory(elements.saturating_mul(4)))?;
    let at_once = (BYTES_AT_ONCE / group_bytes).max(1).min(groups as usize);
    let (mut blocks, mut numbers) = (zeros(at_once * group_bytes)?, zeros(at_once * rows * columns)?);
    let (mut read, mut written) = (0.0, 0.0);
    while read < length as f64 {
        let part = bytes.subarray(read, read + blocks.len() as f64)?;
        blocks.truncate(part.byte_length() as usize);
        part.copy_to(&mut blocks)?;
        numbers.truncate(blocks.len() / group_bytes * rows * columns);
        kernel(columns, &blocks, &mut numbers);
        let place = out.subarray(written, written + numbers.len() as f64);
        place.unchecked_ref::<Float32Array>().copy_from(&numbers);
        read += blocks.len() as f64;
        written += numbers.len() as f64;
    }
    Ok(out.into())
}

/// Memory for so many numbers.
fn zeros<T: Copy + Default>(length: usize) -> Result<Vec<T>, Thrown> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(length).map_err(|_| no_memory((length * size_of::<T>()) as u64))?;
    memory.resize(length, T::default());
    Ok(memory)
}
