//! Type declarations that are made from Rust tables and structs, so that each list stands once.
//!
//! The texts are built at compile time. They end up in the `.d.ts` file and not in the module.

/// Room for one declaration, in bytes.
const CAPACITY: usize = 24 << 10;

/// A text that is built at compile time.
pub struct ConstText<const ROOM: usize = CAPACITY> {
    bytes: [u8; ROOM],
    length: usize,
}

/// A TypeScript type.
pub enum Type {
    Named(&'static str),
    /// One of the texts.
    Union(&'static [&'static str]),
    List(&'static Type),
    /// A list of two items.
    Pair(&'static Type),
}

impl<const ROOM: usize> ConstText<ROOM> {
    #[allow(clippy::new_without_default, reason = "texts are built in constants")]
    pub const fn new() -> Self {
        Self { bytes: [0; ROOM], length: 0 }
    }

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

    /// Adds a type. `modifier` stands before lists.
    const fn push_type(&mut self, r#type: &Type, modifier: &str) {
        match r#type {
            Type::Named(name) => self.push(name),
            Type::Union(names) => self.push_union(names, ""),
            Type::List(item) => {
                self.push(modifier);
                self.push_type(item, modifier);
                self.push("[]");
            }
            Type::Pair(item) => {
                self.push(modifier);
                self.push("[");
                self.push_type(item, modifier);
                self.push(", ");
                self.push_type(item, modifier);
                self.push("]");
            }
        }
    }

    /// Adds texts with `|` between them, and `start` before the first one.
    const fn push_union(&mut self, names: &[&str], start: &str) {
        let mut index = 0;
        while index < names.len() {
            self.push(if index == 0 { start } else { " | " });
            self.push("\"");
            self.push(names[index]);
            self.push("\"");
            index += 1;
        }
    }

    /// Adds the declaration of a type that is a union of texts.
    pub const fn push_union_type(&mut self, type_name: &str, names: &[&str]) {
        self.push("export type ");
        self.push(type_name);
        self.push(" =");
        self.push_union(names, " | ");
        self.push(";");
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

    /// Adds a documentation comment, whose lines begin with a space as in `#[doc = " text"]`. Examples in Rust are left out.
    pub const fn push_doc(&mut self, indent: &str, lines: &[&str]) {
        let mut end = 0;
        while end < lines.len() && !is_examples(lines[end]) {
            end += 1;
        }
        // There is an empty line before the heading.
        let lines = lines.split_at(if end < lines.len() { end - 1 } else { end }).0;
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

const fn is_examples(line: &str) -> bool {
    matches!(line.as_bytes(), b" # Examples")
}

/// A Rust name as JavaScript writes it.
pub const fn camel_case<const ROOM: usize>(name: &str) -> ConstText<ROOM> {
    let mut text = ConstText::new();
    text.push_camel_case(name);
    text
}

/// The name of a member in JavaScript, from its name in Rust.
#[doc(hidden)]
#[macro_export]
macro_rules! member_name {
    ($member:ident) => {{
        const TEXT: $crate::typescript::ConstText<{ stringify!($member).len() }> =
            $crate::typescript::camel_case(stringify!($member));
        // As a constant: the text is not checked again at run time.
        const NAME: &str = TEXT.as_str();
        NAME
    }};
}

/// A member of an interface.
pub struct Member {
    pub doc: &'static [&'static str],
    /// The name in Rust.
    pub name: &'static str,
    pub is_optional: bool,
    /// Whether callers give it.
    pub is_given: bool,
    pub typescript: Type,
}

/// The declaration of a TypeScript interface that extends others.
pub const fn interface(doc: &[&str], name: &str, parents: &[&str], is_readonly: bool, members: &[Member]) -> ConstText {
    let modifier = if is_readonly { "readonly " } else { "" };
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
        text.push(if member.is_optional { "?: " } else { ": " });
        text.push_type(&member.typescript, modifier);
        // Callers may pass `undefined` for a member that they need not give.
        text.push(if member.is_optional && member.is_given { " | undefined;\n" } else { ";\n" });
        index += 1;
    }
    text.push("}");
    text
}

/// A union of string literals: `export type Name = | "a" | "b";`.
pub const fn string_union(doc: &[&str], type_name: &str, names: &[&str]) -> ConstText {
    let mut text = ConstText::new();
    text.push_doc("", doc);
    text.push_union_type(type_name, names);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_in_camel_case() {
        let mut text = ConstText::<CAPACITY>::new();
        for name in ["index", "element_type", "positive_infinities", "r#type"] {
            text.push_camel_case(name);
            text.push(" ");
        }
        assert_eq!(text.as_str(), "index elementType positiveInfinities type ");
    }

    #[test]
    fn documentation_of_one_line_stays_on_one_line() {
        let mut text = ConstText::<CAPACITY>::new();
        text.push_doc("", &[" One line."]);
        text.push_doc("  ", &[" A first line.", "", " A last line."]);
        assert_eq!(text.as_str(), "/** One line. */\n  /**\n   * A first line.\n   *\n   * A last line.\n   */\n");
    }

    #[test]
    fn only_optional_members_of_given_objects_may_be_undefined() {
        const TYPE: Type = Type::Named("number");
        let member = |is_optional, is_given| Member { doc: &[], name: "end", is_optional, is_given, typescript: TYPE };
        let members = [member(true, true), member(false, true), member(true, false)];
        let text = interface(&[" A."], "A", &[], false, &members);
        let expected = "  end?: number | undefined;\n  end: number;\n  end?: number;\n";
        assert_eq!(text.as_str(), alloc::format!("/** A. */\nexport interface A {{\n{expected}}}"));
    }

    #[test]
    fn names_become_a_union_of_string_literals() {
        let text = string_union(&[" Names."], "Name", &["a", "b-c"]);
        assert_eq!(text.as_str(), "/** Names. */\nexport type Name = | \"a\" | \"b-c\";");
    }
}
