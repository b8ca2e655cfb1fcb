//! Known keys with values of other types.

use gguf_format::ValueType;
use gguf_format::write::encode::OwnedValue;
use gguf_models::validate::{Check, Finding, Severity, validate};

use crate::validate::models::LlamaModel;
use crate::validate::test_file::TestFile;

#[test]
fn a_key_that_llama_cpp_reads_of_every_model_with_another_type_is_an_error() {
    assert_eq!(Check::WrongType.severity(), Severity::Error);
    TestFile::with(b"general.file_type", 7u32).assert_no_findings();
    let message = "the type is STRING, but llama.cpp reads only UINT32. Change the type of the value.";
    TestFile::with(b"general.file_type", "MOSTLY_Q8_0").assert_only_in_last_entry(Check::WrongType, message, 25);
    let message = "the type is UINT32, but llama.cpp reads only UINT16. Change the type of the value.";
    TestFile::with(b"split.count", 0u32).assert_only_in_last_entry(Check::WrongType, message, 19);
    let heads = OwnedValue::array(ValueType::Int32, [8i32, 4]);
    TestFile::with(b"gptj.attention.head_count_kv", heads).assert_no_findings();
    let message = "the type is INT16, but llama.cpp reads only UINT32 or INT32[] or UINT32[]. \
         Change the type of the value.";
    TestFile::with(b"gptj.attention.head_count_kv", 8i16).assert_only_in_last_entry(Check::WrongType, message, 36);
    let message = "the type is INT32, but llama.cpp reads only UINT32. Change the type of the value.";
    TestFile::with(b"tokenizer.ggml.bos_token_id", 1i32).assert_only_in_last_entry(Check::WrongType, message, 35);
    let message = "the type is UINT32[], but llama.cpp reads only INT32[]. Change the type of the value.";
    let types = OwnedValue::array(ValueType::Uint32, [1u32]);
    TestFile::with(b"tokenizer.ggml.token_type", types).assert_only_in_last_entry(Check::WrongType, message, 33);
    TestFile::with(b"tokenizer.ggml.scores", OwnedValue::array(ValueType::Int32, [1i32])).assert_no_findings();
}

#[test]
fn another_type_is_a_warning_if_llama_cpp_may_not_read_the_key() {
    assert_eq!(Check::UnexpectedType.severity(), Severity::Warning);
    let message = "the type is UINT32, but readers expect UINT16. Change the type of the value.";
    TestFile::with(b"split.count", 0u16).entry(b"split.no", 0u32).assert_only_in_last_entry(
        Check::UnexpectedType,
        message,
        16,
    );
    let message = "the type is UINT8[], but readers expect STRING[]. Change the type of the value.";
    let tags = OwnedValue::array(ValueType::Uint8, [1u8]);
    TestFile::with(b"general.tags", tags).assert_only_in_last_entry(Check::UnexpectedType, message, 20);
    TestFile::with(b"general.tags", OwnedValue::array(ValueType::Int32, [0i32; 0])).assert_no_findings();
    TestFile::with(b"nobody.knows", 8u64).assert_no_findings();
    // llama.cpp names this token, but does not read it. No vocabulary is read if the model says that it has none.
    TestFile::with(b"tokenizer.ggml.cls_token_id", 1i32).assert_only(Check::UnexpectedType);
    TestFile::with(b"tokenizer.ggml.bos_token_id", 1i32)
        .entry(b"tokenizer.ggml.model", "none")
        .assert_only(Check::UnexpectedType);
    // Merges are read for byte-pair encoding.
    let merges = || OwnedValue::array(ValueType::Uint8, [1u8]);
    TestFile::with(b"tokenizer.ggml.merges", merges()).assert_only(Check::UnexpectedType);
    TestFile::with(b"tokenizer.ggml.merges", merges())
        .entry(b"tokenizer.ggml.model", "gpt2")
        .assert_only(Check::WrongType);
}

