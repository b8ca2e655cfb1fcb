//! Vocabularies that are broken or unusual: what llama.cpp refuses is an error with a code.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{ErrorCode, Header, ValueType, parse};
use gguf_models::tokenizer::{DecodeOptions, EncodeOptions, Tokenizer, TokenizerError};

use crate::gguf_bytes::GgufBytes;
use crate::tokenizer::ranges::assert_ranges;

const PLAIN: EncodeOptions = EncodeOptions { add_special: false, parse_special: false };
const SPECIAL: EncodeOptions = EncodeOptions { add_special: false, parse_special: true };
const SHOWN: DecodeOptions = DecodeOptions { skip_special: false, remove_added: false };

/// A header with entries, whose keys are written without `tokenizer.ggml.`.
pub fn header(entries: &[(&str, OwnedValue)]) -> Header {
    let mut file = GgufBytes::new(Default::default());
    file.header(0, entries.len() as u64);
    for (key, value) in entries {
        let key = if key.contains('.') { (*key).to_owned() } else { format!("tokenizer.ggml.{key}") };
        file.entry(key.as_bytes(), value);
    }
    parse(file.as_bytes()).unwrap()
}

fn texts<T: AsRef<[u8]>>(texts: &[T]) -> OwnedValue {
    let elements = texts.iter().map(|text| OwnedValue::String(text.as_ref().to_vec())).collect();
    OwnedValue::Array { element_type: ValueType::String, elements }
}

fn tokenizer(entries: &[(&str, OwnedValue)]) -> Result<Tokenizer, TokenizerError> {
    Tokenizer::new(&header(entries))
}

/// The tokenizer of entries that are in order.
fn working(entries: &[(&str, OwnedValue)]) -> Tokenizer {
    tokenizer(entries).unwrap()
}

fn types(types: &[i32]) -> OwnedValue {
    OwnedValue::array(ValueType::Int32, types.to_vec())
}

fn scores(scores: &[f32]) -> OwnedValue {
    OwnedValue::array(ValueType::Float32, scores.to_vec())
}

fn bytes(bytes: &[u8]) -> OwnedValue {
    OwnedValue::array(ValueType::Uint8, bytes.to_vec())
}

/// Checks that the entries are refused for a reason that contains a text.
fn assert_refused(entries: &[(&str, OwnedValue)], reason: &str) {
    let error = tokenizer(entries).err().unwrap_or_else(|| panic!("not refused: {reason}"));
    assert_eq!(error.code(), ErrorCode::BadVocabulary, "{error}");
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn a_file_without_a_tokenizer_has_none() {
    assert_eq!(tokenizer(&[]).err().unwrap().code(), "no-tokenizer");
    for model in ["none", "no_vocab"] {
        assert_eq!(tokenizer(&[("model", model.into())]).err(), Some(TokenizerError::NoTokenizer));
    }
}

#[test]
fn other_tokenizers_are_unsupported() {
    for model in ["rwkv", "plamo2", "hybriddna", "whitespace", "replit", ""] {
        let error = tokenizer(&[("model", model.into()), ("tokens", texts(&["a"]))]).err().unwrap();
        assert_eq!(error, TokenizerError::UnsupportedModel(model.into()));
        assert_eq!(error.code(), "unsupported");
        assert!(error.to_string().contains("unsupported") && error.to_string().contains(&format!("\"{model}\"")));
    }
}

#[test]
fn entries_of_wrong_types_and_lengths_are_refused() {
    let llama = |key: &'static str, value: OwnedValue| {
        [("model", "llama".into()), ("tokens", texts(&["a", "b"])), (key, value)]
    };
    assert_refused(&[("model", 1u32.into())], "tokenizer.ggml.model is of type UINT32, expected STRING");
    assert_refused(&[("model", "llama".into())], "tokenizer.ggml.tokens is missing");
    assert_refused(&[("model", "llama".into()), ("tokens", types(&[1]))], "expected ARRAY of STRING");
    assert_refused(&llama("scores", scores(&[0.0])), "1 elements, expected one for each of the 2 tokens");
    assert_refused(&llama("scores", bytes(&[0, 0])), "expected ARRAY of FLOAT32 or INT32");
    assert_refused(&llama("suppress_tokens", bytes(&[0])), "expected ARRAY of INT32");
    assert_refused(&llama("tokenizer.ggml.normalizer.lowercase", 1u32.into()), "expected BOOL");
    assert_refused(&llama("tokenizer.ggml.normalizer.strip_accents", "yes".into()), "expected BOOL");
    assert_refused(&llama("token_type", types(&[])), "0 elements");
    assert_refused(&llama("token_type", scores(&[1.0, 1.0])), "expected ARRAY of INT32");
    assert_refused(&llama("bos_token_id", 1i32.into()), "expected UINT32");
    assert_refused(&llama("add_bos_token", 1u32.into()), "expected BOOL");
    assert_refused(&llama("fim_pre_token_id", "a".into()), "expected UINT32");
    assert_refused(&llama("general.name", 1u32.into()), "expected STRING");
    // Longer arrays are allowed.
    let ids = working(&llama("scores", scores(&[1.0, 2.0, 3.0]))).encode("ab", PLAIN);
    assert_eq!(ids.unwrap_err().code(), "bad-vocabulary", "there is no token for the space before the text");
}

