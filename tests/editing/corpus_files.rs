//! A change of one part of a file preserves all other parts, for every file of the corpus that can be opened.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use crate::written::written;
use gguf_format::edit::Edit;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, Header, TensorInfo, Value, ValueType};

use crate::corpus;

fn size(file: &[u8]) -> Option<u64> {
    Some(file.len() as u64)
}

fn bytes(file: &[u8], range: Range<u64>) -> &[u8] {
    &file[range.start as usize..range.end as usize]
}

/// The files with their names and headers. Without the corpus, prints that and returns `None`.
fn openable() -> Option<Vec<(String, Vec<u8>, Header)>> {
    let files = corpus::every_file(&corpus::folder()?).into_iter();
    let opened: Vec<_> =
        files.filter_map(|(name, file)| gguf_format::parse(&file).ok().map(|header| (name, file, header))).collect();
    assert!(opened.len() > 120, "{} files can be opened", opened.len());
    Some(opened)
}

fn file(folder: &Path, name: &str) -> (Vec<u8>, Header) {
    let file = corpus::read(&folder.join("files").join(name));
    let header = gguf_format::parse(&file).unwrap();
    (file, header)
}

/// The bytes of a tensor, if its length is known and the file contains them all.
fn data<'f>(file: &'f [u8], tensor: &TensorInfo<'_>) -> Option<&'f [u8]> {
    let (start, length) = (tensor.file_offset()?, tensor.byte_length()?);
    if length == 0 {
        return Some(&[]);
    }
    file.get(start as usize..usize::try_from(start.checked_add(length)?).ok()?)
}

/// Whether the file ends before the data of its tensors.
fn is_truncated(file: &[u8], header: &Header) -> bool {
    header.tensors().any(|tensor| match tensor.byte_length() {
        Some(_) => data(file, &tensor).is_none(),
        None => tensor.file_offset().is_none_or(|start| start >= file.len() as u64),
    })
}

#[test]
fn without_a_change_every_file_is_copied() {
    let Some(files) = openable() else { return };
    for (name, file, header) in files {
        println!("{name}");
        let plan = Edit::new(header).plan(size(&file)).unwrap();
        assert_eq!(plan.segments().len(), 1);
        assert!(written(&plan, &file) == file);
        assert_eq!(plan.patches(), Some(&[][..]));
    }
}

/// Unusual content that other editors lose.
fn features(file: &[u8], header: &Header) -> BTreeSet<&'static str> {
    let mut features = BTreeSet::new();
    for entry in header.metadata() {
        let is_utf8 = |value: Value<'_>| value.as_str().is_none_or(|text| text.to_str().is_ok());
        match entry.value() {
            Value::Array(array) => {
                let of = match (array.element_type(), array.len()) {
                    (_, 0) => "an empty array",
                    (ValueType::Uint8, _) => "an array of UINT8",
                    (ValueType::Array, _) => "a nested array",
                    (ValueType::String, _) if !array.iter().all(is_utf8) => "invalid UTF-8 in an array",
                    _ => "an array",
                };
                features.insert(of);
            }
            Value::Bool(_) if bytes(file, entry.value_range())[0] > 1 => {
                features.insert("a BOOL of neither 0 nor 1");
            }
            Value::String(text) if text.byte_length() == 0 => {
                features.insert("an empty string");
            }
            value if !is_utf8(value) => {
                features.insert("invalid UTF-8");
            }
            _ => {}
        }
        if entry.key() == "__proto__" {
            features.insert("a key __proto__");
        }
        if entry.key().to_str().is_err() {
            features.insert("a key of invalid UTF-8");
        }
    }
    for tensor in header.tensors() {
        match tensor.ggml_type().info() {
            None => features.insert("an unknown tensor type"),
            Some(info) if info.is_removed() => features.insert("a removed tensor type"),
            Some(_) => features.insert("a known tensor type"),
        };
        if tensor.byte_length() == Some(0) {
            features.insert("a tensor without data");
        }
    }
    features.insert(match (header.format().endian, header.format().version) {
        (Endian::Big, _) => "big-endian",
        (Endian::Little, 1) => "version 1",
        (Endian::Little, 2) => "version 2",
        (Endian::Little, _) => "version 3",
    });
    match header.alignment() {
        64 => features.insert("alignment 64"),
        256 => features.insert("alignment 256"),
        _ => false,
    };
    let ends = header.tensors().filter_map(|tensor| tensor.file_offset()?.checked_add(tensor.byte_length()?));
    if let Some(end) = ends.max().filter(|_| header.tensors().all(|tensor| tensor.byte_length().is_some())) {
        if end.next_multiple_of(header.alignment()) < file.len() as u64 {
            features.insert("trailing bytes");
        }
        if end.next_multiple_of(header.alignment()) > file.len() as u64 {
            features.insert("no final padding");
        }
    }
    features
}

