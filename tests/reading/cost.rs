//! Costs that must not grow with the file, as ratios between two runs on the same machine. The limits leave room for a busy
//! machine; the errors that they detect cost a factor of hundreds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use gguf_wasm::{Decoder, Format, ValueType};

use crate::gguf_bytes::GgufBytes;

/// The shortest time of several runs.
fn time(mut run: impl FnMut()) -> Duration {
    let once = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..5).map(once).min().unwrap().max(Duration::from_micros(1))
}

fn assert_within(factor: u32, slow: Duration, fast: Duration) {
    assert!(slow < fast * factor, "{slow:?}, more than {factor} times {fast:?}");
}

#[test]
fn the_cost_of_an_element_does_not_depend_on_its_index() {
    const LEN: u64 = 500_000;
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 2);
    file.key(b"strings", ValueType::Array.id()).array(ValueType::String.id(), LEN);
    (0..LEN).for_each(|_| _ = file.string(b"token"));
    file.key(b"arrays", ValueType::Array.id()).array(ValueType::Array.id(), LEN);
    (0..LEN).for_each(|_| _ = file.array(ValueType::Uint8.id(), 1).bytes(&[7]));
    let header = gguf_wasm::parse(file.as_bytes()).unwrap();
    for key in ["strings", "arrays"] {
        let array = header.get(key).unwrap().value().as_array().unwrap();
        let near = time(|| (0..200).for_each(|index| _ = black_box(array.get(index))));
        let far = time(|| (0..200).for_each(|index| _ = black_box(array.get(LEN - 1 - index))));
        assert_within(100, far, near);
    }
}

#[test]
fn the_cost_of_finding_a_name_does_not_grow_with_their_number() {
    let header = |count: u64| {
        let mut file = GgufBytes::new(Format::default());
        file.header(count, count);
        (0..count).for_each(|index| _ = file.entry(format!("key.{index}").as_bytes(), &index.into()));
        (0..count).for_each(|index| _ = file.tensor(format!("blk.{index}").as_bytes(), &[], 0, 0));
        gguf_wasm::parse(file.as_bytes()).unwrap()
    };
    let (few, many) = (header(100), header(200_000));
    let look_up = |header: &gguf_wasm::Header| {
        let (key, name) =
            (format!("key.{}", header.metadata_count() - 1), format!("blk.{}", header.tensor_count() - 1));
        time(|| {
            for _ in 0..200 {
                assert!(black_box(header.get(&key)).is_some() && black_box(header.tensor(&name)).is_some());
            }
        })
    };
    assert_within(100, look_up(&many), look_up(&few));
}

#[test]
fn the_cost_does_not_depend_on_the_size_of_the_pieces() {
    // One string. A reader that starts the value again with every piece would copy it 2,000 times.
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 2).key(b"long", ValueType::String.id()).string(&vec![b'x'; 8 << 20]);
    file.key(b"many", ValueType::Array.id()).array(ValueType::String.id(), 200_000);
    (0..200_000).for_each(|_| _ = file.string(b"token"));
    let decode = |size: usize| {
        time(|| {
            let mut decoder = Decoder::new();
            file.as_bytes().chunks(size).for_each(|piece| _ = decoder.push(piece).unwrap());
            assert_eq!(decoder.header().metadata().len(), 2);
        })
    };
    assert_within(30, decode(4 << 10), decode(usize::MAX));
}

#[test]
fn the_cost_grows_linearly_with_the_header() {
    let decode = |count: u64| {
        let mut file = GgufBytes::new(Format::default());
        file.header(0, count);
        for index in 0..count {
            file.key(format!("key.{index}").as_bytes(), ValueType::Array.id()).array(ValueType::String.id(), 65);
            (0..65).for_each(|_| _ = file.string(b""));
        }
        time(|| _ = black_box(gguf_wasm::parse(file.as_bytes()).unwrap()))
    };
    // Linear growth is 64, quadratic growth is 4,096.
    assert_within(64 * 8, decode(64 * 200), decode(200));
}
