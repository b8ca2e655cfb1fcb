//! Reads a file and computes its hashes, in constant memory.

use alloc::{boxed::Box, string::String, string::ToString, vec::Vec};
use core::mem;
use core::ops::Range;

use super::hasher::{DataHashes, HASH_ALGORITHMS, HashAlgorithm, Hasher, Hashes};
use super::runs::{Run, runs};
use gguf_format::error::{Error, ErrorCode, Result, error};
use gguf_format::io::{Buffer, Merge, OnProgress, ReadProgress, Source, Turns, Window, WindowLimits};
use gguf_format::limits::MAX_FILE_SIZE;
use gguf_format::tensor::extents::NoExtent;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::tensor::read::split;

/// Bytes that are copied into the memory of the program at once, so that they are still in the processor's cache when they are
/// hashed.
const COPIED_BYTES: usize = 256 << 10;

/// The work of hashing a byte with the SHA-1 or SHA-256 of this crate ([`HostHasher::work`]). WebAssembly hashes 0.16 GB in a
/// second, so the event loop gets a turn after 4 MiB, which take 25 ms.
pub const WORK_OF_SHA: u64 = 16;

/// What is to be hashed.
#[derive(Clone, Debug)]
pub struct HashRequest {
    /// The algorithms that hash the data of the tensors. One that is given twice counts once.
    pub algorithms: Vec<HashAlgorithm>,
    /// Whether each tensor is also hashed by itself.
    pub tensors: bool,
    /// Whether SHA-256 of the whole file is computed.
    pub file: bool,
}

impl Default for HashRequest {
    /// XXH64 of all data and of each tensor.
    fn default() -> Self {
        Self { algorithms: vec![HashAlgorithm::Xxh64], tensors: true, file: false }
    }
}

/// The hashes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHashes {
    /// The hashes of the data of the tensors.
    pub data: DataHashes,
    /// SHA-256 of the whole file, if it was asked for.
    pub file_sha256: Option<[u8; 32]>,
}

/// The hash of one stream of bytes, which the host computes, from bytes where the host keeps them.
pub trait HostHasher<B> {
    /// Hashes the next bytes of the stream.
    ///
    /// # Errors
    ///
    /// What the host fails with.
    fn update(&mut self, bytes: &B) -> Result<()>;

    /// The digest of the hash function.
    ///
    /// # Errors
    ///
    /// What the host fails with.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;

    /// The work of hashing a byte, which says how often the event loop gets a turn. 1 is that of reading it, and of a hash for
    /// which the processor has instructions; [`WORK_OF_SHA`] that of a SHA without them.
    fn work(&self) -> u64 {
        1
    }
}

/// Begins a hash that the host computes. `None` for an algorithm that it does not have. The hash of a UUID is the SHA-1 of its
/// namespace and the data.
type Host<'a, B> = &'a dyn Fn(HashAlgorithm) -> Option<Box<dyn HostHasher<B>>>;

/// Hashes the data of the tensors, and the whole file if that is asked for. The file is read part by part: once, or twice
/// if the data of the tensors does not lie in the order of the list and the whole file is hashed too. `host` begins hashes
/// that the host computes faster than this crate; `&|_| None` if it has none. Without the feature `sha` of this crate, it must
/// begin all but XXH64.
///
/// # Errors
///
/// `truncated` if the file ends before the data of a tensor, before anything is read; `size-unknown`; `read-failed` if neither
/// the host nor this crate computes a hash; or what reading the source fails with.
///
/// # Examples
///
/// ```
/// use gguf_files::hash::{HashAlgorithm, HashRequest, hash_file};
/// use gguf_format::{Limits, OpenedFile, io::{FileSource, block_on}};
///
/// # let path = std::env::temp_dir().join("gguf-wasm-hash.gguf");
/// # let file = gguf_format::example_file();
/// # std::fs::write(&path, &file).unwrap();
/// let opened = block_on(OpenedFile::open(FileSource::open(&path)?, Limits::default()))?;
/// let request = HashRequest { algorithms: vec![HashAlgorithm::Xxh64], tensors: true, file: true };
/// let hashes = block_on(hash_file(&opened, &request, &|_| None, None))?;
/// println!("{}", hashes.data.manifest("model.gguf"));
/// assert_eq!(hashes.data.tensors[0].0, "output.weight");
/// assert!(hashes.file_sha256.is_some());
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub async fn hash_file<S: Source>(
    file: &OpenedFile<S>,
    request: &HashRequest,
    host: Host<'_, S::Buffer>,
    on_progress: Option<OnProgress<'_>>,
) -> Result<FileHashes> {
    if request.file {
        file.learn_size().await?;
    }
    let (mut names, mut extents) = (Vec::new(), Vec::new());
    if !request.algorithms.is_empty() {
        for tensor in file.header().tensors() {
            file.learn_size_for(&tensor).await?;
            let name = tensor.name().to_string_lossy().into_owned();
            let offset = tensor.file_offset().filter(|offset| *offset <= MAX_FILE_SIZE);
            let extent = file.extents()?.of(&tensor, file.file_size());
            extents.push(complete(file, &name, offset, extent)?);
            names.push(name);
        }
    }
    let file_size = match (request.file, file.file_size()) {
        (false, _) => None,
        (true, Some(size)) => Some(size),
        (true, None) => return Err(size_unknown("the file cannot be hashed: its size is not known")),
    };
    let runs = runs(&extents, file_size);
    let mut hashing = Hashing::new(request, host, names, extents)?;
    hashing.read(file, &runs, on_progress).await?;
    hashing.finish()
}