const KEY: &str = "edited.elsewhere";

/// All bytes except of the added entry are unchanged.
fn check_elsewhere(old: &(Vec<u8>, Header), new: &[u8], is_kept: bool) {
    let (old_file, old_header) = old;
    let header = gguf_format::parse(new).unwrap();
    let entries: Vec<_> = header.metadata().filter(|entry| entry.key() != KEY).collect();
    assert_eq!(entries.len(), old_header.metadata().len());
    for (entry, old) in entries.iter().zip(old_header.metadata()) {
        assert!(bytes(new, entry.range()) == bytes(old_file, old.range()), "{old:?}");
    }
    assert_eq!(header.tensors().len(), old_header.tensors().len());
    for (tensor, old) in header.tensors().zip(old_header.tensors()) {
        let (range, old_range) = (tensor.range(), old.range());
        let without_offset = |range: Range<u64>| range.start..range.end - 8;
        assert!(bytes(new, without_offset(range)) == bytes(old_file, without_offset(old_range)), "{old:?}");
        assert!(data(new, &tensor) == data(old_file, &old), "{old:?}");
        assert!(!is_kept || tensor.offset() == old.offset(), "{old:?}");
    }
    if is_kept {
        // The data section includes gaps, trailing bytes and data of unknown length.
        let section = |file: &[u8], header: &Header| {
            // Without tensors there is no alignment, except if the bytes after the header are only padding.
            let is_unaligned = header.tensors().len() == 0 && header.data_offset() != file.len() as u64;
            let start = if is_unaligned { header.header_size() } else { header.data_offset() };
            file.get(start as usize..).unwrap_or_default().to_vec()
        };
        assert!(section(new, &header) == section(old_file, old_header), "another data section");
    }
}

#[test]
fn an_edit_preserves_all_other_parts() {
    let Some(files) = openable() else { return };
    let mut met = BTreeSet::new();
    let mut edited = 0;
    for (name, file, header) in files {
        println!("{name}");
        let is_truncated = is_truncated(&file, &header);
        let old = (file, gguf_format::parse(&corpus_copy(&header)).unwrap());
        let mut edit = Edit::new(header);
        let plan = |edit: &Edit| edit.plan(size(&old.0));
        edit.add(None, KEY.as_bytes(), &"a value".into()).unwrap();
        if is_truncated {
            assert_eq!(plan(&edit).unwrap_err().code(), "truncated");
            continue;
        }
        edited += 1;
        met.extend(features(&old.0, &old.1));
        check_elsewhere(&old, &written(&plan(&edit).unwrap(), &old.0), true);
        edit.set(KEY, &OwnedValue::array(ValueType::Uint8, [1u8, 2, 3])).unwrap();
        edit.move_to(KEY, 0).unwrap();
        check_elsewhere(&old, &written(&plan(&edit).unwrap(), &old.0), true);
        edit.insert_elements(KEY, 1, &OwnedValue::array(ValueType::Uint8, vec![9u8; 5000])).unwrap();
        check_elsewhere(&old, &written(&plan(&edit).unwrap(), &old.0), true);
        edit.repack();
        check_elsewhere(&old, &written(&plan(&edit).unwrap(), &old.0), false);
        while edit.undo() {}
        assert!(written(&plan(&edit).unwrap(), &old.0) == old.0, "undone, the file is another");
        for (index, entry) in old.1.metadata().enumerate() {
            check_value_set_again(&old, index, entry.value());
        }
    }
    assert!(edited > 80, "{edited} files edited");
    let all = [
        "a BOOL of neither 0 nor 1",
        "a key __proto__",
        "a key of invalid UTF-8",
        "a nested array",
        "a tensor without data",
        "alignment 256",
        "alignment 64",
        "an array of UINT8",
        "an empty array",
        "an empty string",
        "an unknown tensor type",
        "a removed tensor type",
        "big-endian",
        "invalid UTF-8",
        "invalid UTF-8 in an array",
        "no final padding",
        "trailing bytes",
        "version 1",
        "version 2",
    ];
    let missed: Vec<_> = all.into_iter().filter(|feature| !met.contains(feature)).collect();
    assert!(missed.is_empty(), "not met: {missed:?}");
}

/// The bytes of the header, to be decoded again.
fn corpus_copy(header: &Header) -> Vec<u8> {
    header.bytes().slice(0..header.header_size()).into_owned()
}

