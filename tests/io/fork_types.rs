//! Tensors with types of other programs: their values, previews, statistics, `.npy` files and comparisons.

use std::rc::Rc;

use gguf_files::compare::{CompareOptions, CompareReports, compare};
use gguf_files::export::NpyFile;
use gguf_format::format::{FORK_TYPES, GgmlTypeInfo, Layout};
use gguf_format::io::{Chunks, block_on};
use gguf_format::tensor::{PreviewLimits, Statistics, fork_kernel};
use gguf_format::write::encode::Encoder;
use gguf_format::{ErrorCode, Format, Limits, OpenedFile};

use crate::io::source::Logged;

const COLUMNS: u64 = 512;
const ROWS: u64 = 32;

/// A type, its rows as stored, and their elements by the kernel.
struct Sample {
    info: &'static GgmlTypeInfo,
    rows: Vec<u8>,
    elements: Vec<f32>,
}

/// Types that have kernels, with rows of bytes that look random.
fn samples() -> Vec<Sample> {
    let mut state = 1_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let sample = |info: &'static GgmlTypeInfo| {
        let kernel = fork_kernel(info.name)?;
        let rows: Vec<u8> = (0..info.byte_length(COLUMNS * ROWS, COLUMNS).unwrap()).map(|_| byte()).collect();
        let mut elements = vec![0.0; (COLUMNS * ROWS) as usize];
        let group = kernel(COLUMNS as usize, &rows, &mut elements).unwrap();
        // The kernel has its own description of the rows.
        assert_eq!(group.bytes * ROWS as usize / group.rows, rows.len(), "{}", info.name);
        if let Layout::Rows { together, .. } = info.layout {
            assert_eq!(group.rows, usize::from(together), "{}", info.name);
        }
        Some(Sample { info, rows, elements })
    };
    FORK_TYPES.iter().filter_map(sample).collect()
}

/// A file with these tensors, named after their types, and one of `f32`s behind them.
fn file(tensors: &[(&str, u32, &[u8])]) -> OpenedFile<Logged> {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64 + 1, 0);
    let mut offset = 0;
    for (name, id, bytes) in tensors {
        file.tensor_info(name.as_bytes(), &[COLUMNS, ROWS], *id, offset);
        offset += (bytes.len() as u64).next_multiple_of(32);
    }
    file.tensor_info(b"last", &[8], 0, offset).pad_to(32);
    for (_, _, bytes) in tensors {
        file.bytes(bytes).pad_to(32);
    }
    file.bytes(&[0; 32]);
    block_on(OpenedFile::open(Logged::new(file.as_bytes()), Limits::default())).unwrap()
}

fn bits(elements: &[f32]) -> Vec<u32> {
    elements.iter().map(|element| if element.is_nan() { f32::NAN.to_bits() } else { element.to_bits() }).collect()
}

#[test]
fn elements_of_all_types_are_read_from_any_range() {
    for Sample { info, rows, elements } in samples() {
        let opened = file(&[(info.name, info.id, &rows)]);
        let tensor = opened.header().tensor_at(0).unwrap();
        assert_eq!(tensor.type_name(), info.name);
        for range in
            [0..COLUMNS * ROWS, 0..1, 700..701, COLUMNS - 3..3 * COLUMNS + 5, COLUMNS * ROWS - 1..COLUMNS * ROWS]
        {
            let read = block_on(opened.read_f32(&tensor, range.clone())).unwrap();
            let expected = &elements[range.start as usize..range.end as usize];
            assert_eq!(bits(&read), bits(expected), "{} {range:?}", info.name);
        }
        let stored = block_on(opened.read_stored(&tensor, None)).unwrap();
        assert_eq!(stored.as_slice(), rows, "{}", info.name);
    }
}

