//! Files that were made to break readers: each is refused with a code and an offset, or shown as it is.

use std::iter::repeat;

use crate::split::{Piece, assert_same};
use gguf_wasm::encode::{Encoder, OwnedValue};
use gguf_wasm::{Endian, ErrorKind, Format, GgmlType, Header, Limit, Limits, Result, Value, ValueType};

use crate::sample;
use crate::split;

const STRING: u32 = ValueType::String as u32;
const ARRAY: u32 = ValueType::Array as u32;

/// A file of one format: counts, and then what `write` writes.
fn file(format: Format, tensors: u64, entries: u64, write: impl FnOnce(&mut Encoder) -> &mut Encoder) -> Vec<u8> {
    let mut file = Encoder::new(format);
    write(file.header(tensors, entries));
    file.into_bytes()
}

fn v3(tensors: u64, entries: u64, write: impl FnOnce(&mut Encoder) -> &mut Encoder) -> Vec<u8> {
    file(Format::default(), tensors, entries, write)
}

/// Decodes whole and in pieces, which must agree, and visits everything.
fn open(file: &[u8]) -> Result<Header> {
    open_within(file, &Limits::default())
}

fn open_within(file: &[u8], limits: &Limits) -> Result<Header> {
    let whole = split::whole(file, limits);
    assert_same(&whole, &split::split(file, limits, repeat(Piece::Commit(1009))));
    if file.len() < 4 << 10 {
        assert_same(&whole, &split::split(file, limits, repeat(Piece::Push(1))));
    }
    whole
}

/// What there is too much of, how much, how much is allowed, and where the file says so.
fn excess(file: &[u8]) -> (Limit, u64, u64, u64) {
    excess_within(file, &Limits::default())
}

fn excess_within(file: &[u8], limits: &Limits) -> (Limit, u64, u64, u64) {
    let error = open_within(file, limits).unwrap_err();
    match *error.kind() {
        ErrorKind::LimitExceeded { limit, found, allowed } => (limit, found, allowed, error.offset()),
        _ => panic!("{error}"),
    }
}

fn failure(file: &[u8]) -> (&'static str, u64) {
    let error = open(file).unwrap_err();
    (error.code().name(), error.offset())
}

mod counts {
    use super::*;

    #[test]
    fn beyond_the_limits() {
        for found in [(1 << 20) + 1, 1 << 61, 1 << 62, 1 << 63, u64::MAX] {
            let tensors = v3(found, 0, |e| e.bytes(&[0; 64]));
            assert_eq!(excess(&tensors), (Limit::TensorCount, found, 1 << 20, 8));
            let entries = v3(0, found, |e| e.bytes(&[0; 64]));
            assert_eq!(excess(&entries), (Limit::MetadataCount, found, 1 << 20, 16));
        }
        let v1 = Format { version: 1, endian: Endian::Big };
        assert_eq!(excess(&file(v1, 0, u64::MAX, |e| e)), (Limit::MetadataCount, u32::MAX.into(), 1 << 20, 12));
    }

    #[test]
    fn more_than_the_file_holds() {
        assert_eq!(failure(&v3(0, 1 << 20, |e| e.kv(b"k", &1u8.into()))), ("unexpected-eof", 38));
        assert_eq!(failure(&v3(1 << 20, 0, |e| e.tensor_info(b"t", &[], 0, 0))), ("unexpected-eof", 49));
    }

    #[test]
    fn zeros_are_entries_of_nothing() {
        // An empty key with an UINT8 of 0 takes 13 zero bytes.
        let header = open(&v3(0, 5, |e| e.bytes(&[0; 65]))).unwrap();
        assert_eq!(header.metadata().len(), 5);
        assert_eq!(header.get("").unwrap().index(), 0);
    }
}

mod lengths {
    use super::*;

