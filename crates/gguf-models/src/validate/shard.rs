//! The entries of a shard: its place in the set, and the number of tensors of the set.

use super::check::Check;
use super::findings::{Counted, Findings, Subject};
use crate::kind::{SPLIT_COUNT, SPLIT_NO, SPLIT_TENSORS_COUNT};
use gguf_format::format::header::{Header, MetadataKv};

pub(super) fn check(header: &Header, findings: &mut Findings) {
    if !header.has_all_metadata() {
        return;
    }
    let (number_entry, tensor_count_entry) = (header.get(SPLIT_NO), header.get(SPLIT_TENSORS_COUNT));
    let number = number_entry.and_then(|entry| entry.value().as_u64());
    let Some(count_entry) = header.get(SPLIT_COUNT) else {
        if let Some(entry) = number_entry {
            let (subject, offset) = place(&entry);
            findings.report(
                Check::NoShardCount,
                subject,
                offset,
                format_args!(
                    "the file has split.no, but not split.count, so llama.cpp takes it as a whole file. \
                     Add the number of shards as UINT16."
                ),
            );
        }
        return;
    };
    // llama.cpp takes a file with the count 0 or 1 as a whole.
    let Some(count) = count_entry.value().as_u64().filter(|count| *count > 1) else { return };
    if number_entry.is_none() {
        report_missing(SPLIT_NO, "UINT16", findings);
    }
    // Only the first shard's number of tensors is read.
    if tensor_count_entry.is_none() && number.is_none_or(|number| number == 0) {
        report_missing(SPLIT_TENSORS_COUNT, "INT32", findings);
    }
    if let (Some(entry), Some(number)) = (number_entry, number)
        && number >= count
    {
        let (subject, offset) = place(&entry);
        findings.report(
            Check::ShardNumber,
            subject,
            offset,
            format_args!(
                "the number of the shard is {number}, but there are {count}, counted from 0. llama.cpp refuses the set. \
                 Correct the number."
            ),
        );
    }
    let own = header.tensor_count();
    if let Some(entry) = tensor_count_entry
        && let Some(all) = entry.value().as_u64()
        && all < own
    {
        let (subject, offset) = place(&entry);
        let (all, own) = (Counted(all, "tensor"), Counted(own, "tensor"));
        findings.report(
            Check::ShardTensorCount,
            subject,
            offset,
            format_args!(
                "the whole set has {all} by this entry, but this file alone has {own}. llama.cpp refuses the set. \
                 Set it to the number of tensors in all shards."
            ),
        );
    }
}

fn place(entry: &MetadataKv<'_>) -> (Option<Subject>, Option<u64>) {
    (Some(Subject::Entry(entry.index())), Some(entry.value_range().start))
}

fn report_missing(key: &'static str, value_type: &str, findings: &mut Findings) {
    findings.report(
        Check::MissingShardKey,
        Some(Subject::MissingEntry(key)),
        None,
        format_args!("the entry {key} is missing, and llama.cpp refuses the set of shards. Add it as {value_type}."),
    );
}
