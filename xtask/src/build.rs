//! `cargo xtask build`: the package, then the app that uses it.

use crate::args::Args;
use crate::{app, package, wasm};
use anyhow::Result;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let wasm_only = args.flag("--wasm-only");
    args.end()?;
    package()?;
    if !wasm_only {
        app()?;
    }
    Ok(())
}

/// Builds `pkg/` and prints its sizes.
pub fn package() -> Result<()> {
    let bindgen = wasm::build()?;
    package::assemble(&bindgen)?;
    package::print_sizes()
}

/// Builds `www/dist`.
pub fn app() -> Result<()> {
    if app::build()? {
        println!("app: www/dist");
    }
    Ok(())
}
