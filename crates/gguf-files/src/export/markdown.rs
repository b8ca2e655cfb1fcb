//! The header of a file as Markdown, as gguf-dump writes it with `--markdown`.
//!
//! The text is the same, except where gguf-dump's is no valid table or stops with an error:
//!
//! - In cells, `|` becomes `\|`, a line feed becomes `\n`, and a carriage return becomes `\r`. In names, `<` becomes `&lt;`, and
//!   a name that could be read as a link, an image or other markup is shown as code.
//! - In anchors, unusual characters become their numbers.
//! - Bytes that are not UTF-8 become U+FFFD.
//! - The size of a tensor that is not known is `unknown`.
//! - Very long cells are aligned less: see `markdown_table`.

use alloc::{string::String, string::ToString, vec::Vec};
use core::fmt::{self, Write};

use super::dump::{DumpField, OWN_FIELDS, dump_field};
use super::markdown_table::{Column, write_table};
use super::python_text::{rounded_count, scalar, title};
use crate::export::original::{Listed, OriginalTensor};
use crate::markdown_text::{cell, inline_code, name as name_text};
use gguf_format::decimal::fixed;
use gguf_format::distinct_names::DistinctNames;
use gguf_format::format::header::{Header, TensorInfo};
use gguf_format::format::value::{Array, Str, Value, ValueType};
use gguf_format::format::version::Endian;

/// The characters up to which a string is shown whole.
const WHOLE_STRING: usize = 60;

/// The characters up to which a string in an array is shown whole.
const WHOLE_ELEMENT: usize = 30;

/// The strings of an array that are shown.
const SHOWN_STRINGS: usize = 5;

/// The numbers of an array that are shown.
const SHOWN_NUMBERS: usize = 7;

/// The dimensions that are shown at least. Those that a tensor does not have are 1.
const SHOWN_DIMENSIONS: usize = 4;

/// Parts of tensor names, and the words that gguf-dump shows for them.
const WORDS: &[(&str, &str)] = &[
    ("token_embd", "Token embedding"),
    ("pos_embd", "Position embedding"),
    ("output_norm", "Output normalization"),
    ("output", "Output"),
    ("attn_norm", "Attention normalization"),
    ("attn_norm_2", "Attention normalization"),
    ("attn_qkv", "Attention query-key-value"),
    ("attn_q", "Attention query"),
    ("attn_k", "Attention key"),
    ("attn_v", "Attention value"),
    ("attn_output", "Attention output"),
    ("ffn_norm", "Feed-forward network normalization"),
    ("ffn_up", "Feed-forward network \"up\""),
    ("ffn_gate", "Feed-forward network \"gate\""),
    ("ffn_down", "Feed-forward network \"down\""),
    ("ffn_gate_inp", "Expert-routing layer for the Feed-forward network in Mixture of Expert models"),
    ("ffn_gate_exp", "Feed-forward network \"gate\" layer per expert in Mixture of Expert models"),
    ("ffn_down_exp", "Feed-forward network \"down\" layer per expert in Mixture of Expert models"),
    ("ffn_up_exp", "Feed-forward network \"up\" layer per expert in Mixture of Expert models"),
    ("ssm_in", "State space model input projections"),
    ("ssm_conv1d", "State space model rolling/shift"),
    ("ssm_x", "State space model selective parametrization"),
    ("ssm_a", "State space model state compression"),
    ("ssm_d", "State space model skip connection"),
    ("ssm_dt", "State space model time step"),
    ("ssm_out", "State space model output projection"),
    ("blk", "Block"),
    ("enc", "Encoder"),
    ("dec", "Decoder"),
];

/// Writes the header of a file as Markdown: its metadata, and with `tensors` also its tensors, in groups. `file_name` is the
/// name or the path that the headline shows. Types, sizes and offsets of tensors are those of `originals`, unless it is empty.
///
/// # Errors
///
/// An error of `out`.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// let mut text = String::new();
/// gguf_files::export::write_markdown(&header, &[], "model.gguf", true, &mut text).unwrap();
/// assert!(text.starts_with("# model.gguf - GGUF Internal File Dump\n\n- Endian: LITTLE endian\n"));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn write_markdown(
    header: &Header,
    originals: &[OriginalTensor],
    file_name: &str,
    tensors: bool,
    out: &mut dyn Write,
) -> fmt::Result {
    let endian = match header.format().endian {
        Endian::Little => "LITTLE",
        Endian::Big => "BIG",
    };
    write!(out, "# {} - GGUF Internal File Dump\n\n- Endian: {endian} endian\n\n", name_text(file_name))?;
    write_metadata(header, out)?;
    let size = if tensors { write_tensors(header, Listed(originals), out)? } else { Size::default() };
    let base_name = file_name.rsplit('/').next().unwrap_or_default();
    write!(out, "Total BPW for {}: ", name_text(base_name))?;
    match size.elements {
        0 => out.write_str("undefined (no elements)\n"),
        _ => writeln!(out, "{} bits", fixed(size.bits_per_element(), 4)),
    }
}

