//! How the types of results are declared: once, for Rust and for JavaScript.
//!
//! - `result`: structs, which are objects in JavaScript
//! - `names`: enums, which are names in JavaScript
//! - `given_as`: other types
//! - `value`: how values are given to JavaScript, by serde
//! - `typescript`: the texts of TypeScript declarations

mod given_as;
mod names;
mod result;
#[cfg(feature = "web")]
pub(crate) mod typescript;
#[cfg(feature = "web")]
pub(crate) mod value;

pub(crate) use given_as::{given_as, shown_as_text};
pub(crate) use names::names;
pub(crate) use result::result;
