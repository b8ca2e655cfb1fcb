//! Numbers of heads and experts that do not fit each other, and the scaling of the rotary embedding.

use super::complete_model::Model;
use crate::architectures::{Exception, MOST_BLOCKS};
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::fix::{self, Fix};
use gguf_format::error::shown::Shown;
use gguf_format::format::header::MetadataKv;
use gguf_format::format::value::Value;

/// The most experts that llama.cpp loads (`LLAMA_MAX_EXPERTS`).
const MOST_EXPERTS: u64 = 1024;

/// The methods of scaling that llama.cpp has (`LLAMA_ROPE_SCALING_TYPES`).
const ROPE_SCALINGS: &[&str] = &["none", "linear", "yarn", "longrope"];

/// The value of `expert_gating_func` that stands for sigmoid (`LLAMA_EXPERT_GATING_FUNC_TYPE_SIGMOID`).
const SIGMOID: u32 = 2;

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    check_heads(model, findings);
    check_rope(model, findings);
    check_rope_scaling(model, findings);
    check_experts(model, findings);
    check_gating(model, findings);
}

fn place(entry: &MetadataKv<'_>) -> (Option<Subject>, Option<u64>) {
    (Some(Subject::Entry(entry.index())), Some(entry.value_range().start))
}

/// Checks that the heads of keys and values are shared by equal numbers of heads of queries.
fn check_heads(model: &Model<'_>, findings: &mut Findings) {
    let (heads, key_value_heads) = ("{arch}.attention.head_count", "{arch}.attention.head_count_kv");
    let Some(entry) = model.entry(key_value_heads) else { return };
    let block_count = model.number("{arch}.block_count").unwrap_or(0).min(MOST_BLOCKS);
    for block in 0..block_count {
        let (Some(heads), Some(shared)) =
            (model.number_of_block(heads, block), model.number_of_block(key_value_heads, block))
        else {
            continue;
        };
        // A block without heads has no attention.
        if heads == 0 || shared == 0 || heads.is_multiple_of(shared) {
            continue;
        }
        let (subject, offset) = place(&entry);
        return findings.report(
            Check::UnevenHeads,
            subject,
            offset,
            format_args!(
                "block {block} has {heads} attention heads and {shared} heads for keys and values, expected a divisor of \
                 {heads}. llama.cpp cannot run the model. Correct the numbers."
            ),
        );
    }
}

/// Checks the rotary dimensions of architectures that rotate whole keys.
fn check_rope(model: &Model<'_>, findings: &mut Findings) {
    let Some(entry) = model.entry("{arch}.rope.dimension_count") else { return };
    let key_length = match model.entry("{arch}.attention.key_length") {
        Some(length) => length.value().as_u64(),
        None => model
            .number_of_block("{arch}.attention.head_count", 0)
            .and_then(|heads| model.number("{arch}.embedding_length")?.checked_div(heads)),
    };
    let (Some(found), Some(expected)) = (entry.value().as_u64(), key_length) else { return };
    if found == expected || !model.has(Exception::RotatesWholeKeys) {
        return;
    }
    let (subject, offset) = place(&entry);
    findings.report_with_fix(
        Check::RopeDimensions,
        subject,
        offset,
        format_args!(
            "the number of rotary dimensions is {found}, expected {expected}, the length of a key. \
             Correct the number."
        ),
        &|| {
            let set = fix::set(entry.index(), u32::try_from(expected).ok()?)?;
            Some(Fix::to_confirm(alloc::format!("Set it to {expected}"), set))
        },
    );
}

/// Checks the name of the method that scales the rotary embedding.
fn check_rope_scaling(model: &Model<'_>, findings: &mut Findings) {
    let Some(entry) = model.entry("{arch}.rope.scaling.type") else { return };
    let Value::String(text) = entry.value() else { return };
    if model.info.is_none_or(|info| !info.is_in_llama_cpp) {
        return;
    }
    if ROPE_SCALINGS.iter().any(|known| text == *known) {
        return;
    }
    let (subject, offset) = place(&entry);
    let text = text.to_bytes();
    let name = Shown(&text);
    findings.report(
        Check::RopeScaling,
        subject,
        offset,
        format_args!(
            "the scaling is \"{name}\", expected none, linear, yarn or longrope. \
             Correct the name, or remove the entry if the model has no scaling."
        ),
    );
}

