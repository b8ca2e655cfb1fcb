//! What is wrong with a set of shards.

use gguf_files::shards::{MergedEntries, SET_CHECKS, SetCheck, SetFinding, ShardFile, ShardSet, SplitLimit};
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Endian, ErrorCode, Format, Header, parse};
use gguf_models::file_name::shard_name;
use gguf_models::validate::MAX_FINDINGS;

use crate::corpus;
use crate::gguf_bytes::GgufBytes;
use crate::shards::content::{merge_plan, shards_of};
use crate::shards::splitting::file_of;

/// A file, its name, and its size if that is not the number of bytes.
struct File {
    name: String,
    header: Header,
    size: u64,
}

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.into(), header: parse(bytes).unwrap(), size: bytes.len() as u64 }
    }
}

/// The shards of a model with six tensors: two in each of three shards.
fn three() -> Vec<File> {
    let shards = shards_of(&file_of(&[32; 6], None), SplitLimit::Tensors(2), true);
    let file = |(number, bytes): (u32, &Vec<u8>)| File::new(&shard_name("m", number, 3), bytes);
    (1..).zip(&shards).map(file).collect()
}

fn arranged(files: &[File]) -> Result<ShardSet, gguf_format::Error> {
    let files: Vec<ShardFile<'_>> =
        files.iter().map(|file| ShardFile { name: &file.name, header: &file.header, size: Some(file.size) }).collect();
    ShardSet::arrange(&files)
}

/// The checks that found something, and the numbers of the shards.
fn found(findings: &[SetFinding]) -> Vec<(SetCheck, Option<u32>)> {
    findings.iter().map(|finding| (finding.check, finding.shard)).collect()
}

#[track_caller]
fn assert_foreign(files: &[File], expected: &str) {
    let error = arranged(files).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ForeignShard);
    assert_eq!(error.to_string(), format!("cannot open {expected}; open the shards of one model only"));
}

/// A shard with other entries: `split.no`, `split.count`, `split.tensors.count`, and others.
fn shard(number: u16, count: u64, tensor_count: i32, others: &[(&str, OwnedValue)]) -> Vec<u8> {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 3 + others.len() as u64)
        .entry(b"split.no", &number.into())
        .entry(b"split.count", &count.into())
        .entry(b"split.tensors.count", &tensor_count.into());
    for (key, value) in others {
        file.entry(key.as_bytes(), value);
    }
    file.into_bytes()
}

#[test]
fn files_in_any_order_are_put_in_order() {
    let mut files = three();
    assert_eq!(arranged(&files).unwrap().positions, [Some(0), Some(1), Some(2)]);
    files.rotate_left(1);
    let set = arranged(&files).unwrap();
    assert_eq!((set.positions, set.findings), (vec![Some(2), Some(0), Some(1)], Vec::new()));
}

#[test]
fn files_without_names_are_put_in_order() {
    let mut files = three();
    files.reverse();
    files.iter_mut().for_each(|file| file.name.clear());
    let set = arranged(&files).unwrap();
    assert_eq!((set.positions, set.findings), (vec![Some(2), Some(1), Some(0)], Vec::new()));
}

#[test]
fn a_whole_file_is_a_set_of_its_own() {
    let files = [File::new("model.gguf", &file_of(&[32], None))];
    let set = arranged(&files).unwrap();
    assert_eq!((set.positions, set.findings), (vec![Some(0)], Vec::new()));
}

#[test]
fn a_missing_shard_has_no_position_and_is_reported() {
    let mut files = three();
    files.remove(1);
    let mut set = arranged(&files).unwrap();
    assert_eq!(set.positions, [Some(0), None, Some(1)]);
    set.report_missing(2, "m-00002-of-00003.gguf");
    assert_eq!(found(&set.findings), [(SetCheck::MissingShard, Some(2))]);
    assert_eq!(set.findings[0].message, "shard 2 of 3 is missing. Add the file \"m-00002-of-00003.gguf\".");
    set.report_unreadable(2, "m-00002-of-00003.gguf", "it is a web page");
    assert_eq!(set.findings[1].message, "\"m-00002-of-00003.gguf\" could not be opened: it is a web page");
    assert_eq!(set.findings[1].check, SetCheck::UnreadableShard);
}

