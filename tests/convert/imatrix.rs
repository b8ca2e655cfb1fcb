//! Importance matrices in both forms.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use gguf_convert::requantize::Imatrix;
use gguf_format::io::{FileSource, block_on};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{ErrorCode, Format, GgmlType, Result, ValueType};

use crate::corpus;

/// Opens bytes as an importance matrix.
fn open(bytes: &[u8]) -> Result<Imatrix> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("gguf-wasm-imatrix-{}-{number}", std::process::id()));
    fs::write(&path, bytes).unwrap();
    let opened = block_on(Imatrix::open(FileSource::open(&path).unwrap(), "name.imatrix"));
    fs::remove_file(&path).unwrap();
    opened
}

#[test]
fn both_forms_have_the_same_values() {
    let Some(folder) = corpus::folder() else { return };
    let read = |name: &str| open(&corpus::read(&folder.join("quantize").join(name))).unwrap();
    let (new, old) = (read("tiny.imatrix.gguf"), read("tiny.imatrix.dat"));
    assert_eq!(new.names().collect::<Vec<_>>(), old.names().collect::<Vec<_>>());
    assert_eq!((new.chunk_count(), &new.datasets()[0]), (old.chunk_count(), &old.datasets()[0]));
    assert_eq!(new.names().len(), 14);
    for name in new.names() {
        let count = new.entry(name).unwrap().value_count();
        assert_eq!(count, old.entry(name).unwrap().value_count());
        let (a, b) = (block_on(new.values(name, 0..count)).unwrap(), block_on(old.values(name, 0..count)).unwrap());
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&a), bits(&b), "{}", String::from_utf8_lossy(name));
        assert_eq!(block_on(new.values(name, 3..9)).unwrap(), a[3..9]);
    }
    let error = block_on(new.values(b"nothing", 0..1)).unwrap_err();
    assert_eq!(error.code(), "unknown-tensor");
}

/// A file of the older form with one entry.
fn legacy(name: &[u8], calls: i32, values: &[f32]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(1_i32.to_le_bytes());
    file.extend((name.len() as i32).to_le_bytes());
    file.extend(name);
    file.extend(calls.to_le_bytes());
    file.extend((values.len() as i32).to_le_bytes());
    values.iter().for_each(|value| file.extend(value.to_le_bytes()));
    file
}

#[test]
fn sums_of_the_older_form_are_divided_by_the_number_of_calls() {
    let values = |calls| block_on(open(&legacy(b"a", calls, &[2.0, 6.0])).unwrap().values(b"a", 0..2)).unwrap();
    assert_eq!((values(2), values(0)), (vec![1.0, 3.0], vec![2.0, 6.0]));
}

#[test]
fn broken_files_are_refused_with_an_offset() {
    let whole = legacy(b"blk.0.attn_q.weight", 2, &[1.0; 8]);
    let is_bad = |bytes: &[u8]| {
        let error = open(bytes).expect_err(&format!("{} bytes", bytes.len()));
        let is_known = matches!(error.code(), ErrorCode::BadImatrix | ErrorCode::UnexpectedEof);
        assert!(is_known && error.offset().is_some(), "{error}");
    };
    (0..whole.len()).for_each(|length| is_bad(&whole[..length]));
    assert!(open(&whole).is_ok());
    // Counts and lengths that no file has.
    for position in [0, 4, 31] {
        for number in [i32::MAX, -1, 0] {
            let mut file = whole.clone();
            file[position..position + 4].copy_from_slice(&number.to_le_bytes());
            is_bad(&file);
        }
    }
    is_bad(b"GGUF");
    is_bad(b"<!doctype html>");
}

#[test]
fn tensors_that_share_their_data_are_refused() {
    // 40 MB of sums and counts in a file of 140 kB.
    let (names, length) = (250, 20_000);
    let file = |shares: bool| {
        let mut file = Encoder::new(Format::default());
        file.header(2 * names, 3);
        file.kv(b"imatrix.datasets", &OwnedValue::array(ValueType::String, ["text".to_owned()]));
        file.kv(b"imatrix.chunk_count", &1u32.into()).kv(b"imatrix.chunk_size", &512u32.into());
        let mut offset = 0;
        for name in 0..names {
            for end in ["in_sum2", "counts"] {
                let length = if shares { length } else { 8 };
                file.tensor_info(format!("{name}.{end}").as_bytes(), &[length], GgmlType::F32.0, offset);
                offset += if shares { 0 } else { 4 * length };
            }
        }
        file.pad_to(32);
        [file.into_bytes(), vec![0; 4 * if shares { length } else { 16 * names } as usize]].concat()
    };
    let error = open(&file(true)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::BadImatrix, "{error}");
    assert!(error.to_string().contains("more data than the file"), "{error}");
    assert_eq!(open(&file(false)).unwrap().names().len() as u64, names);
}

#[test]
fn a_long_name_is_not_shown_whole() {
    let mut file = legacy(&[b'a'; 4000], 1, &[1.0]);
    file.truncate(file.len() - 1);
    let message = open(&file).expect_err("it is cut off").to_string();
    assert!(message.contains("aaaa…\"") && message.len() < 300, "{message}");
}

#[test]
fn values_that_are_not_finite_are_refused_when_they_are_used() {
    let imatrix = open(&legacy(b"a", 1, &[1.0, f32::NAN, f32::INFINITY])).unwrap();
    let error = block_on(imatrix.values(b"a", 0..1)).unwrap_err();
    assert_eq!((error.code(), error.offset()), (ErrorCode::BadImatrix, Some(4 + 4 + 1 + 8 + 4)));
}

#[test]
fn files_of_the_corpus_that_lack_a_part_are_refused() {
    let Some(folder) = corpus::folder() else { return };
    for part in ["no-chunk_count", "no-chunk_size", "no-counts", "no-datasets"] {
        let error = open(&corpus::read(&folder.join(format!("quantize/tiny.imatrix-{part}.gguf")))).expect_err(part);
        assert_eq!(error.code(), "bad-imatrix", "{part}");
    }
}
