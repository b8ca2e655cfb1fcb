//! The files of a model, as one list of tensors.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::decode::StoredTensor;
use super::file::SafetensorsFile;
use super::index::{INDEX, Index};
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::io::Source;
use gguf_format::order::sort_by;

/// The files of a model. Clones share them.
pub struct SafetensorsModel<S: Source> {
    parts: Vec<SafetensorsFile<S>>,
}

impl<S: Source> Clone for SafetensorsModel<S> {
    fn clone(&self) -> Self {
        Self { parts: self.parts.clone() }
    }
}

impl<S: Source> SafetensorsModel<S> {
    /// The model of one or several files. `index` is the text of `model.safetensors.index.json`, if there is one.
    ///
    /// # Errors
    ///
    /// `bad-json` if the index cannot be read. `incomplete-model` if the index and the files do not have the same tensors.
    /// `bad-safetensors` if two files have a tensor of the same name.
    pub fn new(parts: Vec<SafetensorsFile<S>>, index: Option<&[u8]>) -> Result<Self> {
        let mut order: Vec<usize> = (0..parts.len()).collect();
        sort_by(&mut order, &|a, b| parts[a].name().cmp(parts[b].name()));
        let parts: Vec<SafetensorsFile<S>> = order.into_iter().map(|position| parts[position].clone()).collect();
        let mut known: BTreeMap<&str, &str> = BTreeMap::new();
        for part in &parts {
            for tensor in part.header().tensors() {
                if let Some(other) = known.insert(&tensor.name, part.name()) {
                    return Err(error!(BadSafetensors:
                        "the tensor \"{}\" is in two files of the model, {other} and {}; choose the files of one model only",
                        Shown(tensor.name.as_bytes()), part.name())
                    .at(tensor.range.start));
                }
            }
        }
        if let Some(index) = index {
            check_index(&Index::parse(index)?, &known)?;
        }
        Ok(Self { parts })
    }

    /// The files, in the order of their names.
    pub fn parts(&self) -> &[SafetensorsFile<S>] {
        &self.parts
    }

    /// The tensors, each with the position of its file: in the order of the files, and in each file in the order of the names.
    pub fn tensors(&self) -> impl Iterator<Item = (usize, &StoredTensor)> {
        let parts = self.parts.iter().enumerate();
        parts.flat_map(|(part, file)| file.header().tensors().iter().map(move |tensor| (part, tensor)))
    }
}

/// Checks that the index and the files have the same tensors.
fn check_index(index: &Index, known: &BTreeMap<&str, &str>) -> Result<()> {
    for (tensor, part) in index.iter() {
        if !known.contains_key(tensor) {
            return Err(error!(IncompleteModel:
                "the file {part} has no tensor \"{}\", which {INDEX} expects in it; download the file again",
                Shown(tensor.as_bytes())));
        }
    }
    for (tensor, part) in known {
        if index.part_of(tensor).is_none() {
            return Err(error!(IncompleteModel:
                "the file {part} has the tensor \"{}\", which {INDEX} does not name; choose the files of one model only",
                Shown(tensor.as_bytes())));
        }
    }
    Ok(())
}
