//! Files that arrive in pieces: the same header, the same errors, and how many bytes the decoder asks for.

use std::iter::repeat;

use crate::gguf_bytes::GgufBytes;
use crate::split::{Piece, assert_same};
use gguf_format::{Decoder, ErrorKind, Format, Header, HeaderResult, Limits, Progress};

use crate::corpus;
use crate::sample;
use crate::split;

/// Pseudo-random numbers with a fixed seed: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

fn whole(file: &[u8]) -> HeaderResult<Header> {
    split::whole(file, &Limits::default())
}

fn split(file: &[u8], pieces: impl IntoIterator<Item = Piece>) -> HeaderResult<Header> {
    split::split(file, &Limits::default(), pieces)
}

/// Runs a check on every file of the corpus, on both cores.
fn for_every_file(check: impl Fn(&[u8]) + Sync) {
    let Some(folder) = corpus::folder() else { return };
    let files = corpus::every_file(&folder);
    let (check, files) = (&check, &files);
    std::thread::scope(|scope| {
        for parity in 0..2 {
            scope.spawn(move || {
                for (name, file) in files.iter().skip(parity).step_by(2) {
                    println!("{name}");
                    check(file);
                }
            });
        }
    });
}

#[test]
fn byte_by_byte() {
    for_every_file(|file| assert_same(&whole(file), &split(file, repeat(Piece::Push(1)))));
}

#[test]
fn random_pieces() {
    for_every_file(|file| {
        let expected = whole(file);
        for (seed, longest) in [2, 9, 80, 4_000, 300_000].into_iter().enumerate() {
            let mut random = Random(seed as u64);
            let pieces = std::iter::from_fn(|| Some(Piece::Push(random.below(longest))));
            assert_same(&expected, &split(file, pieces));
        }
    });
}

#[test]
fn through_spare_and_commit() {
    for_every_file(|file| {
        let expected = whole(file);
        for size in [1, 7, 61, 4_099, 262_143, usize::MAX] {
            assert_same(&expected, &split(file, repeat(Piece::Commit(size))));
            assert_same(
                &expected,
                &split(file, [Piece::Commit(size), Piece::Push(3), Piece::Commit(0)].into_iter().cycle()),
            );
        }
    });
}

#[test]
fn at_every_single_cut() {
    for_every_file(|file| {
        let expected = whole(file);
        // After the header, all positions are alike.
        let len = expected.as_ref().map_or(file.len(), |header| file.len().min(header.header_size() as usize + 3));
        if len > 64 << 10 {
            return;
        }
        for cut in cuts(&expected, len) {
            assert_same(&expected, &split(file, [Piece::Push(cut)]));
        }
    });
}

/// Every position of a small file. For larger files, the positions around items and some random ones.
fn cuts(header: &HeaderResult<Header>, len: usize) -> Vec<usize> {
    if len <= 4 << 10 {
        return (0..=len).collect();
    }
    let mut random = Random(len as u64);
    let mut cuts: Vec<usize> = (0..400).map(|_| random.below(len)).collect();
    let around = |at: u64| [at as usize - 1, at as usize, at as usize + 1];
    match header {
        Ok(header) => {
            let entries = header.metadata().map(|kv| kv.range().end).step_by(header.metadata().len() / 30 + 1);
            let values = header.metadata().map(|kv| kv.value_range().start).step_by(header.metadata().len() / 30 + 1);
            let tensors = header.tensors().map(|tensor| tensor.range().end).step_by(header.tensors().len() / 30 + 1);
            cuts.extend(entries.chain(values).chain(tensors).flat_map(around));
        }
        Err(error) => cuts.extend(around(error.offset().max(1))),
    }
    cuts.retain(|&cut| cut <= len);
    cuts
}

#[test]
fn at_every_single_cut_of_every_format() {
    for format in sample::formats() {
        let (file, header_size) = sample::file(format);
        let expected = whole(&file);
        assert_eq!(expected.as_ref().map(Header::header_size), Ok(header_size));
        for cut in 0..=header_size as usize + 3 {
            assert_same(&expected, &split(&file, [Piece::Push(cut)]));
        }
    }
}