fn write_metadata(header: &Header, out: &mut dyn Write) -> fmt::Result {
    let count = OWN_FIELDS + header.metadata().len();
    write!(out, "## Key Value Metadata Store\n\nThere are {count} key-value pairs in this file\n\n")?;
    let columns = [
        Column::right("POS"),
        Column::left("TYPE"),
        Column::right("Count"),
        Column::left("Key"),
        Column::left("Value"),
    ];
    let row = |index| {
        let Some(field) = dump_field(header, index) else { return Vec::new() };
        let types = field.types();
        vec![
            (index + 1).to_string(),
            type_text(&types),
            field.element_count().to_string(),
            name_cell(&field.name.to_string()),
            cell(&value_text(&field, &types)),
        ]
    };
    write_table(out, &columns, count, &row)?;
    out.write_str("\n")
}

/// The type of a field: `[[UINT8]]` for an array of arrays.
fn type_text(types: &[ValueType]) -> String {
    let depth = types.len() - 1;
    format!("{}{}{}", "[".repeat(depth), types[depth], "]".repeat(depth))
}

/// The value of a field, shortened. Arrays of arrays have no values, as in gguf-dump.
fn value_text(field: &DumpField<'_>, types: &[ValueType]) -> String {
    match field.value {
        Value::String(text) => string_text(text, WHOLE_STRING),
        Value::Array(_) if types.len() == 1 => String::new(),
        Value::Array(array) => array_text(array, field.element_count()),
        value => scalar(value),
    }
}

fn array_text(array: Array<'_>, count: u64) -> String {
    let shown = match array.element_type() {
        ValueType::Array => 0,
        ValueType::String => SHOWN_STRINGS,
        _ => SHOWN_NUMBERS,
    };
    let text = |element| match element {
        Value::String(text) => string_text(text, WHOLE_ELEMENT),
        element => scalar(element),
    };
    let elements: Vec<String> = array.iter().take(shown).map(text).collect();
    let rest = if count > elements.len() as u64 { ", ..." } else { "" };
    format!("[ {}{rest} ]", elements.join(", "))
}

/// A string as inline code. Of a string with more characters than `whole`, half as many of its start and of its end.
fn string_text(text: Str<'_>, whole: usize) -> String {
    let half = whole / 2;
    let (start, end) = match text.byte_length() {
        // A character has up to 4 bytes, so a longer text is never shown whole. It is not copied.
        length if length > 8 * whole as u64 => {
            (text.prefix(4 * half as u64).into(), text.suffix(4 * half as u64 + 3).into())
        }
        _ => {
            let text = text.to_string_lossy();
            if text.chars().count() <= whole {
                return inline_code(&text);
            }
            (text.clone(), text)
        }
    };
    let after_start = start.char_indices().nth(half).map_or(start.len(), |(position, _)| position);
    let before_end = end.char_indices().nth_back(half - 1).map_or(0, |(position, _)| position);
    format!("{}...{}", inline_code(&start[..after_start]), inline_code(&end[before_end..]))
}

/// A name for a cell.
fn name_cell(name: &str) -> String {
    cell(&name_text(name))
}

/// The sum of some tensors.
#[derive(Clone, Copy, Default)]
struct Size {
    /// The number of elements. `u64::MAX` if it does not fit.
    elements: u64,
    /// Bytes of data. Tensors whose size is not known are left out.
    bytes: u64,
}

impl Size {
    fn of(tensor: &TensorInfo<'_>, listed: Listed<'_>) -> Self {
        Self { elements: elements_of(tensor), bytes: listed.byte_length(tensor).unwrap_or(0) }
    }

