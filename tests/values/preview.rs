//! The bytes that a preview reads, and the values of its cells.

use crate::long::in_long;
use gguf_format::GgmlType;
use gguf_format::format::GGML_TYPES;
use gguf_format::tensor::{Grid, PreviewLimits, PreviewPlan};
use proptest::prelude::*;
use std::ops::Range;

const DEFAULT: PreviewLimits = PreviewLimits { rows: 64, columns: 64, bytes: 4 << 20, reads: 64 };

fn plan(ggml_type: GgmlType, row_length: u64, row_count: u64, limits: PreviewLimits) -> PreviewPlan {
    PreviewPlan::new(ggml_type.info().unwrap(), row_length, row_count, limits).unwrap()
}

#[test]
fn a_small_tensor_is_read_whole() {
    let plan = plan(GgmlType::F32, 100, 3, DEFAULT);
    assert_eq!(plan.reads(), std::slice::from_ref(&(0..1200)));
    assert_eq!(plan.rows(), [0..1, 1..2, 2..3]);
    assert_eq!(plan.columns().len(), 64);
    assert_eq!((plan.columns()[0].clone(), plan.columns()[63].clone()), (0..1, 98..100));
}

#[test]
fn a_tensor_within_the_budget_is_read_in_several_ranges() {
    let plan = plan(GgmlType::F32, 1024, 1024, DEFAULT);
    assert_eq!(plan.reads().len(), 8);
    assert_eq!(plan.byte_length(), 4 << 20);
}

#[test]
fn groups_of_rows_of_a_large_tensor_are_read() {
    let plan = plan(GgmlType::Q4_K, 4096, 128_256, DEFAULT);
    assert_eq!(plan.reads().len(), 64);
    assert_eq!(plan.rows().len(), 64);
    // 28 of every 2004 rows.
    assert_eq!(plan.rows()[0], 988..1016);
    assert_eq!(plan.rows()[63], 127_240..127_268);
    assert_eq!(plan.reads()[0], 988 * 2304..1016 * 2304);
}

#[test]
fn parts_of_a_row_beyond_the_budget_are_read() {
    let limits = PreviewLimits { bytes: 1 << 20, ..DEFAULT };
    let plan = plan(GgmlType::Q8_0, 1 << 30, 1, limits);
    assert_eq!((plan.rows().len(), plan.columns().len()), (1, 64));
    assert_eq!(plan.reads().len(), 64);
    assert!(plan.byte_length() <= 1 << 20 && plan.byte_length() > 1_000_000);
    let some = PreviewPlan::new(GgmlType::Q8_0.info().unwrap(), 1 << 30, 5, limits).unwrap();
    assert_eq!((some.rows().len(), some.reads().len()), (5, 60));
}

#[test]
fn several_long_rows_are_sampled_if_the_budget_holds_only_one() {
    let limits = PreviewLimits { bytes: 256 << 10, ..DEFAULT };
    for row_length in [28_672, 131_072, 131_200] {
        let plan = plan(GgmlType::F16, row_length, 4096, limits);
        assert_eq!((plan.rows().len(), plan.columns().len(), plan.reads().len()), (8, 64, 64), "{row_length}");
        assert!(plan.byte_length() > 250_000, "{row_length}");
    }
}

#[test]
fn tensors_that_cannot_be_read_have_no_plan() {
    let new =
        |ggml_type: GgmlType, row_length, limits| PreviewPlan::new(ggml_type.info().unwrap(), row_length, 10, limits);
    assert_eq!(new(GgmlType::Q4_K, 255, DEFAULT), None);
    assert_eq!(new(GgmlType::Q4_2, 256, DEFAULT), None);
    assert_eq!(new(GgmlType::Q4_K, 256, PreviewLimits { bytes: 143, ..DEFAULT }), None);
    assert_eq!(new(GgmlType::Q4_K, 256, PreviewLimits { reads: 0, ..DEFAULT }), None);
    assert_eq!(new(GgmlType::F32, 1 << 61, DEFAULT), None);
}

#[test]
fn the_largest_tensor_is_read_to_its_end() {
    let plan = plan(GgmlType::I8, u64::MAX, 1, PreviewLimits { bytes: u64::MAX, ..DEFAULT });
    assert_eq!((plan.reads().len(), plan.byte_length()), (64, u64::MAX));
}

