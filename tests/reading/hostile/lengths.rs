//! Lengths of strings and arrays.

use super::*;

/// Lengths that overflow when added to an offset, or that no memory holds.
#[test]
fn a_string_length_beyond_the_limit_is_refused_where_the_string_begins() {
    for format in sample::formats() {
        let length_size = format.length_size();
        let lies = [u64::MAX, u64::MAX - 7, 1 << 63, 1 << 48, (1 << 30) + 1];
        for lie in lies.map(|lie| if format.version == 1 { lie.clamp(1 << 31, u32::MAX.into()) } else { lie }) {
            let start = 8 + 2 * length_size;
            let expect = |at| (Limit::StringBytes, lie, 1 << 30, at);
            let key = file(format, 0, 1, |file| file.count(lie).bytes(b"abcdefgh"));
            assert_eq!(excess(&key), expect(start));
            let value = file(format, 0, 1, |file| file.key(b"k", STRING).count(lie).bytes(b"abcdefgh"));
            assert_eq!(excess(&value), expect(start + length_size + 5));
            let element = file(format, 0, 1, |file| file.key(b"k", ARRAY).array(STRING, 2).string(b"ok").count(lie));
            assert_eq!(excess(&element), expect(start + length_size + 5 + 4 + length_size + length_size + 2));
            let name = file(format, 1, 0, |file| file.count(lie).bytes(b"abcdefgh"));
            assert_eq!(excess(&name), expect(start));
        }
    }
}

#[test]
fn a_string_that_the_header_cannot_hold_is_refused() {
    // A string of exactly 1 GiB fits its own limit, but no header of 1 GiB has room for it.
    let value = v3(0, 1, |file| file.key(b"k", STRING).count(1 << 30).bytes(b"abc"));
    assert_eq!(excess(&value), (Limit::HeaderBytes, (1 << 30) + 45, 1 << 30, 37));
    let value = v3(0, 1, |file| file.key(b"k", STRING).count(4).bytes(b"abc"));
    assert_eq!(failure(&value), ("unexpected-eof", 37));
}

/// For each of these lengths, length × element size overflows 64 bits to a small number.
#[test]
fn an_array_length_whose_byte_count_overflows_is_refused() {
    for element_type in ValueType::ALL {
        for len in [u64::MAX, 1 << 63, (1 << 62) + 1, (1 << 61) + 1, (1 << 60) + 1, 1 << 32, (1 << 30) + 1] {
            let array = v3(0, 1, |file| file.key(b"k", ARRAY).array(element_type.id(), len).bytes(&[0; 64]));
            assert_eq!(excess(&array), (Limit::ArrayLength, len, 1 << 30, 41), "{element_type}");
        }
        let array = v3(0, 1, |file| file.key(b"k", ARRAY).array(element_type.id(), 1 << 30).bytes(&[0; 64]));
        let least = element_type.size().unwrap_or(if *element_type == ValueType::String { 8 } else { 12 });
        assert_eq!(excess(&array), (Limit::HeaderBytes, 49 + (least << 30), 1 << 30, 37), "{element_type}");
    }
}

#[test]
fn an_array_one_byte_short_is_an_unexpected_end() {
    for element_type in ValueType::ALL {
        let size = element_type.size().unwrap_or(8);
        let array =
            v3(0, 1, |file| file.key(b"k", ARRAY).array(element_type.id(), 2).bytes(&vec![0; 2 * size as usize - 1]));
        let (code, offset) = failure(&array);
        assert_eq!(code, "unexpected-eof", "{element_type}");
        // Strings and arrays are read one by one: the offset is that of the incomplete element.
        let expected = match element_type {
            ValueType::String => 57,
            ValueType::Array => 61,
            _ => 37,
        };
        assert_eq!(offset, expected, "{element_type}");
    }
}

#[test]
fn a_string_of_3_mb_is_the_same_in_pieces_of_any_size() {
    let text: Vec<u8> = (0..3_000_000u32).map(|i| b'a' + (i.wrapping_mul(2_654_435_761) >> 24) as u8 % 26).collect();
    let file = v3(0, 2, |file| file.entry(b"long", &OwnedValue::String(text.clone())).entry(b"after", &1u8.into()));
    let expected = split::whole(&file, &Limits::default());
    for size in [1, 16_384, 65_536, 262_144, 1_000_003] {
        let split = split::split(&file, &Limits::default(), repeat(Piece::Push(size)));
        assert_same(&expected, &split);
        let split = split.unwrap();
        let long = split.get("long").unwrap().value().as_str().unwrap();
        assert!(*long.to_bytes() == *text && long == *text && long.to_str().unwrap().len() == text.len());
        assert_eq!(split.get("after").unwrap().value(), Value::Uint8(1));
    }
}
