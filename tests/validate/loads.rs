//! `loads`: whether llama.cpp loads a file, and the first reason why not.

use gguf_wasm::validate::{Finding, LoadAnswer, Subject, described_loads, loads};
use gguf_wasm::write::encode::OwnedValue;
use gguf_wasm::{Decoder, Format, ValueType};

use crate::gguf_bytes::GgufBytes;
use crate::validate::models::LlamaModel;

/// The answer, and the code of the reason.
fn answer(model: LlamaModel) -> (&'static str, &'static str) {
    let header = model.header();
    let loads = loads(&header, None);
    assert_eq!(loads.reason.is_none(), loads.answer == LoadAnswer::Yes);
    (loads.answer.name(), loads.reason.map(|reason| reason.check.code()).unwrap_or_default())
}

fn sentence(model: LlamaModel) -> String {
    described_loads(&model.header().into(), None).sentence
}

#[test]
fn a_model_loads_or_has_a_reason() {
    assert_eq!(answer(LlamaModel::new()), ("yes", ""));
    assert_eq!(answer(LlamaModel::of("my-own")), ("no", "unknown-architecture"));
    assert_eq!(answer(LlamaModel::of("gptj")), ("no", "not-a-model"));
    assert_eq!(answer(LlamaModel::new().tensor("blk.0.attn_q.bias", &[65])), ("no", "tensor-shape"));
    assert_eq!(answer(LlamaModel::new().tensor("rubbish", &[65])), ("no", "unknown-tensor"));
}

/// llama.cpp reads the keys, then the tokenizer, then the tensors, which it counts at the end.
#[test]
fn the_reason_is_the_first_that_llama_cpp_meets() {
    let rubbish = || LlamaModel::new().tensor("rubbish", &[65]);
    let shape = || rubbish().tensor("blk.0.attn_q.bias", &[65]);
    let tokenizer = || shape().entry("tokenizer.ggml.model", "nobody's");
    assert_eq!(answer(rubbish()), ("no", "unknown-tensor"));
    assert_eq!(answer(shape()), ("no", "tensor-shape"));
    assert_eq!(answer(tokenizer()), ("no", "unknown-tokenizer"));
    assert_eq!(answer(tokenizer().without_entry("llama.context_length")), ("no", "missing-key"));
    assert_eq!(answer(tokenizer().named("my-own")), ("no", "unknown-architecture"));
    // llama.cpp can do without the number of heads until a tensor does not fit.
    let keys = LlamaModel::new().without_entry("llama.attention.head_count").without_entry("llama.embedding_length");
    let sentence = sentence(keys);
    assert!(sentence.contains("the entry llama.embedding_length is missing"), "{sentence}");
}

/// It is not known what llama.cpp does with a division by zero, but it refuses the file for its missing keys.
#[test]
fn an_error_decides_although_a_number_has_no_value() {
    let hybrid = LlamaModel::of("qwen35").number("full_attention_interval", 0u32);
    assert!(hybrid.findings().iter().any(|finding| finding.check.code() == "undecided"));
    assert_eq!(answer(hybrid).0, "no");
}

#[test]
fn a_header_that_is_not_complete_is_unknown() {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 2).entry(b"general.architecture", &"llama".into());
    let mut decoder = Decoder::new();
    decoder.push(file.as_bytes()).unwrap();
    let loads = loads(decoder.header(), None);
    assert_eq!(loads.answer, LoadAnswer::Unknown);
    assert!(loads.reason.unwrap().message.contains("not complete"));
}

#[test]
fn other_kinds_of_files_are_not_loaded_as_models() {
    let whole = || LlamaModel::new().entry("general.type", "adapter").entry("adapter.type", "lora");
    let adapter = || whole().without_tensor("token_embd.weight");
    assert_eq!(answer(adapter()), ("no", "not-a-model"));
    assert_eq!(
        sentence(adapter()),
        "llama.cpp does not load the file: it is not a language model (kind: Adapter). Give it to llama.cpp with --lora, \
         together with its model."
    );
    // llama.cpp does not read `general.type`.
    assert_eq!(answer(whole()), ("yes", ""));
    let shard =
        LlamaModel::new().entry("split.no", 0u16).entry("split.count", 2u16).entry("split.tensors.count", 40i32);
    assert_eq!(answer(shard), ("unknown", "not-a-model"));
}

#[test]
fn the_sentence_names_the_subject_that_the_message_does_not_name() {
    assert_eq!(sentence(LlamaModel::new()), "llama.cpp loads the file.");
    let shape = sentence(LlamaModel::new().tensor("blk.0.attn_q.bias", &[65]));
    assert!(
        shape.starts_with("llama.cpp does not load the file, because of blk.0.attn_q.bias: the tensor has 65"),
        "{shape}"
    );
    let missing = sentence(LlamaModel::new().without_entry("llama.context_length"));
    assert!(
        missing.starts_with("llama.cpp does not load the file: the entry llama.context_length is missing"),
        "{missing}"
    );
}

/// llama.cpp reads these lists into vectors, and the lists with a number for each block into arrays.
#[test]
fn lists_of_signed_numbers_have_any_length_and_no_booleans() {
    const KEY: &str = "eagle3.target_layers";
    let has_wrong_type = |layers: OwnedValue| {
        let model = LlamaModel::of("eagle3").entry(KEY, layers);
        let header = model.header();
        let index = header.get(KEY).unwrap().index();
        let is_it =
            |finding: &Finding| finding.check.code() == "wrong-type" && finding.subject == Some(Subject::Entry(index));
        model.findings().iter().any(is_it)
    };
    assert!(!has_wrong_type(OwnedValue::array(ValueType::Int32, [1i32, 2, 3])));
    assert!(!has_wrong_type(OwnedValue::array(ValueType::Int32, [1i32; 600])));
    assert!(!has_wrong_type(OwnedValue::array(ValueType::Uint32, [1u32, 2, 3])));
    assert!(has_wrong_type(OwnedValue::array(ValueType::Bool, [true, false, true])));
}
