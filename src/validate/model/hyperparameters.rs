//! Numbers of heads and experts that do not fit each other.

use super::Model;
use crate::format::header::MetadataKv;
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::fix::{self, Fix};

/// The most experts that llama.cpp loads (`LLAMA_MAX_EXPERTS`).
const MOST_EXPERTS: u64 = 1024;

/// The architectures whose rotary embedding must cover the whole key (`load_hparams` in llama-model.cpp).
const WHOLE_ROPE: &[&str] = &["llama", "deci", "falcon", "llama-embed"];

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    check_heads(model, findings);
    check_rope(model, findings);
    check_experts(model, findings);
}

fn place(entry: &MetadataKv<'_>) -> (Option<Subject>, Option<u64>) {
    (Some(Subject::Entry(entry.index())), Some(entry.value_range().start))
}

/// Checks that the heads of keys and values are shared by equal numbers of heads of queries.
fn check_heads(model: &Model<'_>, findings: &mut Findings) {
    let (heads, key_value_heads) = ("{arch}.attention.head_count", "{arch}.attention.head_count_kv");
    let Some(entry) = model.entry(key_value_heads) else { return };
    let block_count = model.number("{arch}.block_count").unwrap_or(0).min(crate::know::architectures::MOST_BLOCKS);
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
            Check::HeadCount,
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
    if found == expected || !model.is_one_of(WHOLE_ROPE) {
        return;
    }
    let (subject, offset) = place(&entry);
    findings.report_with_fix(
        Check::RopeDimensions,
        subject,
        offset,
        format_args!(
            "the number of rotary dimensions is {found}, expected {expected}, the length of a key. \
             llama.cpp refuses the file. Correct the number."
        ),
        &|| {
            let set = fix::set(entry.index(), u32::try_from(expected).ok()?)?;
            Some(Fix::to_confirm(alloc::format!("Set it to {expected}"), set))
        },
    );
}

/// Checks the number of experts, and the number of those that each token uses.
fn check_experts(model: &Model<'_>, findings: &mut Findings) {
    let (count, used) = (model.number("{arch}.expert_count"), model.number("{arch}.expert_used_count"));
    let report = |pattern: &str, message: core::fmt::Arguments<'_>, findings: &mut Findings| {
        let (subject, offset) = model.entry(pattern).map_or((None, None), |entry| place(&entry));
        findings.report(Check::ExpertCount, subject, offset, message);
    };
    let (count, used) = (count.unwrap_or(0), used.unwrap_or(0));
    if count > MOST_EXPERTS {
        report(
            "{arch}.expert_count",
            format_args!("the model has {count} experts, and llama.cpp refuses more than {MOST_EXPERTS}."),
            findings,
        );
    } else if used > count {
        report(
            "{arch}.expert_used_count",
            format_args!(
                "each token uses {used} experts, but the model has {count}. llama.cpp refuses the file. \
                 Correct the numbers."
            ),
            findings,
        );
    } else if count > 0 && used == 0 {
        report(
            "{arch}.expert_count",
            format_args!(
                "the model has {count} experts, but no token uses any. llama.cpp refuses the file. \
                 Set expert_used_count to the number that the model was trained with."
            ),
            findings,
        );
    }
}
