//! Converting blocks of a tensor type to numbers.
//!
//! The blocks come from a buffer, wherever the host keeps it. Chunks of them pass through memory that stays in the processor's
//! cache.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Result, error};
use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};
use crate::format::version::Endian;
use crate::io::{Buffer, Host};
use crate::tensor::quant::{self, Kernels, kernels};
use crate::tensor::unit::Unit;

/// What numbers are converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// For all types: what ggml computes, or the nearest `f32` for I32, I64 and F64.
    Float32,
    /// For all types: exactly, or the nearest `f64` for I64.
    Float64,
    /// For I8, I16, I32 and I64: exactly.
    Int64,
}

impl NumberFormat {
    /// The floats that hold the numbers of a type without rounding, except those of I64.
    #[doc(hidden)]
    pub fn exact(info: &GgmlTypeInfo) -> Self {
        match kernels_of(info).is_some_and(|kernels| kernels.to_f64.is_some()) {
            true => Self::Float64,
            false => Self::Float32,
        }
    }
}

fn kernels_of(info: &GgmlTypeInfo) -> Option<Kernels> {
    if info.owner.is_some() {
        return None;
    }
    info.own_kernel.map(Kernels::to_f32_only).or_else(|| kernels(GgmlType(info.id)))
}

/// Elements that are converted at once: 128 KiB of `f32`s, which fit into a second-level cache, and a multiple of every
/// type's block size.
const CHUNK_ELEMENTS: usize = 32 << 10;

/// A page of memory, in bytes.
const PAGE_BYTES: usize = 4096;

/// The distance from an address to the middle of a page, in bytes.
///
/// Large arrays of JavaScript begin a few bytes into a page. Engines copy with `rep movsb`. On AMD's Zen 3, a copy between two
/// such addresses takes ten times as long (bug 30994 of glibc). So the buffers here begin in the middle of a page.
fn distance_to_mid_page(address: usize) -> usize {
    (PAGE_BYTES / 2).wrapping_sub(address) % PAGE_BYTES
}

#[doc(hidden)]
pub struct Converter {
    unit: Unit,
    /// Whether the blocks are stored big-endian.
    is_swapped: bool,
    kernel: Kernel,
    blocks: Vec<u8>,
    floats: Vec<f32>,
}

/// The function that converts blocks, with the buffer of its numbers if they are not `f32`s.
enum Kernel {
    Floats(quant::Kernel<f32>),
    /// A type of another program, which the host converts.
    Foreign(ConvertForeign),
    WidenedForeign(ConvertForeign, Vec<f64>),
    /// `f64`s that are converted from `f32`s without rounding.
    WidenedFloats(quant::Kernel<f32>, Vec<f64>),
    Doubles(quant::Kernel<f64>, Vec<f64>),
    Integers(quant::Kernel<i64>, Vec<i64>),
}

/// [`Host::convert_foreign`].
type ConvertForeign = fn(&str, usize, &[u8], &mut [f32]) -> Result<()>;

/// Some of the converted numbers.
#[derive(Clone, Copy, Debug)]
pub enum Chunk<'a> {
    /// `f32`s.
    Floats(&'a [f32]),
    /// `f64`s.
    Doubles(&'a [f64]),
    /// `i64`s.
    Integers(&'a [i64]),
}

impl Chunk<'_> {
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        match self {
            Self::Floats(floats) => floats.len(),
            Self::Doubles(doubles) => doubles.len(),
            Self::Integers(integers) => integers.len(),
        }
    }

    #[doc(hidden)]
    pub fn part(&self, range: Range<usize>) -> Self {
        match *self {
            Self::Floats(floats) => Self::Floats(&floats[range]),
            Self::Doubles(doubles) => Self::Doubles(&doubles[range]),
            Self::Integers(integers) => Self::Integers(&integers[range]),
        }
    }
}

impl Converter {
    /// Converts units to numbers. If the type belongs to another program, the host's [`Host::load_foreign`] has been awaited.
    pub fn new<H: Host>(unit: Unit, endian: Endian, format: NumberFormat) -> Result<Self> {
        let info = unit.info;
        let chunk_units = (CHUNK_ELEMENTS / unit.elements as usize).max(1);
        let elements = chunk_units * unit.elements as usize;
        let convert_foreign: ConvertForeign = convert_foreign::<H>;
        let kernel = match (kernels_of(info), format) {
            (Some(kernels), NumberFormat::Float32) => Kernel::Floats(kernels.to_f32),
            (Some(kernels), NumberFormat::Float64) => match kernels.to_f64 {
                Some(to_f64) => Kernel::Doubles(to_f64, vec![0.0; elements]),
                None => Kernel::WidenedFloats(kernels.to_f32, vec![0.0; elements]),
            },
            (Some(Kernels { to_i64: Some(to_i64), .. }), NumberFormat::Int64) => {
                Kernel::Integers(to_i64, vec![0; elements])
            }
            (_, NumberFormat::Int64) => {
                return Err(error!(InvalidArgument:
                    "elements of type {} cannot be read as \"bigint64\": expected I8, I16, I32 or I64. Use \
                     \"float32\" or \"float64\"", info.name));
            }
            (None, NumberFormat::Float32) if info.owner.is_some() => Kernel::Foreign(convert_foreign),
            (None, _) if info.owner.is_some() => Kernel::WidenedForeign(convert_foreign, vec![0.0; elements]),
            (None, _) => {
                return Err(
                    error!(UnknownType: "elements of type {} cannot be read: no kernel converts it", info.name),
                );
            }
        };
        let blocks = vec![0; chunk_units * unit.bytes as usize + PAGE_BYTES];
        let floats = vec![0.0; elements + PAGE_BYTES / size_of::<f32>()];
        Ok(Self { unit, is_swapped: endian == Endian::Big, kernel, blocks, floats })
    }