#[test]
fn swapped_shards_are_put_in_the_order_of_their_headers() {
    let mut files = three();
    let name = files[1].name.clone();
    files[1].name = std::mem::replace(&mut files[2].name, name);
    let set = arranged(&files).unwrap();
    assert_eq!(set.positions, [Some(0), Some(1), Some(2)]);
    assert_eq!(found(&set.findings), [(SetCheck::SwappedShard, Some(2)), (SetCheck::SwappedShard, Some(3))]);
    assert!(
        set.findings[0].message.starts_with("\"m-00003-of-00003.gguf\" is shard 3 of 3 by its name, but shard 2 of 3")
    );
    assert!(set.findings[0].message.ends_with("name it \"m-00002-of-00003.gguf\"."), "{}", set.findings[0].message);
}

#[test]
fn another_count_in_the_names_is_reported() {
    let mut files = three();
    for (number, file) in (1..).zip(&mut files) {
        file.name = shard_name("m", number, 99);
    }
    let set = arranged(&files).unwrap();
    assert_eq!(set.findings.len(), 3);
    assert!(set.findings[0].message.contains("shard 1 of 99 by its name, but shard 1 of 3 by its header"));
}

#[test]
fn a_file_without_the_name_of_a_shard_is_reported() {
    let mut files = three();
    files[1].name = "m-00002-of-00003 (1).gguf".into();
    let set = arranged(&files).unwrap();
    assert_eq!(found(&set.findings), [(SetCheck::UnnamedShard, Some(2))]);
    assert!(set.findings[0].message.ends_with("name it \"m-00002-of-00003.gguf\"."), "{}", set.findings[0].message);
}

#[test]
fn a_copy_of_another_shard_is_a_duplicate() {
    let mut files = three();
    let shards = shards_of(&file_of(&[32; 6], None), SplitLimit::Tensors(2), true);
    files[1] = File::new("m-00002-of-00003.gguf", &shards[2]);
    let set = arranged(&files).unwrap();
    assert_eq!(set.positions, [Some(0), None, Some(2)]);
    assert_eq!(found(&set.findings), [(SetCheck::DuplicateShard, Some(3))]);
    let message = &set.findings[0].message;
    assert!(
        message.starts_with("\"m-00003-of-00003.gguf\" and \"m-00002-of-00003.gguf\" are both shard 3"),
        "{message}"
    );
}

#[test]
fn a_truncated_shard_is_reported_with_its_tensor() {
    let mut files = three();
    files[2].size -= 33;
    let set = arranged(&files).unwrap();
    assert_eq!(found(&set.findings), [(SetCheck::TruncatedShard, Some(3))]);
    assert!(set.findings[0].message.contains("before the data of tensor \"t4\""), "{}", set.findings[0].message);
    assert_eq!(set.findings[0].offset, Some(files[2].size));
}

#[test]
fn another_number_of_tensors_is_reported() {
    let files = [
        File::new("m-00001-of-00002.gguf", &shard(0, 2, 5, &[])),
        File::new("m-00002-of-00002.gguf", &shard(1, 2, 5, &[])),
    ];
    let set = arranged(&files).unwrap();
    assert_eq!(found(&set.findings), [(SetCheck::SetTensorCount, None)]);
    assert!(set.findings[0].message.starts_with("the shards have 0 tensors together, but split.tensors.count is 5"));
}

#[test]
fn metadata_of_later_shards_is_compared_with_the_first() {
    let first = [("general.name", "a".into()), ("general.alignment", 64_u32.into()), ("n", 1_u32.into())];
    let second = [
        ("general.name", "a".into()),
        ("general.alignment", 32_u32.into()),
        ("n", 1_u64.into()),
        ("only.here", true.into()),
    ];
    let files = [
        File::new("m-00001-of-00002.gguf", &shard(0, 2, 0, &first)),
        File::new("m-00002-of-00002.gguf", &shard(1, 2, 0, &second)),
    ];
    let set = arranged(&files).unwrap();
    let keys: Vec<_> =
        set.findings.iter().map(|finding| (finding.check, finding.shard, finding.key.as_deref())).collect();
    let expected = |key| (SetCheck::ShardMetadata, Some(2), Some(key));
    assert_eq!(keys, [expected("n"), expected("only.here")]);
}

