//! The npm package: wasm-bindgen's output, the module once more as text, the files of `pkg-template/`, the licences.

use crate::{cmd, paths, wasm};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Fills `pkg/` with exactly the files of the package. Files that are right already are left alone, so that nothing
/// that depends on them is built again.
pub fn assemble(bindgen: &Path) -> Result<()> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in fs::read_dir(paths::at("pkg-template"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path())?);
    }
    for name in [format!("{}.js", wasm::NAME), format!("{}.d.ts", wasm::NAME), format!("{}_bg.wasm", wasm::NAME)] {
        let bytes = fs::read(bindgen.join(&name)).with_context(|| name.clone())?;
        files.insert(name, bytes);
    }
    let module = &files[&format!("{}_bg.wasm", wasm::NAME)];
    files.insert(format!("{}_base64.js", wasm::NAME), format!("export default \"{}\";\n", base64(module)).into_bytes());
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"] {
        files.insert(name.into(), fs::read(paths::at(name)).context(name)?);
    }
    let manifest = files.get_mut("package.json").context("pkg-template has no package.json")?;
    *manifest = with_version(&String::from_utf8(std::mem::take(manifest))?)?.into_bytes();

    let pkg = paths::at("pkg");
    fs::create_dir_all(&pkg)?;
    for entry in fs::read_dir(&pkg)? {
        let entry = entry?;
        if !files.contains_key(&*entry.file_name().to_string_lossy()) {
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
    }
    for (name, bytes) in files {
        let path = pkg.join(name);
        if fs::read(&path).ok().as_ref() != Some(&bytes) {
            // In one step: someone may be reading the package.
            let new = pkg.join(format!(".new-{}", std::process::id()));
            fs::write(&new, bytes)?;
            fs::rename(new, path)?;
        }
    }
    Ok(())
}

/// Prints the size of every file, and what one environment loads against the budget. The test of the budget is the same
/// script.
pub fn print_sizes() -> Result<()> {
    cmd::run(cmd::new("node").arg("tests/package/size.mjs"))
}

/// The manifest with the version of the workspace, which is that of this tool.
fn with_version(manifest: &str) -> Result<String> {
    const PLACE: &str = "\"version\": \"0.0.0\"";
    ensure!(manifest.matches(PLACE).count() == 1, "pkg-template/package.json must contain {PLACE} once");
    Ok(manifest.replace(PLACE, &format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"))))
}

/// Bytes as `atob` reads them (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = group.iter().enumerate().fold(0, |bits, (i, &byte)| bits | u32::from(byte) << (16 - 8 * i));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if digit <= group.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_of_the_test_vectors_of_rfc_4648() {
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in vectors {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
