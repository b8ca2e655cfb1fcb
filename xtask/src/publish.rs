//! `cargo xtask package`: what is published, in `target/package/`: the npm packages and the crates, checked as registries and users see them.
//! Nothing is sent anywhere.

use crate::addresses::{self, Addresses};
use crate::args::Args;
use crate::{build, cmd, paths, tools};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that are npm packages.
const NPM_PACKAGES: [&str; 2] = ["pkg", "pkg-viewer"];

/// What every crate contains besides its code.
const TERMS: [&str; 3] = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"];

/// `cargo xtask package [--no-build] [--release]`
pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let (no_build, is_release) = (args.flag("--no-build"), args.flag("--release"));
    args.end()?;
    let missing = addresses::missing(&Addresses::of_workspace());
    ensure!(!is_release || missing.is_none(), "{}", missing.unwrap_or_default());
    tools::npm_packages()?;
    if !no_build {
        build::package()?;
        build::app()?;
    }
    let out = paths::target().join("package");
    fs::create_dir_all(&out)?;
    for old in archives(&out)? {
        fs::remove_file(old)?;
    }
    for package in NPM_PACKAGES {
        check_npm_package(&pack(package, &out)?, &paths::at(package))?;
    }
    package_crates(is_release)?;
    for archive in archives(&out)? {
        println!("{}", archive.strip_prefix(paths::root()).unwrap_or(&archive).display());
    }
    if let Some(missing) = missing {
        println!("{missing}");
    }
    Ok(())
}

/// The packages in the folder.
fn archives(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "tgz" || extension == "crate") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Packs an npm package. Returns the path of the tarball.
fn pack(package: &str, out: &Path) -> Result<PathBuf> {
    let mut npm = cmd::new("npm");
    npm.args(["pack", "--silent", "--pack-destination"]).arg(out).arg(format!("./{package}"));
    Ok(out.join(cmd::output(&mut npm).with_context(|| format!("`npm pack ./{package}` failed"))?))
}

/// Checks a tarball with publint and arethetypeswrong.
fn check_npm_package(tarball: &Path, folder: &Path) -> Result<()> {
    cmd::run(tools::npm_script("publint/src/cli.js").arg("--strict").arg(tarball))?;
    let manifest: Value = serde_json::from_str(&fs::read_to_string(folder.join("package.json"))?)?;
    let exports = manifest["exports"].as_object().context("exports")?;
    // The type of an asset is that which a bundler gives it.
    let assets: Vec<_> = exports.keys().filter(|path| path.ends_with(".wasm")).collect();
    let mut attw = tools::npm_script("@arethetypeswrong/cli/dist/index.js");
    attw.args(["--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-definitely-typed", "--quiet"]);
    attw.arg(tarball);
    if !assets.is_empty() {
        attw.arg("--exclude-entrypoints").args(assets);
    }
    cmd::run(&mut attw).with_context(|| format!("`npx attw {}` lists the problems", tarball.display()))?;
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        ensure!(folder.join(name).is_file(), "{} has no {name}", folder.display());
    }
    Ok(())
}

/// Packages all crates in the order in which they are published, and checks that each contains its licences.
fn package_crates(is_release: bool) -> Result<()> {
    let mut package = cmd::cargo();
    // The tests have compiled the crates. A crate is compiled alone only once those before it are published.
    package.args(["package", "--quiet", "--workspace", "--no-verify", "--offline"]);
    if !is_release {
        package.arg("--allow-dirty");
    }
    let (published, internal) = crates()?;
    for name in internal {
        package.args(["--exclude", &name]);
    }
    cmd::run(&mut package)?;
    for name in published {
        let list = ["package", "--list", "--offline", "--allow-dirty", "--package", &name];
        let files = cmd::output(cmd::cargo().args(list)).with_context(|| format!("cargo does not list {name}"))?;
        for term in TERMS {
            if !files.lines().any(|file| file == term) {
                bail!("the crate {name} lacks {term}: make a link to it in the folder of the crate");
            }
        }
    }
    Ok(())
}

/// The names of the published crates, and of the packages of the workspace with `publish = false`.
fn crates() -> Result<(Vec<String>, Vec<String>)> {
    let metadata = cmd::output(cmd::cargo().args(["metadata", "--format-version=1", "--no-deps", "--offline"]));
    let metadata: Value = serde_json::from_str(&metadata.context("cargo metadata failed")?)?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let names = |is_published: bool| {
        // cargo gives the registries: null if it may be any, and an empty list if it is none.
        let wanted = packages.iter().filter(move |package| package["publish"].is_null() == is_published);
        wanted.filter_map(|package| package["name"].as_str()).map(Into::into).collect()
    };
    Ok((names(true), names(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_crate_has_its_licences_and_the_addresses() {
        for name in crates().unwrap().0 {
            let folder = if name == "gguf-wasm" { paths::root().into() } else { paths::at("crates").join(&name) };
            for term in TERMS {
                assert_eq!(fs::read(folder.join(term)).unwrap(), fs::read(paths::at(term)).unwrap(), "{name}: {term}");
            }
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            for field in ["license", "repository", "homepage"] {
                assert!(manifest.contains(&format!("\n{field}.workspace = true\n")), "{name}: {field}");
            }
        }
    }
}
