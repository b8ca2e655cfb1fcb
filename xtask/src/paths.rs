//! Paths in the repository.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The root of the repository. Cargo says where it is when it runs this tool: the path at compile time is wrong after a
/// checkout has been moved.
static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("xtask/ lies in the repository").to_owned()
});

/// The root of the repository.
pub fn root() -> &'static Path {
    &ROOT
}

/// The absolute path of a file or folder in the repository. `path` is relative to the root and uses slashes.
pub fn at(path: &str) -> PathBuf {
    root().join(path)
}

/// Cargo's target directory.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| at("target"), |dir| root().join(dir))
}
