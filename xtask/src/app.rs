//! The app of `www/`, built with Vite.

use crate::stamp::Stamp;
use crate::{cmd, paths, tools};
use anyhow::Result;

/// Builds `www/dist` from `www/` and `pkg/`; says whether there was anything to do.
pub fn build() -> Result<bool> {
    let www = paths::at("www");
    if !www.join("index.html").exists() {
        return Ok(false);
    }
    tools::npm_packages()?;
    let dist = www.join("dist");
    Stamp::new("app.stamp")
        .path(&www)?
        .path(&paths::at("pkg"))?
        .path(&paths::at("package-lock.json"))?
        .run(&[&dist.join("index.html")], || {
            cmd::run(tools::npm_script("vite/bin/vite.js").args(["build", "--logLevel", "warn"]).arg(&www))
        })
}
