//! Short names for what the module imports.
//!
//! wasm-bindgen calls an import `__wbg_` and its name and 16 digits of a hash, once in the module and once in the
//! JavaScript, and hashes do not compress: some thirty bytes of download for each of some 150 imports.

use anyhow::{Context, Result};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use walrus::Module;

/// Renames the imports of the module at `wasm`, and what the JavaScript at `js` calls them.
pub fn shorten(wasm: &Path, js: &Path) -> Result<()> {
    let mut module = Module::from_file(wasm).with_context(|| wasm.display().to_string())?;
    let mut names = HashMap::new();
    for import in module.imports.iter_mut().filter(|import| is_generated(&import.name)) {
        let next = format!("${}", names.len());
        import.name = names.entry(import.name.clone()).or_insert(next).clone();
    }
    module.emit_wasm_file(wasm)?;
    let text = fs::read_to_string(js).with_context(|| js.display().to_string())?;
    Ok(fs::write(js, renamed(&text, &names))?)
}

/// Whether a name ends in a hash: no other identifier of the JavaScript is spelled like it.
fn is_generated(name: &str) -> bool {
    name.starts_with("__wb")
        && name.rsplit('_').next().is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// `text` with each whole identifier that is in `names` replaced.
fn renamed(text: &str, names: &HashMap<String, String>) -> String {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let word = &rest[..rest.find(|c| !is_inside(c)).unwrap_or(rest.len())];
        out.push_str(names.get(word).map_or(word, String::as_str));
        rest = &rest[word.len()..];
        let gap = &rest[..rest.find(is_inside).unwrap_or(rest.len())];
        out.push_str(gap);
        rest = &rest[gap.len()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_with_a_hash_are_generated() {
        assert!(is_generated("__wbg_read_0123456789abcdef"));
        assert!(is_generated("__wbindgen_cast_0000000000000001"));
        assert!(!is_generated("__wbindgen_init_externref_table"));
        assert!(!is_generated("gguf_readBytes"));
    }

    #[test]
    fn whole_identifiers_are_renamed_wherever_they_stand() {
        let names = HashMap::from([("a_1".to_owned(), "$0".to_owned())]);
        assert_eq!(renamed("a_1: f(a_1, a_12, \"é\") ba_1", &names), "$0: f($0, a_12, \"é\") ba_1");
    }
}
