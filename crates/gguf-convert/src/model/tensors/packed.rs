//! Reading matrices whose elements are integers of a few bits.

use alloc::vec::Vec;
use core::ops::Range;

use super::encoding::{Encoding, Gptq, Packed};
use super::input::{Input, Inputs, floats, to_f32};
use super::region::Region;
use super::view::Run;
use gguf_format::error::{Result, error};
use gguf_format::io::Source;

/// The bits of a word.
const WORD: u32 = 32;

impl<S: Source> Inputs<S> {
    /// The elements of some runs of a matrix.
    pub(super) async fn unpacked(&self, input: &Input, runs: &[Run], elements: &mut [f32]) -> Result<()> {
        let [rows, columns] = input.shape[..] else { return Ok(()) };
        let region = Region::of(runs, columns);
        let mut block = floats(region.row_count() * region.column_count())?;
        match &input.encoding {
            Encoding::Packed(packed) => self.read_packed(input, packed, &region, columns, &mut block).await?,
            Encoding::Gptq(gptq) => self.read_gptq(input, gptq, &region, rows, &mut block).await?,
            Encoding::Ternary { scale } => {
                self.read_ternary(input, *scale, &region, [rows, columns], &mut block).await?
            }
            Encoding::Plain | Encoding::Scaled(_) | Encoding::Nvfp4 { .. } => {
                return Err(error!(UnsupportedModel: "elements of NVFP4 cannot be converted to numbers"));
            }
        }
        region.scatter(&block, runs, elements);
        Ok(())
    }

    async fn read_packed(
        &self,
        input: &Input,
        packed: &Packed,
        region: &Region,
        columns: u64,
        block: &mut [f32],
    ) -> Result<()> {
        let in_word = u64::from(WORD / packed.bits);
        let words = spanned(&region.columns, in_word);
        let groups = spanned(&region.columns, packed.group);
        let (rows, row_span) = (region.rows(), region.row_span());
        let (row_words, row_groups) = (columns.div_ceil(in_word), columns / packed.group);
        if row_span.start == 0 && region.columns.start == 0 {
            self.check_shape(packed.shape, &input.shape).await?;
        }
        let stored = words_of(&self.part(input, row_words, &rows, core::slice::from_ref(&words)).await?);
        let scales = self.numbers(packed.scales, row_groups, &rows, core::slice::from_ref(&groups)).await?;
        let zero_rows = spanned(&row_span, in_word);
        let zeros = match packed.zeros {
            Some(zeros) => self.words(zeros, row_groups, zero_rows.clone(), groups.clone()).await?,
            None => Vec::new(),
        };
        let (word_count, group_count) = (words.end - words.start, groups.end - groups.start);
        let field =
            |word: u32, place: u64| (word >> (packed.bits * (place % in_word) as u32) & mask(packed.bits)) as i32;
        let width = region.column_count() as usize;
        for (rank, (row, target)) in (0..).zip(rows.into_iter().flatten().zip(block.chunks_exact_mut(width))) {
            for (column, element) in region.columns.clone().zip(target) {
                let group = column / packed.group - groups.start;
                let zero = match zeros.get(((row / in_word - zero_rows.start) * group_count + group) as usize) {
                    Some(word) => field(*word, row),
                    None => 1 << (packed.bits - 1),
                };
                let word = stored[(rank * word_count + column / in_word - words.start) as usize];
                *element = (field(word, column) - zero) as f32 * scales[(rank * group_count + group) as usize];
            }
        }
        Ok(())
    }

    /// Compares the shape that is stored beside a matrix with that of the matrix.
    async fn check_shape(&self, position: usize, shape: &[u64]) -> Result<()> {
        let stored = &self.list[position];
        let words = self.words(position, 1, 0..2, 0..1).await?;
        let in_number = words.len() / 2;
        let parts = |number: &u64| [*number as u32, (*number >> WORD) as u32].into_iter().take(in_number);
        if !shape.iter().flat_map(parts).eq(words.iter().copied()) {
            return Err(error!(BadSafetensors:
                "the shape that is stored beside a matrix is not {shape:?}, which its words and scales have; download the file again")
            .at(stored.range.start));
        }
        Ok(())
    }

