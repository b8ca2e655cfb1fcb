//! What is to be compared of the data of two files: one job for each pair of tensors, divided into parts.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

use super::sample::{shares, spread_runs};
use super::tensors::{DataComparison, TensorPair, have_same_type};
use gguf_format::error::Result;
use gguf_format::format::ggml_type::GgmlTypeInfo;
use gguf_format::format::header::TensorInfo;
use gguf_format::io::{Source, Turns};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::extents::NoExtent;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::tensor::read::split;
use gguf_format::tensor::unit::Unit;

/// The bytes of one run of a sample, of the file whose blocks are larger.
const SAMPLE_RUN_BYTES: u64 = 64 << 10;

/// The work of making a job.
const WORK_PER_JOB: u64 = 1 << 10;

/// The data of two tensors that is compared. It consists of units: the fewest elements that are whole blocks of both types.
pub(super) struct Job {
    /// The position of the pair in its list.
    pub pair: usize,
    /// Whether the stored bytes are compared, because both have the same type.
    pub compares_bytes: bool,
    /// The units of both tensors, if their numbers are compared.
    pub values: Option<[Unit; 2]>,
    /// The type of both tensors, if the bytes of one must be swapped before they are compared.
    pub swapped: Option<&'static GgmlTypeInfo>,
    /// Where the data begins in each file.
    starts: [u64; 2],
    /// Bytes of a unit in each file.
    unit_bytes: [u64; 2],
    /// Elements of a unit.
    unit_elements: u64,
    unit_count: u64,
    /// How many units are read.
    read_units: u64,
}

/// A part of a job.
#[doc(hidden)]
pub struct Part {
    pub job: usize,
    /// The first element of the part.
    pub first_element: u64,
    /// The range of each file.
    pub ranges: [Range<u64>; 2],
}

impl Part {
    /// Bytes of both files.
    pub fn length(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }
}

impl Job {
    /// Bytes of both tensors together.
    fn total_bytes(&self) -> u64 {
        self.unit_count.saturating_mul(self.unit_bytes[0] + self.unit_bytes[1])
    }

    /// Bytes of both tensors that are read.
    pub fn read_bytes(&self) -> u64 {
        self.read_units * (self.unit_bytes[0] + self.unit_bytes[1])
    }

    /// Whether all data is read.
    pub fn is_whole(&self) -> bool {
        self.read_units == self.unit_count
    }

    /// The greatest multiple of the elements of a unit that is at most `elements`, but at least one unit.
    pub fn whole_units(&self, elements: u64) -> u64 {
        (elements / self.unit_elements).max(1) * self.unit_elements
    }

    /// Bytes of each file that hold `elements` elements, a multiple of the elements of a unit.
    pub fn bytes_of(&self, elements: u64) -> [u64; 2] {
        self.unit_bytes.map(|bytes| elements / self.unit_elements * bytes)
    }

    /// The parts that are read, each with at most `part_bytes` bytes of a file, but at least one unit.
    pub fn parts(&self, job: usize, part_bytes: u64) -> Box<dyn Iterator<Item = Part>> {
        let largest = self.unit_bytes[0].max(self.unit_bytes[1]);
        let (unit_bytes, starts, unit_elements) = (self.unit_bytes, self.starts, self.unit_elements);
        let part_units = (part_bytes / largest).max(1);
        let runs = spread_runs(self.unit_count, self.read_units, SAMPLE_RUN_BYTES / largest);
        Box::new(runs.flat_map(move |run| split(run, part_units)).map(move |units| {
            let range = |file: usize| {
                let position = |unit: u64| starts[file] + unit * unit_bytes[file];
                position(units.start)..position(units.end)
            };
            Part { job, first_element: units.start * unit_elements, ranges: [range(0), range(1)] }
        }))
    }
}

/// The jobs of all pairs whose data must be read. What is known about the other pairs is noted in them.
pub(super) async fn jobs<S: Source>(
    files: [&OpenedFile<S>; 2],
    pairs: &mut [TensorPair],
    values: bool,
    max_bytes: Option<u64>,
) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let mut turns = Turns::<S::Host>::new();
    let unknown = pairs.iter_mut().enumerate().filter(|(_, pair)| pair.data == DataComparison::NotCompared);
    for (index, pair) in unknown {
        turns.count(WORK_PER_JOB).await;
        let tensors = [files[0].header().tensor_at(pair.a), files[1].header().tensor_at(pair.b)];
        let [Some(a), Some(b)] = tensors else { continue };
        files[0].learn_size_for(&a).await?;
        files[1].learn_size_for(&b).await?;
        match job(files, [&a, &b], index, values && !pair.is_renamed)? {
            Ok(job) => jobs.push(job),
            Err(known) => pair.data = known,
        }
    }
    if let Some(limit) = max_bytes {
        let sizes: Vec<u64> = jobs.iter().map(Job::total_bytes).collect();
        for (job, share) in jobs.iter_mut().zip(shares(&sizes, limit)) {
            job.read_units = job.unit_count.min(share / (job.unit_bytes[0] + job.unit_bytes[1]));
            // A sample consists of runs of the same length.
            let run = SAMPLE_RUN_BYTES / job.unit_bytes[0].max(job.unit_bytes[1]);
            if job.read_units < job.unit_count && job.read_units > run && run > 0 {
                job.read_units -= job.read_units % run;
            }
        }
    }
    Ok(jobs)
}