#[test]
fn missing_merges_are_refused() {
    let without = |model: &str, pre: &str| {
        tokenizer(&[("model", model.into()), ("pre", pre.into()), ("tokens", texts(&["a", "b"]))])
    };
    assert!(without("gpt2", "gpt-2").err().unwrap().to_string().contains("tokenizer.ggml.merges is missing"));
    assert!(without("gemma4", "").is_err());
    assert_eq!(without("gpt2", "kimi-k2").unwrap().encode("ab", PLAIN).unwrap(), [0, 1]);
    let entries = [("model", "gpt2".into()), ("tokens", texts(&["a"])), ("merges", types(&[1]))];
    assert_refused(&entries, "expected ARRAY of STRING");
}

/// The tokenizer of byte pairs.
fn byte_pairs<T: AsRef<[u8]>>(tokens: &[T], merges: &[&str], more: &[(&str, OwnedValue)]) -> Tokenizer {
    let entries = [("model", "gpt2".into()), ("tokens", texts(tokens)), ("merges", texts(merges))];
    working(&[&entries[..], more].concat())
}

#[test]
fn tokens_with_the_same_text_are_refused() {
    let entries = |tokens| [("model", "gpt2".into()), ("tokens", texts(tokens)), ("merges", texts::<&str>(&[]))];
    assert_refused(&entries(&["a", "b", "a"]), "tokens 0 and 2 have the same text");
    // Texts end at a NUL.
    assert_refused(&entries(&["a", "a\0b"]), "tokens 0 and 1 have the same text");
    // Empty tokens have a text of their own, which another token may have.
    assert_eq!(byte_pairs(&["", "", "\0"], &[], &[]).token(2).unwrap().text, b"[EMPTY_2]");
    assert_refused(&entries(&["[EMPTY_1]", ""]), "tokens 0 and 1 have the same text");
}

#[test]
fn merges_may_be_any_text() {
    let merges = ["", " ", "a", "ab", " a", "a ", "a  b", "a b c", "b a", "a b", "a b", "x y", "ab a", "aba ab", "\0"];
    let tokenizer = byte_pairs(&["a", "b", "ab", "aba", "ba"], &merges, &[]);
    // `b a` comes before `a b`, and `ab a` before `aba ab`, whose result is no token: its bytes are.
    assert_eq!(tokenizer.encode("ab", PLAIN).unwrap(), [2]);
    assert_eq!(tokenizer.encode("aba", PLAIN).unwrap(), [0, 4]);
    // Parts that are no tokens are merged, too.
    let tokenizer = byte_pairs(&["a", "b", "abab"], &["a b", "ab ab"], &[]);
    assert_eq!(tokenizer.encode("abab", PLAIN).unwrap(), [2]);
    assert_eq!(tokenizer.encode("ab", PLAIN).unwrap(), [0, 1], "the result is no token, so its bytes are");
}

