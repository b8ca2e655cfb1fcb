//! Builds the crate as a WebAssembly module with its JavaScript: cargo, wasm-bindgen, wasm-opt, a minifier.

use crate::modules::Module;
use crate::stamp::Stamp;
use crate::{cmd, glue, paths, tools};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

pub const TARGET: &str = "wasm32-unknown-unknown";

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

/// The size, in units of LLVM, up to which functions are inlined. With the default of opt-level 3, which is 250, the main
/// module is 16 kB larger gzipped (7 %), the reader 6 kB, and the kernels are the same: their helpers are marked
/// `#[inline(always)]`.
const INLINE_THRESHOLD: u32 = 75;

/// Builds a module. The folder that is returned holds its script, its types and the WebAssembly file:
/// `gguf_wasm.js`, `gguf_wasm.d.ts` and `gguf_wasm_bg.wasm`.
pub fn build(module: &Module) -> Result<PathBuf> {
    // Each module has a target folder of its own, so that they can be built at the same time.
    let target = paths::target().join("modules").join(&module.name);
    let mut cargo = cmd::cargo();
    cargo.arg("rustc");
    if let Some(home) = cargo_home() {
        cargo.args(["--config", &rustflags(&[&remap(&home.to_string_lossy())])]);
    }
    cmd::run(
        cargo
            .args(["--quiet", "--profile=wasm", "--target", TARGET, "--lib", "--crate-type=cdylib"])
            .arg(format!("--features={}", module.features.join(",")))
            .arg("--target-dir")
            .arg(&target)
            .arg("--")
            // For `src/web/interop/boundary.js`, which restores the stack pointer after an exception.
            .arg("-Clink-arg=--export=__stack_pointer")
            .arg(format!("-Cllvm-args=-inline-threshold={INLINE_THRESHOLD}")),
    )?;
    let compiled = target.join(TARGET).join("wasm/gguf_wasm.wasm");
    let out = paths::target().join("xtask/bindgen").join(&module.name);
    Stamp::new(&format!("{}.stamp", module.name))
        .path(&compiled)?
        .path(&paths::at("xtask/src/wasm.rs"))?
        .path(&paths::at("xtask/src/glue.rs"))?
        .path(&paths::at("src/web/interop/boundary.js"))?
        .path(&paths::at("xtask/minify.mjs"))?
        .path(&paths::at("package-lock.json"))?
        .run(&[&out], || {
            // In a new folder first, so that a build that stops half-way leaves nothing that looks finished.
            let new = out.with_extension(std::process::id().to_string());
            generate(&compiled, &module.name, &new)?;
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            Ok(fs::rename(&new, &out)?)
        })?;
    Ok(out)
}

/// Where cargo keeps the sources of dependencies.
fn cargo_home() -> Option<PathBuf> {
    // rustup sets the variable; a cargo without it may rely on the default.
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// A flag for rustc that leaves a folder out of the module. Panics name source files: without the folders of whoever
/// builds it the module is the same everywhere.
fn remap(home: &str) -> String {
    format!("--remap-path-prefix={home}=cargo")
}

/// Configuration for cargo: more flags for rustc, after those in `.cargo/config.toml`. `RUSTFLAGS` in the environment
/// would take the place of all that are configured.
pub fn rustflags(flags: &[&str]) -> String {
    let quoted = |flag: &&str| format!("\"{}\"", flag.replace('\\', r"\\").replace('"', r#"\""#));
    format!("target.{TARGET}.rustflags=[{}]", flags.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// Has wasm-opt make a module smaller and faster.
pub fn optimize(module: &Path, out: &Path) -> Result<()> {
    cmd::run(
        tools::npm_script("binaryen/bin/wasm-opt")
            .arg(module)
            .arg("-o")
            .arg(out)
            .args(["-O3", "--strip-producers", "--strip-target-features"])
            .args(FEATURES),
    )
}

fn generate(compiled: &Path, name: &str, out: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(compiled)
        .out_name(name)
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
    let module = out.join(format!("{name}_bg.wasm"));
    let script = out.join(format!("{name}.js"));
    glue::guard_exports(&script)?;
    glue::remove_generated_free(&script, &out.join(format!("{name}.d.ts")))?;
    optimize(&module, &module)?;
    cmd::run(cmd::new("node").arg("xtask/minify.mjs").arg(&script))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_path_is_a_string_of_toml() {
        let flag = |home| rustflags(&[&remap(home)]).split_once('=').map(|(_, flags)| flags.to_owned()).unwrap();
        assert_eq!(flag("/home/o'neil/.cargo"), r#"["--remap-path-prefix=/home/o'neil/.cargo=cargo"]"#);
        assert_eq!(flag(r#"C:\new "home""#), r#"["--remap-path-prefix=C:\\new \"home\"=cargo"]"#);
    }
}
