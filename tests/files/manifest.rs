//! Manifests that `gguf-hash` would not write so: names of all kinds, other files, and damaged texts.

use gguf_files::hash::{DataHashes, HASH_ALGORITHMS, HashAlgorithm};
use gguf_files::manifest::{CheckResult, LineResult, ManifestCheck, manifest_algorithms};
use gguf_format::ErrorCode;
use proptest::prelude::*;

use crate::files::hashes_of;

const XXH64: &[HashAlgorithm] = &[HashAlgorithm::Xxh64];

fn check(hashes: &DataHashes, manifest: &str) -> ManifestCheck {
    hashes.check(manifest).unwrap()
}

/// The tensor and the result of each line.
fn lines(check: &ManifestCheck) -> Vec<(Option<&str>, LineResult)> {
    check.lines.iter().map(|line| (line.tensor.as_deref(), line.result)).collect()
}

fn is_complete(check: &ManifestCheck) -> bool {
    let all = check.lines.iter().all(|line| line.result == LineResult::Match);
    all && check.result == CheckResult::Match && check.unlisted.is_empty()
}

#[test]
fn names_with_spaces_colons_and_line_breaks_are_found() {
    let names = ["", " ", " a ", "a b\tc", "a:b", "b", ":", "f:b", "line\nbreak", "\r", "a\\nb", "\\\n\\", "é/名前"];
    let tensors = names.map(|name| (name, name.as_bytes()));
    let hashes = hashes_of(HASH_ALGORITHMS, &tensors);
    for file in ["f", "C:\\models\\m.gguf", "a: b:c.gguf", "with\nbreak.gguf", "./x/y:z"] {
        let manifest = hashes.manifest(file);
        let found = check(&hashes, &manifest);
        assert!(is_complete(&found), "{file}: {:?}", lines(&found));
        let tensors: Vec<_> = found.lines.iter().map(|line| line.tensor.as_deref()).collect();
        assert_eq!(tensors, names.into_iter().map(Some).chain([None]).collect::<Vec<_>>(), "{file}");
    }
}

#[test]
fn a_line_break_is_escaped_as_documented() {
    let manifest = hashes_of(XXH64, &[("a\\\n\r", b""), ("a\\n", b"")]).manifest("f");
    let expected = "\\xxh64     ef46db3751d8e999  f:a\\\\\\n\\r\nxxh64     ef46db3751d8e999  f:a\\n\nxxh64     \
                    ef46db3751d8e999  f\n";
    assert_eq!(manifest, expected);
}

#[test]
fn capitals_crlf_a_byte_order_mark_and_other_spaces_agree() {
    let hashes = hashes_of(HASH_ALGORITHMS, &[("a b", b"1"), ("c", b"2")]);
    let manifest = hashes.manifest("m.gguf");
    let capitals: String = manifest
        .lines()
        .map(|line| format!("{}{}\r\n", line[..10].to_owned(), line[10..].replace("m.gguf", "\0").to_uppercase()))
        .collect();
    let capitals = capitals.replace('\0', "m.gguf").replace(":A B", ":a b").replace(":C", ":c");
    assert_ne!(capitals.to_lowercase(), capitals);
    assert!(is_complete(&check(&hashes, &capitals)), "{capitals}");
    assert!(is_complete(&check(&hashes, &format!("\u{feff}{manifest}"))));
    assert!(is_complete(&check(&hashes, &manifest.replace("  ", "\t"))));
    assert!(is_complete(&check(&hashes, &format!("# comment\n\n{}", manifest.replace("xxh64", "  xxh64")))));
    assert!(is_complete(&check(&hashes, manifest.trim_end())));
}

#[test]
fn a_line_of_a_tensor_that_the_file_lacks_mismatches() {
    let hashes = hashes_of(XXH64, &[("a", b"1"), ("b", b"2")]);
    let manifest = hashes.manifest("m.gguf").replace(":b\n", ":c:d\n");
    let found = check(&hashes, &manifest);
    let expected = [(Some("a"), LineResult::Match), (Some("c:d"), LineResult::NotInFile), (None, LineResult::Match)];
    assert_eq!(lines(&found), expected);
    assert_eq!((found.result, &found.unlisted[..]), (CheckResult::Mismatch, &["b".to_string()][..]));
    assert_eq!(found.lines[1].actual, None);
    // Also without the line of all data, as a program writes it that lists tensors only.
    let tensors = "xxh64  {a}  m.gguf:a\nxxh64  0123456789abcdef  m.gguf:c\n";
    let hash = hashes.tensors[0].1.text(HashAlgorithm::Xxh64).unwrap();
    let found = check(&hashes, &tensors.replace("{a}", &hash));
    assert_eq!(lines(&found), [(Some("a"), LineResult::Match), (Some("c"), LineResult::NotInFile)]);
    assert_eq!(found.result, CheckResult::Mismatch);
    // The line of another file does not count.
    let found = check(&hashes, &tensors.replace("{a}", &hash).replace("m.gguf:c", "other.gguf:c"));
    assert_eq!((found.lines[1].result, found.result), (LineResult::NotInFile, CheckResult::Match));
}

