//! One layout that a header may have, tried on the bytes of the file.
//!
//! The magics `ggml` and `ggjt` do not tell the family, so the number of fields and the form of the vocabulary are unknown. A
//! candidate reads the bytes in one layout, until a contradiction or until the first tensor.

use alloc::vec::Vec;

use super::container::{BlockRules, Container};
use super::family::{FamilyForm, Layout, VocabularyRule};
use super::header::{MelFilters, Vocabulary};
use super::tensor::{DAMAGED, LONGEST_TEXT, LegacyTensor, TensorHeader, TensorRules};
use gguf_format::error::{Error, Result, error, no_memory};
use gguf_format::limits::Limits;

/// What is known of the file before its fields.
#[derive(Clone, Copy)]
pub(super) struct Preamble {
    pub container: Container,
    /// 0 if the container has no version.
    pub version: u32,
}

impl Preamble {
    /// The position of the first field.
    pub fn end(&self) -> u64 {
        if self.container.has_version() { 8 } else { 4 }
    }

    fn block_rules(&self, quantization_version: u32) -> Option<BlockRules> {
        Some(match (self.container, self.version, quantization_version) {
            (Container::Ggjt, 3, _) | (Container::Ggmf, 101, _) | (Container::Ggml, _, 2) => BlockRules::V3,
            (Container::Ggjt, 2, _) | (Container::Ggml, _, 1) => BlockRules::V2,
            (Container::Ggml, _, 3..) => return None,
            _ => BlockRules::V1,
        })
    }
}

/// A layout that is tried on the bytes of a file.
pub(super) struct Candidate {
    pub layout: Layout,
    pub state: State,
    /// The values of the fields, once they are read.
    pub fields: Vec<u32>,
    pub block_rules: BlockRules,
    pub mel_filters: Option<MelFilters>,
    preamble: Preamble,
    /// The position of the next item.
    position: u64,
    vocabulary_offset: u64,
    count_field: Option<u32>,
    /// The number of tokens.
    token_count: u32,
    /// The position in the file of each token that has been read.
    tokens: Vec<u32>,
}

/// The next item, or the end.
pub(super) enum State {
    Fields,
    MelFilters,
    Count,
    Tokens,
    FirstTensor,
    /// The layout fits up to the first tensor. `None`: the file ends after the vocabulary.
    Fits(Option<LegacyTensor>),
    Fails(Error),
}

impl Candidate {
    pub fn new(layout: Layout, preamble: Preamble) -> Self {
        Self {
            layout,
            state: State::Fields,
            fields: Vec::new(),
            block_rules: BlockRules::V1,
            mel_filters: None,
            preamble,
            position: preamble.end(),
            vocabulary_offset: 0,
            count_field: None,
            token_count: 0,
            tokens: Vec::new(),
        }
    }

    pub fn is_decided(&self) -> bool {
        matches!(self.state, State::Fits(_) | State::Fails(_))
    }

    /// The position of the next item: for a layout that fits, that of the first tensor.
    pub fn position(&self) -> u64 {
        self.position
    }

    pub fn rules(&self) -> TensorRules {
        TensorRules {
            layout: self.layout,
            block_rules: self.block_rules,
            alignment: self.preamble.container.alignment(),
        }
    }

    /// The vocabulary of a layout that fits. `file` has the bytes of the file up to the first tensor at least.
    pub fn take_vocabulary(&mut self, file: &[u8]) -> Result<Option<Vocabulary>> {
        if self.layout.vocabulary == VocabularyRule::Absent {
            return Ok(None);
        }
        let stored = &file[self.vocabulary_offset as usize..self.position as usize];
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(stored.len()).map_err(|_| no_memory(stored.len() as u64))?;
        bytes.extend_from_slice(stored);
        let mut starts = core::mem::take(&mut self.tokens);
        starts.iter_mut().for_each(|start| *start -= self.vocabulary_offset as u32);
        Ok(Some(Vocabulary {
            offset: self.vocabulary_offset,
            count_field: self.count_field,
            has_scores: self.layout.has_scores,
            bytes,
            starts,
        }))
    }

    /// Reads items until one is incomplete or the candidate is decided. `file` has the bytes from the start of the file on;
    /// `is_whole` tells that there are no more.
    pub fn advance(&mut self, file: &[u8], is_whole: bool, limits: &Limits) {
        while !self.is_decided() {
            match self.step(file, is_whole, limits) {
                Ok(true) => {}
                Ok(false) if is_whole => self.state = State::Fails(self.ends_early(file.len() as u64)),
                Ok(false) => return,
                Err(error) => self.state = State::Fails(error),
            }
        }
    }

    fn ends_early(&self, size: u64) -> Error {
        let item = match self.state {
            State::Fields => "the hyperparameters",
            State::MelFilters => "the mel filters",
            State::Count => "the number of tokens",
            State::Tokens => "a token of the vocabulary",
            _ => "the header of a tensor",
        };
        ends_inside(item, self.position, size)
    }

