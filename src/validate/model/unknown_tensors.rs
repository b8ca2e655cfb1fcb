//! Tensors that llama.cpp does not look for in models of the architecture.
//!
//! llama.cpp creates the tensors that its code names, and then compares their number with that of the file
//! (`llama_model_loader::done_getting_tensors`). A tensor that it does not look for is one too many. The tensors of a row of
//! requirements are all that llama.cpp names for the architecture. It also looks for the scales of each weight.

use alloc::borrow::Cow;

use super::complete_model::Model;
use crate::error::shown::Shown;
use crate::know::architectures::{Condition, NextTokenBlocks, Requirements, split_place};
use crate::know::tensor_names::tensor_role;
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};

/// The most tensors whose names are compared. Real models have fewer than 5,000.
const MOST_TENSORS: usize = 20_000;

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    let Some(requirements) = model.info.and_then(|info| info.requirements) else { return };
    let first_next_token = first_next_token_block(model, requirements);
    for tensor in model.header.tensors().take(MOST_TENSORS) {
        let name = tensor.name().to_bytes();
        // An expert with tensors of its own is one of an old file, which lacks the tensors of all experts.
        if tensor_role(&name).is_some_and(|role| role.expert.is_some()) {
            continue;
        }
        let (subject, offset) = (Some(Subject::Tensor(tensor.index())), Some(tensor.range().start));
        let architecture = Shown(&model.architecture);
        let weight = weight_of(&name);
        let (place, block, own_name) = split_place(&weight);
        let mut groups = requirements.groups_of(place, own_name).peekable();
        if groups.peek().is_none() {
            findings.report(
                Check::UnknownTensor,
                subject,
                offset,
                format_args!(
                    "no model of {architecture} has a tensor of this name, so llama.cpp counts too many tensors and refuses \
                     the file. Rename the tensor if its name is misspelt, or remove it."
                ),
            );
        } else if first_next_token.is_some_and(|first| block < first)
            && groups.all(|group| group.conditions.contains(&Condition::NextToken))
        {
            findings.report(
                Check::UnknownTensor,
                subject,
                offset,
                format_args!(
                    "only blocks that predict further tokens have a tensor of this name, and this block is none by \
                     {architecture}.nextn_predict_layers. llama.cpp counts too many tensors and refuses the file. \
                     Correct the number of these blocks, or remove the tensor."
                ),
            );
        }
    }
}

/// The name of the weight that a scale belongs to. Other names are returned as they are.
fn weight_of<'a>(name: &Cow<'a, [u8]>) -> Cow<'a, [u8]> {
    let scaled = name.strip_suffix(b".input_scale").or_else(|| name.strip_suffix(b".scale"));
    scaled.map_or_else(|| name.clone(), |scaled| [scaled, b".weight"].concat().into())
}

/// The first of the blocks that predict further tokens, which are the last ones. `None` if it is not known.
fn first_next_token_block(model: &Model<'_>, requirements: &Requirements) -> Option<u64> {
    const COUNT: &str = "{arch}.nextn_predict_layers";
    if requirements.next_token_blocks == NextTokenBlocks::None {
        return None;
    }
    let count = match model.entry(COUNT) {
        Some(entry) => entry.value().as_u64()?,
        None => 0,
    };
    Some(model.number("{arch}.block_count")?.saturating_sub(count))
}
