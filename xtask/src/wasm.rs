//! Builds a WebAssembly module with cargo, wasm-bindgen and wasm-opt.

use crate::modules::Module;
use crate::stamp::Stamp;
use crate::{cmd, memory_steps, paths, tools};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, mem};
use wasm_bindgen_cli_support::{Bindgen, EncodeInto};

pub const TARGET: &str = "wasm32-unknown-unknown";

/// The WebAssembly features that wasm-opt may use: the default features of rustc for this target, and simd128. With more
/// features, a browser that supports only these would refuse the module.
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

/// The target folder of a module. Each module has its own, so that modules can be compiled in parallel.
pub fn target_folder(module: &Module) -> PathBuf {
    paths::target().join("modules").join(&module.name)
}

/// Compiles a module, and returns the file that the compiler writes.
pub fn compile(module: &Module) -> Result<PathBuf> {
    let target = target_folder(module);
    let mut cargo = cmd::cargo();
    cargo.arg("rustc");
    let mut remapped = CRATES.map(|name| remap(&format!("crates/gguf-{name}/src"), name)).to_vec();
    if let Some(home) = cargo_home() {
        remapped.push(remap(&home.to_string_lossy(), "cargo"));
    }
    cargo.args(["--config", &rustflags(&remapped.iter().map(String::as_str).collect::<Vec<_>>())]);
    if module.has_small_bindings {
        cargo.args(["--config", "profile.wasm.package.gguf-wasm.opt-level=\"z\""]);
    }
    cmd::run(
        cargo
            .args(["--quiet", "--profile", module.profile(), "--target", TARGET, "--lib", "--crate-type=cdylib"])
            .arg(format!("--features={}", module.features.join(",")))
            // Messages name the entry for programs with a file system.
            .env("GGUF_WASM_NODE_ENTRY", format!("{}/node", module.entry))
            .arg("--target-dir")
            .arg(&target)
            // `pkg-template/glue/boundary.js` restores the stack pointer after an exception.
            .args(["--", "-Clink-arg=--export=__stack_pointer"]),
    )?;
    Ok(target.join(TARGET).join(module.profile()).join("gguf_wasm.wasm"))
}

/// Builds a module and returns the output folder. For the main module the folder contains `gguf_wasm_bg.wasm`, and
/// `bindings`, of which [`scripts`](crate::scripts) makes the script and the types.
pub fn build(module: &Module) -> Result<PathBuf> {
    let compiled = compile(module)?;
    let out = output_folder(module);
    Stamp::new(&format!("{}.stamp", module.name))
        .path(&compiled)?
        .path(&paths::at("xtask/src/wasm.rs"))?
        .path(&paths::at("xtask/src/memory_steps.rs"))?
        .path(&paths::at("xtask/order.mjs"))?
        .path(&paths::at("package-lock.json"))?
        .run(&[&out], || {
            // Generate into a temporary folder, so that an interrupted build leaves no incomplete output folder.
            let new = out.with_extension(std::process::id().to_string());
            generate(&compiled, module, &new)?;
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            Ok(fs::rename(&new, &out)?)
        })?;
    Ok(out)
}

/// The folder of what `build` makes of a module.
pub fn output_folder(module: &Module) -> PathBuf {
    paths::target().join("xtask/bindgen").join(&module.name)
}

