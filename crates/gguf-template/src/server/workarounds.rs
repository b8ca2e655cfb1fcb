//! Changes to messages that depend on what the template can do.

use alloc::string::String;
use alloc::vec::Vec;

use super::capabilities::Capabilities;
use super::messages::{joined, refuse, text_part};
use super::notes::Notes;
use crate::error::Outcome;
use crate::json::value::Json;
use crate::values::ascii::is_space;

/// Makes a text of parts, or a part of a text, if the template takes only one of both.
pub(super) fn normalize(messages: &mut [Json], capabilities: &Capabilities, notes: &mut Notes) {
    let only_text = capabilities.string_content && !capabilities.typed_content;
    let only_parts = !capabilities.string_content && capabilities.typed_content;
    for content in messages.iter_mut().filter_map(|message| message.get_mut("content")) {
        match content {
            Json::List(parts) if only_text => {
                let parts: Vec<_> = parts.iter().map(|part| (text(part, "type"), text(part, "text"))).collect();
                notes.add("parts-joined", "Parts of content were joined to one text.");
                *content = joined(&parts).into();
            }
            Json::Text(text) if only_parts => {
                notes.add(
                    "text-wrapped",
                    "Content that is a text became a list with one part, because the template takes only lists.",
                );
                *content = Json::List(vec![text_part("text", text)]);
            }
            _ => {}
        }
    }
}

/// The member of an object that is a text. Empty if there is none.
pub(super) fn text<'a>(object: &'a Json, name: &str) -> &'a str {
    object.get(name).and_then(Json::as_text).unwrap_or("")
}

/// The role of a message. Empty if it has none.
pub(super) fn role(message: &Json) -> &str {
    text(message, "role")
}

pub(super) fn developer_to_system(messages: &mut [Json], notes: &mut Notes) {
    for message in messages.iter_mut().filter(|message| role(message) == "developer") {
        notes.add("developer-renamed", "The role `developer` became `system`.");
        message.set("role", "system".into());
    }
}

/// Puts the system message in front of the next one.
pub(super) fn merge_system(messages: &mut Vec<Json>, notes: &mut Notes) -> Outcome<()> {
    if messages.first().map(role) != Some("system") {
        return Ok(());
    }
    let system = messages.remove(0);
    let Some(next) = messages.first_mut() else {
        notes.add("system-dropped", "The system message was dropped, because the template does not read it.");
        return Ok(());
    };
    notes.add(
        "system-merged",
        "The system message was put before the next message, because the template does not read it.",
    );
    match (system.get("content"), next.get("content")) {
        (Some(Json::Text(system)), Some(Json::Text(content))) => {
            let content = format!("{system}\n{content}");
            next.set("content", content.into());
            Ok(())
        }
        _ => refuse("the system message cannot be put before the next one, because their contents are not both texts"),
    }
}

/// Parses the arguments of tools.
pub(super) fn parse_arguments(messages: &mut [Json], notes: &mut Notes) -> Outcome<()> {
    for message in messages {
        let Some(Json::List(calls)) = message.get_mut("tool_calls") else { continue };
        for call in calls {
            let arguments = call.get_mut("function").and_then(|function| function.get_mut("arguments"));
            let Some(arguments) = arguments else { continue };
            if let Json::Text(text) = arguments {
                match Json::parse(text) {
                    Ok(parsed) => *arguments = parsed,
                    Err(error) => return refuse(&format!("the arguments of a tool are not valid JSON: {error}")),
                }
                notes.add("arguments-parsed", "The template gets arguments of tools as objects, not as JSON texts.");
            }
        }
    }
    Ok(())
}

/// Trims all contents, which llama-server does for StepFun.
pub(super) fn trim(messages: &mut [Json], notes: &mut Notes) {
    notes.add("content-trimmed", "Blanks at the ends of contents were dropped, because the template is of StepFun.");
    let trim = |text: &mut String| {
        let bytes = text.as_bytes();
        let start = bytes.iter().take_while(|byte| is_space(**byte)).count();
        let end = bytes.len() - bytes[start..].iter().rev().take_while(|byte| is_space(**byte)).count();
        *text = text.get(start..end).unwrap_or("").into();
    };
    for message in messages {
        for name in ["content", "reasoning_content"] {
            match message.get_mut(name) {
                Some(Json::Text(text)) => trim(text),
                Some(Json::List(parts)) => {
                    for part in parts.iter_mut().filter(|part| part.get("type") == Some(&"text".into())) {
                        if let Some(Json::Text(text)) = part.get_mut("text") {
                            trim(text);
                        }
                    }
                }
                _ => {}
            }
        }
        if message.get("reasoning_content") == Some(&"".into()) {
            message.remove("reasoning_content");
        }
    }
}
