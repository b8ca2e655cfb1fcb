//! What llama.cpp takes a token for because of its text or of the name of the model.

use super::error::TokenizerError;
use super::metadata;
use super::vocabulary::{Attributes, Vocabulary};
use gguf_format::format::header::Header;

/// Tokens that end an answer. llama.cpp takes them as control tokens, whatever their type is.
const ENDS: &[&str] = &[
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
    "<|ifm|im_end|>",
];

/// Tokens to fill in the middle. The first one that the vocabulary has is a control token, unless an entry names another.
const FILL_IN: &[(&[&str], &[&str])] = &[
    (
        &["tokenizer.ggml.fim_pre_token_id", "tokenizer.ggml.prefix_token_id"],
        &[
            "<|fim_prefix|>",
            "<fim-prefix>",
            "<fim_prefix>",
            "<｜fim▁begin｜>",
            "<PRE>",
            "▁<PRE>",
            "<|code_prefix|>",
            "<|prefix|>",
            "<|plamo:fim_prefix|>",
        ],
    ),
    (
        &["tokenizer.ggml.fim_suf_token_id", "tokenizer.ggml.suffix_token_id"],
        &[
            "<|fim_suffix|>",
            "<fim-suffix>",
            "<fim_suffix>",
            "<｜fim▁hole｜>",
            "<SUF>",
            "▁<SUF>",
            "<|code_suffix|>",
            "<|suffix|>",
            "<|plamo:fim_suffix|>",
        ],
    ),
    (
        &["tokenizer.ggml.fim_mid_token_id", "tokenizer.ggml.middle_token_id"],
        &[
            "<|fim_middle|>",
            "<fim-middle>",
            "<fim_middle>",
            "<｜fim▁end｜>",
            "<MID>",
            "▁<MID>",
            "<|code_middle|>",
            "<|middle|>",
            "<|plamo:fim_middle|>",
        ],
    ),
    (&["tokenizer.ggml.fim_pad_token_id"], &["<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"]),
    (&["tokenizer.ggml.fim_rep_token_id"], &["<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"]),
    (&["tokenizer.ggml.fim_sep_token_id"], &["<|file_sep|>", "<|plamo:file_separator|>"]),
];

/// Tokens of GPT-OSS that llama.cpp makes user-defined, so that they are found also without `parse_special`.
const USER_DEFINED: &[&str] = &["<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"];

/// Changes the attributes of tokens as llama.cpp does when it loads the vocabulary.
pub(super) fn detect(vocabulary: &mut Vocabulary, header: &Header) -> Result<(), TokenizerError> {
    for (keys, texts) in FILL_IN {
        let mut is_named = false;
        for key in *keys {
            is_named |= metadata::number(header, key)?.is_some_and(|id| id < vocabulary.len());
        }
        // If there are several, it is not defined which one llama.cpp takes.
        let first = texts.iter().filter_map(|text| vocabulary.texts.find(text.as_bytes())).min();
        if let (Some(id), false) = (first, is_named) {
            add(vocabulary, Some(id), Attributes::CONTROL);
        }
    }
    for text in ENDS {
        let id = vocabulary.texts.find(text.as_bytes());
        add(vocabulary, id, Attributes::CONTROL);
    }
    for text in USER_DEFINED {
        replace(vocabulary, text, Attributes::USER_DEFINED);
    }
    let has = |text: &str| vocabulary.texts.find(text.as_bytes()).is_some();
    let ends_with_text = has("<|tool_response>") || has("<|plamo:eos|>");
    let has_call = has("<|call|>") || has("<|calls|>");
    if has_call && (has("<|return|>") || has("<|flush|>")) {
        replace(vocabulary, "<|end|>", Attributes::USER_DEFINED);
    }
    // In these vocabularies `</s>` is a piece of text.
    if ends_with_text {
        replace(vocabulary, "</s>", Attributes::NORMAL);
    }
    Ok(())
}

/// Lets tokens take the white space beside them, in the models for which llama.cpp does it.
pub(super) fn strip(vocabulary: &mut Vocabulary, header: &Header) -> Result<(), TokenizerError> {
    let text = |key| metadata::text(header, key).map(Option::unwrap_or_default);
    let (name, pre, architecture) = (text("general.name")?, text("tokenizer.ggml.pre")?, text("general.architecture")?);
    let name = name.to_ascii_lowercase();
    let any = |text: &[u8], parts: &[&str]| {
        parts.iter().any(|part| text.windows(part.len()).any(|window| window == part.as_bytes()))
    };
    let mask = if any(&pre, &["jina-v2-de", "jina-v2-es", "jina-v2-code", "mmbert"])
        || any(&architecture, &["nomic-bert-moe", "jina-bert-v3"])
    {
        "<mask>"
    } else if any(&name, &["phi-3", "phi3"]) {
        return strip_phi3(vocabulary);
    } else if any(&name, &["modern-bert"]) {
        "[MASK]"
    } else {
        return Ok(());
    };
    let id = vocabulary.texts.find(mask.as_bytes());
    add(vocabulary, id, Attributes::STRIPS_BEFORE);
    Ok(())
}

/// Lets the special tokens of Phi-3 take the white space after them.
fn strip_phi3(vocabulary: &mut Vocabulary) -> Result<(), TokenizerError> {
    for attributes in &mut vocabulary.attributes {
        if attributes.has(Attributes::SPECIAL) {
            *attributes = attributes.and(Attributes::STRIPS_AFTER);
        }
    }
    for (text, strips) in [("</s>", true), ("<unk>", false), ("<s>", false), ("<|endoftext|>", false)] {
        let Some(id) = vocabulary.texts.find(text.as_bytes()) else {
            return Err(TokenizerError::BadVocabulary(alloc::format!(
                "the name of the model contains Phi-3, but there is no token {text}, and llama.cpp refuses the file. Change \
                 general.name if this is another model, or convert the model again."
            )));
        };
        let attributes = &mut vocabulary.attributes[id as usize];
        let without = attributes.without(Attributes::STRIPS_AFTER);
        *attributes = if strips { without.and(Attributes::STRIPS_AFTER) } else { without };
    }
    Ok(())
}

fn add(vocabulary: &mut Vocabulary, id: Option<u32>, added: Attributes) {
    if let Some(attributes) = id.and_then(|id| vocabulary.attributes.get_mut(id as usize)) {
        *attributes = attributes.and(added);
    }
}

fn replace(vocabulary: &mut Vocabulary, text: &str, by: Attributes) {
    if let Some(id) = vocabulary.texts.find(text.as_bytes()) {
        vocabulary.attributes[id as usize] = by;
    }
}