/// Checks the number of experts, the number of those that each token uses, and the groups of experts.
fn check_experts(model: &Model<'_>, findings: &mut Findings) {
    let number = |pattern| model.number(pattern).unwrap_or(0);
    let (mut count, mut used) = (number("{arch}.expert_count"), number("{arch}.expert_used_count"));
    let (groups, used_groups) = (number("{arch}.expert_group_count"), number("{arch}.expert_group_used_count"));
    if count <= 1 && model.has(Exception::OneExpertIsNone) {
        (count, used) = (0, 0);
    }
    let mut report = |pattern: &str, message: core::fmt::Arguments<'_>| {
        let (subject, offset) = model.entry(pattern).map_or((None, None), |entry| place(&entry));
        findings.report(Check::ExpertCount, subject, offset, message);
    };
    if count > MOST_EXPERTS {
        report(
            "{arch}.expert_count",
            format_args!(
                "the model has {count} experts, and llama.cpp refuses more than {MOST_EXPERTS}. Correct the number, or use \
                 the program that the model was made for."
            ),
        );
    } else if used > count {
        report(
            "{arch}.expert_used_count",
            format_args!(
                "each token uses {used} experts, but the model has {count}. \
                 Correct the numbers."
            ),
        );
    } else if count > 0 && used == 0 {
        report(
            "{arch}.expert_count",
            format_args!(
                "the model has {count} experts, but no token uses any. \
                 Set expert_used_count to the number that the model was trained with."
            ),
        );
    }
    if groups > 0 && groups >= count || groups > 1 && !count.is_multiple_of(groups) {
        report(
            "{arch}.expert_group_count",
            format_args!(
                "the experts have {groups} groups, but the model has {count} experts, expected a smaller divisor of {count}. \
                 Correct the numbers."
            ),
        );
    } else if groups > 1 && !(1..groups).contains(&used_groups) {
        let most = groups - 1;
        report(
            "{arch}.expert_group_used_count",
            format_args!(
                "each token uses {used_groups} groups of experts, but there are {groups}, expected 1 to {most}. \
                 Correct the numbers."
            ),
        );
    }
}

/// Checks that the file says how experts are chosen, where llama.cpp has no default.
fn check_gating(model: &Model<'_>, findings: &mut Findings) {
    const FUNCTION: &str = "{arch}.expert_gating_func";
    let has_experts = model.number("{arch}.expert_count").is_some_and(|count| count > 0);
    let entry = model.entry(FUNCTION);
    let is_known = entry.as_ref().is_some_and(|entry| entry.value().as_u64() != Some(0));
    let is_reported = findings.list.iter().any(|finding| finding.subject == Some(Subject::MissingEntry(FUNCTION)));
    if !model.has(Exception::NoDefaultGating) || !has_experts || is_known || is_reported {
        return;
    }
    let (subject, offset) = entry.as_ref().map_or((Some(Subject::MissingEntry(FUNCTION)), None), place);
    let fix = || {
        // Models of the other architectures have one function. These have either.
        if *model.architecture == *b"smallthinker" {
            return None;
        }
        let change = match &entry {
            Some(entry) => fix::set(entry.index(), SIGMOID)?,
            None => fix::add(model.header, &model.key(FUNCTION), SIGMOID)?,
        };
        Some(Fix::to_confirm("Set it to 2, sigmoid", change))
    };
    findings.report_with_fix(
        Check::NoGatingFunction,
        subject,
        offset,
        format_args!(
            "the model has experts, but expert_gating_func does not say how they are chosen: expected 1 for softmax or 2 for sigmoid. \
             llama.cpp loads the file, and stops when it makes a context. Set it to the function of the original model."
        ),
        &fix,
    );
}
