//! Modules use only what lies below them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of `src`, the top layer first, as in "How it is made" of the README. A module may use those of the
/// layers below its own; those of one layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["web"],
    &["preview", "edit", "writer", "validate"],
    &["tensor"],
    &["decoder"],
    &["predict", "input"],
    &["header", "encode", "plan", "keys"],
    &["value", "ggml_type"],
    &["storage"],
    &["format", "bytes"],
    &["error"],
    &["limits", "room"],
    &["stats"],
    &["quant"],
];

#[test]
fn modules_use_only_what_lies_below_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let exports = exports(&fs::read_to_string(src.join("lib.rs")).unwrap());
    let mut found = Vec::new();
    let mut paths = 0;
    for file in rust_files(&src) {
        let Some(module) = module_of(file.strip_prefix(&src).unwrap()) else { continue };
        let used = used(&fs::read_to_string(&file).unwrap());
        paths += used.len();
        found.extend(complaints(&module, &used, &exports));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
    assert!(paths > 10, "only {paths} paths were found: are they still written as `crate::`?");
}

/// All `.rs` files in a folder and the folders in it.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The top-level module that a file in `src` belongs to; none for the crate's root.
fn module_of(path: &Path) -> Option<String> {
    let first = path.iter().next()?.to_str()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (module != "lib").then(|| module.to_owned())
}

/// What the crate's root re-exports, and from which module.
fn exports(root: &str) -> BTreeMap<String, String> {
    let code = without_comments(root);
    let uses = code.split("pub use ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(path, _)| path);
    let exports = uses.filter_map(|path| path.split_once("::")).flat_map(|(module, names)| {
        let names = names.trim_matches(['{', '}', '\n', ' ']).split(',');
        names.map(move |name| (name.trim().to_owned(), module.to_owned()))
    });
    exports.filter(|(name, _)| !name.is_empty()).collect()
}

/// The first names of all paths that begin with `crate::`.
fn used(source: &str) -> BTreeSet<String> {
    let code = without_comments(source);
    code.split("crate::").skip(1).flat_map(first_names).collect()
}

/// The names that a path begins with: several if it begins with braces.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| text.trim().split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap().to_owned();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut depth, mut names, mut start) = (0, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn without_comments(source: &str) -> String {
    let code = source.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.flat_map(|line| [line, "\n"]).collect()
}

fn complaints(module: &str, used: &BTreeSet<String>, exports: &BTreeMap<String, String>) -> Vec<String> {
    let layer = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let Some(own) = layer(module) else {
        return vec![format!(
            "src/{module} is in no layer: give it one in tests/layers.rs and in the README, \"How it is made\""
        )];
    };
    let complain = |name: &String| {
        let target = exports.get(name).unwrap_or(name);
        match layer(target) {
            _ if target == module => None,
            None => Some(format!("{module} uses crate::{name}, which is in no layer of tests/layers.rs")),
            Some(below) if below > own => None,
            Some(beside) if beside == own => Some(format!("{module} uses {target}, which is in the same layer")),
            Some(_) => Some(format!("{module} uses {target}, which lies above it")),
        }
    };
    used.iter().filter_map(complain).collect()
}

#[test]
fn paths_are_found_wherever_they_stand() {
    let source = "
        use crate::error::{Error, Result}; // crate::comment
        //! [`Limits`](crate::doc)
        use crate::{bytes::HeaderBytes, value::{Array, Value}, format};
        fn f() -> crate::header::Header { $crate::macros!() }
        pub(crate) fn g() {}
    ";
    let expected = ["error", "bytes", "value", "format", "header", "macros"];
    assert_eq!(used(source), expected.map(str::to_owned).into());
}

#[test]
fn re_exports_count_as_their_modules() {
    let root = "//! doc\npub use bytes::HeaderBytes;\npub use decoder::{Decoder,\n    Progress};\n";
    let exports = exports(root);
    assert_eq!(exports.get("Progress").map(String::as_str), Some("decoder"));
    assert_eq!(exports.get("HeaderBytes").map(String::as_str), Some("bytes"));
    let complaints = |module, name: &str| complaints(module, &[name.to_owned()].into(), &exports);
    assert_eq!(complaints("header", "Progress"), ["header uses decoder, which lies above it"]);
    assert_eq!(complaints("decoder", "HeaderBytes"), [""; 0]);
    assert_eq!(complaints("header", "encode"), ["header uses encode, which is in the same layer"]);
    assert_eq!(
        complaints("decoder", "Nobody"),
        ["decoder uses crate::Nobody, which is in no layer of tests/layers.rs"]
    );
    assert!(complaints("helpers", "bytes")[0].starts_with("src/helpers is in no layer"));
}
