//! The incremental decoder of files before GGUF.
//!
//! Until the first tensor, the bytes are kept and read by one [`Candidate`] for each layout that the container allows. Then the
//! best of them is taken, and the headers of tensors are read one by one. The data between them is skipped.

use alloc::vec::Vec;

use super::candidate::{Candidate, Preamble, State as CandidateState, ends_inside, layouts};
use super::choice::{Choices, choose};
use super::container::{Container, bad_magic};
use super::family::Family;
use super::header::LegacyHeader;
use super::tensor::{LegacyTensor, TensorHeader, TensorRules};
use gguf_format::error::{Error, Result, error, no_memory};
use gguf_format::limits::Limits;

/// How to read a file before GGUF.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The family of the model. `None`: the one that fits best.
    pub family: Option<Family>,
    /// The largest counts and sizes: `header_bytes` for everything before the first tensor, `array_length` for the vocabulary,
    /// `tensor_count` for the tensors.
    pub limits: Limits,
}

/// Decodes a file before GGUF from bytes that arrive in pieces of any size.
///
/// # Examples
///
/// ```
/// use gguf_legacy::{Decoder, Options};
///
/// // A rwkv.cpp file: ggmf, version 100, four hyperparameters, one tensor of two f32s.
/// let mut file = b"fmgg".to_vec();
/// for number in [100, 50, 2, 1, 0, 1, 8, 0, 2_u32] {
///     file.extend(number.to_le_bytes());
/// }
/// file.extend(b"ln_out.w");
/// file.extend([1.0, 2.0_f32].map(f32::to_le_bytes).as_flattened());
///
/// let mut decoder = Decoder::new(Options::default());
/// for piece in file.chunks(7) {
///     decoder.push(piece)?;
/// }
/// let header = decoder.finish()?;
/// assert_eq!(header.tensors[0].name, b"ln_out.w");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub struct Decoder {
    options: Options,
    /// The position after the last byte that has been pushed or skipped.
    position: u64,
    /// The bytes that are kept: all bytes of the file up to the first tensor, then the bytes of one tensor header at a time.
    kept: Vec<u8>,
    state: State,
    tensors: Vec<LegacyTensor>,
    choices: Option<Choices>,
}

enum State {
    Magic,
    Version(Container),
    /// Layouts are tried.
    Trial(Preamble, Vec<Candidate>),
    /// The header of a tensor begins at this position.
    TensorHeader(TensorRules, u64),
    /// The data of the last tensor.
    Data(TensorRules),
    Failed(Error),
}

/// Bytes that are taken at once while layouts are tried.
const BYTES_IN_TRIAL: usize = 16 << 10;

impl Decoder {
    /// A decoder at the start of a file.
    pub fn new(options: Options) -> Self {
        Self { options, position: 0, kept: Vec::new(), state: State::Magic, tensors: Vec::new(), choices: None }
    }

    /// The position in the file of the next byte that is pushed.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The position of the next byte that the decoder needs: later than [`position`](Self::position) while the data of a tensor
    /// is skipped.
    pub fn needed(&self) -> u64 {
        match &self.state {
            State::Data(_) => self.data_end(),
            _ => self.position,
        }
    }

    /// The tensors that are complete so far: their headers, not their data.
    pub fn tensors(&self) -> &[LegacyTensor] {
        &self.tensors
    }

    /// Goes on at another position, at most [`needed`](Self::needed): the bytes before it are not pushed.
    ///
    /// # Errors
    ///
    /// `out-of-range` if the decoder needs bytes before this position, or has passed it.
    pub fn skip_to(&mut self, position: u64) -> Result<()> {
        if position < self.position || position > self.needed() {
            return Err(error!(OutOfRange:
                "the decoder cannot skip to {position}: expected a position from {} to {}", self.position, self.needed()));
        }
        self.position = position;
        Ok(())
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// The reason why the file cannot be read, with the offset. Every later call returns the same error.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let pushed = self.push_bytes(bytes);
        self.keep_error(pushed)
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// `unexpected-eof` if the file ends inside an item or inside the data of a tensor. Otherwise the error of an earlier call.
    pub fn finish(mut self) -> Result<LegacyHeader> {
        if let State::Trial(preamble, _) = &self.state {
            let preamble = *preamble;
            self.try_layouts(preamble, true)?;
        }
        let Some(choices) = self.choices.take() else { return Err(self.incomplete()) };
        match &self.state {
            State::TensorHeader(..) if self.kept.is_empty() => {}
            State::Data(_) if self.position >= self.data_end() => {}
            _ => return Err(self.incomplete()),
        }
        choices.into_header(self.tensors, self.options.family, self.position)
    }

    fn incomplete(self) -> Error {
        let size = self.position;
        match self.state {
            State::Failed(error) => error,
            State::Magic if size < 4 => bad_magic(&self.kept, "The file is too short."),
            State::Magic | State::Version(_) | State::Trial(..) => ends_inside("the version", 4, size),
            State::TensorHeader(_, at) => ends_inside("the header of a tensor", at, size),
            State::Data(_) => {
                let at = self.tensors.last().map_or(0, |tensor| tensor.offset).min(size);
                ends_inside("the data of the last tensor", at, size)
            }
        }
    }

    fn keep_error<T>(&mut self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| {
            self.state = State::Failed(error.clone());
            self.kept = Vec::new();
        })
    }

