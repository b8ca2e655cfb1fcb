//! Paths in the repository.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask/ lies in the repository")
}

/// The absolute path of a file or folder in the repository. `path` is relative to the root and uses slashes.
pub fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| at("target"), |dir| root().join(dir))
}
