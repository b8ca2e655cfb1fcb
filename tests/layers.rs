//! What cargo does not check: within a crate, folders and files depend on each other in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::imports::Imports;

/// The folders of a crate in the order of `docs/architecture.md`. Each may use only the folders before it.
const ORDERS: [(&str, &[&str]); 2] = [
    (
        "crates/gguf-format/src",
        &[
            "limits",
            "error",
            "allocation",
            "order",
            "decimal",
            "distinct_names",
            "format",
            "decode",
            "io",
            "tensor",
            "write",
            "edit",
            "file",
        ],
    ),
    (
        "src",
        &[
            "panic", "interop", "template", "forks", "source", "hub", "reader", "write", "values", "know", "validate",
            "plan", "edit", "files", "convert",
        ],
    ),
];

/// The folders with the sources of programs.
const SOURCES: [&str; 9] = [
    "crates/gguf-declare/src",
    "crates/gguf-format/src",
    "crates/gguf-template/src",
    "crates/gguf-models/src",
    "crates/gguf-files/src",
    "crates/gguf-convert/src",
    "crates/gguf-legacy/src",
    "src",
    "xtask/src",
];

fn of_folder(folder: &str) -> Imports {
    Imports::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder))
}

#[test]
fn a_folder_uses_only_folders_before_it() {
    for (source, order) in ORDERS {
        let imports = of_folder(source);
        let count: usize = imports.used.values().map(BTreeSet::len).sum();
        assert!(count > 50, "only {count} imports were found: are paths still written as `crate::` and `super::`?");
        assert_eq!(complaints(&imports, "", order), "", "{source}");
    }
}

#[test]
fn no_files_import_from_each_other_in_a_circle() {
    for folder in SOURCES {
        let imports = of_folder(folder);
        let circles = imports.circles();
        let files = circles.iter().map(|circle| circle.iter().map(|module| imports.file(module)).collect::<Vec<_>>());
        assert_eq!(files.collect::<Vec<_>>(), Vec::<Vec<&str>>::new(), "{folder}");
    }
}

#[test]
fn the_root_has_only_names_that_most_programs_need() {
    let imports = of_folder("crates/gguf-format/src");
    let names = imports.names_of_root();
    assert!(names.contains("Header") && !names.contains("edit"), "{names:?}");
    assert!(names.len() <= 30, "put names into the module of their task: {names:?}");
}

/// The folder in `parent` that contains a module. `None` for the file of `parent` itself and for modules elsewhere.
fn folder<'a>(module: &'a str, parent: &str) -> Option<&'a str> {
    let inside = if parent.is_empty() { module } else { module.strip_prefix(parent)?.strip_prefix("::")? };
    inside.split("::").next().filter(|folder| !folder.is_empty())
}

/// The forbidden imports between the folders in `parent`, one line for each.
fn complaints(imports: &Imports, parent: &str, order: &[&str]) -> String {
    let place = |folder: &str| order.iter().position(|other| *other == folder);
    let mut lines = BTreeSet::new();
    for (module, used) in &imports.used {
        let Some(own) = folder(module, parent) else { continue };
        let Some(own_place) = place(own) else {
            let advice = "has no place in the order of tests/layers.rs and of docs/architecture.md";
            lines.insert(format!("\n{parent}::{own} {advice}"));
            continue;
        };
        for target in used.iter().filter_map(|target| folder(target, parent)).filter(|target| *target != own) {
            if place(target).is_none_or(|place| place > own_place) {
                lines.insert(format!("\n{} uses {target}, which comes after {own}", imports.file(module)));
            }
        }
    }
    lines.into_iter().collect()
}

/// The imports of a small crate, as `module -> module`.
fn imports_of(sources: &[(&str, &str)]) -> Imports {
    Imports::of_sources(sources.iter().map(|(file, source)| (file.to_string(), source.to_string())).collect())
}

fn used_by<'a>(imports: &'a Imports, module: &str) -> Vec<&'a str> {
    imports.used[module].iter().map(String::as_str).collect()
}