#[test]
fn numbers_of_64_bits_are_converted() {
    let finding = LlamaModel::new().number("block_count", 2u64).assert_only(
        Check::WrongType,
        "the type is UINT64, as the specification says, but llama.cpp reads only UINT32. \
         Change the type of the value.",
    );
    let fix = finding.fix.unwrap();
    assert_eq!((&*fix.title, fix.is_safe), ("Convert to UINT32", true));
    // A key that only the architecture requires.
    let finding = LlamaModel::new().number("attention.layer_norm_rms_epsilon", 1e-5f64).assert_only(
        Check::WrongType,
        "the type is FLOAT64, but llama.cpp reads only FLOAT32. Change the type of the value.",
    );
    assert_eq!(finding.fix.unwrap().title, "Convert to FLOAT32");
    // The key of another architecture is not read.
    LlamaModel::new().entry("qwen2.block_count", 2u64).findings().iter().for_each(|finding| {
        assert_eq!(finding.check, Check::UnexpectedType);
    });
    // Nobody knows what another program reads.
    let other = LlamaModel::of("my-own").number("block_count", 2u64).findings();
    assert!(other.iter().all(|finding| finding.check != Check::WrongType), "{other:?}");
}

/// llama.cpp reads these keys of every model of the architecture, although it does not require them.
#[test]
fn types_of_optional_keys_are_wrong_if_the_architecture_reads_them() {
    let check = |architecture: &'static str, key: &str, value: OwnedValue| {
        wrong_type(LlamaModel::of(architecture).number(key, value).findings()).check
    };
    for (architecture, key) in [
        ("gemma2", "attention.sliding_window"),
        ("llama", "vocab_size"),
        ("deepseek2", "leading_dense_block_count"),
        ("glm4moe", "nextn_predict_layers"),
        ("gemma2", "attention.key_length"),
        ("deepseek2", "attention.key_length_mla"),
        ("deepseek2", "attention.value_length_mla"),
        ("llama", "rope.dimension_count"),
        ("llama", "expert_count"),
        ("qwen3moe", "expert_feed_forward_length"),
        ("deepseek2", "expert_shared_count"),
    ] {
        assert_eq!(check(architecture, key, 8u64.into()), Check::WrongType, "{architecture}.{key}");
    }
    for key in ["attn_logit_softcapping", "final_logit_softcapping", "rope.freq_base"] {
        assert_eq!(check("gemma2", key, 8.0f64.into()), Check::WrongType, "{key}");
    }
    assert_eq!(check("llama", "attention.sliding_window", 8u64.into()), Check::UnexpectedType);
    assert_eq!(check("qwen2", "leading_dense_block_count", 8u64.into()), Check::UnexpectedType);
    // The number of tokens is read if there is no other vocabulary.
    let model = || LlamaModel::of("qwen2").number("vocab_size", 4u64);
    assert_eq!(wrong_type(model().findings()).check, Check::UnexpectedType);
    assert_eq!(wrong_type(model().entry("tokenizer.ggml.model", "none").findings()).check, Check::WrongType);
}

fn wrong_type(findings: Vec<Finding>) -> Finding {
    let is_type = |finding: &Finding| matches!(finding.check, Check::WrongType | Check::UnexpectedType);
    findings.iter().find(|finding| is_type(finding)).unwrap_or_else(|| panic!("{findings:?}")).clone()
}