/// If each colon took as long as the text before it is, this would take hours.
#[test]
fn a_line_of_millions_of_colons_is_read_in_one_pass() {
    let hashes = hashes_of(XXH64, &[("a", b"1"), ("", b"2"), (":::", b"3"), ("a:b", b"4")]);
    let colons = ":".repeat(4 << 20);
    let line = |name: &str| format!("xxh64  0123456789abcdef  {name}\n");
    let found = check(&hashes, &line(&colons));
    assert_eq!((lines(&found), found.result), (vec![(Some(":::"), LineResult::Mismatch)], CheckResult::Mismatch));
    let unknown = format!("{colons}x");
    let found = check(&hashes, &[line(&unknown), line(&format!("{colons}y")), line("z")].concat());
    assert_eq!(lines(&found)[0].1, LineResult::NotInFile);
    // The name of a file that another line has is the first that is followed by a colon.
    let found = check(&hashes, &[line("m"), line("m::"), line(&format!("m:n{unknown}"))].concat());
    assert_eq!(found.lines[2].tensor.as_deref(), Some(&format!("n{unknown}")[..]));
}

#[test]
fn a_foreign_manifest_mismatches_or_finds_nothing() {
    let hashes = hashes_of(XXH64, &[("a", b"1")]);
    let foreign = hashes_of(XXH64, &[("blk/x", b"7"), ("y", b"8")]);
    let manifest = foreign.manifest("C:\\other.gguf");
    let found = check(&hashes, &manifest);
    let unknown = LineResult::NotInFile;
    let expected = [(Some("blk/x"), unknown), (Some("y"), unknown), (None, LineResult::Mismatch)];
    assert_eq!((lines(&found), found.result), (expected.to_vec(), CheckResult::Mismatch));
    // Without the line of the whole file, the names are split after the suffix.
    let tensors: String = manifest.lines().take(2).map(|line| format!("{line}\n")).collect();
    let found = check(&hashes, &tensors);
    assert_eq!((lines(&found), found.result), (expected[..2].to_vec(), CheckResult::NothingFound));
    assert_eq!(found.unlisted, ["a"]);
    // Without a suffix, at the colon after the last slash.
    let found = check(&hashes, "xxh64  0123456789abcdef  C:/dir/file:tensor");
    assert_eq!(lines(&found), [(Some("tensor"), unknown)]);
    let found = check(&hashes, "xxh64  0123456789abcdef  C:/dir/file");
    assert_eq!(lines(&found), [(None, LineResult::Mismatch)]);
}

#[test]
fn of_several_files_the_one_that_agrees_is_taken() {
    let one = hashes_of(XXH64, &[("a", b"1"), ("b", b"2")]);
    let two = hashes_of(XXH64, &[("a", b"3"), ("c", b"4")]);
    let manifest = one.manifest("one.gguf") + &two.manifest("two.gguf");
    for (hashes, other) in [(&one, 3..6), (&two, 0..3)] {
        let found = check(hashes, &manifest);
        assert_eq!((found.result, found.unlisted.len()), (CheckResult::Match, 0));
        for (index, line) in found.lines.iter().enumerate() {
            let expected = if other.contains(&index) { LineResult::NotInFile } else { LineResult::Match };
            assert_eq!(line.result, expected, "line {index}");
        }
    }
}

#[test]
fn half_a_manifest_lists_what_it_does_not_name() {
    let hashes = hashes_of(XXH64, &[("a", b"1"), ("b", b"2"), ("c", b"3")]);
    let manifest = hashes.manifest("m.gguf");
    let found = check(&hashes, &manifest[..2 * manifest.len() / 4]);
    assert_eq!(found.result, CheckResult::Match);
    assert!(!found.unlisted.is_empty() && found.unlisted.ends_with(&["c".into()]), "{:?}", found.unlisted);
    let whole = manifest.lines().last().unwrap();
    let found = check(&hashes, whole);
    assert_eq!((found.result, found.unlisted.len()), (CheckResult::Match, 3));
}