#[test]
fn a_tensor_without_elements_has_an_empty_grid() {
    for (row_length, row_count) in [(0, 10), (256, 0), (0, 0)] {
        let plan = plan(GgmlType::Q4_K, row_length, row_count, DEFAULT);
        assert_eq!((plan.rows(), plan.columns(), plan.reads().len()), (&[][..], &[][..], 0));
        assert_eq!(Grid::new(&plan).unwrap().mean().count(), 0);
    }
}

#[test]
fn cells_show_finite_elements_only() {
    let plan = plan(GgmlType::F32, 4, 2, PreviewLimits { rows: 1, columns: 2, ..DEFAULT });
    let mut grid = Grid::new(&plan).unwrap();
    grid.push(&plan, 0, &[1.0, f32::NAN, f32::INFINITY, f32::NAN]);
    grid.push(&plan, 4, &[-3.0, 5.0, f32::NEG_INFINITY, f32::NAN]);
    assert_eq!(grid.mean().next(), Some(1.0));
    assert_eq!((grid.min().next(), grid.max().next()), (Some(-3.0), Some(5.0)));
    assert!(grid.mean().chain(grid.min()).chain(grid.max()).filter(|cell| cell.is_nan()).count() == 3);
}

/// A type, the dimensions of a matrix in blocks, and limits.
fn cases(extent: u64) -> impl Strategy<Value = (GgmlType, u64, u64, PreviewLimits)> {
    let types: Vec<_> = GGML_TYPES.iter().filter(|info| !info.is_removed()).collect();
    let limits = (1..100_u64, 1..100_u64, 300..100_000_u64, 1..80_u64);
    (proptest::sample::select(types), 1..extent, 1..extent, limits).prop_map(
        |(info, blocks, row_count, (rows, columns, bytes, reads))| {
            let limits = PreviewLimits { rows, columns, bytes, reads };
            (GgmlType(info.id), blocks * u64::from(info.block_size), row_count, limits)
        },
    )
}

fn in_order(ranges: &[Range<u64>], end: u64) -> bool {
    ranges.iter().all(|range| range.start < range.end && range.end <= end)
        && ranges.windows(2).all(|two| two[0].end <= two[1].start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(in_long(3000, 750)))]

    #[test]
    fn plans_keep_to_their_limits((ggml_type, row_length, row_count, limits) in cases(400)) {
        let plan = plan(ggml_type, row_length, row_count, limits);
        let info = ggml_type.info().unwrap();
        let reads = plan.reads();
        prop_assert!(plan.byte_length() <= limits.bytes);
        prop_assert!(!reads.is_empty() && reads.len() as u64 <= limits.reads);
        prop_assert!(plan.rows().len() as u64 <= limits.rows && plan.columns().len() as u64 <= limits.columns);
        prop_assert!(in_order(plan.rows(), row_count) && in_order(plan.columns(), row_length));
        prop_assert!(in_order(reads, ggml_type.byte_length(row_length * row_count, row_length).unwrap()));
        prop_assert!(reads.iter().all(|read| read.start % u64::from(info.type_size) == 0));
        prop_assert!(reads.iter().all(|read| (read.end - read.start) % u64::from(info.type_size) == 0));
    }

    #[test]
    fn cells_say_what_their_elements_are((ggml_type, row_length, row_count, limits) in cases(20)) {
        let plan = plan(ggml_type, row_length, row_count, limits);
        let value = |element: u64| ((element * 7919) % 10_007) as f32 - 5000.0;
        let mut grid = Grid::new(&plan).unwrap();
        for read in plan.reads() {
            let elements: Vec<_> = (plan.element_at(read.start)..plan.element_at(read.end)).map(value).collect();
            grid.push(&plan, plan.element_at(read.start), &elements);
        }
        let cells = plan.rows().iter().flat_map(|rows| plan.columns().iter().map(move |columns| (rows, columns)));
        for ((((rows, columns), mean), min), max) in cells.zip(grid.mean()).zip(grid.min()).zip(grid.max()) {
            let elements = || rows.clone().flat_map(|row| columns.clone().map(move |c| value(row * row_length + c)));
            let count = elements().count() as f64;
            prop_assert_eq!(mean, (elements().map(f64::from).sum::<f64>() / count) as f32);
            prop_assert_eq!(Some(min), elements().reduce(f32::min));
            prop_assert_eq!(Some(max), elements().reduce(f32::max));
        }
    }
}