#[test]
fn merges_in_a_circle_end() {
    // Each result contains the one before: a merge makes texts longer, so there is an end.
    let tokenizer = byte_pairs(&["a", "aa", "aaa", "aaaa"], &["a a", "aa a", "a aa", "aaa a", "aa aa"], &[]);
    let text = "a".repeat(1003);
    let tokens = tokenizer.tokenize(&text, PLAIN).unwrap();
    assert_ranges(&tokens, &text);
    assert_eq!(tokenizer.decode_text(&tokens.iter().map(|token| token.id).collect::<Vec<_>>(), SHOWN).unwrap(), text);
}

#[test]
fn bytes_without_a_token_are_left_out() {
    let tokenizer = byte_pairs(&["a"], &[], &[]);
    let tokens = tokenizer.tokenize("éaxa.", PLAIN).unwrap();
    assert_eq!(tokens.iter().map(|token| (token.id, token.range.clone())).collect::<Vec<_>>(), [(0, 0..3), (0, 3..6)]);
    assert_eq!(tokenizer.tokenize("xyz", PLAIN).unwrap(), []);
}

#[test]
fn ids_outside_of_the_vocabulary_are_not_used() {
    let named = |id: u32| [("bos_token_id", id.into()), ("add_bos_token", true.into())];
    let added = EncodeOptions { add_special: true, parse_special: false };
    assert_eq!(byte_pairs(&["a", "b"], &[], &named(1)).encode("a", added).unwrap(), [1, 0]);
    // llama.cpp then takes its default, 11, if there is such a token.
    let eleven = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    assert_eq!(byte_pairs(&eleven, &[], &named(12)).encode("a", added).unwrap(), [11, 0]);
    assert_eq!(byte_pairs(&["a", "b"], &[], &named(2)).encode("a", added).unwrap_err().code(), "bad-vocabulary");
    let glm = byte_pairs(&["a"], &[], &[("pre", "glm4".into()), ("add_bos_token", true.into())]);
    let error = glm.encode("a", added).unwrap_err();
    assert_eq!(error.code(), "bad-vocabulary");
    assert!(error.to_string().contains("BOS"), "{error}");
}

#[test]
fn a_token_may_end_within_a_character() {
    let tokens: [&[u8]; 4] = [b"\xA9", "Ã".as_bytes(), "ï".as_bytes(), b"a"];
    let tokenizer = byte_pairs(&tokens, &[], &[("token_type", types(&[4, 1, 1, 1]))]);
    let tokens = tokenizer.tokenize("aéa", PLAIN).unwrap();
    // The other half becomes U+FFFD, and the vocabulary has a token for its first byte only.
    assert_eq!(tokens.iter().map(|token| token.id).collect::<Vec<_>>(), [3, 2, 0, 3]);
    assert_ranges(&tokens, "aéa");
    assert_eq!(tokenizer.decode(&[0], SHOWN).unwrap(), b"\xA9");
    for model in ["bert", "t5"] {
        let entries = [("model", model.into()), ("tokens", texts(&[b"\xA9" as &[u8], "▁".as_bytes(), b"a"]))];
        let tokenizer = working(&[&entries[..], &[("token_type", types(&[4, 1, 1]))]].concat());
        assert_ranges(&tokenizer.tokenize("aéa é", PLAIN).unwrap(), "aéa é");
    }
}

#[test]
fn gemma_4_reads_plain_text_and_bytes() {
    let tokens = ["<bos>", "a", "▁", "▁a", "\n", "\n\n", "<0xC3>", "<0xA9>", "b"];
    let entries = [
        ("model", "gemma4".into()),
        ("pre", "ignored".into()),
        ("tokens", texts(&tokens)),
        ("token_type", types(&[3, 1, 1, 1, 1, 1, 6, 6, 1])),
        ("merges", texts(&["▁ a"])),
        ("bos_token_id", 0u32.into()),
        ("add_bos_token", false.into()),
    ];
    let tokenizer = working(&entries);
    assert_eq!(tokenizer.pre(), Some("gemma4"));
    let ids = tokenizer.encode("a a\n\nb\n\n\né", EncodeOptions::default()).unwrap();
    // BOS is added whatever the file says. Two line breaks are a token, three are not.
    assert_eq!(ids, [0, 1, 3, 5, 8, 4, 4, 4, 6, 7]);
    assert_eq!(tokenizer.decode_text(&ids, DecodeOptions { skip_special: true, ..SHOWN }).unwrap(), "a a\n\nb\n\n\né");
}

