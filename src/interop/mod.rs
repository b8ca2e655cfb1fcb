//! The ground of the JavaScript API: objects, bytes, promises, options, errors, abort, timers.

pub(crate) mod abort;
pub(crate) mod arguments;
pub(crate) mod blobs;
pub(crate) mod bytes;
pub(crate) mod describe;
pub(crate) mod error;
#[cfg(feature = "values")]
mod fork_types;
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
pub(crate) mod thrown;
pub(crate) mod timer;
pub(crate) mod typed_arrays;
pub(crate) mod typescript;

pub(crate) use abort::{AbortOnDrop, abortable, check_signal};
pub(crate) use arguments::{
    NumberArgument, TextArgument, long_text, name, number, optional_number, short_text, whole_text,
};
pub(crate) use bytes::{Bytes, is_bytes};
pub(crate) use describe::{describe, shown_number};
pub(crate) use error::{failed_with, failure, failure_with_code, has_code, is_own, no_memory, read_failed, reason};
pub(crate) use host::EventLoop;
pub(crate) use numbers::{POSITION_END, exact, is_integer, is_position};
pub(crate) use objects::{
    AnyObject, array_of, as_object, deep_frozen, element, elements, entries, frozen, frozen_list, is_array, length,
    once, set_member,
};
pub(crate) use options::{FromOption, Options, Values, options, refused_option};
pub(crate) use plain_object::{Js, frozen_numbers, plain_object, to_js, to_open_js};
pub(crate) use promises::{called, promise_of, resolved};
pub(crate) use record::Record;
pub(crate) use shared_options::{AbortOptions, ProgressOptions};
pub(crate) use streams::{Stream, StreamReader};
pub(crate) use text::{LONGEST_STRING, TextDecoder, may_be_lossy, utf8_decoder};
pub(crate) use timer::{ChunkCounter, Timer};
pub(crate) use typed_arrays::{Numbers, float32_array};
pub(crate) use typescript::{argument_type, declare_string_union, declare_types};

pub(crate) use js_sys::{Array as JsArray, Function, JsString, Map, Object, Promise, Uint8Array};
