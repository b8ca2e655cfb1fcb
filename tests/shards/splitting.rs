//! Splitting: limits, refusals, and that nothing is lost.

use gguf_files::shards::{MergedEntries, SplitLimit, split};
use gguf_format::write::encode::OwnedValue;
use gguf_format::{ErrorCode, Format, parse};
use proptest::prelude::*;

use crate::corpus;
use crate::gguf_bytes::GgufBytes;
use crate::shards::content::{entries, merged, shards_of, tensors, tensors_of_shards};

const I8: u32 = 24;

/// A file with an I8 tensor of each size. The data of tensor `i` consists of bytes `i`.
pub fn file_of(sizes: &[u64], alignment: Option<u32>) -> Vec<u8> {
    let mut file = GgufBytes::new(Format::default());
    file.header(sizes.len() as u64, 1 + u64::from(alignment.is_some()));
    file.entry(b"general.architecture", &"llama".into());
    if let Some(alignment) = alignment {
        file.entry(b"general.alignment", &alignment.into());
    }
    let alignment = alignment.map_or(32, u64::from);
    let mut offset = 0_u64;
    for (index, size) in sizes.iter().enumerate() {
        file.tensor(format!("t{index}").as_bytes(), &[*size], I8, offset);
        offset = (offset + size).next_multiple_of(alignment);
    }
    file.pad_to(alignment);
    for (index, size) in sizes.iter().enumerate() {
        file.bytes(&vec![index as u8; *size as usize]).pad_to(alignment);
    }
    file.into_bytes()
}

/// The number of tensors of each shard.
fn counts(sizes: &[u64], limit: SplitLimit, tensors_in_first: bool) -> Vec<u64> {
    let shards = shards_of(&file_of(sizes, None), limit, tensors_in_first);
    shards.iter().map(|shard| parse(shard).unwrap().tensor_count()).collect()
}

#[test]
fn a_shard_has_at_most_the_given_number_of_tensors() {
    assert_eq!(counts(&[1; 5], SplitLimit::Tensors(2), true), [2, 2, 1]);
    assert_eq!(counts(&[1; 5], SplitLimit::Tensors(2), false), [0, 2, 2, 1]);
    assert_eq!(counts(&[1; 5], SplitLimit::Tensors(5), true), [5]);
    assert_eq!(counts(&[], SplitLimit::Tensors(1), true), [0]);
    assert_eq!(counts(&[], SplitLimit::Tensors(1), false), [0]);
}

#[test]
fn a_shard_has_at_most_the_given_number_of_bytes_with_padding() {
    assert_eq!(counts(&[64, 32, 1, 96], SplitLimit::Bytes(96), true), [2, 1, 1]);
    assert_eq!(counts(&[64, 33, 32], SplitLimit::Bytes(96), true), [1, 2]);
    assert_eq!(counts(&[0, 0, 32, 0], SplitLimit::Bytes(1), true), [2, 1, 1]);
}

#[test]
fn a_tensor_that_is_larger_than_the_limit_gets_a_shard_of_its_own() {
    assert_eq!(counts(&[320, 32, 320, 32, 32], SplitLimit::Bytes(64), true), [1, 1, 1, 2]);
    assert_eq!(counts(&[320, 32], SplitLimit::Bytes(64), false), [0, 1, 1]);
}

#[test]
fn every_shard_says_its_place_in_the_set() {
    let shards = shards_of(&file_of(&[1; 5], None), SplitLimit::Tensors(2), true);
    for (number, shard) in shards.iter().enumerate() {
        let header = parse(shard).unwrap();
        let own: Vec<(String, String)> = header
            .metadata()
            .filter(|entry| entry.key().to_string().starts_with("split."))
            .map(|entry| {
                (entry.key().to_string(), format!("{} {:?}", entry.value_type(), entry.value().as_u64().unwrap()))
            })
            .collect();
        let entry = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let expected = [
            entry("split.no", &format!("UINT16 {number}")),
            entry("split.tensors.count", "INT32 5"),
            entry("split.count", "UINT16 3"),
        ];
        assert_eq!(own, expected);
        assert_eq!(header.metadata().len(), if number == 0 { 4 } else { 3 });
    }
}

