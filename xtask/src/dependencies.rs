//! The dependencies of the modules, which are compiled once for all modules.
//!
//! Cargo locks a target folder while it builds, so each module has one of its own, and would compile all dependencies again: 56 s of
//! processor time for each module. The reader itself takes 23 s.

use crate::modules::Module;
use crate::wasm;
use anyhow::Result;
use std::fs::{self, File};
use std::path::Path;

/// Compiles the smallest module first if modules have no target folder yet, and copies its folder for them. All modules have the same
/// dependencies, so cargo finds them compiled there.
pub fn share(modules: &[Module]) -> Result<()> {
    let new: Vec<_> = modules.iter().filter(|module| !wasm::target_folder(module).exists()).collect();
    let Some(smallest) = modules.iter().min_by_key(|module| module.budget) else { return Ok(()) };
    if new.len() < 2 {
        return Ok(());
    }
    wasm::compile(smallest)?;
    let compiled = wasm::target_folder(smallest);
    for module in new.into_iter().filter(|module| module.name != smallest.name) {
        let folder = wasm::target_folder(module);
        // A copy that was interrupted is not taken for a whole one.
        let partial = folder.with_extension(std::process::id().to_string());
        copy(&compiled, &partial)?;
        fs::rename(partial, folder)?;
    }
    Ok(())
}

/// Copies a folder with the times of its files, by which cargo finds out what has changed.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            File::options().write(true).open(&target)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}
