//! Compares the data of the tensors of two files: it is read part by part, once, and in constant memory.

use alloc::{boxed::Box, vec::Vec};

use super::comparison::DataCoverage;
use super::described::ComparedPair;
use super::jobs::{Job, Part, jobs};
use super::numbers::NumberDifference;
use super::renamed::add_renamed;
use super::tensors::{DataComparison, TensorComparing, TensorPair};
use gguf_format::error::Result;
use gguf_format::format::ggml_type::GgmlTypeInfo;
use gguf_format::io::{Buffer, Merge, OnProgress, ReadProgress, Source, Turns, Window, WindowLimits};
use gguf_format::tensor::converter::{Chunk, Converter, NumberFormat};
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::tensor::unit::Unit;

/// The parts of one file that are in flight at once.
const PARTS_IN_FLIGHT: u64 = 4;

/// The most parts that are in flight at once, however small they are.
const MOST_PARTS_IN_FLIGHT: usize = 512;

/// Bytes of each file that are compared at once, so that they are still in the processor's cache.
const COMPARED_BYTES: usize = 64 << 10;

/// Elements that are converted at once, rounded to whole units.
const CONVERTED_ELEMENTS: u64 = 32 << 10;

/// How much longer converting a byte takes than comparing it.
const WORK_OF_CONVERSION: u64 = 16;

/// The work that a part takes, however short it is.
const WORK_PER_PART: u64 = 16 << 10;

/// The work of telling the caller about a tensor.
const WORK_PER_REPORT: u64 = 16 << 10;

/// Who is told about a comparison while it runs. An error ends the comparison, which fails with it.
#[derive(Clone, Copy, Default)]
pub struct CompareReports<'a> {
    /// Is told how much of the data has been compared.
    pub on_progress: Option<OnProgress<'a>>,
    /// Is told about each tensor that both models have, as soon as its data has been compared.
    pub on_tensor: Option<&'a dyn Fn(ComparedPair) -> Result<()>>,
}

impl CompareReports<'_> {
    /// Tells what was found about a pair.
    fn tell(&self, pair: &TensorPair) -> Result<()> {
        match self.on_tensor {
            // Two tensors with different names belong together only if their data is equal.
            Some(on_tensor) if !pair.is_renamed || pair.data.is_equal() => on_tensor(ComparedPair::new(pair)),
            _ => Ok(()),
        }
    }
}

/// Compares the data of all pairs of tensors, and notes in the pairs what was found.
///
/// With `values`, the numbers are compared too. `max_bytes` is the most bytes of both files that are read.
pub(super) async fn compare_data<S: Source>(
    files: [&OpenedFile<S>; 2],
    tensors: &mut TensorComparing,
    values: bool,
    max_bytes: Option<u64>,
    reports: CompareReports<'_>,
) -> Result<DataCoverage> {
    let search = add_renamed(files, tensors, max_bytes).await?;
    let jobs = jobs(files, &mut tensors.pairs, values, search.left).await?;
    let progress = Progress {
        done_bytes: 0,
        total_bytes: jobs.iter().map(Job::read_bytes).sum(),
        on_progress: reports.on_progress,
        next_job: 0,
        bytes_before: 0,
    };
    let coverage = match search.is_complete && jobs.iter().all(Job::is_whole) {
        true => DataCoverage::Whole,
        false if progress.total_bytes == 0 => DataCoverage::None,
        false => DataCoverage::Sampled,
    };
    if reports.on_tensor.is_some() {
        let mut turns = Turns::<S::Host>::new();
        // The data of these needs no reading.
        for pair in tensors.pairs.iter().filter(|pair| pair.data != DataComparison::NotCompared) {
            reports.tell(pair)?;
            turns.count(WORK_PER_REPORT).await;
        }
    }
    run(files, tensors, &jobs, progress, reports).await?;
    Ok(coverage)
}

