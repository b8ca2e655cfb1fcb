//! Tensor infos, one by one.

use super::check::Check;
use super::findings::{Findings, Place};
use super::{order, text};
use crate::header::{Header, TensorInfo};

/// The longest name that the specification allows; ggml's `GGML_MAX_NAME` is the same, with the NUL.
const MAX_NAME: u64 = 64;

/// What ggml counts in: `int64_t`.
const MAX_ELEMENTS: u64 = i64::MAX as u64;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    let mut quantized = false;
    for tensor in header.tensors() {
        check_name(&tensor, findings);
        check_size(&tensor, findings);
        quantized |= tensor.ggml_type().info().is_some_and(|info| info.block_size > 1);
    }
    order::check_tensor_names(header, findings);
    if quantized && header.get("general.quantization_version").is_none() {
        findings.report(Check::NoQuantizationVersion, Place::default(), &[]);
    }
}

fn check_name(tensor: &TensorInfo<'_>, findings: &mut Findings) {
    let name = tensor.name();
    let place = Place::tensor(tensor, tensor.range().start);
    match name.byte_length() {
        ..MAX_NAME => {}
        MAX_NAME => findings.report(Check::LongTensorNameForGgml, place, &[]),
        len => findings.report(Check::LongTensorName, place, &[&len]),
    }
    text::check(&name, place, findings);
}

fn check_size(tensor: &TensorInfo<'_>, findings: &mut Findings) {
    let (name, range) = (tensor.name().range(), tensor.range());
    // Behind the name are the number of dimensions, the dimensions, the type and the offset: 4, n, 4 and 8 bytes.
    let place = Place::tensor(tensor, name.end);
    let type_place = Place::tensor(tensor, range.end - 12);
    let dimensions = tensor.dimensions();
    match dimensions.len() {
        0 => findings.report(Check::NoDimensions, place, &[]),
        1..=4 => {}
        count => findings.report(Check::TooManyDimensions, place, &[&count]),
    }
    let mut fits = true;
    let width = (range.end - 12 - name.end - 4).checked_div(dimensions.len() as u64).unwrap_or(0);
    for (index, extent) in (0u64..).zip(dimensions.clone()) {
        if extent > MAX_ELEMENTS {
            let place = Place::tensor(tensor, name.end + 4 + index * width);
            findings.report(Check::NegativeDimension, place, &[&index, &extent]);
            fits = false;
        }
    }
    let element_count = tensor.element_count();
    if element_count == Some(0) {
        findings.report(Check::ZeroSizedTensor, place, &[]);
    }
    fits &= element_count.is_some_and(|count| count < MAX_ELEMENTS);
    let row_length = dimensions.clone().next().unwrap_or(1);
    match tensor.ggml_type().info() {
        None => findings.report(Check::UnknownTensorType, type_place, &[&tensor.ggml_type().0]),
        Some(info) if info.is_removed() => findings.report(Check::RemovedTensorType, type_place, &[&info.name]),
        Some(info) if !row_length.is_multiple_of(info.block_size.into()) => {
            findings.report(Check::PartialBlock, type_place, &[&row_length, &info.block_size]);
        }
        Some(_) => fits &= tensor.byte_length().is_some(),
    }
    if !fits && dimensions.into_iter().all(|extent| extent <= MAX_ELEMENTS) {
        findings.report(Check::TensorTooLarge, place, &[]);
    }
}
