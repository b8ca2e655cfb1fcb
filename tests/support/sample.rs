//! Small files with every feature of the format.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Format, ValueType};

use crate::gguf_bytes::GgufBytes;

/// The six combinations of version and byte order.
pub fn formats() -> impl Iterator<Item = Format> {
    [1, 2, 3].into_iter().flat_map(|version| [Endian::Little, Endian::Big].map(|endian| Format { version, endian }))
}

/// Values of every type: unusual strings, and arrays of every element type, empty, nested, and longer than the stride of the
/// index.
pub fn values() -> Vec<OwnedValue> {
    let mut values: Vec<OwnedValue> = vec![
        u8::MAX.into(),
        i8::MIN.into(),
        u16::MAX.into(),
        i16::MIN.into(),
        u32::MAX.into(),
        i32::MIN.into(),
        (-0.5f32).into(),
        true.into(),
        false.into(),
        "text".into(),
        "".into(),
        OwnedValue::String(b"\xff\0\xc3".to_vec()),
        u64::MAX.into(),
        i64::MIN.into(),
        f64::MIN_POSITIVE.into(),
        OwnedValue::array(ValueType::Uint8, [1u8, 2, 3]),
        OwnedValue::array(ValueType::Bool, [true, false]),
        OwnedValue::array(ValueType::Float64, [1.5, -2.5]),
        OwnedValue::array(ValueType::String, ["<s>", "", "</s>"]),
        OwnedValue::array(ValueType::String, (0..130).map(|i| ["a", "", "bcd"][i % 3])),
        OwnedValue::array(ValueType::Array, [0u8; 0]),
        OwnedValue::array(ValueType::String, [""; 0]),
    ];
    let row = |i: u32| OwnedValue::array(ValueType::Uint16, (0..i % 4).map(|j| (i + j) as u16));
    values.push(OwnedValue::array(ValueType::Array, (0..66).map(row)));
    let strings = OwnedValue::array(ValueType::String, ["x"; 65]);
    let deep = (0..5).fold(strings, |inner, _| OwnedValue::array(ValueType::Array, [row(1), inner]));
    values.push(deep);
    values
}

/// A file with [`values`], a duplicate key, and tensors; and the size of its header.
pub fn file(format: Format) -> (Vec<u8>, u64) {
    let mut file = GgufBytes::new(format);
    let values = values();
    file.header(3, values.len() as u64 + 3);
    file.entry(b"general.alignment", &64u32.into());
    for (index, value) in values.iter().enumerate() {
        file.entry(format!("key.{index}").as_bytes(), value);
    }
    file.entry(b"key.0", &"again".into()).entry(b"", &1u8.into());
    file.tensor(b"a", &[64, 2], 2, 0).tensor(b"", &[], 0, 128).tensor(b"c", &[1, 2, 3, 4, 5], 137, 192);
    let header_size = file.len();
    file.pad_to(64).bytes(&[7; 100]);
    (file.into_bytes(), header_size)
}
