//! `special_tokens` lists the tokens that the entries of a header name.

use std::collections::BTreeMap;

use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, Header, ValueType, parse};
use gguf_models::keys::keys;
use gguf_models::tokenizer::special_tokens;

use crate::corpus;

fn header(entries: &[(&str, OwnedValue)]) -> Header {
    let mut file = Encoder::new(Format::default());
    file.header(0, entries.len() as u64);
    entries.iter().for_each(|(key, value)| _ = file.kv(key.as_bytes(), value));
    parse(file.as_bytes()).unwrap()
}

/// The tokens of a header: role, id and text.
fn tokens(header: &Header) -> Vec<(&'static str, u64, Option<String>)> {
    let text = |text: gguf_format::Str<'_>| text.to_string();
    special_tokens(header).map(|token| (token.role, token.id, token.text.map(text))).collect()
}

#[test]
fn every_key_of_a_token_id_has_a_role() {
    let infos: Vec<_> = keys().filter(|info| info.is_token_id).collect();
    let key_of = |pattern: &str| pattern.replace("{arch}", "t5");
    let keys: Vec<_> = infos.iter().map(|info| key_of(info.pattern)).collect();
    let mut entries: Vec<_> = keys.iter().map(|key| (key.as_str(), 0_u32.into())).collect();
    entries.push(("general.architecture", "t5".into()));
    let header = header(&entries);
    let found: Vec<_> = special_tokens(&header).collect();
    assert_eq!(found.len(), infos.len());
    for (token, info) in found.iter().zip(infos) {
        let prefix = if token.role == "decoder_start" { "t5." } else { "tokenizer.ggml." };
        let key = token.entry.key().to_string();
        // Upstream's key of the separator is misspelt. Its role is not.
        assert_eq!(key.replace("seperator", "separator"), format!("{prefix}{}_token_id", token.role));
        assert_eq!(key, key_of(info.pattern));
        assert_eq!(token.key_info.pattern, info.pattern);
    }
}

#[test]
fn an_id_outside_of_the_vocabulary_has_no_text() {
    let vocabulary = OwnedValue::array(ValueType::String, ["<unk>", "<s>"]);
    let header = header(&[
        ("tokenizer.ggml.eos_token_id", 2_u32.into()),
        ("tokenizer.ggml.bos_token_id", 1_u32.into()),
        ("tokenizer.ggml.tokens", vocabulary),
        ("tokenizer.ggml.padding_token_id", u32::MAX.into()),
        ("tokenizer.ggml.unknown_token_id", u64::MAX.into()),
    ]);
    assert_eq!(
        tokens(&header),
        [
            ("bos", 1, Some("<s>".to_owned())),
            ("eos", 2, None),
            ("padding", u32::MAX.into(), None),
            ("unknown", u64::MAX, None),
        ]
    );
    assert_eq!(special_tokens(&header).next().unwrap().entry.index(), 1);
}

#[test]
fn values_that_are_no_ids_are_not_listed() {
    let header = header(&[
        ("tokenizer.ggml.bos_token_id", (-1_i32).into()),
        ("tokenizer.ggml.eos_token_id", "2".into()),
        ("tokenizer.ggml.padding_token_id", 0.5_f32.into()),
        ("tokenizer.ggml.unknown_token_id", OwnedValue::array(ValueType::Uint32, [0_u32])),
        ("tokenizer.ggml.my_token_id", 7_u32.into()),
        ("tokenizer.ggml.eot_token_id", 7_i16.into()),
    ]);
    assert_eq!(tokens(&header), [("eot", 7, None)]);
}

#[test]
fn a_vocabulary_of_another_type_has_no_texts() {
    for vocabulary in [OwnedValue::array(ValueType::Uint32, [1_u32, 2]), "text".into(), 3_u32.into()] {
        let header = header(&[("tokenizer.ggml.tokens", vocabulary), ("tokenizer.ggml.bos_token_id", 1_u32.into())]);
        assert_eq!(tokens(&header), [("bos", 1, None)]);
    }
    assert_eq!(tokens(&header(&[])), []);
}

#[test]
fn tokens_of_real_vocabularies() {
    let Some(folder) = corpus::folder() else { return };
    let found = |file: &str| {
        let header = parse(&corpus::read(&folder.join(file))).unwrap();
        let tokens = tokens(&header).into_iter().map(|(role, id, text)| (role, (id, text.unwrap())));
        tokens.collect::<BTreeMap<_, _>>()
    };
    let token = |id: u64, text: &str| (id, text.to_owned());
    let llama = found("files/ggml-vocab-llama-spm.gguf");
    assert_eq!((&llama["bos"], &llama["eos"]), (&token(1, "<s>"), &token(2, "</s>")));
    let bert = found("files/ggml-vocab-bert-bge.gguf");
    assert_eq!(bert["padding"], token(0, "[PAD]"));
    assert_eq!(bert["unknown"], token(100, "[UNK]"));
    assert_eq!(bert["separator"], token(102, "[SEP]"));
    let gpt2 = found("files/ggml-vocab-gpt-2.gguf");
    assert_eq!(gpt2["eos"], token(50256, "<|endoftext|>"));
    let mini_lm = found("real/all-MiniLM-L6-v2-Q4_K_M.gguf");
    assert_eq!(mini_lm["mask"], token(103, "[MASK]"));
}

#[test]
fn one_token_of_a_million_is_read_alone() {
    let vocabulary = OwnedValue::array(ValueType::String, (0..1_000_000).map(|id| format!("token {id}")));
    let header = header(&[("tokenizer.ggml.tokens", vocabulary), ("tokenizer.ggml.eos_token_id", 999_999_u32.into())]);
    // Reading all tokens each time takes minutes.
    for _ in 0..10_000 {
        let token = special_tokens(&header).next().unwrap();
        assert_eq!(token.text.unwrap(), "token 999999");
    }
}
