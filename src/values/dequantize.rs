//! `dequantize`: blocks of a tensor type to `f32`s.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Bytes, EventLoop, argument_type, describe, failure, float32_array};
use crate::reader::tensor_info::type_by_name_or_id;
use crate::values::number_format::{copy_into, new_array};
use gguf_format::format::version::Endian;
use gguf_format::tensor::converter::{Converter, NumberFormat};
use gguf_format::tensor::unit::Unit;

argument_type!(Floats: "Float32Array");

/// Dequantizes blocks as they are stored in little-endian files. The result has the bits that ggml's C code computes, without
/// contraction of products and sums; a NaN may be any NaN.
///
/// @param type - A type of `ggmlTypes()`, by name or number.
/// @param blocks - Whole blocks, as `readBytes` returns them.
/// @param out - Receives the elements, from its beginning; by default a new array. It must not overlap the blocks.
/// @returns `out`
/// @throws {GgufError} `unknown-type`, or `invalid-argument` if the blocks are not whole or `out` is too short.
/// @example
/// const blocks = await gguf.readBytes("output.weight", { end: 256 });
/// const weights = dequantize("Q6_K", blocks);
#[wasm_bindgen(unchecked_return_type = "Float32Array")]
pub fn dequantize(
    #[wasm_bindgen(js_name = "type", unchecked_param_type = "string | number")] ggml_type: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Uint8Array")] blocks: &JsValue,
    out: Option<Floats>,
) -> Result<JsValue, Thrown> {
    let info = type_by_name_or_id(ggml_type)?;
    let refused =
        |why: &str| failure!(InvalidArgument: "the blocks of type {} cannot be dequantized: {why}", info.name);
    let Some(bytes) = Bytes::of(blocks) else {
        return Err(refused(&format!("they are given as {}, expected a Uint8Array", describe(blocks))));
    };
    let length = bytes.byte_length() as u64;
    let (block_size, type_size) = (u64::from(info.block_size), u64::from(info.type_size));
    if !length.is_multiple_of(type_size) {
        return Err(refused(&format!("they have {length} bytes, expected a multiple of {type_size}")));
    }
    let count = length / type_size * block_size;
    let given: JsValue = match out {
        Some(out) => out.into(),
        None => new_array(NumberFormat::Float32, count)?.into(),
    };
    let Some(out) = float32_array(&given) else {
        return Err(refused(&format!("the argument out is {}, expected a Float32Array", describe(&given))));
    };
    if out.length() < count as f64 {
        let room = out.length() as u64;
        return Err(refused(&format!("they hold {count} elements, but the argument out has room for {room}")));
    }
    let mut converter = Converter::new::<EventLoop>(Unit::block(info), Endian::Little, NumberFormat::Float32)?;
    converter.convert(&bytes, &mut |start, numbers| copy_into(&out, start, numbers))?;
    Ok(given)
}
