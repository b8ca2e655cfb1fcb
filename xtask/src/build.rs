//! `cargo xtask build`: builds the npm package, then the app that uses it. With `--features`, it builds a package whose only
//! module has the chosen features.

use crate::args::Args;
use crate::modules::{self, Module};
use crate::{app, dependencies, package, paths, tools, wasm};
use anyhow::Result;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let wasm_only = args.flag("--wasm-only");
    let features = args.option("--features")?;
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

/// Builds `target/own-package/`, a package without the command line whose entry `gguf-wasm` has these features.
fn package_of(features: &str) -> Result<()> {
    let features = features.split(',').map(|feature| feature.trim().to_owned()).collect();
    let module = Module {
        entry: "gguf-wasm".into(),
        name: "gguf_wasm".into(),
        folder: String::new(),
        features,
        budget: u64::MAX,
        shipped: false,
    };
    let modules = [module];
    let folder = paths::target().join("own-package");
    package::assemble(&folder, &modules, &build(&modules)?)?;
    println!("package: {}", folder.display());
    Ok(())
}

/// Builds modules side by side. Returns their folders.
fn build(modules: &[Module]) -> Result<Vec<std::path::PathBuf>> {
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

/// Builds `www/dist`.
pub fn app() -> Result<()> {
    if app::build()? {
        println!("app: www/dist");
    }
    Ok(())
}
