//! A tokenizer takes at most 8 times the bytes of its vocabulary, whatever the vocabulary is. If the memory is not available, or
//! the vocabulary exceeds a limit, the tokenizer is refused.
//!
//! A custom allocator counts the memory of the thread of each test, and can refuse large allocations.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{ErrorCode, Header, ValueType, parse};
use gguf_models::tokenizer::{EncodeOptions, Tokenizer, TokenizerError};

use crate::counting_allocator::{Use, measured, with_room};
use crate::gguf_bytes::GgufBytes;

/// Smaller allocations are never refused.
const LARGE: usize = 1 << 14;

/// Bytes that every tokenizer takes, for example for its rules.
const CONSTANT: u64 = 128 << 10;

const MODELS: [&str; 5] = ["llama", "gpt2", "gemma4", "bert", "t5"];

/// The types of tokens: normal, control and user-defined.
const TYPES: [i32; 3] = [1, 3, 4];

fn strings<T: AsRef<[u8]>>(texts: &[T]) -> OwnedValue {
    let elements = texts.iter().map(|text| OwnedValue::String(text.as_ref().to_vec())).collect();
    OwnedValue::Array { element_type: ValueType::String, elements }
}

/// The header of a vocabulary whose tokens have one type. Without types if they are normal.
fn vocabulary(model: &str, tokens: &[Vec<u8>], token_type: i32, merges: &[Vec<u8>]) -> Header {
    let mut entries = vec![("model", model.into()), ("pre", "gpt-2".into()), ("tokens", strings(tokens))];
    if token_type != TYPES[0] {
        entries.push(("token_type", OwnedValue::array(ValueType::Int32, tokens.iter().map(|_| token_type))));
    }
    entries.push(("merges", strings(merges)));
    let mut file = GgufBytes::new(Default::default());
    file.header(0, entries.len() as u64);
    for (key, value) in &entries {
        file.entry(format!("tokenizer.ggml.{key}").as_bytes(), value);
    }
    parse(file.as_bytes()).unwrap()
}

/// The bytes of the entries of a vocabulary.
fn stored_bytes(header: &Header) -> u64 {
    header.metadata().map(|entry| entry.value_range().end - entry.value_range().start).sum()
}

/// Bytes in no order.
fn random_bytes(count: usize, len: usize) -> Vec<Vec<u8>> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8 | 1
    };
    let mut texts: Vec<Vec<u8>> = (0..count).map(|_| (0..len).map(|_| next()).collect()).collect();
    texts.sort();
    texts.dedup();
    texts
}

/// Vocabularies that are made to take much memory.
fn shapes() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let numbers = |count: u32| (0..count).map(|number| format!("{number:05}"));
    vec![
        (
            "many short tokens",
            (0..30_000u32)
                .map(|number| (number + (1 << 20)).to_be_bytes()[1..].to_vec())
                .map(|text| text.into_iter().map(|byte| byte.max(1)).collect())
                .collect::<std::collections::BTreeSet<Vec<u8>>>()
                .into_iter()
                .collect(),
        ),
        ("random tokens of 3 bytes", random_bytes(30_000, 3)),
        ("random tokens of 8 bytes", random_bytes(20_000, 8)),
        ("few giant tokens", random_bytes(3, 120_000)),
        ("giant tokens of one byte", vec![vec![b'a'; 200_000], vec![b'b'; 200_000]]),
        ("long common beginnings", numbers(1_500).map(|number| ("a".repeat(200) + &number).into_bytes()).collect()),
        ("long common ends", numbers(1_500).map(|number| (number + &"a".repeat(200)).into_bytes()).collect()),
        ("tokens that contain each other", (1..800).map(|len| vec![b'a'; len]).collect()),
    ]
}

#[test]
fn a_tokenizer_takes_at_most_8_times_the_bytes_of_its_vocabulary() {
    for (shape, tokens) in shapes() {
        for model in MODELS {
            for token_type in TYPES {
                let header = vocabulary(model, &tokens, token_type, &[]);
                let (tokenizer, Use { peak, .. }) = measured(|| Tokenizer::new(&header));
                assert_eq!(tokenizer.unwrap().token_count() as usize, tokens.len());
                let stored = stored_bytes(&header);
                println!("{shape}, {model}, type {token_type}: {:.2}", peak as f64 / stored as f64);
                assert!(
                    peak <= 8 * stored + CONSTANT,
                    "{shape}, {model}, type {token_type}: {peak} bytes for {stored}"
                );
            }
        }
    }
}

