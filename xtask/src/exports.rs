//! The names of a module's exports, which stand in the module and in its script.
//!
//! `boundary.js` guards each function as its kind needs it. The first letter of the short name says the kind: so the script needs
//! no list of names. Other names, those of wasm-bindgen's own functions, are kept. The reader is 0.7 kB smaller gzipped.

use crate::imports::{Renamed, letters};

/// Functions that return promises: their errors reject. `boundary.test.mjs` compares them with the types.
const ASYNC: [&str; 22] = [
    "chunksource_pull",
    "compare",
    "conversionplan_writeTo",
    "editplan_applyTo",
    "editplan_read",
    "editplan_writeTo",
    "gguf_hash",
    "gguf_open",
    "gguf_preview",
    "gguf_read",
    "gguf_readBytes",
    "gguf_statistics",
    "ggufset_open",
    "listRepository",
    "migrationplan_exactness",
    "migrationplan_read",
    "migrationplan_writeTo",
    "openDraft",
    "openImatrix",
    "openLegacy",
    "requantize",
    "sharedfile_read",
];

/// The functions that only `boundary.js` calls.
pub const OF_BOUNDARY: [&str; 2] = ["hasRoom", "takenBytes"];

/// The kind of an export: `a` returns a promise, `c` is called from timers, events and microtasks, `f` frees an object, and `s` is
/// any other function that callers call.
fn kind(name: &str) -> Option<char> {
    let is_callback = name.starts_with("wasm_bindgen__convert__closures") || name == "__wbindgen_destroy_closure";
    let frees = name.starts_with("__wbg_") && name.ends_with("_free") || ["gguf_free", "ggufset_free"].contains(&name);
    match name {
        _ if is_callback => Some('c'),
        _ if frees => Some('f'),
        _ if ASYNC.contains(&name) => Some('a'),
        _ if name.starts_with("__") || name == "memory" || OF_BOUNDARY.contains(&name) => None,
        _ => Some('s'),
    }
}

/// Gives exports short names: the letter of the kind, and the letters of a number.
pub fn shorten<'a>(names: impl Iterator<Item = &'a mut String>) -> Vec<Renamed> {
    let with_kind = names.filter_map(|name| kind(name).map(|kind| (kind, name)));
    let rename = |(number, (kind, name)): (usize, (char, &'a mut String))| {
        let new = format!("{kind}{}", letters(number));
        Renamed { old: std::mem::replace(name, new.clone()), new }
    };
    with_kind.enumerate().map(rename).collect()
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn the_first_letter_says_the_kind() {
        let mut names = [
            "gguf_open",
            "gguf_free",
            "__wbg_gguf_free",
            "wasm_bindgen__convert__closures_____invoke__h20118d167692a3ce",
            "__wbindgen_malloc",
            "hasRoom",
            "gguf_name",
        ]
        .map(String::from);
        let renamed = shorten(names.iter_mut());
        assert_eq!(names, ["aa", "fb", "fc", "cd", "__wbindgen_malloc", "hasRoom", "se"]);
        assert_eq!(renamed.len(), 5);
        assert_eq!(renamed[4].old, "gguf_name");
    }
}
