//! File types: the values of `general.file_type`, and what the tensors of a file say about them.
//!
//! Examples: [`file_type`], [`file_types_of_tensors`].

// - `table`: the values
// - `type_set`: sets of tensor types
// - `mixtures`: the tensor types that `llama-quantize` gives the tensors of each file type
// - `guess`: the file type that llama.cpp assumes if the entry is missing
// - `tensors`: the file types that fit the tensors of a file, and those that do not
// - `model`: the file type of a model

mod guess;
mod mixtures;
mod model;
mod table;
mod tensors;
mod type_set;

pub use guess::guessed_file_type;
pub use model::{ModelFileType, declared_file_type, file_type};
pub use table::{FILE_TYPES, FileTypeInfo, GUESSED_FILE_TYPE, file_type_info};
pub(crate) use tensors::type_of_most_elements;
pub use tensors::{contradicts_file_type, file_types_of_tensors, main_tensor_type};
