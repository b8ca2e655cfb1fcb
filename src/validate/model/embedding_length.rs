//! The embedding length, which nearly all tensors have as a dimension.

use super::complete_model::{EMBEDDING_LENGTH, Model};
use crate::know::architectures::block_and_name;
use crate::validate::check::Check;
use crate::validate::findings::{Counted, Findings, Subject};
use crate::validate::fix::{self, Fix};

/// The tensors whose first dimension is the embedding length in every architecture whose requirements are known.
const OUTSIDE: &[&str] = &["token_embd.weight", "output_norm.weight"];
const IN_BLOCKS: &[&str] = &["attn_norm.weight", "ffn_norm.weight"];

/// Reports an embedding length that is not the one of the token embedding and of most other tensors. Returns the length of the
/// tensors then, so that the tensors have no findings of their own, and no other number is made to fit the wrong one.
pub(super) fn check(model: &Model<'_>, findings: &mut Findings) -> Option<u64> {
    model.info?.requirements?;
    let entry = model.entry(EMBEDDING_LENGTH)?;
    let announced = entry.value().as_u64()?;
    let length = model.dimension("token_embd.weight", 0)?;
    if length == announced {
        return None;
    }
    let (mut count, mut agreeing) = (0, 0);
    for tensor in model.header.tensors() {
        let name = tensor.name().to_bytes();
        let (name, names) = match block_and_name(&name) {
            Some((_, name)) => (name, IN_BLOCKS),
            None => (&*name, OUTSIDE),
        };
        if names.iter().any(|own| own.as_bytes() == name) {
            count += 1;
            agreeing += u64::from(tensor.dimensions().next() == Some(length));
        }
    }
    // The token embedding alone may be the tensor that is wrong.
    if agreeing < 2 || agreeing * 2 <= count {
        return None;
    }
    let value = u32::try_from(length).ok()?;
    let tensors = Counted(agreeing, "tensor");
    findings.report_with_fix(
        Check::TensorShape,
        Some(Subject::Entry(entry.index())),
        Some(entry.value_range().start),
        format_args!(
            "the embedding length is {announced}, but the token embedding has {length}, as {tensors} of {count} that were \
             compared. llama.cpp refuses the file. Set it to {length}."
        ),
        &|| Some(Fix::to_confirm(format!("Set the embedding length to {length}"), fix::set(entry.index(), value)?)),
    );
    Some(length)
}
