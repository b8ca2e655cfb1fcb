//! Tensors that no architecture of llama.cpp has.
//!
//! llama.cpp creates the tensors that its code names, and then compares their number with that of the file
//! (`llama_model_loader::done_getting_tensors`). A tensor with a name that it does not know is one too many.

use super::Model;
use crate::know::tensor_names::tensor_role;
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::shown::Shown;

/// The most tensors whose names are compared. Real models have fewer than 5,000.
const MOST_TENSORS: usize = 20_000;

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    if model.info.is_none_or(|info| info.requirements.is_none()) {
        return;
    }
    for tensor in model.header.tensors().take(MOST_TENSORS) {
        let name = tensor.name().to_bytes();
        if tensor_role(&name).is_some() {
            continue;
        }
        let architecture = Shown(&model.architecture);
        findings.report(
            Check::UnknownTensor,
            Some(Subject::Tensor(tensor.index())),
            Some(tensor.range().start),
            format_args!(
                "no model of {architecture} has a tensor of this name, so llama.cpp counts too many tensors and refuses \
                 the file. Rename the tensor if its name is misspelt, or remove it."
            ),
        );
    }
}
