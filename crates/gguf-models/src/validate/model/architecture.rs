//! The name of the architecture.

use super::complete_model::Model;
use super::loading;
use crate::architectures::{ArchitectureInfo, UNKNOWN, architecture_info, block_and_name, is_newer_architecture};
use crate::keys::key_info;
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::fix::{self, Fix};
use gguf_format::error::shown::Shown;
use gguf_format::format::header::TensorInfo;

/// Checks a file whose kind is unknown. It is meant as a model if its tensors have names of a model.
pub(super) fn check_unknown_kind(model: &Model<'_>, findings: &mut Findings) {
    let is_of_model = |tensor: TensorInfo<'_>| {
        let name = tensor.name().to_bytes();
        *name == *b"token_embd.weight" || block_and_name(&name).is_some()
    };
    if model.header.tensors().any(is_of_model) {
        check(model, findings);
    }
}

/// Reports an architecture that the rules do not have.
pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    if model.info.is_some_and(|info| info.is_in_llama_cpp) {
        return;
    }
    let name = Shown(&model.architecture);
    let (subject, offset) =
        (Some(Subject::Entry(model.architecture_entry.index())), Some(model.architecture_entry.value_range().start));
    match architecture_of_keys(model) {
        Some(info) => findings.report_with_fix(
            Check::UnknownArchitecture,
            subject,
            offset,
            format_args!(
                "the architecture is \"{name}\", which is {UNKNOWN}. The keys of the file are those of {}. Set the \
                 architecture to this name if it is wrong.",
                info.name
            ),
            &|| {
                if loading::problem_count(model.header, info)? > 0 {
                    return None;
                }
                let set = fix::set(model.architecture_entry.index(), info.name)?;
                Some(Fix::to_confirm(format!("Set the architecture to {}", info.name), set))
            },
        ),
        None if is_newer_architecture(&model.architecture) => findings.report(
            Check::UnknownArchitecture,
            subject,
            offset,
            format_args!(
                "the architecture is \"{name}\" of llama.cpp of November 2026. What it requires was not checked. Use this \
                 version or a newer one."
            ),
        ),
        None => findings.report(
            Check::UnknownArchitecture,
            subject,
            offset,
            format_args!(
                "the architecture is \"{name}\", which is {UNKNOWN}. What it requires was not checked. Use the \
                 program that the model was made for, or a newer version."
            ),
        ),
    }
}

/// The architecture whose name begins the keys of the hyperparameters. `None` if llama.cpp loads no such architecture, if there
/// are several, or if some keys begin with the architecture that the file names.
fn architecture_of_keys(model: &Model<'_>) -> Option<&'static ArchitectureInfo> {
    let mut found: Option<&'static ArchitectureInfo> = None;
    for entry in model.header.metadata() {
        let key = entry.key().to_bytes();
        let prefix = key.split(|byte| *byte == b'.').next().unwrap_or_default();
        if prefix == &*model.architecture {
            return None;
        }
        let Some(info) = architecture_info(prefix).filter(|info| info.is_loaded) else { continue };
        if key_info(&key).is_none() {
            continue;
        }
        if found.is_some_and(|found| found.name != info.name) {
            return None;
        }
        found = Some(info);
    }
    found
}
