//! Tests of work that must not grow with the file: the bytes of the header that are read again.

use alloc::vec::Vec;
use alloc::{format, vec};

use crate::decode::decoder::{Decoder, parse};
use crate::format::header_bytes::reads;
use crate::format::value::ValueType;

/// The bytes of a little-endian file of version 3.
struct File(Vec<u8>);

impl File {
    fn new(tensors: u64, entries: u64) -> Self {
        let mut file = Self(b"GGUF\x03\0\0\0".to_vec());
        file.bytes(&tensors.to_le_bytes()).bytes(&entries.to_le_bytes());
        file
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn id(&mut self, id: ValueType) -> &mut Self {
        self.bytes(&id.id().to_le_bytes())
    }

    fn string(&mut self, text: &[u8]) -> &mut Self {
        self.bytes(&(text.len() as u64).to_le_bytes()).bytes(text)
    }

    /// The type and the count of an array, before its elements.
    fn array(&mut self, element_type: ValueType, count: u64) -> &mut Self {
        self.id(element_type).bytes(&count.to_le_bytes())
    }

    fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A file with an array of `len` strings, and one of as many arrays of a byte.
fn arrays(len: u64) -> File {
    let mut file = File::new(0, 2);
    file.string(b"strings").id(ValueType::Array).array(ValueType::String, len);
    (0..len).for_each(|_| _ = file.string(b"token"));
    file.string(b"arrays").id(ValueType::Array).array(ValueType::Array, len);
    (0..len).for_each(|_| _ = file.array(ValueType::Uint8, 1).bytes(&[7]));
    file
}

#[test]
fn an_element_is_found_without_reading_the_elements_before_it() {
    const LEN: u64 = 50_000;
    let header = parse(arrays(LEN).as_bytes()).unwrap();
    for key in ["strings", "arrays"] {
        let array = header.get(key).unwrap().value().as_array().unwrap();
        let first = reads::during(|| assert!(array.get(0).is_some()));
        let of_a_stride = reads::during(|| assert!(array.get(63).is_some()));
        assert!(first < of_a_stride);
        for index in [64, 1000, LEN / 2, LEN - 1] {
            let read = reads::during(|| assert!(array.get(index).is_some()));
            assert!((first..=of_a_stride).contains(&read), "{key}[{index}]: {read}, expected {first} to {of_a_stride}");
        }
    }
}

#[test]
fn a_name_is_found_without_reading_all_names() {
    const COUNT: u64 = 5_000;
    let mut file = File::new(COUNT, COUNT);
    for index in 0..COUNT {
        file.string(format!("key.{index:05}").as_bytes()).id(ValueType::Uint64).bytes(&index.to_le_bytes());
    }
    for index in 0..COUNT {
        // No dimensions, type 0, offset 0.
        file.string(format!("blk.{index:05}").as_bytes()).bytes(&[0; 4 + 4 + 8]);
    }
    let header = parse(file.as_bytes()).unwrap();
    let name_size = "key.00000".len() as u64;
    for index in [0, COUNT / 2, COUNT - 1] {
        let (key, name) = (format!("key.{index:05}"), format!("blk.{index:05}"));
        // A name is read with its length. A few others have the same hash.
        let most = 8 * (name_size + 8);
        assert!(reads::during(|| assert!(header.get(&key).is_some())) <= most);
        assert!(reads::during(|| assert!(header.tensor(&name).is_some())) <= most);
    }
}

/// The bytes that are read while a file is decoded in pieces.
fn read_while_decoding(file: &File, piece_size: usize) -> u64 {
    reads::during(|| {
        let mut decoder = Decoder::new();
        file.as_bytes().chunks(piece_size).for_each(|piece| _ = decoder.push(piece).unwrap());
        assert_eq!(decoder.header().metadata().len(), 2);
    })
}

#[test]
fn an_item_is_not_read_again_with_each_piece() {
    // A reader that starts a value again with each piece would read the string 128 times, and 10,000 lengths for each piece.
    let mut file = File::new(0, 2);
    file.string(b"long").id(ValueType::String).string(&vec![b'x'; 512 << 10]);
    file.string(b"many").id(ValueType::Array).array(ValueType::String, 20_000);
    (0..20_000).for_each(|_| _ = file.string(b"token"));
    let at_once = read_while_decoding(&file, usize::MAX);
    assert!(at_once >= 20_000 * 8);
    for piece_size in [4 << 10, 1 << 10, 100] {
        let pieces = file.as_bytes().len().div_ceil(piece_size) as u64;
        let again = read_while_decoding(&file, piece_size).saturating_sub(at_once);
        // The length of the item that is not complete is read again.
        assert!(again <= pieces * 64, "{again} bytes again, with {pieces} pieces");
    }
}

#[test]
fn the_work_grows_linearly_with_the_header() {
    let decoded = |count: u64| {
        let mut file = File::new(0, count);
        for index in 0..count {
            file.string(format!("key.{index:05}").as_bytes()).id(ValueType::Array).array(ValueType::String, 65);
            (0..65).for_each(|_| _ = file.string(b""));
        }
        reads::during(|| assert!(parse(file.as_bytes()).is_ok()))
    };
    let [few, many] = [100, 800].map(decoded);
    // Quadratic work would be 64 times as much.
    assert!(many <= few * 9, "{few} and {many} bytes");
}
