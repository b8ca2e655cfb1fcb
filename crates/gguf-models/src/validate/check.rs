//! All checks, in one table.

use gguf_declare::names;

names! {
    /// The severity of a finding.
    pub enum Severity {
        /// llama.cpp refuses the file, or the file breaks the specification so that readers get wrong data from it.
        Error = "error",
        /// llama.cpp loads the file, but something is probably wrong.
        Warning = "warning",
        /// Nothing is wrong, but it is worth knowing.
        Info = "info",
    }
}

/// A row of [`CHECKS`].
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// The check.
    pub check: Check,
    /// The stable name of the check, for programs: `duplicate-key`.
    pub code: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// What the check finds, and what readers do with such a file.
    pub meaning: &'static str,
}

impl Check {
    /// The row of the check in the table.
    pub const fn info(self) -> &'static CheckInfo {
        &CHECKS[self as usize]
    }

    /// The stable name of the check, for programs: `duplicate-key`.
    pub const fn code(self) -> &'static str {
        // `CODES`, not `CHECKS`: a program that reads only codes then does not contain the other texts of the table.
        Self::CODES[self as usize]
    }
}

macro_rules! checks {
    ($($(#[doc = $meaning:literal])+ $severity:ident $variant:ident = $code:literal;)*) => {
        /// A check of [`validate`](crate::validate::validate).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $($(#[doc = $meaning])+ $variant,)*
        }

        impl Check {
            /// The codes of all checks.
            pub const CODES: &'static [&'static str] = &[$($code),*];

            /// The severity of the check's findings.
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }
        }

        /// Every check, in the order of the enumeration.
        pub const CHECKS: &[CheckInfo] = &[$(CheckInfo {
            check: Check::$variant,
            code: $code,
            severity: Severity::$severity,
            meaning: concat!($($meaning),+).trim_ascii(),
        },)*];
    };
}

