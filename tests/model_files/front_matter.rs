//! Front matter of model cards means what it means for PyYAML: `tests/python/front_matter.py` recorded its values.

use gguf_convert::model::entries::EntryValue;
use gguf_format::ErrorCode;
use serde_json::Value;

use super::long_lists::entries_of;

/// Whether an entry has the value of a card. A card without it has no entry, or an empty list.
fn agrees(expected: &Value, found: Option<&EntryValue>) -> bool {
    match (expected, found) {
        (Value::Null, None) => true,
        (Value::Null, Some(EntryValue::Strings(found))) => found.is_empty(),
        (Value::String(expected), Some(EntryValue::String(found))) => expected.as_bytes() == found,
        (Value::Array(expected), Some(EntryValue::Strings(found))) => {
            expected.iter().map(|text| text.as_str().map(str::as_bytes)).eq(found.iter().map(|text| Some(&text[..])))
        }
        _ => false,
    }
}

#[test]
fn front_matter_means_what_it_means_for_pyyaml() {
    let recorded: Vec<(String, Value)> = serde_json::from_str(include_str!("front_matter.json")).unwrap();
    for (card, expected) in recorded {
        let found = entries_of(card.strip_suffix('\n').unwrap(), "m");
        let texts = ["author", "license"].map(|name| &expected[name]);
        let mut tags = expected["tags"].as_array().into_iter().flatten();
        let is_of_texts = texts.iter().all(|text| text.is_null() || text.is_string()) && tags.all(Value::is_string);
        match found {
            Err(error) => {
                assert!(expected.is_null() || !is_of_texts, "{card:?}: {error}");
                assert_eq!(error.code(), ErrorCode::BadModelCard, "{card:?}: {error}");
            }
            Ok(entries) => {
                assert!(!expected.is_null() && is_of_texts, "{card:?}");
                for (name, key) in
                    [("author", "general.author"), ("license", "general.license"), ("tags", "general.tags")]
                {
                    let entry = entries.iter().find(|(other, _)| *other == key).map(|(_, value)| value);
                    assert!(agrees(&expected[name], entry), "{card:?}: {key} is {entry:?}");
                }
            }
        }
    }
}
