//! Builds two modules that contain only the kernels, for tests and benchmarks: one scalar, one with simd128.

use crate::stamp::Stamp;
use crate::{cmd, paths, tools, wasm};
use anyhow::Result;
use std::fs;
use std::path::PathBuf;

/// Builds `scalar.wasm` and `simd128.wasm` with the compiler flags of the package, and returns the output folder.
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
        let out = folder.join(format!("{name}.wasm"));
        Stamp::new(&format!("kernels-{name}.stamp"))
            .path(&compiled)?
            .path(&paths::at("xtask/src/wasm.rs"))?
            .path(&paths::at("package-lock.json"))?
            .run(&[&out], || {
                // A test may be reading the module, so it must never see half a file.
                let new = folder.join(format!("new-{}", std::process::id()));
                wasm::optimize(&compiled, &new)?;
                Ok(fs::rename(new, &out)?)
            })?;
    }
    Ok(folder)
}
