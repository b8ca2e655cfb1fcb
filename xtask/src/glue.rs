//! Changes the script that wasm-bindgen generates. If the script does not contain the text to replace, the build fails.

use crate::exports::OF_BOUNDARY;
use crate::imports::{HOST, Renamed};
use crate::paths;
use crate::script::{Promising, class_name, with_async};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The statement of the generated script that takes the exports of the module.
const EXPORTS: &str = "wasm = instance.exports;";

/// The statement of the generated script that throws if an argument is not an instance of the class.
const CLASS_CHECK: &str = "throw new Error(`expected instance of ${klass.name}`);";

/// The beginning of the statements of the generated script that free objects when they are garbage-collected. A closure is
/// freed by another registry.
const OBJECT_REGISTRY: &str = "new FinalizationRegistry(ptr => wasm.";

/// What the generated script says about parameters that the types of the package do not have.
const DEPRECATED: [&str; 2] = [
    "console.warn('using deprecated parameters for `initSync()`; pass a single object instead')",
    "console.warn('using deprecated parameters for the initialization function; pass a single object instead')",
];

/// The beginning of what the generated script does if a module cannot be compiled while it arrives.
const STREAMING_FAILED: &str = "const validResponse = expectedResponseType(module.type);";

/// The same in fewer words: servers often send another type of content, and then the module is compiled when it has arrived.
const STREAMING_AGAIN: &str = "if (module.headers.get('Content-Type') === 'application/wasm') throw e;
                console.warn('gguf-wasm: the server does not send .wasm files as application/wasm, which is slower');";

/// The import of the class of errors, which all modules share.
const ERROR_CLASS: &str = "import { GgufError } from \"./gguf-error.js\";\n";

/// The same import in the files of [`FOLDER`].
const ERROR_CLASS_IN_FOLDER: &str = "import { GgufError } from \"../gguf-error.js\";\n";

/// The folder of the files that are added to the script.
pub const FOLDER: &str = "pkg-template/glue";

/// The classes that define `free()` in Rust. wasm-bindgen also generates a `free()`: the two become one.
const OWN_FREE: [&str; 2] = ["Gguf", "GgufSet"];

/// Adds `classes.js` to the script, which describes the objects of all classes, and declares its method
/// `toJSON` where a class has none of its own and inherits none.
pub fn describe_classes(script: &Path, types: &Path) -> Result<()> {
    let description = added("classes.js")?;
    edit(script, |text| {
        let classes: Vec<&str> = text.lines().filter_map(class_name).collect();
        ensure!(!classes.is_empty(), "the script has no classes");
        Ok(format!("{text}\n{description}\ndescribeClasses([{}]);\n", classes.join(", ")))
    })?;
    edit(types, |text| {
        let mut declared = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            declared.push_str(line);
            let Some(name) = class_name(line) else { continue };
            let inherits = text.contains(&format!("export interface {name} extends "));
            if inherits || name == "GgufError" {
                continue;
            }
            let start = text.find(line).context("the line is in the text")?;
            let end = start + text[start..].find("\n}\n").context("the class has no end")?;
            if !text[start..end].contains("    toJSON(") {
                declared.push_str(TO_JSON);
            }
        }
        Ok(declared)
    })
}

/// The declaration of the method `toJSON` that `classes.js` defines.
const TO_JSON: &str = "    /**
     * The members as a plain object, or the elements as an array. `JSON.stringify` calls this method. 64-bit integers, NaN and
     * infinities are strings.
     */
    toJSON(): object;
";

/// Gives the imports of the module, which the script defines, their new names, and the name [`HOST`] to the script as the module
/// that they come from.
pub fn rename_imports(script: &Path, renamed: &[Renamed]) -> Result<()> {
    let name = script.file_stem().context("the script has a name")?.to_string_lossy();
    edit(script, |text| {
        let text = replaced_once(text, &format!("\"./{name}_bg.js\": "), &format!("\"{HOST}\": "))?;
        renamed.iter().try_fold(text, |text, Renamed { old, new }| {
            replaced_once(&text, &format!(" {old}: function"), &format!(" {new}: function"))
        })
    })
}

