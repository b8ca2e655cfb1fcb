//! The estimated size of a header while it arrives.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Decoder, Format, Progress, ValueType};

use crate::corpus;
use crate::gguf_bytes::GgufBytes;

/// A header as converters write it: tokens whose length grows, arrays of the same length, tensors.
fn model(tokenizer: &str, tokens: usize, merges: usize, tensors: usize) -> Vec<u8> {
    let strings = |count: usize, letters: fn(usize) -> usize| {
        OwnedValue::array(ValueType::String, (0..count).map(move |index| "x".repeat(letters(index))))
    };
    let mut entries: Vec<(&str, OwnedValue)> = vec![
        ("general.architecture", "llama".into()),
        ("tokenizer.ggml.model", tokenizer.into()),
        ("tokenizer.ggml.tokens", strings(tokens, |index| 2 + index.ilog2_or_zero() as usize / 3)),
    ];
    if tokenizer == "llama" {
        entries.push(("tokenizer.ggml.scores", OwnedValue::array(ValueType::Float32, vec![0f32; tokens])));
    }
    entries.push(("tokenizer.ggml.token_type", OwnedValue::array(ValueType::Int32, vec![1i32; tokens])));
    if merges > 0 {
        entries.push(("tokenizer.ggml.merges", strings(merges, |index| 3 + index.ilog2_or_zero() as usize / 3)));
    }
    entries.push(("tokenizer.ggml.bos_token_id", 1u32.into()));
    entries.push(("tokenizer.chat_template", "t".repeat(5000).as_str().into()));
    let mut file = GgufBytes::new(Format::default());
    file.header(tensors as u64, entries.len() as u64);
    for (key, value) in &entries {
        file.entry(key.as_bytes(), value);
    }
    for index in 0..tensors {
        file.tensor(format!("blk.{index}.ffn_down.weight").as_bytes(), &[64, 64], 0, 0);
    }
    file.into_bytes()
}

/// The length of the token at an index, in letters.
trait Ilog2OrZero {
    fn ilog2_or_zero(self) -> u32;
}

impl Ilog2OrZero for usize {
    fn ilog2_or_zero(self) -> u32 {
        self.checked_ilog2().unwrap_or(0)
    }
}

/// The estimate after each part of a file, divided by the size of its header.
fn estimates(file: &[u8], parts: usize) -> Vec<f64> {
    let mut decoder = Decoder::new();
    let mut shares = Vec::new();
    for part in file.chunks(file.len().div_ceil(parts)) {
        let progress = decoder.push(part).unwrap();
        let estimate = decoder.estimated_size();
        match progress {
            Progress::NeedMore { at_least } => {
                assert!(estimate >= decoder.bytes_read() + at_least, "{estimate} is less than is known to be needed");
            }
            Progress::Done { .. } => assert_eq!(estimate, file.len() as u64),
        }
        shares.push(estimate as f64 / file.len() as f64);
    }
    shares
}

#[test]
fn scores_and_types_are_expected_with_the_tokens() {
    let shares = estimates(&model("llama", 100_000, 0, 300), 20);
    assert!(shares.iter().all(|share| (0.8..1.1).contains(share)), "{shares:.3?}");
    assert!(shares[10..].iter().all(|share| (0.97..1.02).contains(share)), "{shares:.3?}");
}

#[test]
fn merges_are_expected_with_the_tokens() {
    let shares = estimates(&model("gpt2", 100_000, 99_000, 300), 20);
    assert!(shares.iter().all(|share| (0.8..1.1).contains(share)), "{shares:.3?}");
    assert!(shares[12..].iter().all(|share| (0.97..1.02).contains(share)), "{shares:.3?}");
}

#[test]
fn more_merges_than_tokens_are_known_when_they_begin() {
    let shares = estimates(&model("gpt2", 100_000, 220_000, 300), 20);
    assert!(shares.iter().all(|share| (0.5..1.1).contains(share)), "{shares:.3?}");
    assert!(shares[10..].iter().all(|share| (0.9..1.02).contains(share)), "{shares:.3?}");
}

#[test]
fn tensors_are_counted_from_the_start() {
    let shares = estimates(&model("none", 0, 0, 5000), 20);
    assert!(shares.iter().all(|share| (0.85..1.15).contains(share)), "{shares:.3?}");
}

#[test]
fn declared_counts_do_not_overflow_the_estimate() {
    let mut file = GgufBytes::new(Format::default());
    file.header(1 << 20, 1 << 20).key(b"tokenizer.ggml.tokens", ValueType::Array as u32);
    file.array(ValueType::String as u32, 1 << 26);
    let mut decoder = Decoder::new();
    for byte in file.as_bytes() {
        decoder.push(&[*byte]).unwrap();
        assert!(decoder.estimated_size() >= decoder.bytes_read());
    }
    assert!(decoder.estimated_size() > 1 << 29);
}

#[test]
fn the_estimate_covers_the_bytes_that_the_decoder_needs() {
    let Some(folder) = corpus::folder() else { return };
    for (name, file) in corpus::every_file(&folder) {
        let mut decoder = Decoder::new();
        for part in file.chunks(97) {
            let Ok(Progress::NeedMore { at_least }) = decoder.push(part) else { break };
            assert!(decoder.estimated_size() >= decoder.bytes_read() + at_least, "{name}");
        }
    }
}
