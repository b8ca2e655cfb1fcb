//! Keys and strings of any bytes.

use super::*;

#[test]
fn keys_of_any_bytes_are_found() {
    let long = [b'k'; 65_536];
    let keys: [&[u8]; 14] = [
        b"__proto__",
        b"constructor",
        b"toString",
        b"",
        b"twice",
        b"twice",
        &long,
        b"nul\0key",
        b"nul\0kez",
        b"\xff\xfe",
        b"\xef\xbb\xbfbom",
        "\u{202e}bidi".as_bytes(),
        b"\x1b[31mred",
        b"<img src=x onerror=alert(1)>",
    ];
    let file = v3(0, 14, |e| keys.iter().zip(0..).fold(e, |e, (key, value)| e.entry(key, &OwnedValue::Uint32(value))));
    let header = open(&file).unwrap();
    for (index, key) in keys.into_iter().enumerate() {
        let kv = header.metadata_at(index).unwrap();
        assert_eq!(*kv.key().to_bytes(), *key);
        assert_eq!(kv.value(), Value::Uint32(index as u32));
        let first = if key == b"twice" { 4 } else { index };
        assert_eq!(header.get(key).unwrap().index(), first);
    }
    assert!(header.get("valueOf").is_none() && header.get("nul").is_none());
}

#[test]
fn strings_that_are_not_utf8_keep_their_bytes() {
    let texts: [&[u8]; 8] = [
        b"\xc3\x28",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        b"a\0b",
        b"\x1b]0;title\x07",
        "\u{202e}\u{2066}".as_bytes(),
        b"<script>",
        b"\xef\xbb\xbf",
    ];
    let strings = texts.map(|text| OwnedValue::String(text.to_vec()));
    let array = OwnedValue::Array { element_type: ValueType::String, elements: strings.to_vec() };
    let header = open(&v3(0, 1, |file| file.entry(b"texts", &array))).unwrap();
    let array = header.get("texts").unwrap().value().as_array().unwrap();
    for (value, text) in array.iter().zip(texts) {
        let value = value.as_str().unwrap();
        assert_eq!(*value.to_bytes(), *text);
        assert_eq!(value.to_str().is_ok(), std::str::from_utf8(text).is_ok());
        assert_eq!(value.to_string_lossy(), String::from_utf8_lossy(text));
    }
}