    /// Reads the next item. Returns false if its bytes have not all arrived.
    fn step(&mut self, file: &[u8], is_whole: bool, limits: &Limits) -> Result<bool> {
        let at = self.position;
        let rest = file.get(at as usize..).unwrap_or_default();
        let number = |at: usize| rest.get(at..).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes);
        match self.state {
            State::Fields => {
                let Some(stored) = rest.get(..4 * self.layout.field_count) else { return Ok(false) };
                self.fields = stored.as_chunks().0.iter().copied().map(u32::from_le_bytes).collect();
                self.position += stored.len() as u64;
                self.check_fields(at, limits)?;
                self.vocabulary_offset = self.position;
                self.state = match self.layout.has_mel_filters {
                    true => State::MelFilters,
                    false => self.start_of_vocabulary(),
                };
            }
            State::MelFilters => {
                let (Some(mel_count), Some(fft_count)) = (number(0), number(4)) else { return Ok(false) };
                let end =
                    at.saturating_add(8).saturating_add((4 * u64::from(mel_count)).saturating_mul(fft_count.into()));
                if end > limits.header_bytes {
                    return Err(error!(LimitExceeded:
                        "cannot read the mel filters at offset {at:#x}: {mel_count} times {fft_count} numbers, which is more \
                         than a header may have. {DAMAGED}").at(at));
                }
                if (file.len() as u64) < end {
                    return Ok(false);
                }
                self.mel_filters = Some(MelFilters { offset: at, mel_count, fft_count, data_offset: at + 8 });
                (self.position, self.vocabulary_offset) = (end, end);
                self.state = self.start_of_vocabulary();
            }
            State::Count => {
                let Some(count) = number(0) else { return Ok(false) };
                let is_valid = match self.layout.vocabulary {
                    VocabularyRule::Counted => count <= self.token_count,
                    _ => count == self.token_count,
                };
                if !is_valid {
                    return Err(error!(BadStructure:
                        "cannot read the vocabulary at offset {at:#x}: it has {count} tokens, but n_vocab is {}. {DAMAGED}",
                        self.token_count).at(at));
                }
                (self.count_field, self.token_count) = (Some(count), count);
                self.position += 4;
                self.state = State::Tokens;
            }
            State::Tokens => {
                if self.tokens.len() == self.token_count as usize {
                    self.state = State::FirstTensor;
                    return Ok(true);
                }
                let Some(length) = number(0) else { return Ok(false) };
                if u64::from(length) > LONGEST_TEXT {
                    return Err(error!(BadStructure:
                        "cannot read token {} at offset {at:#x}: it has {length} bytes, expected at most {LONGEST_TEXT}. {DAMAGED}",
                        self.tokens.len()).at(at));
                }
                let size = 4 + u64::from(length) + if self.layout.has_scores { 4 } else { 0 };
                if (rest.len() as u64) < size {
                    return Ok(false);
                }
                let start = u32::try_from(at).map_err(|_| no_memory(at))?;
                self.tokens.try_reserve(1).map_err(|_| no_memory(4 * self.tokens.len() as u64))?;
                self.tokens.push(start);
                self.position += size;
            }
            State::FirstTensor => {
                if rest.is_empty() && is_whole {
                    self.state = State::Fits(None);
                    return Ok(true);
                }
                match self.rules().read(rest, at)? {
                    TensorHeader::Incomplete(_) => return Ok(false),
                    TensorHeader::Complete(tensor) => self.state = State::Fits(Some(tensor)),
                }
            }
            State::Fits(_) | State::Fails(_) => {}
        }
        Ok(true)
    }

    fn start_of_vocabulary(&self) -> State {
        match self.layout.vocabulary {
            VocabularyRule::Absent => State::FirstTensor,
            VocabularyRule::Uncounted => State::Tokens,
            VocabularyRule::Repeated | VocabularyRule::Counted => State::Count,
        }
    }

    fn check_fields(&mut self, at: u64, limits: &Limits) -> Result<()> {
        let position_of = |field: usize| at + 4 * field as u64;
        let quantization_version = self.layout.file_type.map_or(0, |field| self.fields[field] / 1000);
        self.block_rules = self.preamble.block_rules(quantization_version).ok_or_else(|| {
            error!(BadStructure:
                "cannot read the hyperparameters at offset {at:#x}: the file type names version {quantization_version} of the \
                 quantization, expected 0, 1 or 2. {DAMAGED}").at(self.layout.file_type.map_or(at, position_of))
        })?;
        if let Some(field) = self.layout.vocabulary_size {
            self.token_count = self.fields[field];
            let (at, count) = (position_of(field), u64::from(self.token_count));
            if count == 0 {
                return Err(
                    error!(BadStructure: "cannot read the vocabulary: n_vocab at offset {at:#x} is 0. {DAMAGED}")
                        .at(at),
                );
            }
            if count > limits.array_length {
                return Err(error!(LimitExceeded:
                    "cannot read the vocabulary: n_vocab at offset {at:#x} is {count}, at most {} are allowed. {DAMAGED}",
                    limits.array_length).at(at));
            }
        }
        Ok(())
    }
}

/// The file ends inside an item that begins at `at`.
#[cold]
pub(super) fn ends_inside(item: &str, at: u64, size: u64) -> Error {
    error!(UnexpectedEof:
        "cannot read {item} at offset {at:#x}: the file ends at {size:#x}. Download or copy the file again.")
    .at(at)
}

/// The layouts that the families of a container have, each once.
pub(super) fn layouts(preamble: Preamble) -> Vec<Layout> {
    let mut layouts = Vec::new();
    for form in FamilyForm::of(preamble.container, preamble.version) {
        let layout = form.layout(preamble.container);
        if !layouts.contains(&layout) {
            layouts.push(layout);
        }
    }
    layouts
}
