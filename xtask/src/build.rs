//! `cargo xtask build`: builds the npm package, then the app that uses it.

use crate::args::Args;
use crate::{app, modules, package, tools, wasm};
use anyhow::Result;

pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let wasm_only = args.flag("--wasm-only");
    args.end()?;
    if wasm_only {
        return package(Modules::Shipped);
    }
    package(Modules::All)?;
    app()
}

/// Which modules to build.
#[derive(PartialEq)]
pub enum Modules {
    /// The modules that the package contains.
    Shipped,
    All,
}

/// Builds `pkg/` and prints the sizes of the modules.
pub fn package(wanted: Modules) -> Result<()> {
    tools::target(wasm::TARGET)?;
    tools::npm_packages()?;
    let mut modules = modules::list()?;
    modules.retain(|module| module.shipped || wanted == Modules::All);
    let built = std::thread::scope(|scope| {
        let builds: Vec<_> = modules.iter().map(|module| scope.spawn(|| wasm::build(module))).collect();
        builds.into_iter().map(|build| build.join().expect("a build does not panic")).collect::<Result<Vec<_>>>()
    })?;
    package::assemble(modules.iter().zip(built).filter(|(module, _)| module.shipped))?;
    package::print_sizes()
}

/// Builds `www/dist`.
pub fn app() -> Result<()> {
    if app::build()? {
        println!("app: www/dist");
    }
    Ok(())
}
