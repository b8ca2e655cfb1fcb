//! The value of `general.alignment`.

use super::*;

fn with(value: &OwnedValue) -> Header {
    open(&v3(1, 1, |file| file.entry(b"general.alignment", value).tensor(b"t", &[1], 0, 0))).unwrap()
}

#[test]
fn any_integer_from_1_to_u32_max_is_an_alignment() {
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
fn an_invalid_alignment_means_32() {
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

/// As for every key. An invalid first value means 32.
#[test]
fn the_first_of_two_alignments_counts() {
    let twice = |first: u32, second: u32| {
        let key = b"general.alignment";
        open(&v3(0, 2, |file| file.entry(key, &first.into()).entry(key, &second.into()))).unwrap().alignment()
    };
    assert_eq!(twice(64, 128), 64);
    assert_eq!(twice(0, 128), 32);
}
