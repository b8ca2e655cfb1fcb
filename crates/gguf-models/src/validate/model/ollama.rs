//! Models in the layout of Ollama, which llama.cpp does not load.

use alloc::vec::Vec;

use super::complete_model::Model;
use crate::image::Matches;
use crate::kind::{ENCODER_NAMES, ollama_mark};
use crate::validate::check::Check;
use crate::validate::findings::{Counted, Finding, Findings, Subject};
use gguf_format::error::shown::Shown;

/// Replaces the findings from `start` on, if Ollama's converter wrote the model, and it has tensors or an architecture that only Ollama
/// knows: one finding says so in the place of all that llama.cpp misses.
pub(super) fn replace(model: &Model<'_>, start: usize, findings: &mut Findings) {
    let is_of_layout = |finding: &Finding| {
        matches!(finding.check, Check::UnknownTensor | Check::MissingTensor | Check::UnknownArchitecture)
    };
    let is_found = findings.list.iter().skip(start).any(is_of_layout);
    if !is_found || ollama_mark(model.header).is_none() {
        return;
    }
    let own = findings.list.split_off(start);
    let encoder = Matches::of(model.header, ENCODER_NAMES);
    let unknown = own.iter().filter(|finding| is_of_layout(finding)).filter_map(|finding| match finding.subject {
        Some(Subject::Tensor(index)) => Some(index),
        _ => None,
    });
    let unknown: Vec<usize> = unknown.collect();
    let first = unknown.first().and_then(|index| model.header.tensor_at(*index));
    let subject = first.as_ref().map(|tensor| Subject::Tensor(tensor.index()));
    let offset = first.as_ref().map(|tensor| tensor.range().start);
    let tensors = Counted(unknown.len() as u64, "tensor");
    let second_file = if encoder.count > 0 { " It reads encoders from a second file." } else { "" };
    match first {
        Some(_) => findings.report(
            Check::OllamaLayout,
            subject,
            offset,
            format_args!("this is Ollama's layout: llama.cpp does not look for {tensors}.{second_file} Use Ollama."),
        ),
        None => findings.report(
            Check::OllamaLayout,
            Some(Subject::Entry(model.architecture_entry.index())),
            Some(model.architecture_entry.value_range().start),
            format_args!(
                "this is Ollama's layout: it has its own keys and names of tensors for \"{}\", which llama.cpp does not load. Use Ollama.",
                Shown(&model.architecture)
            ),
        ),
    }
    let is_other = |finding: &Finding| {
        !is_of_layout(finding) && !matches!(finding.check, Check::MissingKey | Check::TensorShape | Check::BlockCount)
    };
    findings.list.extend(own.into_iter().filter(is_other));
}
