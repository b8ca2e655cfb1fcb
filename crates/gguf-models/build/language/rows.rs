//! Checks the rows of the table of architectures, and writes them as Rust.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::expect_arguments;
use super::syntax::{Expr, Mistake, Row, Word};

type Result<T> = core::result::Result<T, Mistake>;

/// The properties that have one value of an enum: the name, the enum, and its values.
const PROPERTIES: [(&str, &str, &[&str]); 7] = [
    ("keeps", "Memory", &["nothing", "recurrent", "compressed"]),
    (
        "hybrid",
        "RecurrentLayers",
        &["all", "without_key_value_heads", "without_feed_forward", "between_full_attention"],
    ),
    ("own_cache", "OwnCache", &["first", "before_shared"]),
    ("state", "StateForm", &["first_mamba", "rwkv", "short_convolution", "delta_attention", "linear_attention"]),
    (
        "indexer",
        "Indexer",
        &[
            "every_layer",
            "listed",
            "listed_or_glm",
            "listed_or_all",
            "listed_or_none",
            "all_but_recurrent",
            "after_dense",
        ],
    ),
    ("next_token", "NextTokenLayers", &["cached"]),
    ("kind", "FileKind", &["draft", "text_diffusion", "text_to_speech"]),
];

/// The properties of architectures that llama.cpp does not load. They have no values.
const NOT_LOADED: [&str; 2] = ["only_named", "unknown_to_llama_cpp"];

/// The values of `except` without arguments.
const EXCEPTIONS: [&str; 9] = [
    "encoder",
    "rotates_whole_keys",
    "one_expert_is_none",
    "other_token_embedding",
    "loads_embedding_twice",
    "no_flash_attention",
    "outputs_embeddings",
    "no_default_gating",
    "not_causal",
];

/// The rows as a list of Rust, in the byte order of their names. `with_rules` are the architectures with rules.
pub fn write(rows: &[&Row<'_>], with_rules: &BTreeMap<&str, Word<'_>>, mistakes: &mut Vec<Mistake>) -> String {
    let mut sorted = BTreeMap::new();
    let mut titles = BTreeSet::new();
    for row in rows {
        let mut text = format!("row({:?}, {})", row.name.text, row.title.text);
        let mut is_loaded = true;
        for (name, values) in &row.properties {
            is_loaded &= !NOT_LOADED.contains(&name.text);
            match property(name, values) {
                Ok(values) => text.push_str(&format!(".{}({values})", name.text)),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if is_loaded != with_rules.contains_key(row.name.text) {
            mistakes
                .push(row.name.mistake("an architecture has either rules, or only_named() or unknown_to_llama_cpp()"));
        }
        if sorted.insert(row.name.text, text).is_some() {
            mistakes.push(row.name.mistake("the row is there twice"));
        }
        if !titles.insert(row.title.text) {
            mistakes.push(row.title.mistake("another row has this title"));
        }
    }
    for (_, name) in with_rules.iter().filter(|(name, _)| !sorted.contains_key(*name)) {
        mistakes.push(name.mistake("the architecture has no row"));
    }
    format!("&[\n{},\n]\n", sorted.into_values().collect::<Vec<_>>().join(",\n"))
}

/// The values of a property as Rust.
fn property(name: &Word<'_>, values: &[Expr<'_>]) -> Result<String> {
    if NOT_LOADED.contains(&name.text) {
        let [] = expect_arguments(name, values)?;
        return Ok(String::new());
    }
    match name.text {
        "except" => list(values.iter().map(|value| exception(name, value))),
        "specified" => list(values.iter().map(|value| Ok(format!("\"{{arch}}.{}\"", word(name, value)?.text)))),
        _ => {
            let Some((_, of, known)) = PROPERTIES.iter().find(|(own, ..)| *own == name.text) else {
                return Err(name.mistake("there is no such property of rows"));
            };
            let [value] = expect_arguments(name, values)?;
            let (value, number) = match value {
                Expr::Call(value, size, arguments) if size.is_empty() => {
                    let [Expr::Number(number)] = expect_arguments(value, arguments)? else {
                        return Err(value.mistake("expected a number"));
                    };
                    (value, format!("({number})"))
                }
                value => (word(name, value)?, String::new()),
            };
            if !known.contains(&value.text) || (value.text == "first") == number.is_empty() {
                return Err(value.mistake(&format!("{} has no such value", name.text)));
            }
            Ok(format!("{of}::{}{number}", camel_case(value.text)))
        }
    }
}

fn exception(of: &Word<'_>, value: &Expr<'_>) -> Result<String> {
    let quoted = |tensors: &[Expr<'_>]| {
        let names = tensors.iter().map(|tensor| Ok(format!("{:?}", word(of, tensor)?.text)));
        names.collect::<Result<Vec<_>>>()
    };
    match value {
        Expr::Call(name, _, tensors) if name.text == "output_norm" => {
            let [_] = expect_arguments::<1>(name, tensors)?;
            Ok(format!("Exception::OutputNorm({})", quoted(tensors)?.join(", ")))
        }
        Expr::Call(name, _, tensors) if name.text == "loads_of_next_token" => {
            Ok(format!("Exception::LoadsOfNextToken(&[{}])", quoted(tensors)?.join(", ")))
        }
        Expr::Name(name, false) if EXCEPTIONS.contains(&name.text) => {
            Ok(format!("Exception::{}", camel_case(name.text)))
        }
        Expr::Name(name, _) | Expr::Call(name, ..) => Err(name.mistake("there is no such exception")),
        _ => Err(of.mistake("expected the names of exceptions")),
    }
}

fn list(items: impl Iterator<Item = Result<String>>) -> Result<String> {
    Ok(format!("&[{}]", items.collect::<Result<Vec<_>>>()?.join(", ")))
}

fn word<'e, 'a>(of: &Word<'_>, value: &'e Expr<'a>) -> Result<&'e Word<'a>> {
    match value {
        Expr::Name(name, false) => Ok(name),
        _ => Err(of.mistake("expected a name")),
    }
}

/// `short_convolution` as `ShortConvolution`.
fn camel_case(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
