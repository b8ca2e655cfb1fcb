//! Tokenizers: a vocabulary that llama.cpp reads has no findings, and one change causes exactly one finding.

use gguf_format::ValueType;
use gguf_format::write::encode::OwnedValue;
use gguf_models::tokenizer::{pre_tokenizer, pre_tokenizers};
use gguf_models::validate::{Check, Severity};

use crate::corpus;
use crate::validate::models::{LlamaModel, assert_fix};
use crate::validate::validate_file;

fn strings(values: &[&str]) -> OwnedValue {
    OwnedValue::array(ValueType::String, values.iter().copied())
}

fn numbers(values: &[i32]) -> OwnedValue {
    OwnedValue::array(ValueType::Int32, values.iter().copied())
}

/// A model with this many tokens: `t0`, `t1` and so on. Its tensors fit.
fn with_tokens(count: u64, tokenizer: &str) -> LlamaModel {
    let names: Vec<_> = (0..count).map(|id| format!("t{id}")).collect();
    LlamaModel::new()
        .without_entry("tokenizer.ggml.scores")
        .without_entry("tokenizer.ggml.token_type")
        .entry("tokenizer.ggml.model", tokenizer)
        .entry("tokenizer.ggml.tokens", strings(&names.iter().map(String::as_str).collect::<Vec<_>>()))
        .tensor("token_embd.weight", &[64, count])
}

/// A model with a byte-pair tokenizer and 12 tokens.
fn with_byte_pairs(pre: &str) -> LlamaModel {
    with_tokens(12, "gpt2").entry("tokenizer.ggml.pre", pre).entry("tokenizer.ggml.merges", strings(&["t 0", "t 1"]))
}

#[test]
fn tokenizers_that_llama_cpp_has_are_accepted() {
    for tokenizer in ["llama", "bert", "t5", "rwkv", "plamo2"] {
        with_tokens(104, tokenizer).assert_no_findings();
    }
    for tokenizer in ["none", "no_vocab"] {
        let model = with_tokens(4, tokenizer).without_entry("tokenizer.ggml.tokens");
        model.number("vocab_size", 4u32).assert_no_findings();
    }
    for tokenizer in ["gpt2", "hybriddna", "whitespace", "gemma4"] {
        with_byte_pairs("default").entry("tokenizer.ggml.model", tokenizer).assert_no_findings();
    }
}

#[test]
fn a_missing_or_unknown_tokenizer_is_found() {
    let message = "the entry tokenizer.ggml.model is missing. Convert the model again.";
    LlamaModel::new().without_entry("tokenizer.ggml.model").assert_only(Check::NoTokenizer, message);
    let message = "the tokenizer is \"replit\", which is unknown, perhaps newer than llama.cpp b11549 (October 2026). \
                   Correct the name, or use the program that the model was made for.";
    LlamaModel::new().entry("tokenizer.ggml.model", "replit").assert_only(Check::UnknownTokenizer, message);
    // Other programs have tokenizers of their own, and an unknown architecture is theirs.
    let foreign = LlamaModel::of("my-own").entry("tokenizer.ggml.model", "replit").findings();
    assert_eq!(foreign.iter().map(|finding| finding.check).collect::<Vec<_>>(), [Check::UnknownArchitecture]);
    // A name ends at a NUL for llama.cpp.
    let findings = LlamaModel::new().entry("tokenizer.ggml.model", "llama\0x").findings();
    assert!(findings.iter().all(|finding| finding.check != Check::UnknownTokenizer), "{findings:?}");
    // A long name is cut off.
    let findings = LlamaModel::new().entry("tokenizer.ggml.model", &*"x".repeat(1000)).findings();
    assert!(matches!(&findings[..], [finding] if finding.message.len() < 300), "{findings:?}");
}

