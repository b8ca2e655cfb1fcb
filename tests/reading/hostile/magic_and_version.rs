//! The first bytes of a file.

use super::*;

#[test]
fn another_file_is_refused_with_its_magic() {
    let others: [&[u8]; 8] =
        [b"<!doctype html>", b"version https://git-lfs", b"PK\x03\x04", b"ggml", b"ggjt", b"gguf", b"FUGG", b"\0GGU"];
    for other in others {
        let error = open(other).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::BadMagic { found: other[..4].try_into().unwrap() });
        assert_eq!(error.offset(), 0);
        assert_eq!(error.to_string().contains("It looks like a web page"), other.starts_with(b"<"), "{error}");
    }
}

#[test]
fn an_unknown_version_is_refused() {
    let versions: [([u8; 4], u32); 7] = [
        ([0, 0, 0, 0], 0),
        ([4, 0, 0, 0], 4),
        ([0, 0, 0, 4], 4),
        ([255, 255, 255, 255], u32::MAX),
        ([0, 0, 1, 0], 256),
        ([0, 1, 0, 0], 256),
        ([3, 0, 0, 128], 0x8000_0003),
    ];
    for (bytes, found) in versions {
        let error = open(&[*b"GGUF", bytes, [0; 4], [0; 4], [0; 4], [0; 4]].concat()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (&ErrorKind::UnsupportedVersion { found }, 4));
    }
}

#[test]
fn an_empty_header_opens_in_every_format() {
    for format in sample::formats() {
        let empty = file(format, 0, 0, |e| e);
        let header = open(&empty).unwrap();
        assert_eq!((header.header_size(), header.data_offset()), (8 + 2 * format.length_size(), 32));
        assert_eq!((header.metadata().len(), header.tensors().len(), header.parameter_count()), (0, 0, 0));
        assert_eq!(header.format(), format);
    }
}