    /// Lengths that wrap, or that no memory could hold, stand where the string begins.
    #[test]
    fn of_strings() {
        for format in sample::formats() {
            let length_size = format.length_size();
            let lies = [u64::MAX, u64::MAX - 7, 1 << 63, 1 << 48, (1 << 30) + 1];
            for lie in lies.map(|lie| if format.version == 1 { lie.clamp(1 << 31, u32::MAX.into()) } else { lie }) {
                let start = 8 + 2 * length_size;
                let expect = |at| (Limit::StringBytes, lie, 1 << 30, at);
                let key = file(format, 0, 1, |e| e.count(lie).bytes(b"abcdefgh"));
                assert_eq!(excess(&key), expect(start));
                let value = file(format, 0, 1, |e| e.key(b"k", STRING).count(lie).bytes(b"abcdefgh"));
                assert_eq!(excess(&value), expect(start + length_size + 5));
                let element = file(format, 0, 1, |e| e.key(b"k", ARRAY).array(STRING, 2).string(b"ok").count(lie));
                assert_eq!(excess(&element), expect(start + length_size + 5 + 4 + length_size + length_size + 2));
                let name = file(format, 1, 0, |e| e.count(lie).bytes(b"abcdefgh"));
                assert_eq!(excess(&name), expect(start));
            }
        }
    }

    #[test]
    fn of_strings_that_are_allowed_but_not_there() {
        // A string of exactly 1 GiB fits its own limit, but no header of 1 GiB has room for it.
        let value = v3(0, 1, |e| e.key(b"k", STRING).count(1 << 30).bytes(b"abc"));
        assert_eq!(excess(&value), (Limit::HeaderBytes, (1 << 30) + 45, 1 << 30, 37));
        let value = v3(0, 1, |e| e.key(b"k", STRING).count(4).bytes(b"abc"));
        assert_eq!(failure(&value), ("unexpected-eof", 37));
    }

    /// Count times element size wraps to a small number for each of these.
    #[test]
    fn of_arrays() {
        for element_type in ValueType::ALL {
            for len in [u64::MAX, 1 << 63, (1 << 62) + 1, (1 << 61) + 1, (1 << 60) + 1, 1 << 32, (1 << 30) + 1] {
                let array = v3(0, 1, |e| e.key(b"k", ARRAY).array(element_type.id(), len).bytes(&[0; 64]));
                assert_eq!(excess(&array), (Limit::ArrayLength, len, 1 << 30, 41), "{element_type}");
            }
            let array = v3(0, 1, |e| e.key(b"k", ARRAY).array(element_type.id(), 1 << 30).bytes(&[0; 64]));
            let least = element_type.size().unwrap_or(if *element_type == ValueType::String { 8 } else { 12 });
            assert_eq!(excess(&array), (Limit::HeaderBytes, 49 + (least << 30), 1 << 30, 37), "{element_type}");
        }
    }

    #[test]
    fn of_arrays_that_are_one_too_long() {
        for element_type in ValueType::ALL {
            let size = element_type.size().unwrap_or(8);
            let array =
                v3(0, 1, |e| e.key(b"k", ARRAY).array(element_type.id(), 2).bytes(&vec![0; 2 * size as usize - 1]));
            let (code, offset) = failure(&array);
            assert_eq!(code, "unexpected-eof", "{element_type}");
            // What has no size of its own fails where the element is that is not whole.
            let expected = match element_type {
                ValueType::String => 57,
                ValueType::Array => 61,
                _ => 37,
            };
            assert_eq!(offset, expected, "{element_type}");
        }
    }

    /// A string of 3,000,000 bytes is whole whatever the pieces.
    #[test]
    fn of_long_strings() {
        let text: Vec<u8> =
            (0..3_000_000u32).map(|i| b'a' + (i.wrapping_mul(2_654_435_761) >> 24) as u8 % 26).collect();
        let file = v3(0, 2, |e| e.kv(b"long", &OwnedValue::String(text.clone())).kv(b"after", &1u8.into()));
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
}

mod nesting {
    use super::*;

