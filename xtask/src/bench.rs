//! `cargo xtask bench`: opening large headers, beside other readers of GGUF, in memory and over a network.

use crate::args::Args;
use crate::stamp::Stamp;
use crate::{build, cmd, headers, paths};
use anyhow::{Result, bail};
use std::fs;

/// The benchmarks: files in `benches/`, which take the folder of the headers.
const BENCHES: [&str; 2] = ["open", "network"];

pub fn run(args: &[String]) -> Result<()> {
    let wanted = Args::new(args).words()?;
    if let Some(unknown) = wanted.iter().find(|name| !BENCHES.contains(&name.as_str())) {
        bail!("no benchmark is called {unknown}: there are {}", BENCHES.join(" and "));
    }
    let dir = paths::target().join("bench");
    Stamp::new("bench.stamp")
        .path(&paths::at("xtask/src/headers.rs"))?
        .path(&paths::at("xtask/src/headers"))?
        .path(&paths::at("xtask/src/sample"))?
        .path(&paths::at("src"))?
        .run(&[&dir], || {
            fs::create_dir_all(&dir)?;
            Ok(headers::write_all(&dir)?)
        })?;
    build::package()?;
    for name in BENCHES.iter().filter(|name| wanted.is_empty() || wanted.iter().any(|word| word == *name)) {
        cmd::run(cmd::new("node").arg("--expose-gc").arg(format!("benches/{name}.mjs")).arg(&dir))?;
    }
    Ok(())
}
