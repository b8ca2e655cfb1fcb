//! Writing files piece by piece: as streams, to paths, and to file handles.

pub(crate) mod chunk_stream;
#[cfg(any(feature = "convert", feature = "models"))]
pub(crate) mod computed_file;
pub(crate) mod to_handle;
pub(crate) mod to_path;
#[cfg(any(feature = "convert", feature = "models"))]
pub(crate) mod to_target;
