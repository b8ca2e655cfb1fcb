//! Tests that take long run in a short form, unless `cargo xtask test --long` runs them.

/// The first value in a long run, otherwise the second.
pub fn in_long<T>(long: T, short: T) -> T {
    if std::env::var_os("GGUF_LONG").is_some() { long } else { short }
}
