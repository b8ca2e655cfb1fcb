//! `general.file_type`: whether it exists, and whether it says the types of the tensors.

use super::check::Check;
use super::findings::{Findings, Subject};
use super::fix::{self, Fix};
use crate::architectures::UNKNOWN;
use crate::file_types::{FileTypeInfo, contradicts_file_type, file_type_info, file_types_of_tensors, main_tensor_type};
use crate::kind::{kind_and_shard, ollama_mark};
use gguf_format::format::header::{Header, MetadataKv};
use gguf_format::format::value::Value;

pub(super) fn check(header: &Header, findings: &mut Findings) {
    let Some(entry) = header.get("general.file_type") else { return };
    // A value of another type has a finding of its own.
    let Value::Uint32(value) = entry.value() else { return };
    if !header.is_complete() || !kind_and_shard(header).0.is_complete_model() {
        return;
    }
    let (subject, offset) = (Some(Subject::Entry(entry.index())), Some(entry.value_range().start));
    let Some(info) = file_type_info(value) else {
        return findings.report_with_fix(
            Check::UnknownFileType,
            subject,
            offset,
            format_args!("the file type is {value}, which is {UNKNOWN}. Programs may show no name for it."),
            &|| set_type_of_tensors(header, &entry),
        );
    };
    let name = info.name;
    // Ollama gave some of these numbers to other types.
    if info.is_removed && ollama_mark(header).is_some() {
        return;
    }
    if info.is_removed {
        findings.report_with_fix(
            Check::RemovedFileType,
            subject,
            offset,
            format_args!("llama.cpp removed the file type {value}, {name}. Correct the file type."),
            &|| set_type_of_tensors(header, &entry),
        );
    } else if contradicts_file_type(header, value) {
        let found = match type_of_tensors(header) {
            Some(fitting) => format!("the tensors are those of the file type {}", fitting.name),
            None => {
                let main = main_tensor_type(header).map_or("of another type", |info| info.name);
                format!("most data of the matrices is {main}")
            }
        };
        findings.report_with_fix(
            Check::WrongFileType,
            subject,
            offset,
            format_args!("the file type is {name}, but {found}. Programs show the wrong type. Correct the file type."),
            &|| set_type_of_tensors(header, &entry),
        );
    }
}

/// The file type that the tensors give: the only one that fits, or of several the only one that is named after the main type.
/// `None` if that is not decided.
fn type_of_tensors(header: &Header) -> Option<&'static FileTypeInfo> {
    let types = || file_types_of_tensors(header).filter(|info| !contradicts_file_type(header, info.id));
    let main_type = main_tensor_type(header).map(|info| info.id);
    only(types()).or_else(|| only(types().filter(|info| Some(info.tensor_type.0) == main_type)))
}

/// The item of an iterator that has only one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

fn set_type_of_tensors(header: &Header, entry: &MetadataKv<'_>) -> Option<Fix> {
    let info = type_of_tensors(header)?;
    Some(Fix::to_confirm(format!("Set it to {}, {}", info.id, info.name), fix::set(entry.index(), info.id)?))
}