    async fn read_gptq(&self, input: &Input, gptq: &Gptq, region: &Region, rows: u64, block: &mut [f32]) -> Result<()> {
        let in_word = u64::from(WORD / gptq.bits);
        let words = spanned(&region.columns, in_word);
        let stored = self.part(input, rows, core::slice::from_ref(&words), &region.rows()).await?;
        let stored = words_of(&stored);
        let group_of = self.words(gptq.groups, 1, region.columns.clone(), 0..1).await?;
        let known = self.list[gptq.scales].shape.first().copied().unwrap_or(0);
        if let Some(wrong) = group_of.iter().find(|group| u64::from(**group) >= known) {
            return Err(error!(BadSafetensors:
                "a column belongs to group {wrong}, but the matrix has {known} groups of columns; download the file again")
            .at(self.list[gptq.groups].range.start));
        }
        let groups = group_of.iter().min().map_or(0, |first| u64::from(*first))
            ..group_of.iter().max().map_or(0, |last| u64::from(*last) + 1);
        let span = region.row_span();
        let zero_columns = spanned(&span, in_word);
        let zeros = self.words(gptq.zeros, rows / in_word, groups.clone(), zero_columns.clone()).await?;
        let ranges = (core::slice::from_ref(&groups), core::slice::from_ref(&span));
        let scales = self.numbers(gptq.scales, rows, ranges.0, ranges.1).await?;
        let (row_count, span_length) = (region.row_count(), span.end - span.start);
        let zero_count = zero_columns.end - zero_columns.start;
        let field = |word: u32, place: u64| (word >> (gptq.bits * (place % in_word) as u32) & mask(gptq.bits)) as i32;
        let width = region.column_count() as usize;
        for (rank, (row, target)) in (0..).zip(region.rows().into_iter().flatten().zip(block.chunks_exact_mut(width))) {
            for ((column, group), element) in region.columns.clone().zip(&group_of).zip(target) {
                let group = u64::from(*group) - groups.start;
                let zero = zeros[(group * zero_count + row / in_word - zero_columns.start) as usize];
                let zero = field(zero, row) + gptq.zero_offset as i32;
                let word = stored[((column / in_word - words.start) * row_count + rank) as usize];
                let scale = scales[(group * span_length + row - span.start) as usize];
                *element = scale * (field(word, column) - zero) as f32;
            }
        }
        Ok(())
    }

    async fn read_ternary(
        &self,
        input: &Input,
        scale: usize,
        region: &Region,
        [rows, columns]: [u64; 2],
        block: &mut [f32],
    ) -> Result<()> {
        let only = core::slice::from_ref(&(0..1));
        let scale = self.numbers(scale, 1, only, only).await?[0];
        let quarter = rows / 4;
        let mut place = 0;
        for range in region.rows() {
            let mut row = range.start;
            while row < range.end {
                // The rows in the same quarter of the matrix.
                let count = (quarter - row % quarter).min(range.end - row);
                let stored = row % quarter..row % quarter + count;
                let bytes = self.part(input, columns, &[stored], core::slice::from_ref(&region.columns)).await?;
                let shift = 2 * (row / quarter);
                for (byte, element) in bytes.iter().zip(&mut block[place..]) {
                    *element = (f32::from(byte >> shift & 3) - 1.0) / scale;
                }
                place += bytes.len();
                row += count;
            }
        }
        Ok(())
    }

    /// The bytes of some rows of a stored matrix of `width` columns, and in them of some columns.
    async fn part(&self, input: &Input, width: u64, rows: &[Range<u64>], columns: &[Range<u64>]) -> Result<Vec<u8>> {
        let mut runs = Vec::new();
        let mut target = 0;
        let mut add = |start, length| {
            runs.push(Run { start, step: 1, length, target, target_step: 1 });
            target += length;
        };
        for rows in rows {
            if let [columns] = columns
                && *columns == (0..width)
            {
                add(rows.start * width, (rows.end - rows.start) * width);
                continue;
            }
            for row in rows.clone() {
                columns.iter().for_each(|columns| add(row * width + columns.start, columns.end - columns.start));
            }
        }
        self.gather(input, &runs, target).await
    }

    async fn words(&self, position: usize, width: u64, rows: Range<u64>, columns: Range<u64>) -> Result<Vec<u32>> {
        Ok(words_of(&self.part(&self.list[position], width, &[rows], &[columns]).await?))
    }

    async fn numbers(
        &self,
        position: usize,
        width: u64,
        rows: &[Range<u64>],
        columns: &[Range<u64>],
    ) -> Result<Vec<f32>> {
        let input = &self.list[position];
        let bytes = self.part(input, width, rows, columns).await?;
        let mut numbers = floats(bytes.len() as u64 * 8 / input.data_type.bits())?;
        to_f32(input.data_type, &bytes, &mut numbers)?;
        Ok(numbers)
    }
}

/// The units of a size that have the places of a range.
fn spanned(range: &Range<u64>, size: u64) -> Range<u64> {
    range.start / size..range.end.div_ceil(size)
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}
