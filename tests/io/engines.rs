//! What is done with the data of opened files.

use std::cell::RefCell;
use std::rc::Rc;

use gguf_files::compare::{CompareOptions, CompareReports, ComparedPair, DataCoverage, compare};
use gguf_files::export::NpyFile;
use gguf_files::hash::{HashAlgorithm, HashRequest, Hasher, Hashes, TensorDataHasher, hash_file};
use gguf_files::shards::{GivenSet, MergedEntries, MergedShard, PathShards, SplitLimit, merge, open_set, split};
use gguf_format::edit::Edit;
use gguf_format::io::{Chunks, FileSource, ReadProgress, Source, block_on};
use gguf_format::tensor::{Chunk, NumberFormat, PreviewLimits};
use gguf_format::write::PlannedFile;
use gguf_format::write::encode::Encoder;
use gguf_format::{Endian, ErrorCode, Format, GgmlType, Limits, OpenedFile};
use gguf_models::file_name::shard_name;

use crate::io::source::Logged;

const F32: u32 = 0;
const I64: u32 = 27;
const UNKNOWN: u32 = 137;

/// A file with tensors of `f32`s, and one of `i64`s.
fn file(endian: Endian, tensors: &[(&str, Vec<f32>)]) -> Vec<u8> {
    let mut file = Encoder::new(Format { endian, ..Format::default() });
    file.header(tensors.len() as u64 + 1, 1).kv(b"general.architecture", &"llama".into());
    let mut offset = 0;
    for (name, numbers) in tensors {
        file.tensor_info(name.as_bytes(), &[numbers.len() as u64], F32, offset);
        offset += (4 * numbers.len() as u64).next_multiple_of(32);
    }
    file.tensor_info(b"integers", &[2], I64, offset).pad_to(32);
    let mut bytes = file.as_bytes().to_vec();
    for (_, numbers) in tensors {
        let stored = |number: &f32| if endian == Endian::Big { number.to_be_bytes() } else { number.to_le_bytes() };
        bytes.extend(numbers.iter().flat_map(stored));
        bytes.resize(bytes.len().next_multiple_of(32), 0);
    }
    let stored = |number: i64| if endian == Endian::Big { number.to_be_bytes() } else { number.to_le_bytes() };
    bytes.extend([i64::MAX, -1].into_iter().flat_map(stored));
    bytes
}

fn small() -> Vec<u8> {
    file(Endian::Little, &[("a", (0..100).map(|index| index as f32).collect()), ("b", vec![0.5; 40])])
}

fn open(source: Logged) -> OpenedFile<Logged> {
    block_on(OpenedFile::open(source, Limits::default())).unwrap()
}

/// All chunks one after the other.
fn collect(mut chunks: impl Chunks<Buffer = gguf_format::io::MemoryBuffer>) -> Vec<u8> {
    block_on(async {
        let mut bytes = Vec::new();
        while let Some(chunk) = chunks.next_chunk().await.unwrap() {
            bytes.extend_from_slice(chunk.as_slice());
        }
        bytes
    })
}

#[test]
fn a_header_is_read_by_ranges_from_sources_with_and_without_a_size() {
    for knows_size in [true, false] {
        let opened = open(Logged { knows_size, ..Logged::new(small()) });
        assert_eq!(opened.header().tensors().len(), 3);
        let cut = Logged { knows_size, ..Logged::new(&small()[..100]) };
        let error = block_on(OpenedFile::open(cut, Limits::default())).map(drop).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnexpectedEof);
    }
}

