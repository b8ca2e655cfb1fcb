//! Text becomes tokens, and the tokens become the same text.

use gguf_models::tokenizer::{DecodeOptions, EncodeOptions, Tokenizer};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::corpus;
use crate::long::in_long;
use crate::tokenizer::ranges::assert_ranges;
use crate::tokenizer::vocabularies::{NAMES, header};

const PLAIN: EncodeOptions = EncodeOptions { add_special: false, parse_special: false };

const SKIP_SPECIAL: DecodeOptions = DecodeOptions { skip_special: true, remove_added: false };

/// The vocabularies that have a token for each byte, and keep all spaces when tokens become text. Refact has no token for 0xF1,
/// for example, and llama.cpp leaves out spaces before punctuation with the vocabulary of GPT-2.
const WITH_BYTES: [&str; 3] = ["llama-spm", "phi-3", "deepseek-coder"];

/// Random text: any characters, or those that pre-tokenizers treat differently.
fn text() -> impl Strategy<Value = String> {
    // The strings are drawn by character, since a pattern would need the whole of Unicode's tables.
    let common = proptest::sample::select(
        "aZ09 \n\t\r'.,!<|>_éß日本語한क्🦙\u{301}\u{200d}\u{a0}\u{3000}".chars().collect::<Vec<_>>(),
    );
    proptest::collection::vec(prop_oneof![3 => common, 1 => any::<char>()], 0..40)
        .prop_map(|characters| characters.into_iter().collect())
}

