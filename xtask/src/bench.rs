//! `cargo xtask bench`: measures how long it takes to open large headers (in memory and over a network, compared with
//! other GGUF readers), to dequantize and to quantize tensors, to compute previews, to explain a header, to open, split and
//! merge shards, to edit a file, to hash one, to compare two models, to render chat templates, and to show
//! a header in the page.

use crate::args::Args;
use crate::stamp::Stamp;
use crate::{build, cmd, headers, kernels, paths, tools};
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;

struct Bench {
    /// The name of the script in `benches/`. Its argument is the folder of the headers.
    name: &'static str,
    prepare: fn(&Path) -> Result<()>,
    in_browser: bool,
}

const BENCHES: [Bench; 13] = [
    Bench { name: "open", prepare: write_headers, in_browser: false },
    Bench { name: "network", prepare: write_headers, in_browser: false },
    Bench { name: "kernels", prepare: |_| kernels::build().map(drop), in_browser: false },
    Bench { name: "quantize", prepare: |_| kernels::build().map(drop), in_browser: false },
    Bench { name: "preview", prepare: |_| Ok(()), in_browser: false },
    Bench { name: "explain", prepare: write_headers, in_browser: false },
    Bench { name: "shards", prepare: write_headers, in_browser: false },
    Bench { name: "files", prepare: |_| Ok(()), in_browser: false },
    Bench { name: "edit", prepare: |_| Ok(()), in_browser: true },
    Bench { name: "hash", prepare: |_| Ok(()), in_browser: false },
    Bench { name: "compare", prepare: |_| Ok(()), in_browser: false },
    Bench { name: "template", prepare: |_| Ok(()), in_browser: true },
    Bench { name: "page", prepare: |dir| build::app().and_then(|()| write_headers(dir)), in_browser: true },
];

pub fn run(args: &[String]) -> Result<()> {
    let wanted = Args::new(args).words()?;
    if let Some(unknown) = wanted.iter().find(|name| BENCHES.iter().all(|bench| bench.name != **name)) {
        bail!("unknown benchmark {unknown}: choose from {}", BENCHES.map(|bench| bench.name).join(", "));
    }
    let dir = paths::target().join("bench");
    fs::create_dir_all(&dir)?;
    build::package()?;
    for Bench { name, prepare, in_browser } in BENCHES {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            prepare(&dir)?;
            let mut command = cmd::new("node");
            command.arg("--expose-gc").arg(format!("benches/{name}.mjs")).arg(&dir);
            cmd::run(if in_browser { tools::with_browser(&mut command)? } else { &mut command })?;
        }
    }
    Ok(())
}

fn write_headers(dir: &Path) -> Result<()> {
    Stamp::new("bench.stamp")
        .path(&paths::at("xtask/src/headers.rs"))?
        .path(&paths::at("xtask/src/headers"))?
        .path(&paths::at("xtask/src/sample"))?
        .path(&paths::at("src"))?
        .path(&paths::at("crates"))?
        .run(&[&dir.join("llama3.gguf")], || Ok(headers::write_all(dir)?))
        .map(drop)
}
