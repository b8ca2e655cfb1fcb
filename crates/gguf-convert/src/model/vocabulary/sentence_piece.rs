//! The vocabulary of `tokenizer.model`, with the tokens that other files add to it.

use serde_json::Value;

use super::added_tokens::bad_added;
use super::base::checked_vocab_size;
use super::kind::VocabularyInput;
use super::piece_model::PieceModel;
use super::tokens::{SCORE_OF_ADDED, Tokens, looks_special, with_spaces};
use crate::model::json_members::{elements, is_true, member, members, text_member};
use gguf_format::error::{Result, error};
use gguf_models::tokenizer::TokenType;

/// How families differ in the tokens of `tokenizer.model`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// Most families: added tokens that look special control the model. Pieces beyond `vocab_size` are refused.
    Common,
    /// Phi-3: added tokens are taken as they are written, and those of `tokenizer.json` are added, too.
    Phi3,
    /// InternLM 2: as Phi-3. Pieces named `[UNUSED…` are not in use, and NUL is shown.
    InternLm2,
}

/// The tokens of `tokenizer.model`. `None` if the folder does not have it.
pub(super) fn tokens(input: &VocabularyInput<'_>, variant: Variant) -> Result<Option<Tokens>> {
    let Some(file) = input.files.get("tokenizer.model") else { return Ok(None) };
    let model = PieceModel::read(file, &input.files.budget())?;
    let sizes = match variant {
        Variant::Common => &["vocab_size_per_layer_input", "vocab_size"][..],
        _ => &["vocab_size"],
    };
    if variant == Variant::Phi3 {
        checked_vocab_size(input)?;
    }
    let size = sizes.iter().find_map(|name| member(input.config, name).as_u64()).filter(|size| *size > 0);
    let size = size.unwrap_or(model.pieces.len() as u64);
    if size < model.pieces.len() as u64 {
        return Err(error!(
            BadVocabulary: "tokenizer.model has {} tokens, but vocab_size in config.json is {size}. Use the files of one model.",
            model.pieces.len()
        ));
    }
    if variant == Variant::InternLm2 && size > model.pieces.len() as u64 {
        return Err(error!(
            BadVocabulary: "vocab_size in config.json is {size}, but tokenizer.model has {} tokens. Use the files of one model.",
            model.pieces.len()
        ));
    }
    let mut tokens = Tokens::of_holes(size, input.files.budget())?;
    for (id, piece) in (0..).zip(&model.pieces) {
        let (text, token_type) = match piece.text {
            "\0" if variant == Variant::InternLm2 => ("\u{1F409}", piece.token_type),
            text if variant == Variant::InternLm2 && text.starts_with("[UNUSED") => (text, TokenType::Unused),
            text => (text, piece.token_type),
        };
        tokens.replace(id, text, piece.score, token_type);
    }
    add_file_of_added(input, variant, &mut tokens)?;
    let config = input.files.json("tokenizer_config.json")?.unwrap_or_default();
    for (id, added) in members(member(&config, "added_tokens_decoder")) {
        let id = id.parse().map_err(|_| bad_added("tokenizer_config.json", "an id that is no number"))?;
        add(variant, id, added, "tokenizer_config.json", &mut tokens)?;
    }
    if variant != Variant::Common {
        let tokenizer = input.files.json("tokenizer.json")?.unwrap_or_default();
        for added in elements(member(&tokenizer, "added_tokens")) {
            let id = member(added, "id").as_u64();
            add(
                variant,
                id.ok_or_else(|| bad_added("tokenizer.json", "no id"))?,
                added,
                "tokenizer.json",
                &mut tokens,
            )?;
        }
    }
    Ok(Some(tokens))
}

/// Adds the tokens of `added_tokens.json`: texts with their ids. Ids beyond the vocabulary are left out.
pub(super) fn add_file_of_added(input: &VocabularyInput<'_>, variant: Variant, tokens: &mut Tokens) -> Result<()> {
    let Some(added) = input.files.json("added_tokens.json")? else { return Ok(()) };
    for (text, id) in members(&added) {
        let id = id.as_u64().ok_or_else(|| bad_added("added_tokens.json", "an id that is no number"))?;
        match variant {
            Variant::InternLm2 => tokens.push(text, SCORE_OF_ADDED, TokenType::UserDefined)?,
            _ => _ = tokens.replace(id, text, SCORE_OF_ADDED, TokenType::UserDefined),
        }
    }
    Ok(())
}

/// Adds a token with flags.
fn add(variant: Variant, id: u64, added: &Value, file: &str, tokens: &mut Tokens) -> Result<()> {
    let text = text_member(added, "content").ok_or_else(|| bad_added(file, "no content"))?;
    let is_special = is_true(member(added, "special"));
    let was_added = match variant {
        Variant::Common if is_special || looks_special(text) => {
            tokens.replace(id, text, SCORE_OF_ADDED, TokenType::Control);
            true
        }
        Variant::Common => {
            tokens.replace(id, with_spaces(text), SCORE_OF_ADDED, TokenType::UserDefined);
            true
        }
        _ => {
            let token_type = if is_special { TokenType::Control } else { TokenType::UserDefined };
            tokens.replace(id, text, SCORE_OF_ADDED, token_type)
        }
    };
    match was_added {
        true => Ok(()),
        false => Err(error!(
            BadVocabulary: "{file} adds token {id}, but the vocabulary has {} tokens. Use the files of one model.", tokens.len()
        )),
    }
}

/// Whether `tokenizer.model` puts a space before a text.
pub(super) fn adds_space(input: &VocabularyInput<'_>) -> Result<bool> {
    let file = input.files.get("tokenizer.model").unwrap_or_default();
    Ok(PieceModel::read(file, &input.files.budget())?.adds_space)
}

/// The id of a special token with a text, in `tokenizer_config.json`.
pub(super) fn special_id(input: &VocabularyInput<'_>, text: &str) -> Result<Option<u64>> {
    let config = input.files.json("tokenizer_config.json")?.unwrap_or_default();
    let is_wanted = |added: &Value| text_member(added, "content") == Some(text) && is_true(member(added, "special"));
    let last = members(member(&config, "added_tokens_decoder")).filter(|(_, added)| is_wanted(added)).last();
    Ok(last.and_then(|(id, _)| id.parse().ok()))
}

/// The id of an added token with a text, in `tokenizer.json`, else in `tokenizer_config.json`.
pub(super) fn added_id(input: &VocabularyInput<'_>, text: &str) -> Result<Option<u64>> {
    let has_text = |added: &Value| text_member(added, "content") == Some(text);
    let tokenizer = input.files.json("tokenizer.json")?.unwrap_or_default();
    if let Some(added) = elements(member(&tokenizer, "added_tokens")).iter().rev().find(|added| has_text(added)) {
        return Ok(member(added, "id").as_u64());
    }
    let config = input.files.json("tokenizer_config.json")?.unwrap_or_default();
    let last = members(member(&config, "added_tokens_decoder")).filter(|(_, added)| has_text(added)).last();
    Ok(last.and_then(|(id, _)| id.parse().ok()))
}