/// A string that keeps its length changes in place, and no other byte changes.
fn check_value_set_again(old: &(Vec<u8>, Header), index: usize, value: Value<'_>) {
    let Some(text) = value.as_str().filter(|text| (1..200).contains(&text.byte_length()) && index < 40) else {
        return;
    };
    let new: Vec<u8> = text.to_bytes().iter().map(|byte| byte ^ 1).collect();
    let mut edit = Edit::new(gguf_format::parse(&corpus_copy(&old.1)).unwrap());
    edit.set(index, &OwnedValue::String(new.clone())).unwrap();
    let plan = edit.plan(size(&old.0)).unwrap();
    assert_eq!(plan.patches().map(<[_]>::len), Some(1));
    let mut expected = old.0.clone();
    expected[text.range().start as usize..text.range().end as usize].copy_from_slice(&new);
    assert!(written(&plan, &old.0) == expected);
}

#[test]
fn quantized_files_are_converted_to_the_other_byte_order() {
    let Some(folder) = corpus::folder() else { return };
    let (little, little_header) = file(&folder, "le-v3-quant.gguf");
    let (big, big_header) = file(&folder, "be-v3-quant.gguf");
    let mut edit = Edit::new(little_header);
    edit.set_byte_order(Endian::Big);
    assert!(written(&edit.plan(size(&little)).unwrap(), &little) == big, "not what gguf-py makes of it");
    let mut edit = Edit::new(big_header);
    edit.set_byte_order(Endian::Little);
    assert!(written(&edit.plan(size(&big)).unwrap(), &big) == little, "turned back, the file is another");
}

#[test]
fn converting_the_byte_order_twice_restores_every_file() {
    let Some(files) = openable() else { return };
    let (mut turned, mut same) = (0, 0);
    for (name, file, header) in files {
        println!("{name}");
        let endian = header.format().endian;
        let mut edit = Edit::new(header);
        edit.set_byte_order(if endian == Endian::Little { Endian::Big } else { Endian::Little });
        let plan = match edit.plan(size(&file)) {
            Ok(plan) => plan,
            Err(error) => {
                assert!(["truncated", "no-byte-order", "too-large"].contains(&error.code().name()), "{error}");
                continue;
            }
        };
        let other = written(&plan, &file);
        let mut edit = Edit::new(gguf_format::parse(&other).unwrap());
        edit.set_byte_order(endian);
        let back = written(&edit.plan(size(&other)).unwrap(), &other);
        turned += 1;
        same += usize::from(back == file);
        let valid = !name.starts_with("malformed/");
        // Gaps, disorder and wrong padding are not preserved.
        let irregular = ["offsets-", "padding-nonzero", "last-tensor-unpadded"];
        if valid && !irregular.iter().any(|part| name.contains(part)) {
            assert!(back == file, "turned twice, the file is another");
        }
    }
    assert!(turned > 60 && same > 50, "{turned} turned, {same} the same");
}

#[test]
fn alignments_are_changed_and_kept() {
    let Some(folder) = corpus::folder() else { return };
    for name in ["align-8.gguf", "align-64.gguf", "align-256.gguf", "align-4096.gguf"] {
        let (original, header) = file(&folder, name);
        let mut edit = Edit::new(header);
        edit.set_alignment(128).unwrap();
        let file = written(&edit.plan(size(&original)).unwrap(), &original);
        let header = gguf_format::parse(&file).unwrap();
        assert_eq!((header.alignment(), header.data_offset() % 128), (128, 0));
        let old = gguf_format::parse(&original).unwrap();
        assert!(header.tensors().len() > 0);
        for (tensor, old) in header.tensors().zip(old.tensors()) {
            assert_eq!(tensor.offset() % 128, 0);
            assert!(data(&file, &tensor).is_some() && data(&file, &tensor) == data(&original, &old), "{old:?}");
        }
        // The corpus has no such file.
        let mut edit = Edit::new(gguf_format::parse(&file).unwrap());
        edit.add(Some(0), KEY.as_bytes(), &"a value".into()).unwrap();
        let new = written(&edit.plan(size(&file)).unwrap(), &file);
        check_elsewhere(&(file, header), &new, true);
    }
}

#[test]
fn version_1_becomes_version_3_with_the_same_values() {
    let Some(folder) = corpus::folder() else { return };
    let (file, header) = file(&folder, "v1.gguf");
    let mut edit = Edit::new(header);
    edit.set_version(3).unwrap();
    let new = written(&edit.plan(size(&file)).unwrap(), &file);
    let (old, new_header) = (gguf_format::parse(&file).unwrap(), gguf_format::parse(&new).unwrap());
    assert_eq!(new_header.format().version, 3);
    assert!(old.metadata().len() > 0 && old.tensors().len() > 0);
    for (entry, old) in new_header.metadata().zip(old.metadata()) {
        assert_eq!((entry.key(), entry.value()), (old.key(), old.value()));
    }
    for (tensor, old) in new_header.tensors().zip(old.tensors()) {
        assert_eq!((tensor.name(), tensor.offset()), (old.name(), old.offset()));
        assert!(tensor.dimensions().eq(old.dimensions()));
        assert!(data(&new, &tensor) == data(&file, &old));
    }
}