    /// Arrays of one array each, the innermost of three bytes.
    fn nested(levels: usize) -> Vec<u8> {
        v3(0, 1, |e| {
            e.key(b"k", ARRAY);
            for _ in 1..levels {
                e.array(ARRAY, 1);
            }
            e.array(0, 3).bytes(b"abc")
        })
    }

    #[test]
    fn up_to_the_limit() {
        let header = open(&nested(64)).unwrap();
        let mut array = header.get("k").unwrap().value().as_array().unwrap();
        for _ in 1..64 {
            assert_eq!((array.len(), array.element_type()), (1, ValueType::Array));
            array = array.get(0).unwrap().as_array().unwrap();
        }
        assert_eq!(*array.to_bytes(), *b"abc");
    }

    #[test]
    fn beyond_the_limit() {
        for levels in [65, 2_000, 100_000] {
            assert_eq!(excess(&nested(levels)), (Limit::ArrayDepth, 65, 64, 37 + 64 * 12));
        }
    }

    /// Whoever raises the limit gets no stack overflow from decoding or from any element.
    #[test]
    fn beyond_any_stack() {
        let mut limits = Limits::default();
        limits.array_depth = u64::MAX;
        let file = nested(100_000);
        let mut decoder = gguf_wasm::Decoder::with_limits(limits);
        decoder.push(&file).unwrap();
        let header = decoder.into_header().unwrap();
        assert_eq!(header.header_size(), file.len() as u64);
        let mut array = header.get("k").unwrap().value().as_array().unwrap();
        for _ in 1..200 {
            array = array.get(0).unwrap().as_array().unwrap();
            assert_eq!(array.range().end, file.len() as u64);
        }
    }

    /// Many elements on many levels: an element's end is found again for each, which must not
    /// multiply from level to level.
    #[test]
    fn wide_and_deep() {
        let leaf = OwnedValue::array(ValueType::Uint8, [1u8]);
        let tree = (0..12).fold(leaf, |inner, _| OwnedValue::array(ValueType::Array, [inner.clone(), inner]));
        let header = open(&v3(0, 1, |e| e.kv(b"tree", &tree))).unwrap();
        let mut array = header.get("tree").unwrap().value().as_array().unwrap();
        for _ in 0..12 {
            array = array.get(1).unwrap().as_array().unwrap();
        }
        assert_eq!(array.get(0), Some(Value::Uint8(1)));
    }
}

mod tensors {
    use super::*;

    fn tensor(dimensions: &[u64], ggml_type: u32, offset: u64) -> Header {
        open(&v3(1, 0, |e| e.tensor_info(b"t", dimensions, ggml_type, offset))).unwrap()
    }

    fn sizes(dimensions: &[u64], ggml_type: GgmlType) -> (Option<u64>, Option<u64>) {
        let header = tensor(dimensions, ggml_type.0, 0);
        let tensor = header.tensor("t").unwrap();
        assert!(tensor.dimensions().eq(dimensions.iter().copied()));
        (tensor.element_count(), tensor.byte_length())
    }

    #[test]
    fn dimension_counts() {
        for count in [0, 5, 8] {
            let dimensions: Vec<u64> = (1..=count).collect();
            let product = dimensions.iter().product();
            assert_eq!(sizes(&dimensions, GgmlType::F32), (Some(product), Some(4 * product)));
        }
        for count in [9, 1_000_000, 1 << 31, u32::MAX] {
            let file = v3(1, 0, |e| e.string(b"t").u32(count).bytes(&[0; 64]));
            assert_eq!(excess(&file), (Limit::DimensionCount, count.into(), 8, 33));
        }
    }

