//! Keys of the section `tokenizer`: the vocabulary, how text is cut into tokens, and chat templates.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// A Jinja program that turns a conversation into the text that the model expects.
    "tokenizer.chat_template" STRING ALL "Chat template";
    /// A further Jinja program for a special purpose, such as calling functions.
    "tokenizer.chat_template.{name}" STRING GGUF_PY "Named chat template";
    /// The list of the further Jinja programs in this file.
    "tokenizer.chat_templates" STRINGS GGUF_PY "Names of chat templates";
    /// Whether a start marker is put before every text.
    "tokenizer.ggml.add_bos_token" BOOL UPSTREAM "Add BOS token";
    /// Whether an end marker is put after every text.
    "tokenizer.ggml.add_eos_token" BOOL UPSTREAM "Add EOS token";
    /// Whether a marker is put between two texts that belong together.
    "tokenizer.ggml.add_sep_token" BOOL UPSTREAM "Add separator token";
    /// Whether text is treated as if it began with a blank.
    "tokenizer.ggml.add_space_prefix" BOOL UPSTREAM "Add leading space";
    /// The entries of the vocabulary that were appended after training.
    "tokenizer.ggml.added_tokens" STRINGS SPEC "Added tokens",
        note "llama.cpp does not read it. Added tokens have their type in tokenizer.ggml.token_type.";
    /// Pairs of pieces in the order in which byte-pair encoding joins them.
    "tokenizer.ggml.merges" STRINGS ALL "Merges";
    /// The algorithm that cuts text into pieces of the vocabulary.
    "tokenizer.ggml.model" STRING ALL "Tokenizer model", values TOKENIZERS,
        note "The specification names llama, replit, gpt2 and rwkv. llama.cpp refuses replit.";
    /// Whether text becomes small letters before it is cut into pieces.
    "tokenizer.ggml.normalizer.lowercase" BOOL UPSTREAM "Lowercase text";
    /// Whether marks above and below letters are removed before text is cut into pieces.
    "tokenizer.ggml.normalizer.strip_accents" BOOL UPSTREAM "Strip accents";
    /// The rules that split text into words before merging, known by a model's name.
    "tokenizer.ggml.pre" STRING UPSTREAM "Pre-tokenizer",
        note "llama.cpp refuses names that it does not know, and warns if the key is missing.";
    /// A SentencePiece table that replaces characters before text is cut into pieces.
    "tokenizer.ggml.precompiled_charsmap" BYTES UPSTREAM "Character map", unit "bytes";
    /// Whether several blanks in a row become one.
    "tokenizer.ggml.remove_extra_whitespaces" BOOL UPSTREAM "Remove extra spaces";
    /// How likely each piece is, so that the best way to cut text wins.
    "tokenizer.ggml.scores" FLOATS_OR_INT32 ALL "Token scores", is per_token;
    /// The ids that must never be generated.
    "tokenizer.ggml.suppress_tokens" INT32_ARRAY UPSTREAM "Suppressed tokens";
    /// The class of each vocabulary entry: text, control, byte and so on.
    "tokenizer.ggml.token_type" INT32_ARRAY ALL "Token types", values TOKEN_TYPES, is per_token;
    /// How many kinds of text segment BERT tells apart.
    "tokenizer.ggml.token_type_count" UINT32 UPSTREAM "Segment types";
    /// The vocabulary: the text of every entry, at the position of its id.
    "tokenizer.ggml.tokens" STRINGS ALL "Tokens";
    /// The whole file tokenizer.json, for programs that use the tokenizers library.
    "tokenizer.huggingface.json" STRING SPEC_GGUF_PY "Hugging Face tokenizer",
        note "llama.cpp names it, but does not read it.";
    /// The whole vocabulary file of the World models, as text.
    "tokenizer.rwkv.world" STRING SPEC_GGUF_PY "RWKV World vocabulary",
        note "llama.cpp names it, but does not read it.";
};
