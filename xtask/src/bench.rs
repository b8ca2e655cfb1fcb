//! `cargo xtask bench`: opening large headers, beside other readers of GGUF.

use crate::args::Args;
use crate::stamp::Stamp;
use crate::{build, cmd, headers, paths};
use anyhow::Result;
use std::fs;

pub fn run(args: &[String]) -> Result<()> {
    Args::new(args).end()?;
    let dir = paths::target().join("bench");
    Stamp::new("bench.stamp")
        .path(&paths::at("xtask/src/headers.rs"))?
        .path(&paths::at("xtask/src/sample"))?
        .path(&paths::at("src"))?
        .run(&[&dir], || {
            fs::create_dir_all(&dir)?;
            Ok(headers::write_all(&dir)?)
        })?;
    build::package()?;
    cmd::run(cmd::new("node").args(["--expose-gc", "benches/open.mjs"]).arg(&dir))
}
