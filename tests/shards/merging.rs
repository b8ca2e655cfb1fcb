//! Merging: refusals, and sets without a first shard.

use gguf_files::shards::{MergedEntries, SplitLimit};
use gguf_format::{Endian, ErrorCode, Format, parse};

use crate::gguf_bytes::GgufBytes;
use crate::shards::content::{merge_plan, merged, shards_of, tensors};
use crate::shards::splitting::file_of;

#[test]
fn shards_of_different_byte_orders_are_refused() {
    let mut big = GgufBytes::new(Format { version: 3, endian: Endian::Big });
    big.header(0, 0);
    let error = merge_plan(&[file_of(&[32], None), big.into_bytes()], MergedEntries::WithoutSplitKeys).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ForeignShard);
    assert!(error.to_string().contains("file 2 of 2 is big-endian, the first file is little-endian"), "{error}");
}

#[test]
fn no_shards_and_truncated_shards_are_refused() {
    let error = merge_plan(&[], MergedEntries::WithoutSplitKeys).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);

    let mut shards = shards_of(&file_of(&[100; 4], None), SplitLimit::Tensors(2), true);
    let length = shards[1].len();
    shards[1].truncate(length - 100);
    let error = merge_plan(&shards, MergedEntries::WithoutSplitKeys).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Truncated);
    assert!(error.to_string().contains("\"t3\""), "{error}");
}

#[test]
fn dimensions_that_version_1_cannot_hold_are_refused() {
    let mut first = GgufBytes::new(Format { version: 1, endian: Endian::Little });
    first.header(0, 0).pad_to(32);
    let mut second = GgufBytes::new(Format::default());
    second.header(1, 0).tensor(b"t", &[1 << 32, 0], 0, 0).pad_to(32);
    let error = merge_plan(&[first.into_bytes(), second.into_bytes()], MergedEntries::None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::DoesNotFit);
    assert!(error.to_string().contains("\"t\""), "{error}");
}

#[test]
fn too_much_padding_is_refused_with_the_reason() {
    let error = merge_plan(&[file_of(&[1; 200], Some(1 << 20))], MergedEntries::WithoutSplitKeys).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooLarge);
    assert!(error.to_string().contains("the alignment is 1048576 bytes"), "{error}");
}

#[test]
fn without_the_first_shard_the_file_has_no_entries() {
    let file = file_of(&[100; 4], Some(64));
    let shards = shards_of(&file, SplitLimit::Tensors(2), true);
    let rest = merged(&shards[1..], MergedEntries::None);
    assert_eq!(parse(&rest).unwrap().metadata().len(), 0);
    assert_eq!(tensors(&rest), tensors(&file)[2..]);
}

#[test]
fn the_data_of_a_planned_file_is_one_range_of_each_shard() {
    let shards = shards_of(&file_of(&[64; 100], None), SplitLimit::Tensors(50), true);
    let plan = merge_plan(&shards, MergedEntries::WithoutSplitKeys).unwrap();
    // The beginning of the header, the entries, the tensor infos with padding, and the data of two shards.
    assert_eq!(plan.segments().len(), 5, "{:?}", plan.segments());
}

#[test]
fn shards_with_the_same_tensor_are_refused() {
    let shard = file_of(&[32], None);
    let error = merge_plan(&[shard.clone(), shard], MergedEntries::WithoutSplitKeys).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NameTaken);
    assert!(error.to_string().contains("cannot merge the shards: two tensors have the name \"t0\""), "{error}");
}
