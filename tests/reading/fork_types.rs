//! What type ids mean: ggml's types, and those of other programs that use the same numbers.

use gguf_files::shards::{MergedEntries, SplitLimit};
use gguf_format::edit::Edit;
use gguf_format::format::{FORK_TYPES, GGML_TYPES, Layout};
use gguf_format::tensor::extents::{self, Extents};
use gguf_format::{Format, GgmlType, Header, parse};
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::corpus;
use crate::gguf_bytes::GgufBytes;
use crate::shards::content::{merged, settled, shards_of};
use crate::written::written;

/// A tensor of a test file: its dimensions, its type id, and the bytes of its data.
type Tensor<'a> = (&'a [u64], u32, usize);

/// A file whose tensors lie one after the other, with the padding that the alignment needs. Tensor `t0` has bytes of 1, and so on.
fn file_of(tensors: &[Tensor<'_>]) -> Vec<u8> {
    let mut file = GgufBytes::new(Format::default());
    file.header(tensors.len() as u64, 1).entry(b"general.architecture", &"llama".into());
    let mut offset = 0;
    for (index, (dimensions, id, bytes)) in tensors.iter().enumerate() {
        file.tensor(format!("t{index}").as_bytes(), dimensions, *id, offset);
        offset += bytes.next_multiple_of(32) as u64;
    }
    file.pad_to(32);
    for (index, (_, _, bytes)) in tensors.iter().enumerate() {
        file.bytes(&vec![index as u8 + 1; *bytes]).pad_to(32);
    }
    file.into_bytes()
}

fn names(header: &Header) -> Vec<String> {
    header.tensors().map(|tensor| tensor.type_name().into_owned()).collect()
}

/// The bytes of each tensor whose place is known.
fn data(file: &[u8]) -> Vec<Vec<u8>> {
    let header = settled(file);
    let extents = Extents::new(&header).unwrap();
    let of = |tensor| file[range(extents.of(&tensor, Some(file.len() as u64)).unwrap())].to_vec();
    header.tensors().map(of).collect()
}

/// The bytes of each tensor without zeros at the end, which can be padding.
fn content(file: &[u8]) -> Vec<Vec<u8>> {
    let mut all = data(file);
    for bytes in &mut all {
        bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
    }
    all
}

fn range(range: std::ops::Range<u64>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}

#[test]
fn files_of_other_programs_have_the_types_sizes_and_bits_that_the_corpus_says() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("producers");
    let index = corpus::json(&folder.join("index.json"));
    let mut checked = 0;
    for row in index["files"].as_array().unwrap() {
        let name = row["file"].as_str().unwrap();
        if !name.ends_with(".gguf") {
            continue;
        }
        let file = corpus::read(&folder.join(name));
        let header = settled(&file);
        let mut found = serde_json::Map::new();
        for tensor in header.tensors() {
            let known = tensor.type_name().into_owned();
            let entry = found.entry(known).or_insert(Json::from(0));
            *entry = Json::from(entry.as_u64().unwrap() + 1);
        }
        assert_eq!(Json::from(found), row["tensorTypes"], "{name}");
        let bytes: u64 = header.tensors().map(|tensor| tensor.byte_length().unwrap()).sum();
        assert_eq!(
            (header.parameter_count(), bytes),
            (row["parameters"].as_u64().unwrap(), row["dataBytes"].as_u64().unwrap()),
            "{name}"
        );
        let bits = header.bits_per_weight().unwrap();
        assert!((bits - row["bitsPerWeight"].as_f64().unwrap()).abs() < 1e-6, "{name}: {bits}");
        checked += 1;
    }
    assert!(checked > 40, "the corpus is not whole: {checked} files");
}

