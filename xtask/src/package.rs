//! Assembles the npm package: the output of wasm-bindgen, copies of some modules inside scripts, the files of
//! `pkg-template/` with the command line, and the licences.

use crate::modules::{self, Module};
use crate::stamp::{self, Stamp};
use crate::{addresses, cmd, paths};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of `pkg-template/` that all modules share. The other files are loaders, and each module has its own copy.
const SHARED_FILES: [&str; 13] = [
    "README.md",
    "package.json",
    "file-source.js",
    "file-source.d.ts",
    "gguf-error.js",
    "local-file.js",
    "local-files.js",
    "local-files.d.ts",
    "module-file.js",
    "new-file.js",
    "side-names.js",
    "start.d.ts",
    "unfinished-file.js",
];

/// The script that decompresses the modules inside scripts: of a library.
const INFLATE: &str = "inflate.js";

/// The folders in `pkg-template/` and in the package of the command line, and of the scripts that it shares with the app.
const FOLDERS: [&str; 2] = ["cli", "common"];

/// Writes the files of a package to `out` and removes all others. `builds` are the folders of the builds of `modules`.
/// Unchanged files are not written, so that steps that depend on them do not run again.
pub fn assemble(out: &Path, modules: &[Module], builds: &[PathBuf]) -> Result<()> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut loaders: Vec<(String, String)> = Vec::new();
    let is_whole = modules.iter().all(|module| module.shipped);
    if is_whole {
        for folder in FOLDERS {
            for (name, text) in minified(folder)? {
                files.insert(format!("{folder}/{name}"), text.into_bytes());
            }
        }
        files.insert("man/gguf-wasm.1.gz".into(), man_page()?);
    }
    for entry in fs::read_dir(paths::at("pkg-template"))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        if SHARED_FILES.contains(&&*name) {
            files.insert(name, fs::read(entry.path())?);
        } else {
            loaders.push((name, fs::read_to_string(entry.path())?));
        }
    }
    for (module, bindgen) in modules.iter().zip(builds) {
        let in_folder = |name: &str| match &*module.folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        for name in [".js", ".d.ts", "_api.js", "_api.d.ts", "_bg.wasm"].map(|end| format!("{}{end}", module.name)) {
            files.insert(in_folder(&name), fs::read(bindgen.join(&name)).with_context(|| name.clone())?);
        }
        if module.inline {
            let wasm = bindgen.join(format!("{}_bg.wasm", module.name));
            let text = cmd::output(cmd::new("node").arg("xtask/inline.mjs").arg(&wasm)).context("xtask/inline.mjs")?;
            files.insert(in_folder(&format!("{}_base64.js", module.name)), (text + "\n").into_bytes());
        }
        for (name, text) in loaders.iter().filter(|(name, _)| is_of(module, name)) {
            files.insert(in_folder(name), shipped(name, &loader(text, module)));
        }
        // Files of modules that others load, and then of this module only, also in place of the loaders above.
        if module.loaded {
            for path in stamp::files(&paths::at("pkg-template/loaded"))? {
                let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
                files.insert(in_folder(&name), loader(&fs::read_to_string(path)?, module).into_bytes());
            }
        }
        let own = paths::at("pkg-template").join(&module.folder);
        for path in if module.folder.is_empty() || !own.is_dir() { Vec::new() } else { stamp::files(&own)? } {
            let name = path.file_name().context("a file has a name")?.to_string_lossy().into_owned();
            files.insert(in_folder(&name), shipped(&name, &fs::read_to_string(path)?));
        }
    }
    if modules.iter().any(|module| module.inline) {
        let script = cmd::output(cmd::new("node").arg("xtask/inflate.mjs")).context("xtask/inflate.mjs")?;
        files.insert(INFLATE.into(), (script + "\n").into_bytes());
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE"] {
        files.insert(name.into(), fs::read(paths::at(name)).context(name)?);
    }
    let manifest = files.get_mut("package.json").context("pkg-template has no package.json")?;
    let text = with_entries(&with_version(&String::from_utf8(std::mem::take(manifest))?)?, modules)?;
    let text = addresses::inserted(&text)?;
    *manifest = if is_whole { text } else { own_manifest(&text, modules)? }.into_bytes();

    write(out, &files)
}

/// The scripts of a folder of `pkg-template/`, without comments and spaces, by their names.
fn minified(folder: &str) -> Result<BTreeMap<String, String>> {
    let folder = paths::at("pkg-template").join(folder);
    let scripts = cmd::output(cmd::new("node").arg("xtask/minify.mjs").arg(folder)).context("xtask/minify.mjs")?;
    Ok(serde_json::from_str(&scripts)?)
}

/// The manual page of the command line, compressed, as `man` reads it.
fn man_page() -> Result<Vec<u8>> {
    let page = paths::target().join("xtask/man-page.gz");
    cmd::run(cmd::new("node").arg("xtask/man-page.mjs").arg(env!("CARGO_PKG_VERSION")).arg(&page))?;
    fs::read(page).context("the manual page")
}

/// Whether a module has a file or an export: `inline` is of the modules inside scripts, `load` of those that others load.
fn is_of(module: &Module, name: &str) -> bool {
    let name = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    match name.split('.').next() {
        Some("inline") => module.inline,
        Some("load") => module.loaded,
        _ => true,
    }
}

/// The text of a loader for `module`. The text in `pkg-template/` is for the main module.
fn loader(text: &str, module: &Module) -> String {
    let text = text
        .replace("gguf_wasm", &module.name)
        .replace("\"gguf-wasm/", &format!("\"{}/", module.entry))
        .replace("\"gguf-wasm\"", &format!("\"{}\"", module.entry));
    if module.folder.is_empty() {
        return text;
    }
    SHARED_FILES.iter().chain(&[INFLATE]).fold(text, |text, name| {
        // Declarations are imported as the scripts that they describe.
        let name = name.replace(".d.ts", ".js");
        text.replace(&format!("\"./{name}\""), &format!("\"../{name}\""))
    })
}

