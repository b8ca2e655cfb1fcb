//! Tests of work that must grow linearly with the header: the bytes of the header that checks read.

use gguf_format::format::header_bytes::reads;
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, ValueType, parse};
use gguf_models::validate::{CHECKS, Check, MAX_TENSOR_FINDINGS, validate};

/// Eight times as many items may cause this many times the work. Pairs of items would cause 64 times.
const MOST_FOR_8_TIMES: u64 = 12;

fn assert_linear(few: u64, many: u64) {
    assert!(many <= few * MOST_FOR_8_TIMES, "{few} and {many} bytes");
}

#[test]
fn names_with_the_same_hash_are_not_compared_in_pairs() {
    let read = |items: u64, key: fn(u64) -> String| {
        let mut file = Encoder::new(Format::default());
        file.header(items, items);
        (0..items).for_each(|index| _ = file.kv(key(index).as_bytes(), &1u8.into()));
        for index in 0..items {
            // Tensors with an even index are all at offset 0. The others are listed in descending order of their offsets.
            let offset = if index % 2 == 0 { 0 } else { (items - index) * 32 };
            // The hash of a name ignores all bytes after a NUL.
            file.tensor_info(format!("t\0{index:05}").as_bytes(), &[64], 0, offset);
        }
        let header = parse(file.as_bytes()).unwrap();
        reads::during(|| {
            let findings = validate(&header, Some(1 << 40));
            assert!(findings.len() <= (MAX_TENSOR_FINDINGS + 1) * CHECKS.len());
        })
    };
    let names: [fn(u64) -> String; 3] =
        [|_| "the.same".into(), |index| format!("key.{index:05}"), |index| format!("same\0{index:05}")];
    for name in names {
        assert_linear(read(500, name), read(4_000, name));
    }
}

/// The tokens `"same\0…"` have the same hash and the same text.
#[test]
fn a_vocabulary_of_equal_tokens_has_one_finding_and_takes_linear_work() {
    let read = |count: u64| {
        let tokens = OwnedValue::array(ValueType::String, (0..count).map(|id| format!("same\0{id:05}")));
        let mut file = Encoder::new(Format::default());
        file.header(0, 3)
            .kv(b"general.architecture", &"llama".into())
            .kv(b"tokenizer.ggml.model", &"llama".into())
            .kv(b"tokenizer.ggml.tokens", &tokens);
        let header = parse(file.as_bytes()).unwrap();
        reads::during(|| {
            let findings = validate(&header, None);
            assert!(matches!(&findings[..], [finding] if finding.check == Check::DuplicateToken), "{findings:?}");
        })
    };
    assert_linear(read(500), read(4_000));
}