/// The extent of a tensor, which must be complete.
fn complete<S: Source>(
    file: &OpenedFile<S>,
    name: &str,
    offset: Option<u64>,
    found: core::result::Result<Range<u64>, NoExtent>,
) -> Result<Range<u64>> {
    match found {
        Ok(extent) if extent.end <= MAX_FILE_SIZE => Ok(extent),
        Err(NoExtent::FileSizeUnknown) => Err(size_unknown(&format!(
            "the data of tensor \"{name}\" cannot be hashed: it ends with the file, whose size is not known"
        ))),
        _ => {
            let size = file.file_size().map_or_else(|| "an unknown number of".to_string(), |size| size.to_string());
            let message = format!(
                "the data cannot be hashed: the file is truncated; it has {size} bytes, and ends before the data of tensor \
                 \"{name}\" does. Download the file again"
            );
            let offset = offset.unwrap_or_else(|| file.header().data_offset());
            Err(Error::new(ErrorCode::Truncated, message).at(offset))
        }
    }
}

#[cold]
fn size_unknown(message: &str) -> Error {
    error!(SizeUnknown: "{message}. Open the file from a source that tells its size")
}

#[cold]
fn no_hasher(algorithm: HashAlgorithm) -> Error {
    error!(ReadFailed: "the data could not be hashed: the host has no hash function for {}", algorithm.name())
}

/// The hash of one stream of bytes.
enum Stream<B> {
    Own(Hasher),
    Host(HashAlgorithm, Box<dyn HostHasher<B>>),
}

impl<B> Stream<B> {
    fn begin(algorithm: HashAlgorithm, host: Host<'_, B>) -> Result<Self> {
        match host(algorithm) {
            Some(hasher) => Ok(Self::Host(algorithm, hasher)),
            None => Hasher::try_new(algorithm).map(Self::Own).ok_or_else(|| no_hasher(algorithm)),
        }
    }

    /// Hashes the next bytes of the stream, of which `copied` is a copy if an own hasher needs one.
    fn update(&mut self, bytes: &B, copied: &[u8]) -> Result<()> {
        match self {
            Self::Own(hasher) => hasher.update(copied),
            Self::Host(_, hasher) => hasher.update(bytes)?,
        }
        Ok(())
    }

    fn finish(self, hashes: &mut Hashes) -> Result<()> {
        match self {
            Self::Own(hasher) => hasher.finish(hashes),
            Self::Host(algorithm, hasher) => hashes.set_digest(algorithm, &hasher.finish()?),
        }
        Ok(())
    }

    fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// The work of hashing a byte.
    fn work(&self) -> u64 {
        match self {
            Self::Own(hasher) if hasher.algorithm() == HashAlgorithm::Xxh64 => 1,
            Self::Own(_) => WORK_OF_SHA,
            Self::Host(_, hasher) => hasher.work(),
        }
    }
}

/// The hashes that are being computed.
struct Hashing<'a, B> {
    host: Host<'a, B>,
    /// The hashes over all tensors.
    whole: Vec<Stream<B>>,
    /// The algorithms that hash each tensor by itself.
    of_tensors: Vec<HashAlgorithm>,
    /// The hashes of the current tensor.
    current: Vec<Stream<B>>,
    file: Option<Stream<B>>,
    /// A copy of the bytes that are hashed by own hashers. Empty if there are none.
    copied: Vec<u8>,
    /// The work that hashing one byte takes.
    work_per_byte: u64,
    names: Vec<String>,
    extents: Vec<Range<u64>>,
    hashes: DataHashes,
}

