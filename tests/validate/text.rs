//! UTF-8 and hidden characters.

use gguf_format::write::encode::OwnedValue;
use gguf_format::{GgmlType, ValueType};
use gguf_models::validate::{Check, Subject};

use crate::validate::test_file::TestFile;

#[test]
fn invalid_utf8_and_hidden_characters_are_found() {
    TestFile::with(b"k", "text \u{2603}\u{fffd}\u{10ffff}\u{e000}\t\r\n").assert_no_findings();
    // The sequences just outside of table 3-7 of the Unicode standard.
    let invalid: [&[u8]; 14] = [
        b"\x80",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xe0\x9f\xbf",
        b"\xed\xa0\x80",
        b"\xf0\x8f\xbf\xbf",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xff",
        b"\xc2",
        b"\xe2\x98",
        b"\xe2\x98a",
        b"\xf0\x90\x80",
        b"\xe2\x28\xa1",
    ];
    for bytes in invalid {
        let text = [b"ab\xc3\xa9", bytes].concat();
        let message = "the text is not UTF-8 at byte 4, so readers may change it. Write it as UTF-8.";
        TestFile::with(b"k", OwnedValue::String(text)).assert_only_in_last_entry(
            Check::InvalidUtf8,
            message,
            9 + 4 + 8 + 4,
        );
    }
    let message = "the text has the hidden character U+202E at byte 1. Remove it if it is a mistake.";
    TestFile::with(b"k", "a\u{202e}b").assert_only_in_last_entry(Check::HiddenCharacters, message, 9 + 4 + 8 + 1);
    for hidden in ["\0", "\x1b", "\x7f", "\u{9b}", "\u{2066}", "\u{e0041}"] {
        TestFile::with(b"k", hidden).assert_only(Check::HiddenCharacters);
    }
    let tokens = |texts: &[&[u8]]| {
        let texts = texts.iter().map(|text| OwnedValue::String(text.to_vec()));
        OwnedValue::array(ValueType::String, texts)
    };
    TestFile::with(b"k", tokens(&[b"\0".as_slice(), b"a", b""])).assert_no_findings();
    let message = "2 of 4 strings in the array are not UTF-8. Readers may change them.";
    TestFile::with(b"k", tokens(&[b"a".as_slice(), b"b\xff", b"\x80", b""])).assert_only_in_last_entry(
        Check::InvalidUtf8,
        message,
        9 + 16 + 9 + 9,
    );
    let (finding, _, _, tensors) =
        TestFile::new().tensor(b"a\xff", &[8], GgmlType::F32, 0).data(32).assert_only(Check::InvalidUtf8);
    assert_eq!((finding.subject, finding.offset), (Some(Subject::Tensor(0)), Some(tensors[0] + 9)));
}

/// Characters that cross the boundary between two blocks of the retained header, at every position.
#[test]
fn utf8_is_checked_across_blocks_of_the_header() {
    for shift in 0..8 {
        let text = format!("{}{}", "x".repeat(shift), "\u{10348}\u{20ac}\u{e9}".repeat(70_000));
        TestFile::with(b"k", text.as_str()).assert_no_findings();
        let mut bytes = text.clone().into_bytes();
        let middle = (0..bytes.len()).rfind(|at| *at < 262_160 && text.is_char_boundary(*at)).unwrap();
        bytes.insert(middle, 0x80);
        let message = format!("the text is not UTF-8 at byte {middle}, so readers may change it. Write it as UTF-8.");
        TestFile::with(b"k", OwnedValue::String(bytes)).assert_only_in_last_entry(
            Check::InvalidUtf8,
            &message,
            21 + middle as u64,
        );
    }
}