#[test]
fn entries_that_a_tokenizer_requires_are_found_if_they_are_missing() {
    let message = |key| format!("the entry {key} is missing. Convert the model again.");
    let tokens = "tokenizer.ggml.tokens";
    LlamaModel::new().without_entry(tokens).assert_only(Check::NoTokens, &message(tokens));
    let merges = "tokenizer.ggml.merges";
    with_byte_pairs("gpt-2").without_entry(merges).assert_only(Check::NoMerges, &message(merges));
    let gemma4 = with_byte_pairs("kimi-k2").without_entry(merges).entry("tokenizer.ggml.model", "gemma4");
    gemma4.assert_only(Check::NoMerges, &message(merges));
    with_byte_pairs("kimi-k2").without_entry(merges).assert_no_findings();
    LlamaModel::new().entry("tokenizer.ggml.pre", "no-such-rules").assert_no_findings();
}

#[test]
fn a_missing_or_unknown_pre_tokenizer_is_found() {
    let message = "the pre-tokenizer is \"llama9\", which is unknown, perhaps newer than llama.cpp b11549 (October 2026). \
                   Correct the name, or use the program that the model was made for.";
    with_byte_pairs("llama9").assert_only(Check::UnknownPreTokenizer, message);
    with_byte_pairs("llama9").entry("tokenizer.ggml.model", "gemma4").assert_no_findings();
    let message = "the entry tokenizer.ggml.pre is missing or empty. llama.cpp splits text by default rules, so answers \
                   may be worse. Set it to the name that llama.cpp has for the model, or convert the model again.";
    with_byte_pairs("").assert_only(Check::NoPreTokenizer, message);
    with_byte_pairs("").without_entry("tokenizer.ggml.pre").assert_only(Check::NoPreTokenizer, message);
}

/// llama.cpp's own tokenizer was run with each name of the list in the corpus.
#[test]
fn every_pre_tokenizer_of_llama_cpp_is_accepted() {
    assert!(pre_tokenizers().is_sorted_by(|a, b| a.name < b.name));
    for known in pre_tokenizers() {
        assert_eq!(pre_tokenizer(known.name.as_bytes()), Some(known));
    }
    let Some(folder) = corpus::folder() else { return };
    let cases = corpus::json(&folder.join("llama-cpp-2026-08/tokenizer/pre.json"));
    let mut count = 0;
    for (name, case) in cases["pre"].as_object().unwrap() {
        // llama.cpp accepts `whitespace`, and aborts at some texts.
        let is_accepted = case.get("error").is_none_or(|error| error == "aborts");
        if name != "-" {
            assert_eq!(pre_tokenizer(name.as_bytes()).is_some(), is_accepted, "{name}");
            count += u32::from(is_accepted);
        }
    }
    assert_eq!(count, 87);
}

#[test]
fn duplicate_tokens_are_found() {
    let of = |tokens: &[&str]| LlamaModel::new().entry("tokenizer.ggml.tokens", strings(tokens));
    let message = |count, second, first| {
        format!(
            "{count} of 4 tokens have the text of an earlier token, and llama.cpp aborts. The first one is token {second}, \
             which is the same as token {first}. Give each token a text of its own."
        )
    };
    let finding = of(&["<unk>", "<s>", "</s>", "<s>"]).assert_only(Check::DuplicateToken, &message(1, 3, 1));
    assert_eq!(finding.check.severity(), Severity::Error);
    assert!(finding.subject.is_some() && finding.offset.is_some());
    of(&["a", "b", "b", "a"]).assert_only(Check::DuplicateToken, &message(2, 2, 1));
    of(&["a", "a", "a", "a"]).assert_only(Check::DuplicateToken, &message(3, 1, 0));
    // A token ends at a NUL for llama.cpp.
    of(&["a\0b", "c", "d", "a"]).assert_only(Check::DuplicateToken, &message(1, 3, 0));
    of(&["a", "A", " a", "a "]).assert_no_findings();
}

#[test]
fn empty_tokens_are_found_and_are_no_duplicates() {
    let message = "2 of 4 tokens are empty. The first one is token 1. llama.cpp calls it [EMPTY_1].";
    let model = LlamaModel::new().entry("tokenizer.ggml.tokens", strings(&["<unk>", "", "</s>", ""]));
    let finding = model.assert_only(Check::EmptyToken, message);
    assert_eq!(finding.check.severity(), Severity::Info);
}

