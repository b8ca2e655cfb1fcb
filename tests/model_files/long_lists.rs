//! Long lists in small files. What is read for each item must not grow with the list: the lists are so long that a program for which
//! it does would not end.

use gguf_convert::model::entries::{Entries, EntryValue};
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::metadata::{MetadataInput, ParameterCount, add_metadata};
use gguf_format::ErrorCode;

/// The entries of a model card and a folder, or the error.
pub fn entries_of(card: &str, folder: &str) -> Result<Entries, gguf_format::Error> {
    let mut files = SmallFiles::default();
    files.insert("README.md", format!("---\n{card}\n---\n").into_bytes());
    let parameters = ParameterCount::default();
    let input = MetadataInput { files: &files, folder, model_name: None, overrides: None, parameters };
    let mut entries = Entries::default();
    add_metadata(&input, &mut entries)?;
    Ok(entries)
}

fn value<'a>(entries: &'a Entries, key: &str) -> &'a EntryValue {
    entries.iter().find(|(other, _)| *other == key).unwrap_or_else(|| panic!("there is no {key}")).1
}

#[test]
fn a_list_of_a_model_card_can_have_many_lines() {
    let entries = entries_of(&format!("tags: [\n{}  last]", "  a,\n".repeat(50_000)), "m").unwrap();
    let EntryValue::Strings(tags) = value(&entries, "general.tags") else { panic!("no list") };
    assert_eq!((tags.len(), &tags[50_000][..]), (50_001, &b"last"[..]));
}

#[test]
fn a_text_of_a_model_card_can_have_many_lines() {
    for (start, line, end) in
        [("\"", "  a\n", "  b\""), ("'", "  a\n", "  b'"), ("", "  a\n", "  b"), (">-\n", "  a\n", "  b")]
    {
        let entries = entries_of(&format!("description: {start}{}{end}", line.repeat(50_000)), "m").unwrap();
        let EntryValue::String(text) = value(&entries, "general.description") else { panic!("no text") };
        assert_eq!(text.trim_ascii_start(), [&b"a ".repeat(50_000)[..], b"b"].concat(), "{start:?}");
    }
}

#[test]
fn a_quote_or_a_bracket_that_is_not_closed_is_found_in_one_pass() {
    for start in ["a: \"", "a: '", "a: [", "a: {b: [", "- ["] {
        let error = entries_of(&format!("{start}\n{}", "  x\n".repeat(50_000)), "m").unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadModelCard, "{start}");
        assert!(error.to_string().contains("is not closed"), "{error}");
    }
}

#[test]
fn a_model_card_does_not_take_much_more_memory_than_its_text() {
    for card in [format!("a: [{}]", "{},".repeat(300_000)), "- a\n".repeat(300_000), "a: {b}\n".repeat(150_000)] {
        let error = entries_of(&card, "m").unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadModelCard, "{error}");
        assert!(error.to_string().contains("262,144 values"), "{error}");
    }
}

#[test]
fn what_aliases_repeat_counts() {
    let levels = |first: &str, part: &str, count: usize| {
        let level = |at: usize| format!("a{at}: &a{at} [{}]\n", part.replace('*', &format!("*a{}", at - 1)));
        format!("a0: &a0 {first}\n{}", (1..=count).map(level).collect::<String>())
    };
    for (card, reason) in [
        (levels("[x, x]", "*, *, *, *, *, *, *, *", 40), "262,144 values"),
        (format!("a: &a {}\nb: [{}]", "x".repeat(1 << 20), "*a,".repeat(10_000)), "262,144 values"),
        (format!("a: &a {{{}: }}\nb: [{}]", "x".repeat(1000), "*a,".repeat(100_000)), "262,144 values"),
        (levels("[]", "*", 100), "nested too deeply"),
    ] {
        let error = entries_of(&card, "m").unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadModelCard, "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
    assert!(entries_of(&levels("[]", "*", 60), "m").is_ok());
}

#[test]
fn a_hostile_model_card_is_read_in_one_pass() {
    let count = 1 << 18;
    for card in [
        "- ".repeat(count),
        "? ".repeat(count),
        "[".repeat(count),
        "a: ".repeat(count),
        "a:\n".to_owned() + &"\n".repeat(count) + "b",
        "a: ".to_owned() + &"b\n ".repeat(count) + ": c",
        "- \"\n".repeat(count - 1),
        "a: |\n".to_owned() + &"\n".repeat(count) + "b",
        "a".repeat(4 * count) + ": b",
        "&a ".repeat(count),
        (0..count / 2).map(|at| format!("- &a{at}\n")).collect(),
        format!("a: [{}", "a: b, ".repeat(count)),
        format!("a: &a {{a: b}}\n{}a: [", "<<: *a\n".repeat(count / 4)),
    ] {
        let error = entries_of(&card, "m").unwrap_err();
        assert_eq!(error.code(), ErrorCode::BadModelCard, "{error}");
    }
}

#[test]
fn a_model_card_can_name_many_models() {
    let entries = entries_of(&format!("base_model:\n{}", "- some/model-7b\n".repeat(3_000)), "m").unwrap();
    assert_eq!(value(&entries, "general.base_model.count"), &EntryValue::U32(3_000));
    let last = EntryValue::String(b"https://huggingface.co/some/model-7b".to_vec());
    assert_eq!(value(&entries, "general.base_model.2999.repo_url"), &last);
}

#[test]
fn a_model_card_with_more_models_than_the_limit_is_refused() {
    for name in ["base_model", "datasets"] {
        let error = entries_of(&format!("{name}:\n{}", "- some/model-7b\n".repeat(10_001)), "m").unwrap_err();
        assert_eq!(error.code(), ErrorCode::LimitExceeded, "{error}");
    }
}

#[test]
fn the_name_of_a_folder_can_have_many_parts() {
    let parts: Vec<String> = (0..10_000).map(|part| format!("{part}b")).collect();
    let entries = entries_of("", &format!("m-{}", parts.join("-"))).unwrap();
    assert!(matches!(value(&entries, "general.size_label"), EntryValue::String(text) if text.ends_with(b"-9999B")));
}

#[test]
fn a_key_that_is_set_again_keeps_its_place_among_many() {
    let mut entries = Entries::default();
    for round in 0..2 {
        for key in 0..50_000 {
            entries.set(format!("key.{key}"), EntryValue::U32(key + round));
        }
    }
    assert_eq!(entries.iter().count(), 50_000);
    let mut numbers = entries.iter().enumerate().map(|(place, (key, value))| (place, key.to_owned(), value.clone()));
    assert!(
        numbers
            .all(|(place, key, value)| { key == format!("key.{place}") && value == EntryValue::U32(place as u32 + 1) })
    );
}