/// Gives the exports of the module, which the script calls, their new names.
pub fn rename_exports(script: &Path, renamed: &[Renamed]) -> Result<()> {
    edit(script, |text| {
        // With the parenthesis of the call: a name may be the beginning of another one.
        let renamed = renamed.iter().map(|Renamed { old, new }| (format!("wasm.{old}("), format!("wasm.{new}(")));
        Ok(renamed.fold(text.to_owned(), |text, (old, new)| text.replace(&old, &new)))
    })
}

/// Makes the functions `async` that return promises.
pub fn make_async(script: &Path) -> Result<()> {
    edit(script, |text| Ok(with_async(text)))
}

/// Adds `boundary.js` and `instances.js` to the script, and passes all calls into the module through it.
pub fn guard_exports(script: &Path) -> Result<()> {
    let boundary = [added("boundary.js")?, added("instances.js")?].join("\n");
    edit(script, |text| {
        let guarded = replaced_once(text, EXPORTS, "wasm = guarded(instance.exports);")?;
        // A small module may have no function that takes such an argument.
        let guarded = guarded.replace(CLASS_CHECK, "throw notAnInstance(instance);");
        ensure!(!guarded.contains("expected instance of"), "the script checks classes in another way");
        let guarded = DEPRECATED.iter().try_fold(guarded, |text, warning| replaced_once(&text, warning, ""))?;
        let guarded = without_registry_fallbacks(&guarded)?;
        let guarded = replaced_between(&guarded, STREAMING_FAILED, "throw e; }", STREAMING_AGAIN)?;
        let guarded = guarded.replace(OBJECT_REGISTRY, "collected(ptr => wasm.");
        let guarded = OF_BOUNDARY.iter().try_fold(guarded, |text, name| {
            replaced_once(&text, &format!("export function {name}("), &format!("function {name}("))
        })?;
        Ok(format!("{ERROR_CLASS}export {{ GgufError }};\n{guarded}\n{boundary}"))
    })
}

/// Removes what the generated script does where there is no `FinalizationRegistry`: every engine that has simd128 has it.
fn without_registry_fallbacks(text: &str) -> Result<String> {
    let mut parts = text.split("(typeof FinalizationRegistry === 'undefined')");
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let registry = part.find("new FinalizationRegistry").context("a fallback comes before the registry")?;
        changed += &part[registry..];
    }
    Ok(changed)
}

/// The files with functions that the module imports.
const OF_MODULE: [&str; 5] = ["devices.js", "errors.js", "handover.js", "results.js", "sources.js"];

/// Adds the functions to the script that the module imports.
pub fn add_functions(script: &Path) -> Result<()> {
    let functions = OF_MODULE.iter().map(|name| added(name)).collect::<Result<Vec<_>>>()?;
    edit(script, |text| Ok(format!("{text}\n{}", functions.join("\n"))))
}

