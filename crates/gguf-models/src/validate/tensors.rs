//! Tensor infos, one by one: names, dimensions and types.

use super::audience::Audience;
use super::check::Check;
use super::findings::{Counted, Findings, Subject};
use super::{duplicates, text};
use crate::architectures::UNKNOWN;
use alloc::string::String;
use gguf_format::format::ggml_type::{GgmlTypeInfo, MOST_ELEMENTS};
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::version::LONGEST_NAME;

/// The most bytes of a name, and the most dimensions, that programs for image models read: those of stable-diffusion.cpp and of
/// ComfyUI-GGUF.
const LONGEST_NAME_OF_OTHERS: u64 = 159;
const MOST_DIMENSIONS_OF_OTHERS: usize = 5;

pub(super) fn check(header: &Header, audience: Audience, findings: &mut Findings) {
    duplicates::check_tensor_names(header, findings);
    for tensor in header.tensors() {
        let subject = Some(Subject::Tensor(tensor.index()));
        check_name(header, &tensor, audience, subject, findings);
        check_dimensions(header, &tensor, audience, subject, findings);
        check_type(&tensor, subject, findings);
    }
}

fn check_name(
    header: &Header,
    tensor: &TensorInfo<'_>,
    audience: Audience,
    subject: Option<Subject>,
    findings: &mut Findings,
) {
    let (name, offset) = (tensor.name(), Some(tensor.range().start));
    match name.byte_length() {
        ..LONGEST_NAME => {}
        ..=LONGEST_NAME_OF_OTHERS if audience == Audience::Others => {}
        length if audience == Audience::Others => findings.report(
            Check::LongTensorName,
            subject,
            offset,
            format_args!("the name has {length} bytes. stable-diffusion.cpp reads at most {LONGEST_NAME_OF_OTHERS}."),
        ),
        LONGEST_NAME => findings.report(
            Check::LongTensorNameForGgml,
            subject,
            offset,
            format_args!("the name has 64 bytes, and llama.cpp reads at most 63. Rename the tensor."),
        ),
        length => findings.report(
            Check::LongTensorName,
            subject,
            offset,
            format_args!(
                "the name has {length} bytes, at most 64 are allowed and llama.cpp reads 63. Rename the tensor."
            ),
        ),
    }
    text::check(header.bytes(), name.range(), "name", subject, findings);
}

fn check_dimensions(
    header: &Header,
    tensor: &TensorInfo<'_>,
    audience: Audience,
    subject: Option<Subject>,
    findings: &mut Findings,
) {
    let (fields, length_size) = (tensor.fields(), header.format().length_size());
    match tensor.dimension_iter().len() {
        0 => findings.report(
            Check::NoDimensions,
            subject,
            Some(fields.dimension_count),
            format_args!("the tensor has no dimensions, and readers take it as one element."),
        ),
        1..=4 => {}
        ..=MOST_DIMENSIONS_OF_OTHERS if audience == Audience::Others => {}
        count => findings.report(
            Check::TooManyDimensions,
            subject,
            Some(fields.dimension_count),
            format_args!("the tensor has {count} dimensions, at most 4 are allowed. Write it with fewer dimensions."),
        ),
    }
    let mut is_negative = false;
    for (index, extent) in tensor.dimension_iter().enumerate() {
        if extent > MOST_ELEMENTS {
            is_negative = true;
            findings.report(
                Check::NegativeDimension,
                subject,
                Some(fields.dimensions + index as u64 * length_size),
                format_args!("dimension {index} is {extent}, expected less than 2^63. Download the file again."),
            );
        }
    }
    if tensor.element_count() == Some(0) {
        findings.report(
            Check::ZeroSizedTensor,
            subject,
            Some(fields.dimension_count),
            format_args!("the tensor has no elements. llama.cpp has read such files since August 2026."),
        );
    }
    if !has_countable_size(tensor) && !is_negative {
        findings.report(
            Check::TensorTooLarge,
            subject,
            Some(fields.dimension_count),
            format_args!("the size of the tensor does not fit in 64 bits. Download the file again."),
        );
    }
}

fn check_type(tensor: &TensorInfo<'_>, subject: Option<Subject>, findings: &mut Findings) {
    let (offset, id) = (Some(tensor.fields().ggml_type), tensor.ggml_type().0);
    match tensor.type_info() {
        None => {
            let (start, end) = match tensor.ggml_type().info() {
                None => ("tensor type ", [" is ", UNKNOWN].concat()),
                Some(_) => ("the places of the tensors do not fit ggml's tensor type ", String::new()),
            };
            findings.report(
                Check::UnknownTensorType,
                subject,
                offset,
                format_args!("{start}{id}{end}. Use the program that wrote the file to read or convert it."),
            );
        }
        Some(GgmlTypeInfo { name, owner: Some(owner), .. }) => findings.report(
            Check::ForeignTensorType,
            subject,
            offset,
            format_args!("the tensor type {id} is {name} of {owner}, and llama.cpp b11549 (October 2026) refuses the file. Use {owner}."),
        ),
        Some(info) if info.is_removed() => {
            let name = info.name;
            findings.report(
                Check::RemovedTensorType,
                subject,
                offset,
                format_args!("ggml removed the tensor type {id}, {name}. Convert the model again from its source."),
            );
        }
        Some(info) => {
            let (row_length, block_size) = (tensor.dimension_iter().next().unwrap_or(1), u64::from(info.block_size));
            if !row_length.is_multiple_of(block_size) {
                let (elements, name) = (Counted(row_length, "element"), info.name);
                findings.report(
                    Check::PartialBlock,
                    subject,
                    offset,
                    format_args!(
                        "a row has {elements}, expected a multiple of {block_size} for {name}. Use another type."
                    ),
                );
            }
        }
    }
}

/// Whether ggml can count the elements of the tensor, and whether the size of its data fits in 64 bits if the type gives it
/// a size.
pub(super) fn has_countable_size(tensor: &TensorInfo<'_>) -> bool {
    let has_size = tensor.own_type_info().is_some_and(|info| {
        let row_length = tensor.dimension_iter().next().unwrap_or(1);
        !info.is_removed() && row_length.is_multiple_of(info.block_size.into())
    });
    let is_countable = tensor.element_count().is_some_and(|count| count < MOST_ELEMENTS);
    is_countable && (!has_size || tensor.byte_length().is_some())
}
