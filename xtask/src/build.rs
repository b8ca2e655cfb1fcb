//! `cargo xtask build`: builds the npm package, then the app that uses it. With `--features`, it builds a package whose only
//! module has the chosen features. With `--quick`, it builds modules for trying a change.

use crate::args::Args;
use crate::modules::{self, Module};
use crate::{app, dependencies, package, paths, scripts, tools, viewer_package, wasm};
use anyhow::{Result, ensure};
use std::path::PathBuf;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let wasm_only = args.flag("--wasm-only");
    let features = args.option("--features")?;
    if args.flag("--quick") {
        return quick_package(&args.words()?);
    }
    args.end()?;
    if let Some(features) = features {
        return package_of(&features);
    }
    package()?;
    if wasm_only { Ok(()) } else { app() }
}

/// Builds `pkg/` and prints the sizes of the modules.
pub fn package() -> Result<()> {
    let shipped: Vec<_> = modules::list()?.into_iter().filter(|module| module.shipped).collect();
    package::assemble(&paths::at("pkg"), &shipped, &build(&shipped)?)?;
    package::print_sizes()
}

/// Builds `pkg/` with quickly compiled modules: all, or those of `entries`. The others are those of the last build.
fn quick_package(entries: &[String]) -> Result<()> {
    let mut shipped: Vec<_> = modules::list()?.into_iter().filter(|module| module.shipped).collect();
    for entry in entries {
        ensure!(shipped.iter().any(|module| module.entry == *entry), "no module has the entry {entry}");
    }
    for module in &mut shipped {
        let is_chosen = entries.is_empty() || entries.contains(&module.entry);
        module.is_quick = is_chosen || !wasm::output_folder(module).exists();
    }
    let outputs: Vec<_> = shipped.iter().map(wasm::output_folder).collect();
    let quick: Vec<_> = shipped.iter().filter(|module| module.is_quick).cloned().collect();
    compile(&quick)?;
    scripts::build(&shipped, &outputs)?;
    package::assemble(&paths::at("pkg"), &shipped, &outputs)
}

/// Builds `target/own-package/`, a package without the command line whose entry `gguf-wasm` has these features.
fn package_of(features: &str) -> Result<()> {
    let features = features.split(',').map(|feature| feature.trim().to_owned()).collect();
    let module = Module {
        entry: "gguf-wasm".into(),
        name: "gguf_wasm".into(),
        folder: String::new(),
        features,
        budget: u64::MAX,
        has_small_bindings: false,
        inline: true,
        loaded: false,
        shipped: false,
        is_quick: false,
    };
    let modules = [module];
    let folder = paths::target().join("own-package");
    package::assemble(&folder, &modules, &build(&modules)?)?;
    println!("package: {}", folder.display());
    Ok(())
}

/// Builds modules and their scripts. Returns their folders.
fn build(modules: &[Module]) -> Result<Vec<PathBuf>> {
    let builds = compile(modules)?;
    scripts::build(modules, &builds)?;
    Ok(builds)
}

/// Builds modules side by side. Returns their folders.
fn compile(modules: &[Module]) -> Result<Vec<PathBuf>> {
    tools::target(wasm::TARGET)?;
    tools::npm_packages()?;
    let entries: Vec<&str> = modules.iter().map(|module| &*module.entry).collect();
    println!("modules: {} (if nothing is built yet, this takes some minutes)", entries.join(", "));
    dependencies::share(modules)?;
    std::thread::scope(|scope| {
        let builds: Vec<_> = modules.iter().map(|module| scope.spawn(|| wasm::build(module))).collect();
        builds.into_iter().map(|build| build.join().expect("a build does not panic")).collect()
    })
}

/// Builds `www/dist` and `pkg-viewer/`.
pub fn app() -> Result<()> {
    if app::build()? {
        println!("app: www/dist");
    }
    if viewer_package::build()? {
        println!("element: pkg-viewer");
    }
    Ok(())
}