/// Reads and compares the parts of all jobs.
async fn run<S: Source>(
    files: [&OpenedFile<S>; 2],
    tensors: &mut TensorComparing,
    jobs: &[Job],
    mut progress: Progress<'_>,
    reports: CompareReports<'_>,
) -> Result<()> {
    let [a, b] = files.map(OpenedFile::reader);
    let part_bytes = a.source().bytes_at_once().min(b.source().bytes_at_once());
    let mut parts = Parts { jobs, part_bytes, next_job: 0, of_job: None };
    // The bytes between the runs of a sample are not wanted.
    let merge = if jobs.iter().all(Job::is_whole) { Merge::Close } else { Merge::Adjacent };
    let mut window = Window::new(WindowLimits {
        reads: MOST_PARTS_IN_FLIGHT,
        bytes: PARTS_IN_FLIGHT * part_bytes,
        least_bytes: part_bytes,
    });
    let mut turns = Turns::<S::Host>::new();
    let mut running: Option<Running> = None;
    let mut copied = [vec![0; COMPARED_BYTES], vec![0; COMPARED_BYTES]];
    loop {
        window.fill(|| {
            let part = parts.next()?;
            let length = part.length();
            let [range_a, range_b] = part.ranges.clone();
            Some(((part, [a.request(range_a, merge), b.request(range_b, merge)]), length))
        });
        let Some((part, requested)) = window.pop() else { break };
        let job = &jobs[part.job];
        if let Some(ended) = running.take_if(|running| running.job != part.job) {
            reports.tell(&tensors.pairs[jobs[ended.job].pair])?;
        }
        let current = match &mut running {
            Some(current) => current,
            None => {
                progress.begin_job(jobs, part.job);
                running.insert(Running::new(files, job, part.job).await?)
            }
        };
        if current.is_different && job.values.is_none() {
            // The rest of these tensors need not be read.
            parts.leave_out(part.job);
            continue;
        }
        let bytes = [requested[0].bytes().await?, requested[1].bytes().await?];
        drop(requested);
        current.compare(job, &part, &bytes, &mut copied)?;
        current.note(job, &mut tensors.pairs[job.pair]);
        progress.report(part.length())?;
        let work_per_byte = if job.values.is_some() { WORK_OF_CONVERSION } else { 1 };
        turns.count(WORK_PER_PART + part.length() * work_per_byte).await;
    }
    if let Some(ended) = running {
        reports.tell(&tensors.pairs[jobs[ended.job].pair])?;
    }
    progress.done_bytes = progress.total_bytes;
    progress.report(0)
}

/// The parts of all jobs.
struct Parts<'a> {
    jobs: &'a [Job],
    part_bytes: u64,
    next_job: usize,
    /// The rest of the parts of the job before `next_job`.
    of_job: Option<Box<dyn Iterator<Item = Part>>>,
}

impl Parts<'_> {
    /// Leaves out the rest of a job.
    fn leave_out(&mut self, job: usize) {
        if self.next_job == job + 1 {
            self.of_job = None;
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        loop {
            if let Some(part) = self.of_job.as_mut().and_then(Iterator::next) {
                return Some(part);
            }
            let job = self.jobs.get(self.next_job)?;
            self.of_job = Some(job.parts(self.next_job, self.part_bytes));
            self.next_job += 1;
        }
    }
}

struct Progress<'a> {
    /// Bytes of both files that were compared, or need not be compared any more.
    done_bytes: u64,
    total_bytes: u64,
    on_progress: Option<OnProgress<'a>>,
    /// The first job whose bytes are not in `bytes_before`.
    next_job: usize,
    /// Bytes of all jobs before `next_job`.
    bytes_before: u64,
}

impl Progress<'_> {
    /// All jobs before this one are done.
    fn begin_job(&mut self, jobs: &[Job], job: usize) {
        self.bytes_before += jobs[self.next_job..job].iter().map(Job::read_bytes).sum::<u64>();
        self.next_job = job;
        self.done_bytes = self.bytes_before;
    }

    fn report(&mut self, bytes: u64) -> Result<()> {
        self.done_bytes += bytes;
        match self.on_progress {
            Some(on_progress) => on_progress(ReadProgress::new(self.done_bytes, self.total_bytes)),
            None => Ok(()),
        }
    }
}

/// The job whose parts are being compared.
struct Running {
    job: usize,
    /// Whether bytes were found that differ.
    is_different: bool,
    values: Option<Values>,
}

/// The comparison of the numbers of two tensors.
struct Values {
    converters: [Converter; 2],
    difference: NumberDifference,
}

impl Running {
    async fn new<S: Source>(files: [&OpenedFile<S>; 2], job: &Job, index: usize) -> Result<Self> {
        let values = match job.values {
            Some(types) => Some(Values::new(files, types).await?),
            None => None,
        };
        Ok(Self { job: index, is_different: false, values })
    }

