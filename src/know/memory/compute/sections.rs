//! The texts of the graphs, and the sections that hold for an architecture.

use alloc::vec::Vec;

/// The texts. A section for some architectures stands before the section of the same name for all.
const TEXTS: [&str; 4] = [
    include_str!("graphs/other.graph"),
    include_str!("graphs/latent.graph"),
    include_str!("graphs/recurrent.graph"),
    include_str!("graphs/common.graph"),
];

/// A named value, in the order of its definition. A later one hides an earlier one.
pub(super) type Named<T> = Vec<(&'static str, T)>;

/// The value with a name.
pub(super) fn find<T: Copy>(values: &Named<T>, name: &str) -> Option<T> {
    values.iter().rev().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

/// Names a value.
pub(super) fn set<T>(values: &mut Named<T>, name: &'static str, value: T) {
    match values.iter_mut().find(|(own, _)| *own == name) {
        Some((_, own)) => *own = value,
        None => values.push((name, value)),
    }
}

/// The names of the sections that hold for an architecture, and their statements.
pub(super) fn sections_of(architecture: &str) -> Named<&'static str> {
    let mut sections = Vec::new();
    for section in TEXTS.iter().flat_map(|text| text.split("== ").skip(1)) {
        let (title, body) = section.split_once('\n').unwrap_or_default();
        let mut words = title.split(' ');
        let name = words.next().unwrap_or_default();
        let mut architectures = words.peekable();
        let holds = architectures.peek().is_none() || architectures.any(|own| own == architecture);
        if holds && find(&sections, name).is_none() {
            sections.push((name, body));
        }
    }
    sections
}