    #[test]
    fn dimensions() {
        let negative = (-1i64).cast_unsigned();
        assert_eq!(sizes(&[negative], GgmlType::F32), (Some(u64::MAX), None));
        assert_eq!(sizes(&[negative, 2], GgmlType::I8), (None, None));
        assert_eq!(sizes(&[1 << 32, 1 << 31], GgmlType::I8), (Some(1 << 63), Some(1 << 63)));
        assert_eq!(sizes(&[1 << 32, 1 << 32], GgmlType::I8), (None, None));
        // The product is 4 modulo 2^64.
        assert_eq!(sizes(&[(1 << 62) + 1, 4], GgmlType::F32), (None, None));
        // So are the bytes.
        assert_eq!(sizes(&[(1 << 62) + 1], GgmlType::F32), (Some((1 << 62) + 1), None));
        assert_eq!(sizes(&[0], GgmlType::F32), (Some(0), Some(0)));
        assert_eq!(sizes(&[0, u64::MAX, u64::MAX], GgmlType::Q4_K), (Some(0), Some(0)));
        assert_eq!(sizes(&[u64::MAX, u64::MAX, 0], GgmlType::F32), (Some(0), Some(0)));
        assert_eq!(sizes(&[33], GgmlType::Q4_0), (Some(33), None));
        assert_eq!(sizes(&[16, 2], GgmlType::Q4_0), (Some(32), None));
        assert_eq!(sizes(&[], GgmlType::Q4_0), (Some(1), None));
    }

    #[test]
    fn sums_of_elements_stop_at_the_largest_number() {
        let file = v3(3, 0, |e| {
            e.tensor_info(b"a", &[u64::MAX], 0, 0).tensor_info(b"b", &[2, u64::MAX], 0, 0).tensor_info(b"c", &[9], 0, 0)
        });
        assert_eq!(open(&file).unwrap().parameter_count(), u64::MAX);
        assert_eq!(tensor(&[2, u64::MAX], 0, 0).parameter_count(), 0);
    }

    #[test]
    fn types() {
        for id in [43, 44, 100, 137, 1 << 31, u32::MAX] {
            let header = tensor(&[256], id, 0);
            let tensor = header.tensor_at(0).unwrap();
            assert_eq!(tensor.ggml_type(), GgmlType(id));
            assert!(tensor.ggml_type().info().is_none());
            assert_eq!(tensor.ggml_type().to_string(), format!("unknown({id})"));
            assert_eq!((tensor.element_count(), tensor.byte_length()), (Some(256), None));
        }
        for id in [4, 5, 31, 32, 33, 36, 37, 38] {
            let header = tensor(&[256], id, 0);
            let tensor = header.tensor_at(0).unwrap();
            assert!(tensor.ggml_type().info().unwrap().is_removed());
            assert_eq!(tensor.byte_length(), None);
        }
    }

    #[test]
    fn offsets() {
        for offset in [1, 1 << 32, 1 << 63, u64::MAX - 63] {
            let header = tensor(&[4], 0, offset);
            assert_eq!(header.data_offset(), 64);
            let tensor = header.tensor_at(0).unwrap();
            assert_eq!(tensor.offset(), offset);
            assert_eq!(tensor.file_offset(), offset.checked_add(64));
        }
        assert_eq!(tensor(&[4], 0, u64::MAX - 63).tensor_at(0).unwrap().file_offset(), None);
        assert_eq!(tensor(&[4], 0, u64::MAX - 64).tensor_at(0).unwrap().file_offset(), Some(u64::MAX));
    }

    #[test]
    fn names() {
        let long = [b'n'; 65_536];
        let names: [&[u8]; 7] = [b"twice", b"twice", b"", &long, b"n\0", b"n", b"\xff\xfe"];
        let file = v3(7, 0, |e| names.iter().zip(0..).fold(e, |e, (name, at)| e.tensor_info(name, &[1], 0, at)));
        let header = open(&file).unwrap();
        for (index, name) in names.into_iter().enumerate() {
            assert_eq!(*header.tensor_at(index).unwrap().name().to_bytes(), *name);
            let first = if index == 1 { 0 } else { index };
            assert_eq!(header.tensor(name).unwrap().index(), first);
        }
    }
}

mod alignment {
    use super::*;

