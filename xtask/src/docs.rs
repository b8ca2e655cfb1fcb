//! `cargo xtask docs`: builds the documentation site. `docs/site` has its pages, and the scripts that make others of the tables of the crates, of
//! the declarations of the package and of the documents of the repository. If the app is built, the site is copied into its folder, too.

use crate::args::Args;
use crate::stamp::{self, Stamp};
use crate::{build, cmd, dependencies, paths, tools};
use anyhow::{Context, Result};
use std::fs;

/// What the pages are made of, besides the tables and the declarations of the package.
const SOURCES: [&str; 9] = [
    "docs",
    "package-lock.json",
    "pkg-template/README.md",
    "www/README.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE-MIT",
];

pub fn run(args: &[String]) -> Result<()> {
    Args::new(args).end()?;
    build::package()?;
    build()?;
    // Its pages link to the site.
    let app = paths::at("www/dist");
    if app.exists() {
        let beside = app.join("docs");
        if beside.exists() {
            fs::remove_dir_all(&beside)?;
        }
        dependencies::copy(&paths::target().join("docs"), &beside)?;
    }
    println!("docs: target/docs/index.html");
    Ok(())
}

/// Builds the site of the package that is in `pkg/`, unless nothing has changed.
pub fn build() -> Result<()> {
    tools::npm_packages()?;
    let site = paths::target().join("docs");
    let tables = paths::target().join("docs-tables.json");
    cmd::run(cmd::cargo().args(["build", "--quiet", "--package=format-tables"]))?;
    let rows = cmd::output(cmd::cargo().args(["run", "--quiet", "--package=format-tables"]))
        .context("the package format-tables fails")?;
    fs::write(&tables, rows)?;
    let mut stamp = Stamp::new("docs.stamp").path(&tables)?;
    for source in SOURCES {
        stamp = stamp.path(&paths::at(source))?;
    }
    for file in stamp::files(&paths::at("pkg"))? {
        if file.to_string_lossy().ends_with(".d.ts") {
            stamp = stamp.path(&file)?;
        }
    }
    stamp.run(&[&site], || cmd::run(cmd::new("node").arg(paths::at("docs/site/build.mjs")).arg(&tables).arg(&site)))?;
    Ok(())
}
