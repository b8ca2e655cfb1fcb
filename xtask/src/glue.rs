//! Changes to the script that wasm-bindgen generates. Each one fails the build if the script no longer has the place that
//! it changes.

use crate::paths;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// Where the generated script takes the module's exports.
const EXPORTS: &str = "wasm = instance.exports;";

/// What the generated script throws for an argument that is no instance of a class.
const CLASS_CHECK: &str = "throw new Error(`expected instance of ${klass.name}`);";

/// The classes whose `free()` is a method of the crate. wasm-bindgen generates one as well, and only one may stay.
const OWN_FREE: [&str; 1] = ["Gguf"];

/// Passes all calls into the module through `src/web/interop/boundary.js`, which becomes part of the script.
pub fn guard_exports(script: &Path) -> Result<()> {
    let boundary = fs::read_to_string(paths::at("src/web/interop/boundary.js"))?;
    edit(script, |text| {
        let guarded = replaced_once(text, EXPORTS, "wasm = guarded(instance.exports);")?;
        let guarded = replaced_once(&guarded, CLASS_CHECK, "throw notAnInstance(instance);")?;
        Ok(format!("{guarded}\n{}", boundary.replace("export function", "function")))
    })
}

/// Removes the generated `free()` of classes that have one of their own, from the script and from the types.
pub fn remove_generated_free(script: &Path, types: &Path) -> Result<()> {
    for class in OWN_FREE {
        edit(script, |text| {
            let start = text.find(&format!("export class {class} {{")).context("no such class")?;
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
            let start = text.find(&format!("export class {class} {{")).context("no such class")?;
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

fn edit(path: &Path, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(fs::write(path, change(&text)?)?)
}

/// `text` with `old`, which it has exactly once, replaced by `new`.
fn replaced_once(text: &str, old: &str, new: &str) -> Result<String> {
    let count = text.matches(old).count();
    ensure!(count == 1, "expected this text once, found it {count} times:\n{old}");
    Ok(text.replacen(old, new, 1))
}
