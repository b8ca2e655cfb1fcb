//! `cargo xtask msrv`: compiles the crate with the oldest supported compiler, `rust-version` in `Cargo.toml`.

use crate::args::Args;
use crate::{cmd, paths, wasm};
use anyhow::{Context, Result};

pub fn run(args: &[String]) -> Result<()> {
    Args::new(args).end()?;
    let version = version()?;
    let install = ["toolchain", "install", &version, "--profile=minimal", "--target", wasm::TARGET];
    cmd::run(cmd::new("rustup").args(install))
        .with_context(|| format!("Rust {version} is missing, and rustup could not install it"))?;
    for target in [&["--all-features"][..], &["--features=convert", "--target", wasm::TARGET]] {
        let cargo = ["run", &version, "cargo", "check", "--lib", "--target-dir"];
        cmd::run(cmd::new("rustup").args(cargo).arg(paths::target().join("msrv")).args(target))?;
    }
    println!("Rust {version} compiles the crate");
    Ok(())
}

/// `rust-version` of the workspace. This program itself needs a newer compiler.
fn version() -> Result<String> {
    let manifest = std::fs::read_to_string(paths::at("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    Ok(line.context("Cargo.toml has no rust-version")?.trim_matches('"').to_owned())
}
