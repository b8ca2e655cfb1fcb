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
    /// What the user can do.
    pub advice: &'static str,
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
    ($($(#[doc = $meaning:literal])+ $severity:ident $variant:ident = $code:literal, advice $advice:literal;)*) => {
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
            advice: $advice,
        },)*];
    };
}

// The documentation of a check is its meaning in the table.
checks! {
    /// The version is 1. llama.cpp dropped it in November 2023, and gguf-py never read it.
    Error Version1 = "version-1",
        advice "Save the file as version 3. The fix does so.";
    /// The version is 1 and the counts are 0, but the next bytes read as counts and lengths of 64 bits, which versions 2 and
    /// 3 have. The version is probably wrong. Readers see a file without entries.
    Error WrongVersion = "wrong-version",
        advice "Download the file again. If its source has the same bytes, the program that wrote it has a bug.";
    /// All numbers are big-endian, which the specification allows. The file is made for machines of this byte order.
    Info BigEndian = "big-endian",
        advice "Nothing, if the file is for such machines. Otherwise convert it with `npx gguf-wasm convert-endian`.";
    /// The file is big-endian, but its version is less than 3. Big-endian files exist since version 3.
    Warning BigEndianBeforeVersion3 = "big-endian-before-version-3",
        advice "Save the file as version 3.";

    /// A key is empty. The specification demands named segments, and llama.cpp refuses the file.
    Error EmptyKey = "empty-key",
        advice "Rename or remove the entry.";
    /// A key has more than 65,535 bytes, which the specification does not allow. llama.cpp and gguf-py read it.
    Warning LongKey = "long-key",
        advice "Rename the entry to a shorter key.";
    /// Two entries have the same key. llama.cpp refuses the file. Other readers take one of the two.
    Error DuplicateKey = "duplicate-key",
        advice "Rename or remove one of the two entries. The fix removes the later one.";
    /// A key does not consist of segments of `a` to `z`, digits and `_` with dots between them, as the specification demands.
    /// `-` is accepted, because the names of many architectures have it.
    Info UnusualKey = "unusual-key",
        advice "Rename the entry, unless a program looks for exactly this key.";
    /// A key, a tensor name or a string is not UTF-8, which the specification demands. Readers that decode it lose bytes.
    Warning InvalidUtf8 = "invalid-utf8",
        advice "Set the text again. For tokens nothing is to be done: many vocabularies have tokens that are parts of characters.";
    /// A key, a tensor name or a string has control characters, or characters that turn or hide text. The text on the screen
    /// may differ from the text in the file.
    Info HiddenCharacters = "hidden-characters",
        advice "Look at the text with its escapes, and remove the characters if they have no purpose.";
    /// A value is an array of arrays, which the specification allows. llama.cpp refuses the file, and gguf-py flattens it.
    Error NestedArray = "nested-array",
        advice "Write the value as one flat array, or remove the entry.";
    /// A `BOOL` is neither 0 nor 1, which the specification calls invalid. llama.cpp takes it as true.
    Warning OddBool = "odd-bool",
        advice "Set the value to true. The fix does so.";
    /// A value has a type that version 1 does not have.
    Error TypeOfLaterVersion = "type-of-later-version",
        advice "Save the file as version 2 or 3.";
    /// `general.alignment` is not a `UINT32`, or not a power of two. llama.cpp and gguf-py refuse the file.
    Error BadAlignment = "bad-alignment",
        advice "Set a `UINT32` that is a power of two, such as 32. If the data then has to move, write a new file.";
    /// `general.alignment` is a power of two, but not a multiple of 8, which the specification demands. llama.cpp reads the
    /// file.
    Warning UnusualAlignment = "unusual-alignment",
        advice "Write the file with an alignment of 32.";
    /// A key has a value of another type than the one that llama.cpp reads. llama.cpp reads the key of every model, or of every
    /// model of the architecture, and refuses the file.
    Error WrongType = "wrong-type",
        advice "Set the value with the type that the message names. The fix does so if the value fits.";
    /// A known key has a value of another type than llama.cpp and gguf-py use. llama.cpp does not read the key of every model, and
    /// probably loads the file. Readers may ignore the value.
    Warning UnexpectedType = "unexpected-type",
        advice "Set the value with the type that the message names. The fix does so if the value fits.";
    /// An array with one element for each token has fewer elements than there are tokens. llama.cpp refuses the file.
    Error VocabularyLength = "vocabulary-length",
        advice "Convert the model again. The vocabulary and this array do not belong together.";
    /// An array with one element for each token has more elements than there are tokens. llama.cpp ignores the last ones.
    Warning ElementsWithoutTokens = "elements-without-tokens",
        advice "Remove the elements after the last token. The fix does so.";
    /// The id of a special token is not in the vocabulary. llama.cpp uses its default instead.
    Warning TokenIdOutOfRange = "token-id-out-of-range",
        advice "Set the id of the right token, or remove the entry so that the default is meant.";
    /// The required entry `general.architecture` is missing. llama.cpp cannot load the model.
    Error NoArchitecture = "no-architecture",
        advice "Set `general.architecture` to the architecture of the model.";
    /// The entry `general.quantization_version` is missing, which is required if tensors are quantized. All readers accept
    /// this.
    Info NoQuantizationVersion = "no-quantization-version",
        advice "Set `general.quantization_version` to 2. The fix does so.";

    /// A tensor name has more than 64 bytes, which the specification does not allow. llama.cpp refuses the file.
    Error LongTensorName = "long-tensor-name",
        advice "Rename the tensor to a name of at most 63 bytes.";
    /// A tensor name has 64 bytes, which the specification allows. llama.cpp refuses the file, because ggml's
    /// `GGML_MAX_NAME` counts the NUL at the end.
    Error LongTensorNameForGgml = "long-tensor-name-for-ggml",
        advice "Rename the tensor to a name of at most 63 bytes.";
    /// Two tensors have the same name. llama.cpp refuses the file. Other readers take one of the two.
    Error DuplicateTensorName = "duplicate-tensor-name",
        advice "Rename one of the two tensors, or write the file again from its source.";
    /// Two tensor names differ only after a NUL, where names end for llama.cpp. It refuses the file.
    Error TensorNameSameUpToNul = "tensor-name-same-up-to-nul",
        advice "Rename one of the two tensors to a name without NUL.";
    /// A tensor has more dimensions than the specification and ggml (`GGML_MAX_DIMS`) allow.
    Error TooManyDimensions = "too-many-dimensions",
        advice "Write the tensor with at most 4 dimensions.";
    /// A tensor has no dimensions. llama.cpp takes it as one element.
    Info NoDimensions = "no-dimensions",
        advice "Nothing. A writer should give the tensor one dimension of 1.";
    /// A dimension is 2^63 or more, which is negative for ggml. llama.cpp refuses the file.
    Error NegativeDimension = "negative-dimension",
        advice "Download the file again: the header is damaged, or the program that wrote it has a bug.";
    /// A dimension is 0, so the tensor has no elements. llama.cpp has read such files since August 2026.
    Info ZeroSizedTensor = "zero-sized-tensor",
        advice "Nothing for new versions of llama.cpp. For older ones, write the file without the tensor.";
    /// The number of elements does not fit in 63 bits, or the size of the data not in 64. llama.cpp refuses the file.
    Error TensorTooLarge = "tensor-too-large",
        advice "Download the file again: the header is damaged, or the program that wrote it has a bug.";
    /// The tensor type is unknown, so the size of the data is unknown. It may be newer than llama.cpp b11549 (October 2026), which
    /// refuses the file.
    Warning UnknownTensorType = "unknown-tensor-type",
        advice "Use a newer version or the program that the file was made for, or convert the original model to a type of ggml.";
    /// The tensor type is that of another program, whose size explains where the tensors of the type lie. llama.cpp refuses the
    /// file.
    Warning ForeignTensorType = "foreign-tensor-type",
        advice "Use the program that the message names. For llama.cpp, get a file of the model with a type of ggml.";
    /// ggml removed the tensor type. llama.cpp refuses the file.
    Error RemovedTensorType = "removed-tensor-type",
        advice "Convert the original model again, or get a newer file of the model.";
    /// The rows of a tensor are not made of whole blocks. llama.cpp refuses the file.
    Error PartialBlock = "partial-block",
        advice "Use a tensor type whose blocks divide the length of a row, such as F16.";

    /// The data of a tensor would end beyond 2^64.
    Error OffsetTooLarge = "offset-too-large",
        advice "Download the file again: the header is damaged.";
    /// The offset of a tensor is not a multiple of the alignment, which the specification demands. llama.cpp refuses the file.
    Error UnalignedTensor = "unaligned-tensor",
        advice "Repack the data: write a new file, in which each tensor begins at a multiple of the alignment.";
    /// The data of two tensors overlaps. llama.cpp refuses the file.
    Error OverlappingTensors = "overlapping-tensors",
        advice "Write the file again from its source.";
    /// The data of tensors is in another order than the tensor infos, which the specification allows. llama.cpp refuses the
    /// file.
    Error TensorsOutOfOrder = "tensors-out-of-order",
        advice "Repack the data: write a new file, in which the data has the order of the tensor infos.";
    /// There are bytes before the data of a tensor that are not padding to the alignment, which the specification allows.
    /// llama.cpp refuses the file.
    Error Gap = "gap",
        advice "Repack the data: write a new file without gaps.";
    /// The file ends before the data of its tensors.
    Error Truncated = "truncated",
        advice "Download or copy the file again.";
    /// No tensor has data, and the file ends before its data section. llama.cpp refuses the file.
    Error NoDataSection = "no-data-section",
        advice "Append zeros up to the alignment, or write a new file.";
    /// The file ends without the padding to the alignment. llama.cpp reads some such files, and refuses others.
    Info MissingPadding = "missing-padding",
        advice "Append zeros up to the alignment if a reader refuses the file.";
    /// The header announces no tensors, but the file goes on after it. Readers ignore these bytes. The counts in the header
    /// may be wrong.
    Warning BytesWithoutTensors = "bytes-without-tensors",
        advice "Download the file again, or write it again from its source.";
    /// There are bytes after the data of all tensors. Readers ignore them.
    Info TrailingBytes = "trailing-bytes",
        advice "Nothing. A new file is written without them.";

    /// The architecture is not one of llama.cpp b11549 (October 2026), which refuses the file. A newer version, a fork or another program
    /// may load the model.
    Warning UnknownArchitecture = "unknown-architecture",
        advice "Correct the name if it is misspelt, or use a program or a version that knows the architecture.";
    /// An entry is missing that the architecture requires. llama.cpp refuses the file.
    Error MissingKey = "missing-key",
        advice "Set the key that the message names, or convert the original model again.";
    /// A tensor is missing that the architecture requires. llama.cpp refuses the file.
    Error MissingTensor = "missing-tensor",
        advice "Download the file again, or convert the original model again. A shard alone lacks the tensors of the others: open the whole set.";
    /// The experts of a block are separate tensors, as llama.cpp wrote them before April 2024. Today it looks for one tensor, which is all
    /// experts one after the other. llama.cpp refuses the file.
    Error SeparateExperts = "separate-experts",
        advice "Join the experts with `npx gguf-wasm merge --experts`. The new file has the same data.";
    /// `block_count` is not the number of blocks that the tensors have, or not in the range that llama.cpp loads. It refuses
    /// the file.
    Error BlockCount = "block-count",
        advice "Set `block_count` to the number of blocks that the file has, if no block is missing. The fix does so.";
    /// The number of attention heads is 0 in a model with attention. llama.cpp refuses the file.
    Error HeadCount = "head-count",
        advice "Set `attention.head_count` to the number that the configuration of the original model has.";
    /// The number of attention heads is not a multiple of the number of heads for keys and values. llama.cpp may load the model,
    /// and cannot run it.
    Warning UnevenHeads = "uneven-heads",
        advice "Correct `attention.head_count` or `attention.head_count_kv` by the configuration of the original model.";
    /// `rope.dimension_count` is not the length of a key, which the architecture demands. llama.cpp refuses the file.
    Error RopeDimensions = "rope-dimensions",
        advice "Set `rope.dimension_count` to the length of a key. The fix does so.";
    /// The number of experts is too large, or does not fit the number of experts that a token uses, or the groups of experts.
    /// llama.cpp refuses the file.
    Error ExpertCount = "expert-count",
        advice "Correct the numbers of experts by the configuration of the original model.";
    /// The file does not say how experts are chosen, and llama.cpp has no default for the architecture. It loads the file, and stops
    /// when it makes a context.
    Error NoGatingFunction = "no-gating-function",
        advice "Set `expert_gating_func` to the function of the original model: 1 for softmax, 2 for sigmoid. MiniMax-M2 and dots.llm1 have sigmoid.";
    /// An array with one number for each block has another length than `block_count`. llama.cpp refuses the file.
    Error BlockArrayLength = "block-array-length",
        advice "Set an array with one number for each block, or convert the original model again.";
    /// `rope.scaling.type` is not a name that llama.cpp knows: `none`, `linear`, `yarn` or `longrope`. It refuses the file.
    Error RopeScaling = "rope-scaling",
        advice "Set `rope.scaling.type` to `none`, `linear`, `yarn` or `longrope`.";
    /// A dimension of a tensor is not the one that the metadata gives. llama.cpp refuses the file.
    Error TensorShape = "tensor-shape",
        advice "Correct the key that the message names if it is wrong, or convert the original model again.";
    /// llama.cpp looks for no tensor of this name in models of the architecture. It counts the tensors of a model, and
    /// refuses the file.
    Error UnknownTensor = "unknown-tensor",
        advice "Rename the tensor if its name is misspelt, or write the file without it.";
    /// Numbers of the metadata do not fit each other as the architecture demands. llama.cpp refuses the file, or stops.
    Error UnmetCondition = "unmet-condition",
        advice "Correct the numbers that the message names, or convert the original model again.";
    /// llama.cpp divides by zero, or a number does not fit. It is not known what it does with the file.
    Warning Undecided = "undecided",
        advice "Correct the numbers that the message names.";

    /// The file is no model, or not a whole one. Only [`loads`](crate::validate::loads) says so.
    Info NotAModel = "not-a-model",
        advice "Nothing. Give the file to the program that such files are for, together with its model.";
    /// Ollama's converter wrote the model, and llama.cpp does not load it: it has tensors, keys or a name of the architecture that only
    /// Ollama knows, such as an encoder of images in the same file.
    Info OllamaLayout = "ollama-layout",
        advice "Nothing. Use Ollama, or get a file of the model that was made for llama.cpp.";
    /// `comfy.gguf.orig_shape.NAME` is no array of `INT32`, or has another number of elements than the tensor. ComfyUI-GGUF cannot give
    /// the tensor its shape.
    Error OriginalShape = "original-shape",
        advice "Set the dimensions of the tensor in the original model, the slowest one first.";
    /// `comfy.gguf.orig_shape.NAME` belongs to a tensor that the file does not have.
    Warning ShapeWithoutTensor = "shape-without-tensor",
        advice "Rename the entry if the tensor was renamed, or remove it. The fix removes it.";
    /// The tensors are those of a family of image models, and the file has metadata, but no `general.architecture` that names the
    /// family.
    Info UnnamedFamily = "unnamed-family",
        advice "Nothing. The fix sets `general.architecture` to the name that ComfyUI-GGUF has for the family.";
    /// Another key replaced this one. llama.cpp still reads it, or reads neither.
    Info DeprecatedKey = "deprecated-key",
        advice "Rename the entry to the key that replaced it. The fix does so.";
    /// llama.cpp does not read the key. It reads another one instead, which the file does not have.
    Warning UnreadKey = "unread-key",
        advice "Rename the entry to the key that llama.cpp reads. The fix does so.";
    /// A key that nobody knows looks like a known one: with another spelling, in a short form, or without its prefix. Readers do
    /// not find the value.
    Warning MisspeltKey = "misspelt-key",
        advice "Rename the entry to the key that the message names. The fix does so.";
    /// A key begins with the name of another architecture, and the file does not have the key of its own architecture. llama.cpp
    /// does not find the value.
    Warning OtherArchitectureKey = "other-architecture-key",
        advice "Rename the entry to the key of the file's own architecture. The fix does so.";

    /// `general.file_type` says another type than the tensors have. Programs show the wrong type. llama.cpp loads the file.
    Warning WrongFileType = "wrong-file-type",
        advice "Set `general.file_type` to the type that the tensors have. The fix does so.";
    /// llama.cpp removed the file type that `general.file_type` says. It loads the tensors if their types still exist.
    Warning RemovedFileType = "removed-file-type",
        advice "Set `general.file_type` to the type that the tensors have. The fix does so.";
    /// `general.file_type` is not one of the file types of llama.cpp b11549 (October 2026). It loads the file without a name for it.
    Info UnknownFileType = "unknown-file-type",
        advice "Set `general.file_type` to the type that the tensors have, unless a newer llama.cpp wrote it.";

    /// A shard lacks an entry that says its place in the set, or the number of tensors of the set. llama.cpp refuses the set.
    Error MissingShardKey = "missing-shard-key",
        advice "Split the original file again, for example with `npx gguf-wasm split`.";
    /// `split.no` is not less than `split.count`. llama.cpp refuses the set.
    Error ShardNumber = "shard-number",
        advice "Split the original file again, for example with `npx gguf-wasm split`.";
    /// A shard has more tensors than `split.tensors.count` announces for the whole set. llama.cpp refuses the set.
    Error ShardTensorCount = "shard-tensor-count",
        advice "Split the original file again, for example with `npx gguf-wasm split`.";
    /// The file has `split.no`, but not `split.count`. llama.cpp takes it as a whole file.
    Warning NoShardCount = "no-shard-count",
        advice "Set `split.count` if the file is a shard. Remove `split.no` if it is a whole file.";

    /// The name of the file says another encoding, size or kind than the file has, or a shard that the metadata does not
    /// say. People and programs choose files by names.
    Warning FileNameContradiction = "file-name-contradiction",
        advice "Rename the file. The message says what it contains.";
    /// The metadata says that the file is a shard, and the name says another place in the set, or none. llama.cpp finds shards by
    /// their names, and refuses the set.
    Error FileNameShard = "file-name-shard",
        advice "Rename the file to the name of its place in the set.";
    /// The name of the file does not follow the naming convention of the specification. Every program reads the file.
    Info UnconventionalFileName = "unconventional-file-name",
        advice "Rename the file if programs shall choose it by its name. `suggestFileName()` gives a name.";

    /// The entry `tokenizer.ggml.model` is missing. llama.cpp refuses the file.
    Error NoTokenizer = "no-tokenizer",
        advice "Convert the original model again, with the files of its tokenizer.";
    /// `tokenizer.ggml.model` names a tokenizer that llama.cpp b11549 (October 2026) does not have. It refuses the file. A newer version
    /// may load it.
    Warning UnknownTokenizer = "unknown-tokenizer",
        advice "Correct the name if it is misspelt, or use the program that the model was made for.";
    /// `tokenizer.ggml.pre` names rules that llama.cpp b11549 (October 2026) does not have. It refuses the file. A newer version may load
    /// it.
    Warning UnknownPreTokenizer = "unknown-pre-tokenizer",
        advice "Correct the name if it is misspelt, or use a newer llama.cpp.";
    /// The entry `tokenizer.ggml.pre` is missing, which byte-pair tokenizers need. llama.cpp splits text by default rules,
    /// which are wrong for most models.
    Warning NoPreTokenizer = "no-pre-tokenizer",
        advice "Set `tokenizer.ggml.pre` to the rules of the model, or get a newer file of the model.";
    /// The entry `tokenizer.ggml.tokens` is missing, but there is a tokenizer. llama.cpp refuses the file.
    Error NoTokens = "no-tokens",
        advice "Convert the original model again, with the files of its tokenizer.";
    /// The entry `tokenizer.ggml.merges` is missing, which byte-pair tokenizers need. llama.cpp refuses the file.
    Error NoMerges = "no-merges",
        advice "Convert the original model again, with the files of its tokenizer.";
    /// A merge is not two tokens with a space between them. llama.cpp never applies it.
    Warning BadMerge = "bad-merge",
        advice "Correct the merge, or convert the original model again.";
    /// Two tokens have the same text. llama.cpp aborts.
    Error DuplicateToken = "duplicate-token",
        advice "Give one of the two tokens another text, or convert the original model again.";
    /// A token is empty. llama.cpp gives it a text that no input has.
    Info EmptyToken = "empty-token",
        advice "Nothing, if the model never uses the token.";
    /// The type of a token is not one of 1 to 6. llama.cpp takes it as undefined, and does not write the token's text.
    Warning UnknownTokenType = "unknown-token-type",
        advice "Set the type of the token to one of 1 to 6: 1 is normal text, 3 is a control token.";
    /// The type of the EOS token is that of normal text. llama.cpp does not find such a token in prompts,
    /// except for some texts that it knows.
    Warning NormalEosToken = "normal-eos-token",
        advice "Set the type of the token to 3, a control token. The fix does so.";
    /// The tokenizer adds a token to every text, but the file does not say which one. llama.cpp aborts when it reads text.
    Error NoSpecialToken = "no-special-token",
        advice "Set the id of the token, or set the key that adds it to false.";
    /// The file does not say which token begins or ends a text. For byte-pair tokenizers, llama.cpp takes token 11.
    Warning DefaultSpecialToken = "default-special-token",
        advice "Set `tokenizer.ggml.bos_token_id` and `tokenizer.ggml.eos_token_id` by the configuration of the original model.";
    /// The character map of a Unigram tokenizer is cut off. llama.cpp refuses the file.
    Error BadCharacterMap = "bad-character-map",
        advice "Convert the original model again.";
    /// The chat template is empty. llama.cpp uses ChatML, which the model may not understand.
    Warning EmptyChatTemplate = "empty-chat-template",
        advice "Set the chat template of the original model, or remove the entry.";
    /// The model follows instructions, but has no chat template. llama.cpp uses ChatML, which the model may not understand.
    Info NoChatTemplate = "no-chat-template",
        advice "Set `tokenizer.chat_template` to the template of the original model.";
}
