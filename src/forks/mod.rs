//! Rows of tensor types that other programs write: `convertForkRows`.

mod convert;