#[test]
fn texts_of_tokens_decide_what_they_are() {
    let tokens = ["a", "<|im_end|>", "<|start|>", "<fim-prefix>", "<|end|>", "</s>", "<", ">"];
    let letters = ["|", "i", "m", "_", "e", "n", "d", "s", "t", "r", "f", "-", "p", "x", "/"];
    let ids = |more: &[&str], text: &str, options| {
        let all: Vec<&str> = tokens.iter().chain(&letters).chain(more).copied().collect();
        byte_pairs(&all, &[], &[]).encode(text, options).unwrap()
    };
    // Normal tokens become control tokens, which are parsed on request.
    for (id, token) in [(1, "<|im_end|>"), (3, "<fim-prefix>"), (4, "<|end|>"), (5, "</s>")] {
        assert_eq!(ids(&[], token, SPECIAL), [id]);
        assert!(ids(&[], token, PLAIN).len() > 2, "{token}");
    }
    assert_eq!(byte_pairs(&["[", "e", "~", "[e~["], &[], &[]).encode("[e~[", SPECIAL).unwrap(), [3]);
    // These are user-defined: always parsed.
    assert_eq!(ids(&[], "<|start|>", PLAIN), [2]);
    for more in [["<|return|>", "<|call|>"], ["<|calls|>", "<|flush|>"]] {
        assert_eq!(ids(&more, "<|end|>", PLAIN), [4]);
    }
    // And this is normal text.
    assert_eq!(ids(&["<|tool_response>"], "</s>", SPECIAL), [6, 22, 15, 7]);
    // The first of several is taken, if no entry names one.
    let of_two = |entries: &[(&str, OwnedValue)]| {
        let all: Vec<&str> = tokens.iter().chain(&letters).copied().chain(["<PRE>", "P", "R", "E"]).collect();
        byte_pairs(&all, &[], entries).encode("<PRE><fim-prefix>", SPECIAL).unwrap()
    };
    assert_eq!(of_two(&[]).len(), 6);
    assert_eq!(of_two(&[("fim_pre_token_id", 0u32.into())]).len(), 17);
    assert_eq!(of_two(&[("prefix_token_id", 0u32.into())]).len(), 17);
    assert_eq!(of_two(&[("fim_pre_token_id", 99u32.into())]).len(), 6);
}

#[test]
fn names_of_models_decide_what_strips_space() {
    let tokens = ["▁", "x", "<mask>", "[MASK]", "<|end|>", "</s>", "<unk>", "<s>", "<|endoftext|>"];
    let of_model = |key: &'static str, name: &str, text: &str| {
        let entries = [
            ("model", "llama".into()),
            ("tokens", texts(&tokens)),
            ("token_type", types(&[1, 1, 3, 3, 3, 3, 2, 3, 3])),
            ("add_space_prefix", false.into()),
            (key, name.into()),
        ];
        working(&entries).encode(text, SPECIAL).unwrap()
    };
    assert_eq!(of_model("general.name", "x", "x <mask> x"), [1, 0, 2, 0, 1]);
    assert_eq!(of_model("pre", "jina-v2-de", "x \n<mask> x"), [1, 2, 0, 1]);
    assert_eq!(of_model("general.architecture", "jina-bert-v3", "x <mask> x"), [1, 2, 0, 1]);
    assert_eq!(of_model("general.name", "My modern-BERT", "x [MASK] x"), [1, 3, 0, 1]);
    assert_eq!(of_model("general.name", "PHI-3 mini", "<|end|> \nx<s> x</s> "), [4, 1, 7, 0, 1, 5]);
    let entries = [("model", "llama".into()), ("tokens", texts(&["x"])), ("general.name", "phi3".into())];
    assert_refused(&entries, "no token </s>");
}

