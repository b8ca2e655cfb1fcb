//! The keys and tensors that the architecture requires.

use alloc::string::String;

use super::Model;
use crate::know::architectures::{MOST_BLOCKS, MissingRequirement, Place, RequiredKey, missing_requirements};
use crate::validate::check::Check;
use crate::validate::findings::Findings;
use crate::validate::fix::{self, Fix};

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    let first_missing_block = super::blocks::block_count(model.header);
    for missing in missing_requirements(model.header) {
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
    let name = String::from_utf8_lossy(&key);
    findings.report_with_fix(
        Check::MissingKey,
        None,
        None,
        format_args!(
            "the entry {name} is missing, and llama.cpp refuses the file. Add it, or convert the model again."
        ),
        &|| {
            let value = u32::try_from(value_from_tensors(model, required.pattern)?).ok()?;
            let add = fix::add(model.header, &key, value)?;
            Some(Fix::safe(alloc::format!("Add the entry with the value {value}"), add))
        },
    );
}

/// The value that the tensors have for a key. `None` if they do not tell it.
fn value_from_tensors(model: &Model<'_>, pattern: &str) -> Option<u64> {
    match pattern {
        "{arch}.block_count" => super::blocks::block_count(model.header).filter(|count| *count <= MOST_BLOCKS),
        "{arch}.embedding_length" => model.dimension("token_embd.weight", 0),
        // Phi-3, GLM-4 and others have gate and up in one tensor, so `ffn_up` does not tell the length. `ffn_down` does.
        "{arch}.feed_forward_length" => model.dimension("blk.0.ffn_down.weight", 0),
        "{arch}.expert_count" => model.dimension("blk.0.ffn_gate_inp.weight", 1),
        _ => None,
    }
}
