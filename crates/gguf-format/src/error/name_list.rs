//! Lists of names in the messages of errors: `a, b, c`.

use alloc::string::String;

/// Adds a name to a list. `join` of the standard library would add 0.3 kB to the reader.
#[doc(hidden)]
pub fn add_name(list: &mut String, name: &str) {
    if !list.is_empty() {
        list.push_str(", ");
    }
    list.push_str(name);
}
