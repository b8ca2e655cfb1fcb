//! Makes the scripts of the modules with a bundler, once all modules are built: a script knows what only other entries have.

use crate::modules::Module;
use crate::stamp::Stamp;
use crate::{cmd, paths};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// Writes the script of each module and its types to the folder of its build.
pub fn build(modules: &[Module], builds: &[PathBuf]) -> Result<()> {
    let others = paths::target().join("xtask/other-entries.json");
    fs::write(&others, other_entries(modules, builds)?)?;
    for (Module { name, folder, .. }, out) in modules.iter().zip(builds) {
        let mut stamp = Stamp::new(&format!("{name}-script.stamp")).path(&others)?;
        for made in [
            "imports.json".into(),
            "exports.json".into(),
            format!("{name}.js"),
            format!("{name}.d.ts"),
            format!("{name}_bg.js"),
        ] {
            stamp = stamp.path(&out.join("bindings").join(made))?;
        }
        for input in ["pkg-template/glue", "xtask/bundle.mjs", "xtask/break-lines.mjs", "package-lock.json"] {
            stamp = stamp.path(&paths::at(input))?;
        }
        let made = [".js", ".d.ts", "_api.js", "_api.d.ts"].map(|end| out.join(format!("{name}{end}")));
        let made: Vec<_> = made.iter().map(PathBuf::as_path).collect();
        stamp.run(&made, || {
            cmd::run(cmd::new("node").arg("xtask/bundle.mjs").arg(out).arg(name).arg(&others).arg(folder))
        })?;
    }
    Ok(())
}

/// What `xtask/entries.mjs` prints: for each module, the members that only other entries have, and the declarations that several have.
fn other_entries(modules: &[Module], builds: &[PathBuf]) -> Result<String> {
    let mut sorted: Vec<_> = modules.iter().zip(builds).collect();
    sorted.sort_by_key(|(module, _)| module.budget);
    let described: Vec<Value> = sorted
        .into_iter()
        .map(|(Module { name, folder, entry, .. }, build)| {
            json!({ "name": name, "folder": folder, "entry": entry, "types": build.join(format!("bindings/{name}.d.ts")) })
        })
        .collect();
    cmd::output(cmd::new("node").arg("xtask/entries.mjs").arg(serde_json::to_string(&described)?))
        .context("xtask/entries.mjs")
}
