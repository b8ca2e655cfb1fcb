//! The findings of the checks.

pub(crate) mod findings;
