//! Takes the name of a tensor apart.

use super::names::tensor_name_info;
use super::part::{TensorPart, split_part};
use super::sections::{TENSOR_SECTIONS, TensorSection};
use crate::decimal::split_decimal;
use crate::text_table::Name;
use gguf_declare::result;

result! {
    /// What a tensor is, by its name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TensorRole {
        /// The base name: the name without the prefix of its section and without its suffix. `{n}` stands for a number:
        /// `"attn_q"`.
        pub base: &'static str,
        /// What people call tensors with this base name.
        pub title: &'static str,
        /// What the tensor is for, in one sentence.
        pub description: &'static str,
        /// The section of the model that the tensor belongs to: `"Vision encoder block"`.
        pub section: &'static TensorSection,
        /// The number of the block.
        pub block: Option<u32>,
        /// The number of the expert, if each expert has a tensor of its own, as in files before April 2024.
        pub expert: Option<u32>,
        /// The number in the base name, if it is not that of an expert.
        pub number: Option<u32>,
        /// The suffix of the name. Not present if the name has none, as in `"blk.0.ssm_a"`.
        pub part: Option<TensorPart>,
    }
}

/// What a tensor is, by its name. `None` if the name is not a standard one.
///
/// Takes time in proportion to the length of the name, and allocates nothing.
///
/// # Examples
///
/// ```
/// use gguf_models::tensor_names::{TensorPart, tensor_role};
///
/// let role = tensor_role(b"blk.3.attn_q.weight").unwrap();
/// assert_eq!((role.base, role.title), ("attn_q", "Attention query"));
/// assert_eq!((role.block, role.part), (Some(3), Some(TensorPart::Weight)));
///
/// assert_eq!(tensor_role(b"blk.3.ffn_up.7.weight").unwrap().expert, Some(7));
/// assert_eq!(tensor_role(b"v.blk.0.ln1.bias").unwrap().section.title, "Vision encoder block");
/// assert_eq!(tensor_role(b"transformer.h.0.attn.c_attn.weight"), None);
/// ```
pub fn tensor_role(name: &[u8]) -> Option<TensorRole> {
    let (name, part) = split_part(name);
    TENSOR_SECTIONS.iter().find_map(|section| {
        let (block, rest) = strip_pattern(name, section.prefix)?;
        let (base, number) = find_base(section, rest)?;
        let info = tensor_name_info(base)?;
        let is_expert = base.starts_with("ffn_");
        Some(TensorRole {
            base: info.base,
            title: info.title,
            description: info.description,
            section,
            block,
            expert: number.filter(|_| is_expert),
            number: number.filter(|_| !is_expert),
            part,
        })
    })
}

/// The base name in a section that a name has, and the number that `{n}` stands for.
fn find_base(section: &TensorSection, name: &[u8]) -> Option<(&'static str, Option<u32>)> {
    let (pattern, number) = match with_number(name) {
        Some((pattern, number)) => (pattern, Some(number)),
        None if name.contains(&b'{') => return None,
        None => (Name::as_written(name), None),
    };
    Some((section.bases.find(pattern)?.name(), number))
}

/// The name with `{n}` in the place of its first segment that is a number, and that number.
fn with_number(name: &[u8]) -> Option<(Name<'_>, u32)> {
    let mut start = 0;
    for segment in name.split(|byte| *byte == b'.') {
        let end = start + segment.len();
        if let Some((number, [])) = split_decimal(segment) {
            return Some((Name { start: &name[..start], placeholder: "{n}", end: &name[end..] }, number));
        }
        start = end + 1;
    }
    None
}

/// Strips a pattern from the start of a text. Returns the number that `{n}` stands for, and the text after the pattern.
fn strip_pattern<'a>(text: &'a [u8], pattern: &str) -> Option<(Option<u32>, &'a [u8])> {
    let Some((before, after)) = pattern.split_once('{') else {
        return Some((None, text.strip_prefix(pattern.as_bytes())?));
    };
    let (number, rest) = split_decimal(text.strip_prefix(before.as_bytes())?)?;
    Some((Some(number), rest.strip_prefix(after.strip_prefix("n}")?.as_bytes())?))
}
