//! Type declarations that are made from Rust tables and structs, so that each list stands once.
//!
//! The texts are built at compile time. They end up in the `.d.ts` file and not in the module.

/// Room for one declaration, in bytes.
const CAPACITY: usize = 16 << 10;

/// A text that is built at compile time.
pub(crate) struct ConstText {
    bytes: [u8; CAPACITY],
    length: usize,
}

impl ConstText {
    pub const fn new() -> Self {
        Self { bytes: [0; CAPACITY], length: 0 }
    }

    #[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "only a WebAssembly module has declarations"))]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => panic!("only whole texts are added"),
        }
    }

    pub const fn push(&mut self, text: &str) {
        let mut index = 0;
        while index < text.len() {
            self.push_byte(text.as_bytes()[index]);
            index += 1;
        }
    }

    /// Adds a Rust name as JavaScript writes it: `element_type` becomes `elementType`, `r#type` becomes `type`.
    pub const fn push_camel_case(&mut self, name: &str) {
        let name = name.as_bytes();
        let mut index = if name.len() > 2 && name[0] == b'r' && name[1] == b'#' { 2 } else { 0 };
        while index < name.len() {
            if name[index] == b'_' {
                index += 1;
                self.push_byte(name[index].to_ascii_uppercase());
            } else {
                self.push_byte(name[index]);
            }
            index += 1;
        }
    }

    /// Adds a documentation comment, whose lines begin with a space as in `#[doc = " text"]`.
    pub const fn push_doc(&mut self, indent: &str, lines: &[&str]) {
        self.push(indent);
        if lines.len() == 1 {
            self.push("/**");
            self.push(lines[0]);
            self.push(" */\n");
            return;
        }
        self.push("/**\n");
        let mut line = 0;
        while line < lines.len() {
            self.push(indent);
            self.push(" *");
            self.push(lines[line]);
            self.push("\n");
            line += 1;
        }
        self.push(indent);
        self.push(" */\n");
    }

    const fn push_byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }
}

/// A member of an interface.
pub(crate) struct Member {
    pub doc: &'static [&'static str],
    /// The name in Rust.
    pub name: &'static str,
    /// What stands between the name and the type.
    pub mark: &'static str,
    pub typescript: &'static str,
}

/// The declaration of a TypeScript interface that extends others. `modifier` stands before every member.
pub(crate) const fn interface(
    doc: &[&str],
    name: &str,
    parents: &[&str],
    modifier: &str,
    members: &[Member],
) -> ConstText {
    let mut text = ConstText::new();
    text.push_doc("", doc);
    text.push("export interface ");
    text.push(name);
    let mut index = 0;
    while index < parents.len() {
        text.push(if index == 0 { " extends " } else { ", " });
        text.push(parents[index]);
        index += 1;
    }
    text.push(" {\n");
    index = 0;
    while index < members.len() {
        let member = &members[index];
        if !member.doc.is_empty() {
            text.push_doc("  ", member.doc);
        }
        text.push("  ");
        text.push(modifier);
        text.push_camel_case(member.name);
        text.push(member.mark);
        text.push(member.typescript);
        text.push(";\n");
        index += 1;
    }
    text.push("}");
    text
}

/// A union of string literals: `export type Name = | "a" | "b";`.
pub(crate) const fn string_union(doc: &str, type_name: &str, names: &[&str]) -> ConstText {
    let mut text = ConstText::new();
    text.push_doc("", &[doc]);
    text.push("export type ");
    text.push(type_name);
    text.push(" =");
    let mut index = 0;
    while index < names.len() {
        text.push(" | \"");
        text.push(names[index]);
        text.push("\"");
        index += 1;
    }
    text.push(";");
    text
}

/// Adds an expression of type [`ConstText`] to the type declarations of the package.
macro_rules! declare {
    ($text:expr) => {
        #[allow(dead_code, reason = "the attribute reads the constants and removes their uses")]
        const _: () = {
            const TEXT: $crate::web::interop::typescript::ConstText = $text;
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
            const DECLARATION: &str = TEXT.as_str();
        };
    };
}

/// Declares a TypeScript type that is a union of string literals.
macro_rules! declare_string_union {
    ($doc:literal, $type_name:literal, $names:expr) => {
        $crate::web::interop::typescript::declare!($crate::web::interop::typescript::string_union(
            concat!(" ", $doc),
            $type_name,
            $names
        ));
    };
}

pub(crate) use {declare, declare_string_union};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_camel_case() {
        let mut text = ConstText::new();
        for name in ["index", "element_type", "positive_infinities", "r#type"] {
            text.push_camel_case(name);
            text.push(" ");
        }
        assert_eq!(text.as_str(), "index elementType positiveInfinities type ");
    }

    #[test]
    fn documentation_of_one_line_stays_on_one_line() {
        let mut text = ConstText::new();
        text.push_doc("", &[" One line."]);
        text.push_doc("  ", &[" A first line.", "", " A last line."]);
        assert_eq!(text.as_str(), "/** One line. */\n  /**\n   * A first line.\n   *\n   * A last line.\n   */\n");
    }

    #[test]
    fn names_become_a_union_of_string_literals() {
        let text = string_union(" Names.", "Name", &["a", "b-c"]);
        assert_eq!(text.as_str(), "/** Names. */\nexport type Name = | \"a\" | \"b-c\";");
    }
}
