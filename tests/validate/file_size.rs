//! Files that are too short or too long.

use std::collections::BTreeSet;

use gguf_format::{Format, GgmlType};
use gguf_models::validate::{Check, Severity, validate};

use crate::gguf_bytes::GgufBytes;
use crate::validate::codes;
use crate::validate::test_file::TestFile;

#[test]
fn missing_and_surplus_bytes_at_the_end_are_found() {
    let tensors = |data| {
        let names: [&[u8]; 5] = [b"a", b"b", b"c", b"d", b"e"];
        let mut file = TestFile::new().data(data);
        for (name, at) in names.into_iter().zip(0u64..) {
            file = file.tensor(name, &[7], GgmlType::F32, at * 32);
        }
        file
    };
    tensors(160).assert_no_findings();
    let size = |data| tensors(data).encode().0.len() as u64;
    let (all, start) = (size(160), size(0));
    let truncated = |found: u64| {
        format!("the file has {found} bytes, but its header and tensors need {}. Download the file again.", all - 4)
    };
    let message = "the file lacks 4 bytes of padding at the end. Append zeros if a reader refuses the file.";
    tensors(156).assert_only_in_file(Check::MissingPadding, message, Some(all - 4));
    let message = truncated(all - 5);
    tensors(155).assert_only_in_file(Check::Truncated, &message, Some(all - 5));
    let message = truncated(start);
    tensors(0).assert_only_in_file(Check::Truncated, &message, Some(start));
    let message = "the file has 7 bytes after the data of all tensors. Remove them, unless a program needs them.";
    tensors(167).assert_only_in_file(Check::TrailingBytes, message, Some(all));

    // Without tensors there is no data section, but may be padding.
    let (file, ..) = TestFile::with(b"k", 1u8).encode();
    let header = gguf_format::parse(&file).unwrap();
    assert_eq!(validate(&header, Some(header.header_size())), []);
    assert_eq!(validate(&header, Some(header.data_offset())), []);
    let findings = validate(&header, Some(header.data_offset() + 1));
    assert_eq!(codes(&findings), BTreeSet::from(["bytes-without-tensors"]));
    assert_eq!(findings[0].check.severity(), Severity::Warning);
    assert_eq!(
        findings[0].message,
        "the file has 1 byte after a header that announces no tensors. Check the counts in the header."
    );
    assert_eq!(findings[0].offset, Some(header.data_offset()));
    assert_eq!(validate(&header, Some(header.header_size() - 1))[0].check, Check::Truncated);
    assert_eq!(validate(&header, None), []);
}

#[test]
fn a_file_of_empty_tensors_needs_a_data_section() {
    let (file, ..) = TestFile::new().tensor(b"t", &[0], GgmlType::F32, 0).encode();
    let header = gguf_format::parse(&file).unwrap();
    let of_size = |size| {
        let findings = validate(&header, Some(size)).into_iter();
        let missing = findings.filter(|finding| finding.check == Check::NoDataSection);
        missing.map(|finding| (finding.message, finding.offset)).collect::<Vec<_>>()
    };
    assert_eq!(of_size(header.data_offset()), []);
    let (size, missing) = (header.header_size(), header.data_offset() - header.header_size());
    assert!(missing > 1);
    let message =
        format!("the file ends {missing} bytes before the data section, and llama.cpp refuses it. Append the padding.");
    assert_eq!(of_size(size), [(message, Some(size))]);
}

/// The plural is not used for one item.
#[test]
fn messages_use_the_singular_for_one() {
    let file = |data: usize| {
        let mut file = GgufBytes::new(Format::default());
        file.header(1, 1).entry(b"general.architecture", &"llama".into()).tensor(b"output.weight", &[8], 0, 0);
        file.pad_to(32).bytes(&vec![0; data]);
        file.into_bytes()
    };
    let message = |data: usize| {
        let file = file(data);
        let findings = validate(&gguf_format::parse(&file).unwrap(), Some(file.len() as u64));
        findings
            .into_iter()
            .map(|finding| finding.message)
            .filter(|message| message.contains("after the data"))
            .collect()
    };
    let messages: [Vec<String>; 2] = [33, 34].map(message);
    let advice = "Remove them, unless a program needs them.";
    assert_eq!(
        messages,
        ["1 byte", "2 bytes"].map(|count| [format!("the file has {count} after the data of all tensors. {advice}")])
    );
}
