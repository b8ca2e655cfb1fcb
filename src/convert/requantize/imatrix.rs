//! Importance matrices: how much errors in each column of a matrix count, as `llama-imatrix` measures it.
//!
//! There are two forms. In the GGUF form, a matrix of a model is two tensors: `NAME.in_sum2`, the sums of squared activations of
//! each column, and `NAME.counts`, how many activations were added for each expert. `legacy_imatrix` has the older form.
//!
//! A matrix of a large model with experts has more than a gigabyte. So only the index is kept in memory, and the numbers of a
//! matrix are read again when it is converted.

use alloc::{boxed::Box, collections::BTreeMap, rc::Rc, string::String, string::ToString, vec::Vec};
use core::fmt;
use core::future::Future;
use core::ops::Range;
use core::pin::Pin;

use super::legacy_imatrix;
use crate::error::{Error, Result, error};
use crate::format::ggml_type::GgmlType;
use crate::format::header::TensorInfo;
use crate::format::value::ValueType;
use crate::io::{Buffer, Source};
use crate::limits::Limits;
use crate::tensor::opened_file::OpenedFile;
use crate::tensor::{Chunk, NumberFormat};

const SUMS: &[u8] = b".in_sum2";
const COUNTS: &[u8] = b".counts";

const DATASETS: &str = "imatrix.datasets";
const CHUNK_COUNT: &str = "imatrix.chunk_count";
const CHUNK_SIZE: &str = "imatrix.chunk_size";

/// The most experts of one tensor whose counts are kept in memory.
const MOST_COUNTS: u64 = 1 << 20;

/// An importance matrix.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "std")] {
/// use gguf_wasm::{convert::requantize::Imatrix, io::{FileSource, block_on}};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-imatrix.dat");
/// # let mut file = Vec::new();
/// # for number in [1_i32, 1] { file.extend(number.to_le_bytes()) }
/// # file.push(b'a');
/// # for number in [2_i32, 1] { file.extend(number.to_le_bytes()) }
/// # file.extend(8_f32.to_le_bytes());
/// # std::fs::write(&path, &file).unwrap();
/// let imatrix = block_on(Imatrix::open(FileSource::open(&path)?, "model.imatrix"))?;
/// assert_eq!(block_on(imatrix.values(b"a", 0..1))?, [4.0]);
/// # std::fs::remove_file(&path).unwrap();
/// # }
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub struct Imatrix {
    pub(super) file_name: String,
    pub(super) entries: BTreeMap<Vec<u8>, ImatrixEntry>,
    pub(super) datasets: Vec<String>,
    pub(super) chunk_count: Option<u32>,
    pub(super) sums: Box<dyn Sums>,
}

/// What is known of the columns of a tensor.
#[derive(Clone, Debug)]
pub struct ImatrixEntry {
    /// The number of values: one for each column of each expert.
    pub(super) value_count: u64,
    /// Where the sums are: the position of a tensor, or of bytes in the older form.
    pub(super) place: u64,
    /// The divisor of each expert's sums: how many activations were added. For a divisor of 0, all values are 1.
    pub(super) counts: Counts,
    /// The offset in the file of the first value that is not finite.
    pub(super) broken_at: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum Counts {
    OfExperts(Vec<f32>),
    /// One divisor, which is ignored if it is 0 or less.
    OfCalls(i32),
}

impl ImatrixEntry {
    /// The number of values: one for each column of each expert.
    pub fn value_count(&self) -> u64 {
        self.value_count
    }

