//! The imports between the files of `src`, read from their text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a crate by the paths of their modules, and which of them each one imports from.
pub struct Imports {
    /// The file of a module: `web::reader` is in `web/reader/mod.rs`.
    files: BTreeMap<String, String>,
    /// The modules that each module imports from, without itself.
    pub used: BTreeMap<String, BTreeSet<String>>,
    /// What the root re-exports: from a name to its path.
    exports: BTreeMap<String, String>,
}

impl Imports {
    /// Reads the files in a folder.
    pub fn of_folder(src: &Path) -> Self {
        let sources = rust_files(src).into_iter().map(|file| {
            let name = file.strip_prefix(src).unwrap().to_str().unwrap().replace('\\', "/");
            (name, fs::read_to_string(&file).unwrap())
        });
        Self::of_sources(sources.collect())
    }

    /// Reads sources by their file names, relative to `src`.
    pub fn of_sources(sources: BTreeMap<String, String>) -> Self {
        let files: BTreeMap<_, _> = sources.keys().map(|file| (module_of(file), file.clone())).collect();
        let exports = sources.get("lib.rs").map(|root| exports(root)).unwrap_or_default();
        let mut used = BTreeMap::new();
        for (module, file) in &files {
            let code = without_comments(without_tests(&sources[file]));
            let paths = paths(&code, module, &files);
            let modules = paths.iter().filter_map(|path| resolve(path, &files, &exports));
            used.insert(module.clone(), modules.filter(|target| target != module).collect());
        }
        Self { files, used, exports }
    }

    /// The file that a module is in, relative to `src`.
    pub fn file(&self, module: &str) -> &str {
        &self.files[module]
    }

    /// The names that the root re-exports, without modules.
    pub fn names_of_root(&self) -> BTreeSet<&str> {
        let names = self.exports.iter().filter(|(_, path)| !self.files.contains_key(*path));
        names.map(|(name, _)| name.as_str()).collect()
    }

    /// Circles of modules that import from each other: for each module in a circle, its shortest circle.
    pub fn circles(&self) -> BTreeSet<Vec<String>> {
        self.used.keys().filter_map(|module| self.shortest_circle(module)).collect()
    }

    /// The shortest path of imports from a module back to itself. It begins with the module that sorts first.
    fn shortest_circle(&self, start: &str) -> Option<Vec<String>> {
        let mut ways = vec![vec![start.to_owned()]];
        let mut seen = BTreeSet::new();
        while !ways.is_empty() {
            let mut longer = Vec::new();
            for way in ways {
                for next in self.used.get(way.last()?).into_iter().flatten() {
                    if next == start {
                        let least = way.iter().enumerate().min_by_key(|(_, module)| *module)?.0;
                        return Some([&way[least..], &way[..least]].concat());
                    }
                    if seen.insert(next.clone()) {
                        longer.push([&way[..], core::slice::from_ref(next)].concat());
                    }
                }
            }
            ways = longer;
        }
        None
    }
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

/// The path of a file's module without `crate`; empty for the root of the crate.
fn module_of(file: &str) -> String {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { String::new() } else { path.replace('/', "::") }
}

/// The source without its unit tests, which may use any module.
fn without_tests(source: &str) -> &str {
    source.split_once("#[cfg(test)]\nmod tests {").map_or(source, |(code, _)| code)
}

fn without_comments(source: &str) -> String {
    let code = source.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    code.flat_map(|line| [line, "\n"]).collect()
}

/// What the root of the crate re-exports: from a name to its path.
fn exports(root: &str) -> BTreeMap<String, String> {
    let code = without_comments(root);
    let trees = code.split("pub use ").skip(1).filter_map(|rest| Some(rest.split_once(';')?.0));
    let paths = trees.flat_map(expand);
    paths.filter_map(|path| Some((path.rsplit("::").next()?.to_owned(), path.clone()))).collect()
}

/// The paths in a module's code that lead to modules of the crate, without `crate`.
fn paths(code: &str, module: &str, files: &BTreeMap<String, String>) -> Vec<String> {
    // A visibility names a module without using it.
    let code = &code.replace("(in crate::", "(in ").replace("(in super::", "(in ");
    let mut paths: Vec<String> = code.split("crate::").skip(1).flat_map(expand).collect();
    // `super::super::name` from `a::b::c` is `a::name`. Modules within the file count too.
    for (at, _) in code.match_indices("super::") {
        let is_first = !code[..at].ends_with("super::");
        let parents = code[at..].split("super::").take_while(|text| text.is_empty()).count();
        let parents_of_file = parents.saturating_sub(inline_depth(&code[..at]));
        let base: Vec<&str> = module.split("::").collect();
        if is_first && (1..=base.len()).contains(&parents_of_file) {
            let base = base[..base.len() - parents_of_file].join("::");
            let rest = &code[at + parents * "super::".len()..];
            paths.extend(expand(rest).into_iter().map(|path| join(&base, &path)));
        }
    }
    // A module names its children without a prefix: in `use` trees, and as `child::name` anywhere.
    let is_child = |name: &str| files.contains_key(&join(module, name));
    let trees = code.split("use ").skip(1).flat_map(expand);
    let names = code.match_indices("::").filter_map(|(end, _)| {
        let start = code[..end].rfind(|c: char| c != '_' && !c.is_alphanumeric()).map_or(0, |before| before + 1);
        (start < end && !code[..start].ends_with("::")).then(|| expand(&code[start..]))
    });
    let children = trees.chain(names.flatten());
    paths.extend(children.filter(|path| path.split("::").next().is_some_and(is_child)).map(|path| join(module, &path)));
    paths
}

/// The number of modules within the file that are open at the end of a part of its code.
fn inline_depth(code: &str) -> usize {
    let mut blocks = Vec::new();
    for (at, c) in code.char_indices() {
        match c {
            '{' => {
                let mut words = code[..at].split_whitespace().rev();
                blocks.push(words.nth(1) == Some("mod"));
            }
            '}' => _ = blocks.pop(),
            _ => {}
        }
    }
    blocks.iter().filter(|is_module| **is_module).count()
}

fn join(base: &str, path: &str) -> String {
    if base.is_empty() { path.to_owned() } else { format!("{base}::{path}") }
}

/// The paths of a `use` tree at the beginning of a text: `a::{b, c::d}` has the paths `a::b` and `a::c::d`.
fn expand(text: &str) -> Vec<String> {
    let text = text.trim_start();
    let Some(group) = text.strip_prefix('{') else {
        let name: String = text.chars().take_while(|c| *c == '_' || c.is_alphanumeric()).collect();
        if name.is_empty() {
            return Vec::new();
        }
        let Some(rest) = text[name.len()..].strip_prefix("::") else { return vec![name] };
        let inner = expand(rest);
        return if inner.is_empty() { vec![name] } else { inner.iter().map(|path| join(&name, path)).collect() };
    };
    let (mut depth, mut paths, mut start) = (0, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                paths.extend(expand(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    paths
}

/// The module that a path leads to: the longest part of it that is a module.
fn resolve(path: &str, files: &BTreeMap<String, String>, exports: &BTreeMap<String, String>) -> Option<String> {
    let first = path.split("::").next()?;
    // A module comes before a re-export of the same name.
    let export = exports.get(first).filter(|_| !files.contains_key(first));
    let path = export.map_or_else(|| path.to_owned(), |export| export.to_owned() + &path[first.len()..]);
    let mut names: Vec<&str> = path.split("::").collect();
    while !names.is_empty() {
        let module = names.join("::");
        if files.contains_key(&module) {
            return Some(module);
        }
        names.pop();
    }
    None
}