/// The folder in which cargo keeps the sources of dependencies.
fn cargo_home() -> Option<PathBuf> {
    // rustup sets the variable. Without rustup, cargo uses the default folder.
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// The crates whose folders have short names in panic messages: the installed package is 10 kB smaller.
const CRATES: [&str; 6] = ["format", "models", "files", "convert", "legacy", "template"];

/// A rustc flag that replaces the path of a folder in panic messages. Without cargo's home folder there, the module is the same on every
/// machine.
fn remap(folder: &str, name: &str) -> String {
    format!("--remap-path-prefix={folder}={name}")
}

/// A value for `cargo --config` that adds rustc flags to those in `.cargo/config.toml`. The environment variable
/// `RUSTFLAGS` would replace all configured flags.
pub fn rustflags(flags: &[&str]) -> String {
    let quoted = |flag: &&str| format!("\"{}\"", flag.replace('\\', r"\\").replace('"', r#"\""#));
    format!("target.{TARGET}.rustflags=[{}]", flags.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// Optimises a module with wasm-opt.
///
/// `--low-memory-unused` moves additions into the offsets of loads and stores; it assumes that the module does not use the first 1024
/// bytes of its memory. They are the last of the stack of 1 MiB, which grows down to address 0. `--converge` repeats the passes until
/// nothing changes: for small modules only, because it takes 28 s for a large one and saves 0.1 %. For those, `--gufa` (which values reach
/// which places), `--dae-optimizing` (arguments that nobody uses) and `-O3` after each save as much in some seconds.
///
/// `--dealign` gives all loads and stores the same hint about their alignment, which changes nothing in what they do.
///
/// Functions that have much in common are put beside each other, where gzip finds it: it looks 32 KiB back. `order.mjs` names them in this
/// order. This saves 0.6 kB of the reader, and 13 kB of `gguf-wasm/full`.
pub fn optimize(module: &Path, out: &Path) -> Result<()> {
    let is_large = fs::metadata(module)?.len() > 3 << 18;
    cmd::run(
        wasm_opt(module, out)
            .args(["-O3", "--low-memory-unused"])
            .args(if is_large { &["--gufa", "-O3", "--dae-optimizing", "-O3"][..] } else { &["--converge"] })
            .args(["--dealign", "--strip-debug", "--strip-producers", "--strip-target-features"]),
    )?;
    let named = out.with_extension("named.wasm");
    cmd::run(cmd::new("node").arg("xtask/order.mjs").arg(out).arg(&named))?;
    cmd::run(wasm_opt(&named, out).arg("--reorder-functions-by-name"))?;
    Ok(fs::remove_file(named)?)
}

/// The command that reads a module and writes another one.
fn wasm_opt(module: &Path, out: &Path) -> Command {
    let mut command = tools::npm_script("binaryen/bin/wasm-opt");
    command.arg(module).arg("-o").arg(out).args(FEATURES);
    command
}

/// Writes the module and its types to `out`. The output of wasm-bindgen stays in a folder there.
fn generate(compiled: &Path, module: &Module, out: &Path) -> Result<()> {
    let name = &module.name;
    let mut output = Bindgen::new()
        .input_path(compiled)
        .out_name(name)
        .bundler(true)?
        .typescript(true)
        // Results get the type `Uint8Array<ArrayBuffer>`. TypeScript does not accept a plain `Uint8Array` as a `BlobPart`.
        .ts_typed_array_buffers(true)
        // Every engine that supports simd128 has `TextEncoder.encodeInto`.
        .encode_into(EncodeInto::Always)
        // The names tell what the parts of a module are. `optimize` removes them.
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate_output()
        .context("wasm-bindgen")?;
    memory_steps::grow_in_large_steps(output.wasm_mut())?;
    let bindings = out.join("bindings");
    let imports = number_imports(output.wasm_mut());
    let exports = number_exports(output.wasm_mut());
    output.emit(&bindings).context("wasm-bindgen")?;
    fs::write(bindings.join("imports.json"), serde_json::to_string(&imports)?)?;
    fs::write(bindings.join("exports.json"), serde_json::to_string(&exports)?)?;
    let wasm = format!("{name}_bg.wasm");
    if module.is_quick {
        fs::rename(bindings.join(&wasm), out.join(&wasm))?;
        return Ok(());
    }
    optimize(&bindings.join(&wasm), &out.join(&wasm))
}

/// Replaces the names of imports by their numbers, and returns the modules and names that they had. The script lists the functions in
/// this order.
///
/// wasm-bindgen ends each name with a hash, because the crates that a module is made of choose names without knowing of each other.
/// Hashes and names can hardly be compressed: with them, the reader has 4.4 kB more, and the main module 6 kB.
fn number_imports(module: &mut walrus::Module) -> Vec<(String, String)> {
    let number = |(number, import): (usize, &mut walrus::Import)| {
        (mem::replace(&mut import.module, "h".into()), mem::replace(&mut import.name, number.to_string()))
    };
    module.imports.iter_mut().enumerate().map(number).collect()
}

/// Replaces the names of exports by a letter and their numbers, and returns the new names by those that they had. `bundle.mjs` writes them
/// into the script, which says by the letter what guards a call (`pkg-template/glue/boundary.js`): `c` for closures, `f` for what frees
/// objects. Names that begin with `__`, and those of the boundary, stay.
///
/// This saves 0.6 kB of the reader, and 1.8 kB of `gguf-wasm/full`.
fn number_exports(module: &mut walrus::Module) -> BTreeMap<String, String> {
    let mut numbers = 0..;
    let mut renamed = BTreeMap::new();
    for export in module.exports.iter_mut() {
        let name = &export.name;
        let letter = match () {
            () if name.starts_with("wasm_bindgen__convert__closures") => 'c',
            () if name.starts_with("__wbg_") || name.ends_with("__release") => 'f',
            () if name.starts_with("__") || OF_BOUNDARY.contains(&&**name) => continue,
            () => 'e',
        };
        let short = format!("{letter}{}", numbers.next().unwrap_or_default());
        renamed.insert(mem::replace(&mut export.name, short.clone()), short);
    }
    renamed
}

/// The exports that `boundary.js` calls by their names.
const OF_BOUNDARY: [&str; 3] = ["memory", "hasRoom", "takenBytes"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_quotes_or_backslashes_becomes_a_valid_toml_string() {
        let flag =
            |home| rustflags(&[&remap(home, "cargo")]).split_once('=').map(|(_, flags)| flags.to_owned()).unwrap();
        assert_eq!(flag("/home/o'neil/.cargo"), r#"["--remap-path-prefix=/home/o'neil/.cargo=cargo"]"#);
        assert_eq!(flag(r#"C:\new "home""#), r#"["--remap-path-prefix=C:\\new \"home\"=cargo"]"#);
    }
}
