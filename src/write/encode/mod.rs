//! The writers of primitives, metadata entries and tensor infos.
//!
//! An [`Encoder`] lays out what it is given and judges nothing: keys that are not
//! UTF-8, nested arrays, types that nobody has heard of and counts that are lies
//! can all be written. Whoever wants a valid file checks before.
//!
//! ```text
//! header        "GGUF"  version u32  tensor count N  kv count N
//! string        length N  bytes
//! kv pair       key string  value type u32  value
//!   array       element type u32  count N  elements (an array's are arrays: element type, count, …)
//! tensor info   name string  dimension count u32  dimensions N…  ggml type u32  offset u64
//!
//! N is u32 in version 1, u64 since version 2. In a big-endian file every number is
//! big-endian; the four bytes of the magic never change.
//! ```
//!
//! # Examples
//!
//! ```
//! use gguf_wasm::encode::Encoder;
//! use gguf_wasm::Format;
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

pub use encoder::{Encoder, OwnedValue};
