//! What the script declares that wasm-bindgen generates: its classes, and the functions and methods that return promises. The types in its
//! documentation tell those, so there is no list of names.
//!
//! Callers of a function that returns a promise expect that it never throws. So it becomes `async`: then what goes wrong before the call
//! into the module rejects, too, such as an argument of another class. Its export gets a kind of its own: see `exports`.

use std::collections::BTreeSet;

/// The type of the result in the documentation of the script.
const RESULT: &str = "* @returns {Promise<";

/// A function that returns a promise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Promising {
    /// The class whose method it is.
    pub class: Option<String>,
    pub name: String,
}

impl Promising {
    /// The name of the export that it calls: `gguf_open`.
    pub fn export(&self) -> String {
        let class = self.class.as_ref().map(|class| format!("{}_", class.to_lowercase()));
        format!("{}{}", class.unwrap_or_default(), self.name)
    }
}

/// The name of the class that begins in a line.
pub fn class_name(line: &str) -> Option<&str> {
    line.strip_prefix("export class ")?.split(' ').next()
}

/// The functions of a script that return promises.
pub fn promises(script: &str) -> BTreeSet<Promising> {
    let mut found = BTreeSet::new();
    visit(script, |_, function| found.extend(function));
    found
}

/// The script with `async` before these functions.
pub fn with_async(script: &str) -> String {
    let mut changed = String::with_capacity(script.len());
    visit(script, |line, function| match function {
        Some(_) => {
            let start = line.len() - line.trim_start().len();
            let modifier = ["export ", "static "].iter().find(|modifier| line[start..].starts_with(**modifier));
            let place = start + modifier.map_or(0, |modifier| modifier.len());
            changed.extend([&line[..place], "async ", &line[place..]]);
        }
        None => changed.push_str(line),
    });
    changed
}

/// Passes all lines to `take`, those that begin a function that returns a promise with the function.
fn visit(script: &str, mut take: impl FnMut(&str, Option<Promising>)) {
    let (mut class, mut is_promise) = (None, false);
    for line in script.split_inclusive('\n') {
        let text = line.trim_start();
        class = class_name(line).or(class);
        if text.starts_with(RESULT) {
            is_promise = true;
        }
        let is_code = !text.starts_with(['*', '/']);
        let function = (is_promise && is_code).then(|| {
            let exported = text.strip_prefix("export function ");
            let name = exported.unwrap_or_else(|| text.strip_prefix("static ").unwrap_or(text));
            let name = name.split('(').next().unwrap_or_default().to_owned();
            Promising { class: class.filter(|_| exported.is_none()).map(Into::into), name }
        });
        is_promise &= !is_code;
        take(line, function);
    }
}

#[cfg(test)]
mod tests {
    use super::{promises, with_async};

    const SCRIPT: &str = "\
export class Gguf {
    /**
     * Opens a file.
     * @returns {Promise<Gguf>}
     */
    static open(source) {
        return wasm.gguf_open(source);
    }
    /**
     * @returns {number}
     */
    get version() {
    }
    /** Reads. */
    /**
     * @returns {Promise<void>}
     */
    read() {
    }
}
/**
 * @returns {Promise<Comparison>}
 */
export function compare(a, b) {
}
";

    #[test]
    fn functions_that_return_promises_are_found_by_their_types() {
        let exports: Vec<_> = promises(SCRIPT).iter().map(|function| function.export()).collect();
        assert_eq!(exports, ["compare", "gguf_open", "gguf_read"]);
    }

    #[test]
    fn functions_that_return_promises_become_async() {
        let expected = SCRIPT
            .replace("static open", "static async open")
            .replace("    read", "    async read")
            .replace("export function", "export async function");
        assert_eq!(with_async(SCRIPT), expected);
    }
}
