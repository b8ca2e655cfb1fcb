//! Checks of a complete model: whether its keys and tensors are those that llama.cpp needs to load it.
//!
//! An adapter, a vocabulary, a shard and the like lack most of them by design, so they are not checked. The first shard of a
//! model has the keys of the whole model, so these are. The facts are those of llama.cpp's loader (`src/llama-model.cpp`,
//! `src/llama-model-loader.cpp` and `src/models`, August 2026).
//!
//! - `complete_model`: the model that is checked
//! - `architecture`: the name of the architecture
//! - `embedding_length`: the embedding length that the tensors have
//! - `requirements`: the keys and tensors that the architecture requires
//! - `blocks`: the number of blocks
//! - `hyperparameters`: numbers of heads and experts that do not fit each other
//! - `shapes`: the dimensions of tensors
//! - `unknown_tensors`: tensors that llama.cpp does not look for

mod architecture;
mod blocks;
mod complete_model;
mod embedding_length;
mod hyperparameters;
mod requirements;
mod shapes;
mod unknown_tensors;

use super::findings::Findings;
use crate::format::header::Header;
use crate::know::file_kinds::FileKind;
use crate::know::kind::classify;
use complete_model::Model;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    if !header.is_complete() {
        return;
    }
    let Some(mut model) = Model::of(header, check_model) else { return };
    let classification = classify(header);
    match (classification.kind, classification.shard) {
        (_, Some(shard)) if shard.number == Some(1) && shard.set_kind.is_complete_model() => {
            requirements::check_first_shard(&model, findings);
        }
        (FileKind::Unknown, None) => architecture::check_unknown_kind(&model, findings),
        (kind, None) if kind.is_complete_model() => {
            architecture::check(&model, findings);
            model.embedding_length = embedding_length::check(&model, findings);
            check_model(&model, findings);
            unknown_tensors::check(&model, findings);
        }
        _ => {}
    }
}

/// The checks that fixes are tried with.
fn check_model(model: &Model<'_>, findings: &mut Findings) {
    requirements::check(model, findings);
    blocks::check(model, findings);
    hyperparameters::check(model, findings);
    shapes::check(model, findings);
}
