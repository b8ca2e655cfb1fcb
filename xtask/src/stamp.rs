//! Steps that are skipped while what they read is unchanged.

use crate::paths;
use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The fingerprint of a step's inputs, beside the one that its last success left.
///
/// The hash is std's, which may differ between releases of Rust: the step then runs once more.
pub struct Stamp {
    file: PathBuf,
    hasher: DefaultHasher,
}

impl Stamp {
    /// The stamp of the step `name`.
    pub fn new(name: &str) -> Self {
        Self { file: paths::target().join("xtask").join(name), hasher: DefaultHasher::new() }
    }

    /// Takes in a file, or every file below a folder but what is generated there. What is missing counts as empty.
    pub fn path(mut self, path: &Path) -> Result<Self> {
        for file in files(path)? {
            file.hash(&mut self.hasher);
            fs::read(&file).with_context(|| file.display().to_string())?.hash(&mut self.hasher);
        }
        Ok(self)
    }

    /// Runs `step` unless its inputs are those of its last success and `outputs` all exist. Says whether it ran.
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

/// The files at or below a path, sorted; dependencies and build output left out.
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
