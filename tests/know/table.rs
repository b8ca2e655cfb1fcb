//! The table of keys is in order, and its texts are worth reading.

use std::collections::{BTreeMap, BTreeSet};

use gguf_format::ValueType;
use gguf_models::keys::{EnumValue, KEY_SECTIONS, KeyInfo, KeyType, KeyValues, key_info, keys};

/// The words of a text, in small letters.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect()
}

/// The rows that have the same text as another row.
fn repeated(text: fn(&KeyInfo) -> &str) -> Vec<Vec<&'static str>> {
    let mut patterns = BTreeMap::<String, Vec<&str>>::new();
    for info in keys() {
        patterns.entry(text(&info).to_lowercase()).or_default().push(info.pattern);
    }
    patterns.into_values().filter(|same| same.len() > 1).collect()
}

#[test]
fn sections_are_sorted_and_have_each_key_once() {
    let mut patterns = BTreeSet::new();
    for section in KEY_SECTIONS {
        assert!(section.keys().is_sorted_by(|a, b| a.pattern < b.pattern), "{}", section.title);
        for info in section.keys() {
            assert!(info.pattern.starts_with(section.prefix), "{} is not in {}", info.pattern, section.prefix);
            assert!(patterns.insert(info.pattern), "{} is there twice", info.pattern);
        }
    }
    assert_eq!(patterns.len(), keys().count());
    assert!(patterns.len() > 390);
    let titles: BTreeSet<_> = KEY_SECTIONS.iter().map(|section| section.title).collect();
    assert_eq!(titles.len(), KEY_SECTIONS.len());
}

#[test]
fn titles_and_descriptions_are_distinct() {
    let none: [Vec<&str>; 0] = [];
    assert_eq!(repeated(|info| info.title), none);
    assert_eq!(repeated(|info| info.description), none);
    for info in keys() {
        assert_ne!(info.title.to_lowercase(), info.description.to_lowercase(), "{}", info.pattern);
    }
}

#[test]
fn a_description_says_more_than_the_key() {
    for info in keys() {
        let key = words(info.pattern);
        let more = words(info.description).difference(&key).count();
        assert!(more >= 4, "{}: {}", info.pattern, info.description);
    }
}

#[test]
fn texts_are_short_sentences() {
    for info in keys() {
        let KeyInfo { pattern, title, description, .. } = &info;
        assert!(description.ends_with('.'), "{pattern}: {description}");
        assert!(description.starts_with(|first: char| first.is_uppercase()), "{pattern}: {description}");
        assert!(description.split_whitespace().count() <= 15, "{pattern}: {description}");
        assert!(!title.is_empty() && title.len() <= 50 && !title.ends_with('.'), "{pattern}: {title}");
        assert!(info.note.is_none_or(|note| note.ends_with('.')), "{pattern}");
        assert!(info.unit.is_none_or(|unit| unit.ends_with('s')), "{pattern}");
        assert!(!info.sources.is_empty(), "{pattern}");
        assert!(info.types.iter().next().is_some(), "{pattern}");
    }
}

#[test]
fn placeholders_are_those_that_are_looked_up() {
    for info in keys() {
        let pattern = info.pattern;
        assert_eq!(pattern.contains("{arch}"), pattern.starts_with("{arch}."), "{pattern}");
        assert_eq!(pattern.contains("{name}"), pattern.ends_with(".{name}"), "{pattern}");
        assert!(pattern.matches('{').count() <= 1, "{pattern}");
        let rest = pattern.replace("{arch}", "").replace("{id}", "").replace("{name}", "");
        assert!(!rest.contains(['{', '}']), "{pattern}");
    }
}

#[test]
fn a_deprecated_key_names_a_key_that_replaces_it() {
    let deprecated: Vec<_> = keys().filter_map(|info| Some((info, info.deprecated_for?))).collect();
    assert!(deprecated.len() >= 20);
    for (info, replacement) in deprecated {
        let new = key_info(replacement.as_bytes()).unwrap_or_else(|| panic!("{replacement} of {}", info.pattern));
        assert_eq!(new.pattern, replacement);
        assert_eq!(new.deprecated_for, None, "{replacement}");
        assert_ne!(new.pattern, info.pattern);
    }
    for (old, new) in [
        ("llama.rope.scale_linear", "{arch}.rope.scaling.factor"),
        ("tokenizer.ggml.prefix_token_id", "tokenizer.ggml.fim_pre_token_id"),
        ("tokenizer.ggml.separator_token_id", "tokenizer.ggml.seperator_token_id"),
        ("general.source.huggingface.repository", "general.source.repo_url"),
        ("mpt.attention.clip_kqv", "{arch}.attention.clamp_kqv"),
        ("gptneox.num_rot", "{arch}.rope.dimension_count"),
    ] {
        assert_eq!(key_info(old.as_bytes()).unwrap().deprecated_for, Some(new), "{old}");
    }
}

#[test]
fn listed_values_fit_the_types_of_their_key() {
    let mut listed = 0;
    for info in keys() {
        let element_types: BTreeSet<_> = info
            .types
            .iter()
            .map(|key_type| match key_type {
                KeyType::Single(value_type) | KeyType::Array(value_type) => value_type == ValueType::String,
            })
            .collect();
        let Some(KeyValues::Listed(values)) = info.values else { continue };
        listed += 1;
        let mut names = BTreeSet::new();
        for (index, value) in values.iter().enumerate() {
            let is_text = matches!(value.value, EnumValue::Text(_));
            assert_eq!(element_types, BTreeSet::from([is_text]), "{}", info.pattern);
            assert!(names.insert(value.name) && value.description.ends_with('.'), "{}: {}", info.pattern, value.name);
            assert!(values[..index].iter().all(|other| other.value != value.value), "{}", info.pattern);
        }
    }
    assert!(listed >= 12);
    let values_of = |key: &str| match key_info(key.as_bytes()).unwrap().values {
        Some(KeyValues::Listed(values)) => values,
        _ => panic!("{key} has no list of values"),
    };
    let mean = values_of("bert.pooling_type").iter().find(|value| value.value == EnumValue::Number(1)).unwrap();
    assert_eq!(mean.name, "Mean");
    assert_eq!(values_of("tokenizer.ggml.token_type").len(), 7);
    assert!(matches!(key_info(b"general.file_type").unwrap().values, Some(KeyValues::FileTypes)));
    assert!(key_info(b"general.name").unwrap().values.is_none());
}

#[test]
fn token_ids_and_arrays_of_the_vocabulary_are_marked() {
    let patterns =
        |property: fn(&KeyInfo) -> bool| keys().filter(property).map(|info| info.pattern).collect::<Vec<_>>();
    // Those of n-grams are no special tokens: they only say what n-grams are made of.
    let of_ids = |info: &KeyInfo| info.pattern.ends_with("_token_id") && !info.pattern.contains(".ple.");
    assert_eq!(patterns(|info| info.is_token_id), patterns(of_ids));
    assert!(keys().filter(|info| info.is_token_id).all(|info| info.types.to_string() == "UINT32"));
    assert_eq!(patterns(|info| info.is_per_token), ["tokenizer.ggml.scores", "tokenizer.ggml.token_type"]);
}
