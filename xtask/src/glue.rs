//! Changes the script that wasm-bindgen generates. If the script does not contain the text to replace, the build fails.

use crate::paths;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The statement of the generated script that takes the exports of the module.
const EXPORTS: &str = "wasm = instance.exports;";

/// The statement of the generated script that throws if an argument is not an instance of the class.
const CLASS_CHECK: &str = "throw new Error(`expected instance of ${klass.name}`);";

/// The classes that define `free()` in Rust. wasm-bindgen also generates a `free()`, which must be removed.
const OWN_FREE: [&str; 2] = ["Gguf", "GgufSet"];

/// Adds `src/web/interop/boundary.js` to the script and passes all calls into the module through it.
pub fn guard_exports(script: &Path) -> Result<()> {
    let boundary = fs::read_to_string(paths::at("src/web/interop/boundary.js"))?;
    edit(script, |text| {
        let guarded = replaced_once(text, EXPORTS, "wasm = guarded(instance.exports);")?;
        let guarded = replaced_once(&guarded, CLASS_CHECK, "throw notAnInstance(instance);")?;
        Ok(format!("{guarded}\n{}", boundary.replace("export function", "function")))
    })
}

/// Removes the generated `free()` of the classes in [`OWN_FREE`] from the script and the types. A smaller module does not have all
/// of these classes.
pub fn remove_generated_free(script: &Path, types: &Path) -> Result<()> {
    for class in OWN_FREE {
        edit(script, |text| {
            let Some(start) = text.find(&format!("export class {class} {{")) else { return Ok(text.to_owned()) };
            let end = start + text[start..].find("\n}\n").context("the class has no end")?;
            let generated = format!(
                "    free() {{\n        const ptr = this.__destroy_into_raw();\n        wasm.__wbg_{}_free(ptr, 0);\n    }}\n",
                class.to_lowercase()
            );
            let body = replaced_once(&text[start..end], &generated, "")?;
            Ok([&text[..start], &body, &text[end..]].concat())
        })
        .with_context(|| format!("{class} in the script"))?;
        edit(types, |text| {
            let Some(start) = text.find(&format!("export class {class} {{")) else { return Ok(text.to_owned()) };
            let end = start + text[start..].find("\n}\n").context("the class has no end")?;
            let body = replaced_once(
                &text[start..end],
                "{\n    private constructor();\n    free(): void;\n",
                "{\n    private constructor();\n",
            )?;
            Ok([&text[..start], &body, &text[end..]].concat())
        })
        .with_context(|| format!("{class} in the types"))?;
    }
    Ok(())
}

/// The classes and functions that other parts of the package need, and that are not part of the API.
const INTERNAL: [&str; 4] = ["ArrayReceiver", "ChunkSource", "FileReceiver", "initSync"];

/// The class that has the members of another class.
const SET: [&str; 2] = ["export class GgufSet {", "addMembersOfMerged(GgufSet, Gguf);"];

/// Adds `src/web/files/gguf_set/members.js` to the script, if that has the class `GgufSet`.
pub fn add_members_of_merged(script: &Path) -> Result<()> {
    let members = fs::read_to_string(paths::at("src/web/files/gguf_set/members.js"))?;
    edit(script, |text| {
        let [class, call] = SET;
        if !text.contains(class) {
            return Ok(text.to_owned());
        }
        Ok(format!("{text}\n{}\n{call}\n", members.replace("export function", "function")))
    })
}

/// Makes `new` of each class throw that has no constructor. wasm-bindgen's classes would make an object without a pointer.
pub fn forbid_constructors(script: &Path) -> Result<()> {
    edit(script, |text| {
        let mut changed = String::with_capacity(text.len());
        for part in text.split_inclusive("\n}\n") {
            let name = part.split_once("export class ").and_then(|(_, rest)| rest.split_once(" {\n"));
            match name {
                Some((name, members))
                    if !members.contains("\n    constructor(") && !members.starts_with("    constructor(") =>
                {
                    let throws = format!("    constructor() {{\n        throw noConstructor(\"{name}\");\n    }}\n");
                    let head = part.len() - members.len();
                    changed.extend([&part[..head], &throws, members]);
                }
                _ => changed += part,
            }
        }
        Ok(changed)
    })
}

/// Writes the modules that export the API from the script and its types, without [`INTERNAL`].
pub fn write_api(script: &Path, types: &Path, out: &Path) -> Result<()> {
    let name = script.file_name().context("the script has a name")?.to_string_lossy();
    for (path, end) in [(script, "js"), (types, "d.ts")] {
        let text = fs::read_to_string(path)?;
        let names: Vec<_> = exported_names(&text).filter(|name| !INTERNAL.contains(name)).collect();
        ensure!(names.contains(&"Gguf"), "no exports were found in {}", path.display());
        let list = names.join(",\n  ");
        fs::write(out.with_extension(end), format!("export {{\n  {list},\n}} from \"./{name}\";\n"))?;
    }
    Ok(())
}

/// The names that a script or its types export, in order and each once, without the default export.
fn exported_names(text: &str) -> impl Iterator<Item = &str> {
    let declared = text.lines().filter_map(|line| {
        let (kind, rest) = line.strip_prefix("export ")?.split_once(' ')?;
        let is_name = |character: char| character.is_alphanumeric() || character == '_';
        let end = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
        matches!(kind, "class" | "function" | "interface" | "type" | "const").then_some(&rest[..end])
    });
    let listed =
        text.lines().filter_map(|line| line.strip_prefix("export {")?.split_once('}')).flat_map(|(list, _)| {
            list.split(',').map(|name| name.rsplit_once(" as ").map_or(name, |(_, name)| name).trim())
        });
    let mut seen = BTreeSet::new();
    declared.chain(listed).filter(move |name| *name != "default" && seen.insert(*name))
}

fn edit(path: &Path, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(fs::write(path, change(&text)?)?)
}

/// Replaces `old` by `new` in `text`. It is an error if `old` does not occur exactly once.
fn replaced_once(text: &str, old: &str, new: &str) -> Result<String> {
    let count = text.matches(old).count();
    ensure!(count == 1, "expected this text once, found it {count} times:\n{old}");
    Ok(text.replacen(old, new, 1))
}
