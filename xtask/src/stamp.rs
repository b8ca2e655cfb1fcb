//! Skips a build step if its inputs have not changed since its last success.

use crate::paths;
use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// A hash of the inputs of a build step. A file keeps the hash of the last success.
///
/// The hash function may differ between releases of Rust. Then the step runs once more.
pub struct Stamp {
    file: PathBuf,
    hasher: DefaultHasher,
}

impl Stamp {
    /// The stamp of the step `name`.
    pub fn new(name: &str) -> Self {
        Self { file: paths::target().join("xtask").join(name), hasher: DefaultHasher::new() }
    }

    /// Adds an input: a file, or all files below a folder except generated ones. A missing path adds nothing.
    pub fn path(mut self, path: &Path) -> Result<Self> {
        for file in files(path)? {
            file.hash(&mut self.hasher);
            fs::read(&file).with_context(|| file.display().to_string())?.hash(&mut self.hasher);
        }
        Ok(self)
    }

    /// Runs `step`, unless its inputs are unchanged since its last success and all `outputs` exist. Returns whether the
    /// step ran.
    pub fn run(self, outputs: &[&Path], step: impl FnOnce() -> Result<()>) -> Result<bool> {
        let now = format!("{:016x}", self.hasher.finish());
        let last = fs::read_to_string(&self.file).unwrap_or_default();
        if now == last && outputs.iter().all(|output| output.exists()) {
            return Ok(false);
        }
        step()?;
        fs::create_dir_all(self.file.parent().expect("a file has a parent"))?;
        fs::write(&self.file, now)?;
        Ok(true)
    }
}

/// The files at or below a path, sorted. Folders of dependencies and build output are left out.
pub fn files(path: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut left = vec![path.to_owned()];
    while let Some(path) = left.pop() {
        if path.is_file() {
            found.push(path);
        } else if path.is_dir() {
            for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
                let entry = entry?;
                if !["node_modules", "dist", "target"].contains(&&*entry.file_name().to_string_lossy()) {
                    left.push(entry.path());
                }
            }
        }
    }
    found.sort();
    Ok(found)
}
