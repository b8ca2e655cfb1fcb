//! The packages of others that the WebAssembly modules and the app contain: in `NOTICE`, and with the texts of their licences
//! in the app.

use crate::args::Args;
use crate::modules::{self, Module};
use crate::{cmd, paths, wasm};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The file with the sources of facts and data, and with the list of packages.
const NOTICE: &str = "NOTICE";

/// The file in `www/dist` with the licences of everything that the app contains.
const LICENCES: &str = "licenses.md";

/// The line of [`NOTICE`] after which everything is generated.
const MARK: &str = "The packages of others (written by `cargo xtask notice`)";

/// The npm packages of which scripts of the npm package contain parts.
const IN_SCRIPTS: [&str; 1] = ["fflate"];

/// A crate that is compiled into a module, or an npm package that the app bundles.
#[derive(Serialize)]
pub struct Part {
    name: String,
    version: String,
    license: String,
    /// The files of the licence.
    texts: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
}

/// `cargo xtask notice`: writes the list of packages into `NOTICE`. The app must be built.
pub fn run(args: &[String]) -> Result<()> {
    Args::new(args).end()?;
    fs::write(paths::at(NOTICE), expected(&fs::read_to_string(paths::at(NOTICE))?)?)?;
    println!("{NOTICE}: written");
    Ok(())
}

/// Fails if the list of packages in `NOTICE` is not that of the built modules and the built app.
pub fn check() -> Result<()> {
    let found = fs::read_to_string(paths::at(NOTICE))?;
    let expected = expected(&found)?;
    let [found_lines, expected_lines] = [&found, &expected].map(|text| text.lines().collect::<BTreeSet<_>>());
    let missing: Vec<_> = expected_lines.difference(&found_lines).map(|line| format!("+{line}")).collect();
    let extra: Vec<_> = found_lines.difference(&expected_lines).map(|line| format!("-{line}")).collect();
    ensure!(
        found == expected,
        "{NOTICE} does not list the packages that the modules and the app contain: run `cargo xtask notice`\n{}",
        [missing, extra].concat().join("\n")
    );
    Ok(())
}

/// The crates of all modules that the package contains, without those that run only while a module is compiled.
pub fn crates() -> Result<Vec<Part>> {
    let metadata = cmd::output(cmd::cargo().args(["metadata", "--format-version=1", "--locked", "--all-features"]));
    let metadata: Metadata = serde_json::from_str(&metadata.context("cargo metadata failed")?)?;
    let packages: BTreeMap<_, _> =
        metadata.packages.iter().map(|package| ((&*package.name, &*package.version), package)).collect();
    let mut names = BTreeSet::new();
    for module in modules::list()?.iter().filter(|module| module.shipped) {
        names.extend(crates_of(module)?);
    }
    let parts = names.iter().map(|(name, version)| {
        let package = packages.get(&(&**name, &**version)).with_context(|| format!("{name} {version} is unknown"))?;
        let license = package.license.clone().with_context(|| format!("the crate {name} names no licence"))?;
        let folder = package.manifest_path.parent().context("a manifest is in a folder")?;
        Ok(Part { name: name.clone(), version: version.clone(), license, texts: terms(folder)? })
    });
    parts.collect()
}

/// The names and versions of the crates of a module, without those of this workspace.
fn crates_of(module: &Module) -> Result<BTreeSet<(String, String)>> {
    let features = format!("--features={}", module.features.join(","));
    let tree = cmd::output(cmd::cargo().args(["tree", "--locked", "--package=gguf-wasm", &features]).args([
        "--target",
        wasm::TARGET,
        "--edges=normal,no-proc-macro",
        "--prefix=none",
        "--format={p}",
    ]));
    // `half v2.7.1`, and `(*)` after a crate that is listed again.
    let names = tree.context("cargo tree failed")?;
    let names = names.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    });
    Ok(names.filter(|(name, _)| !name.starts_with("gguf-")).collect())
}

/// The texts of the licence files of a crate.
fn terms(folder: &Path) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_terms =
            ["license", "licence", "copying", "copyright", "notice"].iter().any(|word| name.starts_with(word));
        if is_terms && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).with_context(|| path.display().to_string())).collect()
}

/// The npm packages that the app bundles, and their licences, as the file of licences in `www/dist` has them.
fn npm_packages() -> Result<BTreeMap<String, String>> {
    let path = paths::at("www/dist").join(LICENCES);
    let text = fs::read_to_string(&path).with_context(|| format!("{}: build the app first", path.display()))?;
    Ok(packages_in(&text))
}

/// The packages in the first section of a file of licences: `## lit 3.3.3 (BSD-3-Clause)`.
fn packages_in(text: &str) -> BTreeMap<String, String> {
    let npm = text.split("\n# ").next().unwrap_or_default();
    let titles = npm.lines().filter_map(|line| line.strip_prefix("## ")?.strip_suffix(')')?.split_once(" ("));
    let names = titles.filter_map(|(part, license)| Some((part.rsplit_once(' ')?.0.to_owned(), license.to_owned())));
    names.filter(|(name, _)| name != "gguf-wasm").collect()
}

/// The packages in the scripts, and their licences.
fn in_scripts() -> Result<BTreeMap<String, String>> {
    let licence = |name: &&str| {
        let path = paths::at("node_modules").join(name).join("package.json");
        let manifest: serde_json::Value = serde_json::from_slice(&fs::read(path).with_context(|| name.to_string())?)?;
        let licence = manifest["license"].as_str().with_context(|| format!("{name} names no licence"))?;
        Ok((name.to_string(), licence.to_owned()))
    };
    IN_SCRIPTS.iter().map(licence).collect()
}

/// The text of `NOTICE` with the list of packages.
fn expected(text: &str) -> Result<String> {
    let (written, _) = text.split_once(MARK).with_context(|| format!("{NOTICE} lacks the line `{MARK}`"))?;
    let crates = crates()?.into_iter().map(|part| (part.name, part.license)).collect();
    let mut list = format!("{written}{MARK}\n");
    push_list(&mut list, "Crates in the WebAssembly modules of the npm package and of the app:", &crates);
    push_list(&mut list, "npm packages in the scripts of the npm package:", &in_scripts()?);
    push_list(&mut list, "npm packages in the app:", &npm_packages()?);
    Ok(list)
}

fn push_list(text: &mut String, title: &str, packages: &BTreeMap<String, String>) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "\n{title}\n");
    for (name, license) in packages {
        let _ = writeln!(text, "- {name}: {license}");
    }
}

#[cfg(test)]
mod tests {
    use super::packages_in;

    #[test]
    fn the_packages_of_a_file_of_licences() {
        let text = "# npm packages\n\n## @lit/x 1.0.0 (BSD-3-Clause)\n\n    ## y 1.0.0 (MIT)\n\n## lit 3.3.3 (MIT OR ISC)\n\
                    ## gguf-wasm 0.1.0 (MIT)\n\n# Crates\n\n## half 2.0.0 (MIT)\n";
        let packages = packages_in(text);
        let packages: Vec<_> = packages.iter().map(|(name, license)| (&**name, &**license)).collect();
        assert_eq!(packages, [("@lit/x", "BSD-3-Clause"), ("lit", "MIT OR ISC")]);
    }
}
