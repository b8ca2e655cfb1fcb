//! Checks the crates of the workspace against `deny.toml`: licences, bans and sources, without a network. The file is that of
//! [cargo-deny](https://embarkstudios.github.io/cargo-deny/), which also knows advisories.

use crate::{cmd, paths};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};
use std::fs;

/// The rules that this check knows. An unknown field is an error, so that no rule is silently without effect.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Rules {
    graph: Graph,
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Graph {
    all_features: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Bans {
    wildcards: Level,
    allow_wildcard_paths: bool,
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Sources {
    unknown_registry: Level,
    unknown_git: Level,
    allow_registry: Vec<String>,
}

/// How strict a rule is. Only the strictest is supported, because nobody reads warnings of a step that passes.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Level {
    Deny,
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
    /// `registry+https://…` or `git+https://…`. A crate of this repository has none.
    source: Option<String>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    req: String,
    path: Option<String>,
}

/// Fails with the list of all crates that break a rule of `deny.toml`.
pub fn check() -> Result<()> {
    let rules: Rules = toml::from_str(&fs::read_to_string(paths::at("deny.toml"))?).context("deny.toml")?;
    let mut metadata = cmd::cargo();
    metadata.args(["metadata", "--format-version=1", "--locked"]);
    if rules.graph.all_features {
        metadata.arg("--all-features");
    }
    let metadata: Metadata = serde_json::from_str(&cmd::output(&mut metadata).context("cargo metadata failed")?)?;
    let broken: Vec<_> = metadata.packages.iter().flat_map(|package| rules.broken_by(package)).collect();
    ensure!(broken.is_empty(), "deny.toml does not allow these crates:\n  {}", broken.join("\n  "));
    Ok(())
}

impl Rules {
    /// What is wrong with a crate, one sentence for each rule that it breaks.
    fn broken_by(&self, package: &Package) -> Vec<String> {
        let Package { name, version, .. } = package;
        let mut broken = Vec::new();
        if self.bans.deny.iter().any(|banned| banned.name == *name) {
            broken.push(format!("{name} {version} is banned"));
        }
        match &package.source {
            Some(source) => {
                if !self.allows_source(source) {
                    broken.push(format!("{name} {version} comes from {source}"));
                }
                if !self.allows_license(package.license.as_deref().unwrap_or_default()) {
                    let found = package.license.as_deref().unwrap_or("none");
                    broken.push(format!("{name} {version} has the licence {found}"));
                }
            }
            None => broken.extend(self.wildcards_of(package)),
        }
        broken
    }

    fn allows_source(&self, source: &str) -> bool {
        let Level::Deny = self.sources.unknown_git;
        let Level::Deny = self.sources.unknown_registry;
        let registry = source.strip_prefix("registry+").or_else(|| source.strip_prefix("sparse+"));
        registry.is_some_and(|url| self.sources.allow_registry.iter().any(|allowed| allowed == url))
    }

    fn allows_license(&self, expression: &str) -> bool {
        let is_allowed = |wanted: &LicenseReq| {
            // An exception only adds permissions, so the licence alone decides.
            let id = wanted.license.id().map(|id| id.name);
            id.is_some_and(|id| self.licenses.allow.iter().any(|allowed| allowed == id))
        };
        Expression::parse_mode(expression, ParseMode::LAX).is_ok_and(|parsed| parsed.evaluate(is_allowed))
    }

    /// The requirements of a crate of this repository that take any version.
    fn wildcards_of(&self, package: &Package) -> Vec<String> {
        let Level::Deny = self.bans.wildcards;
        let wild = package.dependencies.iter().filter(|dependency| {
            dependency.req == "*" && !(self.bans.allow_wildcard_paths && dependency.path.is_some())
        });
        wild.map(|dependency| format!("{} needs any version of {}", package.name, dependency.name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    fn rules() -> Rules {
        toml::from_str(&fs::read_to_string(paths::at("deny.toml")).unwrap()).unwrap()
    }

    fn package(name: &str, license: &str, source: &str) -> Package {
        Package {
            name: name.into(),
            version: "1.0.0".into(),
            license: (!license.is_empty()).then(|| license.into()),
            source: (!source.is_empty()).then(|| source.into()),
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn licences_are_read_as_expressions() {
        for allowed in ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert_eq!(rules().broken_by(&package("some", allowed, CRATES_IO)), [""; 0], "{allowed}");
        }
        for refused in ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "LicenseRef-own", "not a licence"] {
            let broken = rules().broken_by(&package("some", refused, CRATES_IO));
            assert!(broken.len() == 1 && broken[0].contains("has the licence"), "{refused}: {broken:?}");
        }
    }

    #[test]
    fn sources_bans_and_wildcards_are_refused() {
        let git = package("some", "MIT", "git+https://github.com/some/some?rev=1#1");
        assert_eq!(rules().broken_by(&git), ["some 1.0.0 comes from git+https://github.com/some/some?rev=1#1"]);
        let other = package("some", "MIT", "registry+https://example.com/index");
        assert_eq!(rules().broken_by(&other), ["some 1.0.0 comes from registry+https://example.com/index"]);
        assert_eq!(rules().broken_by(&package("wasm-pack", "MIT", CRATES_IO)), ["wasm-pack 1.0.0 is banned"]);

        let mut own = package("own", "MIT", "");
        let any = |path: Option<&str>| Dependency { name: "some".into(), req: "*".into(), path: path.map(Into::into) };
        own.dependencies = vec![any(None), any(Some("some"))];
        assert_eq!(rules().broken_by(&own), ["own needs any version of some"]);
    }
}
