//! `loads`: whether llama.cpp loads a file, and the first reason why not.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Decoder, Endian, Format, Header, ValueType};
use gguf_models::validate::{Finding, LoadAnswer, Subject, described_loads, loads};

use crate::corpus;
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
    assert_eq!(answer(LlamaModel::of("my-own")), ("unknown", "unknown-architecture"));
    assert_eq!(answer(LlamaModel::of("gptj")), ("no", "not-a-model"));
    assert_eq!(answer(LlamaModel::new().tensor("blk.0.attn_q.bias", &[65])), ("no", "tensor-shape"));
    assert_eq!(answer(LlamaModel::new().tensor("rubbish", &[65])), ("no", "unknown-tensor"));
}

/// llama.cpp reads the keys, then the tokenizer, then the tensors, which it counts at the end.
#[test]
fn the_reason_is_the_first_that_llama_cpp_meets() {
    let rubbish = || LlamaModel::new().tensor("rubbish", &[65]);
    let shape = || rubbish().tensor("blk.0.attn_q.bias", &[65]);
    assert_eq!(answer(rubbish()), ("no", "unknown-tensor"));
    assert_eq!(answer(shape()), ("no", "tensor-shape"));
    assert_eq!(answer(shape().without_entry("tokenizer.ggml.tokens")), ("no", "no-tokens"));
    let missing = shape().without_entry("tokenizer.ggml.tokens").without_entry("llama.context_length");
    assert_eq!(answer(missing), ("no", "missing-key"));
    // llama.cpp can do without the number of heads until a tensor does not fit.
    let keys = LlamaModel::new().without_entry("llama.attention.head_count").without_entry("llama.embedding_length");
    let sentence = sentence(keys);
    assert!(sentence.contains("the entry llama.embedding_length is missing"), "{sentence}");
}

/// A later llama.cpp may know a name that this one refuses. It would refuse the file for any other error all the same.
#[test]
fn what_may_be_newer_than_the_rules_is_not_decided() {
    let tokenizer = || LlamaModel::new().entry("tokenizer.ggml.model", "nobody's");
    assert_eq!(answer(tokenizer()), ("unknown", "unknown-tokenizer"));
    assert_eq!(answer(tokenizer().tensor("blk.0.attn_q.bias", &[65])), ("no", "tensor-shape"));
    assert_eq!(answer(tokenizer().named("my-own")), ("unknown", "unknown-architecture"));
    let newer = sentence(tokenizer());
    let expected = "It is not known whether llama.cpp loads the file, because of the key \"tokenizer.ggml.model\": the tokenizer is \"nobody's\", \
                    which is unknown, perhaps newer than llama.cpp b11549 (October 2026).";
    assert!(newer.starts_with(expected), "{newer}");
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

/// A file with one tensor whose name tells nothing, or none.
fn of_no_kind(architecture: Option<&str>, tensors: u64) -> Header {
    let mut file = GgufBytes::new(Format::default());
    file.header(tensors, architecture.iter().count() as u64);
    if let Some(name) = architecture {
        file.entry(b"general.architecture", &name.into());
    }
    for _ in 0..tensors {
        file.string(b"weight").u32(1).count(8).u32(0).number(&0u64.to_le_bytes());
    }
    gguf_format::parse(&file.into_bytes()).unwrap()
}

#[test]
fn a_file_that_nothing_marks_as_a_model_has_the_first_reason_of_llama_cpp() {
    for (architecture, tensors, expected) in [
        (None, 0, ("no", "no-architecture")),
        (None, 1, ("no", "no-architecture")),
        (Some("banana"), 0, ("unknown", "unknown-architecture")),
        (Some("banana"), 1, ("unknown", "unknown-architecture")),
        (Some("llama"), 0, ("no", "missing-key")),
        (Some("gptj"), 0, ("no", "not-a-model")),
        (Some(""), 0, ("unknown", "unknown-architecture")),
    ] {
        let found = loads(&of_no_kind(architecture, tensors), None);
        let reason = found.reason.map_or("", |reason| reason.check.code());
        assert_eq!((found.answer.name(), reason), expected, "{architecture:?} {tensors}");
    }
    let sentence = |architecture| described_loads(&of_no_kind(architecture, 0).into(), None).sentence;
    assert_eq!(sentence(None), "llama.cpp does not load the file: the entry general.architecture is missing. Add it.");
    let unknown = sentence(Some(""));
    assert!(unknown.contains(r#"the architecture is "", which is unknown, perhaps newer"#), "{unknown}");
    assert!(unknown.ends_with("or a newer version."), "{unknown}");
    // A type that is not known says nothing, but llama.cpp does not read it.
    let typed = |model: LlamaModel| answer(model.entry("general.type", "fruit"));
    assert_eq!(typed(LlamaModel::new()), ("unknown", "not-a-model"));
    assert_eq!(typed(LlamaModel::new().without_tensor("token_embd.weight")), ("no", "missing-tensor"));
    assert_eq!(typed(LlamaModel::of("banana")), ("unknown", "unknown-architecture"));
}

/// The version of a big-endian file is too large for a machine that reads it as a little-endian number.
#[test]
fn a_big_endian_file_is_refused() {
    for (version, code) in [(3, "big-endian"), (2, "big-endian-before-version-3")] {
        let mut file = GgufBytes::new(Format { version, endian: Endian::Big });
        file.header(0, 1).entry(b"general.architecture", &"llama".into());
        let header = gguf_format::parse(&file.into_bytes()).unwrap();
        let found = loads(&header, None);
        assert_eq!((found.answer, found.reason.unwrap().check.code()), (LoadAnswer::No, code));
        let sentence = described_loads(&header.into(), None).sentence;
        assert!(sentence.starts_with("llama.cpp does not load the file: the file is big-endian"), "{sentence}");
    }
}

/// Most files of the corpus are for the format alone: they lack keys and tensors of a model, or are of another kind.
#[test]
fn only_whole_models_of_the_corpus_load() {
    let Some(folder) = corpus::folder() else { return };
    let mut loaded = Vec::new();
    for (name, file) in corpus::every_file(&folder) {
        let Ok(header) = gguf_format::parse(&file) else { continue };
        if loads(&header, Some(file.len() as u64)).answer == LoadAnswer::Yes {
            loaded.push(name);
        }
    }
    let whole = ["files/model-unsplit.gguf", "files/shards/tiny-merged.gguf", "real/all-MiniLM-L6-v2-Q4_K_M.gguf"];
    assert_eq!(loaded, whole);
}

/// The start of a sentence says that llama.cpp does not load the file.
#[test]
fn a_sentence_says_once_that_the_file_is_refused() {
    let whole = LlamaModel::new;
    for model in [
        whole().without_entry("llama.context_length"),
        whole().without_entry("tokenizer.ggml.tokens"),
        whole().without_tensor("output_norm.weight"),
        whole().tensor("rubbish", &[65]),
        whole().tensor("blk.0.attn_q.bias", &[65]),
        whole().number("rope.dimension_count", "x"),
    ] {
        let sentence = sentence(model);
        assert!(sentence.starts_with("llama.cpp does not load the file"), "{sentence}");
        assert!(!sentence.contains("refuses"), "{sentence}");
    }
}

#[test]
fn the_sentence_names_the_subject_that_the_message_does_not_name() {
    assert_eq!(sentence(LlamaModel::new()), "llama.cpp loads the file.");
    let shape = sentence(LlamaModel::new().tensor("blk.0.attn_q.bias", &[65]));
    assert!(
        shape.starts_with(
            "llama.cpp does not load the file, because of the tensor \"blk.0.attn_q.bias\": the tensor has 65"
        ),
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