#[test]
fn truncated_at_every_byte() {
    for format in sample::formats() {
        let (file, header_size) = sample::file(format);
        for cut in 0..header_size as usize {
            let file = &file[..cut];
            let expected = whole(file);
            let error = expected.as_ref().unwrap_err();
            let ErrorKind::UnexpectedEof { needed, available, .. } = *error.kind() else {
                panic!("{error} cut at {cut}");
            };
            assert!(needed > available, "{error}");
            assert_eq!(error.offset() + available, cut as u64, "{error}");
            assert!(error.offset() + needed <= header_size, "{error} of {header_size}");
            // The contract of the decoder is checked, too.
            assert_same(&expected, &split(file, repeat(Piece::Push(97))));
        }
        assert!(whole(&file[..header_size as usize]).is_ok());
    }
}

/// The error names the item that is incomplete.
#[test]
fn truncation_names_the_item() {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 2)
        .entry(b"k", &7u32.into())
        .entry(b"list", &gguf_format::write::encode::OwnedValue::array(gguf_format::ValueType::String, ["ab", "cd"]));
    file.tensor(b"t", &[1, 2], 0, 0);
    let file = file.into_bytes();
    let cases = [
        (0, "the magic", 0, 4),
        (3, "the magic", 0, 4),
        (4, "the version", 4, 4),
        (8, "the counts of tensors and metadata entries", 8, 16),
        (24, "a key", 24, 8),
        (32, "a key", 24, 9),
        (33, "a value type", 33, 4),
        (37, "UINT32", 37, 4),
        (41, "a key", 41, 8),
        (57, "an array's element type and length", 57, 12),
        (69, "a string in an array", 69, 8),
        (77, "a string in an array", 69, 10),
        (79, "a string in an array", 79, 8),
        (89, "a tensor's name", 89, 8),
        (98, "a tensor's dimension count", 98, 4),
        (102, "a tensor's dimensions, type and offset", 102, 28),
        (129, "a tensor's dimensions, type and offset", 102, 28),
    ];
    for (len, expected_item, expected_offset, expected_needed) in cases {
        let error = gguf_format::parse(&file[..len]).unwrap_err();
        let ErrorKind::UnexpectedEof { item, needed, available } = *error.kind() else { panic!("{error}") };
        let expected = (expected_item, expected_offset, expected_needed, len as u64 - expected_offset);
        assert_eq!((item, error.offset(), needed, available), expected);
    }
    assert!(gguf_format::parse(&file).is_ok());
}

/// A reader that provides exactly the requested bytes gets the header, and never a byte after it.
#[test]
fn the_requested_bytes_are_exactly_those_of_the_header() {
    for_every_file(fed_as_asked);
    sample::formats().for_each(|format| fed_as_asked(&sample::file(format).0));
}

fn fed_as_asked(file: &[u8]) {
    let expected = whole(file);
    let mut decoder = Decoder::new();
    let mut given = 0;
    let mut asked = 4;
    let result = loop {
        let next = given + (asked as usize).min(file.len() - given);
        if next == given {
            break decoder.finish();
        }
        match decoder.push(&file[given..next]) {
            Ok(Progress::NeedMore { at_least }) => asked = at_least,
            Ok(Progress::Done { consumed }) => {
                assert_eq!(consumed, next - given, "more was asked for than the header has");
                given = next;
                break Ok(());
            }
            Err(error) => break Err(error),
        }
        given = next;
    };
    match (&expected, result) {
        (Ok(header), Ok(())) => {
            assert_eq!(given as u64, header.header_size());
            assert_same(&expected, &decoder.into_header());
        }
        (Err(expected), Err(error)) => assert_eq!(*expected, error),
        (expected, result) => panic!("{expected:?}, in pieces {result:?}"),
    }
}

