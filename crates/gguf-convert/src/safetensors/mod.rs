//! Models in the safetensors format.
//!
//! ```text
//! u64       the length of the header, little-endian
//! header    JSON: { "name": { "dtype", "shape", "data_offsets": [begin, end] }, …, "__metadata__": { … } }
//! data      the elements of all tensors, little-endian; offsets count from here
//! ```
//!
//! Shapes list the slowest dimension first. A model has one file, or several parts and an index that names the part of each
//! tensor. The format is documented by Hugging Face (<https://huggingface.co/docs/safetensors>).

mod data_type;
mod decode;
mod file;
mod index;
mod model;

pub use data_type::DataType;
pub use decode::{SafetensorsHeader, StoredTensor};
pub use file::SafetensorsFile;
pub use index::{INDEX, part_names, wanted_parts};
pub use model::SafetensorsModel;
