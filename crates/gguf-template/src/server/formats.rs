//! Formats of models whose messages llama-server changes before the template sees them. The source of the template tells the format.

use alloc::string::String;
use alloc::vec::Vec;

use super::messages::text_part;
use super::notes::Notes;
use super::workarounds::{role, text};
use crate::json::value::Json;
use crate::values::finder::position;

/// A format that is handled by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Ministral,
    GptOss,
    Lfm2,
    /// DeepSeek V4. V3.2 has no changes.
    DeepSeekV4,
    Gemma4,
    /// Gemma 4 before its template read messages of tools.
    OldGemma4,
    /// No changes.
    Other,
}

impl Format {
    /// The format of a template, tested in the order of llama-server: the first one that fits counts.
    pub fn of(source: &str) -> Format {
        let has = |text: &str| position(source.as_bytes(), text.as_bytes()).is_some();
        let all = |texts: &[&str]| texts.iter().all(|text| has(text));
        if all(&["[SYSTEM_PROMPT]", "[TOOL_CALLS]", "[ARGS]"]) && !has("[CALL_ID]") {
            Format::Ministral
        } else if has("<|channel|>") {
            Format::GptOss
        } else if all(&["<atem:function_calls>", "<|eom|>"])
            || all(&[">>>all", ">>>${recipient}"])
            || all(&["<|tool_calls_section_begin|>", "<|tool_call_begin|>"])
            || all(&["<|open|>", "<|close|>", "<|end_of_msg|>"])
            || all(&["<|START_TEXT|>", "<|START_ACTION|>"])
        {
            Format::Other
        } else if all(&["<|tool_list_start|>", "<|tool_list_end|>"])
            || has("List of tools: [") && !has("<|tool_list_start|>")
        {
            Format::Lfm2
        } else if all(&["<|role_sep|>", "<|message_sep|>"]) && !has("<|function_call|>")
            || all(&["]<]minimax[>[", "<tool_call>", "<invoke name="])
        {
            Format::Other
        } else if all(&["dsml_token", "DSML"]) && (has("function_calls") || has("tool_calls")) {
            if has("function_calls") { Format::Other } else { Format::DeepSeekV4 }
        } else if has("'<|tool_call>call:'") {
            if has("{#- OpenAI Chat Completions:") { Format::Gemma4 } else { Format::OldGemma4 }
        } else {
            Format::Other
        }
    }

    /// Whether the changed messages stay as they are. Otherwise their contents are adjusted once more.
    pub fn is_final(self) -> bool {
        matches!(self, Format::Ministral | Format::GptOss | Format::Lfm2 | Format::DeepSeekV4)
    }

    /// The messages as the template of this format reads them.
    pub fn change(self, messages: Vec<Json>, notes: &mut Notes) -> Vec<Json> {
        match self {
            Format::Ministral => messages.into_iter().map(|message| ministral(message, notes)).collect(),
            Format::GptOss => messages.into_iter().map(|message| thinking(message, true, notes)).collect(),
            Format::Lfm2 => messages.into_iter().map(|message| thinking(message, false, notes)).collect(),
            Format::DeepSeekV4 => sort_results(messages, notes),
            Format::OldGemma4 => gemma4(&messages, notes),
            Format::Gemma4 | Format::Other => messages,
        }
    }
}

/// Reasoning becomes a part of the content.
fn ministral(mut message: Json, notes: &mut Notes) -> Json {
    if !matches!(role(&message), "system" | "assistant") {
        return message;
    }
    notes.add("reasoning-part", "Contents became lists of parts, in which reasoning is a part of the type `thinking`, as Mistral's templates read it.");
    let mut parts = Vec::new();
    if let Some(Json::Text(reasoning)) = message.remove("reasoning_content") {
        parts.push(Json::from([("type", "thinking".into()), ("thinking", reasoning.into())]));
    }
    match message.get("content") {
        Some(Json::Text(text)) => parts.push(text_part("text", text)),
        Some(Json::List(list)) => parts.extend_from_slice(list),
        _ => {}
    }
    message.set("content", Json::List(parts));
    message
}

