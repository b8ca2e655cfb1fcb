//! The names of a module's imports, which stand in the module and in its script.
//!
//! wasm-bindgen ends each name with a hash, because the crates that a module is made of choose names without knowing of each other.
//! Hashes cannot be compressed: with them, the main module has 4.8 kB more, and the reader 3.7 kB. In a complete module, a number
//! does the same.

use std::collections::HashSet;

/// A name that wasm-bindgen has chosen, and the short one that replaces it.
pub struct Renamed {
    pub old: String,
    pub new: String,
}

/// Gives imports short names: `__wbg_set_redirect_a95a432ab7d10765` becomes `set_redirect`, and the next function of that name
/// `set_redirect2`.
pub fn shorten<'a>(names: impl Iterator<Item = &'a mut String>) -> Vec<Renamed> {
    let mut taken = HashSet::new();
    let mut rename = |name: &'a mut String| {
        let short = without_hash(without_prefix(name));
        let numbered = (2..).map(|number| format!("{short}{number}"));
        let new = std::iter::once(short.to_owned()).chain(numbered).find(|new| taken.insert(new.clone()));
        let new = new.expect("numbers do not end");
        Renamed { old: std::mem::replace(name, new.clone()), new }
    };
    names.map(&mut rename).collect()
}

fn without_prefix(name: &str) -> &str {
    ["__wbg_", "__wbindgen_"].iter().fold(name, |name, prefix| name.strip_prefix(prefix).unwrap_or(name))
}

/// The name without the hash or the number of 16 digits at its end.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((short, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => short,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn names_are_short_and_different() {
        let mut names = [
            "__wbg_new_0442fdf9d9e351d7",
            "__wbg_new_0f24d369217964cc",
            "__wbg___wbindgen_is_null_c22311b1cc228e3a",
            "__wbg_gguf_new",
            "__wbindgen_generic_0000000000000001",
        ]
        .map(String::from);
        let renamed = shorten(names.iter_mut());
        assert!(renamed.iter().map(|name| &*name.new).eq(["new", "new2", "is_null", "gguf_new", "generic"]));
        assert_eq!(renamed[1].old, "__wbg_new_0f24d369217964cc");
        assert!(names.iter().eq(renamed.iter().map(|name| &name.new)));
    }
}
