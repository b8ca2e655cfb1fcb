//! Which tokens the post-processor of `tokenizer.json` adds to a text.
//!
//! The decisions are those of `SpecialVocab` in gguf-py's `vocab.py`: they are right for simple templates only.

use alloc::string::String;

use serde_json::{Map, Value};

use super::roles::Roles;
use crate::convert::model::json_members::{elements, is_true, member, text_member};

/// The texts of special tokens as the files give them. They may be objects, which are equal to no text.
struct Texts {
    bos: Value,
    cls: Value,
    eos: Value,
    sep: Value,
}

/// Reads the post-processor. Adds what it says about special tokens to `config`, the members of `tokenizer_config.json`.
pub(super) fn read(tokenizer: &Value, config: &mut Map<String, Value>, special: &mut Roles) {
    let given = |name: &str| config.get(name).cloned().unwrap_or_default();
    let mut roles =
        Texts { bos: given("bos_token"), cls: given("cls_token"), eos: given("eos_token"), sep: given("sep_token") };
    if !config.is_empty() {
        if !is_true(&roles.bos) && is_true(&roles.cls) {
            roles.bos = roles.cls.clone();
            config.insert("bos_token".into(), roles.bos.clone());
        }
        if !is_true(&roles.eos) && is_true(&roles.sep) {
            roles.eos = roles.sep.clone();
            config.insert("eos_token".into(), roles.eos.clone());
        }
    }
    let post_processor = member(tokenizer, "post_processor");
    let processors = match post_processor.get("processors") {
        Some(processors) => elements(processors),
        None => core::slice::from_ref(post_processor),
    };
    for processor in processors {
        match text_member(processor, "type") {
            Some("RobertaProcessing") => read_roberta(processor, config, &mut roles, special),
            Some("TemplateProcessing") => read_template(processor, config, &mut roles, special),
            _ => {}
        }
    }
}

fn read_roberta(processor: &Value, config: &mut Map<String, Value>, roles: &mut Texts, special: &mut Roles) {
    for role in ["bos", "eos", "sep"] {
        special.set_adds(role, true);
    }
    if config.is_empty() {
        return;
    }
    let of_processor = |name: &str, otherwise: &Value| match processor.get(name) {
        Some(pair) => pair.get(0).cloned().unwrap_or_default(),
        None => otherwise.clone(),
    };
    if !is_true(&roles.cls) {
        roles.cls = of_processor("cls", &roles.bos);
        config.insert("cls_token".into(), roles.cls.clone());
    }
    if !is_true(&roles.sep) {
        roles.sep = of_processor("sep", &roles.eos);
        config.insert("sep_token".into(), roles.sep.clone());
    }
}

fn read_template(processor: &Value, config: &mut Map<String, Value>, roles: &mut Texts, special: &mut Roles) {
    let single = elements(member(processor, "single"));
    let (mut first, mut last) = (&Value::Null, &Value::Null);
    if single.len() > 1 {
        first = special_token(&single[0]);
        if is_true(first) {
            if config.is_empty() {
                roles.bos = first.clone();
            } else if *first != roles.bos && *first != roles.cls {
                if !is_true(&roles.bos) {
                    roles.bos = first.clone();
                    config.insert("bos_token".into(), first.clone());
                }
                if !is_true(&roles.cls) {
                    roles.cls = first.clone();
                    config.insert("cls_token".into(), first.clone());
                }
            }
            special.set_adds("bos", *first == roles.bos || *first == roles.cls);
        }
        last = special_token(&single[single.len() - 1]);
        if is_true(last) {
            if !config.is_empty() && *last != roles.eos {
                // The token that ended a text keeps a role of its own.
                if let Some(role) = special.add_end_role() {
                    config.insert(format!("{role}_token"), roles.eos.clone());
                }
                config.insert("eos_token".into(), last.clone());
            }
            roles.eos = last.clone();
            special.set_adds("eos", true);
        }
    }
    read_pair(elements(member(processor, "pair")), first, last, config, roles, special);
}

/// Reads the template of two texts: whether a separator stands between them.
fn read_pair(
    pair: &[Value],
    first: &Value,
    last: &Value,
    config: &mut Map<String, Value>,
    roles: &Texts,
    special: &mut Roles,
) {
    let starts =
        |part: Option<&Value>, token: &Value| is_true(token) && part.is_some_and(|part| special_token(part) == token);
    let mut inner = pair;
    if starts(pair.first(), first) {
        inner = &inner[1..];
    }
    if starts(pair.last(), last) {
        inner = &inner[..inner.len().saturating_sub(1)];
    }
    let [a, between @ .., b] = inner else { return };
    let is_sequence = |part: &Value, id: &str| text_member(member(part, "Sequence"), "id") == Some(id);
    if between.is_empty() || !is_sequence(a, "A") || !is_sequence(b, "B") {
        return;
    }
    let separates = |part: &Value| {
        let token = special_token(part);
        is_true(token) && (*token == roles.sep || *token == roles.eos)
    };
    let is_added = separates(&between[0]) && !is_true(last) || between.len() == 2 && separates(&between[1]);
    special.set_adds("sep", is_added);
    if is_added && !is_true(&roles.sep) && !config.is_empty() {
        config.insert("sep_token".into(), roles.eos.clone());
    }
}

/// The text of the special token of a part of a template. Null if the part is a text.
fn special_token(part: &Value) -> &Value {
    member(member(part, "SpecialToken"), "id")
}