fn check(name: &str, test: impl Fn(&Tokenizer, String) -> Result<(), TestCaseError>) {
    let Some(folder) = corpus::folder() else { return };
    let tokenizer = Tokenizer::new(&header(&folder, name)).unwrap();
    let mut runner = TestRunner::new(ProptestConfig {
        cases: in_long(1000, 250),
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner.run(&text(), |text| test(&tokenizer, text)).unwrap_or_else(|error| panic!("{name}: {error}"));
}

#[test]
fn decoding_gives_the_text_back() {
    for name in WITH_BYTES {
        check(name, |tokenizer, text| {
            // In tokens of SentencePiece, this character is a space.
            let text = text.replace('\u{2581}', "_");
            let ids = tokenizer.encode(&text, PLAIN).unwrap();
            prop_assert_eq!(&tokenizer.decode_text(&ids, DecodeOptions::default()).unwrap(), &text);
            let ids = tokenizer.encode(&text, EncodeOptions { add_special: true, parse_special: false }).unwrap();
            // After BOS, the space that is put before the text stays.
            let space = if tokenizer.model() == "llama" && !text.is_empty() { " " } else { "" };
            for options in [SKIP_SPECIAL, DecodeOptions { skip_special: false, remove_added: true }] {
                prop_assert_eq!(tokenizer.decode_text(&ids, options).unwrap(), format!("{space}{text}"));
            }
            Ok(())
        });
    }
}

#[test]
fn ranges_cover_the_text_in_order() {
    for name in NAMES {
        check(name, |tokenizer, text| {
            for parse_special in [false, true] {
                for add_special in [false, true] {
                    let options = EncodeOptions { add_special, parse_special };
                    let tokens = tokenizer.tokenize(&text, options).unwrap();
                    assert_ranges(&tokens, &text);
                    let ids: Vec<u32> = tokens.iter().map(|token| token.id).collect();
                    prop_assert_eq!(ids, tokenizer.encode(&text, options).unwrap());
                }
            }
            Ok(())
        });
    }
}

#[test]
fn the_range_of_a_token_of_bytes_holds_its_text() {
    check("gpt-2", |tokenizer, text| {
        for token in tokenizer.tokenize(&text, PLAIN).unwrap() {
            prop_assert_eq!(&tokenizer.token(token.id).unwrap().bytes, &text.as_bytes()[token.range]);
        }
        Ok(())
    });
}

#[test]
fn ranges_of_real_texts() {
    let Some(folder) = corpus::folder() else { return };
    let parts = |name: &str, text: &str| {
        let tokenizer = Tokenizer::new(&header(&folder, name)).unwrap();
        let tokens = tokenizer.tokenize(text, EncodeOptions::default()).unwrap();
        tokens.into_iter().map(|token| text[token.range].to_owned()).collect::<Vec<_>>()
    };
    // BOS is added, and the space before the text is not part of it.
    assert_eq!(parts("llama-spm", "Hello world"), ["", "Hello", " world"]);
    assert_eq!(parts("llama-spm", "<s>Hello"), ["", "<s>", "Hello"]);
    assert_eq!(parts("gpt-2", "Hello<|endoftext|> x"), ["Hello", "<|endoftext|>", " x"]);
    assert_eq!(parts("bert-bge", "Hello  World\u{0}!"), ["", "Hello", "  World", "\u{0}!", ""]);
    // The replacement of a character can be several tokens. The text after the last token belongs to it.
    assert_eq!(parts("ugm", "Hello").concat(), "Hello");
    assert_eq!(parts("bert-bge", "Äpfel \n").concat(), "Äpfel \n");
    // Phi-3's special tokens take the white space after them; it counts to the next token.
    assert_eq!(parts("phi-3", "<|user|>\n Hi<|end|>\n").concat(), "<|user|>\n Hi<|end|>\n");
}

#[test]
fn tokens_of_the_vocabularies() {
    let Some(folder) = corpus::folder() else { return };
    let llama = Tokenizer::new(&header(&folder, "llama-spm")).unwrap();
    assert_eq!((llama.model(), llama.pre(), llama.token_count()), ("llama", None, 32_000));
    let token = llama.token(13).unwrap();
    assert_eq!((token.text, &*token.bytes, token.token_type.name()), (&b"<0x0A>"[..], &b"\n"[..], "byte"));
    let token = llama.token(15_043).unwrap();
    assert_eq!((token.text, &*token.bytes, token.token_type.name()), ("▁Hello".as_bytes(), &b" Hello"[..], "normal"));
    assert!(token.score.is_some());
    assert_eq!(llama.token(32_000), None);
    let gpt2 = Tokenizer::new(&header(&folder, "gpt-2")).unwrap();
    assert_eq!((gpt2.model(), gpt2.pre(), gpt2.token_count()), ("gpt2", Some("gpt-2"), 50_257));
    let token = gpt2.token(18_435).unwrap();
    assert_eq!((token.text, &*token.bytes), ("ĠHello".as_bytes(), &b" Hello"[..]));
    assert_eq!(gpt2.token(50_256).unwrap().token_type.name(), "control");
}

#[test]
fn special_tokens_are_left_out_on_request() {
    let Some(folder) = corpus::folder() else { return };
    let llama = Tokenizer::new(&header(&folder, "llama-spm")).unwrap();
    let shown = DecodeOptions::default();
    let ids = llama.encode("Hello</s>you", EncodeOptions::default()).unwrap();
    assert_eq!(llama.decode_text(&ids, shown).unwrap(), "<s> Hello</s> you");
    assert_eq!(llama.decode_text(&ids, SKIP_SPECIAL).unwrap(), " Hello you");
    let remove_added = DecodeOptions { remove_added: true, ..shown };
    assert_eq!(llama.decode_text(&ids, remove_added).unwrap(), " Hello</s> you");
    let gpt2 = Tokenizer::new(&header(&folder, "gpt-2")).unwrap();
    let ids = gpt2.encode("a<|endoftext|>", EncodeOptions::default()).unwrap();
    assert_eq!(gpt2.decode_text(&ids, SKIP_SPECIAL).unwrap(), "a");
    // The first half of a character.
    assert_eq!(gpt2.decode_text(&gpt2.encode("é", PLAIN).unwrap(), shown).unwrap(), "é");
    let byte = (0..256).find(|id| gpt2.token(*id).unwrap().bytes == [0xC3]).unwrap();
    assert_eq!(gpt2.decode(&[byte], shown).unwrap(), [0xC3]);
    assert_eq!(gpt2.decode_text(&[byte], shown).unwrap(), "\u{FFFD}");
    let error = gpt2.decode(&[50_257], shown).unwrap_err();
    assert_eq!(error.code(), "out-of-range");
    assert!(error.to_string().contains("50257"), "{error}");
}
