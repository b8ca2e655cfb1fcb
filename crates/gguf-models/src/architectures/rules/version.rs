//! The version of llama.cpp whose rules these are.

/// The version of llama.cpp whose rules these are.
pub const RULES_VERSION: &str = "llama.cpp of October 2026 (b11549, 2026-10-10)";

/// What a message says about a name or a number that the rules do not have.
pub(crate) const UNKNOWN: &str = "unknown, perhaps newer than llama.cpp b11549 (October 2026)";
