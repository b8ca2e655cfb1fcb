//! The names of a module's exports, which stand in the module and in its script.
//!
//! `boundary.js` guards each function as its kind needs it. The first letter of the short name says the kind: so the script needs
//! no list of names. Other names, those of wasm-bindgen's own functions, are kept. The reader is 0.7 kB smaller gzipped.

use crate::imports::{Renamed, letters};
use crate::script::Promising;
use std::collections::BTreeSet;

/// The functions that only `boundary.js` calls.
pub const OF_BOUNDARY: [&str; 2] = ["hasRoom", "takenBytes"];

/// The kind of an export: `a` returns a promise, `c` is called from timers, events and microtasks, `f` frees an object, and `s` is
/// any other function that callers call.
fn kind(name: &str, promises: &BTreeSet<String>) -> Option<char> {
    let is_callback = name.starts_with("wasm_bindgen__convert__closures") || name == "__wbindgen_destroy_closure";
    let frees = name.starts_with("__wbg_") && name.ends_with("_free") || ["gguf_free", "ggufset_free"].contains(&name);
    match name {
        _ if is_callback => Some('c'),
        _ if frees => Some('f'),
        _ if promises.contains(name) => Some('a'),
        _ if name.starts_with("__") || name == "memory" || OF_BOUNDARY.contains(&name) => None,
        _ => Some('s'),
    }
}

/// Gives exports short names: the letter of the kind, and the letters of a number.
pub fn shorten<'a>(names: impl Iterator<Item = &'a mut String>, promises: &BTreeSet<Promising>) -> Vec<Renamed> {
    let promises = promises.iter().map(Promising::export).collect();
    let with_kind = names.filter_map(|name| kind(name, &promises).map(|kind| (kind, name)));
    let rename = |(number, (kind, name)): (usize, (char, &'a mut String))| {
        let new = format!("{kind}{}", letters(number));
        Renamed { old: std::mem::replace(name, new.clone()), new }
    };
    with_kind.enumerate().map(rename).collect()
}

#[cfg(test)]
mod tests {
    use super::shorten;
    use crate::script::Promising;

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
        let open = Promising { class: Some("Gguf".into()), name: "open".into() };
        let renamed = shorten(names.iter_mut(), &[open].into());
        assert_eq!(names, ["aa", "fb", "fc", "cd", "__wbindgen_malloc", "hasRoom", "se"]);
        assert_eq!(renamed.len(), 5);
        assert_eq!(renamed[4].old, "gguf_name");
    }
}
