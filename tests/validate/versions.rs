//! Versions and byte orders.

use std::collections::BTreeSet;

use gguf_format::write::encode::OwnedValue;
use gguf_format::{Decoder, Endian, Format, Progress, ValueType};
use gguf_models::validate::{Check, Severity, validate};

use crate::gguf_bytes::GgufBytes;
use crate::validate::test_file::TestFile;
use crate::validate::{codes, validate_file};

#[test]
fn versions_and_byte_orders_have_their_findings() {
    let file = |version, endian| TestFile::new().format(version, endian);
    file(3, Endian::Little).assert_no_findings();
    file(2, Endian::Little).assert_no_findings();
    file(1, Endian::Little).assert_only_in_file(
        Check::Version1,
        "the version is 1, which llama.cpp no longer reads. Save the file as version 3.",
        Some(4),
    );
    file(3, Endian::Big).assert_only_in_file(
        Check::BigEndian,
        "the file is big-endian. llama.cpp refuses its version on little-endian machines, which most are. \
         Save it as little-endian for them.",
        Some(4),
    );
    let message = "the file is big-endian, but version 2 has only little-endian files. Save it as version 3.";
    file(2, Endian::Big).assert_only_in_file(Check::BigEndianBeforeVersion3, message, Some(4));

    for value in [1u64.into(), OwnedValue::array(ValueType::Float64, [1.0])] {
        let old = TestFile::with(b"k", value).format(1, Endian::Little);
        let (file, entries, _) = old.encode();
        let findings = validate_file(&file);
        assert_eq!(codes(&findings), BTreeSet::from(["type-of-later-version", "version-1"]));
        assert_eq!(findings[1].offset, Some(entries[1] + 5));
    }
}

/// A file of version 3 without tensors, whose version field says 1: its number of tensors reads as both counts of version 1.
#[test]
fn a_file_of_version_3_whose_version_field_says_1_is_found() {
    for endian in [Endian::Little, Endian::Big] {
        for version in [2, 3] {
            let mut file = GgufBytes::new(Format { version, endian });
            file.header(0, 3)
                .entry(b"general.architecture", &"llama".into())
                .entry(b"b", &1u8.into())
                .entry(b"c", &2u8.into());
            let mut file = file.into_bytes();
            assert!(!codes(&validate_file(&file)).contains("wrong-version"));
            file[4..8].copy_from_slice(&if endian == Endian::Little { 1u32.to_le_bytes() } else { 1u32.to_be_bytes() });
            let findings = validate_file(&file);
            let found = codes(&findings);
            assert!(found.is_superset(&["version-1", "wrong-version", "bytes-without-tensors"].into()), "{findings:?}");
            let finding = findings.iter().find(|finding| finding.check == Check::WrongVersion).unwrap();
            let message = "the version is 1, but the next bytes read as version 2 or 3 with a metadata count of 3. Correct the version.";
            assert_eq!((&*finding.message, finding.offset), (message, Some(4)));
            assert_eq!(finding.check.severity(), Severity::Error);

            // The header ends at the same position. Later bytes are retained only if they tell that the version is wrong.
            for (arrived, is_seen) in [(16, false), (39, false), (40, true)] {
                let mut decoder = Decoder::new();
                assert_eq!(decoder.push(&file[..arrived]).unwrap(), Progress::Done { consumed: 16 });
                let header = decoder.into_header().unwrap();
                assert_eq!((header.header_size(), header.bytes().len()), (16, if is_seen { 40 } else { 16 }));
                let found = codes(&validate(&header, Some(file.len() as u64)));
                assert_eq!(found.contains("wrong-version"), is_seen, "{arrived} bytes: {found:?}");
                assert!(found.contains("bytes-without-tensors"));
            }
        }
    }
}

#[test]
fn other_bytes_after_an_empty_header_of_version_1_are_not_taken_for_a_wrong_version() {
    let empty = *b"GGUF\x01\0\0\0\0\0\0\0\0\0\0\0";
    let number = |number: u64| number.to_le_bytes();
    let cases = [
        vec![],
        vec![0; 16],
        vec![0; 100],
        vec![0xff; 100],
        [number(1), number(7), *b"key\0\0\0\0\0", number(0)].concat(),
        [number(1), number(0), *b"general.", number(0)].concat(),
        [number(1), number(1 << 40), *b"general.", number(0)].concat(),
        [number(1 << 40), number(20), *b"general.", number(0)].concat(),
    ];
    for after in cases {
        let file = [&empty[..], &after].concat();
        let found = codes(&validate_file(&file));
        assert!(found.contains("version-1") && !found.contains("wrong-version"), "{after:?}: {found:?}");
        assert_eq!(found.contains("bytes-without-tensors"), file.len() > 32, "{after:?}: {found:?}");
    }
}