#[test]
fn the_places_of_the_tensors_decide_between_owners_of_an_id() {
    let own = file_of(&[(&[128, 64], 42, 64 * 36), (&[8], 0, 32)]);
    let prism = file_of(&[(&[128, 64], 42, 64 * 34), (&[8], 0, 32)]);
    assert_eq!(names(&settled(&own)), ["Q2_0", "F32"]);
    assert_eq!(names(&settled(&prism)), ["Q2_0_G128", "F32"]);
    // The last tensor: the end of the file decides.
    let last = file_of(&[(&[8], 0, 32), (&[128, 64], 42, 64 * 34)]);
    assert_eq!(names(&settled(&last)), ["F32", "Q2_0_G128"]);
    assert_eq!(names(&parse(&last).unwrap()), ["F32", "Q2_0"], "without the size of the file");
}

#[test]
fn a_small_tensor_that_fits_several_meanings_follows_the_others_of_its_id_and_its_owner() {
    // 34 and 36 bytes both fill 64.
    assert_eq!(names(&settled(&file_of(&[(&[128], 42, 34), (&[8], 0, 32)]))), ["Q2_0", "F32"]);
    let with_a_large_one = file_of(&[(&[128], 42, 34), (&[128, 64], 42, 64 * 34), (&[8], 0, 32)]);
    assert_eq!(names(&settled(&with_a_large_one)), ["Q2_0_G128", "Q2_0_G128", "F32"]);
    let with_another_id = file_of(&[(&[128], 42, 34), (&[128, 64], 142, 64 * 34), (&[8], 0, 32)]);
    assert_eq!(names(&settled(&with_another_id)), ["Q2_0_G128", "PQ2_0", "F32"]);
}

#[test]
fn an_id_that_nobody_explains_has_no_size_and_its_data_is_all_up_to_the_next_tensor() {
    let file = file_of(&[(&[128, 64], 42, 1111), (&[8], 0, 32), (&[256, 2], 139, 1000), (&[8], 0, 32)]);
    let header = settled(&file);
    assert_eq!(names(&header), ["unknown(42)", "F32", "unknown(139)", "F32"]);
    assert!(header.tensor("t0").unwrap().byte_length().is_none());
    assert_eq!(header.bits_per_weight(), None);
    assert_eq!(data(&file).iter().map(Vec::len).collect::<Vec<_>>(), [1120, 32, 1024, 32]);
    // The same for the last tensor: bytes that its size does not explain are its own.
    let last = file_of(&[(&[8], 0, 32), (&[256, 2], 139, 1000)]);
    assert_eq!(names(&settled(&last)), ["F32", "unknown(139)"]);
    assert_eq!(data(&last)[1].len(), 1024);
}

#[test]
fn a_file_that_is_cut_keeps_the_meaning_that_explains_the_rest() {
    let mut own = file_of(&[(&[8], 0, 32), (&[128, 64], 42, 64 * 36), (&[128, 64], 42, 64 * 36)]);
    own.truncate(own.len() - 700);
    assert_eq!(names(&settled(&own)), ["F32", "Q2_0", "Q2_0"]);
    let mut prism = file_of(&[(&[8], 0, 32), (&[128, 64], 42, 64 * 34), (&[128, 64], 42, 64 * 34)]);
    prism.truncate(prism.len() - 700);
    assert_eq!(names(&settled(&prism)), ["F32", "Q2_0_G128", "Q2_0_G128"]);
    // The file ends before the only tensor of the type begins.
    let mut early = file_of(&[(&[64], 0, 256), (&[128, 64], 42, 64 * 36)]);
    early.truncate(early.len() - 64 * 36 - 32);
    assert_eq!(names(&settled(&early)), ["F32", "Q2_0"]);
}

