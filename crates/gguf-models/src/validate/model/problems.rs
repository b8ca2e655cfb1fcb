//! The findings about the problems that llama.cpp has with a model.

use alloc::{string::ToString, vec::Vec};
use core::cell::OnceCell;

use super::complete_model::Model;
use crate::architectures::rules::{Problem, Shape};
use crate::architectures::{
    ArchitectureInfo, MOST_BLOCKS, RequiredTensor, TensorGroup, block_count_of_tensors, split_place,
};
use crate::keys::key_info;
use crate::tensor_names::tensor_role;
use crate::validate::check::Check;
use crate::validate::findings::{Counted, Finding, Findings, Subject};
use crate::validate::fix::{self, Fix};
use gguf_format::error::shown::Shown;
use gguf_format::format::header::MetadataKv;
use gguf_format::format::value::Value;

pub(super) fn report_wrong_key(
    model: &Model<'_>,
    name: &'static str,
    value: i64,
    agreeing: u64,
    is_certain: bool,
    findings: &mut Findings,
) {
    let set = || u32::try_from(value).ok();
    let tensors = Counted(agreeing, "tensor");
    let Some(entry) = model.header.get(model.key_of(name)) else {
        let key = model.key_of(name);
        let fix = || {
            if !is_certain {
                return None;
            }
            let title = format!("Add the entry with the value {value}");
            Some(Fix::safe(title, fix::add(model.header, &key, set()?)?))
        };
        return report_missing_key(model, &key, &fix, findings);
    };
    let found = Number(&entry);
    findings.report_with_fix(
        Check::TensorShape,
        Some(Subject::Entry(entry.index())),
        Some(entry.value_range().start),
        format_args!("the value is {found}, but {tensors} fit {value}. Set it to {value}."),
        &|| Some(Fix::to_confirm(format!("Set it to {value}"), fix::set(entry.index(), set()?)?)),
    );
}

/// The number of an entry.
struct Number<'a>(&'a MetadataKv<'a>);

impl core::fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0.value().as_u64() {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("no number"),
        }
    }
}

pub(super) fn report_missing_key(
    model: &Model<'_>,
    key: &[u8],
    fix: &dyn Fn() -> Option<Fix>,
    findings: &mut Findings,
) {
    let shown = Shown(key);
    let info = key_info(key).filter(|info| model.key(info.pattern) == key);
    findings.report_with_fix(
        Check::MissingKey,
        info.map(|info| Subject::MissingEntry(info.pattern)),
        None,
        format_args!("the entry {shown} is missing. Add it, or convert the model again."),
        fix,
    );
}

/// The tensors of the architecture, when they are needed.
pub(super) type Groups = OnceCell<Vec<TensorGroup>>;

pub(super) fn report(model: &Model<'_>, problem: &Problem, groups: &Groups, findings: &mut Findings) {
    match problem {
        Problem::MissingKey { name, is_whole: true } => report_missing_key(model, name.as_bytes(), &|| None, findings),
        Problem::MissingKey { name, .. } => report_missing_key(model, &model.key_of(name), &|| None, findings),
        Problem::KeyType(entry) => report_type(model, *entry, findings),
        Problem::KeyLength { entry, found, expected } => {
            let elements = Counted(*found, "element");
            let blocks = model.number("{arch}.block_count").filter(|blocks| i64::try_from(*blocks) == Ok(*expected));
            let length = match blocks {
                Some(blocks) => format!("the model has {}", Counted(blocks, "block")),
                None => format!("llama.cpp reads {expected}"),
            };
            findings.report(
                Check::BlockArrayLength,
                Some(Subject::Entry(*entry)),
                model.header.metadata_at(*entry).map(|entry| entry.value_range().start),
                format_args!(
                    "the array has {elements}, but {length}. \
                     Give it one element for each block, or correct block_count."
                ),
            );
        }
        Problem::Condition { text, stops } => {
            let what = if *stops { " llama.cpp stops." } else { "" };
            findings.report(
                Check::UnmetCondition,
                None,
                None,
                format_args!("{text} does not hold.{what} Correct the numbers, or convert the model again."),
            );
        }
        Problem::Undecided { text } => findings.report(
            Check::Undecided,
            None,
            None,
            format_args!(
                "{text} has no value. It is not known what llama.cpp does with the file. Correct the numbers."
            ),
        ),
        Problem::MissingTensor { name, block } => {
            let tensor = RequiredTensor::new(*name, *block);
            if has_separate_experts(model, &tensor) {
                return findings.report(
                    Check::SeparateExperts,
                    Some(Subject::MissingTensor(tensor)),
                    None,
                    format_args!(
                        "the tensor {tensor} is missing, because the experts are separate tensors, as llama.cpp wrote them before April \
                         2024. Today's tensor is all of them one after the other. Join them with `npx gguf-wasm merge --experts`."
                    ),
                );
            }
            findings.report(
                Check::MissingTensor,
                Some(Subject::MissingTensor(tensor)),
                None,
                format_args!(
                    "the tensor {tensor} is missing. \
                     Download the file again, or convert the model again."
                ),
            );
        }
        Problem::Shape(shape) => report_shape(model, shape, findings),
        Problem::Superfluous(index) => report_superfluous(model, *index, groups, findings),
        Problem::Count { created, found } => findings.report(
            Check::UnknownTensor,
            None,
            None,
            format_args!("the file has {found} tensors, but llama.cpp uses {created}."),
        ),
    }
}