    fn compare<B: Buffer>(&mut self, job: &Job, part: &Part, bytes: &[B; 2], copied: &mut [Vec<u8>; 2]) -> Result<()> {
        if job.compares_bytes && !self.is_different {
            self.is_different = differ(bytes, job.swapped, copied)?;
        }
        match &mut self.values {
            Some(values) => values.push(job, part.first_element, bytes),
            None => Ok(()),
        }
    }

    /// Notes what was found so far.
    fn note(&self, job: &Job, pair: &mut TensorPair) {
        pair.data = match (job.compares_bytes, self.is_different) {
            (false, _) => DataComparison::NotCompared,
            (true, true) => DataComparison::Different,
            (true, false) if job.is_whole() => DataComparison::Equal,
            (true, false) => DataComparison::EqualInSample,
        };
        pair.values = self.values.as_ref().map(|values| (values.difference.clone(), !job.is_whole()));
    }
}

/// Whether the bytes of a part differ. With a type, the blocks of the second file are swapped before.
fn differ<B: Buffer>(
    bytes: &[B; 2],
    swapped: Option<&GgmlTypeInfo>,
    [copied_a, copied_b]: &mut [Vec<u8>; 2],
) -> Result<bool> {
    let length = bytes[0].len() as usize;
    let block = swapped.map_or(1, |info| info.type_size as usize);
    let step = COMPARED_BYTES / block * block;
    for start in (0..length).step_by(step) {
        let end = length.min(start + step);
        let (a, b) = (&mut copied_a[..end - start], &mut copied_b[..end - start]);
        bytes[0].part(start as u64..end as u64)?.copy_to(a)?;
        bytes[1].part(start as u64..end as u64)?.copy_to(b)?;
        if let Some(info) = swapped {
            info.swap_byte_order(b);
        }
        if a != b {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Values {
    async fn new<S: Source>(files: [&OpenedFile<S>; 2], types: [Unit; 2]) -> Result<Self> {
        // Both tensors are converted to the same kind of numbers, one that represents both exactly.
        let is_wide = types.iter().any(|unit| NumberFormat::exact(unit.info) == NumberFormat::Float64);
        let format = if is_wide { NumberFormat::Float64 } else { NumberFormat::Float32 };
        let [converter_a, converter_b] = [files[0].converter(types[0], format), files[1].converter(types[1], format)];
        let converters = [converter_a.await?, converter_b.await?];
        Ok(Self { converters, difference: NumberDifference::default() })
    }

    /// Converts and compares the numbers of a part.
    fn push<B: Buffer>(&mut self, job: &Job, first_element: u64, bytes: &[B; 2]) -> Result<()> {
        let Self { converters: [converter_a, converter_b], difference } = self;
        let at_once = job.whole_units(CONVERTED_ELEMENTS);
        let steps = job.bytes_of(at_once);
        let lengths = [bytes[0].len(), bytes[1].len()];
        for step in 0..lengths[0].div_ceil(steps[0]) {
            let piece = |file: usize| {
                let (start, end) = (step * steps[file], lengths[file].min((step + 1) * steps[file]));
                bytes[file].part(start..end)
            };
            let (piece_a, piece_b) = (piece(0)?, piece(1)?);
            let first = first_element + step * at_once;
            let mut result = Ok(());
            // Each piece is one chunk, unless the units of one tensor are very large.
            converter_a.convert(&piece_a, &mut |start_a, chunk_a| {
                let compared = converter_b.convert(&piece_b, &mut |start_b, chunk_b| {
                    let start = start_a.max(start_b);
                    let end = (start_a + chunk_a.count() as u64).min(start_b + chunk_b.count() as u64);
                    if start >= end {
                        return;
                    }
                    let of = |from: u64| (start - from) as usize..(end - from) as usize;
                    match (chunk_a.part(of(start_a)), chunk_b.part(of(start_b))) {
                        (Chunk::Floats(a), Chunk::Floats(b)) => difference.push(first + start, a, b),
                        (Chunk::Doubles(a), Chunk::Doubles(b)) => difference.push(first + start, a, b),
                        _ => {}
                    }
                });
                if compared.is_err() {
                    result = compared;
                }
            })?;
            result?;
        }
        Ok(())
    }
}
