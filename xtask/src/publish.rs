//! `cargo xtask package`: what is published, in `target/package/`: the npm package and the crates, checked as registries and users see them.
//! Nothing is sent anywhere.

use crate::args::Args;
use crate::{build, cmd, paths, tools};
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that are npm packages.
const NPM_PACKAGES: [&str; 1] = ["pkg"];

/// The packages of the workspace that are not published.
const INTERNAL: [&str; 3] = ["tests", "kernels", "xtask"];

/// What every published package contains besides its code.
const TERMS: [&str; 3] = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"];

/// `cargo xtask package [--no-build] [--release]`
pub fn run(args: &[String]) -> Result<()> {
    let mut args = Args::new(args);
    let (no_build, is_release) = (args.flag("--no-build"), args.flag("--release"));
    args.end()?;
    let missing = missing_addresses(&Addresses::of_workspace());
    ensure!(!is_release || missing.is_none(), "{}", missing.unwrap_or_default());
    tools::npm_packages()?;
    if !no_build {
        build::package()?;
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

/// The addresses of the project, from `[workspace.package]` in `Cargo.toml`.
struct Addresses<'a> {
    repository: &'a str,
    homepage: &'a str,
}

impl Addresses<'static> {
    fn of_workspace() -> Self {
        Self { repository: env!("CARGO_PKG_REPOSITORY"), homepage: env!("CARGO_PKG_HOMEPAGE") }
    }
}

/// What to fill in before publishing.
fn missing_addresses(addresses: &Addresses<'_>) -> Option<String> {
    let fields = [("repository", addresses.repository), ("homepage", addresses.homepage)];
    let empty: Vec<_> =
        fields.iter().filter(|(_, value)| value.is_empty()).map(|(name, _)| format!("`{name}`")).collect();
    let names = empty.join(" and ");
    (!empty.is_empty()).then(|| format!("Before publishing, fill in {names} in [workspace.package] of Cargo.toml."))
}

/// The `package.json` with the addresses of the workspace, if it has them.
pub fn with_addresses(manifest: &str) -> Result<String> {
    insert_addresses(manifest, &Addresses::of_workspace())
}

fn insert_addresses(manifest: &str, addresses: &Addresses<'_>) -> Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let fields = manifest.as_object_mut().context("package.json is no object")?;
    if !addresses.homepage.is_empty() {
        fields.insert("homepage".into(), addresses.homepage.into());
    }
    let repository = addresses.repository.trim_end_matches('/').trim_end_matches(".git");
    if !repository.is_empty() {
        // npm compares this address with that of the workflow that made the package.
        fields.insert("repository".into(), json!({ "type": "git", "url": format!("git+{repository}.git") }));
        fields.insert("bugs".into(), json!({ "url": format!("{repository}/issues") }));
    }
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
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
    let assets = exports.keys().filter(|path| path.ends_with(".wasm"));
    let mut attw = tools::npm_script("@arethetypeswrong/cli/dist/index.js");
    attw.args(["--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-definitely-typed", "--quiet"]);
    cmd::run(attw.arg(tarball).arg("--exclude-entrypoints").args(assets))
        .with_context(|| format!("`npx attw {}` lists the problems", tarball.display()))?;
    for name in TERMS.iter().chain(&["README.md"]) {
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
    for name in INTERNAL {
        package.args(["--exclude", name]);
    }
    cmd::run(&mut package)?;
    for name in crates()? {
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

/// The names of the published crates.
fn crates() -> Result<Vec<String>> {
    let metadata = cmd::output(cmd::cargo().args(["metadata", "--format-version=1", "--no-deps", "--offline"]));
    let metadata: Value = serde_json::from_str(&metadata.context("cargo metadata failed")?)?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let names = packages.iter().filter_map(|package| package["name"].as_str());
    Ok(names.filter(|name| !INTERNAL.contains(name)).map(Into::into).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"{ "name": "gguf-wasm", "version": "1.0.0" }"#;

    #[test]
    fn the_addresses_of_the_workspace_are_those_of_the_npm_package() {
        let addresses =
            Addresses { repository: "https://example.com/owner/name", homepage: "https://gguf.example.com/" };
        assert_eq!(missing_addresses(&addresses), None);
        let manifest: Value = serde_json::from_str(&insert_addresses(MANIFEST, &addresses).unwrap()).unwrap();
        assert_eq!(
            manifest,
            json!({
                "name": "gguf-wasm",
                "version": "1.0.0",
                "homepage": "https://gguf.example.com/",
                "repository": { "type": "git", "url": "git+https://example.com/owner/name.git" },
                "bugs": { "url": "https://example.com/owner/name/issues" },
            })
        );
    }

    #[test]
    fn an_address_of_git_is_not_doubled() {
        let addresses = Addresses { repository: "https://example.com/owner/name.git/", homepage: "" };
        let manifest: Value = serde_json::from_str(&insert_addresses(MANIFEST, &addresses).unwrap()).unwrap();
        assert_eq!(manifest["repository"]["url"], "git+https://example.com/owner/name.git");
        assert_eq!(manifest["bugs"]["url"], "https://example.com/owner/name/issues");
    }

    #[test]
    fn a_missing_address_is_named_with_its_place_and_left_out() {
        let addresses = Addresses { repository: "", homepage: "" };
        let sentence = "Before publishing, fill in `repository` and `homepage` in [workspace.package] of Cargo.toml.";
        assert_eq!(missing_addresses(&addresses).as_deref(), Some(sentence));
        let manifest: Value = serde_json::from_str(&insert_addresses(MANIFEST, &addresses).unwrap()).unwrap();
        assert_eq!(manifest, serde_json::from_str::<Value>(MANIFEST).unwrap());
        let one = Addresses { repository: "https://example.com/owner/name", homepage: "" };
        let sentence = "Before publishing, fill in `homepage` in [workspace.package] of Cargo.toml.";
        assert_eq!(missing_addresses(&one).as_deref(), Some(sentence));
    }

    #[test]
    fn every_published_crate_has_its_licences_and_the_addresses() {
        for name in crates().unwrap() {
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
