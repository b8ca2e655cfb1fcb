//! Blocks to numbers: from bytes of JavaScript's to arrays of JavaScript's, by way of memory that stays in the cache.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use js_sys::{BigInt64Array, Float32Array, Float64Array};
use wasm_bindgen::prelude::*;

use crate::format::ggml_type::{GGML_TYPES, GgmlType, GgmlTypeInfo};
use crate::format::version::Endian;
use crate::tensor::quant::{self, kernels};
use crate::web::interop::error::{Code, failure};
use crate::web::interop::js::{self, Bytes, Members, Numbers};
use crate::web::source::no_memory;

/// Elements that are converted at once: 128 KiB of `f32`s, which a second-level cache holds, and whole blocks of every
/// type.
const PIECE: usize = 32 << 10;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** What numbers can be given as. */
export interface NumberArrays {
  /** Of any type: what ggml computes, or the nearest `f32` for I32, I64 and F64. */
  float32: Float32Array<ArrayBuffer>;
  /** Of any type: exactly, or the nearest `f64` for I64. */
  float64: Float64Array<ArrayBuffer>;
  /** Of I8, I16, I32 and I64: exactly. */
  bigint64: BigInt64Array<ArrayBuffer>;
}

/** Which elements of a tensor, as what, and until when. */
export interface NumberOptions<As extends keyof NumberArrays = keyof NumberArrays> extends ReadOptions {
  /** `"float32"` if it is not given. */
  as?: As;
}
"#;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "Float32Array")]
    pub type Floats;
    #[wasm_bindgen(extends = Members, typescript_type = "NumberOptions")]
    pub type NumberOptions;
}

/// Dequantises blocks as they are stored in little-endian files: the bits that ggml's C code computes (without
/// contraction of products and sums; any NaN for NaN), an element after the other.
///
/// @param type - A type of `ggmlTypes()`, by name or number.
/// @param blocks - Whole blocks, as `readBytes` gives them.
/// @param out - Where the elements go, from its beginning; by default a new array. It is not to overlap the blocks.
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
) -> Result<JsValue, JsValue> {
    let info = by_name_or_id(ggml_type)?;
    let wrong = |what: &str| failure(Code::InvalidArgument, &format!("{}: {what}", info.name));
    let Some(blocks) = js::bytes(blocks) else { return Err(wrong("the blocks are not bytes")) };
    let length = blocks.byte_length() as u64;
    let (block_size, type_size) = (u64::from(info.block_size), u64::from(info.type_size));
    if !length.is_multiple_of(type_size) {
        return Err(wrong(&format!("{length} bytes are not whole blocks of {type_size} bytes")));
    }
    let count = length / type_size * block_size;
    let given = match out {
        Some(out) => out.into(),
        None => js::new_floats(count as f64).map_err(|_| no_memory(4 * count))?.into(),
    };
    let Some(out) = js::floats(&given) else { return Err(wrong("out is not a Float32Array")) };
    if out.length() < count as f64 {
        let room = out.length() as u64;
        return Err(wrong(&format!("the blocks hold {count} elements, and out has room for {room}")));
    }
    Converter::new(info, Endian::Little, NumberFormat::Float32)?.fill(&blocks, 0, &(0..count), &out)?;
    Ok(given)
}

/// The type with a name or number, unless ggml has given it up.
pub(crate) fn by_name_or_id(wanted: &JsValue) -> Result<&'static GgmlTypeInfo, JsValue> {
    let info = match (wanted.as_string(), wanted.as_f64()) {
        (Some(name), _) => GGML_TYPES.iter().find(|info| info.name == name),
        (None, Some(id)) if id >= 0.0 && js::is_whole(id) => GgmlType(id as u32).info(),
        _ => None,
    };
    info.filter(|info| !info.is_removed()).ok_or_else(|| failure(Code::UnknownType, "ggml has no such type"))
}

/// What numbers are given as.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum NumberFormat {
    Float32,
    Float64,
    BigInt64,
}

impl NumberFormat {
    /// The option `as`, by default the first.
    pub fn of(options: Option<&Members>) -> Result<Self, JsValue> {
        let Some(wanted) = options.map(|options| options.some("as")).transpose()?.flatten() else {
            return Ok(Self::Float32);
        };
        match wanted.as_string().as_deref() {
            Some("float32") => Ok(Self::Float32),
            Some("float64") => Ok(Self::Float64),
            Some("bigint64") => Ok(Self::BigInt64),
            _ => Err(failure(Code::InvalidArgument, "the option as is not a format of numbers")),
        }
    }

    /// A new array for numbers, if there is memory for it.
    pub fn array(self, count: u64) -> Result<Numbers, JsValue> {
        let length = count as f64;
        let array = match self {
            Self::Float32 => js::new_floats(length),
            Self::Float64 => js::new_doubles(length),
            Self::BigInt64 => js::new_integers(length),
        };
        array.map_err(|_| no_memory(count.saturating_mul(if self == Self::Float32 { 4 } else { 8 })))
    }
}

/// A page of memory, in bytes.
const PAGE: usize = 4096;

/// How far it is from an address to the middle of a page.
///
/// Large arrays of JavaScript's begin a few bytes into a page. To copy between there and what begins a few bytes into
/// another one takes `rep movsb`, which engines copy with, ten times as long on AMD's Zen 3 (glibc's bug 30994).
fn mid_page(address: usize) -> usize {
    (PAGE / 2).wrapping_sub(address) % PAGE
}