#[test]
fn a_shortened_hash_mismatches() {
    let hashes = hashes_of(XXH64, &[("a", b"1")]);
    let hash = hashes.data.text(HashAlgorithm::Xxh64).unwrap();
    assert_eq!(check(&hashes, &format!("xxh64  {}  m.gguf", &hash[..12])).result, CheckResult::Mismatch);
    assert_eq!(check(&hashes, &format!("xxh64  {hash}0  m.gguf")).result, CheckResult::Mismatch);
}

#[test]
fn tensors_with_the_same_name_are_compared_one_after_the_other() {
    let hashes = hashes_of(XXH64, &[("a", b"1"), ("b", b"2"), ("a", b"3")]);
    let manifest = hashes.manifest("m.gguf");
    assert!(is_complete(&check(&hashes, &manifest)));
    let other = hashes_of(XXH64, &[("a", b"3"), ("b", b"2"), ("a", b"1")]);
    assert_eq!(check(&other, &manifest).result, CheckResult::Mismatch);
    // A third line is compared with the last one.
    let first = manifest.lines().nth(2).unwrap();
    assert!(is_complete(&check(&hashes, &format!("{manifest}{first}\n"))));
}

#[test]
fn a_text_without_hashes_is_refused() {
    let texts = [
        "",
        "\n\n",
        "md5       d41d8cd98f00b204e9800998ecf8427e  m.gguf",
        "sha256",
        "sha256  0123456789abcdef",
        "sha256  0123456789abcdef  ",
        "sha256 is better than sha1",
        "sha1 is broken",
        "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592  m.gguf",
        "SHA256  0123456789abcdef  m.gguf",
    ];
    let hashes = hashes_of(HASH_ALGORITHMS, &[]);
    for text in texts {
        assert_eq!(manifest_algorithms(text).unwrap_err().code(), ErrorCode::BadManifest, "{text}");
        assert_eq!(hashes.check(text).unwrap_err().code(), ErrorCode::BadManifest, "{text}");
    }
}

#[test]
fn the_strongest_algorithm_that_was_computed_is_compared() {
    let tensors: &[(&str, &[u8])] = &[("a", b"1")];
    let manifest = hashes_of(HASH_ALGORITHMS, tensors).manifest("m.gguf");
    let order = [HashAlgorithm::Sha256, HashAlgorithm::Sha1, HashAlgorithm::Xxh64, HashAlgorithm::Uuid];
    assert_eq!(manifest_algorithms(&manifest).unwrap(), order);
    for first in 0..order.len() {
        let hashes = hashes_of(&order[first..], tensors);
        assert_eq!(check(&hashes, &manifest).algorithm, order[first]);
    }
}

proptest! {
    #[test]
    fn any_names_survive_writing_and_reading(
        names in prop::collection::btree_set("[ab:. \\\\\n\r\t/é]{0,6}", 0..8),
        file in "[ab:. \\\\\n/]{1,8}",
    ) {
        let tensors: Vec<_> = names.iter().map(|name| (&name[..], name.as_bytes())).collect();
        let hashes = hashes_of(HASH_ALGORITHMS, &tensors);
        let found = check(&hashes, &hashes.manifest(&file));
        // Names can be so confusing that a line can be read in two ways. But no hash is lost.
        prop_assert!(found.lines.len() == tensors.len() + 1);
        prop_assert!(hashes.data.has(found.algorithm));
    }

    #[test]
    fn usual_file_names_leave_no_doubt(
        names in prop::collection::btree_set("[ab:. \\\\\n\r\t/é]{0,6}", 0..8),
        file in "(C:\\\\)?[ab /]{0,4}m\\.gguf",
    ) {
        let tensors: Vec<_> = names.iter().map(|name| (&name[..], name.as_bytes())).collect();
        let hashes = hashes_of(HASH_ALGORITHMS, &tensors);
        let manifest = hashes.manifest(&file);
        let found = check(&hashes, &manifest);
        prop_assert!(is_complete(&found), "{:?}\n{}", found, manifest);
    }

    #[test]
    fn no_text_makes_a_check_fail_otherwise(text in "((xxh64|sha1|uuid)  [0-9a-f]{8,12}  [ab:]{0,4}\n|[ -~\n]{0,20}){0,8}") {
        let hashes = hashes_of(HASH_ALGORITHMS, &[("a", b"1"), ("b:a", b"2"), ("", b"3")]);
        if let Err(error) = hashes.check(&text) {
            prop_assert_eq!(error.code(), ErrorCode::BadManifest);
        }
    }
}
