//! The entries of shards.

use gguf_format::GgmlType;
use gguf_models::validate::{Check, Severity};

use crate::validate::codes;
use crate::validate::models::LlamaModel;
use crate::validate::test_file::TestFile;

fn shard(number: u16, count: u16, tensors: i32) -> TestFile<'static> {
    TestFile::with(b"split.no", number)
        .entry(b"split.count", count)
        .entry(b"split.tensors.count", tensors)
        .tensor(b"a", &[8], GgmlType::F32, 0)
        .tensor(b"b", &[8], GgmlType::F32, 32)
        .data(64)
}

#[test]
fn numbers_of_shards_that_do_not_fit_are_found() {
    for (number, count, tensors) in [(0, 2, 2), (1, 2, 5), (4, 5, 100), (0, 1, 0), (3, 0, 0)] {
        shard(number, count, tensors).assert_no_findings();
    }
    for number in [2, 3, u16::MAX] {
        let finding = shard(number, 2, 3).assert_only(Check::ShardNumber).0;
        let message = format!(
            "the number of the shard is {number}, but there are 2, counted from 0. llama.cpp refuses the set. \
             Correct the number."
        );
        assert_eq!((finding.message, finding.check.severity()), (message, Severity::Error));
    }
    let message = "the whole set has 1 tensor by this entry, but this file alone has 2 tensors. \
         llama.cpp refuses the set. Set it to the number of tensors in all shards.";
    shard(0, 2, 1).assert_only_in_last_entry(Check::ShardTensorCount, message, 8 + 19 + 4);
}

#[test]
fn missing_entries_of_shards_are_found() {
    let message = "the entry split.no is missing, and llama.cpp refuses the set of shards. Add it as UINT16.";
    TestFile::with(b"split.count", 2u16).entry(b"split.tensors.count", 4i32).assert_only_in_file(
        Check::MissingShardKey,
        message,
        None,
    );
    let message = "the entry split.tensors.count is missing, and llama.cpp refuses the set of shards. Add it as INT32.";
    TestFile::with(b"split.count", 2u16).entry(b"split.no", 0u16).assert_only_in_file(
        Check::MissingShardKey,
        message,
        None,
    );
    // llama.cpp reads the number of tensors from the first shard.
    TestFile::with(b"split.count", 2u16).entry(b"split.no", 1u16).assert_no_findings();
    let message = "the file has split.no, but not split.count, so llama.cpp takes it as a whole file. \
         Add the number of shards as UINT16.";
    TestFile::with(b"split.no", 1u16).assert_only_in_last_entry(Check::NoShardCount, message, 8 + 8 + 4);
    assert_eq!(Check::NoShardCount.severity(), Severity::Warning);
    // A merged file keeps the key with the value 0.
    TestFile::with(b"split.count", 0u16).assert_no_findings();
}

#[test]
fn entries_of_shards_have_the_types_that_llama_cpp_reads() {
    let shard = || TestFile::with(b"split.count", 2u16);
    shard().entry(b"split.tensors.count", 4i32).entry(b"split.no", 0u32).assert_only(Check::WrongType);
    shard().entry(b"split.no", 0u16).entry(b"split.tensors.count", 4u64).assert_only(Check::WrongType);
    TestFile::with(b"split.count", 2u32)
        .entry(b"split.no", 0u16)
        .entry(b"split.tensors.count", 4i32)
        .assert_only(Check::WrongType);
}

/// Only the first shard has the keys of the model. Any shard can have any of the tensors.
#[test]
fn the_first_shard_has_the_keys_that_llama_cpp_requires() {
    let shard = |number: u16| {
        let model = LlamaModel::new().entry("split.no", number).entry("split.count", 3u16);
        model.entry("split.tensors.count", 40i32).without_tensor("token_embd.weight")
    };
    shard(0).assert_no_findings();
    let keys = ["block_count", "embedding_length", "context_length", "feed_forward_length", "attention.head_count"];
    for key in keys {
        let key = format!("llama.{key}");
        let message = format!("the entry {key} is missing. Add it, or convert the model again.");
        assert_eq!(shard(0).without_entry(&key).assert_only(Check::MissingKey, &message).fix, None);
        shard(1).without_entry(&key).assert_no_findings();
    }
    let without_tokenizer = |number: u16| {
        let shard = shard(number).without_entry("tokenizer.ggml.tokens").without_entry("tokenizer.ggml.model");
        codes(&shard.findings())
    };
    assert_eq!(Vec::from_iter(without_tokenizer(0)), ["no-tokenizer"]);
    assert!(without_tokenizer(1).is_empty());
}
