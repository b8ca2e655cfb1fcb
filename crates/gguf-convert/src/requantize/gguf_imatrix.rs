//! Importance matrices in the GGUF form.
//!
//! For each matrix of the model, the file has two tensors: `NAME.in_sum2`, the sums of squared activations of each column of each
//! expert, and `NAME.counts`, how many activations were added for each expert.

use alloc::{boxed::Box, collections::BTreeMap, rc::Rc, string::ToString, vec::Vec};
use core::ops::Range;

use super::imatrix::{Counts, Imatrix, ImatrixEntry, ReadSums, Sums, wrong};
use gguf_format::error::Result;
use gguf_format::error::shown::Shown;
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::header::TensorInfo;
use gguf_format::format::value::ValueType;
use gguf_format::io::Source;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::tensor::{Chunk, NumberFormat};

const SUMS: &[u8] = b".in_sum2";
const COUNTS: &[u8] = b".counts";

const DATASETS: &str = "imatrix.datasets";
const CHUNK_COUNT: &str = "imatrix.chunk_count";
const CHUNK_SIZE: &str = "imatrix.chunk_size";

/// The most experts of one tensor whose counts are kept in memory.
const MOST_COUNTS: u64 = 1 << 20;

struct GgufSums<S: Source>(Rc<OpenedFile<S>>);

impl<S: Source> Sums for GgufSums<S> {
    fn read<'a>(&'a self, entry: &'a ImatrixEntry, range: Range<u64>) -> ReadSums<'a> {
        Box::pin(async move {
            match self.0.header().tensor_at(entry.place as usize) {
                Some(tensor) => self.0.read_f32(&tensor, range).await,
                None => Ok(Vec::new()),
            }
        })
    }
}