#[test]
fn unknown_token_types_are_found() {
    let of = |types: &[i32]| LlamaModel::new().entry("tokenizer.ggml.token_type", numbers(types));
    let message = "2 of 4 types are not one of 1 to 6. The first one is that of token 0. llama.cpp does not write the \
                   text of such tokens. Set them to 1 for normal text, or convert the model again.";
    of(&[0, 3, 3, 7]).assert_only(Check::UnknownTokenType, message);
    of(&[6, 5, 4, 2]).assert_no_findings();
}

#[test]
fn an_eos_token_with_the_type_of_normal_text_is_found() {
    let message = "token 2 is the EOS token, but its type is 1 (normal text), expected 3 (control). llama.cpp may not \
                   find this token in prompts, and may show its text in answers. Set the type to 3.";
    let types = numbers(&[2, 3, 1, 1]);
    let finding =
        LlamaModel::new().entry("tokenizer.ggml.token_type", types.clone()).assert_only(Check::NormalEosToken, message);
    assert_fix(&finding, "Set the type to control", false);
    // The EOS token of RWKV is normal text by design.
    LlamaModel::new()
        .entry("tokenizer.ggml.token_type", types)
        .entry("tokenizer.ggml.model", "rwkv")
        .assert_no_findings();
}

#[test]
fn merges_that_are_not_two_tokens_are_found() {
    let of = |merges: &[&str]| with_byte_pairs("gpt-2").entry("tokenizer.ggml.merges", strings(merges));
    let bad = ["", "a", "a ", " a", "a  b", "a b c"];
    let message = "6 of 7 merges are not two tokens with one space between them. The first one is merge 1. llama.cpp never \
                   applies them. Convert the model again.";
    of(&[&["Ġ t"][..], &bad].concat()).assert_only(Check::BadMerge, message);
    of(&["Ġ t", "\n \n", "é è"]).assert_no_findings();
    // Merges of other tokenizers are not read.
    LlamaModel::new().entry("tokenizer.ggml.merges", strings(&bad)).assert_no_findings();
}

#[test]
fn a_token_that_is_added_but_not_named_is_found() {
    let message = |name, key| {
        format!(
            "the tokenizer adds a {name} token to every text, but the file names no such token. llama.cpp aborts when it \
             reads text. Set tokenizer.ggml.{key}_token_id to the id of the token."
        )
    };
    let without = |model: LlamaModel, key: &str| model.without_entry(&format!("tokenizer.ggml.{key}_token_id"));
    let add_bos = "tokenizer.ggml.add_bos_token";
    // GLM-4 has no default for BOS.
    let glm4 = || without(with_byte_pairs("glm4"), "bos");
    let finding = glm4().entry(add_bos, true).assert_only(Check::NoSpecialToken, &message("BOS", "bos"));
    assert_fix(&finding, "Do not add the token", false);
    glm4().entry(add_bos, false).assert_no_findings();
    glm4().assert_no_findings();
    // The default of the others is token 11, which a smaller vocabulary does not have.
    let small = |pre: &str| {
        let model = with_tokens(4, "gpt2").entry("tokenizer.ggml.pre", pre);
        without(model.entry("tokenizer.ggml.merges", strings(&["t 0"])), "bos")
    };
    let finding = small("llama-bpe").assert_only(Check::NoSpecialToken, &message("BOS", "bos"));
    assert_eq!(finding.fix, None);
    small("qwen2").assert_no_findings();
    small("llama-bpe").entry(add_bos, false).assert_no_findings();
    // The rules of Gemma 4 add BOS whatever the flag says.
    let gemma4 = |model: LlamaModel| without(model.entry("tokenizer.ggml.model", "gemma4"), "bos");
    let finding = gemma4(with_byte_pairs("default").entry(add_bos, true))
        .assert_only(Check::NoSpecialToken, &message("BOS", "bos"));
    assert_eq!(finding.fix, None);
    gemma4(with_byte_pairs("default").entry(add_bos, false)).assert_only(Check::NoSpecialToken, &message("BOS", "bos"));
    // Unigram adds EOS, and has a default for it.
    without(with_tokens(4, "t5"), "eos").assert_no_findings();
    without(with_tokens(1, "t5").entry("tokenizer.ggml.bos_token_id", 0u32), "eos")
        .assert_only(Check::NoSpecialToken, &message("EOS", "eos"));
    without(with_tokens(4, "t5").entry(add_bos, true), "bos")
        .assert_only(Check::NoSpecialToken, &message("BOS", "bos"));
    // WordPiece puts a text between token 101 and token 102.
    without(with_tokens(103, "bert"), "bos").assert_no_findings();
    without(with_tokens(102, "bert"), "bos").assert_only(Check::NoSpecialToken, &message("separator", "seperator"));
    with_tokens(4, "bert").entry("tokenizer.ggml.seperator_token_id", 3u32).assert_no_findings();
}

