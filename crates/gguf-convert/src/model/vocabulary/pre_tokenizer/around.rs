//! The tokens that are added before and after a text.

use alloc::vec::Vec;

use serde_json::Value;

use crate::budget::Budget;
use crate::model::json_members::{elements, is_true, member, text_member};
use crate::model::vocabulary::tokenizer::Tokenizer;

/// The bytes that an id counts, and the steps until it is hashed.
const ID: u64 = 32;

/// The ids that are added before and after a text. `None` if that is not known, or if the budget is used up.
pub(super) fn added_ids(tokenizer: &Tokenizer) -> Option<(Vec<u64>, Vec<u64>)> {
    if let Some((adds_bos, adds_eos)) = tokenizer.class.adds {
        let flag = |name: &str, default: bool| tokenizer.config.get(name).map_or(default, is_true);
        let id = |role: usize| tokenizer.ids.id(tokenizer.special[role].as_deref()?);
        let before = if flag("add_bos_token", adds_bos) { Vec::from([id(0)?]) } else { Vec::new() };
        let after = if flag("add_eos_token", adds_eos) { Vec::from([id(1)?]) } else { Vec::new() };
        return Some((before, after));
    }
    // The ids before a text are collected from the text on.
    let mut around = (Vec::new(), Vec::new());
    let post_processor = member(&tokenizer.json, "post_processor");
    let processors = match post_processor.get("processors") {
        Some(processors) => elements(processors),
        None => core::slice::from_ref(post_processor),
    };
    for processor in processors {
        match text_member(processor, "type") {
            None | Some("ByteLevel") => {}
            Some("BertProcessing" | "RobertaProcessing") => {
                let id = |name: &str| member(processor, name).get(1).and_then(Value::as_u64);
                around.0.push(id("cls")?);
                around.1.push(id("sep")?);
            }
            Some("TemplateProcessing") => add_template(processor, &mut around, &tokenizer.budget)?,
            Some(_) => return None,
        }
    }
    around.0.reverse();
    Some(around)
}

/// Adds the ids of a template around those that are there.
fn add_template(processor: &Value, around: &mut (Vec<u64>, Vec<u64>), budget: &Budget) -> Option<()> {
    let (start, mut has_text) = (around.0.len(), false);
    for part in elements(member(processor, "single")) {
        let Some(token) = part.get("SpecialToken") else {
            has_text = true;
            continue;
        };
        let ids = member(member(member(processor, "special_tokens"), text_member(token, "id")?), "ids");
        let place = if has_text { &mut around.1 } else { &mut around.0 };
        for id in elements(ids) {
            // A short template can name long lists many times.
            budget.step(ID).ok()?;
            budget.push(place, id.as_u64()?, ID).ok()?;
        }
    }
    around.0[start..].reverse();
    Some(())
}
