//! Calls that a writer refuses, and that do not change the file.

use gguf_format::write::encode::OwnedValue;
use gguf_format::write::{NewValue, Writer};
use gguf_format::{Endian, ErrorCode, Format, GgmlType, ValueType};

use super::small_writer;

/// Asserts that a call on a small file is refused with this code and message, and that the file does not change.
fn refused(change: impl FnOnce(&mut Writer) -> Result<(), gguf_format::Error>) -> (ErrorCode, String) {
    let mut writer = small_writer();
    let error = change(&mut writer).unwrap_err();
    assert_eq!(writer.plan(), small_writer().plan());
    (error.code(), error.to_string())
}

fn refused_tensor(name: &[u8], dimensions: &[u64], ggml_type: GgmlType) -> (ErrorCode, String) {
    refused(|writer| writer.add_tensor(name, dimensions, ggml_type).map(|_| ()))
}

#[test]
fn versions_other_than_2_and_3_are_refused() {
    for version in [0, 1, 4] {
        let error = Writer::new(Format { version, endian: Endian::Little }).err().unwrap();
        assert_eq!(error.code(), "unsupported-version");
        assert_eq!(error.to_string(), format!("cannot write a file of version {version}: use version 2 or 3"));
    }
}

#[test]
fn invalid_entries_are_refused() {
    let add = |key: &[u8], value: OwnedValue| refused(|writer| writer.add(key, &value));
    let set = |key: &[u8], value: OwnedValue| refused(|writer| writer.set(key, &value));

    let taken =
        "cannot use the key \"general.name\": another entry has it; rename or remove that entry first".to_owned();
    assert_eq!(add(b"general.name", 1_u8.into()), (ErrorCode::KeyTaken, taken));
    let unknown = "cannot set the value of \"general.nam\": no entry has this key; add it first".to_owned();
    assert_eq!(set(b"general.nam", 1_u8.into()), (ErrorCode::UnknownKey, unknown));
    let empty = "cannot use the key \"\": it has 0 bytes; a key has 1 to 65535 bytes".to_owned();
    assert_eq!(add(b"", 1_u8.into()), (ErrorCode::BadKey, empty));
    assert_eq!(add(&[b'k'; 65_536], 1_u8.into()).0, ErrorCode::BadKey);
    let mixed = OwnedValue::Array { element_type: ValueType::Bool, elements: vec![1_u8.into()] };
    assert_eq!(add(b"mixed", mixed.clone()).0, ErrorCode::DoesNotFit);
    assert_eq!(set(b"general.name", mixed).0, ErrorCode::DoesNotFit);
    let deep = (0..70).fold(OwnedValue::from(1_u8), |value, _| OwnedValue::array(value.value_type(), [value]));
    assert_eq!(add(b"deep", deep).0, ErrorCode::LimitExceeded);
    for value in [0_u32.into(), 4_u32.into(), 48_u32.into(), 32_u64.into(), "32".into()] {
        assert_eq!(add(b"general.alignment", value).0, ErrorCode::BadAlignment);
    }
    assert_eq!(refused(|writer| writer.set_alignment(1)).0, ErrorCode::BadAlignment);
}

#[test]
fn invalid_tensors_are_refused() {
    let f32 = GgmlType::F32;
    let taken =
        "cannot use the tensor name \"t\": another tensor has it; rename or remove that tensor first".to_owned();
    assert_eq!(refused_tensor(b"t", &[1], f32), (ErrorCode::NameTaken, taken));
    assert_eq!(refused_tensor(&[b'n'; 64], &[1], f32).0, ErrorCode::BadName);
    assert_eq!(refused_tensor(b"a\0b", &[1], f32).0, ErrorCode::BadName);
    assert_eq!(
        refused_tensor(b"u", &[1], GgmlType(137)),
        (ErrorCode::UnknownType, "cannot add the tensor \"u\": ggml has no type unknown(137)".to_owned())
    );
    assert_eq!(refused_tensor(b"u", &[32], GgmlType(4)).0, ErrorCode::UnknownType);
    let partial =
        "cannot add the tensor \"u\": a row has 33 elements, which is no multiple of the 32 elements of a Q8_0 block";
    assert_eq!(refused_tensor(b"u", &[33], GgmlType::Q8_0), (ErrorCode::DoesNotFit, partial.to_owned()));
    // The row length must be a multiple of the block size, not only the number of elements.
    assert_eq!(refused_tensor(b"u", &[16, 2], GgmlType::Q8_0).0, ErrorCode::DoesNotFit);
    assert_eq!(refused_tensor(b"u", &[], GgmlType::Q8_0).0, ErrorCode::DoesNotFit);
    assert_eq!(refused_tensor(b"u", &[1; 5], f32).0, ErrorCode::LimitExceeded);
    let most = i64::MAX as u64;
    for dimensions in [&[most][..], &[1 << 32, 1 << 31], &[u64::MAX, 0], &[1 << 40, 0, 1 << 40], &[1 << 61]] {
        assert_eq!(refused_tensor(b"u", dimensions, f32).0, ErrorCode::LimitExceeded, "{dimensions:?}");
    }
    // Each of the two is valid alone, but not both together.
    let mut writer = small_writer();
    writer.add_tensor(b"u", &[1 << 52], GgmlType::I8).unwrap();
    assert_eq!(writer.add_tensor(b"v", &[1 << 52], GgmlType::I8).unwrap_err().code(), ErrorCode::LimitExceeded);
    assert_eq!(writer.add_tensor(b"v", &[(1 << 52) - 4096], GgmlType::I8), Ok(2));
    assert_eq!(writer.set_alignment(1 << 31).unwrap_err().code(), ErrorCode::LimitExceeded);
    assert_eq!(writer.alignment(), 32);
}

#[test]
fn sizes_and_counts_that_readers_refuse_are_refused() {
    let mut writer = Writer::new(Format::default()).unwrap();
    for index in 0..1 << 20 {
        writer.add_tensor(format!("{index}").as_bytes(), &[], GgmlType::I8).unwrap();
    }
    let error = writer.add_tensor(b"one more", &[], GgmlType::I8).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    assert_eq!(
        error.to_string(),
        "cannot add the tensor \"one more\": the file has 1048576; readers accept at most 1048576"
    );

    // The values share their memory, so a header that is too large takes little.
    let mut writer = Writer::new(Format::default()).unwrap();
    let value = NewValue::new(&OwnedValue::String(vec![0; 1 << 26])).unwrap();
    for key in 0..15_u8 {
        writer.put(&[key], value.clone()).unwrap();
    }
    let error = writer.put(b"p", value.clone()).unwrap_err();
    assert_eq!(error.code(), "limit-exceeded");
    assert_eq!(
        error.to_string(),
        "cannot write the header: it would have 1073742184 bytes; readers accept at most 1073741824"
    );
    writer.set(&[0], &1_u8.into()).unwrap();
    writer.put(b"p", value).unwrap();
}

#[test]
fn values_are_found_by_their_keys() {
    let mut writer = small_writer();
    assert_eq!(writer.get(b"general.name").unwrap().value().as_str().unwrap(), "abc");
    writer.set(b"general.name", &1_u8.into()).unwrap();
    assert_eq!(writer.get(b"general.name").unwrap().value().as_u64(), Some(1));
    assert!(writer.get(b"general.nam").is_none());
}
