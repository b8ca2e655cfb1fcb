//! Reads a file and computes its hashes, in constant memory.

use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use js_sys::Function;
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::files::hash::{DataHashes, HashAlgorithm, Hasher, Hashes, TensorDataHasher};
use crate::io::{Merge, Source as _};
use crate::tensor::extents::NoExtent;
use crate::tensor::read::split;
use crate::web::files::hash_host::{HostCrypto, HostDataHasher, HostHasher};
use crate::web::files::hash_reads::{Run, runs};
use crate::web::interop::bytes::Bytes;
use crate::web::interop::error::{failure, truncated};
use crate::web::interop::numbers::POSITION_END;
use crate::web::interop::plain_object::to_js;
use crate::web::interop::timer::yield_to_event_loop;
use crate::web::reader::opened_file::OpenedFile;
use crate::web::reader::progress::ReadProgress;

/// Parts that are in flight at once.
const PARTS_IN_FLIGHT: usize = 6;

/// Bytes that are copied into the module's memory at once, so that they are still in the processor's cache when they are hashed.
const COPIED_BYTES: usize = 256 << 10;

/// What is done before the event loop gets a turn: a few tens of milliseconds of work. The unit is a byte that XXH64 or the host
/// hashes.
const WORK_PER_TURN: u64 = 64 << 20;

/// How much longer SHA-1 and SHA-256 of the module take than XXH64.
const WORK_OF_MODULE_SHA: u64 = 4;

/// What is to be computed.
pub(super) struct HashRequest {
    pub algorithms: Vec<HashAlgorithm>,
    /// Whether each tensor is hashed by itself too.
    pub tensors: bool,
    /// Whether SHA-256 of the whole file is computed.
    pub file: bool,
    pub on_progress: Option<Function>,
}

/// Reads the file once, or twice if the data of the tensors does not lie in the order of the list and the whole file is to be
/// hashed too. Returns the hashes of the tensors, and that of the file.
pub(super) async fn compute(
    file: &OpenedFile,
    request: HashRequest,
) -> Result<(DataHashes, Option<[u8; 32]>), JsValue> {
    if request.file && file.file_size().is_none() {
        file.learn_size().await?;
    }
    let (mut names, mut extents) = (Vec::new(), Vec::new());
    if !request.algorithms.is_empty() {
        for tensor in file.header.tensors() {
            file.learn_size_for(&tensor).await?;
            let name = tensor.name().to_string_lossy().into_owned();
            let offset = tensor.file_offset().filter(|offset| *offset < POSITION_END);
            extents.push(extent(file, &name, offset, file.extents()?.of(&tensor, file.file_size()))?);
            names.push(name);
        }
    }
    let file_size = match (request.file, file.file_size()) {
        (false, _) => None,
        (true, Some(size)) => Some(size),
        (true, None) => return Err(size_unknown("the file cannot be hashed: its size is not known")),
    };
    let runs = runs(&extents, file_size);
    let mut hashing = Hashing::new(&request, names, extents);
    hashing.read(file, &runs, request.on_progress.as_ref()).await?;
    hashing.finish()
}

/// The extent of a tensor, which must be complete.
fn extent(
    file: &OpenedFile,
    name: &str,
    offset: Option<u64>,
    found: Result<Range<u64>, NoExtent>,
) -> Result<Range<u64>, JsValue> {
    match found {
        Ok(extent) if extent.end < POSITION_END => Ok(extent),
        Err(NoExtent::FileSizeUnknown) => Err(size_unknown(&format!(
            "the data of tensor \"{name}\" cannot be hashed: it ends with the file, whose size is not known"
        ))),
        _ => {
            let size = file.file_size().map_or_else(|| "an unknown number of".to_string(), |size| size.to_string());
            let message = format!(
                "the data cannot be hashed: the file is truncated; it has {size} bytes, and ends before the data of tensor \
                 \"{name}\" does. Download the file again"
            );
            Err(truncated(&message, offset.unwrap_or_else(|| file.header.data_offset())))
        }
    }
}

#[cold]
fn size_unknown(message: &str) -> JsValue {
    failure(ErrorCode::SizeUnknown, &format!("{message}. Open the file from a source that tells its size"))
}

/// The hash of the whole file.
enum FileHasher {
    Host(HostHasher),
    Module(Hasher),
}

/// The hashes that are being computed.
struct Hashing {
    /// The hashes that the module computes. It also keeps the names of the tensors.
    module: TensorDataHasher,
    host: Option<HostDataHasher>,
    file: Option<FileHasher>,
    /// A copy of the bytes that are hashed by the module. Empty if the module hashes nothing.
    copied: Vec<u8>,
    /// The work that hashing one byte takes.
    work_per_byte: u64,
    names: Vec<String>,
    extents: Vec<Range<u64>>,
    /// The tensor whose data is hashed next.
    next_tensor: usize,
}

