//! The input of the fuzz target `tokenizers`. The test with random inputs uses the same function.
//!
//! ```text
//! model    u8                the tokenizer: see `MODELS`
//! pre      u8                the pre-tokenizer: its place in the list of all
//! flags    u8                one bit for each entry of `FLAGS`, set or not; bit 7: the file has scores
//! ids      u8, u8            BOS and the unknown token
//! texts    lists of strings  tokens, then merges, the character map and the texts that are tokenised
//! ```
//!
//! A string is a byte and the bytes that follow: their number is the byte modulo 16. A list ends with the byte 255. The
//! first byte of a token is its type, modulo 8. If a token has two bytes or more, the second one is its score.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Format, ValueType, parse};
use gguf_models::tokenizer::{DecodeOptions, EncodeOptions, Tokenizer, pre_tokenizers};

use crate::gguf_bytes::GgufBytes;

const MODELS: [&str; 6] = ["gpt2", "llama", "bert", "t5", "gemma4", "rwkv"];

const FLAGS: [&str; 5] =
    ["add_bos_token", "add_eos_token", "add_space_prefix", "remove_extra_whitespaces", "add_sep_token"];

/// Takes strings from the beginning of an input.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 255 };
        self.0 = rest;
        *first
    }

    fn list(&mut self) -> Vec<&'a [u8]> {
        let mut list = Vec::new();
        loop {
            let first = self.byte();
            if first == 255 {
                return list;
            }
            let (text, rest) = self.0.split_at(usize::from(first % 16).min(self.0.len()));
            self.0 = rest;
            list.push(text);
        }
    }
}

/// Makes the tokenizer of an input and tokenises its texts. Asserts what is true for every vocabulary.
pub fn run(input: &[u8]) {
    let mut reader = Reader(input);
    let model = MODELS[usize::from(reader.byte()) % MODELS.len()];
    let pre = pre_tokenizers().nth(usize::from(reader.byte())).map_or("gpt-2", |pre| pre.name);
    let flags = reader.byte();
    let ids = [reader.byte(), reader.byte()];
    let tokens = reader.list();
    let merges = reader.list();
    let charsmap = reader.list().concat();
    let texts: Vec<String> = reader.list().iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();

    let strings = |texts: Vec<&[u8]>| {
        let elements = texts.into_iter().map(|text| OwnedValue::String(text.to_vec())).collect();
        OwnedValue::Array { element_type: ValueType::String, elements }
    };
    let first = |token: &&[u8]| i32::from(token.first().copied().unwrap_or(1) % 8);
    let second = |token: &&[u8]| -f32::from(token.get(1).copied().unwrap_or(0));
    let mut entries: Vec<(&str, OwnedValue)> = vec![
        ("model", model.into()),
        ("pre", pre.into()),
        ("token_type", OwnedValue::array(ValueType::Int32, tokens.iter().map(first))),
        ("bos_token_id", u32::from(ids[0]).into()),
        ("unknown_token_id", u32::from(ids[1]).into()),
        ("precompiled_charsmap", OwnedValue::array(ValueType::Uint8, charsmap)),
        ("merges", strings(merges)),
    ];
    if flags & 0x80 != 0 {
        entries.push(("scores", OwnedValue::array(ValueType::Float32, tokens.iter().map(second))));
    }
    entries.extend(FLAGS.iter().enumerate().map(|(bit, key)| (*key, (flags >> bit & 1 != 0).into())));
    entries.push(("tokens", strings(tokens.iter().map(|token| token.get(1..).unwrap_or_default()).collect())));
    let mut file = GgufBytes::new(Format::default());
    file.header(0, entries.len() as u64);
    for (key, value) in &entries {
        file.entry(format!("tokenizer.ggml.{key}").as_bytes(), value);
    }
    let Ok(tokenizer) = Tokenizer::new(&parse(file.as_bytes()).unwrap()) else { return };
    for id in 0..=tokenizer.token_count() {
        assert_eq!(tokenizer.token(id).is_some(), id < tokenizer.token_count());
    }
    for text in texts.iter().map(String::as_str).chain([&*texts.concat()]) {
        for add_special in [false, true] {
            for parse_special in [false, true] {
                check(&tokenizer, text, EncodeOptions { add_special, parse_special });
            }
        }
    }
}

fn check(tokenizer: &Tokenizer, text: &str, options: EncodeOptions) {
    let ids = tokenizer.encode(text, options);
    let tokens = match tokenizer.tokenize(text, options) {
        Ok(tokens) => tokens,
        Err(error) => return assert_eq!(ids, Err(error)),
    };
    let ids = ids.unwrap();
    assert!(tokens.iter().map(|token| token.id).eq(ids.iter().copied()));
    let mut end = 0;
    for token in &tokens {
        assert!(token.range.start == end && token.range.end >= end, "{tokens:?}");
        end = token.range.end;
    }
    assert!(end == text.len() || end == 0, "{tokens:?} do not cover {text:?}");
    for set in [false, true] {
        assert!(tokenizer.decode(&ids, DecodeOptions { skip_special: set, remove_added: !set }).is_ok());
    }
}