#[test]
fn a_file_of_the_file_system_is_a_source() {
    let path = std::env::temp_dir().join(format!("gguf-wasm-io-{}.gguf", std::process::id()));
    std::fs::write(&path, small()).unwrap();
    let source = FileSource::open(&path).unwrap();
    assert_eq!(source.size(), Some(small().len() as u64));
    let opened = block_on(OpenedFile::open(source, Limits::default())).unwrap();
    let tensor = opened.header().tensor("a").unwrap();
    assert_eq!(block_on(opened.read_f32(&tensor, 10..13)).unwrap(), [10.0, 11.0, 12.0]);
    std::fs::remove_file(&path).unwrap();
    let error = FileSource::open(&path).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ReadFailed);
    assert!(error.cause().unwrap().downcast_ref::<std::io::Error>().is_some());
}

#[test]
fn elements_are_read_in_both_byte_orders() {
    for endian in [Endian::Little, Endian::Big] {
        let opened = open(Logged::new(file(endian, &[("a", vec![1.5, -2.5, 3.0])])));
        let header = opened.header().clone();
        let (a, integers) = (header.tensor("a").unwrap(), header.tensor("integers").unwrap());
        assert_eq!(block_on(opened.read_f32(&a, 1..3)).unwrap(), [-2.5, 3.0]);
        assert_eq!(block_on(opened.read_stored(&a, Some(1..2))).unwrap().as_slice().len(), 4);
        let numbers = RefCell::new(Vec::new());
        let mut take = |start, chunk: Chunk<'_>| {
            if let Chunk::Integers(integers) = chunk {
                numbers.borrow_mut().push((start, integers.to_vec()));
            }
        };
        block_on(opened.read_numbers(&integers, 0..2, NumberFormat::Int64, &mut take)).unwrap();
        assert_eq!(*numbers.borrow(), [(0, vec![i64::MAX, -1])]);
        let error = block_on(opened.read_f32(&a, 2..4)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::OutOfRange);
    }
}

#[test]
fn a_preview_and_the_statistics_agree() {
    let opened = open(Logged::new(small()));
    let tensor = opened.header().tensor("a").unwrap();
    let progress = RefCell::new(Vec::new());
    let on_progress = |at: ReadProgress| {
        progress.borrow_mut().push((at.bytes_read, at.total_bytes));
        Ok(())
    };
    let summary = block_on(opened.statistics(&tensor, Some(&on_progress))).unwrap();
    assert_eq!((summary.count, summary.min, summary.max, summary.mean), (100, Some(0.0), Some(99.0), Some(49.5)));
    assert_eq!(*progress.borrow(), [(400, 400)]);
    let limits = PreviewLimits { rows: 1, columns: 10, bytes: 4096, reads: 4 };
    let preview = block_on(opened.preview(&tensor, 0..100, limits, None)).unwrap();
    assert_eq!(preview.statistics, summary);
    assert!(preview.is_complete);
    assert_eq!(preview.grid.min().collect::<Vec<_>>(), (0..10).map(|index| 10.0 * index as f32).collect::<Vec<_>>());
}

#[test]
fn an_error_of_the_progress_function_ends_the_work() {
    let opened = open(Logged::new(small()));
    let tensor = opened.header().tensor("a").unwrap();
    let stop = |_| Err(gguf_format::Error::of_caller(std::sync::Arc::new("stop")));
    let error = block_on(opened.statistics(&tensor, Some(&stop))).unwrap_err();
    assert!(error.is_of_caller());
    assert_eq!(error.cause().unwrap().downcast_ref::<&str>(), Some(&"stop"));
}

#[test]
fn hashes_are_those_of_the_data() {
    let bytes = small();
    let opened = open(Logged::new(bytes.clone()));
    let algorithms = vec![HashAlgorithm::Xxh64, HashAlgorithm::Sha1, HashAlgorithm::Sha256, HashAlgorithm::Uuid];
    let mut expected = TensorDataHasher::new(&algorithms, true);
    for tensor in opened.header().tensors() {
        let start = tensor.file_offset().unwrap() as usize;
        expected.update(&bytes[start..][..tensor.byte_length().unwrap() as usize]);
        expected.end_tensor(tensor.name().to_string());
    }
    let request = HashRequest { algorithms, tensors: true, file: true };
    let hashes = block_on(hash_file(&opened, &request, &|_| None, None)).unwrap();
    assert_eq!(hashes.data, expected.finish());
    let mut whole = Hasher::new(HashAlgorithm::Sha256);
    whole.update(&bytes);
    let mut of_file = Hashes::default();
    whole.finish(&mut of_file);
    assert_eq!(hashes.file_sha256, of_file.sha256);
}

