//! Engines that read files: without JavaScript, from sources of the tests and from the file system.

mod engines;
mod fork_types;
mod http;
mod local_file;
mod range_reader;
pub mod source;