/// Makes one method `free()` of the two that the classes in [`OWN_FREE`] have in the script and the types: it calls the
/// method of Rust, and then destroys the object. A smaller module does not have all of these classes.
pub fn join_free(script: &Path, types: &Path) -> Result<()> {
    for class in OWN_FREE {
        edit(script, |text| {
            let Some(start) = text.find(&format!("export class {class} {{")) else { return Ok(text.to_owned()) };
            let end = start + text[start..].find("\n}\n").context("the class has no end")?;
            let name = class.to_lowercase();
            let destroy = format!("wasm.__wbg_{name}_free(ptr, 0);");
            let generated =
                format!("    free() {{\n        const ptr = this.__destroy_into_raw();\n        {destroy}\n    }}\n");
            let own = format!("wasm.{name}_free(this.__wbg_ptr);");
            let body = replaced_once(&text[start..end], &generated, "")?;
            let joined =
                format!("const ptr = this.__destroy_into_raw();\n        wasm.{name}_free(ptr);\n        {destroy}");
            let body = replaced_once(&body, &own, &joined)?;
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
const INTERNAL: [&str; 8] =
    ["ArrayReceiver", "ChunkSource", "Receiver", "SharedFile", "initSync", "runJob", "useLocalFiles", "useWorkers"];

/// The function with which a module lists folders.
const FOLDERS: &str = "filesOf(";

/// Adds `folders.js` to the script, if the module lists folders.
pub fn add_folders(script: &Path) -> Result<()> {
    let functions = added("folders.js")?;
    edit(script, |text| {
        let lists = text.contains(&format!(" {FOLDERS}"));
        Ok(if lists { format!("{text}\n{functions}") } else { text.to_owned() })
    })
}

/// The class that has the members of another class.
const SET: &str = "export class GgufSet {";

/// Adds `set-members.js` to the script, if that has the class `GgufSet`.
pub fn add_members_of_merged(script: &Path, promises: &BTreeSet<Promising>) -> Result<()> {
    let members = added("set-members.js")?;
    let promises = promises.iter().filter(|function| function.class.as_deref() == Some("Gguf"));
    let promises: Vec<_> = promises.map(|function| format!("\"{}\"", function.name)).collect();
    edit(script, |text| {
        if !text.contains(SET) {
            return Ok(text.to_owned());
        }
        Ok(format!("{text}\n{members}\naddMembersOfMerged(GgufSet, Gguf, [{}]);\n", promises.join(", ")))
    })
}

/// How the methods of the generated classes take the address of their object, and how they take the object from its owner.
const POINTER: &str = "this.__wbg_ptr";
const TAKEN: &str = "this.__destroy_into_raw()";

/// Makes each method check the object that it is called on: see `pointerOf` in `instances.js`.
pub fn check_objects(script: &Path) -> Result<()> {
    edit(script, |text| {
        let mut changed = String::with_capacity(text.len());
        for part in text.split_inclusive("\n}\n") {
            let Some(name) = part.lines().find_map(class_name) else {
                changed += part;
                continue;
            };
            let taken = part.replace(TAKEN, &format!("{name}.prototype.__destroy_into_raw.call(this)"));
            let mut pieces = taken.split(POINTER);
            changed += pieces.next().unwrap_or_default();
            for piece in pieces {
                // The class itself sets the address.
                let is_set = piece.starts_with(" = ");
                changed += &if is_set { POINTER.into() } else { format!("pointerOf({name}, this)") };
                changed += piece;
            }
        }
        Ok(changed)
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
        let exported = line.strip_prefix("export ")?;
        let (kind, rest) = exported.strip_prefix("async ").unwrap_or(exported).split_once(' ')?;
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

/// The interfaces of objects that callers give, besides those whose names end in `Options`.
const GIVEN: [&str; 3] = ["CustomSource", "Limits", "NewTensor"];

/// What the generated types say about starting the module needs the types of a browser, and lists the exports of the module.
const INIT_TYPES: &str = "\
/** A compiled module: a `WebAssembly.Module`, if the program has its type. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: new (...args: never) => infer Module } }
  ? Module
  : object;

/** The bytes of the module, or the compiled module. */
export type SyncInitInput = ArrayBuffer | ArrayBufferView | CompiledModule;

/** Where the module comes from: its URL, a response, its bytes, or the compiled module. */
export type InitInput = string | URL | Request | Response | SyncInitInput;

/** The exports of the module. */
export interface InitOutput {
  /** The memory of the module. */
  readonly memory: { readonly buffer: ArrayBuffer };
}

export function initSync(module: { module: SyncInitInput }): InitOutput;

export default function init(module: { module_or_path: InitInput | Promise<InitInput> }): Promise<InitOutput>;
";

/// Changes the types so that programs of every kind can check them: with `exactOptionalPropertyTypes`, and without the types of a
/// browser.
pub fn finish_types(types: &Path) -> Result<()> {
    edit(types, |text| {
        let start = text.find("export type InitInput =").context("the types have no InitInput")?;
        Ok(format!("{}{INIT_TYPES}", allow_undefined(&text[..start])))
    })
}

/// Lets callers pass `undefined` for an optional member of the objects that they give: it counts as absent.
fn allow_undefined(text: &str) -> String {
    let mut is_given = false;
    let mut changed = String::with_capacity(text.len() * 9 / 8);
    for line in text.split_inclusive('\n') {
        if let Some(interface) = line.strip_prefix("export interface ") {
            let name = interface.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
            is_given = name.ends_with("Options") || GIVEN.contains(&name);
        } else if line.starts_with('}') {
            is_given = false;
        }
        let member = line.trim_start().split_once("?: ").filter(|(name, _)| name.chars().all(char::is_alphanumeric));
        match member.and_then(|(name, rest)| Some((name, rest.strip_suffix(";\n")?))) {
            Some((name, its_type)) if is_given => {
                let its_type = if its_type.contains("=>") { format!("({its_type})") } else { its_type.into() };
                changed += &format!("    {name}?: {its_type} | undefined;\n");
            }
            _ => changed += line,
        }
    }
    changed
}

/// A file of [`FOLDER`] as a part of the script: it exports nothing, and has `GgufError` from the import of [`guard_exports`]. The other
/// files, from which it imports functions, are parts of the script, too.
fn added(name: &str) -> Result<String> {
    let path = paths::at(FOLDER).join(name);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let text = text.replace(ERROR_CLASS_IN_FOLDER, "").replace("export function", "function");
    let text = text.replace("export async function", "async function");
    let is_own_import = |line: &str| line.starts_with("import ") && line.contains("from \"./");
    let text: String = text.split_inclusive('\n').filter(|line| !is_own_import(line)).collect();
    ensure!(!text.contains("\nimport "), "{} may import only `GgufError` and functions of its folder", path.display());
    Ok(text)
}

fn edit(path: &Path, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(fs::write(path, change(&text)?)?)
}

/// Replaces what begins with `start` and ends with `end` by `new`.
fn replaced_between(text: &str, start: &str, end: &str, new: &str) -> Result<String> {
    let first = text.find(start).with_context(|| format!("expected this text:\n{start}"))?;
    let length = text[first..].find(end).with_context(|| format!("expected this text after it:\n{end}"))?;
    Ok([&text[..first], new, &text[first + length + end.len()..]].concat())
}

/// Replaces `old` by `new` in `text`. It is an error if `old` does not occur exactly once.
fn replaced_once(text: &str, old: &str, new: &str) -> Result<String> {
    let count = text.matches(old).count();
    ensure!(count == 1, "expected this text once, found it {count} times:\n{old}");
    Ok(text.replacen(old, new, 1))
}

#[cfg(test)]
mod tests {
    use super::{allow_undefined, exported_names};

    #[test]
    fn exported_names_are_found_in_a_script_and_in_types() {
        let script = "export class A {\n}\nexport function b(c) {\n}\nexport async function f() {\n}\nexport { initSync, d as e, __wbg_init as default };\n";
        assert!(exported_names(script).eq(["A", "b", "f", "initSync", "e"]));
        let types = "export class A {\n}\nexport interface A extends B<C> {\n}\nexport type T = \"a\";\nexport default function x();\n";
        assert!(exported_names(types).eq(["A", "T"]));
    }

    #[test]
    fn only_optional_members_that_callers_give_may_be_undefined() {
        let types = "export interface ReadOptions {\n    /** a?: b; */\n    end?: number;\n    then?: () => void;\n    at: 1;\n}\n\
                     export interface Result {\n    end?: number;\n}\n";
        let changed = "export interface ReadOptions {\n    /** a?: b; */\n    end?: number | undefined;\n    \
                       then?: (() => void) | undefined;\n    at: 1;\n}\nexport interface Result {\n    end?: number;\n}\n";
        assert_eq!(allow_undefined(types), changed);
    }
}
