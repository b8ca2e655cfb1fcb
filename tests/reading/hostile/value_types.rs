//! Types of metadata values.

use super::*;

#[test]
fn an_unknown_value_type_is_refused_at_its_offset() {
    for found in [13, 14, 255, 256, 0x0900_0000, 1 << 31, u32::MAX] {
        let value = v3(0, 1, |file| file.key(b"k", found).bytes(&[0; 64]));
        assert_eq!(failure(&value), ("unknown-value-type", 33));
        let array = v3(0, 1, |file| file.key(b"k", ARRAY).array(found, 0));
        assert_eq!(failure(&array), ("unknown-value-type", 37));
        let inner = v3(0, 1, |file| file.key(b"k", ARRAY).array(ARRAY, 2).array(0, 1).bytes(&[1]).array(found, 1));
        assert_eq!(failure(&inner), ("unknown-value-type", 62));
        let kind = open(&inner).unwrap_err().kind().clone();
        assert_eq!(kind, ErrorKind::UnknownValueType { found });
    }
}

#[test]
fn a_value_of_an_unexpected_type_is_read_as_it_is() {
    let file = v3(0, 3, |file| {
        file.entry(b"split.no", &"0".into())
            .entry(b"general.file_type", &"Q4_0".into())
            .entry(b"tokenizer.ggml.scores", &OwnedValue::array(ValueType::Uint8, [1u8, 2]))
    });
    let header = open(&file).unwrap();
    assert_eq!(header.get("split.no").unwrap().value().as_u64(), None);
    assert_eq!(header.get("general.file_type").unwrap().value().as_str().unwrap(), "Q4_0");
    let scores = header.get("tokenizer.ggml.scores").unwrap().value().as_array().unwrap();
    assert_eq!((scores.element_type(), scores.get(1)), (ValueType::Uint8, Some(Value::Uint8(2))));
}

#[test]
fn every_nonzero_byte_is_true() {
    let file = v3(0, 1, |file| file.key(b"k", ARRAY).array(ValueType::Bool.id(), 4).bytes(&[0, 1, 2, 255]));
    let header = open(&file).unwrap();
    let array = header.get("k").unwrap().value().as_array().unwrap();
    assert!(array.iter().map(|value| value.as_bool().unwrap()).eq([false, true, true, true]));
    assert_eq!(*array.to_bytes(), [0, 1, 2, 255]);
}
