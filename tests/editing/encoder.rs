//! The bytes that `write::encode::Encoder` writes.

use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Endian, Format, ValueType};

const V1: Format = Format { version: 1, endian: Endian::Little };
const V3: Format = Format { version: 3, endian: Endian::Little };
const V3_BIG: Format = Format { version: 3, endian: Endian::Big };

/// The bytes that `write` appends to an empty encoder.
fn written(format: Format, write: impl FnOnce(&mut Encoder) -> &mut Encoder) -> Vec<u8> {
    let mut encoder = Encoder::new(format);
    write(&mut encoder);
    encoder.into_bytes()
}

#[test]
fn header_has_the_widths_of_its_version() {
    let header = |format| written(format, |e| e.header(2, 5));
    assert_eq!(header(V1), b"GGUF\x01\0\0\0\x02\0\0\0\x05\0\0\0");
    let v2 = Format { version: 2, ..V3 };
    assert_eq!(header(v2), b"GGUF\x02\0\0\0\x02\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0");
    assert_eq!(header(V3_BIG), b"GGUF\0\0\0\x03\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x05");
}

#[test]
fn every_value_type_in_both_byte_orders() {
    let cases: [(OwnedValue, &[u8]); 12] = [
        (0x12u8.into(), b"\x12"),
        ((-2i8).into(), b"\xfe"),
        (0x1234u16.into(), b"\x12\x34"),
        ((-2i16).into(), b"\xff\xfe"),
        (0x1234_5678u32.into(), b"\x12\x34\x56\x78"),
        ((-2i32).into(), b"\xff\xff\xff\xfe"),
        (1.5f32.into(), b"\x3f\xc0\0\0"),
        (true.into(), b"\x01"),
        (false.into(), b"\0"),
        (1u64.into(), b"\0\0\0\0\0\0\0\x01"),
        ((-2i64).into(), b"\xff\xff\xff\xff\xff\xff\xff\xfe"),
        (1.5f64.into(), b"\x3f\xf8\0\0\0\0\0\0"),
    ];
    for (value, big) in cases {
        assert_eq!(written(V3_BIG, |e| e.value(&value)), big);
        let little: Vec<u8> = big.iter().rev().copied().collect();
        assert_eq!(written(V3, |e| e.value(&value)), little);
    }
}

#[test]
fn type_ids_are_from_the_format() {
    let values: [OwnedValue; 13] = [
        0u8.into(),
        0i8.into(),
        0u16.into(),
        0i16.into(),
        0u32.into(),
        0i32.into(),
        0f32.into(),
        false.into(),
        "".into(),
        OwnedValue::array(ValueType::Uint8, [0u8; 0]),
        0u64.into(),
        0i64.into(),
        0f64.into(),
    ];
    for (id, value) in values.iter().enumerate() {
        let bytes = written(V1, |e| e.kv(b"", value));
        assert_eq!(&bytes[..8], &[0, 0, 0, 0, id as u8, 0, 0, 0]);
    }
}

#[test]
fn nested_and_empty_arrays() {
    let inner = OwnedValue::array(ValueType::Uint8, [7u8, 8]);
    let empty = OwnedValue::array(ValueType::String, [""; 0]);
    let value = OwnedValue::array(ValueType::Array, [inner, empty]);
    assert_eq!(
        written(V1, |e| e.kv(b"k", &value)),
        b"\x01\0\0\0k\x09\0\0\0\x09\0\0\0\x02\0\0\0\
          \0\0\0\0\x02\0\0\0\x07\x08\
          \x08\0\0\0\0\0\0\0"
    );
}

#[test]
fn invalid_values_are_written_as_given() {
    let mixed =
        OwnedValue::Array { element_type: ValueType::Bool, elements: vec![OwnedValue::String(b"\xff".to_vec())] };
    assert_eq!(written(V1, |e| e.value(&mixed)), b"\x07\0\0\0\x01\0\0\0\x01\0\0\0\xff");
    assert_eq!(
        written(V1, |e| e.key(b"\0", 99).array(77, u64::MAX)),
        b"\x01\0\0\0\0\x63\0\0\0\x4d\0\0\0\xff\xff\xff\xff"
    );
}

#[test]
fn tensor_infos() {
    assert_eq!(
        written(V3_BIG, |e| e.tensor_info(b"ab", &[3], 137, 32)),
        b"\0\0\0\0\0\0\0\x02ab\0\0\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x89\0\0\0\0\0\0\0\x20"
    );
    assert_eq!(written(V1, |e| e.tensor_info(b"", &[], 0, 1 << 32)), b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0");
}

#[test]
fn padding_ends_at_the_next_multiple() {
    let padded = |alignment, len| {
        let mut encoder = Encoder::new(V3);
        encoder.bytes(&vec![1; len]).pad_to(alignment).len()
    };
    assert_eq!(padded(32, 0), 0);
    assert_eq!(padded(32, 1), 32);
    assert_eq!(padded(32, 32), 32);
    assert_eq!(padded(24, 25), 48);
    assert_eq!(padded(1, 5), 5);
    assert_eq!(padded(0, 5), 5);
}

#[test]
fn a_slice_is_written_as_its_elements() {
    assert_eq!(written(V3_BIG, |e| e.u16s(&[1, 2]).i8s(&[-1])), b"\0\x01\0\x02\xff");
    assert_eq!(written(V3, |e| e.f32s(&[1.0])), b"\0\0\x80\x3f");
}
