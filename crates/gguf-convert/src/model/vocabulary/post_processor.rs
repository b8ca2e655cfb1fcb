//! Which tokens the post-processor of `tokenizer.json` adds to a text.
//!
//! It decides as `SpecialVocab` in gguf-py's `vocab.py` does, which is right for simple templates only.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::roles::{Roles, set_in_order};
use crate::model::json_members::{elements, is_true, member, text_member};

/// The texts of special tokens as the files give them. They may be objects, which are equal to no text.
///
/// They are not copied: a file can have a long text, and many processors that give it another role.
struct Texts<'a> {
    bos: &'a Value,
    cls: &'a Value,
    eos: &'a Value,
    sep: &'a Value,
    /// Whether there is a `tokenizer_config.json`.
    has_config: bool,
    /// The new members of `tokenizer_config.json`.
    new: Vec<(&'static str, &'a Value)>,
}

impl<'a> Texts<'a> {
    fn set(&mut self, member: &'static str, text: &'a Value) {
        set_in_order(&mut self.new, member, text);
    }
}

/// Reads the post-processor. Adds what it says about special tokens to `config`, the members of `tokenizer_config.json`.
#[doc(hidden)]
pub fn read(tokenizer: &Value, config: &mut Map<String, Value>, special: &mut Roles) {
    let given = ["bos_token", "cls_token", "eos_token", "sep_token"];
    let [bos, cls, eos, sep] = &given.map(|name| config.get(name).cloned().unwrap_or_default());
    let mut roles = Texts { bos, cls, eos, sep, has_config: !config.is_empty(), new: Vec::new() };
    if roles.has_config {
        if !is_true(roles.bos) && is_true(roles.cls) {
            roles.bos = roles.cls;
            roles.set("bos_token", roles.bos);
        }
        if !is_true(roles.eos) && is_true(roles.sep) {
            roles.eos = roles.sep;
            roles.set("eos_token", roles.eos);
        }
    }
    let post_processor = member(tokenizer, "post_processor");
    let processors = match post_processor.get("processors") {
        Some(processors) => elements(processors),
        None => core::slice::from_ref(post_processor),
    };
    for processor in processors {
        match text_member(processor, "type") {
            // It adds no tokens.
            Some("ByteLevel") => {
                for role in ["bos", "eos"] {
                    special.set_adds_if_unknown(role, false);
                }
            }
            Some("RobertaProcessing") => read_roberta(processor, &mut roles, special),
            Some("TemplateProcessing") => read_template(processor, &mut roles, special),
            _ => {}
        }
    }
    for (member, text) in roles.new {
        config.insert(member.into(), text.clone());
    }
}

fn read_roberta<'a>(processor: &'a Value, roles: &mut Texts<'a>, special: &mut Roles) {
    for role in ["bos", "eos", "sep"] {
        special.set_adds(role, true);
    }
    if !roles.has_config {
        return;
    }
    let of_processor = |name: &str, otherwise: &'a Value| match processor.get(name) {
        Some(pair) => pair.get(0).unwrap_or(&Value::Null),
        None => otherwise,
    };
    if !is_true(roles.cls) {
        roles.cls = of_processor("cls", roles.bos);
        roles.set("cls_token", roles.cls);
    }
    if !is_true(roles.sep) {
        roles.sep = of_processor("sep", roles.eos);
        roles.set("sep_token", roles.sep);
    }
}

fn read_template<'a>(processor: &'a Value, roles: &mut Texts<'a>, special: &mut Roles) {
    let single = elements(member(processor, "single"));
    let (mut first, mut last) = (&Value::Null, &Value::Null);
    if single.len() > 1 {
        first = special_token(&single[0]);
        if is_true(first) {
            if !roles.has_config {
                roles.bos = first;
            } else if first != roles.bos && first != roles.cls {
                if !is_true(roles.bos) {
                    roles.bos = first;
                    roles.set("bos_token", first);
                }
                if !is_true(roles.cls) {
                    roles.cls = first;
                    roles.set("cls_token", first);
                }
            }
            special.set_adds("bos", first == roles.bos || first == roles.cls);
        }
        last = special_token(&single[single.len() - 1]);
        if is_true(last) {
            if roles.has_config && last != roles.eos {
                // The token that ended a text keeps a role of its own.
                if let Some(role) = special.add_end_role() {
                    roles.set(if role == "eot" { "eot_token" } else { "eom_token" }, roles.eos);
                }
                roles.set("eos_token", last);
            }
            roles.eos = last;
            special.set_adds("eos", true);
        }
    }
    read_pair(elements(member(processor, "pair")), first, last, roles, special);
}

/// Reads the template of two texts: whether a separator stands between them.
fn read_pair<'a>(pair: &'a [Value], first: &Value, last: &Value, roles: &mut Texts<'a>, special: &mut Roles) {
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
        is_true(token) && (token == roles.sep || token == roles.eos)
    };
    let is_added = separates(&between[0]) && !is_true(last) || between.len() == 2 && separates(&between[1]);
    special.set_adds("sep", is_added);
    if is_added && !is_true(roles.sep) && roles.has_config {
        roles.set("sep_token", roles.eos);
    }
}

/// The text of the special token of a part of a template. Null if the part is a text.
fn special_token(part: &Value) -> &Value {
    member(member(part, "SpecialToken"), "id")
}