impl Hashing {
    fn new(request: &HashRequest, names: Vec<String>, extents: Vec<Range<u64>>) -> Self {
        let mut algorithms = request.algorithms.clone();
        let crypto = HostCrypto::find();
        let host = crypto.clone().map(|crypto| HostDataHasher::new(crypto, &mut algorithms, request.tensors));
        let of_host = crypto.filter(|_| request.file).and_then(|crypto| crypto.hasher(HashAlgorithm::Sha256));
        let file = match of_host {
            Some(hasher) => Some(FileHasher::Host(hasher)),
            None => request.file.then(|| FileHasher::Module(Hasher::new(HashAlgorithm::Sha256))),
        };
        let is_file_copied = matches!(file, Some(FileHasher::Module(_)));
        let is_copied = is_file_copied || !algorithms.is_empty();
        let work = |algorithm: &HashAlgorithm| match algorithm {
            HashAlgorithm::Xxh64 => 2,
            _ => 2 * WORK_OF_MODULE_SHA,
        };
        Self {
            module: TensorDataHasher::new(&algorithms, request.tensors),
            work_per_byte: 1
                + host.as_ref().map_or(0, |host| host.count() as u64)
                + if is_file_copied { WORK_OF_MODULE_SHA } else { 0 }
                + algorithms.iter().map(work).sum::<u64>(),
            host,
            file,
            copied: vec![0; if is_copied { COPIED_BYTES } else { 0 }],
            names,
            extents,
            next_tensor: 0,
        }
    }

    /// Reads and hashes all runs. The next parts are in flight while one is hashed.
    async fn read(&mut self, file: &OpenedFile, runs: &[Run], on_progress: Option<&Function>) -> Result<(), JsValue> {
        let part_bytes = file.reader().source().bytes_at_once();
        let mut parts = runs.iter().flat_map(|run| split(run.range.clone(), part_bytes).map(move |part| (run, part)));
        let total_bytes: u64 = runs.iter().map(|run| run.range.end - run.range.start).sum();
        let (mut bytes_read, mut work) = (0, 0);
        let mut in_flight = VecDeque::new();
        loop {
            while in_flight.len() < PARTS_IN_FLIGHT {
                let Some((run, part)) = parts.next() else { break };
                // Short runs that lie close together, but in another order, are read together.
                let merge = if part == run.range { Merge::Close } else { Merge::Never };
                in_flight.push_back((run, part.start, file.reader().request(part, merge)));
            }
            let Some((run, start, requested)) = in_flight.pop_front() else { return Ok(()) };
            let bytes = requested.bytes().await?;
            drop(requested);
            let length = bytes.byte_length() as u64;
            self.hash_part(run, start, &bytes)?;
            bytes_read += length;
            if let Some(on_progress) = on_progress {
                let progress = ReadProgress { bytes_read: bytes_read as f64, total_bytes: total_bytes as f64 };
                on_progress.call1(&JsValue::UNDEFINED, &to_js(&progress))?;
            }
            // A source may return bytes without any delay. Without this, timers would not fire, and an abort would not be
            // seen.
            work += length * self.work_per_byte;
            if work >= WORK_PER_TURN {
                work = 0;
                yield_to_event_loop().await;
            }
        }
    }

    /// Hashes the bytes of a run from the position `start` of the file on.
    fn hash_part(&mut self, run: &Run, start: u64, bytes: &Bytes) -> Result<(), JsValue> {
        let length = bytes.byte_length() as usize;
        if self.copied.is_empty() {
            return self.hash_piece(run, start, bytes, length);
        }
        for from in (0..length).step_by(COPIED_BYTES) {
            let to = length.min(from + COPIED_BYTES);
            let piece = if to - from == length { bytes.clone() } else { bytes.subarray(from as f64, to as f64)? };
            piece.copy_to(&mut self.copied[..to - from])?;
            self.hash_piece(run, start + from as u64, &piece, to - from)?;
        }
        Ok(())
    }

    /// Hashes bytes that have been copied, if the module needs them.
    fn hash_piece(&mut self, run: &Run, start: u64, bytes: &Bytes, length: usize) -> Result<(), JsValue> {
        let end = start + length as u64;
        if run.is_file {
            match &mut self.file {
                Some(FileHasher::Host(hasher)) => hasher.update(bytes)?,
                Some(FileHasher::Module(hasher)) => hasher.update(&self.copied[..length]),
                None => {}
            }
        }
        while self.next_tensor < run.tensors_end {
            let extent = self.extents[self.next_tensor].clone();
            if !extent.is_empty() {
                if extent.start >= end {
                    break;
                }
                let (from, to) = (extent.start.max(start) - start, extent.end.min(end) - start);
                self.hash_data(bytes, from as usize..to as usize)?;
                if extent.end > end {
                    break;
                }
            }
            self.end_tensor()?;
        }
        Ok(())
    }

    /// Hashes data of the current tensor.
    fn hash_data(&mut self, bytes: &Bytes, range: Range<usize>) -> Result<(), JsValue> {
        if let Some(host) = self.host.as_mut().filter(|host| host.count() > 0) {
            host.update(&bytes.subarray(range.start as f64, range.end as f64)?)?;
        }
        if !self.copied.is_empty() {
            self.module.update(&self.copied[range]);
        }
        Ok(())
    }

    fn end_tensor(&mut self) -> Result<(), JsValue> {
        self.module.end_tensor(mem::take(&mut self.names[self.next_tensor]));
        if let Some(host) = &mut self.host {
            host.end_tensor()?;
        }
        self.next_tensor += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<(DataHashes, Option<[u8; 32]>), JsValue> {
        // Tensors without data may follow the last one with data.
        while self.next_tensor < self.extents.len() {
            self.end_tensor()?;
        }
        let mut hashes = self.module.finish();
        if let Some(host) = self.host {
            host.finish(&mut hashes)?;
        }
        let mut of_file = Hashes::default();
        match self.file {
            Some(FileHasher::Host(hasher)) => hasher.finish(&mut of_file)?,
            Some(FileHasher::Module(hasher)) => hasher.finish(&mut of_file),
            None => {}
        }
        Ok((hashes, of_file.sha256))
    }
}
