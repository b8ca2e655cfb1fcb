//! Builds `pkg-viewer/`, the npm package of the element `<gguf-viewer>`.

use crate::stamp::Stamp;
use crate::{addresses, app, cmd, paths, tools};
use anyhow::Result;
use std::fs;

/// Builds the package from `www/`, `viewer-template/` and `pkg/`, unless it is up to date. Returns whether it was built.
pub fn build() -> Result<bool> {
    tools::npm_packages()?;
    let mut stamp = Stamp::new("viewer.stamp");
    for input in ["www", "viewer-template", "pkg", "package-lock.json", "Cargo.lock"] {
        stamp = stamp.path(&paths::at(input))?;
    }
    let manifest = paths::at("pkg-viewer/package.json");
    stamp.run(&[&manifest], || {
        cmd::run(cmd::new("node").arg(paths::at("www/package.mjs")).env("GGUF_CRATES", app::crates()?))?;
        Ok(fs::write(&manifest, addresses::inserted(&fs::read_to_string(&manifest)?)?)?)
    })
}
