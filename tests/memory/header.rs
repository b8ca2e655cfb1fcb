//! Memory is bounded by the number of bytes that have arrived, whatever a file declares. For a valid header it is little more
//! than the header.
//!
//! A custom allocator counts the memory of the thread of each test, and can refuse allocations.

use gguf_format::edit::Edit;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Decoder, ErrorKind, Format, Header, HeaderResult, Limits, Progress, ValueType};

use crate::counting_allocator::{Use, measured, with_room};
use crate::gguf_bytes::GgufBytes;

/// The memory of one block of retained bytes and of the initial lists.
const CONSTANT: u64 = (256 << 10) + 4096;

fn v3(tensors: u64, entries: u64, write: impl FnOnce(&mut GgufBytes) -> &mut GgufBytes) -> Vec<u8> {
    let mut file = GgufBytes::new(Format::default());
    write(file.header(tensors, entries));
    file.into_bytes()
}

fn decode(file: &[u8], piece: usize) -> HeaderResult<Header> {
    let mut decoder = Decoder::new();
    for piece in file.chunks(piece) {
        if let Progress::Done { .. } = decoder.push(piece)? {
            break;
        }
    }
    decoder.into_header()
}

#[test]
fn declared_counts_allocate_nothing() {
    let string = ValueType::String.id();
    let array = ValueType::Array.id();
    let claims = [
        v3(1 << 20, 1 << 20, |file| file),
        v3(u64::MAX, u64::MAX, |file| file),
        v3(0, 1, |file| file.count(1 << 29)),
        v3(0, 1, |file| file.key(b"k", string).count(1 << 29)),
        v3(0, 1, |file| file.key(b"k", array).array(string, 1 << 26).string(b"a")),
        v3(0, 1, |file| file.key(b"k", array).array(ValueType::Uint64.id(), 1 << 26)),
        v3(0, 1, |file| file.key(b"k", array).array(array, 1 << 26).array(array, 1 << 26).array(string, 1 << 26)),
        v3(1 << 20, 0, |file| file.count(1 << 29)),
        v3(1, 0, |file| file.string(b"t").u32(u32::MAX)),
    ];
    for file in claims {
        for piece in [1, usize::MAX] {
            let (result, Use { peak, .. }) = measured(|| decode(&file, piece));
            assert!(result.is_err());
            assert!(peak <= CONSTANT, "{peak} bytes for a file of {}", file.len());
        }
    }
}

/// The smallest items of every kind that is stored in the index.
#[test]
fn the_index_of_small_items_is_a_small_multiple_of_their_size() {
    // One more than a power of two, after which a list that doubles has the most unused space.
    const COUNT: u64 = (1 << 17) + 1;
    let v1 = Format { version: 1, ..Format::default() };
    let mut entries = GgufBytes::new(v1);
    entries.header(0, COUNT);
    (0..COUNT).for_each(|_| _ = entries.entry(b"", &0u8.into()));
    let mut tensors = GgufBytes::new(v1);
    tensors.header(COUNT, 0);
    (0..COUNT).for_each(|_| _ = tensors.tensor(b"", &[], 0, 0));
    let mut strings = GgufBytes::new(v1);
    strings.header(0, 1).key(b"", ValueType::Array.id()).array(ValueType::String.id(), 4 * COUNT);
    (0..4 * COUNT).for_each(|_| _ = strings.string(b""));
    // Just long enough that the index stores offsets of its elements.
    let mut arrays = GgufBytes::new(v1);
    arrays.header(0, 1).key(b"", ValueType::Array.id()).array(ValueType::Array.id(), COUNT / 20);
    for _ in 0..COUNT / 20 {
        arrays.array(ValueType::String.id(), 65);
        (0..65).for_each(|_| _ = arrays.string(b""));
    }
    // The list of offsets doubles, and the old list exists until it has been copied: three times eight bytes for each item
    // of nine bytes. The order by name takes four more bytes for each item.
    for (what, file, factor) in
        [("entries", entries, 4.0), ("tensors", tensors, 3.0), ("strings", strings, 1.2), ("arrays", arrays, 1.6)]
    {
        let file = file.into_bytes();
        for piece in [1000, usize::MAX] {
            let (header, Use { peak, held, .. }) = measured(|| decode(&file, piece).unwrap());
            assert_eq!(header.header_size(), file.len() as u64);
            let allowed = (file.len() as f64 * factor) as u64 + CONSTANT;
            assert!(peak <= allowed, "{what}: at most {peak} bytes for {}", file.len());
            assert!(held <= peak);
            println!("{what}: {} bytes, peak {:.2}, held {:.2}", file.len(), ratio(peak, &file), ratio(held, &file));
        }
    }
}

fn ratio(bytes: u64, file: &[u8]) -> f64 {
    bytes as f64 / file.len() as f64
}