#[test]
fn merges_take_at_most_8_times_their_bytes() {
    let pair = |pair: &[u8]| [&pair[..pair.len() / 2], b" ", &pair[pair.len() / 2..]].concat();
    let without_spaces =
        |texts: Vec<Vec<u8>>| texts.into_iter().filter(|text| !text.contains(&b' ')).collect::<Vec<_>>();
    for len in [2, 3, 8, 1000] {
        let parts = without_spaces(random_bytes(200_000 / (8 + len), len));
        let merges: Vec<Vec<u8>> = parts.iter().map(|part| pair(part)).collect();
        for model in ["gpt2", "gemma4"] {
            let header = vocabulary(model, &[b"a".to_vec()], TYPES[0], &merges);
            let (tokenizer, Use { peak, .. }) = measured(|| Tokenizer::new(&header));
            assert!(tokenizer.is_ok());
            let stored = stored_bytes(&header);
            println!("{len}, {model}: {:.2}", peak as f64 / stored as f64);
            assert!(peak <= 8 * stored + CONSTANT, "{len}, {model}: {peak} bytes for {stored}");
        }
    }
}

/// Checks that a vocabulary is refused as too large, before memory is allocated for it.
fn assert_too_large(header: &Header, reason: &str) {
    let (tokenizer, Use { peak, .. }) = measured(|| Tokenizer::new(header));
    let error = tokenizer.err().unwrap();
    assert_eq!(error.code(), ErrorCode::TooLarge, "{error}");
    assert!(matches!(error, TokenizerError::VocabularyTooLarge(_)) && error.to_string().contains(reason), "{error}");
    assert!(peak < 4096, "{peak} bytes were allocated");
}

#[test]
fn a_vocabulary_above_the_limits_is_refused_before_memory_is_allocated() {
    let mebibytes = |count: usize| vec![b'a'; count << 20];
    assert_too_large(&vocabulary("gpt2", &[], TYPES[0], &[mebibytes(65)]), "expected at most 67108864");
    for model in MODELS {
        assert_too_large(&vocabulary(model, &[mebibytes(16)], TYPES[0], &[]), "expected at most 16777214");
    }
    // llama.cpp gives each empty token a text that is longer than the token in the file.
    assert_too_large(&vocabulary("bert", &vec![vec![]; 100_000], TYPES[0], &[]), "empty tokens");
    assert!(Tokenizer::new(&vocabulary("bert", &vec![vec![]; 10_000], TYPES[0], &[])).is_ok());
}

#[test]
fn memory_that_is_not_available_is_an_error() {
    let merges: Vec<Vec<u8>> = random_bytes(8_000, 4).iter().map(|part| [part, &b" x"[..]].concat()).collect();
    for model in MODELS {
        let header = vocabulary(model, &random_bytes(8_000, 6), TYPES[2], &merges);
        let (_, Use { peak: needed, .. }) = measured(|| Tokenizer::new(&header).is_ok());
        for allowed in (0..needed).step_by(LARGE) {
            let tokenizer = with_room(allowed, LARGE, || Tokenizer::new(&header));
            assert_eq!(tokenizer.err(), Some(TokenizerError::OutOfMemory), "{model}: {allowed} of {needed}");
        }
        let error = TokenizerError::OutOfMemory;
        assert!(error.code() == ErrorCode::TooLarge && error.to_string().contains("memory"));
    }
}

#[test]
fn the_steps_of_t5_for_tokens_that_contain_each_other_are_bounded() {
    let of_depth = |depth: usize| {
        let tokens: Vec<Vec<u8>> = (1..=depth).map(|len| vec![b'a'; len]).collect();
        Tokenizer::new(&vocabulary("t5", &tokens, TYPES[0], &[])).unwrap()
    };
    let plain = EncodeOptions { add_special: false, parse_special: false };
    let text = "a".repeat(20_000);
    assert!(of_depth(250).encode(&text, plain).is_ok());
    let deep = of_depth(600);
    let error = deep.encode(&text, plain).unwrap_err();
    assert_eq!((error.clone(), error.code()), (TokenizerError::TooManySteps(256), ErrorCode::TooLarge));
    assert!(error.to_string().contains("256 steps"), "{error}");
    // A short text has few tokens, whatever the vocabulary is.
    assert_eq!(deep.encode(&text[..256], plain).unwrap(), [255]);
    assert!(deep.encode(&"ab".repeat(10_000), plain).is_ok());
}