#[test]
fn two_models_are_refused_with_both_names() {
    let mut files = three();
    files[2].name = "other-00003-of-00003.gguf".into();
    let expected = "\"m-00001-of-00003.gguf\" and \"other-00003-of-00003.gguf\" as one model: \
                    their names differ in more than the number";
    assert_foreign(&files, expected);

    let whole = File::new("whole.gguf", &file_of(&[32], None));
    let mut files = three();
    files[1] = whole;
    assert_foreign(&files, "\"m-00001-of-00003.gguf\" and \"whole.gguf\" as one model: \"whole.gguf\" is not a shard");
    files.swap(0, 1);
    assert_foreign(&files, "\"whole.gguf\" and \"m-00001-of-00003.gguf\" as one model: \"whole.gguf\" is not a shard");

    let pair = |other: Vec<u8>| [File::new("", &shard(0, 3, 6, &[])), File::new("", &other)];
    let names = "the file with split.no 0 and the file with split.no 1 as one model";
    assert_foreign(&pair(shard(1, 4, 6, &[])), &format!("{names}: split.count is 3 in one and 4 in the other"));
    assert_foreign(&pair(shard(1, 3, 7, &[])), &format!("{names}: split.tensors.count is 6 in one and 7 in the other"));
    let mut big = GgufBytes::new(Format { version: 3, endian: Endian::Big });
    big.header(0, 2).entry(b"split.no", &1_u16.into()).entry(b"split.count", &3_u16.into());
    assert_foreign(&pair(big.into_bytes()), &format!("{names}: one is little-endian, the other is big-endian"));
}

#[test]
fn two_shards_with_the_same_tensor_are_refused() {
    let mut files = three();
    let other = shards_of(&file_of(&[64; 6], None), SplitLimit::Tensors(3), true);
    // The third shard of another model with as many shards and tensors.
    let mut names = shards_of(&file_of(&[32; 6], None), SplitLimit::Tensors(2), true);
    let start = names[2].windows(2).position(|bytes| bytes == b"t4").unwrap();
    names[2][start + 1] = b'0';
    files[2] = File::new("m-00003-of-00003.gguf", &names[2]);
    let expected = "\"m-00001-of-00003.gguf\" and \"m-00003-of-00003.gguf\" as one model: both have the tensor \"t0\"";
    assert_foreign(&files, expected);
    assert_eq!(other.len(), 2);
}

#[test]
fn a_hostile_count_is_refused_and_findings_are_limited() {
    let error = arranged(&[File::new("", &shard(0, 1 << 40, 0, &[]))]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::LimitExceeded);

    let many = [File::new("m-00001-of-65535.gguf", &shard(0, 65_535, 0, &[]))];
    let mut set = arranged(&many).unwrap();
    assert_eq!(set.positions.len(), 65_535);
    (2..=65_535).for_each(|number| set.report_missing(number, ""));
    assert_eq!(set.findings.len(), MAX_FINDINGS + 1);
    assert_eq!(set.findings[MAX_FINDINGS].shard, None);
}

#[test]
fn a_file_that_does_not_say_which_shard_it_is_is_refused() {
    let mut file = GgufBytes::new(Format::default());
    file.header(0, 1).entry(b"split.count", &2_u16.into());
    let bytes = file.into_bytes();
    let error = arranged(&[File::new("renamed.gguf", &bytes)]).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    assert!(error.to_string().contains("\"renamed.gguf\""), "{error}");
    // The name says it.
    assert_eq!(arranged(&[File::new("m-00002-of-00002.gguf", &bytes)]).unwrap().positions, [None, Some(0)]);
    assert_eq!(arranged(&[]).unwrap_err().code(), ErrorCode::InvalidArgument);
}

#[test]
fn every_check_of_the_table_has_a_code_and_a_meaning() {
    for (index, info) in SET_CHECKS.iter().enumerate() {
        assert_eq!(info.check as usize, index);
        assert_eq!(info.check.info().code, info.code);
        assert!(info.code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'-')), "{}", info.code);
        for text in [info.meaning, info.advice] {
            assert!(text.ends_with('.'), "{text}");
        }
    }
}

#[test]
fn all_files_of_the_corpus_can_be_arranged_and_merged_without_a_panic() {
    let Some(folder) = corpus::folder() else { return };
    let files: Vec<(String, Vec<u8>)> = corpus::every_file(&folder);
    let parsed: Vec<(&str, &[u8])> = files
        .iter()
        .filter(|(_, bytes)| parse(bytes).is_ok())
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
        .collect();
    assert!(parsed.len() > 100, "only {} files can be parsed", parsed.len());
    for pair in parsed.windows(2) {
        let files: Vec<File> = pair.iter().map(|(name, bytes)| File::new(name, bytes)).collect();
        let _ = arranged(&files[..1]);
        let _ = arranged(&files);
        let shards: Vec<Vec<u8>> = pair.iter().map(|(_, bytes)| bytes.to_vec()).collect();
        let _ = merge_plan(&shards, MergedEntries::AsLlamaCpp);
    }
}
