//! Compares statistics with a simple implementation of their documentation, for any numbers in pieces of any size.

use gguf_format::GgmlType;
use gguf_format::tensor::{Histogram, Statistics, Summary};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::corpus;

fn whole(values: &[f32]) -> Summary {
    let mut statistics = Statistics::new();
    statistics.push(values);
    statistics.summary()
}

fn of_doubles(values: &[f64]) -> Summary {
    let mut statistics = Statistics::new();
    statistics.extend(values.iter().copied());
    statistics.summary()
}

/// The lower edge, the width and the counts of a histogram.
type Bins = (f64, f64, Vec<u64>);

fn bins(histogram: Option<Histogram>) -> Option<Bins> {
    histogram.map(|histogram| (histogram.low, histogram.width, histogram.counts))
}

/// A histogram as documented.
fn model(finite: &[f64]) -> Option<Bins> {
    let min = finite.iter().copied().reduce(f64::min)?;
    let max = finite.iter().copied().reduce(f64::max)?;
    let index = |x: f64, width: f64| {
        let quotient = x / width;
        // A quotient that is too small for f64 still counts as less than zero.
        if quotient == 0.0 && x < 0.0 { -1.0 } else { quotient.floor() }
    };
    let widths = (-149..1024).map(|exponent| 2f64.powi(exponent));
    let is_wide = |width: &f64| {
        let farthest = max.max(-min) / width;
        farthest < 2f64.powi(21) && index(max, *width) - index(min, *width) < 64.0
    };
    let width = widths.into_iter().find(is_wide).unwrap();
    let low = index(min, width);
    let mut counts = vec![0; (index(max, width) - low) as usize + 1];
    for x in finite {
        counts[(index(*x, width) - low) as usize] += 1;
    }
    Some((low * width, width, counts))
}

/// Compares with an implementation that sorts and makes two passes. Floats may differ by rounding.
fn check(values: &[f64], summary: &Summary) {
    let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    let count = |is: fn(f64) -> bool| values.iter().filter(|x| is(**x)).count() as u64;
    assert_eq!(summary.count, values.len() as u64);
    assert_eq!(summary.zeros, count(|x| x == 0.0));
    assert_eq!(summary.nan, count(f64::is_nan));
    assert_eq!(summary.positive_infinity, count(|x| x == f64::INFINITY));
    assert_eq!(summary.negative_infinity, count(|x| x == f64::NEG_INFINITY));
    assert_eq!(summary.min, finite.iter().copied().reduce(f64::min));
    assert_eq!(summary.max, finite.iter().copied().reduce(f64::max));
    assert_eq!(summary.absolute_max, finite.iter().map(|x| x.abs()).reduce(f64::max));
    assert_eq!(bins(summary.histogram.clone()), model(&finite));
    let Some((mean, deviation)) = two_passes(&finite) else {
        assert_eq!((summary.mean, summary.deviation), (None, None));
        return;
    };
    near(summary.mean.unwrap(), mean, 1e-9 * deviation);
    near(summary.deviation.unwrap(), deviation, 1e-9 * deviation);
}

fn near(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found:e} is not within {by:e} of {expected:e}");
}

fn two_passes(values: &[f64]) -> Option<(f64, f64)> {
    let first = *values.first()?;
    let count = values.len() as f64;
    let mean = first + pairwise(values, &|x| x - first) / count;
    let mean = mean + pairwise(values, &|x| x - mean) / count;
    Some((mean, (pairwise(values, &|x| (x - mean) * (x - mean)) / count).sqrt()))
}

fn pairwise(values: &[f64], of: &dyn Fn(f64) -> f64) -> f64 {
    match values {
        [] => 0.0,
        [x] => of(*x),
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            pairwise(left, of) + pairwise(right, of)
        }
    }
}

fn bits(summary: &Summary) -> [Option<u64>; 5] {
    let Summary { min, max, absolute_max, mean, deviation, .. } = summary;
    [min, max, absolute_max, mean, deviation].map(|figure| figure.map(f64::to_bits))
}