#[test]
fn another_alignment_is_kept_in_every_shard() {
    for alignment in [1, 8, 64, 4096] {
        let file = file_of(&[1, 100, 5000], Some(alignment));
        let shards = shards_of(&file, SplitLimit::Tensors(1), true);
        for shard in &shards {
            let header = parse(shard).unwrap();
            assert_eq!(header.alignment(), u64::from(alignment));
            assert!(header.tensors().all(|tensor| tensor.file_offset().unwrap().is_multiple_of(alignment.into())));
            assert!((shard.len() as u64).is_multiple_of(alignment.into()));
        }
        assert_eq!(merged(&shards, MergedEntries::WithoutSplitKeys), file);
    }
}

#[test]
fn a_merged_file_is_split_again() {
    let file = file_of(&[32; 3], None);
    let llama_cpp = merged(&shards_of(&file, SplitLimit::Tensors(1), true), MergedEntries::AsLlamaCpp);
    let again = shards_of(&llama_cpp, SplitLimit::Tensors(1), true);
    assert_eq!(again, shards_of(&file, SplitLimit::Tensors(1), true));
}

#[test]
fn refused_files_and_limits() {
    let refusal = |file: &[u8], size: Option<u64>, limit| split(&parse(file).unwrap(), size, limit, true).unwrap_err();
    let file = file_of(&[32; 2], None);
    let size = Some(file.len() as u64);
    for limit in [SplitLimit::Tensors(0), SplitLimit::Bytes(0)] {
        assert_eq!(refusal(&file, size, limit).code(), ErrorCode::InvalidArgument);
    }
    let error = refusal(&file, Some(file.len() as u64 - 1), SplitLimit::Tensors(1));
    assert_eq!(error.code(), ErrorCode::Truncated);
    assert!(error.to_string().contains("\"t1\""), "{error}");
    assert_eq!(error.offset(), Some(file.len() as u64 - 32));

    let shard = &shards_of(&file, SplitLimit::Tensors(1), true)[1];
    let error = refusal(shard, Some(shard.len() as u64), SplitLimit::Tensors(1));
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    assert!(error.to_string().contains("one of 2 shards"), "{error}");

    let many = file_of(&vec![0; 65_536], None);
    let error = refusal(&many, Some(many.len() as u64), SplitLimit::Tensors(1));
    assert_eq!(error.code(), ErrorCode::LimitExceeded);
    assert!(split(&parse(&many).unwrap(), Some(many.len() as u64), SplitLimit::Tensors(2), true).is_ok());
}

#[test]
fn data_of_unknown_size_is_copied_up_to_the_next_tensor_or_the_end() {
    let mut file = GgufBytes::new(Format::default());
    file.header(3, 0).tensor(b"a", &[1], 200, 0).tensor(b"b", &[4], I8, 64).tensor(b"c", &[1], 201, 96).pad_to(32);
    let data: Vec<u8> = (0..120).collect();
    file.bytes(&data);
    let file = file.into_bytes();
    assert_eq!(
        split(&parse(&file).unwrap(), None, SplitLimit::Tensors(1), true).unwrap_err().code(),
        ErrorCode::SizeUnknown
    );
    let shards = shards_of(&file, SplitLimit::Tensors(1), true);
    let data_of = |shard: &[u8]| shard[parse(shard).unwrap().data_offset() as usize..].to_vec();
    assert_eq!(data_of(&shards[0]), data[..64]);
    assert_eq!(data_of(&shards[1])[..4], data[64..68]);
    assert_eq!(data_of(&shards[2]), data[96..]);
    let whole = merged(&shards, MergedEntries::WithoutSplitKeys);
    let start = parse(&whole).unwrap().data_offset() as usize;
    assert_eq!(whole[start..start + 68], data[..68]);
    assert_eq!(whole[start + 96..], data[96..]);
}