#[test]
fn imports_are_found_in_every_form() {
    let user = "
        use crate::error::{Error, Result}; // crate::comment
        //! [`Limits`](crate::doc)
        use crate::{bytes::HeaderBytes, value::{array::Array, Value}, format};
        use super::sibling::Name;
        use super::super::bytes;
        fn f() -> crate::header::Header { $crate::macros!() }
        pub(in crate::visible) struct Visible;
        pub(crate) fn g() { child::run(); core::lonely::run(); }
        mod inline { use super::Inline; use super::super::cousin; }
        fn h() { super::late::run() }
        #[cfg(test)]
        mod tests { use crate::only_tests::Name; }
    ";
    let names = ["error", "bytes", "value/mod", "value/array", "format", "header", "macros", "a/sibling", "only_tests"];
    let names = names.into_iter().chain(["a/user/child", "a/user/lonely", "a/cousin", "a/late", "visible"]);
    let mut sources: BTreeMap<String, String> = names.map(|name| (format!("{name}.rs"), String::new())).collect();
    sources.insert("a/mod.rs".into(), String::new());
    sources
        .insert("a/user.rs".into(), user.replace("        #[cfg", "#[cfg").replace("        mod tests", "mod tests"));
    let imports = Imports::of_sources(sources);
    let expected = [
        "a::cousin",
        "a::late",
        "a::sibling",
        "a::user::child",
        "bytes",
        "error",
        "format",
        "header",
        "macros",
        "value",
        "value::array",
    ];
    assert_eq!(used_by(&imports, "a::user"), expected);
}

#[test]
fn a_re_export_of_the_root_counts_as_its_module() {
    let root =
        "//! doc\npub use format::bytes::HeaderBytes;\npub use decode::decoder::{Decoder,\n    Progress, decode};\n";
    let imports = imports_of(&[
        ("lib.rs", root),
        ("format/mod.rs", ""),
        // A module and a function can have one name.
        ("format/bytes.rs", "use crate::Progress; use crate::decode::decoder::Decoder;"),
        ("decode/mod.rs", ""),
        ("decode/decoder.rs", "use crate::HeaderBytes;"),
    ]);
    assert_eq!(used_by(&imports, "format::bytes"), ["decode::decoder"]);
    assert_eq!(
        imports.names_of_root().into_iter().collect::<Vec<_>>(),
        ["Decoder", "HeaderBytes", "Progress", "decode"]
    );
    let order = complaints(&imports, "", &["format", "decode"]);
    assert_eq!(order, "\nformat/bytes.rs uses decode, which comes after format");
    assert_eq!(
        complaints(&imports, "", &["format"]),
        "\n::decode has no place in the order of tests/layers.rs and of docs/architecture.md\nformat/bytes.rs uses decode, which comes after format"
    );
}

#[test]
fn a_re_export_of_a_folder_counts_as_the_folder_and_its_file() {
    let imports = imports_of(&[
        ("user.rs", "use crate::folder::Name;"),
        ("folder/mod.rs", "mod file;\npub(crate) use file::Name;"),
        ("folder/file.rs", ""),
    ]);
    assert_eq!(used_by(&imports, "user"), ["folder"]);
    assert_eq!(used_by(&imports, "folder"), ["folder::file"]);
    assert!(imports.circles().is_empty());
}

#[test]
fn circles_are_found_however_long_they_are() {
    let imports = imports_of(&[
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::c::C; use crate::d::D;"),
        ("c.rs", "use crate::a::A;"),
        ("d/mod.rs", "use inner::Inner;"),
        ("d/inner.rs", "use super::D;"),
        ("e.rs", "use crate::a::A;"),
    ]);
    let expected = [vec!["a", "b", "c"], vec!["d", "d::inner"]]
        .map(|circle| circle.iter().map(|module| module.to_string()).collect());
    assert_eq!(imports.circles(), BTreeSet::from(expected));
}