    fn with(value: &OwnedValue) -> Header {
        open(&v3(1, 1, |e| e.kv(b"general.alignment", value).tensor_info(b"t", &[1], 0, 0))).unwrap()
    }

    #[test]
    fn of_any_integer_that_can_be_one() {
        for alignment in [1u32, 2, 3, 8, 24, 32, 1000, 1 << 30, 1 << 31, u32::MAX] {
            let header = with(&alignment.into());
            assert_eq!(header.alignment(), u64::from(alignment));
            assert_eq!(header.data_offset(), header.header_size().next_multiple_of(alignment.into()));
        }
        assert_eq!(with(&64i32.into()).alignment(), 64);
        assert_eq!(with(&64u64.into()).alignment(), 64);
        assert_eq!(with(&64u8.into()).alignment(), 64);
    }

    #[test]
    fn of_what_cannot_be_one() {
        let values: [OwnedValue; 9] = [
            0u32.into(),
            (-1i32).into(),
            i64::MIN.into(),
            (1u64 << 32).into(),
            u64::MAX.into(),
            64f32.into(),
            true.into(),
            "64".into(),
            OwnedValue::array(ValueType::Uint32, [64u32]),
        ];
        for value in values {
            let header = with(&value);
            assert_eq!(header.alignment(), 32, "{value:?}");
            assert_eq!(header.get("general.alignment").unwrap().value_type(), value.value_type());
        }
    }

    /// The first of duplicates counts, as for every key, also when it says nothing.
    #[test]
    fn of_duplicates() {
        let twice = |first: u32, second: u32| {
            let key = b"general.alignment";
            open(&v3(0, 2, |e| e.kv(key, &first.into()).kv(key, &second.into()))).unwrap().alignment()
        };
        assert_eq!(twice(64, 128), 64);
        assert_eq!(twice(0, 128), 32);
    }
}

mod value_types {
    use super::*;

    #[test]
    fn unknown() {
        for found in [13, 14, 255, 256, 0x0900_0000, 1 << 31, u32::MAX] {
            let value = v3(0, 1, |e| e.key(b"k", found).bytes(&[0; 64]));
            assert_eq!(failure(&value), ("unknown-value-type", 33));
            let array = v3(0, 1, |e| e.key(b"k", ARRAY).array(found, 0));
            assert_eq!(failure(&array), ("unknown-value-type", 37));
            let inner = v3(0, 1, |e| e.key(b"k", ARRAY).array(ARRAY, 2).array(0, 1).u8(1).array(found, 1));
            assert_eq!(failure(&inner), ("unknown-value-type", 62));
            let kind = open(&inner).unwrap_err().kind().clone();
            assert_eq!(kind, ErrorKind::UnknownValueType { found });
        }
    }

    /// What is not of the type that its key ought to have is what it is.
    #[test]
    fn wrong_for_the_key() {
        let file = v3(0, 3, |e| {
            e.kv(b"split.no", &"0".into())
                .kv(b"general.file_type", &"Q4_0".into())
                .kv(b"tokenizer.ggml.scores", &OwnedValue::array(ValueType::Uint8, [1u8, 2]))
        });
        let header = open(&file).unwrap();
        assert_eq!(header.get("split.no").unwrap().value().as_u64(), None);
        assert_eq!(header.get("general.file_type").unwrap().value().as_str().unwrap(), "Q4_0");
        let scores = header.get("tokenizer.ggml.scores").unwrap().value().as_array().unwrap();
        assert_eq!((scores.element_type(), scores.get(1)), (ValueType::Uint8, Some(Value::Uint8(2))));
    }