#[test]
fn every_file_of_the_corpus_survives_splitting_and_merging() {
    let Some(folder) = corpus::folder() else { return };
    let files = corpus::every_file(&folder);
    let mut split_files = 0;
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3) };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    for (name, file) in &files {
        let Ok(header) = parse(file) else { continue };
        let is_whole = header.get("split.count").and_then(|entry| entry.value().as_u64()).is_none_or(|count| count < 2);
        let fits = split(&header, Some(file.len() as u64), SplitLimit::Tensors(1000), true).is_ok();
        if !is_whole || !fits {
            continue;
        }
        split_files += 1;
        let limits = prop_oneof![
            (1_u64..50).prop_map(SplitLimit::Tensors),
            (1_u64..1 << 20).prop_map(SplitLimit::Bytes),
            (1_u64..300).prop_map(SplitLimit::Bytes),
        ];
        let strategy = (limits, any::<bool>());
        runner
            .run(&strategy, |(limit, tensors_in_first)| {
                let shards = shards_of(file, limit, tensors_in_first);
                let whole = merged(&shards, MergedEntries::WithoutSplitKeys);
                prop_assert_eq!(tensors(&whole), tensors_of_shards(file), "{}", name);
                prop_assert_eq!(entries(&parse(&whole).unwrap()), entries(&header), "{}", name);
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    assert!(split_files > 80, "only {split_files} files were split");
}

#[test]
fn entries_of_any_kind_are_copied_byte_for_byte() {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, 4)
        .key(b"odd.bool", 7)
        .bytes(&[2])
        .entry(b"split.no", &7_u32.into())
        .entry(b"text", &OwnedValue::String(b"\xff\0".to_vec()))
        .entry(b"\xff", &1_u8.into())
        .tensor(b"t", &[3, 1, 1], I8, 0)
        .pad_to(32)
        .bytes(&[1, 2, 3])
        .pad_to(32);
    let file = file.into_bytes();
    let whole = merged(&shards_of(&file, SplitLimit::Tensors(1), false), MergedEntries::WithoutSplitKeys);
    assert_eq!(entries(&parse(&whole).unwrap()), entries(&parse(&file).unwrap()));
    assert_eq!(tensors(&whole), tensors_of_shards(&file));
}

#[test]
fn dimensions_of_1_at_the_end_are_left_out_except_in_image_models() {
    let file = |architecture: &str| {
        let mut file = GgufBytes::new(Format::default());
        file.header(5, 1).entry(b"general.architecture", &architecture.into());
        let shapes: [&[u64]; 5] = [&[3, 1, 1], &[1, 1], &[1, 3, 1], &[2, 1, 1, 2], &[4, 0, 1]];
        for (name, (shape, offset)) in
            [b"a", b"b", b"c", b"d", b"e"].iter().zip(shapes.iter().zip([0, 32, 64, 96, 128]))
        {
            file.tensor(*name, shape, I8, offset);
        }
        file.pad_to(32).bytes(&[7; 128]);
        file.into_bytes()
    };
    let shapes = |architecture: &str| {
        let shards = shards_of(&file(architecture), SplitLimit::Tensors(2), true);
        let whole = merged(&shards, MergedEntries::WithoutSplitKeys);
        let of_shards: Vec<_> = shards.iter().flat_map(|shard| tensors(shard)).collect();
        assert_eq!(of_shards, tensors(&whole));
        of_shards.into_iter().map(|tensor| tensor.dimensions).collect::<Vec<_>>()
    };
    let [a, b, c, d, e] = [vec![3], vec![1], vec![1, 3], vec![2, 1, 1, 2], vec![4, 0]];
    assert_eq!(shapes("llama"), [a, b, c, d.clone(), e]);
    assert_eq!(shapes("flux"), [vec![3, 1, 1], vec![1, 1], vec![1, 3, 1], d, vec![4, 0, 1]]);
}

#[test]
fn files_with_a_tensor_name_twice_are_refused() {
    for names in [[&b"a"[..], b"b", b"a"], [b"a", b"a\0x", b"b"]] {
        let mut file = GgufBytes::new(Format::default());
        file.header(3, 0);
        for (name, offset) in names.iter().zip([0, 32, 64]) {
            file.tensor(name, &[32], I8, offset);
        }
        let data = file.pad_to(32).bytes(&[7; 96]).pad_to(32).clone().into_bytes();
        let header = parse(&data).unwrap();
        for limit in [SplitLimit::Tensors(1), SplitLimit::Tensors(9), SplitLimit::Bytes(32)] {
            let error = split(&header, Some(data.len() as u64), limit, true).unwrap_err();
            assert_eq!(error.code(), ErrorCode::NameTaken);
            assert!(error.to_string().starts_with("cannot split the file: two tensors have the name \"a"), "{error}");
        }
    }
}
