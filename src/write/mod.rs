//! Writing files piece by piece: as streams, to paths, and to file handles.

pub(crate) mod chunk_stream;
pub(crate) mod computed_file;
pub(crate) mod to_handle;
pub(crate) mod to_path;
pub(crate) mod to_target;