    #[test]
    fn booleans_of_any_byte() {
        let file = v3(0, 1, |e| e.key(b"k", ARRAY).array(ValueType::Bool.id(), 4).bytes(&[0, 1, 2, 255]));
        let header = open(&file).unwrap();
        let array = header.get("k").unwrap().value().as_array().unwrap();
        assert!(array.iter().map(|value| value.as_bool().unwrap()).eq([false, true, true, true]));
        assert_eq!(*array.to_bytes(), [0, 1, 2, 255]);
    }
}

mod text {
    use super::*;

    #[test]
    fn keys_of_every_kind() {
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
        let file = v3(0, 14, |e| keys.iter().zip(0..).fold(e, |e, (key, value)| e.kv(key, &OwnedValue::Uint32(value))));
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
    fn values_are_bytes() {
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
        let header = open(&v3(0, 1, |e| e.kv(b"texts", &array))).unwrap();
        let array = header.get("texts").unwrap().value().as_array().unwrap();
        for (value, text) in array.iter().zip(texts) {
            let value = value.as_str().unwrap();
            assert_eq!(*value.to_bytes(), *text);
            assert_eq!(value.to_str().is_ok(), std::str::from_utf8(text).is_ok());
            assert_eq!(value.to_string_lossy(), String::from_utf8_lossy(text));
        }
    }
}

mod beginnings {
    use super::*;

    #[test]
    fn of_other_files() {
        let others: [&[u8]; 8] = [
            b"<!doctype html>",
            b"version https://git-lfs",
            b"PK\x03\x04",
            b"ggml",
            b"ggjt",
            b"gguf",
            b"FUGG",
            b"\0GGU",
        ];
        for other in others {
            let error = open(other).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::BadMagic { found: other[..4].try_into().unwrap() });
            assert_eq!(error.offset(), 0);
        }
    }

    #[test]
    fn of_other_versions() {
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
    fn with_nothing_behind() {
        for format in sample::formats() {
            let empty = file(format, 0, 0, |e| e);
            let header = open(&empty).unwrap();
            assert_eq!((header.header_size(), header.data_offset()), (8 + 2 * format.length_size(), 32));
            assert_eq!((header.metadata().len(), header.tensors().len(), header.parameter_count()), (0, 0, 0));
            assert_eq!(header.format(), format);
        }
    }
}

mod limits {
    use super::*;

    fn within(change: impl FnOnce(&mut Limits)) -> Limits {
        let mut limits = Limits::default();
        change(&mut limits);
        limits
    }

    /// A file at a limit opens, and is refused by the next smaller one.
    fn at_most(file: &[u8], limit: Limit, found: u64, offset: u64, set: fn(&mut Limits, u64)) {
        assert!(open_within(file, &within(|limits| set(limits, found))).is_ok());
        for allowed in [found - 1, 0] {
            let excess = excess_within(file, &within(|limits| set(limits, allowed)));
            assert_eq!(excess.0, limit);
            assert_eq!(excess.2, allowed);
            if allowed == found - 1 {
                assert_eq!((excess.1, excess.3), (found, offset), "{limit:?}");
            }
        }
    }

    #[test]
    fn of_each_kind() {
        let row = OwnedValue::array(ValueType::Uint8, [1u8, 2, 3, 4, 5]);
        let rows = OwnedValue::array(ValueType::Array, [row]);
        let file = v3(2, 3, |e| {
            e.kv(b"text", &"eleven byte".into()).kv(b"rows", &rows).kv(b"n", &1u8.into());
            e.tensor_info(b"a", &[1, 2, 3], 0, 0).tensor_info(b"b", &[], 0, 0)
        });
        let header = open(&file).unwrap();
        let value_start = |key| header.get(key).unwrap().value_range().start;
        at_most(&file, Limit::TensorCount, 2, 8, |limits, n| limits.tensor_count = n);
        at_most(&file, Limit::MetadataCount, 3, 16, |limits, n| limits.metadata_count = n);
        at_most(&file, Limit::StringBytes, 11, value_start("text"), |limits, n| limits.string_bytes = n);
        at_most(&file, Limit::ArrayLength, 5, value_start("rows") + 12 + 4, |limits, n| limits.array_length = n);
        at_most(&file, Limit::ArrayDepth, 2, value_start("rows") + 12, |limits, n| limits.array_depth = n);
        let dimensions = header.tensor("a").unwrap().name().range().end;
        at_most(&file, Limit::DimensionCount, 3, dimensions, |limits, n| limits.dimension_count = n);
        let last = header.tensor("b").unwrap().name().range().end + 4;
        at_most(&file, Limit::HeaderBytes, file.len() as u64, last, |limits, n| limits.header_bytes = n);
    }

