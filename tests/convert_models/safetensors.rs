//! Headers of safetensors files.

use gguf_convert::safetensors::{DataType, SafetensorsHeader};

/// A file with a header and some bytes of data.
fn file(header: &str, data: usize) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.resize(file.len() + data, 0);
    file
}

fn decode(header: &str, data: usize) -> gguf_format::Result<SafetensorsHeader> {
    let file = file(header, data);
    SafetensorsHeader::decode(&file, Some(file.len() as u64))
}

#[track_caller]
fn assert_error(header: &str, data: usize, code: &str, offset: u64, message: &str) {
    let error = decode(header, data).unwrap_err();
    assert_eq!((error.code().name(), error.offset()), (code, Some(offset)), "{error}");
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn tensors_are_sorted_by_their_names() {
    let header = decode(
        r#"{"__metadata__":{"format":"pt"},"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[4,16]},"a":{"shape":[],"data_offsets":[0,4],"dtype":"F32","more":[1]}}  "#,
        16,
    )
    .unwrap();
    let names: Vec<_> = header.tensors().iter().map(|tensor| (tensor.name.as_str(), tensor.data_type)).collect();
    assert_eq!(names, [("a", DataType::F32), ("b", DataType::BF16)]);
    assert_eq!(header.metadata(), [("format".to_owned(), "pt".to_owned())]);
    let b = header.tensor("b").unwrap();
    assert_eq!((b.element_count(), b.range.start - header.data_start()), (6, 4));
    assert!(header.tensor("c").is_none());
}

#[test]
fn bytes_between_tensors_and_after_them_are_harmless() {
    decode(r#"{"a":{"dtype":"U8","shape":[2],"data_offsets":[4,6]}}"#, 100).unwrap();
}

#[test]
fn sizes_that_do_not_fit_their_shape_are_errors() {
    for (entry, message) in [
        (r#"{"dtype":"F32","shape":[3],"data_offsets":[0,8]}"#, "12 bytes are expected for F32 elements of shape [3]"),
        (r#"{"dtype":"F32","shape":[3],"data_offsets":[12,0]}"#, "has data from 12 to 0"),
        (r#"{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}"#, "has too many elements"),
        (r#"{"dtype":"F64","shape":[9007199254740992],"data_offsets":[0,72057594037927936]}"#, "has too many elements"),
        (r#"{"dtype":"F4","shape":[3],"data_offsets":[0,1]}"#, "has too many elements"),
        (r#"{"dtype":"U8","shape":[0],"data_offsets":[18446744073709551615,18446744073709551615]}"#, "has data up to"),
        (r#"{"dtype":"U8","shape":[-1],"data_offsets":[0,0]}"#, "invalid value: integer `-1`"),
        (r#"{"dtype":"U8","shape":[1.5],"data_offsets":[0,0]}"#, "invalid type: floating point"),
        (r#"{"dtype":"bf16","shape":[1],"data_offsets":[0,2]}"#, "the type \"bf16\" is unknown"),
        (r#"{"dtype":"U8","shape":[1]}"#, "missing field `data_offsets`"),
        (r#"{"dtype":"U8","shape":[1],"data_offsets":[0,1],"dtype":"U8"}"#, "\"dtype\" of a tensor is there twice"),
        (r#"[]"#, "expected an object with dtype, shape and data_offsets"),
    ] {
        let error = decode(&format!(r#"{{"a":{entry}}}"#), 16).unwrap_err();
        assert_eq!(error.code(), "bad-safetensors", "{entry}: {error}");
        assert!(error.to_string().contains(message), "{entry}: {error}");
        assert!(error.offset().is_some_and(|offset| offset > 8), "{entry}: {:?}", error.offset());
    }
}

#[test]
fn names_that_are_there_twice_are_errors() {
    let entry = r#"{"dtype":"U8","shape":[1],"data_offsets":[0,1]}"#;
    let header = format!(r#"{{"a":{entry},"a":{entry}}}"#);
    let error = decode(&header, 1).unwrap_err();
    assert!(error.to_string().contains("the tensor \"a\" is there twice"), "{error}");
    assert!(decode(r#"{"__metadata__":{},"__metadata__":{}}"#, 0).is_err());
}

#[test]
fn data_that_overlap_are_an_error() {
    let header =
        r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}}"#;
    assert_error(header, 7, "bad-safetensors", 8 + header.len() as u64 + 3, "have bytes in common");
}

#[test]
fn a_file_that_ends_early_is_an_error() {
    let header = r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}"#;
    assert_error(header, 3, "truncated", 8 + header.len() as u64 + 3, "the data of tensor \"a\" ends at");
    for length in 0..8 + header.len() {
        let error = SafetensorsHeader::decode(&file(header, 4)[..length], None).unwrap_err();
        assert_eq!((error.code().name(), error.offset()), ("unexpected-eof", Some(length as u64)));
    }
}

#[test]
fn the_length_of_the_header_is_limited() {
    let error = SafetensorsHeader::decode(&u64::MAX.to_le_bytes(), None).unwrap_err();
    assert_eq!((error.code().name(), error.offset()), ("limit-exceeded", Some(0)));
}

#[test]
fn headers_that_are_no_objects_are_errors() {
    for header in ["", "[]", "null", "{", "{}x", "\"a\"", r#"{"a":1}"#, "\u{feff}{}"] {
        assert_eq!(decode(header, 0).unwrap_err().code(), "bad-safetensors", "{header}");
    }
    let deep = format!(r#"{{"a":{{"x":{}"#, "[".repeat(1 << 16));
    assert_eq!(decode(&deep, 0).unwrap_err().code(), "bad-safetensors");
    let mut broken = file(r#"{"a":{}}"#, 0);
    broken[10] = 0xff;
    assert_eq!(SafetensorsHeader::decode(&broken, None).unwrap_err().code(), "bad-safetensors");
}