impl<'a, B: Buffer> Hashing<'a, B> {
    fn new(request: &HashRequest, host: Host<'a, B>, names: Vec<String>, extents: Vec<Range<u64>>) -> Result<Self> {
        let begin = |algorithm: HashAlgorithm| Stream::begin(algorithm, host);
        let wanted = || HASH_ALGORITHMS.iter().copied().filter(|algorithm| request.algorithms.contains(algorithm));
        let of_tensors: Vec<_> = wanted().filter(|algorithm| request.tensors && algorithm.is_of_tensors()).collect();
        let whole: Vec<_> = wanted().map(begin).collect::<Result<_>>()?;
        let current: Vec<_> = of_tensors.iter().copied().map(begin).collect::<Result<_>>()?;
        let file = request.file.then(|| begin(HashAlgorithm::Sha256)).transpose()?;
        let streams = || whole.iter().chain(&current).chain(&file);
        Ok(Self {
            work_per_byte: 1 + streams().map(Stream::work).sum::<u64>(),
            copied: vec![0; if streams().any(Stream::is_own) { COPIED_BYTES } else { 0 }],
            host,
            whole,
            of_tensors,
            current,
            file,
            names,
            extents,
            hashes: DataHashes::default(),
        })
    }

    /// Reads and hashes all runs. The next parts are in flight while one is hashed.
    async fn read<S: Source<Buffer = B>>(
        &mut self,
        file: &OpenedFile<S>,
        runs: &[Run],
        on_progress: Option<OnProgress<'_>>,
    ) -> Result<()> {
        let part_bytes = file.reader().source().bytes_at_once();
        let mut parts = runs.iter().flat_map(|run| split(run.range.clone(), part_bytes).map(move |part| (run, part)));
        let total_bytes: u64 = runs.iter().map(|run| run.range.end - run.range.start).sum();
        let mut bytes_read = 0;
        let mut window = Window::new(WindowLimits::FEW);
        let mut turns = Turns::<S::Host>::new();
        loop {
            window.fill(|| {
                let (run, part) = parts.next()?;
                // Short runs that lie close together, but in another order, are read together.
                let merge = if part == run.range { Merge::Close } else { Merge::Never };
                let length = part.end - part.start;
                Some(((run, part.start, file.reader().request(part, merge)), length))
            });
            let Some((run, start, requested)) = window.pop() else { return Ok(()) };
            let bytes = requested.bytes().await?;
            drop(requested);
            self.hash_part(run, start, &bytes)?;
            bytes_read += bytes.len();
            if let Some(on_progress) = on_progress {
                on_progress(ReadProgress::new(bytes_read, total_bytes))?;
            }
            turns.count(bytes.len() * self.work_per_byte).await;
        }
    }

    /// Hashes the bytes of a run from the position `start` of the file on.
    fn hash_part(&mut self, run: &Run, start: u64, bytes: &B) -> Result<()> {
        if self.copied.is_empty() {
            return self.hash_piece(run, start, bytes);
        }
        for piece in split(0..bytes.len(), COPIED_BYTES as u64) {
            let from = piece.start;
            let piece = bytes.part(piece)?;
            piece.copy_to(&mut self.copied[..piece.len() as usize])?;
            self.hash_piece(run, start + from, &piece)?;
        }
        Ok(())
    }

    /// Hashes bytes. They have been copied to `copied` if a hasher of this crate needs them.
    fn hash_piece(&mut self, run: &Run, start: u64, bytes: &B) -> Result<()> {
        let end = start + bytes.len();
        if let Some(file) = self.file.as_mut().filter(|_| run.is_file) {
            file.update(bytes, self.copied.get(..bytes.len() as usize).unwrap_or_default())?;
        }
        while self.hashes.tensors.len() < run.tensors_end {
            let extent = self.extents[self.hashes.tensors.len()].clone();
            if !extent.is_empty() {
                if extent.start >= end {
                    break;
                }
                let part = extent.start.max(start) - start..extent.end.min(end) - start;
                let copied = self.copied.get(part.start as usize..part.end as usize).unwrap_or_default();
                let bytes = bytes.part(part)?;
                self.whole.iter_mut().chain(&mut self.current).try_for_each(|stream| stream.update(&bytes, copied))?;
                if extent.end > end {
                    break;
                }
            }
            self.end_tensor()?;
        }
        Ok(())
    }

    fn end_tensor(&mut self) -> Result<()> {
        let mut hashes = Hashes::default();
        for (stream, algorithm) in self.current.iter_mut().zip(&self.of_tensors) {
            let next = Stream::begin(*algorithm, self.host)?;
            if next.is_own() && self.copied.is_empty() {
                return Err(no_hasher(*algorithm));
            }
            mem::replace(stream, next).finish(&mut hashes)?;
        }
        let name = mem::take(&mut self.names[self.hashes.tensors.len()]);
        self.hashes.tensors.push((name, hashes));
        Ok(())
    }

    fn finish(mut self) -> Result<FileHashes> {
        // Tensors without data may follow the last one with data.
        while self.hashes.tensors.len() < self.extents.len() {
            self.end_tensor()?;
        }
        for stream in self.whole {
            stream.finish(&mut self.hashes.data)?;
        }
        let mut of_file = Hashes::default();
        self.file.map_or(Ok(()), |stream| stream.finish(&mut of_file))?;
        Ok(FileHashes { data: self.hashes, file_sha256: of_file.sha256 })
    }
}