    /// The position after the data of the last tensor.
    fn data_end(&self) -> u64 {
        self.tensors.last().map_or(0, LegacyTensor::end)
    }

    fn push_bytes(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match &self.state {
                State::Failed(error) => return Err(error.clone()),
                State::Magic => {
                    self.keep(&mut bytes, 4)?;
                    if let Some(magic) = self.kept.first_chunk() {
                        let container = Container::of_magic(*magic)?;
                        self.state = match container.has_version() {
                            true => State::Version(container),
                            false => self.start_trial(Preamble { container, version: 0 }),
                        };
                    }
                }
                State::Version(container) => {
                    let container = *container;
                    self.keep(&mut bytes, 8)?;
                    if let Some(version) = self.kept.get(4..).and_then(<[u8]>::first_chunk) {
                        let version = u32::from_le_bytes(*version);
                        container.check_version(version)?;
                        self.state = self.start_trial(Preamble { container, version });
                    }
                }
                State::Trial(preamble, _) => {
                    let preamble = *preamble;
                    let most = self.options.limits.header_bytes;
                    if self.kept.len() as u64 > most {
                        return Err(error!(LimitExceeded:
                            "cannot read the file: its first tensor does not begin within {most} bytes, the limit of a header. \
                             Raise the limit if you trust the file.").at(most));
                    }
                    let length = (self.kept.len() + BYTES_IN_TRIAL).min(most.saturating_add(1) as usize);
                    self.keep(&mut bytes, length)?;
                    self.try_layouts(preamble, false)?;
                }
                State::TensorHeader(rules, at) => {
                    let (rules, at) = (*rules, *at);
                    self.read_tensor(rules, at, &mut bytes)?;
                }
                State::Data(rules) => {
                    let (rules, end) = (*rules, self.data_end());
                    let skipped = (end - self.position).min(bytes.len() as u64);
                    bytes = &bytes[skipped as usize..];
                    self.position += skipped;
                    if self.position == end && !bytes.is_empty() {
                        self.state = State::TensorHeader(rules, end);
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves bytes from the start of `bytes` to those that are kept, until `length` are kept.
    fn keep(&mut self, bytes: &mut &[u8], length: usize) -> Result<()> {
        let (taken, rest) = bytes.split_at(length.saturating_sub(self.kept.len()).min(bytes.len()));
        self.kept.try_reserve(taken.len()).map_err(|_| no_memory(length as u64))?;
        self.kept.extend_from_slice(taken);
        self.position += taken.len() as u64;
        *bytes = rest;
        Ok(())
    }

    fn start_trial(&self, preamble: Preamble) -> State {
        let candidates = layouts(preamble).into_iter().map(|layout| Candidate::new(layout, preamble)).collect();
        State::Trial(preamble, candidates)
    }

    /// Reads the kept bytes in every layout. Takes the best one when all are decided.
    fn try_layouts(&mut self, preamble: Preamble, is_whole: bool) -> Result<()> {
        let State::Trial(_, candidates) = &mut self.state else { return Ok(()) };
        for candidate in candidates.iter_mut() {
            candidate.advance(&self.kept, is_whole, &self.options.limits);
        }
        if !candidates.iter().all(Candidate::is_decided) {
            return Ok(());
        }
        let (choices, mut candidate) = choose(core::mem::take(candidates), preamble, self.options.family, &self.kept)?;
        let rules = candidate.rules();
        let mut after = self.kept.split_off((candidate.position() as usize).min(self.kept.len()));
        self.kept = Vec::new();
        self.position = candidate.position();
        self.choices = Some(choices);
        let first = core::mem::replace(&mut candidate.state, CandidateState::Fits(None));
        self.state = State::TensorHeader(rules, self.position);
        if let CandidateState::Fits(Some(tensor)) = first {
            // The header of the first tensor is not read again.
            let header_end = (tensor.offset.min(self.position + after.len() as u64) - self.position) as usize;
            after.drain(..header_end);
            self.position += header_end as u64;
            self.add(tensor, rules)?;
        }
        self.push_bytes(&after)
    }

    /// Reads the header of a tensor as far as its bytes have arrived.
    fn read_tensor(&mut self, rules: TensorRules, at: u64, bytes: &mut &[u8]) -> Result<()> {
        let mut length = 12;
        loop {
            self.keep(bytes, length)?;
            if self.kept.len() < length {
                return Ok(());
            }
            match rules.read(&self.kept, at)? {
                TensorHeader::Incomplete(needed) => length = needed as usize,
                TensorHeader::Complete(tensor) => {
                    self.kept.clear();
                    return self.add(tensor, rules);
                }
            }
        }
    }

    /// Adds a tensor whose header has been read. Its data, with the padding before it, is skipped.
    fn add(&mut self, tensor: LegacyTensor, rules: TensorRules) -> Result<()> {
        let limit = self.options.limits.tensor_count;
        if self.tensors.len() as u64 >= limit {
            return Err(error!(LimitExceeded:
                "cannot read the tensor at offset {:#x}: the file has more than {limit} tensors. Raise the limit if you trust \
                 the file.", tensor.header_offset).at(tensor.header_offset));
        }
        self.tensors.try_reserve(1).map_err(|_| no_memory(self.tensors.len() as u64))?;
        self.tensors.push(tensor);
        self.state = State::Data(rules);
        Ok(())
    }
}
