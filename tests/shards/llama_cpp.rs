//! Our shards and merged files are those of llama.cpp's `llama-gguf-split`: `shared/corpus/split`.

use std::collections::BTreeSet;
use std::path::Path;

use gguf_files::shards::{MergedEntries, SplitLimit};
use gguf_format::parse;
use gguf_models::file_name::{ShardName, shard_name};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::corpus;
use crate::shards::content::{entries, merged, shards_of, tensors, tensors_of_shards};

/// Files whose bytes llama.cpp changes when it splits and merges them. We keep the bytes.
const CHANGED_BY_LLAMA_CPP: &[(&str, &str)] = &[
    ("files/v2.gguf", "version 2 becomes 3"),
    ("files/bool-nonstandard.gguf", "bools become 0 or 1"),
    ("files/strings-invalid-utf8.gguf", "strings are cut at a NUL"),
];

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The options of a run. `None` if llama.cpp takes them for something else than splitting.
fn options_of(run: &Json) -> Option<(SplitLimit, bool)> {
    let options: Vec<&str> = run["options"].as_array()?.iter().filter_map(Json::as_str).collect();
    let (mut limit, mut tensors_in_first) = (SplitLimit::Tensors(128), true);
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        match *option {
            "--split" | "--dry-run" => {}
            "--no-tensor-first-split" => tensors_in_first = false,
            "--split-max-tensors" => limit = SplitLimit::Tensors(rest.next()?.parse().ok()?),
            "--split-max-size" => {
                let (number, unit) = rest.next()?.split_at_checked(rest_length(option, &options)?)?;
                let unit = match unit {
                    "M" => 1_000_000,
                    "G" => 1_000_000_000,
                    _ => return None,
                };
                limit = SplitLimit::Bytes(number.parse::<u64>().ok()? * unit);
            }
            _ => return None,
        }
    }
    Some((limit, tensors_in_first))
}

/// The number of digits before the unit of a size.
fn rest_length(option: &str, options: &[&str]) -> Option<usize> {
    let value = options.iter().skip_while(|other| *other != &option).nth(1)?;
    value.find(|character: char| !character.is_ascii_digit())
}

fn runs(folder: &Path) -> Vec<Json> {
    corpus::json(&folder.join("split/index.json"))["runs"].as_array().unwrap().clone()
}

