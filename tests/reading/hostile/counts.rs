//! Numbers of tensors and entries.

use super::*;

#[test]
fn a_count_beyond_the_limit_is_refused_at_its_offset() {
    for found in [(1 << 20) + 1, 1 << 61, 1 << 62, 1 << 63, u64::MAX] {
        let tensors = v3(found, 0, |file| file.bytes(&[0; 64]));
        assert_eq!(excess(&tensors), (Limit::TensorCount, found, 1 << 20, 8));
        let entries = v3(0, found, |file| file.bytes(&[0; 64]));
        assert_eq!(excess(&entries), (Limit::MetadataCount, found, 1 << 20, 16));
    }
    let v1 = Format { version: 1, endian: Endian::Big };
    assert_eq!(excess(&file(v1, 0, u64::MAX, |file| file)), (Limit::MetadataCount, u32::MAX.into(), 1 << 20, 12));
}

#[test]
fn a_count_larger_than_the_file_is_an_unexpected_end() {
    assert_eq!(failure(&v3(0, 1 << 20, |file| file.entry(b"k", &1u8.into()))), ("unexpected-eof", 38));
    assert_eq!(failure(&v3(1 << 20, 0, |file| file.tensor(b"t", &[], 0, 0))), ("unexpected-eof", 49));
}

#[test]
fn zero_bytes_are_entries_with_an_empty_key() {
    // An empty key with an UINT8 of 0 takes 13 zero bytes.
    let header = open(&v3(0, 5, |file| file.bytes(&[0; 65]))).unwrap();
    assert_eq!(header.metadata().len(), 5);
    assert_eq!(header.get("").unwrap().index(), 0);
}
