//! Texts that are made to take long. In quadratic time, one of them would take minutes in a long run.

use gguf_models::tokenizer::{EncodeOptions, Tokenizer};

use crate::corpus;
use crate::long::in_long;
use crate::tokenizer::changed::with_entries;
use crate::tokenizer::ranges::assert_ranges;
use crate::tokenizer::vocabularies::{NAMES, header};

const PLAIN: EncodeOptions = EncodeOptions { add_special: false, parse_special: false };

/// What the texts repeat.
const REPEATED: [&str; 12] = ["A", "\n", "1", "'", "a ", "aB", "é", "\u{0}", "🦙", "ÉA", " \n ", "▁"];

/// A text of about `len` bytes.
fn repeated(part: &str, len: usize) -> String {
    part.repeat(len / part.len())
}

#[test]
fn many_times_one_character_is_tokenised_by_all_vocabularies() {
    let Some(folder) = corpus::folder() else { return };
    for name in NAMES {
        let tokenizer = Tokenizer::new(&header(&folder, name)).unwrap();
        let long = ["a", " ", "\u{378}"].map(|part| repeated(part, in_long(1 << 20, 1 << 17)));
        for text in long.into_iter().chain(REPEATED.map(|part| repeated(part, in_long(1 << 16, 1 << 14)))) {
            let tokens = tokenizer.tokenize(&text, EncodeOptions::default()).unwrap();
            assert_ranges(&tokens, &text);
        }
    }
}

#[test]
fn long_runs_are_split_by_all_rules() {
    let Some(folder) = corpus::folder() else { return };
    let gpt2 = header(&folder, "gpt-2");
    // One name for each of the rules.
    let names = [
        "default",
        "gpt-2",
        "starcoder",
        "falcon",
        "chameleon",
        "llama-bpe",
        "qwen2",
        "minicpm5",
        "qwen35",
        "jais-2",
        "bailingmoe",
        "seed-coder",
        "exaone-moe",
        "deepseek-llm",
        "deepseek-coder",
        "deepseek-v3",
        "afmoe",
        "youtu",
        "tiny_aya",
        "tekken",
        "gpt-4o",
        "granite-embed-multi-97m",
        "laguna",
        "kimi-k2",
        "superbpe",
        "bloom",
        "viking",
        "gemma4",
        "sarvam-moe",
    ];
    for name in names {
        let header = with_entries(&gpt2, &[("tokenizer.ggml.pre", Some(name.into()))]);
        let tokenizer = Tokenizer::new(&header).unwrap();
        let len = in_long(1 << 16, 1 << 14);
        let texts = [
            repeated(" ", len) + "a",
            repeated("\t\n", len) + "a",
            repeated("A", len) + "1",
            repeated("é", len / 2) + &repeated("A", len / 2),
            repeated("1", len) + "a",
            repeated("-", len),
            repeated("é\u{301}", len),
            repeated("一", len),
            repeated("a'", len),
            repeated(" a", len),
        ];
        for text in texts {
            tokenizer.encode(&text, PLAIN).unwrap();
        }
    }
}

#[test]
fn thousands_of_special_tokens_are_found() {
    let Some(folder) = corpus::folder() else { return };
    let text: String = (0..20_000).map(|number| format!("<{number}>")).collect();
    let specials: Vec<String> = (0..20_000).map(|number| format!("<{number}>")).collect();
    let tokenizer = Tokenizer::new(&with_tokens(&header(&folder, "gpt-2"), &specials)).unwrap();
    let tokens = tokenizer.tokenize(&text, EncodeOptions::default()).unwrap();
    assert_eq!(tokens.len(), 20_000);
    assert_ranges(&tokens, &text);
}

#[test]
fn special_tokens_that_contain_each_other_are_found() {
    let Some(folder) = corpus::folder() else { return };
    let gpt2 = header(&folder, "gpt-2");
    let runs: Vec<String> = (20..=600).map(|len| "a".repeat(len)).collect();
    let tokenizer = Tokenizer::new(&with_tokens(&gpt2, &runs)).unwrap();
    let first = 50_257;
    let text = repeated("a", 1_000_000);
    for parse_special in [true, false] {
        let options = EncodeOptions { add_special: false, parse_special };
        let tokens = tokenizer.tokenize(&text, options).unwrap();
        assert_ranges(&tokens, &text);
        assert_eq!(tokens[0].id == first + 580, parse_special);
    }
    // The longest token ends within each run of `a`, so all others that could end later begin with a byte that is taken.
    let long = format!("{}{}", repeated("b", 601), repeated("a", 300));
    let tokenizer = Tokenizer::new(&with_tokens(&gpt2, &[runs, vec![long.clone()]].concat())).unwrap();
    let text = format!("{long}{}", repeated("a", 300)).repeat(800);
    let tokens = tokenizer.tokenize(&text, EncodeOptions { add_special: false, parse_special: true }).unwrap();
    assert_ranges(&tokens, &text);
    let ids: Vec<u32> = tokens.iter().map(|token| token.id).collect();
    assert_eq!(ids, [first + 581, first + 280].repeat(800));
}

/// A header with the tokens of GPT-2, and control tokens after them.
fn with_tokens(header: &gguf_format::Header, added: &[String]) -> gguf_format::Header {
    use gguf_format::ValueType;
    use gguf_format::write::encode::OwnedValue;
    let tokens = header.get("tokenizer.ggml.tokens").unwrap().value().as_array().unwrap();
    let texts = tokens.iter().map(|token| token.as_str().unwrap().to_string());
    let texts: Vec<String> = texts.chain(added.iter().cloned()).collect();
    let types: Vec<i32> = (0..texts.len() as u64).map(|id| if id < tokens.len() { 1 } else { 3 }).collect();
    let texts = OwnedValue::array(ValueType::String, texts.iter().map(String::as_str));
    let types = OwnedValue::array(ValueType::Int32, types);
    with_entries(header, &[("tokenizer.ggml.tokens", Some(texts)), ("tokenizer.ggml.token_type", Some(types))])
}
