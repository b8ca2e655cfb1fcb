//! The kernels alone as modules, one scalar and one with simd128, for the tests and benchmarks of kernels.

use crate::{cmd, paths, tools, wasm};
use anyhow::Result;
use std::fs;
use std::path::PathBuf;

/// Builds `scalar.wasm` and `simd128.wasm` with all that the package's module is built with; the folder that is
/// returned holds them.
pub fn build() -> Result<PathBuf> {
    tools::target(wasm::TARGET)?;
    tools::npm_packages()?;
    let folder = paths::target().join("kernels");
    for (name, feature) in [("scalar", "-simd128"), ("simd128", "+simd128")] {
        let target = folder.join(name);
        cmd::run(
            cmd::cargo()
                .args(["build", "--quiet", "--profile=wasm", "--package=kernels", "--target", wasm::TARGET])
                .args(["--config", &wasm::rustflags(&["-C", &format!("target-feature={feature}")])])
                .arg("--target-dir")
                .arg(&target),
        )?;
        let compiled = target.join(wasm::TARGET).join("wasm/kernels.wasm");
        // In one step: a test may be reading the module.
        let new = folder.join(format!("new-{}", std::process::id()));
        wasm::optimize(&compiled, &new)?;
        fs::rename(new, folder.join(format!("{name}.wasm")))?;
    }
    Ok(folder)
}