    /// Wherever a string stands, and also where it has arrived before it is looked at.
    #[test]
    fn of_the_bytes_of_any_string() {
        let longest = "twelve bytes";
        let list = OwnedValue::array(ValueType::String, ["a", "bc", longest, "d"]);
        let set = |limits: &mut Limits, n| limits.string_bytes = n;
        let key = v3(0, 1, |e| e.kv(longest.as_bytes(), &1u8.into()));
        at_most(&key, Limit::StringBytes, 12, 24, set);
        let value = v3(0, 1, |e| e.kv(b"k", &longest.into()));
        at_most(&value, Limit::StringBytes, 12, 37, set);
        let element = v3(0, 1, |e| e.kv(b"k", &list));
        at_most(&element, Limit::StringBytes, 12, 37 + 12 + 9 + 10, set);
        let name = v3(1, 0, |e| e.tensor_info(longest.as_bytes(), &[], 0, 0));
        at_most(&name, Limit::StringBytes, 12, 24, set);
    }

    /// Every smaller limit is exceeded by the item that crosses it.
    #[test]
    fn of_header_bytes_wherever_they_end() {
        for format in sample::formats() {
            let (file, header_size) = sample::file(format);
            for allowed in 0..header_size {
                let (limit, found, _, offset) = excess_within(&file, &within(|limits| limits.header_bytes = allowed));
                assert_eq!(limit, Limit::HeaderBytes);
                assert!(offset <= allowed && allowed < found && found <= header_size, "{offset} {allowed} {found}");
            }
            assert!(open_within(&file, &within(|limits| limits.header_bytes = header_size)).is_ok());
        }
    }

    /// A limit is exceeded as soon as the file says so, not when the bytes are there.
    #[test]
    fn before_the_bytes_arrive() {
        let mut decoder = gguf_wasm::Decoder::new();
        let file = v3(0, 1, |e| e.key(b"k", ARRAY).array(STRING, 1 << 28));
        let error = decoder.push(&file).unwrap_err();
        assert_eq!((error.code().name(), error.offset()), ("limit-exceeded", 37));
    }

    /// Without limits, numbers that cannot be added up are still only ever missing bytes.
    #[test]
    fn of_nothing_at_all() {
        let unlimited = within(|limits| {
            limits.header_bytes = u64::MAX;
            limits.string_bytes = u64::MAX;
            limits.array_length = u64::MAX;
            limits.array_depth = u64::MAX;
            limits.metadata_count = u64::MAX;
            limits.tensor_count = u64::MAX;
            limits.dimension_count = u64::MAX;
        });
        let files = [
            v3(u64::MAX, u64::MAX, |e| e.count(u64::MAX)),
            v3(0, 1, |e| e.key(b"k", STRING).count(u64::MAX - 1)),
            v3(0, 1, |e| e.key(b"k", ARRAY).array(STRING, u64::MAX).string(b"a")),
            v3(0, 1, |e| e.key(b"k", ARRAY).array(ARRAY, 1 << 61).array(ValueType::Uint64.id(), 1 << 61)),
            v3(1, 0, |e| e.string(b"t").u32(u32::MAX)),
        ];
        for file in files {
            assert_eq!(open_within(&file, &unlimited).unwrap_err().code(), "unexpected-eof");
        }
    }
}
