//! The marks of a file's kind that were found in its header.

use alloc::{string::String, string::ToString, vec::Vec};

use gguf_format::format::header::Header;
use gguf_format::format::value::{Str, Value};

/// Something in a header that says what kind of file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// An entry: its position in the header.
    Entry {
        /// The position of the entry.
        index: usize,
    },
    /// Tensors with names that only this kind of file has.
    Tensors {
        /// The position of the first such tensor.
        first: usize,
        /// The number of such tensors.
        count: usize,
    },
    /// The file has no tensors.
    NoTensors,
    /// The file lacks a tensor that a complete model has.
    MissingTensor {
        /// The name of the tensor.
        name: &'static str,
    },
}

/// The longest text of a value or a name that a sentence quotes, in bytes.
const LONGEST_QUOTE: usize = 80;

impl Evidence {
    /// The evidence as a sentence. `header` is the header in which it was found.
    pub fn sentence(&self, header: &Header) -> String {
        let mut sentence = String::new();
        match *self {
            Self::Entry { index } => {
                let Some(entry) = header.metadata_at(index) else { return sentence };
                quote(&mut sentence, entry.key());
                match entry.value() {
                    Value::String(text) => {
                        sentence.push_str(" is ");
                        quote(&mut sentence, text);
                    }
                    Value::Bool(value) => sentence.push_str(if value { " is true" } else { " is false" }),
                    value => match value.as_i64() {
                        Some(number) => {
                            sentence.push_str(" is ");
                            sentence.push_str(&number.to_string());
                        }
                        None => sentence.push_str(" is present"),
                    },
                }
                sentence.push('.');
            }
            Self::Tensors { first, count } => {
                let Some(tensor) = header.tensor_at(first) else { return sentence };
                let name = tensor.name();
                if count == 1 {
                    sentence.push_str("There is a tensor ");
                    quote(&mut sentence, name);
                    sentence.push('.');
                } else {
                    sentence.push_str(&count.to_string());
                    sentence.push_str(" tensors have names such as ");
                    quote(&mut sentence, name);
                    sentence.push('.');
                }
            }
            Self::NoTensors => sentence.push_str("The file has no tensors."),
            Self::MissingTensor { name } => {
                sentence.push_str("There is no tensor `");
                sentence.push_str(name);
                sentence.push_str("`.");
            }
        }
        sentence
    }
}

/// Appends a text between backquotes. A long text is cut. It is not copied as a whole: a value can have a gigabyte.
fn quote(sentence: &mut String, text: Str<'_>) {
    let mut start = Vec::new();
    for piece in text.pieces() {
        let room = LONGEST_QUOTE - start.len();
        start.extend_from_slice(&piece[..piece.len().min(room)]);
        if start.len() == LONGEST_QUOTE {
            break;
        }
    }
    sentence.push('`');
    sentence.push_str(&String::from_utf8_lossy(&start));
    sentence.push_str(if text.byte_length() > LONGEST_QUOTE as u64 { "…`" } else { "`" });
}
