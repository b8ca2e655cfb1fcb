//! `ggla` adapters: pairs of matrices for the tensors of a LLaMA model.
//!
//! ```text
//! in the file      NAME.loraA  [r, input width]     NAME.loraB  [r, output width]
//! in GGUF          NAME.lora_a [input width, r]     NAME.lora_b [r, output width]
//! ```
//!
//! So the first matrix is transposed, and the second one is copied.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::header::LegacyHeader;
use super::llama::{NewName, new_name};
use super::parts::JoinedTensor;
use super::shape::Shape;
use gguf_format::error::shown::Shown;
use gguf_format::format::ggml_type::GgmlType;

const FIRST: &str = ".loraA";
const SECOND: &str = ".loraB";

/// The name of an adapter's tensor in GGUF, and whether it is transposed.
pub(super) fn new_adapter_name(name: &[u8]) -> Option<(String, bool)> {
    let (base, suffix, is_transposed) = match name.strip_suffix(FIRST.as_bytes()) {
        Some(base) => (base, "lora_a", true),
        None => (name.strip_suffix(SECOND.as_bytes())?, "lora_b", false),
    };
    match new_name(base)? {
        NewName::Name(base) => Some((format!("{base}.{suffix}"), is_transposed)),
        NewName::Dropped => None,
    }
}

/// Why an adapter cannot be migrated.
pub(super) fn obstacles(header: &LegacyHeader, tensors: &[JoinedTensor]) -> Vec<String> {
    let mut obstacles = Vec::new();
    let mut names: BTreeSet<&[u8]> = BTreeSet::new();
    let mut is_repeated = false;
    for tensor in tensors {
        is_repeated |= !names.insert(&tensor.name);
    }
    if is_repeated {
        obstacles.push("a tensor exists twice.".into());
    }
    let rank = u64::from(header.integer("r"));
    for tensor in tensors {
        let shown = Shown(&tensor.name);
        let Some((_, is_transposed)) = new_adapter_name(&tensor.name) else {
            obstacles.push(format!("the tensor \"{shown}\" is not for a tensor of a LLaMA model."));
            continue;
        };
        let (own, other) = if is_transposed { (FIRST, SECOND) } else { (SECOND, FIRST) };
        let pair = tensor.name.strip_suffix(own.as_bytes()).map(|base| [base, other.as_bytes()].concat());
        if pair.is_none_or(|pair| !names.contains(&pair[..])) {
            obstacles.push(format!("the tensor \"{shown}\" has no counterpart {other}."));
        }
        if tensor.dimensions.len() != 2 || tensor.dimensions[0] != rank {
            obstacles.push(format!(
                "the tensor \"{shown}\" has the shape {}, expected [{rank}, …]: r is {rank}.",
                Shape(&tensor.dimensions)
            ));
        }
        if is_transposed && !matches!(tensor.ggml_type, GgmlType::F32 | GgmlType::F16) {
            obstacles
                .push(format!("the tensor \"{shown}\" is quantized. Only F32 and F16 matrices can be transposed."));
        }
    }
    if tensors.is_empty() {
        obstacles.push("the adapter has no tensors.".into());
    }
    obstacles.truncate(8);
    obstacles
}