#[test]
fn a_truncated_file_is_not_hashed() {
    let bytes = small();
    let source = Logged::new(&bytes[..bytes.len() - 1]);
    let log = source.log.clone();
    let opened = open(source);
    let reads = log.reads.borrow().len();
    let request = HashRequest { algorithms: vec![HashAlgorithm::Sha1], tensors: false, file: false };
    let error = block_on(hash_file(&opened, &request, &|_| None, None)).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Truncated);
    assert_eq!(log.reads.borrow().len(), reads, "nothing is read");
}

#[test]
fn data_is_compared_and_data_of_one_origin_is_not_read() {
    let options = CompareOptions { data: true, values: true, max_bytes: None };
    let a = open(Logged::new(small()));
    let changed = file(Endian::Little, &[("a", (0..100).map(|index| index as f32).collect()), ("c", vec![0.5; 40])]);
    let b = open(Logged::new(changed));
    let comparison = block_on(compare(&a, &b, options, CompareReports::default())).unwrap();
    assert_eq!((comparison.coverage(), comparison.counts().tensors.renamed), (DataCoverage::Whole, 1));
    let swapped = open(Logged::new(file(
        Endian::Big,
        &[("a", (0..100).map(|index| index as f32).collect()), ("b", vec![0.5; 40])],
    )));
    assert_eq!(block_on(compare(&a, &swapped, options, CompareReports::default())).unwrap().counts().tensors.equal, 3);

    let original = Rc::new(a);
    let mut edit = Edit::new(original.header().clone());
    edit.add(None, b"general.name", &"Another name".into()).unwrap();
    let plan = edit.plan(original.file_size()).unwrap();
    let planned = |plan| PlannedFile::new(vec![original.clone()], plan);
    let same = Edit::new(original.header().clone()).plan(original.file_size()).unwrap();
    let [a, b] =
        [planned(same), planned(plan)].map(|file| block_on(OpenedFile::open(file, Limits::default())).unwrap());
    let log = original.reader().source().log.clone();
    let before = log.reads.borrow().len();
    let comparison =
        block_on(compare(&a, &b, CompareOptions { values: false, ..options }, CompareReports::default())).unwrap();
    assert_eq!((comparison.counts().tensors.equal, comparison.counts().entries.added), (3, 1));
    assert_eq!(log.reads.borrow().len(), before, "the data is the same, so it is not read");
}

/// What a comparison tells: the pairs of tensors, and its progress.
fn told(a: &[u8], b: &[u8], options: CompareOptions) -> Vec<String> {
    let told = RefCell::new(Vec::new());
    let reports = CompareReports {
        on_progress: Some(&|ReadProgress { bytes_read, .. }| {
            told.borrow_mut().push(format!("{bytes_read} bytes"));
            Ok(())
        }),
        on_tensor: Some(&|pair: ComparedPair| {
            let nmse = pair.values.map_or("not compared".to_string(), |values| values.nmse.to_string());
            told.borrow_mut().push(format!("{} and {}: {}, NMSE {nmse}", pair.a, pair.b, pair.data.name()));
            Ok(())
        }),
    };
    let [a, b] = [a, b].map(|bytes| open(Logged::new(bytes.to_vec())));
    block_on(compare(&a, &b, options, reports)).unwrap();
    told.into_inner()
}

