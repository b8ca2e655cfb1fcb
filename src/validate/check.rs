//! What is looked for, in one table.

macro_rules! severity {
    (Error) => {
        "error"
    };
    (Warning) => {
        "warning"
    };
    (Info) => {
        "info"
    };
}

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
            Self::Error => severity!(Error),
            Self::Warning => severity!(Warning),
            Self::Info => severity!(Info),
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
}

macro_rules! checks {
    ($($(#[$doc:meta])* $severity:ident $variant:ident = $code:literal, $message:literal;)*) => {
        /// What [`validate`](crate::validate) looks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $($(#[$doc])* $variant,)*
        }

        impl Check {
            /// The codes of all checks.
            pub const CODES: &'static [&'static str] = &[$($code),*];
        }

        /// Every check, in the order of the enumeration.
        pub const CHECKS: &[CheckInfo] = &[$(
            CheckInfo { check: Check::$variant, code: $code, severity: Severity::$severity },
        )*];

        /// Three lines for each check: its severity, its code and what follows the code in its message. One text, because references to many cost
        /// the module more than what they say.
        pub(super) const LINES: &str = concat!($(severity!($severity), "\n", $code, "\n", $message, "\n",)*);
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

/// A line of [`LINES`].
#[inline(never)]
pub(crate) fn line(index: usize) -> &'static str {
    let (mut line, mut start) = (0, 0);
    for (at, byte) in LINES.bytes().enumerate() {
        if byte == b'\n' {
            if line == index {
                return LINES.get(start..at).unwrap_or_default();
            }
            line += 1;
            start = at + 1;
        }
    }
    ""
}

// Messages begin with the words of the code. How they go on is here: `#` is a number and `~` a character's in
// hexadecimal; `@` is types of values, or a number below 2^32. `%` is the s of a plural: nothing after a number that is 1.
checks! {
    /// Version 1 of the format. llama.cpp dropped it in November 2023, and gguf-py never read it.
    Warning Version1 = "version-1", ": llama.cpp no longer reads it";
    /// The version is 1 and nothing is announced, but the following bytes are counts and lengths of 64 bits, as versions 2 and
    /// 3 have them: the version is probably wrong. Readers see a file without entries.
    Warning WrongVersion = "wrong-version", ": the file says 1, but the bytes that follow read as version 2 or 3 (number of entries: #)";
    /// Every number is big-endian. llama.cpp refuses files of the byte order that is not the machine's.
    Info BigEndian = "big-endian", ": llama.cpp reads it on big-endian machines only";
    /// Big-endian files exist since version 3.
    Warning BigEndianBeforeVersion3 = "big-endian-before-version-3", ": version # has only little-endian files";

    /// A key without a byte. The specification has named segments; llama.cpp refuses it.
    Error EmptyKey = "empty-key", "";
    /// A key of more bytes than the specification allows.
    Error LongKey = "long-key", ": # byte%, at most 65535 are allowed";
    /// Two entries of the same key. llama.cpp refuses them; other readers take either.
    Error DuplicateKey = "duplicate-key", ": the same as entry #";
    /// A key that is not made of segments of `a` to `z`, digits and `_` between dots, as the specification asks. `-` is
    /// accepted, as the names of many architectures have it.
    Info UnusualKey = "unusual-key", ": other than a to z, 0 to 9, _ and - between dots";
    /// Bytes of text that are not UTF-8, as the specification asks. Readers that make text of them lose them.
    Warning InvalidUtf8 = "invalid-utf8", ": # of # text%";
    /// Control characters, also those that turn or hide text, in a key, a name or a string. What is shown may not be
    /// what is stored.
    Info HiddenCharacters = "hidden-characters", ": U+~ at byte #";
    /// An array of arrays, which the specification allows. llama.cpp refuses it, gguf-py flattens it.
    Warning NestedArray = "nested-array", ": llama.cpp refuses it";
    /// A `BOOL` other than 0 and 1, which the specification calls invalid. llama.cpp takes it as true.
    Warning OddBool = "odd-bool", ": #, only 0 and 1 are allowed";
    /// A value type that version 1 of the format does not have.
    Error TypeOfLaterVersion = "type-of-later-version", ": @, which version # does not have";
    /// `general.alignment` is not a `UINT32`, or not a power of two. llama.cpp and gguf-py refuse it.
    Error BadAlignment = "bad-alignment", ": @, only powers of two are allowed, as UINT32";
    /// `general.alignment` is a power of two, but not a multiple of 8 as the specification asks. llama.cpp takes it.
    Warning UnusualAlignment = "unusual-alignment", ": #, which is not a multiple of 8";
    /// A known key has a value of another type than llama.cpp and gguf-py give it; llama.cpp throws for the keys that it
    /// uses.
    Warning WrongType = "wrong-type", ": @, expected @";
    /// An array that goes with `tokenizer.ggml.tokens` has another length. llama.cpp reads past its end, or refuses it.
    Warning VocabularyLength = "vocabulary-length", ": # for # token%";
    /// A special token's id that is not in the vocabulary. llama.cpp takes its default instead.
    Warning TokenIdOutOfRange = "token-id-out-of-range", ": # for # token%";
    /// `general.architecture`, which is required, is not there. llama.cpp loads no model without it.
    Warning NoArchitecture = "no-architecture", ": general.architecture is missing, llama.cpp refuses it";
    /// `general.quantization_version`, which is required where tensors are quantized, is not there. No reader misses it.
    Info NoQuantizationVersion = "no-quantization-version", ": general.quantization_version is missing";

    /// A tensor's name is longer than the specification allows. llama.cpp refuses it.
    Error LongTensorName = "long-tensor-name", ": # byte%, at most 64 are allowed";
    /// A tensor's name is as long as the specification allows, and a byte too long for llama.cpp, whose
    /// `GGML_MAX_NAME` counts the NUL at its end.
    Warning LongTensorNameForGgml = "long-tensor-name-for-ggml", ": 64 bytes, llama.cpp refuses it";
    /// Two tensors of the same name. llama.cpp refuses them; other readers take either.
    Error DuplicateTensorName = "duplicate-tensor-name", ": the same as tensor #";
    /// Two tensors whose names are the same up to a NUL, where names end for llama.cpp: it refuses them.
    Warning TensorNameSameUpToNul = "tensor-name-same-up-to-nul", ": as tensor #, llama.cpp refuses it";
    /// More dimensions than the specification and ggml have: `GGML_MAX_DIMS`.
    Error TooManyDimensions = "too-many-dimensions", ": #, at most 4 are allowed";
    /// No dimensions. llama.cpp takes it for one element.
    Info NoDimensions = "no-dimensions", ": taken for one element";
    /// An extent of 2^63 or more, which is negative for ggml: it refuses it.
    Error NegativeDimension = "negative-dimension", ": dimension # is #, less than 2^63 is allowed";
    /// An extent of 0, so that there are no elements. llama.cpp accepts it since August 2026.
    Info ZeroSizedTensor = "zero-sized-tensor", "";
    /// Elements or bytes that cannot be counted in 63 and 64 bits. llama.cpp refuses it.
    Error TensorTooLarge = "tensor-too-large", ": the size does not fit in 64 bits";
    /// A tensor type that ggml does not have: the data's size is unknown. llama.cpp refuses it.
    Error UnknownTensorType = "unknown-tensor-type", ": #";
    /// A tensor type that ggml had once. llama.cpp refuses it.
    Error RemovedTensorType = "removed-tensor-type", ": #";
    /// Rows that are not made of whole blocks. llama.cpp refuses it.
    Error PartialBlock = "partial-block", ": rows of # for blocks of #";

    /// The data would end beyond 2^64.
    Error OffsetTooLarge = "offset-too-large", ": #, the data would end beyond 2^64";
    /// The data does not begin at a multiple of the alignment, as the specification asks. llama.cpp refuses it.
    Error UnalignedTensor = "unaligned-tensor", ": offset # for an alignment of #";
    /// Two tensors have bytes in common. llama.cpp refuses it.
    Error OverlappingTensors = "overlapping-tensors", ": it shares its first # byte% with tensor #";
    /// Tensors whose data is in another order than their infos, which the specification allows. llama.cpp refuses it.
    Warning TensorsOutOfOrder = "tensors-out-of-order", ": llama.cpp refuses it";
    /// Bytes between tensors, or before the first, beyond the padding to the alignment, which the specification allows.
    /// llama.cpp refuses it.
    Warning Gap = "gap", ": # byte%, llama.cpp refuses it";
    /// The file ends before the data does.
    Error Truncated = "truncated", ": # of # byte%";
    /// There is no data, and the file ends before the data section begins. llama.cpp refuses it.
    Warning NoDataSection = "no-data-section", ": # byte% missing, llama.cpp refuses it";
    /// The file ends without the padding to the alignment. llama.cpp runs some such files, and refuses others.
    Info MissingPadding = "missing-padding", ": # byte%";
    /// The header announces no tensors, but the file goes on after it. Readers ignore these bytes; the counts in the header may
    /// be wrong.
    Warning BytesWithoutTensors = "bytes-without-tensors", ": # byte% after a header that announces no tensors";
    /// Bytes after the data. Readers ignore them.
    Info TrailingBytes = "trailing-bytes", ": # byte%";
}
