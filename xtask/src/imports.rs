//! The names of a module's imports, which stand in the module and in its script.
//!
//! wasm-bindgen ends each name with a hash, because the crates that a module is made of choose names without knowing of each other.
//! In a complete module, a number does the same: the module and its script read these names, and nobody else. Hashes and names can
//! hardly be compressed: with them, the reader has 4.4 kB more, and the main module 6 kB.

/// The module that all imports come from: the script. Each import repeats its name.
pub const HOST: &str = "h";

/// A name that wasm-bindgen has chosen, and the short one that replaces it.
pub struct Renamed {
    pub old: String,
    pub new: String,
}

/// Gives names short ones: `a` to `z`, then `ba`, and so on.
pub fn shorten<'a>(names: impl Iterator<Item = &'a mut String>) -> Vec<Renamed> {
    let rename = |(number, name): (usize, &'a mut String)| {
        let new = letters(number);
        Renamed { old: std::mem::replace(name, new.clone()), new }
    };
    names.enumerate().map(rename).collect()
}

/// A number in the letters `a` to `z`.
pub fn letters(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    let first = if number < 26 { String::new() } else { letters(number / 26) };
    format!("{first}{last}")
}

#[cfg(test)]
mod tests {
    use super::shorten;
    use std::collections::HashSet;

    #[test]
    fn names_are_short_and_different() {
        let mut names: Vec<String> = (0..2000).map(|number| format!("__wbg_new_{number:016x}")).collect();
        let renamed = shorten(names.iter_mut());
        assert_eq!(renamed[1].old, "__wbg_new_0000000000000001");
        assert!(names.iter().eq(renamed.iter().map(|name| &name.new)));
        assert_eq!([&*names[0], &*names[25], &*names[26], &*names[702]], ["a", "z", "ba", "bba"]);
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
    }
}