#[test]
fn each_tensor_is_reported_before_the_data_of_the_next_one_is_compared() {
    let options = CompareOptions { data: true, values: true, max_bytes: None };
    let changed = file(Endian::Little, &[("a", (0..100).map(|index| index as f32).collect()), ("b", vec![1.0; 40])]);
    // The source gives 64 bytes of each file at once.
    let expected = [
        "128 bytes",
        "256 bytes",
        "384 bytes",
        "512 bytes",
        "640 bytes",
        "768 bytes",
        "800 bytes",
        "0 and 0: equal, NMSE 0",
        "928 bytes",
        "1056 bytes",
        "1120 bytes",
        "1 and 1: different, NMSE 1",
        "1152 bytes",
        "2 and 2: equal, NMSE 0",
        "1152 bytes",
    ];
    assert_eq!(told(&small(), &changed, options), expected);
    let without_values = told(&small(), &changed, CompareOptions { values: false, ..options });
    assert!(without_values.contains(&"1 and 1: different, NMSE not compared".to_string()), "{without_values:?}");

    // `c` is paired with `b` because their data is equal. `d` has no partner, neither by data nor by name.
    let renamed = file(Endian::Little, &[("d", vec![2.0; 100]), ("c", vec![0.5; 40])]);
    let pairs: Vec<_> = told(&small(), &renamed, options).into_iter().filter(|told| told.contains("and")).collect();
    assert_eq!(pairs, ["2 and 2: equal, NMSE 0", "1 and 1: equal, NMSE not compared"]);
}

#[test]
fn a_tensor_whose_data_is_the_same_in_the_same_file_is_reported_without_being_read() {
    let original = Rc::new(open(Logged::new(small())));
    let planned = || {
        let plan = Edit::new(original.header().clone()).plan(original.file_size()).unwrap();
        block_on(OpenedFile::open(PlannedFile::new(vec![original.clone()], plan), Limits::default())).unwrap()
    };
    let pairs = RefCell::new(Vec::new());
    let on_tensor = |ComparedPair { a, b, data, .. }: ComparedPair| {
        pairs.borrow_mut().push((a, b, data.name()));
        Ok(())
    };
    let reports = CompareReports { on_tensor: Some(&on_tensor), ..CompareReports::default() };
    block_on(compare(&planned(), &planned(), CompareOptions::default(), reports)).unwrap();
    assert_eq!(*pairs.borrow(), [(0, 0, "equal"), (1, 1, "equal"), (2, 2, "equal")]);
}

#[test]
fn a_plan_is_a_source_and_can_be_read_in_chunks_from_any_position() {
    let bytes = small();
    let original = Rc::new(open(Logged::new(bytes.clone())));
    let mut edit = Edit::new(original.header().clone());
    edit.add(None, b"general.name", &"x".repeat(200).as_str().into()).unwrap();
    let plan = edit.plan(original.file_size()).unwrap();
    let planned = PlannedFile::new(vec![original.clone()], plan);
    let whole = collect(planned.chunks(0));
    assert_eq!(whole.len() as u64, planned.plan().size());
    assert_eq!(whole[whole.len() - 16..], bytes[bytes.len() - 16..]);
    assert_eq!(collect(planned.chunks(77)), whole[77..]);
    let reopened = block_on(OpenedFile::open(planned, Limits::default())).unwrap();
    let tensor = reopened.header().tensor("a").unwrap();
    assert_eq!(block_on(reopened.read_f32(&tensor, 98..100)).unwrap(), [98.0, 99.0]);
}

#[test]
fn shards_are_split_and_merged_from_their_sources() {
    let original = Rc::new(open(Logged::new(small())));
    let shards = split(original.header(), original.file_size(), SplitLimit::Tensors(1), true).unwrap();
    let shards: Vec<_> = shards
        .into_iter()
        .map(|shard| {
            let planned = PlannedFile::new(vec![original.clone()], shard.plan);
            Rc::new(block_on(OpenedFile::open(planned, Limits::default())).unwrap())
        })
        .collect();
    assert_eq!(shards.len(), 3);
    let given: Vec<_> =
        shards.iter().map(|shard| MergedShard { header: shard.header(), file_size: shard.file_size() }).collect();
    let plan = merge(&given, MergedEntries::WithoutSplitKeys).unwrap();
    let merged = block_on(OpenedFile::open(PlannedFile::new(shards, plan), Limits::default())).unwrap();
    let tensor = merged.header().tensor("b").unwrap();
    assert_eq!(block_on(merged.read_f32(&tensor, 0..40)).unwrap(), [0.5; 40]);
}

