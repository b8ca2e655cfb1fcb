//! The original shapes that ComfyUI-GGUF notes for tensors that it stores as rows of 256 elements, and the family of an image model.

use super::check::Check;
use super::findings::{Findings, Subject};
use super::fix::{self, Fix};
use crate::image::{ImageModel, product, stored_shape, tensor_of_key};
use crate::kind::Shard;
use gguf_format::edit::Change;
use gguf_format::format::header::Header;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    // The tensors of a shard are in other files, too: the whole set is checked.
    if !header.is_complete() || Shard::of(header).is_some() {
        return;
    }
    for entry in header.metadata() {
        let key = entry.key().to_bytes();
        let Some(name) = tensor_of_key(&key) else { continue };
        let (subject, offset) = (Some(Subject::Entry(entry.index())), Some(entry.value_range().start));
        let Some(tensor) = header.tensor(name) else {
            findings.report_with_fix(
                Check::ShapeWithoutTensor,
                subject,
                offset,
                format_args!("the entry is the original shape of a tensor that the file does not have. Rename or remove the entry."),
                &|| Some(Fix::to_confirm("Remove the entry", Change::Remove { entry: entry.index() })),
            );
            continue;
        };
        let elements = tensor.element_count().unwrap_or(0);
        match stored_shape(&entry) {
            None => findings.report(
                Check::OriginalShape,
                subject,
                offset,
                format_args!(
                    "the original shape of the tensor is no array of INT32 that are 0 or more. Correct the value."
                ),
            ),
            Some(shape) if product(&shape) == Some(elements) => {}
            Some(shape) => {
                let found = product(&shape).map_or_else(|| "too many".into(), |count| format!("{count}"));
                findings.report(
                    Check::OriginalShape,
                    subject,
                    offset,
                    format_args!(
                        "the original shape has {found} elements, but the tensor has {elements}. Correct the value."
                    ),
                );
            }
        }
    }
    check_family(header, findings);
}

/// Offers to name the family of an image model whose tensors ComfyUI-GGUF knows by their names. Files of stable-diffusion.cpp have no
/// metadata at all, and need none.
fn check_family(header: &Header, findings: &mut Findings) {
    if header.metadata().len() == 0 || header.get("general.architecture").is_some() {
        return;
    }
    let Some(model) = ImageModel::of(header) else { return };
    let is_bare = model.prefix.is_empty() && model.has_comfy_names && !model.is_in_spelling_of_diffusers;
    let Some(name) = model.family.map(|family| family.architecture()).filter(|_| is_bare) else { return };
    findings.report_with_fix(
        Check::UnnamedFamily,
        Some(Subject::MissingEntry("general.architecture")),
        None,
        format_args!("the tensors are those of {name}, which the metadata does not say. Programs know it by the names of tensors."),
        &|| {
            let title = format!("Set general.architecture to {name}");
            Some(Fix::to_confirm(title, fix::add(header, b"general.architecture", name)?))
        },
    );
}
