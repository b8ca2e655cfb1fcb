//! Checks of a complete model: whether its keys and tensors are those that llama.cpp needs to load it.
//!
//! An adapter, a vocabulary, a shard and the like lack most of them by design, so they are not checked. The first shard of a
//! model has the keys of the whole model, so these are. The facts come from llama.cpp's loader (`src/llama-model.cpp`,
//! `src/llama-model-loader.cpp` and `src/models`, October 2026).
//!
//! - `complete_model`: the model that is checked
//! - `architecture`: the name of the architecture
//! - `loading`: the keys and tensors, compared with the rules of llama.cpp's loader, and `problems`: what is reported
//! - `blocks`: the number of blocks
//! - `ollama`: models in the layout of Ollama
//! - `hyperparameters`: numbers of heads and experts that do not fit each other

mod architecture;
mod blocks;
mod complete_model;
mod hyperparameters;
mod loading;
mod ollama;
mod problems;

use super::check::Check;
use super::findings::Findings;
use super::known_keys::report_no_architecture;
use crate::file_kinds::FileKind;
use crate::kind::{kind_and_shard, ollama_mark};
use complete_model::Model;
use gguf_format::format::header::Header;
pub(super) use loading::problem_count;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    if !header.is_complete() {
        return;
    }
    let Some(mut model) = Model::of(header) else { return };
    match kind_and_shard(header) {
        // The tensors that tell the layout of Ollama may be in other shards: only the whole set tells what is missing.
        (_, Some(shard))
            if shard.number == Some(1) && shard.set_kind.is_complete_model() && ollama_mark(header).is_none() =>
        {
            loading::check_first_shard(&model, findings);
        }
        (FileKind::Unknown, None) => architecture::check_unknown_kind(&model, findings),
        // llama.cpp loads a draft as it loads other models.
        (kind, None) if kind.is_complete_model() || kind == FileKind::Draft => check_whole(&mut model, findings),
        _ => {}
    }
}

/// As [`check`], but a file that has no architecture, or no mark of a kind, is checked as a model, too.
pub(super) fn check_as_model(header: &Header, findings: &mut Findings) {
    match Model::of(header) {
        Some(mut model) if kind_and_shard(header).0 == FileKind::Unknown => check_whole(&mut model, findings),
        Some(_) => check(header, findings),
        None if header.get("general.architecture").is_some() => {}
        None if findings.list.iter().any(|finding| finding.check == Check::NoArchitecture) => {}
        None => report_no_architecture(findings),
    }
}

fn check_whole(model: &mut Model<'_>, findings: &mut Findings) {
    let before = findings.list.len();
    architecture::check(model, findings);
    blocks::check(model, findings);
    model.corrected = loading::check(model, findings);
    hyperparameters::check(model, findings);
    ollama::replace(model, before, findings);
}