#[test]
fn scores_decide_and_may_be_any_numbers() {
    let encode = |values: [f32; 5]| {
        let entries = [
            ("model", "llama".into()),
            ("tokens", texts(&["a", "b", "c", "ab", "bc"])),
            ("scores", scores(&values)),
            ("add_space_prefix", false.into()),
        ];
        working(&entries).encode("abc", PLAIN).unwrap()
    };
    assert_eq!(encode([0.0, 0.0, 0.0, -1.0, -2.0]), [3, 2]);
    assert_eq!(encode([0.0, 0.0, 0.0, -2.0, -1.0]), [0, 4]);
    assert_eq!(encode([0.0, 0.0, 0.0, 1.0, 1.0]), [3, 2], "the left one of equal scores");
    assert_eq!(encode([0.0, 0.0, 0.0, f32::NEG_INFINITY, f32::INFINITY]), [0, 4]);
    assert_eq!(encode([f32::NAN; 5]).len(), 2);
    let unigram = |values: [f32; 5]| {
        let entries = [
            ("model", "t5".into()),
            ("tokens", texts(&["a", "b", "</unk>", "ab", "abb"])),
            ("scores", scores(&values)),
            ("token_type", types(&[1, 1, 2, 1, 1])),
        ];
        let tokenizer = working(&entries);
        let tokens = tokenizer.tokenize("abbxxa", PLAIN).unwrap();
        assert_ranges(&tokens, "abbxxa");
        tokens.into_iter().map(|token| token.id).collect::<Vec<_>>()
    };
    assert_eq!(unigram([-1.0, -1.0, 0.0, -1.5, -9.0]), [3, 1, 2, 0]);
    assert_eq!(unigram([-1.0, -1.0, 0.0, -1.5, -2.0]), [4, 2, 0]);
    // With scores that cannot be compared, llama.cpp forgets tokens.
    assert!(!unigram([f32::NAN; 5]).is_empty());
    assert!(!unigram([f32::NEG_INFINITY; 5]).is_empty());
    assert!(!unigram([f32::INFINITY; 5]).is_empty());
}

#[test]
fn scores_may_be_whole_numbers() {
    let encode = |values: [i32; 5]| {
        let entries = [
            ("model", "llama".into()),
            ("tokens", texts(&["a", "b", "c", "ab", "bc"])),
            ("scores", types(&values)),
            ("add_space_prefix", false.into()),
        ];
        let tokenizer = working(&entries);
        assert_eq!(tokenizer.token(3).unwrap().score, Some(values[3] as f32));
        tokenizer.encode("abc", PLAIN).unwrap()
    };
    assert_eq!(encode([0, 0, 0, -1, -2]), [3, 2]);
    assert_eq!(encode([0, 0, 0, -2, -1]), [0, 4]);
    // Both are the same FLOAT32.
    assert_eq!(encode([0, 0, 0, 1 << 24, (1 << 24) + 1]), [3, 2]);
}

#[test]
fn broken_character_maps_are_refused() {
    let with = |map: &[u8]| {
        let entries =
            [("model", "t5".into()), ("tokens", texts(&["a", "b", "<unk>"])), ("precompiled_charsmap", bytes(map))];
        tokenizer(&entries)
    };
    let encoded = |map: &[u8]| with(map).unwrap().encode("ab", PLAIN).map_err(|error| error.code());
    for map in [&[][..], &[1], &[0, 0, 0, 0], &[4, 0, 0, 0, 0, 0, 0, 0], &[255, 255, 255, 255, 0]] {
        assert_eq!(with(map).err().unwrap().code(), "bad-vocabulary", "{map:?}");
    }
    let entries = [("model", "t5".into()), ("tokens", texts(&["a"])), ("precompiled_charsmap", types(&[0]))];
    assert_refused(&entries, "expected ARRAY of UINT8 or INT8");
    // No units: no replacements.
    assert_eq!(encoded(&[0, 0, 0, 0, 0]).unwrap(), [0, 1]);
    // The only unit leads out of the map.
    assert_eq!(encoded(&[4, 0, 0, 0, 0, 0xFF, 0xFF, 0x7F, 0]).unwrap_err(), "bad-vocabulary");
    // 'a' leads to a unit that says so and to itself, for ever: the search ends.
    let mut map = 1024u32.to_le_bytes().to_vec();
    map.extend((0..256u32).flat_map(u32::to_le_bytes));
    map.push(0);
    let text = "a".repeat(10_000);
    assert!(with(&map).unwrap().encode(&text, PLAIN).is_ok());
}

