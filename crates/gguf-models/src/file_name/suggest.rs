//! The name that llama.cpp's converter gives a file: `naming_convention` of gguf-py, and `prepare_metadata`
//! of `convert_hf_to_gguf.py` (August 2026).

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::safe_name::{LONGEST_NAME, safe_name, safe_part};
use super::shard_name::shard_text;
use super::size_label::ParameterCounts;
use crate::evidence::Evidence;
use crate::file_kinds::FileKind;
use crate::file_types::{declared_file_type, file_type_info, type_of_most_elements};
use crate::kind::{classify, kind_and_evidence};
use gguf_format::format::header::Header;

/// The base name of a file that has neither `general.basename` nor `general.name`, as gguf-py has it.
const UNNAMED: &str = "ggml-model";

/// The name that llama.cpp's converter would give a file, from its metadata and tensors.
///
/// Its parts are those of the naming convention. A part that neither metadata nor tensors tell is left out. So most names
/// have no version, which the convention demands.
///
/// | part | from |
/// | --- | --- |
/// | sidecar | `mmproj` for a multimodal projector, `mtp` for prediction layers in a file of their own |
/// | base name | `general.basename`, else `general.name`, else `ggml-model` |
/// | size label | `general.size_label`, else [`size_label`](crate::file_name::size_label) |
/// | fine-tune | `general.finetune` |
/// | version | `general.version`, as it is |
/// | encoding | `general.file_type`, else the tensor type that most elements have, apart from embeddings and output |
/// | type | `LoRA` for an adapter, `vocab` for a vocabulary |
/// | shard | `split.no`, `split.count` |
///
/// These are the rules of llama.cpp's converter. A sidecar has no size label, and a vocabulary has neither size label nor
/// encoding. A shard has a size label and an encoding only if its metadata says them, as it has only some of the tensors. An
/// importance matrix and a control vector have the names that llama.cpp's tools give them, after the base name if there is
/// one: `imatrix.gguf`, `control_vector.gguf`. [`classify`](crate::kind::classify) tells what a file is. Spaces become dashes, and
/// so do invisible characters and characters that some file system does not allow in names. The base name does not begin
/// with a dash or a dot. A text of more than 255 bytes is left out, and a name of more than 255 bytes has shorter parts.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// assert_eq!(gguf_models::file_name::suggested_file_name(&header), "ggml-model-0.06K-Q4_0.gguf");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn suggested_file_name(header: &Header) -> String {
    let classification = classify(header);
    let kind = classification.shard.map_or(classification.kind, |shard| shard.set_kind);
    let named = start_of_name(header, "general.basename").or_else(|| start_of_name(header, "general.name"));
    let name_of_tool = match kind {
        FileKind::Imatrix => Some("imatrix"),
        FileKind::ControlVector => Some("control_vector"),
        _ => None,
    };
    let mut name = Name(Vec::new());
    if let Some(name_of_tool) = name_of_tool {
        name.add(named);
        name.add(Some(name_of_tool.to_owned()));
        name.add(shard(header));
        return name.finish();
    }
    let sidecar = match kind {
        FileKind::Projector => Some("mmproj"),
        // Prediction layers without the tensors of their model. Other draft models are whole models.
        FileKind::Draft if matches!(kind_and_evidence(header).1.last(), Some(Evidence::MissingTensor { .. })) => {
            Some("mtp")
        }
        _ => None,
    };
    let is_vocabulary = kind == FileKind::Vocabulary;
    let has_all_tensors = classification.shard.is_none();
    let counts = ParameterCounts::of(header);

    name.add(sidecar.map(ToOwned::to_owned));
    name.add(Some(named.unwrap_or_else(|| UNNAMED.to_owned())));
    if sidecar.is_none() && !is_vocabulary {
        let counted = || if has_all_tensors { counts.size_label() } else { None };
        name.add(text(header, "general.size_label").or_else(counted));
    }
    name.add(text(header, "general.finetune"));
    name.add(text(header, "general.version"));
    if is_vocabulary {
        name.add(Some("vocab".to_owned()));
    } else {
        let of_tensors = || if has_all_tensors { type_of_most_elements(header).map(|info| info.name) } else { None };
        // The file types of programs with tensor types of their own are others.
        let declared = file_type(header).filter(|_| header.types_owner().is_none());
        name.add(declared.or_else(of_tensors).map(ToOwned::to_owned));
        name.add((kind == FileKind::Adapter || counts.is_lora).then(|| "LoRA".to_owned()));
    }
    name.add(shard(header));
    name.finish()
}

const EXTENSION: &str = ".gguf";

/// A name that grows part by part, with dashes between the parts.
struct Name(Vec<String>);

impl Name {
    fn add(&mut self, part: Option<String>) {
        self.0.extend(part);
    }

    /// The whole name. If it is too long for a file name, its longest parts are cut, so that the type and the shard stay.
    fn finish(mut self) -> String {
        loop {
            let length = self.0.iter().map(|part| "-".len() + part.len()).sum::<usize>() + EXTENSION.len() - 1;
            let Some(excess) = length.checked_sub(LONGEST_NAME).filter(|excess| *excess > 0) else { break };
            let Some(longest) = self.0.iter_mut().max_by_key(|part| part.len()) else { break };
            let wanted = longest.len().saturating_sub(excess).max(longest.len() / 2);
            let cut = (0..=wanted).rev().find(|place| longest.is_char_boundary(*place)).unwrap_or(0);
            longest.truncate(cut);
        }
        safe_name(&self.0.join("-"), EXTENSION)
    }
}

/// The text of a string entry, as it can be in a file name. `None` if there is no such entry, or if its text is empty or too
/// long.
fn text(header: &Header, key: &str) -> Option<String> {
    let value = header.get(key)?.value().as_str().filter(|value| value.byte_length() <= LONGEST_NAME as u64)?;
    Some(safe_part(&value.to_string_lossy())).filter(|text| !text.is_empty())
}

/// A text that a file name can begin with. Dashes and dots at its start are left out: programs read a dash as the start of
/// an option, and many systems hide a file whose name begins with a dot.
fn start_of_name(header: &Header, key: &str) -> Option<String> {
    let text = text(header, key)?;
    let start = text.trim_start_matches(['-', '.']);
    Some(start.to_owned()).filter(|start| !start.is_empty())
}

fn number(header: &Header, key: &str) -> Option<u64> {
    header.get(key)?.value().as_u64()
}

/// The name of the file type that the metadata says.
fn file_type(header: &Header) -> Option<&'static str> {
    declared_file_type(header).and_then(file_type_info).map(|info| info.name)
}

/// The shard, if the file is one of several.
fn shard(header: &Header) -> Option<String> {
    let count = number(header, "split.count").filter(|count| *count > 1)?;
    let index = number(header, "split.no").filter(|index| *index < count)?;
    Some(shard_text(index + 1, count))
}
