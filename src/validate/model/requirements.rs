//! The keys and tensors that the architecture requires.

use super::complete_model::{EMBEDDING_LENGTH, Model};
use crate::error::shown::Shown;
use crate::format::header::TensorInfo;
use crate::know::architectures::{
    ArchitectureInfo, Exception, KeyNeed, MOST_BLOCKS, MissingRequirement, Place, RequiredKey, block_and_name,
    block_count_of_tensors,
};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::fix::{self, Fix};

/// Reports the keys that the first shard of a model lacks. It has the metadata of all shards, and only some of the tensors, so
/// a key that depends on tensors is not looked for.
pub(super) fn check_first_shard(model: &Model<'_>, findings: &mut Findings) {
    let Some(requirements) = model.info.and_then(ArchitectureInfo::known_requirements) else { return };
    for missing in model.missing_requirements() {
        if let MissingRequirement::Key(required) = missing
            && requirements.key_need(required.pattern) == Some(KeyNeed::Always)
        {
            let key = model.key(required.pattern);
            report(required.pattern, &key, &|| None, findings);
        }
    }
}

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    let first_missing_block = block_count_of_tensors(model.header);
    for missing in model.missing_requirements() {
        match missing {
            MissingRequirement::Key(required) => report_key(model, &required, findings),
            // The finding of `blocks` is about all tensors of the blocks at the end that are not there.
            MissingRequirement::Tensor(tensor)
                if tensor.place == Place::Block && first_missing_block.is_some_and(|first| tensor.block >= first) => {}
            MissingRequirement::Tensor(tensor) => findings.report(
                Check::MissingTensor,
                Some(Subject::MissingTensor(tensor)),
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
    let fix = || {
        let value = u32::try_from(value_from_tensors(model, required.pattern)?).ok()?;
        let with_key = Model { assumed: Some((required.pattern, value.into())), ..model.clone() };
        if with_key.causes_more_errors_than(model) {
            return None;
        }
        let (title, add) = (format!("Add the entry with the value {value}"), fix::add(model.header, &key, value)?);
        // If not all requirements are known, the model may lack tensors that nobody misses.
        let is_known = model.info.is_some_and(|info| info.requirements.is_some());
        Some(if is_known { Fix::safe(title, add) } else { Fix::to_confirm(title, add) })
    };
    report(required.pattern, &key, &fix, findings);
}

fn report(pattern: &'static str, key: &[u8], fix: &dyn Fn() -> Option<Fix>, findings: &mut Findings) {
    let name = Shown(key);
    findings.report_with_fix(
        Check::MissingKey,
        Some(Subject::MissingEntry(pattern)),
        None,
        format_args!(
            "the entry {name} is missing, and llama.cpp refuses the file. Add it, or convert the model again."
        ),
        fix,
    );
}

/// The value that the tensors have for a key. `None` if they do not tell it.
fn value_from_tensors(model: &Model<'_>, pattern: &str) -> Option<u64> {
    match pattern {
        "{arch}.block_count" => block_count_of_tensors(model.header)
            .filter(|count| *count <= MOST_BLOCKS && !lacks_tensors_of_blocks(model)),
        EMBEDDING_LENGTH if model.has(Exception::OtherTokenEmbedding) => None,
        EMBEDDING_LENGTH => model.dimension("token_embd.weight", 0),
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
    model.missing_requirements().iter().any(is_of_block)
}

/// A dimension of the tensors with this name in a block. `None` if there are none, or if they differ.
fn same_in_all_blocks(model: &Model<'_>, name: &[u8], index: usize) -> Option<u64> {
    let is_named =
        |tensor: &TensorInfo<'_>| block_and_name(&tensor.name().to_bytes()).is_some_and(|(_, own)| own == name);
    let mut lengths = model.header.tensors().filter(is_named).map(|tensor| tensor.dimensions().nth(index));
    let first = lengths.next()??;
    lengths.all(|length| length == Some(first)).then_some(first)
}
