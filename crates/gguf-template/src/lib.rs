//! Chat templates rendered exactly as llama.cpp renders them.
//!
//! A chat template is a Jinja template in a model file, which makes the text that the model reads of a conversation. llama.cpp has
//! an engine of its own for these templates, and its results differ from those of Python's jinja2 in many ways. This crate follows
//! llama.cpp of August 2026.
//!
//! - [`Template`] parses and renders a template.
//! - [`ServerTemplate`] does what llama-server does around this: it changes messages before the template sees them.
//! - [`Context`] has the variables: read from JSON, or set one by one.
//! - [`Error`] has a stable code, and the line and column in the template.
//! - [`Limits`] bound each rendering, so that a template from a file of unknown origin cannot hang or exhaust its host.

#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

#[macro_use]
extern crate alloc;

mod builtins;
mod clock;
mod context;
mod error;
mod json;
mod limits;
mod run;
mod server;
mod syntax;
mod template;
mod values;

pub use context::Context;
pub use error::{Error, ErrorKind, Position};
pub use json::value::Json;
pub use limits::Limits;
pub use server::capabilities::Capabilities;
pub use server::notes::Note;
pub use server::prompt::{Prepared, Prompt, ServerTemplate};
pub use template::{Options, Template, Text, TextPart};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
