//! Encoders of primitives, metadata entries and tensor infos.
//!
//! An [`Encoder`] writes everything that it is given. Keys that are not UTF-8, nested arrays, unknown types and wrong counts
//! can all be written. A caller that wants a valid file must check its input, or use a [`Writer`](crate::write::Writer).
//!
//! ```text
//! header        "GGUF"  version u32  tensor count N  metadata count N
//! string        length N  bytes
//! metadata      key string  value type u32  value
//!   array       element type u32  count N  elements (elements of an array of arrays: element type, count, …)
//! tensor info   name string  dimension count u32  dimensions N…  ggml type u32  offset u64
//!
//! N is a u32 in version 1, and a u64 since version 2. In a big-endian file every number is big-endian. The four bytes of
//! the magic are always the same.
//! ```
//!
//! # Examples
//!
//! ```
//! use gguf_format::{Format, write::encode::Encoder};
//!
//! let mut file = Encoder::new(Format::default());
//! file.header(1, 1)
//!     .kv(b"general.architecture", &"llama".into())
//!     .tensor_info(b"output_norm.weight", &[4], 0, 0)
//!     .pad_to(32)
//!     .f32s(&[1.0, 1.0, 1.0, 1.0]);
//! assert_eq!(&file.as_bytes()[..8], b"GGUF\x03\0\0\0");
//! assert_eq!(file.len() % 32, 16);
//! ```

mod encoder;
mod owned_value;

pub use encoder::Encoder;
pub use owned_value::OwnedValue;
