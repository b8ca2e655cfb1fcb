//! The hash functions and the order of the data.

use gguf_files::hash::{DataHashes, HASH_ALGORITHMS, HashAlgorithm, Hasher, Hashes, TensorDataHasher};
use gguf_format::ErrorCode;
use proptest::prelude::*;

use crate::files::hashes_of;

fn text_of(algorithm: HashAlgorithm, data: &[u8]) -> String {
    let mut hasher = Hasher::new(algorithm);
    hasher.update(data);
    let mut hashes = Hashes::default();
    hasher.finish(&mut hashes);
    hashes.text(algorithm).unwrap()
}

#[test]
fn published_test_vectors() {
    assert_eq!(text_of(HashAlgorithm::Xxh64, b""), "ef46db3751d8e999");
    assert_eq!(text_of(HashAlgorithm::Xxh64, b"abc"), "44bc2cf5ad770999");
    assert_eq!(text_of(HashAlgorithm::Sha1, b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(text_of(HashAlgorithm::Sha256, b"abc"), sha256);
    assert_eq!(text_of(HashAlgorithm::Uuid, b""), "6b2748e2-363e-5825-9e7a-d9b30f33ac5b");
}

#[test]
fn names_and_algorithms_belong_together() {
    for algorithm in HASH_ALGORITHMS {
        assert_eq!(HashAlgorithm::from_name(algorithm.name()), Some(*algorithm));
    }
    assert_eq!(HashAlgorithm::from_name("md5"), None);
    assert_eq!(HashAlgorithm::from_name("SHA256"), None);
}

#[test]
fn only_the_given_algorithms_are_computed_and_a_tensor_has_no_uuid() {
    let hashes = hashes_of(&[HashAlgorithm::Uuid, HashAlgorithm::Sha1, HashAlgorithm::Sha1], &[("a", b"1")]);
    let computed = |hashes: &Hashes| HASH_ALGORITHMS.iter().copied().filter(|a| hashes.has(*a)).collect::<Vec<_>>();
    assert_eq!(computed(&hashes.data), [HashAlgorithm::Sha1, HashAlgorithm::Uuid]);
    assert_eq!(computed(&hashes.tensors[0].1), [HashAlgorithm::Sha1]);
    assert_eq!(hashes.manifest("f").lines().count(), 3);
}

#[test]
fn without_tensors_only_the_data_is_hashed() {
    let mut hasher = TensorDataHasher::new(&[HashAlgorithm::Sha256], false);
    hasher.update(b"12");
    hasher.end_tensor("a".into());
    let hashes = hasher.finish();
    assert_eq!(hashes.tensors, [("a".to_string(), Hashes::default())]);
    assert_eq!(hashes.manifest("f").lines().count(), 1);
    // Lines of tensors cannot be compared, so they are left out.
    let manifest = hashes_of(&[HashAlgorithm::Sha256], &[("a", b"12")]).manifest("f");
    let check = hashes.check(&manifest).unwrap();
    assert_eq!((check.lines.len(), check.result.name(), check.unlisted.len()), (1, "match", 0));
    let error = hashes.check("sha1  0123456789abcdef0123456789abcdef01234567  f").unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    assert!(error.to_string().contains("sha1"), "{error}");
}

#[test]
fn empty_tensors_have_the_hash_of_nothing() {
    let hashes = hashes_of(&[HashAlgorithm::Xxh64], &[("a", b""), ("b", b"x"), ("c", b"")]);
    let of = |index: usize| hashes.tensors[index].1.text(HashAlgorithm::Xxh64).unwrap();
    assert_eq!((of(0), of(2)), ("ef46db3751d8e999".into(), "ef46db3751d8e999".into()));
    assert_eq!(hashes.data.text(HashAlgorithm::Xxh64), Some(of(1)));
}

/// Hashes tensors whose data arrives in pieces of the given sizes.
fn in_pieces(tensors: &[Vec<u8>], sizes: &[usize]) -> DataHashes {
    let mut hasher = TensorDataHasher::new(HASH_ALGORITHMS, true);
    let mut sizes = sizes.iter().cycle();
    for (index, data) in tensors.iter().enumerate() {
        let mut rest = &data[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
            hasher.update(piece);
            rest = after;
        }
        hasher.end_tensor(format!("t{index}"));
    }
    hasher.finish()
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_hashes_of_the_whole(
        tensors in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..6),
        sizes in prop::collection::vec(1_usize..200, 1..8),
    ) {
        let found = in_pieces(&tensors, &sizes);
        for algorithm in HASH_ALGORITHMS {
            prop_assert_eq!(found.data.text(*algorithm), Some(text_of(*algorithm, &tensors.concat())));
            for (data, (_, hashes)) in tensors.iter().zip(&found.tensors) {
                let expected = algorithm.is_of_tensors().then(|| text_of(*algorithm, data));
                prop_assert_eq!(hashes.text(*algorithm), expected);
            }
        }
    }
}