    fn add(&mut self, other: Self) {
        self.elements = self.elements.saturating_add(other.elements);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    fn bits_per_element(self) -> f64 {
        self.bytes as f64 * 8.0 / self.elements as f64
    }
}

/// The number of elements. `u64::MAX` if it does not fit.
fn elements_of(tensor: &TensorInfo<'_>) -> u64 {
    tensor.element_count().unwrap_or(u64::MAX)
}

/// The tensors whose names have the same beginning.
struct Group {
    name: String,
    /// Their positions in the list of the file.
    tensors: Vec<usize>,
    size: Size,
}

/// The groups of tensors, in the order of their first tensors.
fn groups(header: &Header, listed: Listed<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut names = DistinctNames::default();
    for tensor in header.tensors() {
        let name = tensor.name().to_string_lossy();
        let group = group_name(&name);
        let place = names.position(group.as_bytes());
        if place == groups.len() {
            groups.push(Group { name: group.into(), tensors: Vec::new(), size: Size::default() });
        }
        groups[place].tensors.push(tensor.index());
        groups[place].size.add(Size::of(&tensor, listed));
    }
    groups
}

/// The group of a tensor: its block, the encoder or the decoder, or `base`.
fn group_name(name: &str) -> &str {
    let parts = |count: usize| name.match_indices('.').nth(count - 1).map_or(name, |(end, _)| &name[..end]);
    let mut words = name.split('.');
    match (words.next().unwrap_or_default(), words.next()) {
        ("blk", _) => parts(2),
        ("enc" | "dec", Some("blk")) => parts(3),
        ("enc" | "dec", _) => parts(1),
        _ => "base",
    }
}

/// A name of a tensor or of a group in words.
fn in_words(name: &str) -> String {
    let word = |part: &str| {
        let key = part.trim().to_ascii_lowercase();
        WORDS.iter().find(|(short, _)| *short == key).map_or_else(|| title(part), |(_, words)| title(words))
    };
    name.split('.').map(word).collect::<Vec<_>>().join(" ")
}

/// Writes the lists of the tensors, and returns the sum of all.
fn write_tensors(header: &Header, listed: Listed<'_>, out: &mut dyn Write) -> Result<Size, fmt::Error> {
    let groups = groups(header, listed);
    let mut total = Size::default();
    for group in &groups {
        total.add(group.size);
    }
    let (elements, rounded) = (total.elements, rounded_count(total.elements));
    write!(
        out,
        "## Tensors Overview {rounded} Elements\n\nTotal number of elements in all tensors: {elements} Elements\n\n"
    )?;
    for Group { name, size, .. } in &groups {
        let (words, rounded) = (name_text(&in_words(name)), rounded_count(size.elements));
        writeln!(out, "- [{words} Tensor Group - {rounded} Elements](#{})", anchor(name))?;
    }
    out.write_str(
        "\n### Tensor Data Offset\n\nThis table contains the offset and data segment relative to start of file\n\n",
    )?;
    let columns = [
        Column::right("T_ID"),
        Column::left("Tensor Layer Name"),
        Column::right("Data Offset (B)"),
        Column::right("Data Size (B)"),
    ];
    let number = |number: Option<u64>| number.map_or_else(|| "unknown".into(), |number| format!("{number:#16x}"));
    let row = |index| {
        let Some(tensor) = header.tensor_at(index) else { return Vec::new() };
        let name = name_cell(&tensor.name().to_string_lossy());
        vec![index.to_string(), name, number(listed.file_offset(&tensor)), number(listed.byte_length(&tensor))]
    };
    write_table(out, &columns, header.tensors().len(), &row)?;
    out.write_str("\n")?;
    groups.iter().try_for_each(|group| write_group(header, group, total, listed, out))?;
    Ok(total)
}

/// The name of a group as the target of a link.
fn anchor(name: &str) -> String {
    let mut anchor = String::new();
    for character in name.chars() {
        match character {
            '.' => anchor.push('_'),
            '_' | '-' => anchor.push(character),
            _ if character.is_alphanumeric() => anchor.push(character),
            // Writing to a `String` cannot fail.
            _ => _ = write!(anchor, "_{:x}_", u32::from(character)),
        }
    }
    anchor
}

fn write_group(header: &Header, group: &Group, total: Size, listed: Listed<'_>, out: &mut dyn Write) -> fmt::Result {
    let Group { name, tensors, size } = group;
    let rounded = rounded_count(size.elements);
    let words = name_text(&in_words(name));
    write!(out, "### <a name=\"{}\">{words} Tensor Group : {rounded} Elements</a>\n\n", anchor(name))?;
    let widths = Widths::of(tensors.iter().filter_map(|index| header.tensor_at(*index)));
    let columns = [
        Column::right("T_ID"),
        Column::left("Tensor Layer Name"),
        Column::left("Human Friendly Tensor Layer Name"),
        Column::left("Elements"),
        Column::left("Shape"),
        Column::left("Type"),
        Column::right("BPW"),
    ];
    let row = |index: usize| {
        let tensor = header.tensor_at(tensors[index]);
        tensor.map_or_else(Vec::new, |tensor| tensor_row(&tensor, &widths, listed))
    };
    write_table(out, &columns, tensors.len(), &row)?;
    let name = name_text(name);
    write!(out, "\n- Total elements in {name}: ({rounded:>4}) {}\n", size.elements)?;
    let share = if total.elements == 0 { 0.0 } else { size.elements as f64 / total.elements as f64 * 100.0 };
    write!(out, "- Percentage of total elements: {}%\n- Bits per Weight (BPW) for {name}: ", fixed(share, 2))?;
    match size.elements {
        0 => out.write_str("undefined (no elements)\n\n\n"),
        _ => write!(out, "{} bits\n\n\n", fixed(size.bits_per_element(), 4)),
    }
}

/// The widths of the numbers in the table of a group.
#[derive(Default)]
struct Widths {
    rounded: usize,
    elements: usize,
    dimensions: Vec<usize>,
}

impl Widths {
    fn of<'a>(tensors: impl Iterator<Item = TensorInfo<'a>>) -> Self {
        let mut widths = Self::default();
        for tensor in tensors {
            let elements = elements_of(&tensor);
            widths.rounded = widths.rounded.max(rounded_count(elements).len());
            widths.elements = widths.elements.max(elements.to_string().len());
            for (index, extent) in shown_dimensions(&tensor).enumerate() {
                let width = extent.to_string().len();
                match widths.dimensions.get_mut(index) {
                    Some(known) => *known = width.max(*known),
                    None => widths.dimensions.push(width),
                }
            }
        }
        widths
    }
}

