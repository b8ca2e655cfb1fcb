//! Whether the tensors are those of whole encoders.

use alloc::collections::BTreeMap;
use alloc::collections::BTreeSet;

use super::encoders::Encoders;
use super::reading::BLOCKS;
use crate::model::config::CONFIG;
use crate::model::mapping::MappedTensor;
use gguf_format::error::{Result, error};

/// Checks that each encoder has tensors, and that all its blocks have the same ones.
///
/// # Errors
///
/// `incomplete-model` if tensors are missing.
pub(super) fn check_blocks(tensors: &[MappedTensor], encoders: &Encoders) -> Result<()> {
    for (start, what, config) in
        [("v.blk.", "images", encoders.vision.as_ref()), ("a.blk.", "sound", encoders.audio.as_ref())]
    {
        let Some(config) = config else { continue };
        let mut blocks: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        let mut all: BTreeSet<&str> = BTreeSet::new();
        for tensor in tensors {
            let Some((number, name)) = tensor.name.strip_prefix(start).and_then(|rest| rest.split_once('.')) else {
                continue;
            };
            let Ok(number) = number.parse() else { continue };
            blocks.entry(number).or_default().insert(name);
            all.insert(name);
        }
        let count = config.required(BLOCKS)?;
        if all.is_empty() && count > 0 {
            return Err(error!(IncompleteModel:
                "the model has no tensors of the encoder of {what} that {CONFIG} describes: download all files of the model. If it has \
                 them under other names, use a model in the layout of its publisher"));
        }
        for number in 0..count {
            let block = blocks.get(&number);
            if let Some(missing) = all.iter().find(|name| block.is_none_or(|block| !block.contains(*name))) {
                return Err(error!(IncompleteModel:
                    "the model has no tensor for \"{start}{number}.{missing}\", which other blocks of the encoder of {what} have: \
                     expected {count} equal blocks, as {CONFIG} says; download all files of the model"));
            }
        }
        if let Some(number) = blocks.keys().find(|number| **number >= count) {
            return Err(error!(UnsupportedModel:
                "the encoder of {what} has a block {number}, but {CONFIG} says that it has {count} blocks"));
        }
    }
    Ok(())
}