/// Makes numbers of a type's blocks.
pub(crate) struct Converter {
    info: &'static GgmlTypeInfo,
    /// Whether the blocks' wide fields are the other way round.
    swapped: bool,
    kernel: Kernel,
    blocks: Vec<u8>,
    floats: Vec<f32>,
}

/// What makes numbers, and where they go if these are not `f32`s.
enum Kernel {
    Floats(quant::Kernel<f32>),
    /// Doubles that hold no more than `f32`s do.
    Widened(quant::Kernel<f32>, Vec<f64>),
    Doubles(quant::Kernel<f64>, Vec<f64>),
    Integers(quant::Kernel<i64>, Vec<i64>),
}

/// Numbers that have been made.
pub(crate) enum Piece<'a> {
    Floats(&'a [f32]),
    Doubles(&'a [f64]),
    Integers(&'a [i64]),
}

impl Converter {
    pub fn new(info: &'static GgmlTypeInfo, endian: Endian, format: NumberFormat) -> Result<Self, JsValue> {
        let none = |what: &str| failure(Code::InvalidArgument, &format!("{} {what}", info.name));
        let kernels = kernels(GgmlType(info.id)).ok_or_else(|| failure(Code::UnknownType, info.name))?;
        let kernel = match format {
            NumberFormat::Float32 => Kernel::Floats(kernels.to_f32),
            NumberFormat::Float64 => match kernels.to_f64 {
                Some(to_f64) => Kernel::Doubles(to_f64, vec![0.0; PIECE]),
                None => Kernel::Widened(kernels.to_f32, vec![0.0; PIECE]),
            },
            NumberFormat::BigInt64 => {
                let to_i64 = kernels.to_i64.ok_or_else(|| none("holds no integers"))?;
                Kernel::Integers(to_i64, vec![0; PIECE])
            }
        };
        let blocks = vec![0; PIECE / info.block_size as usize * info.type_size as usize + PAGE];
        let floats = vec![0.0; PIECE + PAGE / size_of::<f32>()];
        Ok(Self { info, swapped: endian == Endian::Big, kernel, blocks, floats })
    }

    /// Gives the numbers in whole blocks to `take`, pieces of them in order, each with how many are before it.
    pub fn each(&mut self, bytes: &Bytes, take: &mut dyn FnMut(u64, Piece<'_>)) -> Result<(), JsValue> {
        let (block_size, type_size) = (self.info.block_size as usize, self.info.type_size as usize);
        let (mut start, length) = (0.0, bytes.byte_length());
        let mut done = 0;
        while start < length {
            let end = length.min(start + (PIECE / block_size * type_size) as f64);
            let from = mid_page(self.blocks.as_ptr() as usize);
            let blocks = &mut self.blocks[from..from + (end - start) as usize];
            bytes.subarray(start, end)?.copy_to(blocks)?;
            if self.swapped {
                self.info.swap_byte_order(blocks);
            }
            let count = blocks.len() / type_size * block_size;
            let from = mid_page(self.floats.as_ptr() as usize) / size_of::<f32>();
            let floats = &mut self.floats[from..from + count];
            let piece = match &mut self.kernel {
                Kernel::Floats(to_f32) => {
                    to_f32(blocks, floats);
                    Piece::Floats(floats)
                }
                Kernel::Widened(to_f32, doubles) => {
                    to_f32(blocks, floats);
                    for (double, float) in doubles.iter_mut().zip(floats) {
                        *double = f64::from(*float);
                    }
                    Piece::Doubles(&doubles[..count])
                }
                Kernel::Doubles(to_f64, doubles) => {
                    to_f64(blocks, &mut doubles[..count]);
                    Piece::Doubles(&doubles[..count])
                }
                Kernel::Integers(to_i64, integers) => {
                    to_i64(blocks, &mut integers[..count]);
                    Piece::Integers(&integers[..count])
                }
            };
            take(done, piece);
            done += count as u64;
            start = end;
        }
        Ok(())
    }

    /// Fills an array with the elements `wanted`, as far as they are in `bytes`, of which the first is element `first`.
    pub fn fill(&mut self, bytes: &Bytes, first: u64, wanted: &Range<u64>, out: &Numbers) -> Result<(), JsValue> {
        self.each(bytes, &mut |done, piece| {
            let count = match piece {
                Piece::Floats(floats) => floats.len(),
                Piece::Doubles(doubles) => doubles.len(),
                Piece::Integers(integers) => integers.len(),
            };
            let start = first + done;
            let part = start.clamp(wanted.start, wanted.end)..(start + count as u64).clamp(wanted.start, wanted.end);
            if part.is_empty() {
                return;
            }
            let out = out.subarray((part.start - wanted.start) as f64, (part.end - wanted.start) as f64);
            let part = (part.start - start) as usize..(part.end - start) as usize;
            match piece {
                Piece::Floats(floats) => out.unchecked_ref::<Float32Array>().copy_from(&floats[part]),
                Piece::Doubles(doubles) => out.unchecked_ref::<Float64Array>().copy_from(&doubles[part]),
                Piece::Integers(integers) => out.unchecked_ref::<BigInt64Array>().copy_from(&integers[part]),
            }
        })
    }
}
