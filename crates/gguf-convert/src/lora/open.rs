//! Opening the folders of an adapter and of its base model.

use alloc::string::String;

use super::adapter_config::ADAPTER_CONFIG;
use crate::model::config::CONFIG;
use crate::model::files::SmallFiles;
use crate::model::open::read_all;
use crate::model::{HubModel, ModelFolder};
use crate::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::error::{Error, Result, error};

/// The name of the file with the matrices of an adapter.
pub const ADAPTER_WEIGHTS: &str = "adapter_model.safetensors";

/// The small files of an adapter: its configuration, and those that the names in the new file follow from.
const ADAPTER_FILES: &[&str] = &[ADAPTER_CONFIG, "README.md", "config.json", "generation_config.json"];

/// The small files of a base model. Its vocabulary is not needed.
const BASE_FILES: &[&str] = &["config.json", "README.md"];

/// The model that an adapter was trained for. Its tensors are not needed.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs, reason = "callers make it")]
pub struct BaseModel {
    /// The name of the folder.
    pub folder: String,
    /// The small files of the folder: `config.json`.
    pub files: SmallFiles,
}

impl BaseModel {
    /// Reads the small files of a folder. `name` is the name of the folder.
    ///
    /// # Errors
    ///
    /// Errors of the files are passed on. A missing file is an error of [`plan_adapter`](super::plan_adapter).
    pub async fn read(name: impl Into<String>, folder: &impl ModelFolder) -> Result<Self> {
        let mut files = SmallFiles::default();
        read_all(folder, BASE_FILES.to_vec(), CONFIG, &mut files).await.map_err(of_base)?;
        Ok(Self { folder: name.into(), files })
    }
}

/// The error of a file of the base model.
pub(super) fn of_base(error: Error) -> Error {
    error.about("the base model")
}

/// Opens the folder of an adapter: reads its small files, and the header of its matrices. `name` is the name of the folder.
///
/// # Errors
///
/// `incomplete-model` if there are no matrices in the safetensors format. Errors of [`SafetensorsFile::open`] and of the files are passed
/// on.
pub async fn open_adapter<F: ModelFolder>(name: impl Into<String>, folder: &F) -> Result<HubModel<F::Source>> {
    let missing = |reason: &str| error!(IncompleteModel: "the adapter has no file {ADAPTER_WEIGHTS}{reason}; choose the folder in which PEFT has saved it");
    if let Some(paths) = folder.paths()
        && !paths.contains(&ADAPTER_WEIGHTS)
    {
        let is_pickled = paths.contains(&"adapter_model.bin");
        return Err(missing(if is_pickled {
            ", only adapter_model.bin, which can contain programs and is not read"
        } else {
            ""
        }));
    }
    let mut files = SmallFiles::default();
    read_all(folder, ADAPTER_FILES.to_vec(), ADAPTER_CONFIG, &mut files).await?;
    let source = folder.open(ADAPTER_WEIGHTS).await?;
    let part = match SafetensorsFile::open(ADAPTER_WEIGHTS, source).await {
        Err(error) if matches!(error.status(), Some(404 | 410)) => return Err(missing("")),
        part => part?,
    };
    Ok(HubModel { folder: name.into(), files, tensors: SafetensorsModel::new(vec![part], None)? })
}
