//! What is looked for, in one table.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file breaks the specification, or cannot be read consistently.
    Error,
    /// The specification allows it, but llama.cpp refuses it, or something is likely to go wrong.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The stable name of the severity, for programs: `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A row of [`CHECKS`].
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// What is looked for.
    pub check: Check,
    /// The stable name of the check, for programs: `duplicate-key`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The message, with `{}` for what was found.
    pub(super) message: &'static str,
}

macro_rules! checks {
    ($($(#[$doc:meta])* $severity:ident $variant:ident = $code:literal, $message:literal;)*) => {
        /// What [`validate`](crate::validate) looks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $($(#[$doc])* $variant,)*
        }

        /// Every check, in the order of the enumeration.
        pub const CHECKS: &[CheckInfo] = &[$(
            CheckInfo { check: Check::$variant, code: $code, severity: Severity::$severity, message: $message },
        )*];
    };
}

impl Check {
    /// The row of the check in the table.
    pub const fn info(self) -> &'static CheckInfo {
        &CHECKS[self as usize]
    }

    /// The stable name of the check, for programs: `duplicate-key`.
    pub const fn code(self) -> &'static str {
        self.info().code
    }

    /// How bad it is.
    pub const fn severity(self) -> Severity {
        self.info().severity
    }
}

checks! {
    /// Version 1 of the format. llama.cpp dropped it in November 2023, and gguf-py never read it.
    Warning Version1 = "version-1", "version 1 of the format: llama.cpp no longer reads it";
    /// Every number is big-endian. llama.cpp refuses files of the byte order that is not the machine's.
    Info BigEndian = "big-endian", "big-endian: llama.cpp reads it on big-endian machines only";
    /// Big-endian files exist since version 3.
    Warning BigEndianBeforeVersion3 = "big-endian-before-version-3", "big-endian, which version {} of the format does not have";

    /// A key without a byte. The specification has named segments; llama.cpp refuses it.
    Error EmptyKey = "empty-key", "the key is empty";
    /// A key of more bytes than the specification allows.
    Error LongKey = "long-key", "the key has {} bytes: at most 65535 are allowed";
    /// Two entries of the same key. llama.cpp refuses them; other readers take either.
    Error DuplicateKey = "duplicate-key", "the same key as entry {}";
    /// A key that is not made of segments of `a` to `z`, digits and `_` between dots, as the specification asks. `-` is
    /// accepted, as the names of many architectures have it.
    Info UnusualKey = "unusual-key", "the key is not made of segments of a-z, 0-9, _ or - between dots";
    /// Bytes of text that are not UTF-8, as the specification asks. Readers that make text of them lose them.
    Warning InvalidUtf8 = "invalid-utf8", "not UTF-8: {}";
    /// Control characters, also those that turn or hide text, in a key, a name or a string. What is shown may not be
    /// what is stored.
    Info HiddenCharacters = "hidden-characters", "character U+{}, which does not show, at byte {}";
    /// An array of arrays, which the specification allows. llama.cpp refuses it, gguf-py flattens it.
    Warning NestedArray = "nested-array", "an array of arrays: llama.cpp refuses it";
    /// A `BOOL` other than 0 and 1, which the specification calls invalid. llama.cpp takes it as true.
    Warning OddBool = "odd-bool", "a BOOL is stored as {}: only 0 and 1 are allowed";
    /// A value type that version 1 of the format does not have.
    Error TypeOfLaterVersion = "type-of-later-version", "{}, which version 1 of the format does not have";
    /// A string that is longer than ggml takes: `GGUF_MAX_STRING_LENGTH`.
    Warning LongString = "long-string", "a string of {} bytes: llama.cpp takes at most 1073741824";
    /// An array that is longer than ggml takes: `GGUF_MAX_ARRAY_ELEMENTS`.
    Warning LongArray = "long-array", "an array of {} elements: llama.cpp takes at most 1073741824";
    /// `general.alignment` is not a `UINT32`, or not a power of two. llama.cpp and gguf-py refuse it.
    Error BadAlignment = "bad-alignment", "the alignment is {}: it must be a power of two stored as UINT32";
    /// `general.alignment` is a power of two, but not a multiple of 8 as the specification asks. llama.cpp takes it.
    Warning UnusualAlignment = "unusual-alignment", "the alignment is {}: it should be a multiple of 8";
    /// A known key has a value of another type than llama.cpp and gguf-py give it; llama.cpp throws for the keys that it
    /// uses.
    Warning WrongType = "wrong-type", "the value is {}: expected {}";
    /// An array that goes with `tokenizer.ggml.tokens` has another length. llama.cpp reads past its end, or refuses it.
    Warning VocabularyLength = "vocabulary-length", "{} elements for {} tokens";
    /// A special token's id that is not in the vocabulary. llama.cpp takes its default instead.
    Warning TokenIdOutOfRange = "token-id-out-of-range", "token {} of a vocabulary of {}";
    /// `general.architecture`, which is required, is not there. llama.cpp loads no model without it.
    Warning NoArchitecture = "no-architecture", "general.architecture is missing: llama.cpp loads no model without it";
    /// `general.quantization_version`, which is required where tensors are quantized, is not there. No reader misses it.
    Info NoQuantizationVersion = "no-quantization-version", "general.quantization_version is missing, although tensors are quantized";

    /// A tensor's name is longer than the specification allows. llama.cpp refuses it.
    Error LongTensorName = "long-tensor-name", "the name has {} bytes: at most 64 are allowed, and 63 in llama.cpp";
    /// A tensor's name is as long as the specification allows, and a byte too long for llama.cpp, whose
    /// `GGML_MAX_NAME` counts the NUL at its end.
    Warning LongTensorNameForGgml = "long-tensor-name-for-ggml", "the name has 64 bytes: llama.cpp takes at most 63";
    /// Two tensors of the same name. llama.cpp refuses them; other readers take either.
    Error DuplicateTensorName = "duplicate-tensor-name", "the same name as tensor {}";
    /// Two tensors whose names are the same up to a NUL, where names end for llama.cpp: it refuses them.
    Warning TensorNameSameUpToNul = "tensor-name-same-up-to-nul", "the same name up to a NUL as tensor {}: llama.cpp refuses it";
    /// More dimensions than the specification and ggml have: `GGML_MAX_DIMS`.
    Error TooManyDimensions = "too-many-dimensions", "{} dimensions: at most 4 are allowed";
    /// No dimensions. llama.cpp takes it for one element.
    Info NoDimensions = "no-dimensions", "no dimensions: taken for one element";
    /// An extent of 2^63 or more, which is negative for ggml: it refuses it.
    Error NegativeDimension = "negative-dimension", "dimension {} is {}: less than 2^63 is allowed";
    /// An extent of 0, so that there are no elements. llama.cpp accepts it since August 2026.
    Info ZeroSizedTensor = "zero-sized-tensor", "a dimension is 0: there are no elements";
    /// Elements or bytes that cannot be counted in 63 and 64 bits. llama.cpp refuses it.
    Error TensorTooLarge = "tensor-too-large", "the number of elements or bytes does not fit in 64 bits";
    /// A tensor type that ggml does not have: the data's size is unknown. llama.cpp refuses it.
    Error UnknownTensorType = "unknown-tensor-type", "type {} is unknown, and so is the size of the data";
    /// A tensor type that ggml had once. llama.cpp refuses it.
    Error RemovedTensorType = "removed-tensor-type", "type {} was removed from ggml";
    /// Rows that are not made of whole blocks. llama.cpp refuses it.
    Error PartialBlock = "partial-block", "rows of {} elements are not made of whole blocks of {}";

    /// The data would end beyond 2^64.
    Error OffsetTooLarge = "offset-too-large", "the data at offset {} of the data section would end beyond 2^64";
    /// The data does not begin at a multiple of the alignment, as the specification asks. llama.cpp refuses it.
    Error UnalignedTensor = "unaligned-tensor", "offset {} is not a multiple of the alignment, {}";
    /// Two tensors have bytes in common. llama.cpp refuses it.
    Error OverlappingTensors = "overlapping-tensors", "the first {} bytes are also those of {}";
    /// Tensors whose data is in another order than their infos, which the specification allows. llama.cpp refuses it.
    Warning TensorsOutOfOrder = "tensors-out-of-order", "offset {} lies before the end of the tensor listed before: llama.cpp refuses it";
    /// Bytes between tensors, or before the first, beyond the padding to the alignment, which the specification allows. llama.cpp
    /// refuses it.
    Warning Gap = "gap", "{} bytes before the data belong to no tensor: llama.cpp refuses the gap";
    /// The file ends before the data does.
    Error Truncated = "truncated", "the file has {} bytes and needs {}: {} missing{}";
    /// There is no data, and the file ends before the data section begins. llama.cpp refuses it.
    Warning NoDataSection =
        "no-data-section", "the file ends {} bytes before the data section: llama.cpp refuses it";
    /// The file ends without the padding to the alignment. llama.cpp runs some such files, and refuses others.
    Info MissingPadding = "missing-padding", "the file ends without its padding of {} bytes";
    /// Bytes after the data. Readers ignore them.
    Info TrailingBytes = "trailing-bytes", "the file goes on for {} bytes after the data";
}
