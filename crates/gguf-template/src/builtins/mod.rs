//! The functions of the engine: one table for each type, for tests, and for functions.
//!
//! A filter is a method of the type of its value: `x|upper` and `x.upper()` are the same function.

pub(crate) mod absent;
pub(crate) mod arguments;
pub(crate) mod dict;
pub(crate) mod globals;
pub(crate) mod indent;
pub(crate) mod list;
pub(crate) mod methods;
pub(crate) mod number;
pub(crate) mod order;
pub(crate) mod select;
pub(crate) mod slice;
pub(crate) mod split;
pub(crate) mod table;
pub(crate) mod tests;
pub(crate) mod text;
pub(crate) mod tojson;
