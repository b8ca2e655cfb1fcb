//! The crate as a WebAssembly module with its JavaScript: cargo, wasm-bindgen, wasm-opt, a minifier.

use crate::stamp::Stamp;
use crate::{cmd, imports, paths, tools};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

const TARGET: &str = "wasm32-unknown-unknown";

/// What wasm-bindgen calls its output.
pub const NAME: &str = "gguf_wasm";

/// What rustc uses by default for this target, and simd128: no more than that, or a browser that has these would refuse
/// the module for something that wasm-opt added.
const FEATURES: [&str; 8] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-reference-types",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-multivalue",
];

/// Builds the module; the folder that is returned holds `gguf_wasm.js`, `gguf_wasm.d.ts` and `gguf_wasm_bg.wasm`.
pub fn build() -> Result<PathBuf> {
    tools::target(TARGET)?;
    tools::npm_packages()?;
    // Panics name source files: without the folders of whoever builds it the module is the same everywhere.
    let home = std::env::var("CARGO_HOME").context("cargo and rustup set CARGO_HOME")?;
    let remap = format!("target.{TARGET}.rustflags=['--remap-path-prefix={home}=cargo']");
    cmd::run(cmd::cargo().args([
        "rustc",
        "--config",
        &remap,
        "--quiet",
        "--profile=wasm",
        "--target",
        TARGET,
        "--features=web",
        "--lib",
        "--crate-type=cdylib",
    ]))?;
    let compiled = paths::target().join(TARGET).join("wasm").join(format!("{NAME}.wasm"));
    let out = paths::target().join("xtask/bindgen");
    Stamp::new("wasm.stamp")
        .path(&compiled)?
        .path(&paths::at("xtask/src/wasm.rs"))?
        .path(&paths::at("xtask/src/imports.rs"))?
        .path(&paths::at("xtask/minify.mjs"))?
        .path(&paths::at("package-lock.json"))?
        .run(&[&out], || {
            // Made aside, so that what stops half-way leaves nothing that looks finished.
            let new = paths::target().join(format!("xtask/bindgen-{}", std::process::id()));
            generate(&compiled, &new)?;
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            Ok(fs::rename(&new, &out)?)
        })?;
    Ok(out)
}

fn generate(compiled: &Path, out: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(compiled)
        .out_name(NAME)
        .web(true)?
        .typescript(true)
        // Results are `Uint8Array<ArrayBuffer>`: without it TypeScript refuses them where a `BlobPart` is asked for.
        .ts_typed_array_buffers(true)
        // Every engine that runs the module has `TextEncoder.encodeInto`.
        .encode_into(EncodeInto::Always)
        // The loaders say where the module is, each in the way that its environment and bundlers understand.
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out)
        .context("wasm-bindgen")?;
    let module = out.join(format!("{NAME}_bg.wasm"));
    let script = out.join(format!("{NAME}.js"));
    imports::shorten(&module, &script)?;
    cmd::run(
        tools::npm_script("binaryen/bin/wasm-opt")
            .arg(&module)
            .arg("-o")
            .arg(&module)
            .args(["-O3", "--strip-producers", "--strip-target-features"])
            .args(FEATURES),
    )?;
    cmd::run(cmd::new("node").arg("xtask/minify.mjs").arg(&script))
}
