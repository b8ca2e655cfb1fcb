//! Converting the data of a tensor, block by block.

use alloc::vec::Vec;

use super::type_numbers::type_in_gguf;
use gguf_declare::{names, result};
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::{GgmlType, GgmlTypeInfo};
use gguf_format::tensor::block_types::{
    Q4_0_V1, Q4_0_V2, Q4_1_V1, Q4_1_V2, Q5_0_V1, Q5_1_V1, Q8_0_V1, block_type_info,
};
use gguf_format::tensor::quant::{Kernel, Quantizer, kernels, quantizer};

names! {
    /// What the conversion of a tensor does to its values.
    #[typescript("LegacyRelation")]
    pub enum Relation {
        /// The bytes are copied.
        SameBytes = "same bytes",
        /// The quants of a block are put into another order. The values are equal.
        NibblesPermuted = "nibbles permuted",
        /// The f32 scales of blocks are rounded to f16, to the nearest; beyond 65504 they become infinite.
        ScalesRounded = "scales rounded to f16",
        // These two names keep the spelling with which they were published.
        /// The values are computed, and stored as numbers.
        Dequantised = "dequantised",
        /// The values are computed, and quantized again.
        Requantised = "requantised",
        /// The bytes of a matrix are put into another order.
        Transposed = "transposed",
    }
}

impl Relation {
    /// Whether values can change.
    pub fn is_lossy(self, to: GgmlType) -> bool {
        match self {
            Self::SameBytes | Self::NibblesPermuted | Self::Transposed => false,
            Self::ScalesRounded | Self::Requantised => true,
            Self::Dequantised => to != GgmlType::F32,
        }
    }
}

/// Converts one block to another.
type BlockConversion = fn(&[u8], &mut [u8]);

/// Converts blocks of one type to blocks of another.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Conversion {
    from: &'static GgmlTypeInfo,
    to: &'static GgmlTypeInfo,
    method: Method,
    /// The elements of the fewest blocks that are whole in both types.
    unit: u64,
}

#[derive(Clone, Debug)]
enum Method {
    Copy,
    /// Converts one block to another.
    Blocks(BlockConversion),
    /// Through numbers.
    Numbers(Kernel, Quantizer),
}

impl Conversion {
    /// The conversion from a type to another one, whose rows are quantized block by block. Fails if there is none.
    pub fn new(from: GgmlType, to: GgmlType) -> Result<Self> {
        let infos = block_type_info(from).zip(to.info().filter(|info| !info.is_removed()));
        let (Some((from_info, to_info)), Some(quantizer)) = (infos, quantizer(to)) else {
            return Err(error!(UnknownType: "blocks of type {from} cannot be converted to {to}"));
        };
        let method = match rearrangement(from) {
            _ if from == to => Method::Copy,
            Some(convert) if type_in_gguf(from) == Some(to) => Method::Blocks(convert),
            _ => Method::Numbers(to_f32(from)?, quantizer),
        };
        // Block sizes are powers of 2.
        let unit = u64::from(from_info.block_size.max(to_info.block_size));
        Ok(Self { from: from_info, to: to_info, method, unit })
    }

    pub fn relation(&self) -> Relation {
        match (&self.method, GgmlType(self.from.id)) {
            (Method::Copy, _) => Relation::SameBytes,
            (Method::Blocks(_), Q5_0_V1 | Q5_1_V1) => Relation::NibblesPermuted,
            (Method::Blocks(_), _) => Relation::ScalesRounded,
            (Method::Numbers(..), _) if self.to.block_size == 1 => Relation::Dequantised,
            (Method::Numbers(..), _) => Relation::Requantised,
        }
    }

    /// The type after the conversion.
    pub fn to(&self) -> GgmlType {
        GgmlType(self.to.id)
    }

    /// The bytes of a unit before and after.
    pub fn unit_bytes(&self) -> (u64, u64) {
        let bytes = |info: &GgmlTypeInfo| self.unit / u64::from(info.block_size) * u64::from(info.type_size);
        (bytes(self.from), bytes(self.to))
    }

    pub fn is_copy(&self) -> bool {
        matches!(self.method, Method::Copy)
    }

    /// Converts whole units.
    pub fn convert(&self, blocks: &[u8], target: &mut [u8]) -> Result<()> {
        match &self.method {
            Method::Copy => target.copy_from_slice(blocks),
            Method::Blocks(convert) => {
                let (from, to) = (self.from.type_size as usize, self.to.type_size as usize);
                for (block, target) in blocks.chunks_exact(from).zip(target.chunks_exact_mut(to)) {
                    convert(block, target);
                }
            }
            Method::Numbers(to_f32, quantizer) => {
                let (unit, (from, to)) = (self.unit as usize, self.unit_bytes());
                let mut numbers = vec![0.0; NUMBERS_AT_ONCE.next_multiple_of(unit)];
                let units = numbers.len() / unit;
                let pieces = blocks.chunks(units * from as usize).zip(target.chunks_mut(units * to as usize));
                for (blocks, target) in pieces {
                    let numbers = &mut numbers[..blocks.len() / from as usize * unit];
                    to_f32(blocks, numbers);
                    quantizer.quantize(numbers, unit, None, target)?;
                }
            }
        }
        Ok(())
    }

