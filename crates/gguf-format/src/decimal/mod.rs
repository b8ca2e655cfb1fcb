//! The text of a number, and the number of a text, with integers of any length.
//!
//! The standard library has tables for both, which no compression makes smaller, and more code: with it, a module that reads numbers is
//! 13 kB larger, and one that writes them 6 kB. Only edits, exports, options of conversions and chat templates have such texts. Tests hold
//! both equal. `docs/decisions.md` has the times.

mod integer;
mod read;
mod write;

pub use read::{float32, float64};
pub use write::{Digits, fixed, parts, plain, scientific, shortest32, shortest64};
