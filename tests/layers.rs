//! The folders of `src` depend on one another in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folders and files of `src` in the order of `docs/architecture.md`. Each may use those before it.
const ORDER: &[&str] =
    &["limits", "error", "allocation", "format", "decode", "tensor", "know", "write", "edit", "validate", "web"];

/// Uses against the order that are still there. An exception that is not needed fails the test.
const EXCEPTIONS: &[(&str, &str)] = &[];

#[test]
fn a_folder_uses_only_folders_before_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let exports = exports(&fs::read_to_string(src.join("lib.rs")).unwrap());
    let mut found = BTreeSet::new();
    let mut exceptions = BTreeSet::new();
    let mut paths = 0;
    for file in rust_files(&src) {
        let Some(module) = module_of(file.strip_prefix(&src).unwrap()) else { continue };
        let used = used(without_tests(&fs::read_to_string(&file).unwrap()));
        paths += used.len();
        for (target, complaint) in complaints(&module, &used, &exports) {
            match EXCEPTIONS.iter().find(|exception| **exception == (&module, &target)) {
                Some(exception) => drop(exceptions.insert(exception)),
                None => drop(found.insert(format!("{}: {complaint}", file.display()))),
            }
        }
    }
    assert!(found.is_empty(), "\n{}\n", Vec::from_iter(found).join("\n"));
    assert_eq!(exceptions.len(), EXCEPTIONS.len(), "an exception is no longer needed: remove it");
    assert!(paths > 10, "only {paths} paths were found: are they still written as `crate::`?");
}

/// The source without its unit tests, which may use any folder.
fn without_tests(source: &str) -> &str {
    source.split_once("#[cfg(test)]\nmod tests {").map_or(source, |(code, _)| code)
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
    let exports = uses.filter_map(|path| Some((path.split_once("::")?.0, path.rsplit_once("::")?.1))).flat_map(
        |(module, names)| {
            let names = names.trim_matches(['{', '}', '\n', ' ']).split(',');
            names.map(move |name| (name.trim().to_owned(), module.to_owned()))
        },
    );
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

/// What is wrong with the uses of a module: the folder that it must not use, and why.
fn complaints(module: &str, used: &BTreeSet<String>, exports: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let place = |module: &str| ORDER.iter().position(|folder| *folder == module);
    let Some(own) = place(module) else {
        let advice = format!("src/{module} has no place in ORDER of tests/layers.rs and in docs/architecture.md");
        return vec![(module.to_owned(), advice)];
    };
    let complain = |name: &String| {
        let target = exports.get(name).unwrap_or(name);
        let complaint = match place(target) {
            _ if target == module => return None,
            Some(before) if before < own => return None,
            None => format!("{module} uses crate::{name}, which has no place in ORDER of tests/layers.rs"),
            Some(_) => format!("{module} uses {target}, which comes after it"),
        };
        Some((target.clone(), complaint))
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
    let root = "//! doc\npub use format::bytes::HeaderBytes;\npub use decode::decoder::{Decoder,\n    Progress};\n";
    let exports = exports(root);
    assert_eq!(exports.get("Progress").map(String::as_str), Some("decode"));
    assert_eq!(exports.get("HeaderBytes").map(String::as_str), Some("format"));
    let complaints = |module, name: &str| {
        complaints(module, &[name.to_owned()].into(), &exports).into_iter().map(|(_, complaint)| complaint)
    };
    let complaint = |module, name| complaints(module, name).next();
    assert_eq!(complaint("format", "Progress").unwrap(), "format uses decode, which comes after it");
    assert_eq!(complaint("decode", "HeaderBytes"), None);
    assert_eq!(
        complaint("decode", "Nobody").unwrap(),
        "decode uses crate::Nobody, which has no place in ORDER of tests/layers.rs"
    );
    assert!(complaint("helpers", "format").unwrap().starts_with("src/helpers has no place"));
}
