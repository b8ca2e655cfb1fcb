//! Details of the format: the table of tensor types, the bytes of a header, and its constants.
//!
//! A header and its parts are at the root of the crate. Examples: [`Header`](crate::Header), [`GgmlType`](crate::GgmlType).

#[doc(hidden)]
pub mod fork_types;
#[doc(hidden)]
pub mod ggml_type;
#[doc(hidden)]
pub mod header;
#[doc(hidden)]
pub mod header_bytes;
pub(crate) mod storage;
#[doc(hidden)]
pub mod tokenizer_model;
#[doc(hidden)]
pub mod value;
#[doc(hidden)]
pub mod version;

pub use fork_types::FORK_TYPES;
pub use ggml_type::{Field, GGML_TYPES, GgmlTypeInfo, Layout, OwnKernel};
pub use header::Dimensions;
pub use header_bytes::HeaderBytes;
pub use value::Elements;
pub use version::{DEFAULT_ALIGNMENT, MAGIC};
