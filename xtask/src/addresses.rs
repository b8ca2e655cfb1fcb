//! The public addresses of the project: once, in `[workspace.package]` of `Cargo.toml`.

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The addresses of the project, from `[workspace.package]` in `Cargo.toml`.
pub struct Addresses<'a> {
    repository: &'a str,
    homepage: &'a str,
}

impl Addresses<'static> {
    pub fn of_workspace() -> Self {
        Self { repository: env!("CARGO_PKG_REPOSITORY"), homepage: env!("CARGO_PKG_HOMEPAGE") }
    }
}

/// What to fill in before publishing.
pub fn missing(addresses: &Addresses<'_>) -> Option<String> {
    let fields = [("repository", addresses.repository), ("homepage", addresses.homepage)];
    let empty: Vec<_> =
        fields.iter().filter(|(_, value)| value.is_empty()).map(|(name, _)| format!("`{name}`")).collect();
    let names = empty.join(" and ");
    (!empty.is_empty()).then(|| format!("Before publishing, fill in {names} in [workspace.package] of Cargo.toml."))
}

/// The `package.json` with the addresses of the workspace, if it has them.
pub fn inserted(manifest: &str) -> Result<String> {
    with(manifest, &Addresses::of_workspace())
}

fn with(manifest: &str, addresses: &Addresses<'_>) -> Result<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"{ "name": "gguf-wasm", "version": "1.0.0" }"#;

    #[test]
    fn the_addresses_of_the_workspace_are_those_of_the_npm_package() {
        let addresses =
            Addresses { repository: "https://example.com/owner/name", homepage: "https://gguf.example.com/" };
        assert_eq!(missing(&addresses), None);
        let manifest: Value = serde_json::from_str(&with(MANIFEST, &addresses).unwrap()).unwrap();
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
        let manifest: Value = serde_json::from_str(&with(MANIFEST, &addresses).unwrap()).unwrap();
        assert_eq!(manifest["repository"]["url"], "git+https://example.com/owner/name.git");
        assert_eq!(manifest["bugs"]["url"], "https://example.com/owner/name/issues");
    }

    #[test]
    fn a_missing_address_is_named_with_its_place_and_left_out() {
        let addresses = Addresses { repository: "", homepage: "" };
        let sentence = "Before publishing, fill in `repository` and `homepage` in [workspace.package] of Cargo.toml.";
        assert_eq!(missing(&addresses).as_deref(), Some(sentence));
        let manifest: Value = serde_json::from_str(&with(MANIFEST, &addresses).unwrap()).unwrap();
        assert_eq!(manifest, serde_json::from_str::<Value>(MANIFEST).unwrap());
        let one = Addresses { repository: "https://example.com/owner/name", homepage: "" };
        let sentence = "Before publishing, fill in `homepage` in [workspace.package] of Cargo.toml.";
        assert_eq!(missing(&one).as_deref(), Some(sentence));
    }
}
