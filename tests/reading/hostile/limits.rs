//! Limits of the caller.

use super::*;

fn within(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

/// Asserts that a file opens at a limit and is refused by the next smaller one.
fn at_most(file: &[u8], limit: Limit, found: u64, offset: u64, set: fn(&mut Limits, u64)) {
    assert!(open_within(file, &within(|limits| set(limits, found))).is_ok());
    for allowed in [found - 1, 0] {
        let excess = excess_within(file, &within(|limits| set(limits, allowed)));
        assert_eq!(excess.0, limit);
        assert_eq!(excess.2, allowed);
        if allowed == found - 1 {
            assert_eq!((excess.1, excess.3), (found, offset), "{limit:?}");
        }
    }
}

#[test]
fn each_limit_allows_its_value_and_refuses_one_more() {
    let row = OwnedValue::array(ValueType::Uint8, [1u8, 2, 3, 4, 5]);
    let rows = OwnedValue::array(ValueType::Array, [row]);
    let file = v3(2, 3, |file| {
        file.entry(b"text", &"eleven byte".into()).entry(b"rows", &rows).entry(b"n", &1u8.into());
        file.tensor(b"a", &[1, 2, 3], 0, 0).tensor(b"b", &[], 0, 0)
    });
    let header = open(&file).unwrap();
    let value_start = |key| header.get(key).unwrap().value_range().start;
    at_most(&file, Limit::TensorCount, 2, 8, |limits, n| limits.tensor_count = n);
    at_most(&file, Limit::MetadataCount, 3, 16, |limits, n| limits.metadata_count = n);
    at_most(&file, Limit::StringBytes, 11, value_start("text"), |limits, n| limits.string_bytes = n);
    at_most(&file, Limit::ArrayLength, 5, value_start("rows") + 12 + 4, |limits, n| limits.array_length = n);
    at_most(&file, Limit::ArrayDepth, 2, value_start("rows") + 12, |limits, n| limits.array_depth = n);
    let dimensions = header.tensor("a").unwrap().name().range().end;
    at_most(&file, Limit::DimensionCount, 3, dimensions, |limits, n| limits.dimension_count = n);
    let last = header.tensor("b").unwrap().name().range().end + 4;
    at_most(&file, Limit::HeaderBytes, file.len() as u64, last, |limits, n| limits.header_bytes = n);
}

#[test]
fn the_string_limit_holds_for_keys_values_elements_and_names() {
    let longest = "twelve bytes";
    let list = OwnedValue::array(ValueType::String, ["a", "bc", longest, "d"]);
    let set = |limits: &mut Limits, n| limits.string_bytes = n;
    let key = v3(0, 1, |file| file.entry(longest.as_bytes(), &1u8.into()));
    at_most(&key, Limit::StringBytes, 12, 24, set);
    let value = v3(0, 1, |file| file.entry(b"k", &longest.into()));
    at_most(&value, Limit::StringBytes, 12, 37, set);
    let element = v3(0, 1, |file| file.entry(b"k", &list));
    at_most(&element, Limit::StringBytes, 12, 37 + 12 + 9 + 10, set);
    let name = v3(1, 0, |file| file.tensor(longest.as_bytes(), &[], 0, 0));
    at_most(&name, Limit::StringBytes, 12, 24, set);
}

/// Every smaller limit is exceeded by the item that crosses it.
#[test]
fn a_header_limit_is_refused_wherever_it_ends() {
    for format in sample::formats() {
        let (file, header_size) = sample::file(format);
        for allowed in 0..header_size {
            let (limit, found, _, offset) = excess_within(&file, &within(|limits| limits.header_bytes = allowed));
            assert_eq!(limit, Limit::HeaderBytes);
            assert!(offset <= allowed && allowed < found && found <= header_size, "{offset} {allowed} {found}");
        }
        assert!(open_within(&file, &within(|limits| limits.header_bytes = header_size)).is_ok());
    }
}

#[test]
fn a_limit_is_refused_before_the_bytes_arrive() {
    let mut decoder = gguf_format::Decoder::new();
    let file = v3(0, 1, |file| file.key(b"k", ARRAY).array(STRING, 1 << 28));
    let error = decoder.push(&file).unwrap_err();
    assert_eq!((error.code().name(), error.offset()), ("limit-exceeded", 37));
}

#[test]
fn without_limits_huge_numbers_are_an_unexpected_end() {
    let unlimited = within(|limits| {
        limits.header_bytes = u64::MAX;
        limits.string_bytes = u64::MAX;
        limits.array_length = u64::MAX;
        limits.array_depth = u64::MAX;
        limits.metadata_count = u64::MAX;
        limits.tensor_count = u64::MAX;
        limits.dimension_count = u64::MAX;
    });
    let files = [
        v3(u64::MAX, u64::MAX, |file| file.count(u64::MAX)),
        v3(0, 1, |file| file.key(b"k", STRING).count(u64::MAX - 1)),
        v3(0, 1, |file| file.key(b"k", ARRAY).array(STRING, u64::MAX).string(b"a")),
        v3(0, 1, |file| file.key(b"k", ARRAY).array(ARRAY, 1 << 61).array(ValueType::Uint64.id(), 1 << 61)),
        v3(1, 0, |file| file.string(b"t").u32(u32::MAX)),
    ];
    for file in files {
        assert_eq!(open_within(&file, &unlimited).unwrap_err().code(), "unexpected-eof");
    }
}