/// Reasoning gets the name `thinking`.
fn thinking(mut message: Json, drops_content: bool, notes: &mut Notes) -> Json {
    let Some(reasoning @ Json::Text(_)) = message.get("reasoning_content").cloned() else { return message };
    notes.add("reasoning-copied", "`reasoning_content` was copied to `thinking`, which the template reads.");
    message.set("thinking", reasoning);
    if drops_content && calls(&message).is_some() {
        message.remove("content");
    }
    message
}

/// The calls of tools of a message, if there are some.
fn calls(message: &Json) -> Option<&[Json]> {
    message.get("tool_calls").and_then(Json::as_list).filter(|calls| !calls.is_empty())
}

/// Puts the results of tools in the order of their calls.
fn sort_results(mut messages: Vec<Json>, notes: &mut Notes) -> Vec<Json> {
    let mut order: Vec<String> = Vec::new();
    let mut index = 0;
    while index < messages.len() {
        match (role(&messages[index]), calls(&messages[index])) {
            ("assistant", Some(calls)) => order = calls.iter().map(|call| text(call, "id").into()).collect(),
            ("user" | "tool", _) => {
                let length =
                    messages[index..].iter().take_while(|other| matches!(role(other), "user" | "tool")).count();
                let run = &mut messages[index..index + length];
                let places: Vec<usize> = (0..length).filter(|place| role(&run[*place]) == "tool").collect();
                let is_known = order.iter().any(|id| !id.is_empty());
                if places.len() > 1 && is_known {
                    let mut results: Vec<Json> = places.iter().map(|place| run[*place].clone()).collect();
                    // The last call of an id counts, and a result without a call counts as the first one.
                    let rank = |result: &Json| {
                        let id = text(result, "tool_call_id");
                        order.iter().rposition(|other| !id.is_empty() && other == id).unwrap_or(0)
                    };
                    insertion_sort(&mut results, |left, right| rank(left) < rank(right));
                    notes.add("results-sorted", "Results of tools were put in the order of their calls.");
                    for (place, result) in places.into_iter().zip(results) {
                        run[place] = result;
                    }
                }
                index += length;
                continue;
            }
            _ => {}
        }
        index += 1;
    }
    messages
}

/// Sorts few elements; equal ones keep their order.
fn insertion_sort(items: &mut [Json], is_less: impl Fn(&Json, &Json) -> bool) {
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && is_less(&items[end], &items[place - 1]) {
            place -= 1;
        }
        items[place..=end].rotate_right(1);
    }
}

/// Puts calls of tools, their results and the answer into one message.
fn gemma4(messages: &[Json], notes: &mut Notes) -> Vec<Json> {
    let mut changed = Vec::new();
    let mut rest = messages;
    while let [message, after @ ..] = rest {
        rest = after;
        let Some(calls) = calls(message).filter(|_| role(message) == "assistant") else {
            changed.push(message.clone());
            continue;
        };
        notes.add(
            "results-moved",
            "Calls of tools, their results and the answer became one message, as older templates of Gemma 4 read it.",
        );
        let mut new = Json::from([("role", "assistant".into()), ("tool_calls", Json::List(calls.to_vec()))]);
        let count = rest.iter().take_while(|message| role(message) == "tool").count();
        let (results, after) = rest.split_at(count);
        rest = after;
        let responses = results.iter().enumerate().map(|(index, result)| gemma4_response(result, calls.get(index)));
        if count > 0 {
            new.set("tool_responses", Json::List(responses.collect()));
        }
        if let [next, after @ ..] = rest
            && role(next) == "assistant"
            && self::calls(next).is_none()
            && let Some(content) = next.get("content")
            && !matches!(content, Json::Null)
            && *content != Json::from("")
            && *content != Json::List(Vec::new())
        {
            new.set("content", content.clone());
            rest = after;
        }
        if let Some(reasoning @ Json::Text(_)) = message.get("reasoning_content") {
            new.set("reasoning_content", reasoning.clone());
        }
        changed.push(new);
    }
    changed
}

fn gemma4_response(result: &Json, call: Option<&Json>) -> Json {
    let content = result.get("content").cloned().unwrap_or(Json::Null);
    let response = match &content {
        Json::Text(text) => Json::parse(text).unwrap_or(content),
        _ => content,
    };
    let name = call.and_then(|call| call.get("function")).map_or("", |function| text(function, "name"));
    let name = if name.is_empty() { text(result, "tool_call_id") } else { name };
    Json::from([("name", name.into()), ("response", response)])
}
