//! The index of a model in several parts.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use crate::json;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::order::set_of;

/// The name of the index.
pub const INDEX: &str = "model.safetensors.index.json";

/// The part of each tensor.
pub(super) struct Index(BTreeMap<String, String>);

impl Index {
    /// Reads an index.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is no JSON, or has no `weight_map`, or a part is no file of the folder.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let index = json::parse(INDEX, text)?;
        let Some(map) = index.get("weight_map").and_then(|map| map.as_object()) else {
            return Err(error!(BadJson:
                "{INDEX} has no object \"weight_map\", which names the file of each tensor; download the file again"));
        };
        let mut parts = BTreeMap::new();
        for (tensor, part) in map {
            match part.as_str() {
                Some(part) if is_file_name(part) => parts.insert(tensor.clone(), part.into()),
                _ => {
                    return Err(error!(BadJson:
                        "\"weight_map\" in {INDEX} gives tensor \"{}\" the file {part}: expected the name of a file in the same \
                         folder", Shown(tensor.as_bytes())));
                }
            };
        }
        Ok(Self(parts))
    }

    /// The names of the parts, sorted.
    pub fn parts(&self) -> BTreeSet<&str> {
        set_of(self.0.values().map(String::as_str))
    }

    /// The part of a tensor.
    pub fn part_of(&self, tensor: &str) -> Option<&str> {
        self.0.get(tensor).map(String::as_str)
    }

    /// The tensors and their parts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(tensor, part)| (tensor.as_str(), part.as_str()))
    }
}

/// Whether a name can be the name of a file in the same folder.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\', '\0'])
}

/// The names of the files in which the tensors of a model should be, in order: those that the index names, else those of the folder.
/// `files` are the paths of all files in the folder, or `None` if it cannot be listed.
///
/// # Errors
///
/// `bad-json` if the index cannot be read.
pub fn wanted_parts(files: Option<&[&str]>, index: Option<&[u8]>) -> Result<Vec<String>> {
    let sorted: BTreeSet<&str> = match (files, index) {
        (_, Some(index)) => return Ok(Index::parse(index)?.parts().into_iter().map(Into::into).collect()),
        (Some(files), None) => set_of(files.iter().copied().filter(is_part)),
        (None, None) => set_of(["model.safetensors"]),
    };
    Ok(sorted.into_iter().map(Into::into).collect())
}

/// Whether a path looks like a file with tensors. Used if there is no index.
fn is_part(path: &&str) -> bool {
    path.starts_with("model") && path.ends_with(".safetensors") && is_file_name(path)
}

/// The number of parts in the name of a part: 3 in `model-00001-of-00003.safetensors`.
fn part_count(path: &str) -> Option<usize> {
    let (_, count) = path.strip_suffix(".safetensors")?.rsplit_once("-of-")?;
    count.parse().ok()
}

/// The names of the files with the tensors of a model, in order. `files` are the names of all files in the folder, `index` is the
/// text of `model.safetensors.index.json`, if there is one.
///
/// # Errors
///
/// `bad-json` if the index cannot be read. `incomplete-model` if a part is missing, or if there is none.
pub fn part_names(files: &[&str], index: Option<&[u8]>) -> Result<Vec<String>> {
    let Some(index) = index else {
        let parts: BTreeSet<&str> = set_of(files.iter().copied().filter(is_part));
        if parts.is_empty() {
            return Err(error!(IncompleteModel:
                "the model has no file such as model.safetensors: choose a folder that contains it"));
        }
        let count = parts.iter().filter_map(|part| part_count(part)).max().unwrap_or(1);
        if parts.len() < count {
            return Err(error!(IncompleteModel:
                "{} of the {count} files with tensors are missing, as the names of the others say; download them into the same folder",
                count - parts.len()));
        }
        return Ok(parts.into_iter().map(Into::into).collect());
    };
    let index = Index::parse(index)?;
    let parts = index.parts();
    let files: BTreeSet<&str> = set_of(files.iter().copied());
    let missing: Vec<&str> = parts.difference(&files).copied().collect();
    if !missing.is_empty() || parts.is_empty() {
        return Err(error!(IncompleteModel:
            "{} of the {} files that {INDEX} names are missing: {}; download them into the same folder", missing.len(),
            parts.len(), Shown(missing.join(", ").as_bytes())));
    }
    Ok(parts.into_iter().map(Into::into).collect())
}
