//! How the types of results are declared: once, for Rust and for JavaScript.
//!
//! - `result`: structs, which are objects in JavaScript
//! - `names`: enums, which are names in JavaScript
//! - `given_as`: other types
//! - `host`: how a value is given to JavaScript, without knowing JavaScript
//! - `typescript`: the texts of TypeScript declarations

mod given_as;
#[cfg(feature = "web")]
pub(crate) mod host;
mod names;
mod result;
#[cfg(feature = "web")]
pub(crate) mod typescript;

pub(crate) use given_as::{given_as, shown_as_text};
pub(crate) use names::names;
pub(crate) use result::result;