#[test]
fn a_special_token_that_llama_cpp_takes_by_default_is_found() {
    let message = |name, key| {
        format!(
            "the entry tokenizer.ggml.{key}_token_id is missing, so llama.cpp takes token 11 as the {name} token. Add the \
             entry with the id of the right token."
        )
    };
    let without = |pre, key: &str| with_byte_pairs(pre).without_entry(&format!("tokenizer.ggml.{key}_token_id"));
    without("llama-bpe", "bos").assert_only(Check::DefaultSpecialToken, &message("BOS", "bos"));
    without("qwen2", "bos").assert_no_findings();
    without("qwen2", "eos").assert_only(Check::DefaultSpecialToken, &message("EOS", "eos"));
    // An embedding model writes no text.
    let embedding = without("qwen2", "eos").entry("llama.pooling_type", 1u32);
    embedding.assert_no_findings();
    LlamaModel::new().without_entry("tokenizer.ggml.eos_token_id").assert_no_findings();
}

#[test]
fn a_character_map_that_is_cut_off_is_found() {
    let of = |map: &[u8]| {
        let map = OwnedValue::array(ValueType::Uint8, map.iter().copied());
        with_tokens(4, "t5").entry("tokenizer.ggml.precompiled_charsmap", map)
    };
    let message = |found, needed| {
        format!(
            "the character map has {found} bytes, expected at least {needed}, and llama.cpp refuses the file. Download the \
             file again, or convert the model again."
        )
    };
    of(&[1, 0, 0]).assert_only(Check::BadCharacterMap, &message(3, 4));
    of(&[4, 0, 0, 0, 1, 2, 3, 4]).assert_only(Check::BadCharacterMap, &message(8, 9));
    of(&[4, 0, 0, 0, 1, 2, 3, 4, 0]).assert_no_findings();
    of(&[255; 8]).assert_only(Check::BadCharacterMap, &message(8, 0xffff_ffffu64 + 5));
}

#[test]
fn chat_templates_that_are_missing_or_empty_are_found() {
    let message = "the chat template is empty, so llama.cpp uses ChatML. Set it to the template of the original model, or \
                   remove the entry.";
    let template = "tokenizer.chat_template";
    let finding = LlamaModel::new().entry(template, "").assert_only(Check::EmptyChatTemplate, message);
    assert_fix(&finding, "Remove the entry", false);
    let message = "general.finetune says that the model follows instructions, but tokenizer.chat_template is missing. \
                   llama.cpp uses ChatML. Add the template of the original model.";
    for finetune in ["Instruct", "it", "chat-v2"] {
        let model = || LlamaModel::new().entry("general.finetune", finetune);
        model().assert_only(Check::NoChatTemplate, message);
        model().entry(template, "{{ messages }}").assert_no_findings();
        model().entry("llama.pooling_type", 1u32).assert_no_findings();
    }
    LlamaModel::new().entry("general.finetune", "Italian-base").assert_no_findings();
}

#[test]
fn real_vocabularies_have_no_findings() {
    let Some(folder) = corpus::folder() else { return };
    let mut count = 0;
    for part in ["files", "tokenizer"] {
        for entry in std::fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.starts_with("ggml-vocab-") {
                assert_eq!(validate_file(&corpus::read(&path)), [], "{name}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 7);
}
