//! Expressions of real models.

use super::known::CHECK_TEXT;
use super::split::split;
use crate::budget::Budget;
use alloc::{string::String, vec::Vec};
use gguf_models::tokenizer::{Splitter, pre_tokenizer};
use serde_json::{Value, json};

const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const GPT_4O: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// The expressions are those that comments in llama.cpp's `src/llama-vocab.cpp` quote from `tokenizer.json` files.
#[test]
fn expressions_of_models_split_the_text_as_the_rules_with_their_name() {
    let budget = Budget::default();
    for (name, expressions) in [
        ("llama-bpe", &[LLAMA3][..]),
        (
            "qwen35",
            &[
                r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            ],
        ),
        (
            "bailingmoe",
            &[
                r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
            ],
        ),
        (
            "seed-coder",
            &[
                r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+",
            ],
        ),
        (
            "deepseek-v3",
            &[
                r"\p{N}{1,3}",
                "[一-龥぀-ゟ゠-ヿ]+",
                concat!(
                    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"##,
                    r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
                ),
            ],
        ),
    ] {
        let steps = expressions.iter().map(|expression| {
            json!({ "type": "Split", "pattern": { "Regex": expression }, "behavior": "Isolated", "invert": false })
        });
        let steps: Vec<Value> = steps.collect();
        let split =
            split(&json!({ "pre_tokenizer": { "type": "Sequence", "pretokenizers": steps } }), CHECK_TEXT, &budget);
        let words = split.unwrap().into_words();
        let own = Splitter::new(pre_tokenizer(name.as_bytes()).unwrap().rules).unwrap().ends_in_bytes(CHECK_TEXT);
        assert_eq!(words.text, CHECK_TEXT);
        assert_eq!(words.ends, own, "{name}");
    }
}

/// The words are those that the Python package regex finds.
#[test]
fn the_expression_of_gpt_4o_tells_upper_case_from_lower_case() {
    let text = "I've HELLOworld We'Ve a'lL 'RE កាន់តែ 12345 .../\n\n  x";
    let expected =
        ["I've", " HELLOworld", " We'Ve", " a'lL", " '", "RE", " កាន់តែ", " ", "123", "45", " .../\n\n", " ", " x"];
    let step = json!({ "type": "Split", "pattern": { "Regex": GPT_4O }, "behavior": "Isolated", "invert": false });
    let budget = Budget::default();
    let found = split(&json!({ "pre_tokenizer": step }), text, &budget).unwrap();
    let words: Vec<String> = found.words.iter().map(|word| found.text[word.clone()].iter().collect()).collect();
    assert_eq!(words, expected);
}