/// A file as it is shipped: loaders without their comments, which every entry would be loaded with.
fn shipped(name: &str, text: &str) -> Vec<u8> {
    let is_loader = name.starts_with("index.") && !name.ends_with(".d.ts");
    let lines = text.split_inclusive('\n').filter(|line| !(is_loader && line.starts_with("//")));
    lines.collect::<String>().into_bytes()
}

/// Makes a folder contain exactly these files. The keys of `files` are paths relative to the folder.
fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    fs::create_dir_all(folder)?;
    for path in stamp::files(folder)? {
        let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        if !files.contains_key(&name) {
            fs::remove_file(path)?;
        }
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        if fs::read(&path).ok().as_ref() != Some(bytes) {
            fs::create_dir_all(path.parent().context("the path of a file has no parent folder")?)?;
            // Another process may be reading the package, so it must never see half a file.
            let new = folder.join(format!(".new-{}", std::process::id()));
            fs::write(&new, bytes)?;
            fs::rename(new, path)?;
        }
    }
    Ok(())
}

/// Prints the size of every module beside its budget. They are packed again only if the package has changed: that takes 12 s. A test runs the
/// same script.
pub fn print_sizes() -> Result<()> {
    let script = "tests/package/size.mjs";
    let sizes = paths::target().join("xtask/sizes.txt");
    let mut stamp = Stamp::new("sizes.stamp");
    for input in ["pkg", "xtask/modules.json", script] {
        stamp = stamp.path(&paths::at(input))?;
    }
    stamp.run(&[&sizes], || cmd::run(cmd::new("node").arg(script).stdout(fs::File::create(&sizes)?)))?;
    print!("{}", fs::read_to_string(sizes)?);
    Ok(())
}

/// The `package.json` of a package that has only some modules: without the other entries and without the command line.
fn own_manifest(manifest: &str, modules: &[Module]) -> Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let is_of_other = |path: &str| {
        let folder = path.strip_prefix("./").and_then(|path| path.split('/').next()).unwrap_or_default();
        let is_module = modules::list().is_ok_and(|all| all.iter().any(|module| module.folder == folder));
        FOLDERS.contains(&folder) || is_module && modules.iter().all(|module| module.folder != folder)
    };
    manifest["exports"].as_object_mut().context("exports")?.retain(|path, _| !is_of_other(path));
    let side_effects = manifest["sideEffects"].as_array_mut().context("sideEffects")?;
    side_effects.retain(|path| !path.as_str().is_some_and(is_of_other));
    for field in ["bin", "man"] {
        manifest.as_object_mut().context("an object")?.remove(field);
    }
    manifest["private"] = true.into();
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// The `package.json` with the entries of all modules. The template has those of the main module, and `load`, which only modules that others
/// load have. Each other module has the same ones in its folder.
fn with_entries(manifest: &str, modules: &[Module]) -> Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    let folders = || modules.iter().filter(|module| !module.folder.is_empty());
    let exports = manifest["exports"].as_object_mut().context("exports")?;
    let of_main: Vec<(String, Value)> = exports
        .iter()
        .filter(|(path, _)| is_of_main(path))
        .map(|(path, target)| (path.clone(), target.clone()))
        .collect();
    let own = exports.remove(OWN_PATH).context(OWN_PATH)?;
    exports.remove("./load").context("./load")?;
    for module in folders() {
        for (path, target) in of_main.iter().filter(|(path, _)| is_of(module, path)) {
            exports.insert(path_of_module(path, module), targets_of_module(target, module));
        }
    }
    exports.insert(OWN_PATH.into(), own);
    let side_effects = manifest["sideEffects"].as_array_mut().context("sideEffects")?;
    let of_main: Vec<String> =
        side_effects.iter().filter_map(|path| path.as_str()).filter(|path| is_of_main(path)).map(Into::into).collect();
    side_effects.retain(|path| path != "./load.js");
    for module in folders() {
        let own = of_main.iter().filter(|path| is_of(module, path));
        side_effects.extend(own.map(|path| Value::from(path_of_module(path, module))));
    }
    let files = manifest["files"].as_array_mut().context("files")?;
    files.extend(folders().map(|module| Value::from(module.folder.as_str())));
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

/// The path of the manifest among the exports.
const OWN_PATH: &str = "./package.json";

/// Whether a path of the manifest belongs to the main module.
fn is_of_main(path: &str) -> bool {
    path != OWN_PATH && path.matches('/').count() < 2
}

/// The path for another module that corresponds to a path of the main module.
fn path_of_module(path: &str, module: &Module) -> String {
    let rest = path.strip_prefix('.').unwrap_or(path).replace("gguf_wasm", &module.name);
    format!("./{}{rest}", module.folder)
}

/// The files for another module that correspond to the files of an export of the main module.
fn targets_of_module(target: &Value, module: &Module) -> Value {
    match target {
        Value::String(path) => path_of_module(path, module).into(),
        Value::Object(conditions) => {
            conditions.iter().map(|(name, path)| (name.clone(), targets_of_module(path, module))).collect()
        }
        other => other.clone(),
    }
}

/// The `package.json` with the version of the workspace.
fn with_version(manifest: &str) -> Result<String> {
    const PLACE: &str = "\"version\": \"0.0.0\"";
    ensure!(manifest.matches(PLACE).count() == 1, "pkg-template/package.json must contain {PLACE} once");
    Ok(manifest.replace(PLACE, &format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"))))
}
