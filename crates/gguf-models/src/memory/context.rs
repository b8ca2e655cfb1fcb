//! The sizes of a context, as llama.cpp computes them from what is asked for (`llama_context` in `src/llama-context.cpp`).

use super::options::MemoryOptions;

/// llama.cpp makes a context a multiple of this number of tokens long.
pub(super) const CONTEXT_STEP: u64 = 256;

/// The longest context, in tokens: llama.cpp counts them in 32 bits.
pub(super) const LONGEST_CONTEXT: u64 = u32::MAX as u64;

/// The sizes of a context, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContextSize {
    /// All sequences together.
    pub total: u64,
    /// One sequence.
    pub of_sequence: u64,
    /// The number of sequences.
    pub sequences: u64,
    /// The number of separate caches: one for all sequences, or one for each.
    pub streams: u64,
    /// The most tokens of a batch.
    pub batch: u64,
    /// The most tokens that are computed at once.
    pub micro_batch: u64,
}

impl ContextSize {
    /// `trained` is the context length that the file states. `is_causal` says whether a token sees only earlier tokens.
    pub fn new(options: &MemoryOptions, trained: u64, is_causal: bool) -> Self {
        let sequences = u64::from(options.sequences.max(1));
        let asked = options.context_length.filter(|length| *length > 0).unwrap_or(trained);
        let batch = u64::from(options.batch);
        // A batch of a causal model may not be longer than the context.
        let batch = if is_causal { batch.min(asked) } else { batch };
        let micro_batch = batch.min(u64::from(options.micro_batch));
        let rounded = padded(asked);
        let of_sequence = if options.unified { rounded } else { padded(rounded / sequences) };
        let total = if options.unified { rounded } else { of_sequence.saturating_mul(sequences) };
        Self { total, of_sequence, sequences, streams: if options.unified { 1 } else { sequences }, batch, micro_batch }
    }

    /// Whether llama.cpp can count the tokens of the context.
    pub fn is_countable(&self) -> bool {
        self.total <= LONGEST_CONTEXT
    }

    /// The cells of a cache whose layers see only a window of `length` tokens. A cell holds one token.
    pub fn window_cells(&self, length: u64) -> u64 {
        let sequences = if self.streams == 1 { self.sequences } else { 1 };
        padded(length.saturating_mul(sequences).saturating_add(self.micro_batch).min(self.of_sequence))
    }
}

/// A number of tokens, rounded up to a length that llama.cpp allows.
#[doc(hidden)]
pub fn padded(tokens: u64) -> u64 {
    tokens.checked_next_multiple_of(CONTEXT_STEP).unwrap_or(u64::MAX - u64::MAX % CONTEXT_STEP)
}