/// `header` returns the items that have been read so far, and they are right.
#[test]
fn the_incomplete_header_has_the_first_items_of_the_header() {
    for format in sample::formats() {
        let (file, _) = sample::file(format);
        let expected = whole(&file).unwrap();
        let mut decoder = Decoder::new();
        let mut done = false;
        for (position, byte) in file.iter().enumerate() {
            done |= matches!(decoder.push(&[*byte]), Ok(Progress::Done { .. }));
            let position = position as u64 + 1;
            let header = decoder.header();
            let read = |end: u64| end <= position;
            assert_eq!(header.metadata().len(), expected.metadata().filter(|kv| read(kv.range().end)).count());
            assert_eq!(header.tensors().len(), expected.tensors().filter(|tensor| read(tensor.range().end)).count());
            if let Some(last) = header.metadata().last() {
                assert_eq!(last.range(), expected.metadata_at(last.index()).unwrap().range());
                assert_eq!(last.value(), expected.metadata_at(last.index()).unwrap().value());
                let found = header.get(last.key().to_bytes()).unwrap();
                assert_eq!(found.index(), expected.get(last.key().to_bytes()).unwrap().index());
                assert_eq!(header.alignment(), 64);
                let end = header.tensors().last().map_or(last.range().end, |tensor| tensor.range().end);
                assert_eq!(header.header_size(), end);
            }
            assert!(header.get("missing").is_none() && header.tensor("missing").is_none());
        }
        assert!(done);
        assert_same(&Ok(expected), &decoder.into_header());
    }
}

/// Items of every kind that cross the boundary between two blocks of the retained header.
#[test]
fn items_may_cross_blocks_of_the_header() {
    for format in sample::formats() {
        let (file, header_size) = sample::file(format);
        let unshifted = whole(&file).unwrap();
        let counts = 8 + 2 * format.length_size() as usize;
        let items = &file[counts..header_size as usize];
        for shift in (0..items.len() + 20).step_by(if format == Format::default() { 2 } else { 13 }) {
            let mut shifted = GgufBytes::new(format);
            shifted.header(3, sample::values().len() as u64 + 4).key(b"filler", 8);
            let before = shifted.len() + format.length_size();
            shifted.string(&vec![b'.'; (256 << 10) - before as usize - shift + 10]).bytes(items);
            let shifted = shifted.into_bytes();
            let header = whole(&shifted);
            let values = header.as_ref().unwrap().metadata().skip(1).map(|kv| kv.value());
            assert!(values.eq(unshifted.metadata().map(|kv| kv.value())));
            assert_same(&header, &split(&shifted, [Piece::Commit(shift), Piece::Commit(usize::MAX)]));
        }
    }
}

#[test]
fn an_empty_file_ends_unexpectedly() {
    let mut decoder = Decoder::new();
    assert_eq!(decoder.push(b""), Ok(Progress::NeedMore { at_least: 4 }));
    let error = decoder.finish().unwrap_err();
    assert_eq!((error.code().name(), error.offset()), ("unexpected-eof", 0));
    assert_eq!(decoder.push(b"GGUF"), Err(error));
}

/// After an error, the items before it are still available.
#[test]
fn a_failed_decoder_keeps_its_items() {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 3).entry(b"first", &"text".into()).entry(b"second", &7u32.into()).key(b"third", 99);
    let mut decoder = Decoder::new();
    let error = decoder.push(file.as_bytes()).unwrap_err();
    assert_eq!((error.code().name(), error.offset()), ("unknown-value-type", file.len() - 4));
    let header = decoder.header();
    assert_eq!((header.metadata().len(), header.metadata_count()), (2, 3));
    assert_eq!(header.get("first").unwrap().value().as_str().unwrap(), "text");
    assert_eq!(header.get("second").unwrap().value().as_u64(), Some(7));
    assert_eq!(header.header_size(), header.metadata_at(1).unwrap().range().end);
}

#[test]
fn the_part_of_a_header_that_has_arrived_begins_as_the_whole_header() {
    for format in sample::formats() {
        let (file, header_size) = sample::file(format);
        let header = whole(&file).unwrap();
        for length in (0..header_size as usize).step_by(7) {
            let mut decoder = Decoder::new();
            decoder.push(&file[..length]).unwrap();
            let part = decoder.header();
            for (arrived, entry) in part.metadata().zip(header.metadata()) {
                assert_eq!(
                    (arrived.range(), arrived.key(), arrived.value()),
                    (entry.range(), entry.key(), entry.value())
                );
            }
            let ended = header.metadata().take_while(|entry| entry.range().end <= length as u64);
            assert_eq!(part.metadata().len(), ended.count(), "{length}");
            for (arrived, tensor) in part.tensors().zip(header.tensors()) {
                assert_eq!((arrived.name(), arrived.offset()), (tensor.name(), tensor.offset()));
                // The data begins after the last tensor info.
                assert_eq!(arrived.file_offset(), None);
            }
        }
        assert!(header.tensors().all(|tensor| tensor.file_offset().is_some()));
    }
}
