//! Every manifest that llama.cpp's `gguf-hash` wrote is reproduced, and every check of it ends alike or better.

use std::path::Path;

use gguf_files::hash::{DataHashes, HASH_ALGORITHMS, HashAlgorithm, TensorDataHasher};
use gguf_files::manifest::{CheckResult, LineResult};
use gguf_format::parse;
use serde_json::Value as Json;

use crate::corpus;

/// A file of the corpus: its bare name, its bytes, and the manifest that `gguf-hash` wrote of it.
struct Hashed {
    name: String,
    bytes: Vec<u8>,
    manifest: String,
}

/// All files that `gguf-hash` could read.
fn hashed_files(folder: &Path) -> Vec<Hashed> {
    let index = corpus::json(&folder.join("hash/index.json"));
    let files = index["files"].as_array().unwrap();
    let of = |file: &Json| {
        let path = file["file"].as_str().unwrap();
        let manifest = file["manifest"].as_str()?;
        Some(Hashed {
            name: Path::new(path).file_name().unwrap().to_str().unwrap().into(),
            bytes: corpus::read(&folder.join(path)),
            manifest: String::from_utf8(corpus::read(&folder.join("hash").join(manifest))).unwrap(),
        })
    };
    let files: Vec<_> = files.iter().filter_map(of).collect();
    assert!(files.len() > 50, "the corpus is not whole: {} manifests", files.len());
    files
}

/// Hashes a file. Also returns where the data of each tensor lies.
fn hash(file: &[u8], algorithms: &[HashAlgorithm]) -> (DataHashes, Vec<std::ops::Range<usize>>) {
    let header = parse(file).unwrap();
    let mut hasher = TensorDataHasher::new(algorithms, true);
    let mut ranges = Vec::new();
    for tensor in header.tensors() {
        let (start, length) = (tensor.file_offset().unwrap() as usize, tensor.byte_length().unwrap() as usize);
        ranges.push(start..start + length);
        hasher.update(&file[start..start + length]);
        hasher.end_tensor(tensor.name().to_string_lossy().into());
    }
    (hasher.finish(), ranges)
}

#[test]
fn every_manifest_is_reproduced_byte_for_byte_and_checks_out() {
    let Some(folder) = corpus::folder() else { return };
    for Hashed { name, bytes, manifest } in hashed_files(&folder) {
        let (hashes, _) = hash(&bytes, HASH_ALGORITHMS);
        assert_eq!(hashes.manifest(&name), manifest, "{name}");
        for algorithm in HASH_ALGORITHMS {
            let (hashes, _) = hash(&bytes, &[*algorithm]);
            let check = hashes.check(&manifest).unwrap();
            assert_eq!((check.algorithm, check.result), (*algorithm, CheckResult::Match), "{name}");
            let tensors = if algorithm.is_of_tensors() { hashes.tensors.len() } else { 0 };
            assert_eq!(check.lines.len(), tensors + 1, "{name}");
            assert_eq!(check.unlisted.len(), hashes.tensors.len() - tensors, "{name}");
        }
    }
}

#[test]
fn one_flipped_bit_names_its_tensor() {
    let Some(folder) = corpus::folder() else { return };
    let mut flipped = 0;
    for Hashed { name, bytes, manifest } in hashed_files(&folder).into_iter().filter(|file| file.bytes.len() < 50_000) {
        let (hashes, ranges) = hash(&bytes, &[HashAlgorithm::Xxh64]);
        for (index, range) in ranges.into_iter().enumerate().filter(|(_, range)| !range.is_empty()).take(20) {
            let mut bytes = bytes.clone();
            bytes[range.start + range.len() / 2] ^= 0x10;
            let check = hash(&bytes, &[HashAlgorithm::Xxh64]).0.check(&manifest).unwrap();
            assert_eq!(check.result, CheckResult::Mismatch, "{name}");
            let wrong = check.lines.iter().filter(|line| line.result == LineResult::Mismatch);
            let wrong: Vec<_> = wrong.map(|line| line.tensor.as_deref()).collect();
            assert_eq!(wrong, [Some(&hashes.tensors[index].0[..]), None], "{name}");
            flipped += 1;
        }
    }
    assert!(flipped > 100, "{flipped}");
}

#[test]
fn only_the_data_counts() {
    let Some(folder) = corpus::folder() else { return };
    let of = |name: &str| {
        let file = corpus::read(&folder.join(format!("hash/same-301-{name}.gguf")));
        hash(&file, HASH_ALGORITHMS).0.data
    };
    let base = of("base");
    for same in ["other-kv", "other-names", "align-128", "regrouped"] {
        assert_eq!(of(same), base, "{same}");
    }
    assert_ne!(of("other-order"), base);
}

/// What `gguf-hash` said about a manifest that our check finds out better, by the name of the variant: see the README of the
/// corpus.
fn expected(variant: &str, options: &[HashAlgorithm], exit: i64) -> &'static str {
    match (variant, options, exit) {
        // It compares a UUID with the lines of sha256.
        ("uuid wrong", [HashAlgorithm::Uuid], 1) => "mismatch",
        ("full" | "one sha256 tensor line wrong" | "whole sha256 wrong", [HashAlgorithm::Uuid], 1) => "match",
        ("uuid only", [] | [HashAlgorithm::Uuid], 3) => "match",
        // The algorithm is not in the manifest.
        ("xxh64 only", [_], 3) | ("uuid only", [HashAlgorithm::Sha1], 3) => "invalid-argument",
        // The file was renamed.
        ("other file name", _, 3) => "match",
        ("uppercase hex", _, 1) => "match",
        (_, _, 0) => "match",
        (_, _, 1) => "mismatch",
        (_, _, 4) => "bad-manifest",
        _ => panic!("{variant}: exit code {exit}"),
    }
}

#[test]
fn every_check_ends_as_that_of_gguf_hash_or_better() {
    let Some(folder) = corpus::folder() else { return };
    let index = corpus::json(&folder.join("hash/index.json"));
    let mut checks = 0;
    for call in index["calls"].as_array().unwrap() {
        let Some(manifest) = call["manifest_text"].as_str() else { continue };
        let variant = call["manifest_variant"].as_str().unwrap();
        let file = corpus::read(&folder.join(call["file"].as_str().unwrap()));
        let options = call["options"].as_array().unwrap().iter();
        let named = options.filter_map(|option| HashAlgorithm::from_name(option.as_str()?.strip_prefix("--")?));
        let named: Vec<_> = named.collect();
        let (hashes, _) = hash(&file, if named.is_empty() { HASH_ALGORITHMS } else { &named });
        let found = hashes.check(manifest);
        let result = found.as_ref().map_or_else(|error| error.code().name(), |check| check.result.name());
        assert_eq!(result, expected(variant, &named, call["exit"].as_i64().unwrap()), "{variant} {named:?}");
        checks += 1;
        // Every line is found, also those of names with spaces.
        if let Ok(check) = found {
            assert!(check.lines.iter().all(|line| line.result != LineResult::NotInFile), "{variant}");
        }
    }
    assert!(checks >= 40, "{checks}");
}