#[test]
fn every_split_has_the_names_sizes_and_bytes_of_llama_cpp() {
    let Some(folder) = corpus::folder() else { return };
    let (mut compared, mut changed, mut other_alignment) = (0, BTreeSet::new(), BTreeSet::new());
    for run in runs(&folder) {
        let (Some(source), Some(expected)) = (run["source"].as_str(), run["shards"].as_array()) else { continue };
        if run["exit"] != 0 || run["case"].is_string() {
            continue;
        }
        let Some((limit, tensors_in_first)) = options_of(&run) else {
            // llama.cpp reads `1.5M` as 1M and -1 as 1. These options are not well-formed.
            continue;
        };
        let file = corpus::read(&folder.join(source));
        let what = format!("{source} {}", run["options"]);
        let shards = shards_of(&file, limit, tensors_in_first);
        assert_eq!(shards.len(), expected.len(), "{what}");
        let name = |index: usize| shard_name("out", index as u32 + 1, shards.len() as u32);
        for (index, (shard, expected)) in shards.iter().zip(expected).enumerate() {
            assert_eq!(expected["name"], name(index), "{what}");
            assert_eq!(ShardName::parse(&name(index)).unwrap().number, index as u32 + 1);
            if let Some(range) = expected["tensors"].as_array() {
                let count = range[1].as_u64().unwrap();
                assert_eq!(parse(shard).unwrap().tensor_count(), count, "{what} {}", name(index));
            }
            if !run["source_alignment"].is_null() {
                other_alignment.insert(source.to_owned());
                assert_eq!(parse(shard).unwrap().alignment(), run["source_alignment"].as_u64().unwrap(), "{what}");
                continue;
            }
            if let Some((source, _)) = CHANGED_BY_LLAMA_CPP.iter().find(|(changed, _)| *changed == source) {
                changed.insert((*source).to_owned());
                // Only the version differs: with it, the bytes are the same.
                if *source == "files/v2.gguf" {
                    let mut shard = shard.clone();
                    shard[4] = 3;
                    assert_eq!(expected["sha256"], sha256(&shard), "{what}");
                }
                continue;
            }
            assert_eq!(expected["n_kv"], parse(shard).unwrap().metadata_count(), "{what} {}", name(index));
            assert_eq!(expected["size"], shard.len() as u64, "{what} {}", name(index));
            assert_eq!(expected["sha256"], sha256(shard), "{what} {}", name(index));
            compared += 1;
        }
        let merge = &run["merge"];
        if merge["exit"] == 0 && run["source_alignment"].is_null() {
            let own = merged(&shards, MergedEntries::AsLlamaCpp);
            if !CHANGED_BY_LLAMA_CPP.iter().any(|(changed, _)| *changed == source) {
                assert_eq!(merge["size"], own.len() as u64, "{what}");
                assert_eq!(merge["sha256"], sha256(&own), "{what}");
            }
        }
        // Without the keys of shards, everything that the source has is there again, but for dimensions of 1 at the end.
        let own = merged(&shards, MergedEntries::WithoutSplitKeys);
        assert_eq!(tensors(&own), tensors_of_shards(&file), "{what}");
        assert_eq!(entries(&parse(&own).unwrap()), entries(&parse(&file).unwrap()), "{what}");
    }
    assert!(compared > 790, "only {compared} shards were compared");
    assert_eq!(changed.len(), CHANGED_BY_LLAMA_CPP.len(), "{changed:?}");
    assert!(other_alignment.len() >= 5, "{other_alignment:?}");
}

#[test]
fn files_that_llama_cpp_cannot_split_are_split() {
    let Some(folder) = corpus::folder() else { return };
    for (source, limit, count) in [
        ("files/tensor-types.gguf", SplitLimit::Tensors(2), None),
        ("files/dims-zero-element.gguf", SplitLimit::Tensors(1), None),
        ("files/v1.gguf", SplitLimit::Tensors(1), None),
        ("files/be-v3.gguf", SplitLimit::Tensors(1), None),
        ("files/nested-arrays.gguf", SplitLimit::Tensors(1), None),
        ("files/offsets-out-of-order.gguf", SplitLimit::Tensors(1), None),
        ("files/offsets-gap.gguf", SplitLimit::Tensors(1), None),
        ("split/big-first.gguf", SplitLimit::Bytes(1_000_000), Some(2)),
    ] {
        let file = corpus::read(&folder.join(source));
        for tensors_in_first in [true, false] {
            let shards = shards_of(&file, limit, tensors_in_first);
            if let Some(count) = count {
                assert_eq!(shards.len(), count + usize::from(!tensors_in_first), "{source}");
            }
            let own = merged(&shards, MergedEntries::WithoutSplitKeys);
            assert_eq!(tensors(&own), tensors_of_shards(&file), "{source}");
            assert_eq!(entries(&parse(&own).unwrap()), entries(&parse(&file).unwrap()), "{source}");
        }
    }
}

#[test]
fn the_shards_of_the_corpus_are_merged() {
    let Some(folder) = corpus::folder() else { return };
    let read = |name: &str| corpus::read(&folder.join("files/shards").join(name));
    let whole = read("tiny-merged.gguf");
    for prefix in ["tiny", "tiny-ntf"] {
        let shards: Vec<Vec<u8>> = (1..=3).map(|number| read(&shard_name(prefix, number, 3))).collect();
        let own = merged(&shards, MergedEntries::WithoutSplitKeys);
        assert_eq!(tensors(&own), tensors(&whole), "{prefix}");
        assert_eq!(entries(&parse(&own).unwrap()), entries(&parse(&whole).unwrap()), "{prefix}");
        assert_eq!(merged(&shards, MergedEntries::AsLlamaCpp), whole, "{prefix}");
    }
}
