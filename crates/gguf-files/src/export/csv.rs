//! Tables as CSV, as RFC 4180 defines it: fields with quotes, commas or line breaks are quoted, and lines end with CR LF.
//! Text is UTF-8, with U+FFFD in place of bytes that are not.

use alloc::string::{String, ToString};
use core::fmt::{self, Write};

use super::python_text;
use crate::export::original::{Listed, OriginalTensor};
use gguf_format::format::header::Header;
use gguf_format::format::value::{Array, Value, ValueType};
use gguf_models::tokenizer::TokenType;

/// What cells of a table contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "a text is changed or not")]
pub enum CsvCells {
    /// The texts of the file as they are.
    #[default]
    Exact,
    /// Texts that a spreadsheet would read as a formula have an apostrophe before them: those that begin with `=`, `+`, `-`, `@`
    /// or their full-width forms, a tab or a line break. Numbers are not changed.
    SpreadsheetSafe,
}

/// Writes the tensors of a header: a row for each, in the order of the file. The columns are `index`, `name`, `type`,
/// `dimensions` (fastest first, `4096x32000`), `elements`, `bytes` and `offset` (of the data, in the file). Numbers that are
/// not known are empty fields. Types, bytes and offsets are those of `originals`, unless it is empty.
///
/// # Errors
///
/// An error of `out`.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_files::export::{CsvCells, write_tensors_csv};
///
/// let header = gguf_format::parse(&file)?;
/// let mut table = String::new();
/// write_tensors_csv(&header, &[], CsvCells::Exact, &mut table).unwrap();
/// assert_eq!(table.lines().next(), Some("index,name,type,dimensions,elements,bytes,offset"));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn write_tensors_csv(
    header: &Header,
    originals: &[OriginalTensor],
    cells: CsvCells,
    out: &mut dyn Write,
) -> fmt::Result {
    let listed = Listed(originals);
    out.write_str("index,name,type,dimensions,elements,bytes,offset\r\n")?;
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    for tensor in header.tensors() {
        write!(out, "{},", tensor.index())?;
        write_field(out, &tensor.name().to_string_lossy(), cells)?;
        write!(out, ",{},", listed.type_name(&tensor))?;
        for (index, extent) in tensor.dimension_iter().enumerate() {
            let separator = if index == 0 { "" } else { "x" };
            write!(out, "{separator}{extent}")?;
        }
        let (elements, bytes, offset) =
            (tensor.element_count(), listed.byte_length(&tensor), listed.file_offset(&tensor));
        write!(out, ",{},{},{}\r\n", number(elements), number(bytes), number(offset))?;
    }
    Ok(())
}

/// Writes the tokens of a header: a row for each, in the order of their ids. The columns are `id`, `text` as the vocabulary
/// stores it, `type` (`normal`, `control` and so on) and `score`. A type or a score that the file does not have is an empty
/// field. Returns `false` if the header has no list of tokens: nothing is written then.
///
/// # Errors
///
/// An error of `out`.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_files::export::{CsvCells, write_tokens_csv};
///
/// let header = gguf_format::parse(&file)?;
/// let mut table = String::new();
/// assert!(write_tokens_csv(&header, CsvCells::Exact, &mut table).unwrap());
/// assert_eq!(table.lines().nth(2), Some("1,<s>,,"));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn write_tokens_csv(header: &Header, cells: CsvCells, out: &mut dyn Write) -> Result<bool, fmt::Error> {
    let array = |key| header.get(key).and_then(|entry| entry.value().as_array());
    let is_of_strings = |array: &Array<'_>| array.element_type() == ValueType::String;
    let Some(tokens) = array("tokenizer.ggml.tokens").filter(is_of_strings) else { return Ok(false) };
    let [mut types, mut scores] = ["tokenizer.ggml.token_type", "tokenizer.ggml.scores"]
        .map(|key| array(key).into_iter().flat_map(Array::into_iter));
    out.write_str("id,text,type,score\r\n")?;
    for (id, text) in tokens.iter().filter_map(|token| token.as_str()).enumerate() {
        write!(out, "{id},")?;
        write_field(out, &text.to_string_lossy(), cells)?;
        let token_type = types.next().and_then(|number| number.as_i64());
        let name = token_type.map_or("", |number| TokenType::of_number(i32::try_from(number).unwrap_or(0)).name());
        let is_number = |value: &Value<'_>| value.as_f64().is_some() || value.as_i64().is_some();
        let score = scores.next().filter(is_number).map_or_else(String::new, python_text::scalar);
        write!(out, ",{name},{score}\r\n")?;
    }
    Ok(true)
}

