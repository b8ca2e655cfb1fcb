//! The keys without which llama.cpp refuses every model of an architecture, as a list.
//!
//! The build script makes the list of the rules. So a module that only needs these keys contains neither the rules nor
//! the code that evaluates them.

/// The architectures with their keys: `name name:key key\n`. The first line has no name: it has the keys of all architectures.
const LIST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/required_keys.txt"));

/// The keys that llama.cpp requires of every model, and of every model of an architecture, with a space after each. They have no name of
/// an architecture, unless they begin with `/`. `None` if llama.cpp does not load the architecture.
pub(crate) fn required_keys(architecture: &[u8]) -> Option<[&'static [u8]; 2]> {
    let mut of_all: &[u8] = &[];
    for line in LIST.split(|byte| *byte == b'\n') {
        let (names, keys) = line.split_at(line.iter().position(|byte| *byte == b':')?);
        if names.is_empty() {
            of_all = &keys[1..];
        } else if names.split(|byte| *byte == b' ').any(|name| name == architecture) {
            return Some([of_all, &keys[1..]]);
        }
    }
    None
}