#[test]
fn a_tensor_becomes_an_npy_file_in_both_byte_orders() {
    for endian in [Endian::Little, Endian::Big] {
        let opened = Rc::new(open(Logged::new(file(endian, &[("a", vec![1.0, 2.0, 3.0])]))));
        let header = opened.header().clone();
        let npy = NpyFile::new(opened, &header.tensor("a").unwrap(), false).unwrap();
        let bytes = collect(npy.chunks().unwrap());
        assert_eq!(bytes.len() as u64, npy.size());
        assert!(bytes.starts_with(b"\x93NUMPY"));
        assert_eq!(npy.array().dtype, "<f4");
        let data: Vec<u8> = [1.0f32, 2.0, 3.0].into_iter().flat_map(f32::to_le_bytes).collect();
        assert_eq!(bytes[bytes.len() - 12..], data);
    }
}

#[test]
fn a_tensor_of_unknown_type_can_only_be_read_as_stored() {
    let mut file = Encoder::new(Format::default());
    file.header(1, 0).tensor_info(b"a", &[8], UNKNOWN, 0).pad_to(32);
    let mut bytes = file.as_bytes().to_vec();
    bytes.extend([7; 40]);
    for (knows_size, expected) in [(true, Ok(40)), (false, Err(ErrorCode::SizeUnknown))] {
        let opened = open(Logged { knows_size, ..Logged::new(bytes.clone()) });
        let tensor = opened.header().tensor("a").unwrap();
        assert_eq!(tensor.ggml_type(), GgmlType(UNKNOWN));
        let read = block_on(opened.read_stored(&tensor, None));
        assert_eq!(read.map(|bytes| bytes.as_slice().len()).map_err(|error| error.code()), expected);
        assert_eq!(block_on(opened.statistics(&tensor, None)).unwrap_err().code(), ErrorCode::UnknownType);
    }
}

#[test]
fn the_shards_of_a_set_are_found_by_the_path_of_one() {
    let folder = std::env::temp_dir().join(format!("gguf-wasm-set-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let original = Rc::new(open(Logged::new(small())));
    let shards = split(original.header(), original.file_size(), SplitLimit::Tensors(1), true).unwrap();
    let path = |number| folder.join(shard_name("m", number, 3));
    for (number, shard) in (1..).zip(shards) {
        let planned = PlannedFile::new(vec![original.clone()], shard.plan);
        std::fs::write(path(number), collect(planned.chunks(0))).unwrap();
    }
    let open_from = |number| block_on(open_set(PathShards, GivenSet::OneOf(PathShards::given(path(number))), None));
    let set = open_from(2).unwrap();
    assert_eq!((set.shards.len(), set.findings.len(), set.header.tensors().len()), (3, 0, 3));
    let merged = block_on(OpenedFile::open(set.merged, Limits::default())).unwrap();
    let tensor = merged.header().tensor("b").unwrap();
    assert_eq!(block_on(merged.read_f32(&tensor, 0..40)).unwrap(), [0.5; 40]);
    std::fs::remove_file(path(3)).unwrap();
    let set = open_from(1).unwrap();
    assert_eq!(set.findings[0].message, "shard 3 of 3 is missing. Add the file \"m-00003-of-00003.gguf\".");
    assert!(matches!(set.shards[2].file, Err(Some(_))));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(open_from(1).map(drop).unwrap_err().code(), ErrorCode::ReadFailed);
}