// The documentation of a check is its meaning in the table.
checks! {
    /// The version is 1. llama.cpp dropped it in November 2023, and gguf-py never read it.
    Error Version1 = "version-1";
    /// The version is 1 and the counts are 0, but the next bytes read as counts and lengths of 64 bits, which versions 2 and
    /// 3 have. The version is probably wrong. Readers see a file without entries.
    Error WrongVersion = "wrong-version";
    /// All numbers are big-endian, which the specification allows. The file is made for machines of this byte order.
    Info BigEndian = "big-endian";
    /// The file is big-endian, but its version is less than 3. Big-endian files exist since version 3.
    Warning BigEndianBeforeVersion3 = "big-endian-before-version-3";

    /// A key is empty. The specification demands named segments, and llama.cpp refuses the file.
    Error EmptyKey = "empty-key";
    /// A key has more than 65,535 bytes, which the specification does not allow. llama.cpp and gguf-py read it.
    Warning LongKey = "long-key";
    /// Two entries have the same key. llama.cpp refuses the file. Other readers take one of the two.
    Error DuplicateKey = "duplicate-key";
    /// A key does not consist of segments of `a` to `z`, digits and `_` with dots between them, as the specification demands.
    /// `-` is accepted, because the names of many architectures have it.
    Info UnusualKey = "unusual-key";
    /// A key, a tensor name or a string is not UTF-8, which the specification demands. Readers that decode it lose bytes.
    Warning InvalidUtf8 = "invalid-utf8";
    /// A key, a tensor name or a string has control characters, or characters that turn or hide text. The text on the screen
    /// may differ from the text in the file.
    Info HiddenCharacters = "hidden-characters";
    /// A value is an array of arrays, which the specification allows. llama.cpp refuses the file, and gguf-py flattens it.
    Error NestedArray = "nested-array";
    /// A `BOOL` is neither 0 nor 1, which the specification calls invalid. llama.cpp takes it as true.
    Warning OddBool = "odd-bool";
    /// A value has a type that version 1 does not have.
    Error TypeOfLaterVersion = "type-of-later-version";
    /// `general.alignment` is not a `UINT32`, or not a power of two. llama.cpp and gguf-py refuse the file.
    Error BadAlignment = "bad-alignment";
    /// `general.alignment` is a power of two, but not a multiple of 8, which the specification demands. llama.cpp reads the
    /// file.
    Warning UnusualAlignment = "unusual-alignment";
    /// A key has a value of another type than the one that llama.cpp reads. llama.cpp reads the key of every model, or of every
    /// model of the architecture, and refuses the file.
    Error WrongType = "wrong-type";
    /// A known key has a value of another type than llama.cpp and gguf-py use. llama.cpp does not read the key of every model, and
    /// probably loads the file. Readers may ignore the value.
    Warning UnexpectedType = "unexpected-type";
    /// An array with one element for each token has fewer elements than there are tokens. llama.cpp refuses the file.
    Error VocabularyLength = "vocabulary-length";
    /// An array with one element for each token has more elements than there are tokens. llama.cpp ignores the last ones.
    Warning ElementsWithoutTokens = "elements-without-tokens";
    /// The id of a special token is not in the vocabulary. llama.cpp uses its default instead.
    Warning TokenIdOutOfRange = "token-id-out-of-range";
    /// The required entry `general.architecture` is missing. llama.cpp cannot load the model.
    Error NoArchitecture = "no-architecture";
    /// The entry `general.quantization_version` is missing, which is required if tensors are quantized. All readers accept
    /// this.
    Info NoQuantizationVersion = "no-quantization-version";

    /// A tensor name has more than 64 bytes, which the specification does not allow. llama.cpp refuses the file.
    Error LongTensorName = "long-tensor-name";
    /// A tensor name has 64 bytes, which the specification allows. llama.cpp refuses the file, because ggml's
    /// `GGML_MAX_NAME` counts the NUL at the end.
    Error LongTensorNameForGgml = "long-tensor-name-for-ggml";
    /// Two tensors have the same name. llama.cpp refuses the file. Other readers take one of the two.
    Error DuplicateTensorName = "duplicate-tensor-name";
    /// Two tensor names differ only after a NUL, where names end for llama.cpp. It refuses the file.
    Error TensorNameSameUpToNul = "tensor-name-same-up-to-nul";
    /// A tensor has more dimensions than the specification and ggml (`GGML_MAX_DIMS`) allow.
    Error TooManyDimensions = "too-many-dimensions";
    /// A tensor has no dimensions. llama.cpp takes it as one element.
    Info NoDimensions = "no-dimensions";
    /// A dimension is 2^63 or more, which is negative for ggml. llama.cpp refuses the file.
    Error NegativeDimension = "negative-dimension";
    /// A dimension is 0, so the tensor has no elements. llama.cpp has read such files since August 2026.
    Info ZeroSizedTensor = "zero-sized-tensor";
    /// The number of elements does not fit in 63 bits, or the size of the data not in 64. llama.cpp refuses the file.
    Error TensorTooLarge = "tensor-too-large";
    /// ggml does not have the tensor type, so the size of the data is unknown. llama.cpp refuses the file.
    Error UnknownTensorType = "unknown-tensor-type";
    /// ggml removed the tensor type. llama.cpp refuses the file.
    Error RemovedTensorType = "removed-tensor-type";
    /// The rows of a tensor are not made of whole blocks. llama.cpp refuses the file.
    Error PartialBlock = "partial-block";

    /// The data of a tensor would end beyond 2^64.
    Error OffsetTooLarge = "offset-too-large";
    /// The offset of a tensor is not a multiple of the alignment, which the specification demands. llama.cpp refuses the file.
    Error UnalignedTensor = "unaligned-tensor";
    /// The data of two tensors overlaps. llama.cpp refuses the file.
    Error OverlappingTensors = "overlapping-tensors";
    /// The data of tensors is in another order than the tensor infos, which the specification allows. llama.cpp refuses the
    /// file.
    Error TensorsOutOfOrder = "tensors-out-of-order";
    /// There are bytes before the data of a tensor that are not padding to the alignment, which the specification allows.
    /// llama.cpp refuses the file.
    Error Gap = "gap";
    /// The file ends before the data of its tensors.
    Error Truncated = "truncated";
    /// No tensor has data, and the file ends before its data section. llama.cpp refuses the file.
    Error NoDataSection = "no-data-section";
    /// The file ends without the padding to the alignment. llama.cpp reads some such files, and refuses others.
    Info MissingPadding = "missing-padding";
    /// The header announces no tensors, but the file goes on after it. Readers ignore these bytes. The counts in the header
    /// may be wrong.
    Warning BytesWithoutTensors = "bytes-without-tensors";
    /// There are bytes after the data of all tensors. Readers ignore them.
    Info TrailingBytes = "trailing-bytes";

    /// The architecture is not one of llama.cpp's of August 2026, which refuses the file. Another program, a fork, or a newer
    /// version may load the model.
    Error UnknownArchitecture = "unknown-architecture";
    /// An entry is missing that the architecture requires. llama.cpp refuses the file.
    Error MissingKey = "missing-key";
    /// A tensor is missing that the architecture requires. llama.cpp refuses the file.
    Error MissingTensor = "missing-tensor";
    /// `block_count` is not the number of blocks that the tensors have, or not in the range that llama.cpp loads. It refuses
    /// the file.
    Error BlockCount = "block-count";
    /// The number of attention heads is 0 in a model with attention. llama.cpp refuses the file.
    Error HeadCount = "head-count";
    /// The number of attention heads is not a multiple of the number of heads for keys and values. llama.cpp may load the model,
    /// and cannot run it.
    Warning UnevenHeads = "uneven-heads";
    /// `rope.dimension_count` is not the length of a key, which the architecture demands. llama.cpp refuses the file.
    Error RopeDimensions = "rope-dimensions";
    /// The number of experts is too large, or does not fit the number of experts that a token uses, or the groups of experts.
    /// llama.cpp refuses the file.
    Error ExpertCount = "expert-count";
    /// An array with one number for each block has another length than `block_count`. llama.cpp refuses the file.
    Error BlockArrayLength = "block-array-length";
    /// `rope.scaling.type` is not a name that llama.cpp knows: `none`, `linear`, `yarn` or `longrope`. It refuses the file.
    Error RopeScaling = "rope-scaling";
    /// A dimension of a tensor is not the one that the metadata gives. llama.cpp refuses the file.
    Error TensorShape = "tensor-shape";
    /// llama.cpp looks for no tensor of this name in models of the architecture. It counts the tensors of a model, and
    /// refuses the file.
    Error UnknownTensor = "unknown-tensor";
    /// Numbers of the metadata do not fit each other as the architecture demands. llama.cpp refuses the file, or stops.
    Error UnmetCondition = "unmet-condition";
    /// llama.cpp divides by zero, or a number does not fit. It is not known what it does with the file.
    Warning Undecided = "undecided";

    /// The file is no model, or not a whole one. Only [`loads`](crate::validate::loads) says so.
    Info NotAModel = "not-a-model";
    /// Another key replaced this one. llama.cpp still reads it, or reads neither.
    Info DeprecatedKey = "deprecated-key";
    /// llama.cpp does not read the key. It reads another one instead, which the file does not have.
    Warning UnreadKey = "unread-key";
    /// A key that nobody knows looks like a known one: with another spelling, in a short form, or without its prefix. Readers do
    /// not find the value.
    Warning MisspeltKey = "misspelt-key";
    /// A key begins with the name of another architecture, and the file does not have the key of its own architecture. llama.cpp
    /// does not find the value.
    Warning OtherArchitectureKey = "other-architecture-key";

    /// `general.file_type` says another type than the tensors have. Programs show the wrong type. llama.cpp loads the file.
    Warning WrongFileType = "wrong-file-type";
    /// llama.cpp removed the file type that `general.file_type` says. It loads the tensors if their types still exist.
    Warning RemovedFileType = "removed-file-type";
    /// `general.file_type` is not one of the file types of llama.cpp of August 2026. It loads the file without a name for it.
    Info UnknownFileType = "unknown-file-type";

    /// A shard lacks an entry that says its place in the set, or the number of tensors of the set. llama.cpp refuses the set.
    Error MissingShardKey = "missing-shard-key";
    /// `split.no` is not less than `split.count`. llama.cpp refuses the set.
    Error ShardNumber = "shard-number";
    /// A shard has more tensors than `split.tensors.count` announces for the whole set. llama.cpp refuses the set.
    Error ShardTensorCount = "shard-tensor-count";
    /// The file has `split.no`, but not `split.count`. llama.cpp takes it as a whole file.
    Warning NoShardCount = "no-shard-count";

    /// The name of the file says another encoding, size or kind than the file has, or a shard that the metadata does not
    /// say. People and programs choose files by names.
    Warning FileNameContradiction = "file-name-contradiction";
    /// The metadata says that the file is a shard, and the name says another place in the set, or none. llama.cpp finds shards by
    /// their names, and refuses the set.
    Error FileNameShard = "file-name-shard";
    /// The name of the file does not follow the naming convention of the specification. Every program reads the file.
    Info UnconventionalFileName = "unconventional-file-name";

    /// The entry `tokenizer.ggml.model` is missing. llama.cpp refuses the file.
    Error NoTokenizer = "no-tokenizer";
    /// `tokenizer.ggml.model` names a tokenizer that llama.cpp of August 2026 does not have. It refuses the file.
    Error UnknownTokenizer = "unknown-tokenizer";
    /// `tokenizer.ggml.pre` names rules that llama.cpp of August 2026 does not have. It refuses the file.
    Error UnknownPreTokenizer = "unknown-pre-tokenizer";
    /// The entry `tokenizer.ggml.pre` is missing, which byte-pair tokenizers need. llama.cpp splits text by default rules,
    /// which are wrong for most models.
    Warning NoPreTokenizer = "no-pre-tokenizer";
    /// The entry `tokenizer.ggml.tokens` is missing, but there is a tokenizer. llama.cpp refuses the file.
    Error NoTokens = "no-tokens";
    /// The entry `tokenizer.ggml.merges` is missing, which byte-pair tokenizers need. llama.cpp refuses the file.
    Error NoMerges = "no-merges";
    /// A merge is not two tokens with a space between them. llama.cpp never applies it.
    Warning BadMerge = "bad-merge";
    /// Two tokens have the same text. llama.cpp aborts.
    Error DuplicateToken = "duplicate-token";
    /// A token is empty. llama.cpp gives it a text that no input has.
    Info EmptyToken = "empty-token";
    /// The type of a token is not one of 1 to 6. llama.cpp takes it as undefined, and does not write the token's text.
    Warning UnknownTokenType = "unknown-token-type";
    /// The type of the EOS token is that of normal text. llama.cpp does not find such a token in prompts,
    /// except for some texts that it knows.
    Warning NormalEosToken = "normal-eos-token";
    /// The tokenizer adds a token to every text, but the file does not say which one. llama.cpp aborts when it reads text.
    Error NoSpecialToken = "no-special-token";
    /// The file does not say which token begins or ends a text. For byte-pair tokenizers, llama.cpp takes token 11.
    Warning DefaultSpecialToken = "default-special-token";
    /// The character map of a Unigram tokenizer is cut off. llama.cpp refuses the file.
    Error BadCharacterMap = "bad-character-map";
    /// The chat template is empty. llama.cpp uses ChatML, which the model may not understand.
    Warning EmptyChatTemplate = "empty-chat-template";
    /// The model follows instructions, but has no chat template. llama.cpp uses ChatML, which the model may not understand.
    Info NoChatTemplate = "no-chat-template";
}
