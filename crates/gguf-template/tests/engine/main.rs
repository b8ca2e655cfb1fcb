//! The tests of the crate.

mod corpus;
mod hostile;
mod speed;
