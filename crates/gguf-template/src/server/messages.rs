//! Reads the messages and tools of a conversation as llama-server does: what it does not know is dropped, and what it refuses is an
//! error.

use alloc::string::String;
use alloc::vec::Vec;

use super::notes::Notes;
use crate::error::{ErrorKind, Outcome, fault};
use crate::json::value::Json;

/// What stands for an image, a sound or a video.
const MEDIA: &str = "<__media__>";

/// The messages, written again.
pub(super) fn read_messages(messages: &Json, notes: &mut Notes) -> Outcome<Vec<Json>> {
    let Some(messages) = messages.as_list() else { return refuse("`messages` is not a list") };
    each(messages, &mut |message| read_message(message, notes))
}

/// What is made of each element.
fn each(items: &[Json], make: &mut dyn FnMut(&Json) -> Outcome<Json>) -> Outcome<Vec<Json>> {
    let mut made = Vec::new();
    for item in items {
        made.push(make(item)?);
    }
    Ok(made)
}

#[cold]
pub(super) fn refuse<T>(message: &str) -> Outcome<T> {
    Err(fault(ErrorKind::Conversation, message))
}

fn read_message(message: &Json, notes: &mut Notes) -> Outcome<Json> {
    let Json::Object(members) = message else { return refuse("a message is not an object") };
    let mut new = Json::from([("role", required_text(message, "role")?.into())]);
    let has_calls = message.get("tool_calls").is_some();
    if message.get("content").is_none() && !has_calls {
        return refuse("a message has neither `content` nor `tool_calls`");
    }
    let content = read_content(message.get("content").unwrap_or(&Json::Null), notes)?;
    new.set("content", content);
    if let Some(reasoning) = optional_text(message, "reasoning_content")? {
        new.set("reasoning_content", reasoning.into());
    }
    for name in ["name", "tool_call_id"] {
        if let Some(text) = optional_text(message, name)? {
            new.set(name, text.into());
        }
    }
    if has_calls {
        let calls = match message.get("tool_calls") {
            Some(Json::List(calls)) => each(calls, &mut |call| read_call(call, notes))?,
            Some(Json::Null) | None => Vec::new(),
            Some(_) => return refuse("`tool_calls` is not a list"),
        };
        if !calls.is_empty() {
            new.set("tool_calls", Json::List(calls));
        }
    }
    const KNOWN: [&str; 6] = ["role", "content", "reasoning_content", "name", "tool_call_id", "tool_calls"];
    if let Some((name, _)) = members.iter().find(|(name, _)| !KNOWN.contains(&name.as_str())) {
        notes.add(
            "members-dropped",
            &format!("Members of messages that llama-server does not know were dropped, such as `{name}`."),
        );
    }
    Ok(new)
}

/// The member of an object that must be a text.
fn required_text<'a>(object: &'a Json, name: &str) -> Outcome<&'a str> {
    match object.get(name) {
        Some(Json::Text(text)) => Ok(text),
        Some(_) => refuse(&format!("`{name}` is not a text")),
        None => refuse(&format!("`{name}` is missing")),
    }
}

/// The member of an object that must be a text if it is there. `None` also if it is empty.
fn optional_text<'a>(object: &'a Json, name: &str) -> Outcome<Option<&'a str>> {
    match object.get(name) {
        None => Ok(None),
        Some(_) => required_text(object, name).map(|text| Some(text).filter(|text| !text.is_empty())),
    }
}

/// The content: a text, or a list of parts with texts. Parts with media are joined to one text.
fn read_content(content: &Json, notes: &mut Notes) -> Outcome<Json> {
    let parts = match content {
        Json::Text(_) => return Ok(content.clone()),
        Json::Null => {
            notes.add("content-empty", "Content that is null or missing became an empty text.");
            return Ok("".into());
        }
        Json::List(parts) => parts,
        _ => return refuse("`content` is neither a text nor a list"),
    };
    let mut read = Vec::new();
    for part in parts {
        let kind = required_text(part, "type")?;
        read.push(match kind {
            "text" | "media_marker" => (kind, required_text(part, "text")?),
            "image_url" | "input_audio" | "input_video" | "image" | "audio" | "video" => {
                notes.add("media-marked", &format!("Images, sounds and videos became the marker `{MEDIA}`."));
                ("media_marker", MEDIA)
            }
            _ => return refuse(&format!("llama-server does not know content of the type `{kind}`")),
        });
    }
    if parts.is_empty() {
        return Ok("".into());
    }
    if read.iter().any(|(kind, _)| *kind == "media_marker") {
        notes.add("parts-joined", "Parts of content were joined to one text.");
        return Ok(joined(&read).into());
    }
    Ok(Json::List(read.into_iter().map(|(kind, text)| text_part(kind, text)).collect()))
}

/// A part of content.
pub(super) fn text_part(kind: &str, text: &str) -> Json {
    Json::from([("type", kind.into()), ("text", text.into())])
}

/// The texts of parts with line breaks between them, but none beside media.
pub(super) fn joined(parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut is_after_media = false;
    for (kind, part) in parts {
        let is_media = match *kind {
            "text" => false,
            "media_marker" => true,
            _ => continue,
        };
        if !is_media && !is_after_media && !text.is_empty() {
            text.push('\n');
        }
        is_after_media = is_media;
        text.push_str(part);
    }
    text
}

/// A call of a tool. Arguments are always a text at first.
fn read_call(call: &Json, notes: &mut Notes) -> Outcome<Json> {
    if required_text(call, "type")? != "function" {
        return refuse("the type of a call of a tool is not `function`");
    }
    let Some(function) = call.get("function") else { return refuse("a call of a tool has no `function`") };
    let name = required_text(function, "name")?;
    let arguments = match function.get("arguments") {
        Some(Json::Text(text)) => text.clone(),
        Some(value) => {
            notes.add("arguments-written", "Arguments of tools that are objects became JSON texts.");
            value.dump()
        }
        None => return refuse("a call of a tool has no `arguments`"),
    };
    let function = Json::from([("name", name.into()), ("arguments", arguments.into())]);
    let mut new = Json::from([("type", "function".into()), ("function", function)]);
    if let Some(id) = optional_text(call, "id")? {
        new.set("id", id.into());
    }
    Ok(new)
}

/// The tools, written again. `None` if there are none.
pub(super) fn read_tools(tools: &Json, notes: &mut Notes) -> Outcome<Option<Json>> {
    let tools = match tools {
        Json::Null => return Ok(None),
        Json::List(tools) => tools,
        _ => return refuse("`tools` is not a list"),
    };
    let read = each(tools, &mut |tool| {
        if required_text(tool, "type")? != "function" {
            return refuse("the type of a tool is not `function`");
        }
        let Some(function) = tool.get("function") else { return refuse("a tool has no `function`") };
        let description = match function.get("description") {
            None => "",
            Some(_) => required_text(function, "description")?,
        };
        let new = Json::from([
            ("name", required_text(function, "name")?.into()),
            ("description", description.into()),
            ("parameters", function.get("parameters").cloned().unwrap_or(Json::Object(Vec::new()))),
        ]);
        let new = Json::from([("type", "function".into()), ("function", new)]);
        if new != *tool {
            notes.add(
                "tools-written",
                "Tools got the members type, name, description and parameters in this order, and no others.",
            );
        }
        Ok(new)
    })?;
    Ok((!read.is_empty()).then_some(Json::List(read)))
}