    /// Converts whole blocks. Passes the numbers to `take` in order, in chunks, each with the number of elements before it.
    pub fn convert(&mut self, bytes: &impl Buffer, take: &mut dyn FnMut(u64, Chunk<'_>)) -> Result<()> {
        let (block_size, type_size) = (self.unit.elements as usize, self.unit.bytes as usize);
        let chunk_bytes = (CHUNK_ELEMENTS / block_size).max(1) * type_size;
        let (mut start, length) = (0, bytes.len());
        let mut elements_before = 0;
        while start < length {
            let end = length.min(start + chunk_bytes as u64);
            let first = distance_to_mid_page(self.blocks.as_ptr() as usize);
            let blocks = &mut self.blocks[first..first + (end - start) as usize];
            bytes.part(start..end)?.copy_to(blocks)?;
            if self.is_swapped {
                self.unit.info.swap_byte_order(blocks);
            }
            let count = blocks.len() / type_size * block_size;
            let first = distance_to_mid_page(self.floats.as_ptr() as usize) / size_of::<f32>();
            let floats = &mut self.floats[first..first + count];
            let chunk = match &mut self.kernel {
                Kernel::Floats(to_f32) => {
                    to_f32(blocks, floats);
                    Chunk::Floats(floats)
                }
                Kernel::Foreign(convert) => {
                    convert(self.unit.info.name, self.unit.columns(count), blocks, floats)?;
                    Chunk::Floats(floats)
                }
                Kernel::WidenedFloats(to_f32, doubles) => {
                    to_f32(blocks, floats);
                    Chunk::Doubles(widened(floats, doubles))
                }
                Kernel::WidenedForeign(convert, doubles) => {
                    convert(self.unit.info.name, self.unit.columns(count), blocks, floats)?;
                    Chunk::Doubles(widened(floats, doubles))
                }
                Kernel::Doubles(to_f64, doubles) => {
                    to_f64(blocks, &mut doubles[..count]);
                    Chunk::Doubles(&doubles[..count])
                }
                Kernel::Integers(to_i64, integers) => {
                    to_i64(blocks, &mut integers[..count]);
                    Chunk::Integers(&integers[..count])
                }
            };
            take(elements_before, chunk);
            elements_before += count as u64;
            start = end;
        }
        Ok(())
    }

    /// Converts whole blocks. `first` is the position of their first element in the tensor. Passes the elements in the range
    /// `wanted` to `take`, in chunks, each with the number of wanted elements before it.
    pub fn select(
        &mut self,
        bytes: &impl Buffer,
        first: u64,
        wanted: &Range<u64>,
        take: &mut dyn FnMut(u64, Chunk<'_>),
    ) -> Result<()> {
        self.convert(bytes, &mut |elements_before, chunk| {
            let start = first + elements_before;
            let end = start + chunk.count() as u64;
            let part = start.clamp(wanted.start, wanted.end)..end.clamp(wanted.start, wanted.end);
            if !part.is_empty() {
                let in_chunk = (part.start - start) as usize..(part.end - start) as usize;
                take(part.start - wanted.start, chunk.part(in_chunk));
            }
        })
    }
}

/// Converts rows of a type of another program: by a kernel of this crate if it was built with them, else by the host.
fn convert_foreign<H: Host>(type_name: &str, columns: usize, rows: &[u8], elements: &mut [f32]) -> Result<()> {
    #[cfg(feature = "fork-kernels")]
    if let Some(kernel) = quant::fork_kernel(type_name) {
        kernel(columns, rows, elements);
        return Ok(());
    }
    H::convert_foreign(type_name, columns, rows, elements)
}

/// Numbers as `f64`s, in a buffer that has room for them.
fn widened<'a>(floats: &[f32], doubles: &'a mut [f64]) -> &'a [f64] {
    let doubles = &mut doubles[..floats.len()];
    for (double, float) in doubles.iter_mut().zip(floats) {
        *double = f64::from(*float);
    }
    doubles
}
