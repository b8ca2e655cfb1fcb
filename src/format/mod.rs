//! Details of the format: the table of tensor types, the bytes of a header, and its constants.
//!
//! A header and its parts are at the root of the crate. Examples: [`Header`](crate::Header), [`GgmlType`](crate::GgmlType).

pub(crate) mod ggml_type;
pub(crate) mod header;
pub(crate) mod header_bytes;
pub(crate) mod storage;
pub(crate) mod tokenizer_model;
pub(crate) mod value;
pub(crate) mod version;

pub use ggml_type::{Field, GGML_TYPES, GgmlTypeInfo, OwnKernel};
pub use header::Dimensions;
pub use header_bytes::HeaderBytes;
pub use value::Elements;
pub use version::{DEFAULT_ALIGNMENT, MAGIC};