#[test]
fn an_empty_vocabulary_works() {
    let none: [&str; 0] = [];
    for model in ["llama", "bert", "t5", "gemma4", "gpt2"] {
        let entries = [("model", model.into()), ("tokens", texts(&none)), ("merges", texts(&none))];
        let tokenizer = working(&entries);
        assert_eq!(tokenizer.token_count(), 0);
        assert_eq!(tokenizer.token(0), None);
        assert!(tokenizer.encode("", PLAIN).unwrap().is_empty());
        // These need a token for unknown text. The others leave it out.
        assert_eq!(tokenizer.encode("a", PLAIN).is_err(), ["llama", "bert", "t5"].contains(&model), "{model}");
    }
}

#[test]
fn a_long_token_whose_characters_stand_for_no_byte_is_not_repeated_for_each() {
    // llama.cpp writes the text of the token once for each of these characters.
    let tokenizer = byte_pairs(&["日本".to_owned(), "日".repeat(60_000)], &[], &[]);
    let repeated = "[UNK_BYTE_0xe697a5日本][UNK_BYTE_0xe69cac日本]";
    assert_eq!(tokenizer.decode_text(&[0], SHOWN).unwrap(), repeated);
    assert_eq!(tokenizer.token(1).unwrap().bytes.len(), 60_000 * "[UNK_BYTE_0xe697a5]".len());
}

#[test]
fn a_decoded_text_has_a_limit() {
    let tokenizer = byte_pairs(&["a".repeat(1 << 20)], &[], &[]);
    assert_eq!(tokenizer.decode(&[0; 256], SHOWN).unwrap().len(), 1 << 28);
    assert_eq!(tokenizer.decode(&[0; 257], SHOWN).unwrap_err().code(), "too-large");
}

#[test]
fn the_space_that_t5_adds_is_removed_again_if_the_file_asks_for_it() {
    for (merges, adds) in [(true, false), (false, true), (true, true), (false, false)] {
        let entries = [
            ("model", "t5".into()),
            ("tokens", texts(&["▁hi", "▁", "<unk>", "hi"])),
            ("remove_extra_whitespaces", merges.into()),
            ("add_space_prefix", adds.into()),
        ];
        let tokenizer = working(&entries);
        let ids = tokenizer.encode("hi hi", PLAIN).unwrap();
        // Merging spaces adds one, too, but llama.cpp does not remove it.
        let expected = if merges && !adds { " hi hi" } else { "hi hi" };
        assert_eq!(tokenizer.decode_text(&ids, SHOWN).unwrap(), expected, "{merges} {adds} {ids:?}");
    }
}

#[test]
fn tokens_are_special_by_their_type_or_by_their_name() {
    let tokenizer = byte_pairs(&["a", "<|im_end|>", "<x>", "<y>"], &[], &[("token_type", types(&[1, 1, 3, 4]))]);
    let is_special = [0, 1, 2, 3].map(|id| tokenizer.token(id).unwrap().is_special);
    assert_eq!(is_special, [false, true, true, true]);
    assert_eq!(tokenizer.encode("<|im_end|>", SPECIAL).unwrap(), [1]);
}

#[test]
fn types_outside_of_the_specification_are_undefined() {
    let entries = [
        ("model", "llama".into()),
        ("tokens", texts(&["a", "b", "c", "<0x41>", "<0xZZ>", "<"])),
        ("token_type", types(&[-1, 7, 0, 6, 6, 6])),
    ];
    let tokenizer = working(&entries);
    let names = [0, 1, 2].map(|id| tokenizer.token(id).unwrap().token_type.name());
    assert_eq!(names, ["undefined"; 3]);
    // llama.cpp writes nothing for them.
    assert_eq!(tokenizer.decode(&[0, 1, 2], SHOWN).unwrap(), b"");
    assert_eq!(tokenizer.decode(&[3, 4, 5], SHOWN).unwrap(), [0x41, 0, 0]);
}
