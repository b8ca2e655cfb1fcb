//! Arrays in arrays.

use super::*;

/// Arrays of one array each, the innermost of three bytes.
fn nested(levels: usize) -> Vec<u8> {
    v3(0, 1, |file| {
        file.key(b"k", ARRAY);
        for _ in 1..levels {
            file.array(ARRAY, 1);
        }
        file.array(0, 3).bytes(b"abc")
    })
}

#[test]
fn arrays_nested_up_to_the_limit_are_read() {
    let header = open(&nested(64)).unwrap();
    let mut array = header.get("k").unwrap().value().as_array().unwrap();
    for _ in 1..64 {
        assert_eq!((array.len(), array.element_type()), (1, ValueType::Array));
        array = array.get(0).unwrap().as_array().unwrap();
    }
    assert_eq!(*array.to_bytes(), *b"abc");
}

#[test]
fn arrays_nested_beyond_the_limit_are_refused() {
    for levels in [65, 2_000, 100_000] {
        assert_eq!(excess(&nested(levels)), (Limit::ArrayDepth, 65, 64, 37 + 64 * 12));
    }
}

#[test]
fn deep_nesting_with_a_raised_limit_does_not_overflow_the_stack() {
    let mut limits = Limits::default();
    limits.array_depth = u64::MAX;
    let file = nested(100_000);
    let mut decoder = gguf_format::Decoder::with_limits(limits);
    decoder.push(&file).unwrap();
    let header = decoder.into_header().unwrap();
    assert_eq!(header.header_size(), file.len() as u64);
    let mut array = header.get("k").unwrap().value().as_array().unwrap();
    for _ in 1..200 {
        array = array.get(0).unwrap().as_array().unwrap();
        assert_eq!(array.range().end, file.len() as u64);
    }
}

/// Two elements on each of 12 levels. The end of an element is searched once per level, not once per element.
#[test]
fn an_element_of_a_wide_and_deep_array_is_found() {
    let leaf = OwnedValue::array(ValueType::Uint8, [1u8]);
    let tree = (0..12).fold(leaf, |inner, _| OwnedValue::array(ValueType::Array, [inner.clone(), inner]));
    let header = open(&v3(0, 1, |file| file.entry(b"tree", &tree))).unwrap();
    let mut array = header.get("tree").unwrap().value().as_array().unwrap();
    for _ in 0..12 {
        array = array.get(1).unwrap().as_array().unwrap();
    }
    assert_eq!(array.get(0), Some(Value::Uint8(1)));
}