/// Writes a text of the file, in quotes if it needs them.
fn write_field(out: &mut dyn Write, text: &str, cells: CsvCells) -> fmt::Result {
    let is_formula = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n']);
    if cells == CsvCells::SpreadsheetSafe && is_formula {
        return write_field(out, &format!("'{text}"), CsvCells::Exact);
    }
    if !text.contains(['"', ',', '\r', '\n']) {
        return out.write_str(text);
    }
    out.write_char('"')?;
    for (index, part) in text.split('"').enumerate() {
        out.write_str(if index == 0 { "" } else { "\"\"" })?;
        out.write_str(part)?;
    }
    out.write_char('"')
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{CsvCells, OriginalTensor, write_field, write_tensors_csv, write_tokens_csv};
    use gguf_format::decode::decoder::parse;
    use gguf_format::format::value::ValueType;
    use gguf_format::format::version::Format;
    use gguf_format::write::encode::{Encoder, OwnedValue};

    #[test]
    fn fields_are_quoted_where_they_must() {
        let expected = [
            ("", ""),
            ("plain text; 'fine'", "plain text; 'fine'"),
            ("a,b", "\"a,b\""),
            ("\"", "\"\"\"\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("\r", "\"\r\""),
        ];
        for (text, field) in expected {
            let mut out = String::new();
            write_field(&mut out, text, CsvCells::Exact).unwrap();
            assert_eq!(out, field);
        }
    }

    #[test]
    fn texts_that_are_formulas_get_an_apostrophe() {
        let expected = [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@a", "'@a"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("=\"a\",b", "\"'=\"\"a\"\",b\""),
            ("a=1", "a=1"),
            ("", ""),
        ];
        for (text, field) in expected {
            let mut out = String::new();
            write_field(&mut out, text, CsvCells::SpreadsheetSafe).unwrap();
            assert_eq!(out, field);
        }
        let mut file = Encoder::new(Format::default());
        file.header(0, 2)
            .kv(b"tokenizer.ggml.tokens", &OwnedValue::array(ValueType::String, ["=x", "-"]))
            .kv(b"tokenizer.ggml.scores", &OwnedValue::array(ValueType::Float32, [-0.5_f32, -1e30]));
        let mut out = String::new();
        let header = parse(file.as_bytes()).unwrap();
        assert_eq!(write_tokens_csv(&header, CsvCells::SpreadsheetSafe, &mut out), Ok(true));
        assert_eq!(out, "id,text,type,score\r\n0,'=x,,-0.5\r\n1,'-,,-1e+30\r\n");
    }

    #[test]
    fn tokens_have_a_row_each() {
        let mut file = Encoder::new(Format::default());
        file.header(0, 3)
            .kv(b"tokenizer.ggml.tokens", &OwnedValue::array(ValueType::String, ["<unk>", "a,b", ""]))
            .kv(b"tokenizer.ggml.token_type", &OwnedValue::array(ValueType::Int32, [2_i32, 1]))
            .kv(b"tokenizer.ggml.scores", &OwnedValue::array(ValueType::Float32, [-0.5_f32, -1e30, 0.0]));
        let header = parse(file.as_bytes()).unwrap();
        let mut out = String::new();
        assert_eq!(write_tokens_csv(&header, CsvCells::Exact, &mut out), Ok(true));
        assert_eq!(out, "id,text,type,score\r\n0,<unk>,unknown,-0.5\r\n1,\"a,b\",normal,-1e+30\r\n2,,,0.0\r\n");
    }

    #[test]
    fn without_a_list_of_tokens_nothing_is_written() {
        for value in [5_u32.into(), OwnedValue::array(ValueType::Uint8, [1_u8])] {
            let mut file = Encoder::new(Format::default());
            file.header(0, 1).kv(b"tokenizer.ggml.tokens", &value);
            let mut out = String::new();
            assert_eq!(write_tokens_csv(&parse(file.as_bytes()).unwrap(), CsvCells::Exact, &mut out), Ok(false));
            assert_eq!(out, "");
        }
    }

    #[test]
    fn tensors_have_a_row_each_and_unknown_numbers_are_empty() {
        let mut file = Encoder::new(Format::default());
        file.header(2, 0).tensor_info(b"a\"b", &[32, 2], 2, 0).tensor_info(b"new", &[3], 137, 64);
        let header = parse(file.as_bytes()).unwrap();
        let mut out = String::new();
        write_tensors_csv(&header, &[], CsvCells::Exact, &mut out).unwrap();
        let data = header.data_offset();
        let expected = alloc::format!(
            "index,name,type,dimensions,elements,bytes,offset\r\n0,\"a\"\"b\",Q4_0,32x2,64,36,{data}\r\n\
             1,new,unknown(137),3,3,,{}\r\n",
            data + 64
        );
        assert_eq!(out, expected);
    }

    #[test]
    fn original_tensors_are_listed_in_place_of_those_of_the_header() {
        let mut file = Encoder::new(Format::default());
        file.header(2, 0).tensor_info(b"a", &[32, 2], 0, 0).tensor_info(b"b", &[3], 0, 256);
        let original = |type_name: &str, byte_length, file_offset| OriginalTensor {
            type_name: type_name.into(),
            byte_length,
            file_offset,
        };
        let originals = [original("Q4_0_V1", Some(40), Some(7)), original("F32", Some(12), None)];
        let mut out = String::new();
        write_tensors_csv(&parse(file.as_bytes()).unwrap(), &originals, CsvCells::Exact, &mut out).unwrap();
        let expected =
            "index,name,type,dimensions,elements,bytes,offset\r\n0,a,Q4_0_V1,32x2,64,40,7\r\n1,b,F32,3,3,12,\r\n";
        assert_eq!(out, expected);
    }
}