/// A vocabulary of 128,256 tokens with scores, types and 280,147 merges, and 291 tensors.
fn big_header() -> Vec<u8> {
    let token =
        |i: u32| OwnedValue::String(format!("token{:x}", i.wrapping_mul(2_654_435_761) >> (i % 20)).into_bytes());
    let merge = |i: u32| OwnedValue::String(format!("ab{:x} {:x}", i, i.wrapping_mul(40_503) >> 20).into_bytes());
    let strings = |count, string: &dyn Fn(u32) -> OwnedValue| OwnedValue::Array {
        element_type: ValueType::String,
        elements: (0..count).map(string).collect(),
    };
    let mut file = GgufBytes::new(Format::default());
    file.header(291, 4)
        .entry(b"tokenizer.ggml.tokens", &strings(128_256, &token))
        .entry(b"tokenizer.ggml.merges", &strings(280_147, &merge))
        .entry(b"tokenizer.ggml.scores", &OwnedValue::array(ValueType::Float32, vec![0f32; 128_256]))
        .entry(b"tokenizer.ggml.token_type", &OwnedValue::array(ValueType::Int32, vec![1i32; 128_256]));
    for i in 0..291u64 {
        file.tensor(format!("blk.{i}.weight").as_bytes(), &[4096, 4096], 12, i * 9_437_184);
    }
    file.into_bytes()
}

#[test]
fn a_large_header_takes_little_more_memory_than_its_size() {
    let file = big_header();
    assert!(file.len() > 7 << 20);
    for piece in [1 << 14, 1 << 20, usize::MAX] {
        let (header, Use { peak, held, .. }) = measured(|| decode(&file, piece).unwrap());
        println!("{} bytes, peak {:.3}, held {:.3}", file.len(), ratio(peak, &file), ratio(held, &file));
        let allowed = file.len() as u64 * 115 / 100 + (1 << 20);
        assert!(peak <= allowed && held <= peak, "{peak} bytes, {held} in the end, for {}", file.len());
        let (_, looked_up) = measured(|| {
            let tokens = header.get("tokenizer.ggml.tokens").unwrap().value().as_array().unwrap();
            assert_eq!(tokens.len(), 128_256);
            let bytes: u64 = tokens.iter().map(|token| token.as_str().unwrap().byte_length()).sum();
            assert!(bytes > 1 << 20 && tokens.get(128_255).is_some());
            header.tensor("blk.290.weight").unwrap().byte_length()
        });
        assert_eq!(looked_up.peak, 0, "to look at a value takes no memory");
    }
}

/// Bytes after the header are not retained.
#[test]
fn bytes_after_the_header_take_no_memory() {
    let mut file = v3(1, 0, |file| file.tensor(b"t", &[1 << 22], 24, 0).pad_to(32));
    file.resize(file.len() + (4 << 20), 7);
    for piece in [1000, 1 << 20, usize::MAX] {
        let (header, Use { peak, .. }) = measured(|| decode(&file, piece).unwrap());
        assert!(peak <= CONSTANT, "{peak}");
        assert!(header.header_size() < 100);
    }
}

/// A failed allocation is an ordinary error with a code, and is the same on every later call.
#[test]
fn a_failed_allocation_is_an_error() {
    let file = big_header();
    let mut refusals = 0;
    for allowed in (0..file.len() as u64 * 5 / 4).step_by(97 << 10) {
        let mut decoder = Decoder::with_limits(Limits::default());
        let (result, again, spare, finish) = with_room(allowed, 0, || {
            let result = decoder.push(&file);
            let again = [decoder.push(&file), decoder.push(b""), decoder.commit(0)];
            (result, again, decoder.spare().map(|spare| spare.len()), decoder.finish())
        });
        match result {
            Ok(progress) => assert_eq!(progress, Progress::Done { consumed: file.len() }),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::TooLarge { .. }), "{error}");
                assert!(error.offset() <= file.len() as u64);
                refusals += 1;
                again.into_iter().for_each(|again| assert_eq!(again.as_ref(), Err(&error), "{allowed}"));
                assert_eq!((spare, finish), (Err(error.clone()), Err(error)));
            }
        }
    }
    assert!(refusals > 50, "{refusals}");
}

/// Undoing a change costs about as much as making it, not as much as making all earlier changes again.
#[test]
fn undo_costs_as_much_as_the_change() {
    const COUNT: u64 = 1000;
    let file =
        v3(0, 1, |file| file.entry(b"list", &OwnedValue::array(ValueType::Uint32, vec![0u32; 2 * COUNT as usize])));
    let mut edit = Edit::new(gguf_format::parse(&file).unwrap());
    let plan = edit.plan(Some(file.len() as u64)).unwrap();
    let mut asked_for = |run: &mut dyn FnMut(&mut Edit)| measured(|| run(&mut edit)).1.asked_for;
    let made =
        asked_for(&mut |edit| (0..COUNT).for_each(|index| edit.set_element("list", 2 * index, &7u32.into()).unwrap()));
    let taken_back = asked_for(&mut |edit| while edit.undo() {});
    // On average, making all earlier changes again would cost 500 times as much.
    assert!(taken_back < 100 * made, "{taken_back} bytes to take back what took {made}");
    assert_eq!((edit.changes().len(), edit.undone().len() as u64), (0, COUNT));
    assert_eq!(edit.plan(Some(file.len() as u64)).unwrap(), plan);
}
