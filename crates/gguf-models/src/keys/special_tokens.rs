//! Keys of the section `tokenizer.ggml` that name tokens with a special role by their id.

use super::row::keys;
use crate::text_table::TextTable;

pub(super) const KEYS: TextTable = keys! {
    /// Stands for the beginning of a text.
    "tokenizer.ggml.bos_token_id" UINT32 ALL "Beginning of sequence", is token_id;
    /// Stands before a text whose class or summary vector is read there.
    "tokenizer.ggml.cls_token_id" UINT32 LLAMA_CPP "Classification token",
        note "llama.cpp names it, but does not read it.", is token_id;
    /// Ends a message that waits for the result of a tool.
    "tokenizer.ggml.eom_token_id" UINT32 UPSTREAM "End of message", is token_id;
    /// Stands for the end of a text, where generation stops.
    "tokenizer.ggml.eos_token_id" UINT32 ALL "End of sequence", is token_id;
    /// Ends the turn of one speaker in a conversation.
    "tokenizer.ggml.eot_token_id" UINT32 UPSTREAM "End of turn", is token_id;
    /// Marks the place in code where the missing part is to be written.
    "tokenizer.ggml.fim_mid_token_id" UINT32 UPSTREAM "Fill-in-the-middle: middle", is token_id;
    /// Fills up examples of code completion to equal length.
    "tokenizer.ggml.fim_pad_token_id" UINT32 UPSTREAM "Fill-in-the-middle: padding", is token_id;
    /// Marks the code before the gap that is to be filled.
    "tokenizer.ggml.fim_pre_token_id" UINT32 UPSTREAM "Fill-in-the-middle: prefix", is token_id;
    /// Stands before the name of a repository in code completion.
    "tokenizer.ggml.fim_rep_token_id" UINT32 UPSTREAM "Fill-in-the-middle: repository", is token_id;
    /// Stands between the files of a repository in code completion.
    "tokenizer.ggml.fim_sep_token_id" UINT32 UPSTREAM "Fill-in-the-middle: file separator", is token_id;
    /// Marks the code after the gap that is to be filled.
    "tokenizer.ggml.fim_suf_token_id" UINT32 UPSTREAM "Fill-in-the-middle: suffix", is token_id;
    /// Replaces a hidden word that the model is to guess.
    "tokenizer.ggml.mask_token_id" UINT32 UPSTREAM "Mask token", is token_id;
    /// The old key for where the missing part of code is written.
    "tokenizer.ggml.middle_token_id" UINT32 UPSTREAM "Infill middle token",
        deprecated "tokenizer.ggml.fim_mid_token_id", is token_id;
    /// Fills up short texts so that several fit one batch.
    "tokenizer.ggml.padding_token_id" UINT32 ALL "Padding token", is token_id;
    /// The old key for the code before a gap.
    "tokenizer.ggml.prefix_token_id" UINT32 UPSTREAM "Infill prefix token",
        deprecated "tokenizer.ggml.fim_pre_token_id", is token_id;
    /// The specification's spelling of what stands between two texts; no program reads it.
    "tokenizer.ggml.separator_token_id" UINT32 SPEC "Separator token, as specified",
        deprecated "tokenizer.ggml.seperator_token_id",
        note "Every writer writes the misspelt seperator_token_id, and llama.cpp reads only that.", is token_id;
    /// Stands between two texts that belong together.
    "tokenizer.ggml.seperator_token_id" UINT32 UPSTREAM "Separator token",
        note "The specification spells it separator_token_id, which llama.cpp does not read.", is token_id;
    /// The old key for the code after a gap.
    "tokenizer.ggml.suffix_token_id" UINT32 UPSTREAM "Infill suffix token",
        deprecated "tokenizer.ggml.fim_suf_token_id", is token_id;
    /// Replaces text for which the vocabulary has no piece.
    "tokenizer.ggml.unknown_token_id" UINT32 ALL "Unknown token", is token_id;
};
