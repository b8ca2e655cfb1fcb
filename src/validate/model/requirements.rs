//! The keys and tensors that the architecture requires.

use super::Model;
use crate::format::header::TensorInfo;
use crate::know::architectures::{
    MOST_BLOCKS, MissingRequirement, Place, RequiredKey, block_and_name, block_count_of_tensors,
    missing_requirements_with,
};
use crate::validate::check::Check;
use crate::validate::findings::Findings;
use crate::validate::fix::{self, Fix};
use crate::validate::shown::Shown;

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    let first_missing_block = block_count_of_tensors(model.header);
    for missing in missing_requirements_with(model.header, model.assumed) {
        match missing {
            MissingRequirement::Key(required) => report_key(model, &required, findings),
            // The finding of `blocks` is about all tensors of the blocks at the end that are not there.
            MissingRequirement::Tensor(tensor)
                if tensor.place == Place::Block && first_missing_block.is_some_and(|first| tensor.block >= first) => {}
            MissingRequirement::Tensor(tensor) => findings.report(
                Check::MissingTensor,
                None,
                None,
                format_args!(
                    "the tensor {tensor} is missing, and llama.cpp refuses the file. \
                     Download the file again, or convert the model again."
                ),
            ),
        }
    }
}

fn report_key(model: &Model<'_>, required: &RequiredKey, findings: &mut Findings) {
    let key = model.key(required.pattern);
    let name = Shown(&key);
    findings.report_with_fix(
        Check::MissingKey,
        None,
        None,
        format_args!(
            "the entry {name} is missing, and llama.cpp refuses the file. Add it, or convert the model again."
        ),
        &|| {
            let value = u32::try_from(value_from_tensors(model, required.pattern)?).ok()?;
            if causes_errors(model, required.pattern, value) {
                return None;
            }
            let add = fix::add(model.header, &key, value)?;
            Some(Fix::safe(alloc::format!("Add the entry with the value {value}"), add))
        },
    );
}

/// Whether the model would have further errors if it had a key with this value.
fn causes_errors(model: &Model<'_>, pattern: &'static str, value: u32) -> bool {
    let count = |assumed| {
        let mut findings = Findings::only_counted();
        Model { assumed, ..model.clone() }.check(&mut findings);
        findings
    };
    count(Some((pattern, value.into()))).has_more_errors_than(&count(None))
}

/// The value that the tensors have for a key. `None` if they do not tell it.
fn value_from_tensors(model: &Model<'_>, pattern: &str) -> Option<u64> {
    match pattern {
        "{arch}.block_count" => block_count_of_tensors(model.header)
            .filter(|count| *count <= MOST_BLOCKS && !lacks_tensors_of_blocks(model)),
        "{arch}.embedding_length" => model.dimension("token_embd.weight", 0),
        // Phi-3, GLM-4 and others have gate and up in one tensor, so `ffn_up` does not tell the length. `ffn_down` does.
        "{arch}.feed_forward_length" => same_in_all_blocks(model, b"ffn_down.weight", 0),
        "{arch}.expert_count" => same_in_all_blocks(model, b"ffn_gate_inp.weight", 1),
        _ => None,
    }
}

/// Whether a block lacks a required tensor. Then tensors do not tell how many blocks the model should have.
fn lacks_tensors_of_blocks(model: &Model<'_>) -> bool {
    let is_of_block = |missing: &MissingRequirement| match missing {
        MissingRequirement::Key(_) => false,
        MissingRequirement::Tensor(tensor) => tensor.place == Place::Block,
    };
    missing_requirements_with(model.header, model.assumed).iter().any(is_of_block)
}

/// A dimension of the tensors with this name in a block. `None` if there are none, or if they differ.
fn same_in_all_blocks(model: &Model<'_>, name: &[u8], index: usize) -> Option<u64> {
    let is_named =
        |tensor: &TensorInfo<'_>| block_and_name(&tensor.name().to_bytes()).is_some_and(|(_, own)| own == name);
    let mut lengths = model.header.tensors().filter(is_named).map(|tensor| tensor.dimensions().nth(index));
    let first = lengths.next()??;
    lengths.all(|length| length == Some(first)).then_some(first)
}
