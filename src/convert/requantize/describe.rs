//! All file types in comparison, for a model.

use alloc::{rc::Rc, sync::Arc, vec::Vec};

use super::model::Model;
use super::options::Options;
use super::recipe::Recipe;
use super::target::{self, Target};
use crate::declare::result;
use crate::error::Result;
use crate::format::header::Header;

result! {
    /// What a model would be as a file of a type.
    #[derive(Clone, Debug)]
    pub struct FileTypeEstimate {
        /// The number of the file type.
        pub id: u32,
        /// The name: `"Q4_K_M"`.
        pub name: &'static str,
        /// Another name for the same type: `"Q4_K"` for Q4_K_M. Not present if there is none.
        pub alias: Option<&'static str>,
        /// Which tensors have which type, in one sentence.
        pub description: &'static str,
        /// What files of this type are good for, in one sentence.
        pub advice: &'static str,
        /// The size of all files, in bytes.
        pub size: u64,
        /// The bits of tensor data for each element.
        pub bits_per_weight: f64,
        /// Whether the conversion needs an importance matrix.
        pub requires_imatrix: bool,
        /// Whether the conversion is possible with these options.
        pub is_possible: bool,
    }
}

/// Each file type for a model with some options, whose target is ignored, by id.
///
/// # Errors
///
/// As [`Recipe::new`].
pub fn file_types(headers: &[Arc<Header>], options: &Options) -> Result<Vec<FileTypeEstimate>> {
    let model = Rc::new(Model::new(headers, options)?);
    let estimate = |info: &'static crate::know::file_types::FileTypeInfo| {
        let options = Options { target: Target::FileType(info), ..options.clone() };
        let recipe = Recipe::of(model.clone(), options)?;
        Ok(FileTypeEstimate {
            id: info.id,
            name: info.name,
            alias: info.alias,
            description: info.description,
            advice: info.advice.unwrap_or_default(),
            size: recipe.size(),
            bits_per_weight: recipe.bits_per_weight(),
            requires_imatrix: recipe.requires_imatrix(),
            is_possible: recipe.check().is_ok(),
        })
    };
    target::file_types().map(estimate).collect()
}

/// The possible file type with the most bits per weight whose files have at most `bytes` bytes together. Of several with as many
/// bits, the first. `None` if all are larger.
///
/// # Errors
///
/// As [`Recipe::new`].
pub fn largest_file_type(headers: &[Arc<Header>], options: &Options, bytes: u64) -> Result<Option<FileTypeEstimate>> {
    let mut best: Option<FileTypeEstimate> = None;
    for estimate in file_types(headers, options)? {
        let is_better = best.as_ref().is_none_or(|best| estimate.bits_per_weight > best.bits_per_weight);
        if estimate.is_possible && estimate.size <= bytes && is_better {
            best = Some(estimate);
        }
    }
    Ok(best)
}