/// Whether the file has a tensor for each expert instead of a tensor of all experts: `blk.0.ffn_up.0.weight` for
/// `blk.0.ffn_up_exps.weight`.
fn has_separate_experts(model: &Model<'_>, tensor: &RequiredTensor) -> bool {
    let name = tensor.to_string();
    let Some(base) = name.strip_suffix("_exps.weight") else { return false };
    // One expert may be missing.
    [".0.weight", ".1.weight"].into_iter().any(|end| {
        let expert = [base, end].concat();
        model.header.tensor(&expert).is_some()
            && tensor_role(expert.as_bytes()).is_some_and(|role| role.expert.is_some())
    })
}

/// Reports a type that llama.cpp does not read, unless the table of keys has it and it is reported.
fn report_type(model: &Model<'_>, index: usize, findings: &mut Findings) {
    let subject = Some(Subject::Entry(index));
    let is_reported = |finding: &Finding| finding.check == Check::WrongType && finding.subject == subject;
    let Some(entry) = model.header.metadata_at(index).filter(|_| !findings.list.iter().any(is_reported)) else {
        return;
    };
    let found = match entry.value() {
        Value::Array(array) => format!("an array of {}", array.element_type()),
        value => format!("{}", value.value_type()),
    };
    findings.report(
        Check::WrongType,
        subject,
        Some(entry.value_range().start - 4),
        format_args!("the type is {found}, which llama.cpp does not read here. Change the type."),
    );
}

/// Adds the number of blocks that the tensors have.
pub(super) fn fix_of_block_count(model: &Model<'_>) -> Option<Fix> {
    let blocks = block_count_of_tensors(model.header).filter(|count| *count <= MOST_BLOCKS)?;
    let add = fix::add(model.header, &model.key_of("block_count"), u32::try_from(blocks).ok()?)?;
    Some(Fix::safe(format!("Add the entry with the value {blocks}"), add))
}

fn report_shape(model: &Model<'_>, shape: &Shape, findings: &mut Findings) {
    let Some(tensor) = model.header.tensor_at(shape.tensor) else { return };
    let Shape { found, expected, .. } = shape;
    let meaning = shape.meaning.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
    let is_vector = tensor.dimension_iter().len() <= 1;
    if let (Some(index), None, 1) = (shape.dimension, &shape.meaning, *expected)
        && index >= shape.wanted
    {
        let count = Counted(shape.wanted as u64, "dimension");
        return findings.report(
            Check::TensorShape,
            Some(Subject::Tensor(shape.tensor)),
            Some(tensor.fields().dimensions + index as u64 * model.header.format().length_size()),
            format_args!(
                "dimension {index} is {found}, but the tensor has {count}, so it must be 1. \
                 Convert the model again."
            ),
        );
    }
    let (what, index) = match shape.dimension {
        Some(0) if is_vector => (format!("the tensor has {found} elements"), 0),
        Some(index) => (format!("dimension {index} is {found}"), index),
        None => (format!("the tensor has {found} elements"), 0),
    };
    findings.report(
        Check::TensorShape,
        Some(Subject::Tensor(shape.tensor)),
        Some(tensor.fields().dimensions + index as u64 * model.header.format().length_size()),
        format_args!("{what}, expected {expected}{meaning}. Convert the model again."),
    );
}

fn report_superfluous(model: &Model<'_>, index: usize, groups: &Groups, findings: &mut Findings) {
    let Some(tensor) = model.header.tensor_at(index) else { return };
    // Old files have tensors for each expert, and lack the tensors that join all experts. These missing tensors are reported instead.
    if tensor_role(&tensor.name().to_bytes()).is_some_and(|role| role.expert.is_some()) {
        return;
    }
    let architecture = Shown(&model.architecture);
    let name = tensor.name().to_bytes();
    let (place, _, own) = split_place(&name);
    let groups = groups.get_or_init(|| model.info.and_then(ArchitectureInfo::llama_cpp_tensors).unwrap_or_default());
    let is_own = |group: &TensorGroup| group.place == place && group.names.iter().any(|name| name.as_bytes() == own);
    if !groups.iter().any(is_own) {
        return findings.report(
            Check::UnknownTensor,
            Some(Subject::Tensor(index)),
            Some(tensor.range().start),
            format_args!(
                "no model of {architecture} has a tensor of this name, so llama.cpp counts too many tensors. \
                 Rename the tensor if its name is misspelt, or remove it."
            ),
        );
    }
    findings.report(
        Check::UnknownTensor,
        Some(Subject::Tensor(index)),
        Some(tensor.range().start),
        format_args!(
            "llama.cpp does not look for this tensor in a model of {architecture} with these keys, so it counts too many \
             tensors. Rename the tensor if its name is misspelt, or remove it."
        ),
    );
}