    /// Turns sums into values. `first` is the position of the first sum.
    fn normalise(&self, first: u64, sums: &mut [f32]) {
        match &self.counts {
            Counts::OfCalls(calls) if *calls > 0 => sums.iter_mut().for_each(|sum| *sum /= *calls as f32),
            Counts::OfCalls(_) => {}
            Counts::OfExperts(counts) => {
                let columns = self.value_count / counts.len() as u64;
                for (position, sum) in (first..).zip(sums) {
                    let count = counts[(position / columns) as usize];
                    *sum = if count > 0.0 { *sum / count } else { 1.0 };
                }
            }
        }
    }
}

/// The sums of the entries, which are read when they are needed.
pub(super) trait Sums {
    /// Reads the sums at some positions of an entry.
    fn read<'a>(&'a self, entry: &'a ImatrixEntry, range: Range<u64>) -> ReadSums<'a>;
}

pub(super) type ReadSums<'a> = Pin<Box<dyn Future<Output = Result<Vec<f32>>> + 'a>>;

impl Imatrix {
    /// Reads an importance matrix in the GGUF form or in the older one. `file_name` is stored in the converted model.
    ///
    /// The whole file is read once, in pieces, to check its numbers.
    ///
    /// # Errors
    ///
    /// `bad-imatrix` with the offset if the file is no importance matrix, or if a part is missing or has a wrong type or length. What
    /// reading the source fails with.
    pub async fn open<S: Source>(source: S, file_name: &str) -> Result<Self> {
        let start = source.read(0..4).await?;
        let mut magic = [0; 4];
        if start.len() == 4 {
            start.copy_to(&mut magic)?;
        }
        match &magic {
            b"GGUF" => open_gguf(OpenedFile::open(source, Limits::default()).await?, file_name).await,
            _ => legacy_imatrix::open(source, file_name).await,
        }
    }

    /// The name of the file.
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// The names of the tensors with values, in byte order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.entries.keys().map(Vec::as_slice)
    }

    /// What is known of the columns of a tensor.
    pub fn entry(&self, name: &[u8]) -> Option<&ImatrixEntry> {
        self.entries.get(name)
    }

    /// The names of the texts that were measured with.
    pub fn datasets(&self) -> &[String] {
        &self.datasets
    }

    /// The number of chunks of text. `None` if the file does not say it.
    pub fn chunk_count(&self) -> Option<u32> {
        self.chunk_count
    }

    /// The values of a tensor at some positions: how much errors in these columns count.
    ///
    /// # Errors
    ///
    /// `unknown-tensor`, `out-of-range`, `bad-imatrix` if the values are not finite, or what reading the source fails with.
    pub async fn values(&self, name: &[u8], range: Range<u64>) -> Result<Vec<f32>> {
        let Some(entry) = self.entry(name) else {
            return Err(error!(UnknownTensor:
                "the importance matrix has no tensor \"{}\"", String::from_utf8_lossy(name)));
        };
        self.check_finite(name)?;
        if range.start > range.end || range.end > entry.value_count {
            return Err(error!(OutOfRange:
                "the importance matrix has {} values for tensor \"{}\", which have no positions {range:?}",
                entry.value_count, String::from_utf8_lossy(name)));
        }
        let mut values = self.sums.read(entry, range.clone()).await?;
        entry.normalise(range.start, &mut values);
        Ok(values)
    }

    /// Checks that the values of a tensor are finite.
    pub(super) fn check_finite(&self, name: &[u8]) -> Result<()> {
        match self.entry(name).and_then(|entry| entry.broken_at) {
            Some(offset) => {
                Err(wrong(&format!("a value of tensor \"{}\" is not finite", String::from_utf8_lossy(name)), offset))
            }
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Imatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Imatrix").field("file_name", &self.file_name).field("entries", &self.entries.len()).finish()
    }
}

/// The error of an importance matrix that cannot be used.
#[cold]
pub(super) fn wrong(problem: &str, offset: u64) -> Error {
    error!(BadImatrix:
        "the importance matrix cannot be used: {problem} (at offset {offset:#x}). Use a file that llama-imatrix has written")
    .at(offset)
}

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

async fn open_gguf<S: Source>(file: OpenedFile<S>, file_name: &str) -> Result<Imatrix> {
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
    let file = Rc::new(file);
    let mut entries = BTreeMap::new();
    for (name, pair) in pairs {
        let shown = String::from_utf8_lossy(&name).into_owned();
        let [Some(sums), Some(counts)] = pair else {
            let found = pair.iter().flatten().next().map_or(end, |tensor| tensor.range().start);
            return Err(wrong(&format!("the sums or the counts of tensor \"{shown}\" are missing"), found));
        };
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
    if expert_count == 0 || expert_count > MOST_COUNTS || value_count == 0 || value_count % expert_count != 0 {
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

/// The nearest integer; of two, the one further from 0. `core` has no `round`.
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
