//! `cargo xtask msrv`: compiles the crate with the oldest supported compiler, `rust-version` in `Cargo.toml`.

use crate::args::Args;
use crate::{cmd, paths, wasm};
use anyhow::{Context, Result};

/// The workspace has one `rust-version`.
const VERSION: &str = env!("CARGO_PKG_RUST_VERSION");

pub fn run(args: &[String]) -> Result<()> {
    Args::new(args).end()?;
    let install = ["toolchain", "install", VERSION, "--profile=minimal", "--target", wasm::TARGET];
    cmd::run(cmd::new("rustup").args(install))
        .with_context(|| format!("Rust {VERSION} is missing, and rustup could not install it"))?;
    for target in [&["--all-features"][..], &["--features=convert", "--target", wasm::TARGET]] {
        let cargo = ["run", VERSION, "cargo", "check", "--lib", "--target-dir"];
        cmd::run(cmd::new("rustup").args(cargo).arg(paths::target().join("msrv")).args(target))?;
    }
    println!("Rust {VERSION} compiles the crate");
    Ok(())
}