/// The job of two tensors, or what is known without reading their data.
fn job<S: Source>(
    files: [&OpenedFile<S>; 2],
    tensors: [&TensorInfo<'_>; 2],
    pair: usize,
    values: bool,
) -> Result<core::result::Result<Job, DataComparison>> {
    let mut ranges = [0..0, 0..0];
    for ((range, file), tensor) in ranges.iter_mut().zip(files).zip(tensors) {
        match file.extents()?.of(tensor, file.file_size()) {
            Ok(extent) if extent.end <= MAX_FILE_SIZE => *range = extent,
            Ok(_) | Err(NoExtent::Incomplete) => return Ok(Err(unreadable(file, files[0], "the file is truncated"))),
            Err(NoExtent::FileSizeUnknown) => {
                return Ok(Err(unreadable(file, files[0], "its data ends with the file, whose size is not known")));
            }
        }
    }
    let [length_a, length_b] = [&ranges[0], &ranges[1]].map(|range| range.end - range.start);
    let [type_a, type_b] = tensors.map(|tensor| {
        let is_known = tensor.byte_length().is_some();
        tensor.type_info().filter(|_| is_known).and_then(|info| Unit::of(info, tensor))
    });
    let is_swapped = files[0].header().format().endian != files[1].header().format().endian;
    let has_same_type = have_same_type(tensors[0], tensors[1]);
    // Blocks of an unknown type cannot be converted to the other byte order.
    let compares_bytes = has_same_type && length_a == length_b && (type_a.is_some() || !is_swapped);
    let counts = tensors.map(TensorInfo::element_count);
    let types = type_a.zip(type_b).filter(|_| values && counts[0] == counts[1]).map(|(a, b)| [a, b]);
    let types = types.filter(|types| unit_of(*types).0 <= Unit::MOST_ELEMENTS);
    if !compares_bytes && types.is_none() {
        // If the type is known, the length follows from the dimensions, so only unknown types can differ in length here.
        let is_of_unknown_type = has_same_type && type_a.is_none() && type_b.is_none();
        return Ok(Err(match is_of_unknown_type {
            false => DataComparison::NotCompared,
            true if length_a != length_b => DataComparison::Different,
            true => {
                let why = "its type is unknown, so it cannot be converted to the byte order of A";
                unreadable(files[1], files[0], why)
            }
        }));
    }
    if length_a == 0 && length_b == 0 {
        return Ok(Err(DataComparison::Equal));
    }
    if compares_bytes && !is_swapped && have_same_origin(files, &ranges) {
        return Ok(Err(DataComparison::Equal));
    }
    let (unit_elements, unit_bytes) = match (types, type_a.filter(|_| compares_bytes)) {
        (Some(types), _) => unit_of(types),
        (None, Some(only)) => unit_of([only, only]),
        (None, None) => (1, [1, 1]),
    };
    let unit_count = length_a / unit_bytes[0];
    Ok(Ok(Job {
        pair,
        compares_bytes,
        values: types,
        swapped: type_a.filter(|_| is_swapped && compares_bytes).map(|unit| unit.info),
        starts: [ranges[0].start, ranges[1].start],
        unit_bytes,
        unit_elements,
        unit_count,
        read_units: unit_count,
    }))
}

/// The fewest elements that are whole units of both types, and their bytes.
fn unit_of(types: [Unit; 2]) -> (u64, [u64; 2]) {
    let [a, b] = types.map(|unit| unit.elements);
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    let elements = a / divisor.max(1) * b;
    (elements, types.map(|unit| elements / unit.elements * unit.bytes))
}

/// Whether both ranges, which are equally long, come from the same bytes of one file: the plan of an edit copies data from the
/// original file.
fn have_same_origin<S: Source>([a, b]: [&OpenedFile<S>; 2], [in_a, in_b]: &[Range<u64>; 2]) -> bool {
    a.reader().source().origin(in_a.clone()) == b.reader().source().origin(in_b.clone())
}

fn unreadable<S: Source>(file: &OpenedFile<S>, first: &OpenedFile<S>, why: &str) -> DataComparison {
    let which = if core::ptr::eq(file, first) { "A" } else { "B" };
    DataComparison::Unreadable(format!("the data of the tensor in {which} cannot be compared: {why}"))
}