/// Reads the index of a file, and checks its numbers.
pub(super) async fn open<S: Source>(file: OpenedFile<S>, file_name: &str) -> Result<Imatrix> {
    let header = file.header().clone();
    // The sums and the counts of each name.
    let mut pairs: BTreeMap<Vec<u8>, [Option<TensorInfo<'_>>; 2]> = BTreeMap::new();
    for tensor in header.tensors() {
        let name = tensor.name().to_bytes();
        for (position, suffix) in [SUMS, COUNTS].into_iter().enumerate() {
            if let Some(name) = name.strip_suffix(suffix) {
                pairs.entry(name.to_vec()).or_default()[position] = Some(tensor);
            }
        }
    }
    let end = header.header_size();
    for key in [DATASETS, CHUNK_COUNT, CHUNK_SIZE] {
        if header.get(key).is_none() {
            return Err(wrong(&format!("the entry {key} is missing"), end));
        }
    }
    if pairs.is_empty() {
        return Err(wrong("it has no tensors whose names end in .in_sum2 and .counts", end));
    }
    let number = |key: &str| {
        let entry = header.get(key)?;
        u32::try_from(entry.value().as_u64()?).ok()
    };
    if number(CHUNK_SIZE).is_none() {
        return Err(wrong(&format!("the value of {CHUNK_SIZE} is no integer of 32 bits"), end));
    }
    let Some(chunk_count) = number(CHUNK_COUNT) else {
        return Err(wrong(&format!("the value of {CHUNK_COUNT} is no integer of 32 bits"), end));
    };
    let datasets = header.get(DATASETS).and_then(|entry| entry.value().as_array());
    let datasets = datasets.filter(|datasets| datasets.element_type() == ValueType::String);
    // Only the first name is stored in models.
    let texts = datasets.into_iter().flat_map(|datasets| datasets.iter().take(16).collect::<Vec<_>>());
    let datasets = texts.filter_map(|text| Some(text.as_str()?.to_string_lossy().to_string())).collect();
    // In a file made by hand, all tensors can have the same data: then a small file has much to read.
    let mut left = file.file_size().unwrap_or(u64::MAX);
    let file = Rc::new(file);
    let mut entries = BTreeMap::new();
    for (name, pair) in pairs {
        let shown = format!("{}", Shown(&name));
        let [Some(sums), Some(counts)] = pair else {
            let found = pair.iter().flatten().next().map_or(end, |tensor| tensor.range().start);
            return Err(wrong(&format!("the sums or the counts of tensor \"{shown}\" are missing"), found));
        };
        let size = [&sums, &counts].iter().try_fold(0, |size: u64, tensor| size.checked_add(tensor.byte_length()?));
        left = size.and_then(|size| left.checked_sub(size)).ok_or_else(|| {
            wrong(&format!("up to tensor \"{shown}\", the tensors have more data than the file"), sums.range().start)
        })?;
        let entry = read_entry(&file, &shown, &sums, &counts).await?;
        entries.insert(name, entry);
    }
    Ok(Imatrix {
        file_name: file_name.to_string(),
        entries,
        datasets,
        chunk_count: Some(chunk_count),
        sums: Box::new(GgufSums(file)),
    })
}

/// Reads the counts of a tensor, and checks its sums.
async fn read_entry<S: Source>(
    file: &OpenedFile<S>,
    name: &str,
    sums: &TensorInfo<'_>,
    counts: &TensorInfo<'_>,
) -> Result<ImatrixEntry> {
    for tensor in [sums, counts] {
        if tensor.ggml_type() != GgmlType::F32 {
            let problem = format!("tensor \"{}\" has type {}, expected F32", tensor.name(), tensor.ggml_type());
            return Err(wrong(&problem, tensor.range().start));
        }
    }
    let value_count = sums.element_count().unwrap_or(0);
    let expert_count = counts.element_count().unwrap_or(0);
    if expert_count == 0 || expert_count > MOST_COUNTS || value_count == 0 || !value_count.is_multiple_of(expert_count)
    {
        let problem = format!("tensor \"{name}\" has {value_count} sums for {expert_count} counts");
        return Err(wrong(&problem, sums.range().start));
    }
    let data = |tensor: &TensorInfo<'_>| tensor.file_offset().unwrap_or(u64::MAX);
    let mut divisors = file.read_f32(counts, 0..expert_count).await?;
    for (position, count) in (0_u64..).zip(&mut divisors) {
        if !count.is_finite() {
            return Err(wrong(&format!("a count of tensor \"{name}\" is not finite"), data(counts) + 4 * position));
        }
        *count = rounded(*count);
    }
    let columns = value_count / expert_count;
    let mut broken = None;
    let mut check = |before: u64, chunk: Chunk<'_>| {
        let Chunk::Floats(floats) = chunk else { return };
        let mut positions = (before..).zip(floats).filter(|(_, sum)| !sum.is_finite());
        if broken.is_none() {
            // Sums without a count are not used.
            broken = positions
                .find(|(position, _)| divisors[(position / columns) as usize] > 0.0)
                .map(|(position, _)| position);
        }
    };
    file.read_numbers(sums, 0..value_count, NumberFormat::Float32, &mut check).await?;
    Ok(ImatrixEntry {
        value_count,
        place: sums.index() as u64,
        counts: Counts::OfExperts(divisors),
        broken_at: broken.map(|position| data(sums) + 4 * position),
    })
}

/// The nearest integer; ties go away from 0. `core` has no `round`.
fn rounded(number: f32) -> f32 {
    // From 2^23 on, every number is an integer.
    if number.abs() >= 8_388_608.0 {
        return number;
    }
    let whole = number as i32 as f32;
    let rest = number - whole;
    if rest.abs() >= 0.5 { whole + rest.signum() } else { whole }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn counts_are_rounded_as_in_c() {
        let cases = [(0.4, 0.0), (0.5, 1.0), (-0.5, -1.0), (2.5, 3.0), (1e9, 1e9), (7.0, 7.0)];
        cases.iter().for_each(|(number, expected)| assert_eq!(rounded(*number), *expected));
    }
}
