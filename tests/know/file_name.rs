//! File names: the examples of the specification, each rule, and hostile names.

use std::collections::BTreeSet;

use gguf_models::file_name::{FileName, FileNameRule, parse_file_name};
use proptest::prelude::*;

/// The codes of the rules that a name breaks.
fn codes(name: &str) -> Vec<&'static str> {
    parse_file_name(name).problems.iter().map(|problem| problem.rule.name()).collect()
}

/// Base name, size label, fine-tune, version and encoding.
fn five_parts<'a>(name: &FileName<'a>) -> [Option<&'a str>; 5] {
    [name.base_name, name.size_label, name.fine_tune, name.version, name.encoding]
}

#[test]
fn the_examples_of_the_specification_parse_as_it_says() {
    let mixtral = parse_file_name("Mixtral-8x7B-v0.1-KQ2.gguf");
    assert_eq!(five_parts(&mixtral), [Some("Mixtral"), Some("8x7B"), None, Some("v0.1"), Some("KQ2")]);
    let grok = parse_file_name("Grok-100B-v1.0-Q4_0-00003-of-00009.gguf");
    assert_eq!(five_parts(&grok), [Some("Grok"), Some("100B"), None, Some("v1.0"), Some("Q4_0")]);
    assert_eq!(grok.shard.map(|shard| (shard.number, shard.count)), Some((3, 9)));
    let hermes = parse_file_name("Hermes-2-Pro-Llama-3-8B-v1.0-F16.gguf");
    assert_eq!(five_parts(&hermes), [Some("Hermes-2-Pro-Llama-3"), Some("8B"), None, Some("v1.0"), Some("F16")]);
    let phi = parse_file_name("Phi-3-mini-3.8B-ContextLength4k-instruct-v1.0.gguf");
    let size = Some("3.8B-ContextLength4k");
    assert_eq!(five_parts(&phi), [Some("Phi-3-mini"), size, Some("instruct"), Some("v1.0"), None]);
    let mtp = parse_file_name("mtp-Qwen3-27B-v1.0-Q4_K_M.gguf");
    assert_eq!(five_parts(&mtp), [Some("Qwen3"), Some("27B"), None, Some("v1.0"), Some("Q4_K_M")]);
    let mmproj = parse_file_name("mmproj-Qwen2-VL-7B-v1.0-F16.gguf");
    assert_eq!(five_parts(&mmproj), [Some("Qwen2-VL"), Some("7B"), None, Some("v1.0"), Some("F16")]);
    for name in [&mixtral, &grok, &hermes, &phi, &mtp, &mmproj] {
        assert!(name.is_conventional(), "{name:?}");
        assert_eq!(name.r#type, None);
    }
    assert_eq!((mtp.sidecar, mmproj.sidecar, mixtral.sidecar), (Some("mtp"), Some("mmproj"), None));
    assert!(!parse_file_name("not-a-known-arrangement.gguf").is_conventional());
}

#[test]
fn an_example_that_the_regular_expression_of_the_specification_refuses_is_read_as_the_text_says() {
    let name = parse_file_name("Hermes-2-Pro-Llama-3-8B-F16.gguf");
    assert_eq!(five_parts(&name), [Some("Hermes-2-Pro-Llama-3"), Some("8B"), None, None, Some("F16")]);
    assert_eq!(codes("Hermes-2-Pro-Llama-3-8B-F16.gguf"), ["version-missing"]);
}

#[test]
fn every_rule_is_named_and_no_other() {
    // A name that breaks a rule, the rule, and the name without the problem.
    let cases = [
        ("Mixtral-8x7B-v0.1-Q4_0", "extension", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("Mixtral-8x7B-v0.1-Q4_0.bin", "extension", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("Mixtral-8x7B-v0.1-Q4_0.GGUF", "extension", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("Mixtral-8x7B-v0.1-Q4_0.gguf.part1of2", "extension", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("MMPROJ-Qwen2-7B-v1.0-F16.x.gguf", "sidecar", "mmproj-Qwen2-7B-v1.0-F16.gguf"),
        ("8x7B-chat-v0.1-Q4_0.gguf.bin", "base-name-missing", "Mixtral-8x7B-chat-v0.1-Q4_0.gguf"),
        ("Llama-3.1-8B-v1.0-Q4_0.gguf", "base-name", "Llama-3-8B-v1.0-Q4_0.gguf"),
        ("Phi-4bit-8B-v1.0-Q4_0.gguf", "base-name", "Phi-bit4-8B-v1.0-Q4_0.gguf"),
        ("Mixtral-v0.1-Q4_0.gguf", "size-label-missing", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("Qwen-1_8B-v1.0-Q4_0.gguf", "size-label", "Qwen-1.8B-v1.0-Q4_0.gguf"),
        ("Llama-8B-gpt3.5-v1.0-Q4_0.gguf", "fine-tune", "Llama-8B-gpt-v1.0-Q4_0.gguf"),
        ("Mixtral-8x7B-Q4_0.gguf", "version-missing", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("WizardLM-13B-V1.2-Q4_0.gguf", "version", "WizardLM-13B-v1.2-Q4_0.gguf"),
        ("Qwen3-8B-v1.0-UD-Q4_K_XL.gguf", "encoding", "Qwen3-8B-v1.0-Q4_K_XL.gguf"),
        ("Qwen3-8B-v1.0-F16-lora-1-of-1.gguf", "type", "Qwen3-8B-v1.0-F16-LoRA-00001-of-00001.gguf"),
        ("Grok-100B-v1.0-Q4_0-3-of-9.gguf", "shard", "Grok-100B-v1.0-Q4_0-00003-of-00009.gguf"),
        ("Grok-100B-v1.0-Q4_0-00000-of-00009.gguf", "shard-number", "Grok-100B-v1.0-Q4_0-00001-of-00009.gguf"),
        ("Grok-100B-v1.0-Q4_0-00010-of-00009.gguf", "shard-number", "Grok-100B-v1.0-Q4_0-00009-of-00009.gguf"),
        ("Mistral-7B-v0.3-Instruct-Q4_0.gguf", "order", "Mistral-7B-Instruct-v0.3-Q4_0.gguf"),
        ("Mixtral-8x7B-v0.1.Q4_0.gguf", "separator", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("Mixtral-8x7B-v0.1-Q4_0-.gguf", "separator", "Mixtral-8x7B-v0.1-Q4_0.gguf"),
        ("Llama-65B-v1.0-ggmlv3-q4_0.gguf", "format-word", "Llama-65B-v1.0-q4_0.gguf"),
    ];
    let mut covered = BTreeSet::new();
    for (broken, rule, mended) in cases {
        assert!(codes(broken).contains(&rule), "{broken}: {:?}", codes(broken));
        assert!(!codes(mended).contains(&rule), "{mended}: {:?}", codes(mended));
        assert!(parse_file_name(mended).is_conventional(), "{mended}: {:?}", codes(mended));
        covered.insert(rule);
    }
    let all: BTreeSet<_> = FileNameRule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(covered, all);
    assert_eq!(all.len(), FileNameRule::ALL.len());
}

#[test]
fn a_message_quotes_the_name_and_is_a_sentence() {
    let name = parse_file_name("Llama-3.1-8b.Q4_K_M.gguf");
    let message = |code| &name.problems.iter().find(|problem| problem.rule.name() == code).unwrap().message;
    assert!(message("base-name").starts_with("3.1 cannot be a word of the base name."));
    assert!(message("version-missing").contains("v1.0"));
    for problem in &name.problems {
        assert!(problem.message.ends_with('.'), "{}", problem.message);
    }
}

#[test]
fn words_that_are_not_recognised_stay_in_the_base_name() {
    for stem in ["foo", "foo_bar", "sha256-2af3b81862c6", "文字-モデル", "Q", "a b c", "128k", "--x--", "🦙"] {
        let file = format!("{stem}.gguf");
        let name = parse_file_name(&file);
        assert_eq!(five_parts(&name), [Some(stem.trim_matches('-')), None, None, None, None], "{file}");
        assert_eq!((name.sidecar, name.r#type, name.shard), (None, None, None));
    }
    for file in ["", ".gguf", "-", "..-_ .gguf"] {
        assert_eq!(five_parts(&parse_file_name(file)), [None; 5], "{file}");
    }
}

/// The parts of a name are slices of it. They do not overlap, apart from version and encoding inside the base name or the
/// fine-tune. Every letter and digit before the extension is in a part, apart from one word for the file format.
fn check_slices(file: &str) {
    let name = parse_file_name(file);
    let start_of = |part: &str| {
        let start = part.as_ptr() as usize - file.as_ptr() as usize;
        assert_eq!(&file[start..start + part.len()], part);
        start..start + part.len()
    };
    let outer = [name.base_name, name.fine_tune].map(|part| part.map(start_of));
    let inner = [name.sidecar, name.size_label, name.version, name.encoding, name.r#type];
    let inner: Vec<_> = inner.into_iter().flatten().map(start_of).collect();
    let overlap = |a: &std::ops::Range<usize>, b: &std::ops::Range<usize>| a.start < b.end && b.start < a.end;
    for (index, span) in inner.iter().enumerate() {
        assert!(inner[..index].iter().all(|other| !overlap(span, other)), "{name:?}");
        let is_inside = |outer: &std::ops::Range<usize>| outer.start <= span.start && span.end <= outer.end;
        assert!(outer.iter().flatten().all(|outer| !overlap(outer, span) || is_inside(outer)), "{name:?}");
    }
    let stem_end = file.rfind(".gguf").unwrap_or(file.len());
    let mut covered = vec![false; file.len()];
    for span in outer.into_iter().flatten().chain(inner) {
        assert!(!span.is_empty());
        covered[span].fill(true);
    }
    if name.shard.is_none() && name.problems.iter().all(|problem| problem.rule != FileNameRule::FormatWord) {
        let is_lost = |index: &usize| !covered[*index] && file.as_bytes()[*index].is_ascii_alphanumeric();
        let lost = (0..stem_end).find(is_lost);
        assert!(lost.is_none() || !file.ends_with(".gguf"), "{file}: {lost:?} {name:?}");
    }
}

#[test]
fn hostile_names_are_parsed_in_linear_time() {
    // The specification's regular expression takes exponential time for the first one. In a name of 200,000 characters, a
    // step that takes quadratic time would not end in this test.
    let pieces = [
        "- ",
        "-1",
        "-a",
        "-",
        "a",
        "1",
        "0.",
        "1x",
        "-7B",
        "-v1",
        "_K",
        "Q4_",
        "Q4_0_",
        "-Q4_K_M",
        "-UD",
        "-of-00001",
        "-lora",
        "é",
        "-00001-of-00002",
        ".gguf",
        "-gguf",
        "-imat",
        "mmproj-",
        "v1-1-",
        "08-2024-",
        "7B-A3B-",
        " ",
        "._-",
        "-Instruct",
    ];
    for piece in pieces {
        for end in ["", ".gguf", "-Q4_K_M.gguf", "-v1.0-Q4_0-LoRA-00001-of-00002.gguf"] {
            check_slices(&(piece.repeat(10_000 / piece.len()) + end));
        }
        check_slices(&(piece.repeat(200_000 / piece.len()) + ".gguf"));
    }
    // As many digits as no number has.
    let digits = "9".repeat(10_000);
    assert_eq!(parse_file_name(&format!("foo-{digits}-of-{digits}.gguf")).shard, None);
    check_slices(&format!("foo-{digits}b-v{digits}.{digits}-Q{digits}_0.gguf"));
}

proptest! {
    #[test]
    fn any_text_is_taken_apart(name in ".{0,60}") {
        check_slices(&name);
    }

    #[test]
    fn any_sequence_of_known_words_is_taken_apart(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..10),
        separators in prop::collection::vec(prop::sample::select(&["-", "-", "-", ".", "_", " ", "--", ""][..]), 10),
        extension in prop::sample::select(&[".gguf", "", ".bin"][..]),
    ) {
        let mut name: String = words.iter().zip(separators).map(|(word, separator)| [word, separator].concat()).collect();
        name.push_str(extension);
        check_slices(&name);
    }
}

/// Words of names, and words that nearly are such.
pub const WORDS: &[&str] = &[
    "mmproj", "mtp", "MTP", "Llama", "3", "3.1", "4bit", "gpt", "7B", "8x7B", "1.5B", "1_5b", "30B", "A3B", "16E",
    "Ctx4k", "4k", "Instruct", "chat", "it", "v1", "v1.0", "V2", "v3", "1", "2507", "08", "2024", "Q4_K_M", "q4_0",
    "UD", "i1", "Q4", "K", "IQ2", "F16", "LoRA", "lora", "vocab", "imatrix", "imat", "00001", "of", "00003", "gguf",
    "ggmlv3", "split", "é",
];
