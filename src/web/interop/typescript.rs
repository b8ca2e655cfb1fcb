//! Type declarations made of the crate's own tables, so that each list exists once.

/// Whether no list before has the name.
const fn is_first(lists: &[&[&str]], list: usize, name: usize) -> bool {
    let sought = lists[list][name].as_bytes();
    let mut before = 0;
    while before < list {
        let mut other = 0;
        while other < lists[before].len() {
            let found = lists[before][other].as_bytes();
            let mut i = 0;
            while i < found.len() && found.len() == sought.len() && found[i] == sought[i] {
                i += 1;
            }
            if i == sought.len() && i == found.len() {
                return false;
            }
            other += 1;
        }
        before += 1;
    }
    true
}

/// Bytes that [`union`] needs.
pub(crate) const fn union_len(lists: &[&[&str]]) -> usize {
    let (mut len, mut list) = (0, 0);
    while list < lists.len() {
        let mut name = 0;
        while name < lists[list].len() {
            if is_first(lists, list, name) {
                len += lists[list][name].len() + 5;
            }
            name += 1;
        }
        list += 1;
    }
    len
}

/// The names as a union of string literals, each after a bar: ` | "a" | "b"`; what is in several lists once.
pub(crate) const fn union<const LEN: usize>(lists: &[&[&str]]) -> [u8; LEN] {
    let (mut out, mut at, mut list) = ([b' '; LEN], 0, 0);
    while list < lists.len() {
        let mut name = 0;
        while name < lists[list].len() {
            if !is_first(lists, list, name) {
                name += 1;
                continue;
            }
            let text = lists[list][name].as_bytes();
            out[at + 1] = b'|';
            out[at + 3] = b'"';
            let mut i = 0;
            while i < text.len() {
                out[at + 4 + i] = text[i];
                i += 1;
            }
            out[at + 4 + text.len()] = b'"';
            at += text.len() + 5;
            name += 1;
        }
        list += 1;
    }
    out
}

/// Declares a TypeScript type that is a union of string literals.
macro_rules! string_union {
    ($doc:literal, $type_name:literal, $lists:expr) => {
        #[allow(dead_code, reason = "the attribute takes the constant, and leaves what it is made of")]
        const _: () = {
            const LISTS: &[&[&str]] = $lists;
            const UNION: [u8; $crate::web::interop::typescript::union_len(LISTS)] =
                $crate::web::interop::typescript::union(LISTS);
            const NAMES: &str = match core::str::from_utf8(&UNION) {
                Ok(names) => names,
                Err(_) => panic!("names are ASCII"),
            };
            const HEAD: &str = concat!("/** ", $doc, " */\nexport type ", $type_name, " =");
            const LEN: usize = HEAD.len() + NAMES.len() + 1;
            const DECLARATION: [u8; LEN] = {
                let (mut out, mut i) = ([b';'; LEN], 0);
                while i < LEN - 1 {
                    out[i] = if i < HEAD.len() { HEAD.as_bytes()[i] } else { NAMES.as_bytes()[i - HEAD.len()] };
                    i += 1;
                }
                out
            };
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
            const TYPESCRIPT: &str = match core::str::from_utf8(&DECLARATION) {
                Ok(declaration) => declaration,
                Err(_) => panic!("names are ASCII"),
            };
        };
    };
}
pub(crate) use string_union;
