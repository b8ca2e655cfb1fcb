//! The number of blocks: `block_count` and the names of the tensors.

use super::complete_model::Model;
use crate::architectures::{MOST_BLOCKS, block_count_of_tensors};
use crate::validate::check::Check;
use crate::validate::findings::{Counted, Findings, Subject};
use crate::validate::fix::{self, Fix};

pub(super) fn check(model: &Model<'_>, findings: &mut Findings) {
    let Some(entry) = model.entry("{arch}.block_count") else { return };
    let Some(announced) = entry.value().as_u64() else { return };
    let (subject, offset) = (Some(Subject::Entry(entry.index())), Some(entry.value_range().start));
    if announced == 0 || announced > MOST_BLOCKS {
        return findings.report(
            Check::BlockCount,
            subject,
            offset,
            format_args!(
                "the number of blocks is {announced}, and llama.cpp refuses a model with fewer than 1 or more than \
                 {MOST_BLOCKS} blocks. Set it to the number of blocks that the file has."
            ),
        );
    }
    let Some(found) = block_count_of_tensors(model.header) else { return };
    // A file can lack the last blocks, which predict further tokens.
    let next_token = model.number("{arch}.nextn_predict_layers").unwrap_or(0).min(announced);
    if (announced - next_token..=announced).contains(&found) {
        return;
    }
    let (last, blocks) = (found - 1, Counted(announced, "block"));
    findings.report_with_fix(
        Check::BlockCount,
        subject,
        offset,
        format_args!(
            "the entry announces {blocks}, but the last tensors are those of blk.{last}, so there are {found}. \
             Correct the number, or download the file again."
        ),
        &|| {
            let value = u32::try_from(found).ok().filter(|found| u64::from(*found) <= MOST_BLOCKS)?;
            Some(Fix::to_confirm(format!("Set the number of blocks to {found}"), fix::set(entry.index(), value)?))
        },
    );
}