#[test]
fn sizes_count_heads_of_rows_groups_of_rows_and_what_follows_the_blocks() {
    let info = |name: &str| FORK_TYPES.iter().find(|info| info.name == name).unwrap();
    assert_eq!(info("IQ4_KS").byte_length(512 * 3, 512), Some(3 * (4 + 2 * 136)));
    assert_eq!(info("Q4_0_R8").byte_length(32 * 8, 32), Some(8 * 18));
    assert_eq!(info("Q4_0_R8").byte_length(32 * 9, 32), None, "9 rows are no whole groups of 8");
    assert_eq!(info("I2_S").byte_length(256 * 4, 256), Some(256 + 32));
    assert_eq!(info("TL2").byte_length(512 * 4, 512), Some((256 * 4 / 3 * 5) / 8 + 64 * 4));
    for info in FORK_TYPES {
        assert!(info.owner.is_some());
        assert_eq!(info.byte_length(0, 0), Some(0), "{}", info.name);
        for (elements, row) in [(u64::MAX, 1 << 32), (u64::MAX - 255, 256), (1 << 63, 1 << 62)] {
            let _ = info.byte_length(elements, row);
        }
        if let Layout::Rows { together, .. } = info.layout {
            assert!(together > 0, "{}", info.name);
        }
    }
    assert!(GGML_TYPES.iter().all(|info| info.owner.is_none() && info.layout == Layout::BLOCKS));
}

/// Type ids: those of ggml, of several owners, of one other owner, and of nobody.
fn an_id() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(0),
        Just(8),
        36_u32..48,
        133_u32..160,
        prop::sample::select(vec![202, 219, 230, 335, 399, 77, 1000])
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Ids, sizes and gaps that contradict each other: edits, splitting and merging lose no byte, and no type is believed whose
    /// size does not fit.
    #[test]
    fn no_byte_is_lost_and_no_size_is_wrong(
        tensors in prop::collection::vec((an_id(), prop::sample::select(vec![32_u64, 64, 128, 256, 512]), 1_u64..20, 0_usize..3), 1..6),
        sizes in prop::collection::vec(1_usize..3000, 6),
    ) {
        let dimensions: Vec<[u64; 2]> = tensors.iter().map(|(_, columns, rows, _)| [*columns, *rows]).collect();
        let tensors: Vec<Tensor<'_>> = tensors.iter().zip(&sizes).zip(&dimensions).map(|(((id, _, _, how), size), dimensions)| {
            let elements = dimensions[0] * dimensions[1];
            let mut meanings: Vec<_> = FORK_TYPES.iter().filter(|info| info.id == *id).collect();
            meanings.extend(GgmlType(*id).info());
            let known: Vec<u64> = meanings.iter().filter_map(|info| info.byte_length(elements, dimensions[0])).collect();
            let padded = |length: &u64| length.next_multiple_of(32) == size.next_multiple_of(32) as u64;
            let length = known.get(*how).or_else(|| known.iter().find(|length| padded(length)));
            let length = length.map_or(*size, |length| *length as usize);
            // Types of ggml alone have the size that they must have.
            match (FORK_TYPES.iter().all(|info| info.id != *id), known.first()) {
                (true, Some(own)) => (&dimensions[..], *id, *own as usize),
                (true, None) => (&dimensions[..], 1000, length),
                (false, _) => (&dimensions[..], *id, length),
            }
        }).collect();
        let file = file_of(&tensors);
        let header = settled(&file);
        for (tensor, (_, _, length)) in header.tensors().zip(&tensors) {
            let is_last = tensor.index() + 1 == header.tensors().len();
            if let Some(believed) = tensor.byte_length().filter(|_| !is_last) {
                prop_assert_eq!(believed.next_multiple_of(32), length.next_multiple_of(32) as u64, "{:?}", tensor);
            }
        }
        // A last tensor that is shorter than the others of its type say is cut, and the file is refused as truncated.
        prop_assume!(extents::first_incomplete(&header, file.len() as u64).is_none());
        let whole = content(&file);

        let mut edit = Edit::new(settled(&file));
        edit.set("general.architecture", &"a-name-that-makes-the-header-longer-than-it-was".into()).unwrap();
        let edited = written(&edit.plan(Some(file.len() as u64)).unwrap(), &file);
        prop_assert_eq!(content(&edited), &whole[..]);

        let shards = shards_of(&file, SplitLimit::Tensors(1), true);
        prop_assert_eq!(shards.iter().flat_map(|shard| content(shard)).collect::<Vec<_>>(), &whole[..]);
        let joined = merged(&shards, MergedEntries::WithoutSplitKeys);
        prop_assert_eq!(content(&joined), whole);
    }
}