fn assert_same(a: &Summary, b: &Summary) {
    assert_eq!(a, b);
    assert_eq!(bits(a), bits(b));
}

/// Numbers of one kind, with some of other kinds.
fn numbers() -> impl Strategy<Value = Vec<f32>> {
    let bell = (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_map(|(a, b, c)| (a + b + c) * 0.03);
    let close = (-1.0f32..1.0).prop_map(|x| 1e6 + x);
    let any_bits = any::<u32>().prop_map(f32::from_bits);
    let normal = prop::num::f32::NORMAL;
    let small = prop::num::f32::SUBNORMAL | prop::num::f32::ZERO;
    let whole = (-300..300i32).prop_map(|x| x as f32);
    let special =
        prop::sample::select(&[0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-45]);
    let kind = prop_oneof![
        Just(bell.boxed()),
        Just(close.boxed()),
        Just(any_bits.boxed()),
        Just(normal.boxed()),
        Just(small.boxed()),
        Just(whole.boxed()),
    ];
    let share = prop::sample::select(&[0, 1, 300]);
    (kind, share, prop::sample::select(&[40, 5000])).prop_flat_map(move |(kind, share, most)| {
        let number = prop_oneof![1000 => kind, share => special.clone()];
        vec(number, 0..most)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn any_numbers_are_what_they_are(values in numbers()) {
        let doubles: Vec<f64> = values.iter().map(|x| f64::from(*x)).collect();
        let summary = whole(&values);
        check(&doubles, &summary);
        assert_same(&summary, &of_doubles(&doubles));
    }

    #[test]
    fn pieces_do_not_matter(values in numbers(), sizes in vec(prop_oneof![0..9usize, 0..3000usize], 1..9)) {
        let (mut singles, mut doubles) = (Statistics::new(), Statistics::new());
        let mut rest = &values[..];
        for size in sizes.iter().cycle().map(|size| size + 1) {
            let (piece, after) = rest.split_at(rest.len().min(size));
            singles.push(piece);
            doubles.extend(piece.iter().map(|x| f64::from(*x)));
            // Reading the summary changes nothing.
            singles.summary();
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
        assert_same(&singles.summary(), &whole(&values));
        assert_same(&doubles.summary(), &whole(&values));
    }

    #[test]
    fn order_does_not_matter_to_the_histogram(mut values in numbers(), turn in any::<prop::sample::Index>()) {
        let before = whole(&values).histogram;
        if !values.is_empty() {
            let by = turn.index(values.len());
            values.rotate_left(by);
        }
        assert_eq!(whole(&values).histogram, before);
        values.sort_by(f32::total_cmp);
        assert_eq!(whole(&values).histogram, before);
        values.reverse();
        assert_eq!(whole(&values).histogram, before);
    }

    #[test]
    fn doubles_may_be_any(values in vec(prop_oneof![any::<f64>(), prop::num::f64::ANY], 0..3000)) {
        let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
        let summary = of_doubles(&values);
        assert_eq!(bins(summary.histogram.clone()), model(&finite));
        assert_eq!(summary.max, finite.iter().copied().reduce(f64::max));
        assert!(summary.mean.is_none_or(f64::is_finite));
        assert!(summary.deviation.is_none_or(f64::is_finite));
    }
}

#[test]
fn without_elements_there_are_no_statistics() {
    for values in [&[][..], &[f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -f32::NAN]] {
        let summary = whole(values);
        assert_eq!(summary.count, values.len() as u64);
        assert_eq!(bits(&summary), [None; 5]);
        assert_eq!(summary.histogram, None);
    }
}

#[test]
fn equal_elements_have_no_deviation() {
    for constant in [0.1f32, -3.0, 1e-45, f32::MAX, f32::MIN, 0.0, -0.0] {
        for count in [1, 3, 1023, 1024, 1025, 100_000] {
            let summary = whole(&vec![constant; count]);
            let constant = f64::from(constant) + 0.0;
            let figures = [constant, constant, constant.abs(), constant, 0.0].map(|x| Some(x.to_bits()));
            assert_eq!(bits(&summary), figures);
            assert_eq!(
                bins(summary.histogram),
                model(&[constant]).map(|(low, width, _)| (low, width, vec![count as u64]))
            );
        }
    }
    let summary = of_doubles(&[1e308; 5000]);
    assert_eq!((summary.mean, summary.deviation), (Some(1e308), Some(0.0)));
}

#[test]
fn the_largest_numbers_have_statistics() {
    let summary = whole(&[f32::MAX, f32::MIN].repeat(3000));
    assert_eq!(summary.mean, Some(0.0));
    near(summary.deviation.unwrap(), f32::MAX.into(), 1e-9 * f64::from(f32::MAX));
    // Sums or squares of these numbers overflow f64.
    let summary = of_doubles(&[f64::MAX, f64::MAX, 0.0]);
    assert_eq!((summary.max, summary.mean, summary.deviation), (Some(f64::MAX), None, None));
    let summary = of_doubles(&[1e200, 3e200]);
    assert_eq!((summary.mean, summary.deviation), (Some(2e200), None));
}

#[test]
fn small_deviations_far_from_zero_are_found() {
    let mut state = 1u32;
    let mut chance = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    for far in [1e6, -1e6, 16e6, 1.0] {
        let mut values: Vec<f64> = (0..200_000).map(|_| f64::from((far + chance() * 2.0 - 1.0) as f32)).collect();
        check(&values, &of_doubles(&values));
        // The mean differs from that of the first numbers.
        values[..3000].fill(0.0);
        check(&values, &of_doubles(&values));
        values.reverse();
        check(&values, &of_doubles(&values));
    }
}

#[test]
fn bins_merge_as_the_range_grows() {
    let mut statistics = Statistics::new();
    let mut values = Vec::new();
    for exponent in -149..128 {
        for x in [1.0, -1.5] {
            let piece = [x * 2f32.powi(exponent); 70];
            statistics.push(&piece);
            values.extend(piece.map(f64::from));
        }
        assert_eq!(bins(statistics.summary().histogram), model(&values));
    }
}

/// The F32 tensors of a real model, compared with the statistics of NumPy.
#[test]
fn tensors_of_a_model_have_the_statistics_of_numpy() {
    let Some(folder) = corpus::folder() else { return };
    let folder = folder.join("real");
    let index = corpus::json(&folder.join("index.json"));
    for file in index["files"].as_array().unwrap() {
        let bytes = corpus::read(&folder.join(file["file"].as_str().unwrap()));
        let header = gguf_format::parse(&bytes).unwrap();
        let expected = corpus::json(&folder.join(file["statistics"].as_str().unwrap()));
        for expected in expected["tensors"].as_array().unwrap() {
            let tensor = header.tensor(expected["name"].as_str().unwrap()).unwrap();
            if tensor.ggml_type() != GgmlType::F32 {
                continue;
            }
            let start = tensor.file_offset().unwrap() as usize;
            let stored = &bytes[start..start + tensor.byte_length().unwrap() as usize];
            let values: Vec<f32> = stored.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            let summary = whole(&values);
            let figure = |name: &str| expected[name].as_f64().unwrap();
            assert_eq!(summary.count as f64, figure("n"));
            assert_eq!(summary.zeros as f64, figure("zeros"));
            assert_eq!(summary.nan as f64, figure("nan"));
            // Compared as `f32`, because the JSON parser may be wrong in the last bit.
            assert_eq!(summary.min, Some((figure("min") as f32).into()));
            assert_eq!(summary.max, Some((figure("max") as f32).into()));
            assert_eq!(summary.absolute_max, Some((figure("abs_max") as f32).into()));
            near(summary.mean.unwrap(), figure("mean"), 1e-9 * figure("std"));
            near(summary.deviation.unwrap(), figure("std"), 1e-9 * figure("std"));
            let doubles: Vec<f64> = values.iter().map(|x| f64::from(*x)).collect();
            check(&doubles, &summary);
        }
    }
}