/// A safe conversion keeps every number. A number is no name, and a BOOL is no count.
#[test]
fn conversions_are_safe_only_if_nobody_needs_to_decide_anything() {
    let title = |key: &str, value: OwnedValue| {
        let finding = wrong_type(LlamaModel::new().entry(key, value).findings());
        finding.fix.map(|fix| (fix.title, fix.is_safe))
    };
    let safe = |title: &str| Some((title.to_owned(), true));
    let to_confirm = |title: &str| Some((title.to_owned(), false));
    assert_eq!(title("llama.block_count", 2i64.into()), safe("Convert to UINT32"));
    let types = OwnedValue::array(ValueType::Uint8, [2u8, 3, 3, 1]);
    assert_eq!(title("tokenizer.ggml.token_type", types), safe("Convert to INT32[]"));
    assert_eq!(title("llama.attention.layer_norm_rms_epsilon", 0.5f64.into()), safe("Convert to FLOAT32"));
    assert_eq!(title("llama.attention.layer_norm_rms_epsilon", 1e-5f64.into()), to_confirm("Convert to FLOAT32"));
    assert_eq!(title("llama.rope.freq_base", 10_000u32.into()), to_confirm("Convert to FLOAT32"));
    assert_eq!(title("llama.context_length", "512".into()), to_confirm("Convert to UINT32"));
    assert_eq!(title("tokenizer.ggml.add_bos_token", 1u8.into()), to_confirm("Convert to BOOL"));
    assert_eq!(title("llama.rope.dimension_count", true.into()), None);
    assert_eq!(title("tokenizer.ggml.tokens", OwnedValue::array(ValueType::Int32, [1i32, 2, 3, 4])), None);
    assert_eq!(title("tokenizer.ggml.model", 7u32.into()), None);
    assert_eq!(title("tokenizer.ggml.pre", 7u32.into()), None);
    assert_eq!(title("general.architecture", 7u32.into()), None);
    let map = OwnedValue::array(ValueType::Int32, [-1i32; 8]);
    let model = LlamaModel::new().entry("tokenizer.ggml.model", "t5");
    let header = model.entry("tokenizer.ggml.precompiled_charsmap", map).header();
    let fix = wrong_type(validate(&header, None)).fix;
    assert!(fix.is_none_or(|fix| !fix.is_safe));
}

#[test]
fn a_number_that_does_not_fit_is_to_be_set() {
    let finding = wrong_type(LlamaModel::new().number("context_length", 1u64 << 40).findings());
    assert_eq!(
        finding.message,
        "the type is UINT64, as the specification says, but llama.cpp reads only UINT32. \
         Set it to a number below 2^32."
    );
    assert_eq!(finding.fix, None);
}

/// Keys that only some tokenizers need, and labels that llama.cpp reads from arrays only.
#[test]
fn types_are_wrong_if_the_tokenizer_of_the_file_needs_the_key() {
    let check = |key: &'static str, tokenizer: &'static str, value: OwnedValue| {
        let file = TestFile::with(key.as_bytes(), value).entry(b"tokenizer.ggml.model", tokenizer);
        wrong_type(crate::validate::validate_file(&file.encode().0)).check
    };
    let bytes = || OwnedValue::array(ValueType::Uint8, [1u8]);
    for tokenizer in ["gpt2", "gemma4", "hybriddna", "whitespace"] {
        assert_eq!(check("tokenizer.ggml.merges", tokenizer, bytes()), Check::WrongType, "{tokenizer}");
    }
    assert_eq!(check("tokenizer.ggml.merges", "llama", bytes()), Check::UnexpectedType);
    let map = || OwnedValue::array(ValueType::Float32, [0.5f32]);
    assert_eq!(check("tokenizer.ggml.precompiled_charsmap", "t5", map()), Check::WrongType);
    assert_eq!(check("tokenizer.ggml.precompiled_charsmap", "llama", map()), Check::UnexpectedType);
    let labels = |value| wrong_type(LlamaModel::new().number("classifier.output_labels", value).findings()).check;
    assert_eq!(labels(bytes()), Check::WrongType);
    assert_eq!(labels("one".into()), Check::UnexpectedType);
}

/// llama.cpp reads the number from the text of the value, whatever its type.
#[test]
fn settings_of_samplers_may_be_any_numbers() {
    for value in [OwnedValue::from(40u32), 40u64.into(), 40.0f32.into(), 40i32.into()] {
        TestFile::with(b"general.sampling.top_k", value).assert_no_findings();
    }
    TestFile::with(b"general.sampling.temp", 1u8).assert_no_findings();
    TestFile::with(b"general.sampling.temp", true).assert_only(Check::UnexpectedType);
    TestFile::with(b"general.sampling.sequence", 1u8).assert_only(Check::UnexpectedType);
}
