//! The ground of the JavaScript API: objects, bytes, promises, options, errors, abort, timers.

pub(crate) mod abort;
pub(crate) mod arguments;
pub(crate) mod blobs;
pub(crate) mod bytes;
pub(crate) mod describe;
pub(crate) mod error;
pub(crate) mod host;
pub(crate) mod module_memory;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod options;
pub(crate) mod plain_object;
pub(crate) mod promises;
pub(crate) mod record;
pub(crate) mod room;
pub(crate) mod shared_options;
pub(crate) mod streams;
pub(crate) mod text;
pub(crate) mod timer;
pub(crate) mod typed_arrays;
pub(crate) mod typescript;
