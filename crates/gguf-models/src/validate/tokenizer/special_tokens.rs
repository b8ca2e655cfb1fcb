//! Tokens with a special role: those that are added to every text, and the token that ends it.

use super::checked_tokenizer::{Tokenizer, array};
use crate::file_kinds::FileKind;
use crate::validate::check::Check;
use crate::validate::findings::{Findings, Subject};
use crate::validate::fix::{self, Fix};
use gguf_format::edit::Change;
use gguf_format::format::tokenizer_model::TokenizerAlgorithm;
use gguf_format::format::value::{Value, ValueType};
use gguf_format::write::encode::OwnedValue;
use gguf_format::write::new_value::NewValue;

/// The type of a token that is normal text, and the type of a token that controls the model.
const NORMAL: i32 = 1;
const CONTROL: i32 = 3;

/// A role that the tokenizer may add to every text.
struct Role {
    name: &'static str,
    key: &'static str,
    /// The token that llama.cpp takes if the file names none.
    default: Option<u32>,
    /// The key of the flag that says whether the token is added.
    flag: &'static str,
    /// Whether the token is added if there is no flag.
    is_added: bool,
    /// Whether the token is added whatever the flag says.
    is_always_added: bool,
}

/// The token of a role.
enum Token {
    Named,
    /// The id that llama.cpp takes.
    Default(u32),
    Missing,
}

pub(super) fn check(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    let Some((_, tokens)) = tokenizer.tokens else { return };
    for role in roles(tokenizer) {
        check_role(tokenizer, &role, tokens.len(), findings);
    }
    check_eos_type(tokenizer, findings);
}

/// The roles of the tokens that a tokenizer can add, with llama.cpp's defaults.
fn roles(tokenizer: &Tokenizer<'_>) -> impl Iterator<Item = Role> {
    let (algorithm, special) = (tokenizer.model.algorithm, &tokenizer.model.special);
    let rules = tokenizer.pre_tokenizer;
    let before = Role {
        name: "BOS",
        key: "tokenizer.ggml.bos_token_id",
        default: special.before.filter(|_| rules.is_none_or(|rules| rules.has_default_bos)),
        flag: "tokenizer.ggml.add_bos_token",
        is_added: rules.map_or(special.adds_before, |rules| rules.adds_bos),
        is_always_added: special.always_adds || rules.is_some_and(|rules| rules.always_adds_bos),
    };
    let (name, key, flag) = if algorithm == TokenizerAlgorithm::WordPiece {
        ("separator", "tokenizer.ggml.seperator_token_id", "tokenizer.ggml.add_sep_token")
    } else {
        ("EOS", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.add_eos_token")
    };
    let (default, is_added) = (special.after, special.adds_after);
    let after = Role { name, key, default, flag, is_added, is_always_added: special.always_adds };
    // RWKV and PLaMo 2 add no special tokens.
    [before, after].into_iter().filter(move |_| algorithm != TokenizerAlgorithm::Other)
}

fn check_role(tokenizer: &Tokenizer<'_>, role: &Role, token_count: u64, findings: &mut Findings) {
    let header = tokenizer.header;
    let entry = header.get(role.key);
    let default = match role.default.filter(|id| u64::from(*id) < token_count) {
        Some(id) => Token::Default(id),
        None => Token::Missing,
    };
    let token = match entry.map(|entry| entry.value()) {
        Some(Value::Uint32(id)) if u64::from(id) >= token_count => default,
        // llama.cpp refuses other types.
        Some(_) => Token::Named,
        None => default,
    };
    let flag = header.get(role.flag);
    let set_flag = flag.and_then(|entry| entry.value().as_bool());
    let is_added = role.is_always_added || set_flag.unwrap_or(role.is_added);
    let (name, key) = (role.name, role.key);
    match token {
        Token::Missing if is_added => findings.report_with_fix(
            Check::NoSpecialToken,
            None,
            None,
            format_args!(
                "the tokenizer adds a {name} token to every text, but the file names no such token. llama.cpp aborts when it \
                 reads text. Set {key} to the id of the token."
            ),
            &|| {
                let flag = flag.filter(|_| !role.is_always_added && set_flag == Some(true))?;
                Some(Fix::to_confirm("Do not add the token", fix::set(flag.index(), false)?))
            },
        ),
        // A wrong id has a finding of its own. Only models that write text need to know where it ends.
        Token::Default(id)
            if tokenizer.model.algorithm.is_byte_pairs()
                && entry.is_none()
                && (is_added || (name == "EOS" && tokenizer.kind == FileKind::Model)) =>
        {
            findings.report(
                Check::DefaultSpecialToken,
                None,
                None,
                format_args!(
                    "the entry {key} is missing, so llama.cpp takes token {id} as the {name} token. \
                     Add the entry with the id of the right token."
                ),
            );
        }
        _ => {}
    }
}

/// Reports an EOS token with the type of normal text.
fn check_eos_type(tokenizer: &Tokenizer<'_>, findings: &mut Findings) {
    let header = tokenizer.header;
    let id = header.get("tokenizer.ggml.eos_token_id").and_then(|entry| entry.value().as_u64());
    let types = array(header, "tokenizer.ggml.token_type");
    // The EOS tokens of RWKV are normal text by design.
    let (Some(id), Some((entry, types)), true) = (id, types, tokenizer.model.algorithm != TokenizerAlgorithm::Other)
    else {
        return;
    };
    let mut element = types.iter_from(id);
    let offset = element.offset();
    if element.next() == Some(Value::Int32(NORMAL)) {
        findings.report_with_fix(
            Check::NormalEosToken,
            Some(Subject::Entry(entry.index())),
            Some(offset),
            format_args!(
                "token {id} is the EOS token, but its type is 1 (normal text), expected 3 (control). llama.cpp may not find \
                 this token in prompts, and may show its text in answers. Set the type to 3."
            ),
            &|| {
                let inserted = NewValue::new(&OwnedValue::array(ValueType::Int32, [CONTROL])).ok()?;
                let change = Change::Splice { entry: entry.index(), elements: id..id + 1, inserted: Some(inserted) };
                Some(Fix::to_confirm("Set the type to control", change))
            },
        );
    }
}