#[test]
fn statistics_previews_and_npy_files_have_the_elements() {
    for Sample { info, rows, elements } in samples() {
        let opened = Rc::new(file(&[(info.name, info.id, &rows)]));
        let tensor = opened.header().tensor_at(0).unwrap();
        let mut expected = Statistics::new();
        expected.push(&elements);
        let summary = block_on(opened.statistics(&tensor, None)).unwrap();
        assert_eq!(
            (summary.count, summary.min, summary.max),
            {
                let expected = expected.summary();
                (expected.count, expected.min, expected.max)
            },
            "{}",
            info.name
        );
        let limits = PreviewLimits { rows: 8, columns: 4, bytes: 1 << 20, reads: 4 };
        let preview = block_on(opened.preview(&tensor, 0..COLUMNS * ROWS, limits, None)).unwrap();
        assert!(preview.is_complete, "{}", info.name);
        assert_eq!((preview.rows.len(), preview.columns.len()), (8, 4), "{}", info.name);
        for ((index, greatest), (rows, columns)) in preview
            .grid
            .max()
            .enumerate()
            .zip(preview.rows.iter().flat_map(|rows| preview.columns.iter().map(move |columns| (rows, columns))))
        {
            let shown =
                rows.clone().flat_map(|row| columns.clone().map(move |column| (row * COLUMNS + column) as usize));
            let of_cell = shown.map(|index| elements[index]).filter(|element| element.is_finite()).reduce(f32::max);
            assert_eq!(of_cell.unwrap_or(f32::NAN).to_bits(), greatest.to_bits(), "{} cell {index}", info.name);
        }
        let small = PreviewLimits { bytes: rows.len() as u64 / 2, ..limits };
        let preview = block_on(opened.preview(&tensor, 0..COLUMNS * ROWS, small, None)).unwrap();
        assert!(!preview.is_complete && preview.bytes_read <= small.bytes, "{}", info.name);
        let npy = NpyFile::new(opened.clone(), &tensor, false).unwrap();
        let mut chunks = npy.chunks().unwrap();
        let mut made = Vec::new();
        block_on(async {
            while let Some(chunk) = chunks.next_chunk().await.unwrap() {
                made.extend_from_slice(chunk.as_slice());
            }
        });
        let numbers = made[made.len() - 4 * elements.len()..].as_chunks().0;
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        assert_eq!(bits(&numbers), bits(&elements), "{}", info.name);
    }
}

#[test]
fn a_type_without_known_values_says_so() {
    for name in ["IQ6_K", "PTQ1_0", "I2_S", "TL1"] {
        let info = FORK_TYPES.iter().find(|info| info.name == name).unwrap();
        let rows = vec![1; info.byte_length(COLUMNS * ROWS, COLUMNS).unwrap() as usize];
        let opened = file(&[(name, info.id, &rows)]);
        let tensor = opened.header().tensor_at(0).unwrap();
        let error = block_on(opened.read_f32(&tensor, 0..1)).unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnknownType, "{name}");
        assert!(error.to_string().contains(name), "{error}");
        assert_eq!(block_on(opened.read_stored(&tensor, None)).unwrap().as_slice(), rows, "{name}");
    }
}

#[test]
fn numbers_of_different_types_are_compared() {
    let samples = samples();
    let of = |name: &str| samples.iter().find(|sample| sample.info.name == name).unwrap();
    // Units of one block, of a row, and of groups of 4 and 16 rows.
    for name in ["IQ4_K", "IQ4_KS", "Q4_K_R4", "Q8_K_R16"] {
        let Sample { info, rows, elements } = of(name);
        let mut finite: Vec<f32> = elements.clone();
        finite.iter_mut().filter(|element| !element.is_finite()).for_each(|element| *element = 0.0);
        let floats: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
        let (a, b) = (file(&[("t", info.id, rows)]), file(&[("t", 0, &floats)]));
        let options = CompareOptions { data: true, values: true, max_bytes: None };
        for (a, b) in [(&a, &b), (&b, &a)] {
            let comparison = block_on(compare(a, b, options, CompareReports::default())).unwrap();
            let (values, _) = comparison.tensors()[0].values.clone().unwrap();
            assert_eq!(values.count() + values.non_finite(), COLUMNS * ROWS, "{name}");
            assert_eq!(values.largest(), 0.0, "{name}");
        }
    }
}
