//! A SentencePiece model: `tokenizer.model`, and `sentencepiece.bpe.model` of XLM-RoBERTa.
//!
//! Source: `src/sentencepiece_model.proto` of SentencePiece.

use alloc::{collections::BTreeSet, vec::Vec};

use super::protobuf::{Field, FieldValue, Message};
use crate::budget::Budget;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};
use gguf_models::tokenizer::TokenType;

/// The bytes that a piece counts, in the list and in the set of texts.
const PIECE: u64 = 96;

/// What a SentencePiece model says about its pieces, and about the normalisation of text.
#[derive(Debug)]
pub(super) struct PieceModel<'a> {
    pub pieces: Vec<Piece<'a>>,
    /// 1 for unigram, 2 for byte-pair encoding.
    pub algorithm: u64,
    pub adds_space: bool,
    pub removes_spaces: bool,
    /// The compiled rules of the normalisation.
    pub charsmap: &'a [u8],
}

/// A token of a SentencePiece model.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub text: &'a str,
    pub score: f32,
    /// Normal, unknown, control, unused or byte. User-defined pieces are normal, as the converter of llama.cpp has them.
    pub token_type: TokenType,
}

impl<'a> PieceModel<'a> {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// `bad-vocabulary` with the offset if the file is no such model. `bad-vocabulary` if SentencePiece refuses its pieces.
    /// `too-large` if the budget is used up.
    pub fn read(file: &'a [u8], budget: &Budget) -> Result<Self> {
        // The defaults are those of the definition of the format.
        let mut model =
            Self { pieces: Vec::new(), algorithm: 1, adds_space: true, removes_spaces: true, charsmap: &[] };
        for field in Message::of_file(file).fields() {
            let field = field?;
            match field.number {
                1 => budget.push(&mut model.pieces, piece(message(field)?)?, PIECE)?,
                2 => model.read_trainer(message(field)?)?,
                3 => model.read_normalizer(message(field)?)?,
                _ => {}
            }
        }
        model.check()?;
        Ok(model)
    }

    /// SentencePiece refuses models without an unknown piece, and with pieces that are empty or occur twice.
    fn check(&self) -> Result<()> {
        let mut texts = BTreeSet::new();
        if let Some(id) = self.pieces.iter().position(|piece| piece.text.is_empty() || !texts.insert(piece.text)) {
            let text = Shown(self.pieces[id].text.as_bytes());
            return Err(error!(
                BadVocabulary: "piece {id} of the SentencePiece model, \"{text}\", is empty or occurs twice. Download the file again."
            ));
        }
        match self.pieces.iter().any(|piece| piece.token_type == TokenType::Unknown) {
            true => Ok(()),
            false => Err(error!(
                BadVocabulary: "the SentencePiece model has no piece for unknown text. Download the file again."
            )),
        }
    }

    fn read_trainer(&mut self, trainer: Message<'a>) -> Result<()> {
        for field in trainer.fields() {
            let field = field?;
            if field.number == 3 {
                self.algorithm = number(field)?;
            }
        }
        Ok(())
    }

    fn read_normalizer(&mut self, normalizer: Message<'a>) -> Result<()> {
        for field in normalizer.fields() {
            let field = field?;
            match field.number {
                2 => self.charsmap = message(field)?.bytes(),
                3 => self.adds_space = number(field)? != 0,
                4 => self.removes_spaces = number(field)? != 0,
                _ => {}
            }
        }
        Ok(())
    }
}

fn piece(message: Message<'_>) -> Result<Piece<'_>> {
    let mut piece = Piece { text: "", score: 0.0, token_type: TokenType::Normal };
    for field in message.fields() {
        let field = field?;
        match (field.number, field.value) {
            (1, FieldValue::Bytes(text)) => {
                piece.text = core::str::from_utf8(text.bytes()).map_err(|_| wrong(field, "text in UTF-8"))?;
            }
            (2, FieldValue::Fixed32(bytes)) => piece.score = f32::from_le_bytes(bytes),
            (3, FieldValue::Varint(number)) => {
                piece.token_type = match number {
                    1 | 4 => TokenType::Normal,
                    2 => TokenType::Unknown,
                    3 => TokenType::Control,
                    5 => TokenType::Unused,
                    6 => TokenType::Byte,
                    _ => return Err(wrong(field, "a type of pieces from 1 to 6")),
                };
            }
            (1, _) => return Err(wrong(field, "text")),
            (2, _) => return Err(wrong(field, "four bytes")),
            (3, _) => return Err(wrong(field, "a number")),
            _ => {}
        }
    }
    Ok(piece)
}

fn message(field: Field<'_>) -> Result<Message<'_>> {
    match field.value {
        FieldValue::Bytes(message) => Ok(message),
        _ => Err(wrong(field, "bytes")),
    }
}

fn number(field: Field<'_>) -> Result<u64> {
    match field.value {
        FieldValue::Varint(number) => Ok(number),
        _ => Err(wrong(field, "a number")),
    }
}

/// The error of a field whose value is not of its type.
#[cold]
fn wrong(field: Field<'_>, expected: &str) -> Error {
    let Field { number, offset, .. } = field;
    error!(
        BadVocabulary: "field {number} at offset {offset} of the SentencePiece model has another value than {expected}. \
                        Download the file again."
    )
    .at(offset)
}