/// The dimensions of a tensor, with 1 in place of missing ones.
fn shown_dimensions(tensor: &TensorInfo<'_>) -> impl Iterator<Item = u64> {
    let dimensions = tensor.dimension_iter();
    let missing = SHOWN_DIMENSIONS.saturating_sub(dimensions.len());
    dimensions.chain(core::iter::repeat_n(1, missing))
}

fn tensor_row(tensor: &TensorInfo<'_>, widths: &Widths, listed: Listed<'_>) -> Vec<String> {
    let name = tensor.name().to_string_lossy();
    let in_words = in_words(&name.replace(".weight", ".(W)").replace(".bias", ".(B)"));
    let size = Size::of(tensor, listed);
    let (elements, rounded) = (size.elements, rounded_count(size.elements));
    let (rounded_width, elements_width) = (widths.rounded, widths.elements);
    let dimensions =
        shown_dimensions(tensor).zip(&widths.dimensions).map(|(extent, width)| format!("{extent:>width$}"));
    let is_known = elements > 0 && listed.byte_length(tensor).is_some();
    let bits = if is_known { fixed(size.bits_per_element(), 4) } else { "nan".into() };
    vec![
        tensor.index().to_string(),
        name_cell(&name),
        name_cell(&in_words),
        format!("({rounded:>rounded_width$}) {elements:>elements_width$}"),
        dimensions.collect::<Vec<_>>().join(" x "),
        listed.type_name(tensor).into_owned(),
        bits,
    ]
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{group_name, in_words, inline_code, write_markdown};
    use gguf_format::decode::decoder::parse;
    use gguf_format::format::value::ValueType;
    use gguf_format::format::version::Format;
    use gguf_format::write::encode::{Encoder, OwnedValue};

    fn markdown(file: &Encoder, tensors: bool) -> String {
        let mut out = String::new();
        write_markdown(&parse(file.as_bytes()).unwrap(), &[], "folder/model.gguf", tensors, &mut out).unwrap();
        out
    }

    #[test]
    fn code_has_more_backticks_than_its_text() {
        assert_eq!(inline_code(""), "``");
        assert_eq!(inline_code("a b"), "`a b`");
        assert_eq!(inline_code("a`b"), "``a`b``");
        assert_eq!(inline_code("`a``"), "``` `a`` ```");
    }

    #[test]
    fn groups_are_blocks_and_halves() {
        let expected = [
            ("output.weight", "base"),
            ("", "base"),
            ("blk.12.attn_q.weight", "blk.12"),
            ("blk", "blk"),
            ("blk.3", "blk.3"),
            ("enc.blk.0.attn_q.weight", "enc.blk.0"),
            ("dec.output_norm.weight", "dec"),
            ("enc", "enc"),
            ("enc.blk", "enc.blk"),
        ];
        for (name, group) in expected {
            assert_eq!(group_name(name), group, "{name}");
        }
        assert_eq!(in_words("blk.0.attn_q.(W)"), "Block 0 Attention Query (W)");
        assert_eq!(in_words("ATTN_Q.new_part"), "Attention Query New_Part");
    }

    #[test]
    fn values_are_shortened_and_stay_in_their_cells() {
        let long = "0123456789".repeat(7);
        let very_long = "é".repeat(500);
        let mut file = Encoder::new(Format::default());
        file.header(0, 6)
            .kv(b"a|b<c", &"one\ntwo|three\r`".into())
            .kv(b"long", &long.as_str().into())
            .kv(b"very_long", &very_long.as_str().into())
            .kv(b"numbers", &OwnedValue::array(ValueType::Float32, (0..9_u8).map(f32::from)))
            .kv(b"strings", &OwnedValue::array(ValueType::String, ["a", "b`", "c", "d", "e", "f"]))
            .kv(b"none", &OwnedValue::array(ValueType::Int8, [0_i8; 0]));
        let text = markdown(&file, false);
        let row = |key: &str| {
            let line = text.lines().find(|line| line.contains(key)).unwrap();
            let value = line.rsplit(" | ").next().unwrap();
            String::from(value.trim_end_matches('|').trim_end())
        };
        assert_eq!(row(r"a\|b&lt;c"), r"`` one\ntwo\|three\r` ``");
        assert_eq!(row(" long"), "`012345678901234567890123456789`...`012345678901234567890123456789`");
        let half = "é".repeat(30);
        assert_eq!(row("very_long"), alloc::format!("`{half}`...`{half}`"));
        assert_eq!(row("numbers"), "[ 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, ... ]");
        assert_eq!(row("strings"), "[ `a`, `` b` ``, `c`, `d`, `e`, ... ]");
        assert!(text.lines().any(|line| line.starts_with("|   9 | ARRAY ") && line.contains("|     0 | none")));
        let first = text.lines().find(|line| line.starts_with("| POS")).unwrap();
        let table = text.lines().filter(|line| line.starts_with('|'));
        let longest = r"| [ `a`, `` b` ``, `c`, `d`, `e`, ... ]";
        assert!(longest.len() < first.len());
        assert!(table.clone().all(|line| line.chars().count() == first.chars().count()), "{text}");
        assert_eq!(table.count(), 2 + 3 + 6);
        assert!(text.ends_with("\n\nTotal BPW for model.gguf: undefined (no elements)\n"), "{text}");
    }

    #[test]
    fn tensors_are_listed_in_groups() {
        let mut file = Encoder::new(Format::default());
        file.header(4, 0)
            .tensor_info(b"token_embd.weight", &[64, 100], 2, 0)
            .tensor_info(b"blk.0.attn_q.weight", &[64, 64], 0, 3616)
            .tensor_info(b"blk.0.attn_q.bias", &[0], 0, 0)
            .tensor_info(b"new", &[3], 137, 20000);
        let text = markdown(&file, true);
        assert!(text.contains(
            "## Tensors Overview ~10K Elements\n\nTotal number of elements in all tensors: 10499 Elements\n"
        ));
        assert!(text.contains(
            "- [Base Tensor Group - ~6K Elements](#base)\n- [Block 0 Tensor Group - ~4K Elements](#blk_0)\n"
        ));
        assert!(text.contains("|    0 | token_embd.weight   |             0xe0 |            0xe10 |\n"), "{text}");
        assert!(text.contains("|    3 | new                 |           0x4f00 |          unknown |\n"), "{text}");
        let row = "|    1 | blk.0.attn_q.weight | Block 0 Attention Query (W)      | (~4K) 4096 | 64 x 64 x 1 x 1 | F32  | 32.0000 |\n";
        assert!(text.contains(row), "{text}");
        let row = "|    2 | blk.0.attn_q.bias   | Block 0 Attention Query (B)      | (  0)    0 |  0 x  1 x 1 x 1 | F32  |     nan |\n";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("- Total elements in blk.0: ( ~4K) 4096\n- Percentage of total elements: 39.01%\n- Bits per Weight (BPW) for blk.0: 32.0000 bits\n\n\n"), "{text}");
    }
}
