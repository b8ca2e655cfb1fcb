//! Converting blocks of a tensor type to numbers.
//!
//! The blocks come from a buffer, wherever the host keeps it. Chunks of them pass through memory that stays in the processor's
//! cache.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Result, error};
use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};
use crate::format::version::Endian;
use crate::io::Buffer;
use crate::tensor::quant::{self, Kernels, kernels};

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
    info: &'static GgmlTypeInfo,
    /// Whether the blocks are stored big-endian.
    is_swapped: bool,
    kernel: Kernel,
    blocks: Vec<u8>,
    floats: Vec<f32>,
}

/// The function that converts blocks, with the buffer of its numbers if they are not `f32`s.
enum Kernel {
    Floats(quant::Kernel<f32>),
    /// `f64`s that are converted from `f32`s without rounding.
    WidenedFloats(quant::Kernel<f32>, Vec<f64>),
    Doubles(quant::Kernel<f64>, Vec<f64>),
    Integers(quant::Kernel<i64>, Vec<i64>),
}

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

    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        match *self {
            Self::Floats(floats) => Self::Floats(&floats[range]),
            Self::Doubles(doubles) => Self::Doubles(&doubles[range]),
            Self::Integers(integers) => Self::Integers(&integers[range]),
        }
    }
}

impl Converter {
    pub fn new(info: &'static GgmlTypeInfo, endian: Endian, format: NumberFormat) -> Result<Self> {
        let kernels = kernels_of(info).ok_or_else(
            || error!(UnknownType: "elements of type {} cannot be read: no kernel converts it", info.name),
        )?;
        let kernel = match format {
            NumberFormat::Float32 => Kernel::Floats(kernels.to_f32),
            NumberFormat::Float64 => match kernels.to_f64 {
                Some(to_f64) => Kernel::Doubles(to_f64, vec![0.0; CHUNK_ELEMENTS]),
                None => Kernel::WidenedFloats(kernels.to_f32, vec![0.0; CHUNK_ELEMENTS]),
            },
            NumberFormat::Int64 => {
                let to_i64 = kernels.to_i64.ok_or_else(|| {
                    error!(InvalidArgument:
                        "elements of type {} cannot be read as \"bigint64\": expected I8, I16, I32 or I64. Use \
                         \"float32\" or \"float64\"", info.name)
                })?;
                Kernel::Integers(to_i64, vec![0; CHUNK_ELEMENTS])
            }
        };
        let blocks = vec![0; CHUNK_ELEMENTS / info.block_size as usize * info.type_size as usize + PAGE_BYTES];
        let floats = vec![0.0; CHUNK_ELEMENTS + PAGE_BYTES / size_of::<f32>()];
        Ok(Self { info, is_swapped: endian == Endian::Big, kernel, blocks, floats })
    }

    /// Converts whole blocks. Passes the numbers to `take` in order, in chunks, each with the number of elements before it.
    pub fn convert(&mut self, bytes: &impl Buffer, take: &mut dyn FnMut(u64, Chunk<'_>)) -> Result<()> {
        let (block_size, type_size) = (self.info.block_size as usize, self.info.type_size as usize);
        let (mut start, length) = (0, bytes.len());
        let mut elements_before = 0;
        while start < length {
            let end = length.min(start + (CHUNK_ELEMENTS / block_size * type_size) as u64);
            let first = distance_to_mid_page(self.blocks.as_ptr() as usize);
            let blocks = &mut self.blocks[first..first + (end - start) as usize];
            bytes.part(start..end)?.copy_to(blocks)?;
            if self.is_swapped {
                self.info.swap_byte_order(blocks);
            }
            let count = blocks.len() / type_size * block_size;
            let first = distance_to_mid_page(self.floats.as_ptr() as usize) / size_of::<f32>();
            let floats = &mut self.floats[first..first + count];
            let chunk = match &mut self.kernel {
                Kernel::Floats(to_f32) => {
                    to_f32(blocks, floats);
                    Chunk::Floats(floats)
                }
                Kernel::WidenedFloats(to_f32, doubles) => {
                    to_f32(blocks, floats);
                    for (double, float) in doubles.iter_mut().zip(floats) {
                        *double = f64::from(*float);
                    }
                    Chunk::Doubles(&doubles[..count])
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