    /// Compares the values of whole units before and after the conversion.
    pub fn compare(&self, blocks: &[u8], converted: &[u8], found: &mut Exactness) -> Result<()> {
        let (before, after) = (to_f32(GgmlType(self.from.id))?, to_f32(GgmlType(self.to.id))?);
        let (from, to) = self.unit_bytes();
        let units = NUMBERS_AT_ONCE.div_ceil(self.unit as usize);
        let mut numbers = [vec![0.0; units * self.unit as usize], vec![0.0; units * self.unit as usize]];
        for (blocks, converted) in blocks.chunks(units * from as usize).zip(converted.chunks(units * to as usize)) {
            let count = blocks.len() / from as usize * self.unit as usize;
            let [old, new] = &mut numbers;
            before(blocks, &mut old[..count]);
            after(converted, &mut new[..count]);
            old[..count].iter().zip(&new[..count]).for_each(|(old, new)| found.add(*old, *new));
        }
        Ok(())
    }
}

/// Elements that are converted at once.
const NUMBERS_AT_ONCE: usize = 4096;

fn to_f32(ggml_type: GgmlType) -> Result<Kernel> {
    let own = block_type_info(ggml_type).and_then(|info| info.own_kernel);
    own.or_else(|| Some(kernels(ggml_type)?.to_f32))
        .ok_or_else(|| error!(UnknownType: "elements of type {ggml_type} cannot be read: no kernel converts it"))
}

result! {
    /// How much values change.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Exactness {
        /// The number of values.
        pub values: u64,
        /// The number of values that change. A NaN that stays a NaN does not change.
        pub changed: u64,
        /// The greatest difference of a value that is finite before and after.
        pub max_error: f64,
        /// The number of values that are finite before, and infinite or NaN after.
        pub lost_to_overflow: u64,
    }
}

impl Exactness {
    fn add(&mut self, old: f32, new: f32) {
        self.values += 1;
        self.changed += u64::from(old != new && !(old.is_nan() && new.is_nan()));
        if old.is_finite() && !new.is_finite() {
            self.lost_to_overflow += 1;
        } else if old.is_finite() {
            self.max_error = self.max_error.max((f64::from(old) - f64::from(new)).abs());
        }
    }

    /// Adds the figures of other values.
    pub(super) fn extend(&mut self, other: &Self) {
        self.values += other.values;
        self.changed += other.changed;
        self.max_error = self.max_error.max(other.max_error);
        self.lost_to_overflow += other.lost_to_overflow;
    }
}

/// The function that turns a block of an old layout into one of GGUF. `None` for types that GGUF does not have.
fn rearrangement(from: GgmlType) -> Option<BlockConversion> {
    Some(match from {
        Q4_0_V1 => |block, target| {
            round_scales::<1>(block, target);
            pairs_to_halves(&block[4..], &mut target[2..]);
        },
        Q4_0_V2 => |block, target| {
            round_scales::<1>(block, target);
            target[2..].copy_from_slice(&block[4..]);
        },
        Q4_1_V1 => |block, target| {
            round_scales::<2>(block, target);
            pairs_to_halves(&block[8..], &mut target[4..]);
        },
        Q4_1_V2 => |block, target| {
            round_scales::<2>(block, target);
            target[4..].copy_from_slice(&block[8..]);
        },
        Q5_0_V1 => |block, target| {
            target[..6].copy_from_slice(&block[..6]);
            pairs_to_halves(&block[6..], &mut target[6..]);
        },
        Q5_1_V1 => |block, target| {
            target[..8].copy_from_slice(&block[..8]);
            pairs_to_halves(&block[8..], &mut target[8..]);
        },
        Q8_0_V1 => |block, target| {
            round_scales::<1>(block, target);
            target[2..].copy_from_slice(&block[4..]);
        },
        _ => return None,
    })
}

/// Rounds the first `COUNT` f32s of a block to f16s, to nearest even.
fn round_scales<const COUNT: usize>(block: &[u8], target: &mut [u8]) {
    for (scale, target) in block.as_chunks().0.iter().zip(target.as_chunks_mut().0).take(COUNT) {
        *target = half::f16::from_f32(f32::from_le_bytes(*scale)).to_le_bytes();
    }
}

/// Moves the quants of 32 elements: from two neighbours in a byte to the elements i and i + 16 in byte i.
fn pairs_to_halves(pairs: &[u8], halves: &mut [u8]) {
    let quant = |element: usize| pairs[element / 2] >> (element % 2 * 4) & 15;
    for (i, target) in halves.iter_mut().enumerate() {
        *target = quant(i) | quant(i + 16) << 4;
    }
}

/// A matrix with rows of `row_length` numbers of `width` bytes, transposed.
pub(super) fn transposed(matrix: &[u8], row_length: usize, width: usize) -> Vec<u8> {
    let mut target = Vec::with_capacity(matrix.len());
    for column in 0..row_length {
        for row in matrix.chunks_exact(row_length * width) {
            target.extend_from_slice(&row[column * width..][..width]);
        }
    }
    target
}
