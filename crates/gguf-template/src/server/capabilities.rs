//! What a template can do. llama-server renders small conversations and looks at what the template reads of them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::context::value_of;
use crate::json::value::Json;
use crate::template::{Options, Template, host};
use crate::values::finder::position;
use crate::values::value::{Value, seen};

/// What a template can do, as llama-server finds it out (`common/jinja/caps.cpp`).
///
/// # Examples
///
/// ```
/// use gguf_template::ServerTemplate;
///
/// let template = ServerTemplate::parse("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}")?;
/// let capabilities = template.capabilities();
/// assert!(capabilities.system_role && !capabilities.tools);
/// # Ok::<(), gguf_template::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// The template describes tools.
    pub tools: bool,
    /// The template writes calls of tools.
    pub tool_calls: bool,
    /// The template reads the content of a system message.
    pub system_role: bool,
    /// The template writes several calls of one message.
    pub parallel_tool_calls: bool,
    /// The template writes the reasoning of all messages, not only of the last one.
    pub preserve_reasoning: bool,
    /// The template reads `reasoning_effort`.
    pub reasoning_effort: bool,
    /// The template takes content that is a text.
    pub string_content: bool,
    /// The template takes content that is a list of parts.
    pub typed_content: bool,
    /// The template takes arguments of tools as an object, not only as a JSON text.
    pub object_arguments: bool,
}

/// One rendered conversation.
struct Trial {
    messages: Value,
    tools: Value,
    extra: Vec<(&'static str, Value)>,
    /// The text. `None` if rendering failed.
    text: Option<String>,
}

/// A step to a part of a value.
enum Step {
    Item(i64),
    Key(&'static str),
}

use Step::{Item, Key};

impl Capabilities {
    pub(super) fn of(template: &Template) -> Capabilities {
        let mut found = Capabilities {
            tools: true,
            tool_calls: true,
            system_role: true,
            parallel_tool_calls: true,
            preserve_reasoning: false,
            reasoning_effort: false,
            string_content: true,
            typed_content: false,
            object_arguments: false,
        };
        found.try_content(template);
        let trial =
            Trial::run(template, messages(&[("system", "System message"), ("user", "User message")]), None, &[]);
        found.system_role = trial.is_used(&trial.messages, &[Item(0), Key("content")]);
        let object = Json::from([("arg", "value".into())]);
        found.try_tools(template, &object, true);
        if !found.object_arguments {
            found.try_tools(template, &"{\"arg\": \"value\"}".into(), false);
        }
        let arguments = if found.object_arguments { object } else { "{\"arg\": \"value\"}".into() };
        let trial =
            Trial::run(template, calls(&[("call00001", &arguments), ("call00002", &arguments)]), Some(tools()), &[]);
        found.parallel_tool_calls = trial.text.is_some()
            && trial.is_used(&trial.messages, &[Item(1), Key("tool_calls"), Item(1), Key("function")]);
        found.try_reasoning(template);
        found
    }

    fn try_content(&mut self, template: &Template) {
        const MARKER: &str = "STRING_MARKER";
        let trial = Trial::run(template, messages(&[("user", MARKER)]), None, &[]);
        let seen = trial.seen(&trial.messages, &[Item(0), Key("content")]);
        let is_list = seen & (seen::ELEMENTS | seen::SELECTED) != 0;
        self.typed_content = is_list;
        self.string_content = match &trial.text {
            None => false,
            // A text can be looked at like a list, and then not be written.
            Some(text) => !is_list || contains(text, MARKER),
        };
    }

    /// Tries a call of a tool. With arguments as an object, a template that fails says nothing.
    fn try_tools(&mut self, template: &Template, arguments: &Json, is_object: bool) {
        let trial = Trial::run(template, calls(&[("call00001", arguments)]), Some(tools()), &[]);
        if trial.text.is_none() {
            if !is_object {
                (self.tools, self.tool_calls) = (false, false);
            }
            return;
        }
        self.tools &= trial.is_used(&trial.tools, &[Item(0), Key("function"), Key("name")]);
        if !trial.is_used(&trial.messages, &[Item(1), Key("tool_calls")]) {
            self.tool_calls = false;
        } else if is_object {
            let argument = [Item(1), Key("tool_calls"), Item(0), Key("function"), Key("arguments"), Key("arg")];
            self.object_arguments = trial.is_used(&trial.messages, &argument);
        }
    }

    fn try_reasoning(&mut self, template: &Template) {
        const MARKER: &str = "<REASONING_CONTENT_PLACEHOLDER>";
        let answer = |reasoning: &str| {
            Json::from([
                ("role", "assistant".into()),
                ("content", "Assistant message".into()),
                ("reasoning_content", reasoning.into()),
            ])
        };
        let user = || message("user", "User message");
        let talk = vec![user(), answer(MARKER), user(), answer("Reasoning content"), user()];
        let mut extra = vec![("enable_thinking", true.into()), ("preserve_thinking", true.into())];
        extra.extend(["clear_thinking", "truncate_history_thinking", "drop_thinking"].map(|name| (name, false.into())));
        let trial = Trial::run(template, talk.into(), None, &extra);
        self.preserve_reasoning = trial.text.is_some_and(|text| contains(&text, MARKER));
        let extra = [("enable_thinking", true.into()), ("reasoning_effort", Json::from("low"))];
        let trial = Trial::run(template, messages(&[("user", "User message")]), None, &extra);
        self.reasoning_effort =
            trial.extra.iter().any(|(name, value)| *name == "reasoning_effort" && trial.is_used(value, &[]));
    }
}

impl Trial {
    fn run(template: &Template, messages: Json, tools: Option<Json>, extra: &[(&'static str, Json)]) -> Trial {
        let options = Options::default();
        let host = host(&options, true);
        // These values are small.
        let value = |json: &Json| value_of(json, &host).unwrap_or(Value::None);
        let mut trial = Trial {
            messages: value(&messages),
            tools: value(&tools.unwrap_or(Json::List(Vec::new()))),
            extra: extra.iter().map(|(name, json)| (*name, value(json))).collect(),
            text: None,
        };
        if let Some((_, effort)) = trial.extra.iter().find(|(name, _)| *name == "reasoning_effort") {
            // Both names have the same value.
            let effort = effort.clone();
            trial.extra.push(("reasoning_strength", effort));
        }
        let mut values = vec![
            ("messages", trial.messages.clone()),
            ("tools", trial.tools.clone()),
            ("bos_token", value(&"".into())),
            ("eos_token", value(&"".into())),
            ("add_generation_prompt", Value::Bool(true)),
        ];
        values.extend(trial.extra.iter().cloned());
        let (text, _host) = template.run(host, &options.limits, values);
        trial.text = text.ok().map(|text| alloc::string::ToString::to_string(&text));
        trial
    }

    /// What the template has done with a part of a value.
    fn seen(&self, value: &Value, path: &[Step]) -> u8 {
        let mut value = value.clone();
        for step in path {
            let part = match (step, &value) {
                (Item(index), Value::List(list)) => list.at(*index),
                (Key(key), Value::Dict(dict)) => dict.iter().find_map(|(name, value)| match name {
                    Value::Text(name) if *name.bytes() == *key.as_bytes() => Some(value),
                    _ => None,
                }),
                _ => None,
            };
            let Some(part) = part else { return 0 };
            value = part;
        }
        match &value {
            Value::Text(text) => text.seen.get(),
            Value::List(list) => list.seen.get(),
            Value::Dict(dict) => dict.seen.get(),
            _ => 0,
        }
    }

    fn is_used(&self, value: &Value, path: &[Step]) -> bool {
        self.seen(value, path) & seen::USED != 0
    }
}

fn contains(text: &str, part: &str) -> bool {
    position(text.as_bytes(), part.as_bytes()).is_some()
}

fn message(role: &str, content: &str) -> Json {
    Json::from([("role", role.into()), ("content", content.into())])
}

fn messages(messages: &[(&str, &str)]) -> Json {
    Json::List(messages.iter().map(|(role, content)| message(role, content)).collect())
}

/// A conversation in which the assistant calls a tool.
fn calls(calls: &[(&str, &Json)]) -> Json {
    let calls = calls.iter().map(|(id, arguments)| {
        let function = Json::from([("name", "tool1".into()), ("arguments", (*arguments).clone())]);
        Json::from([("id", (*id).into()), ("type", "function".into()), ("function", function)])
    });
    let mut call = message("assistant", "");
    call.set("tool_calls", Json::List(calls.collect()));
    let mut result = message("tool", "Tool response");
    result.set("tool_call_id", "call00001".into());
    let answer = message("assistant", "The tool response was 'tool response'");
    Json::List(vec![message("user", "User message"), call, result, answer, message("user", "User message")])
}

fn tools() -> Json {
    let argument = Json::from([("type", "string".into()), ("description", "Arg description".into())]);
    let parameters = Json::from([
        ("type", "object".into()),
        ("properties", Json::from([("arg", argument)])),
        ("required", Json::List(vec!["arg".into()])),
    ]);
    let function =
        Json::from([("name", "tool1".into()), ("description", "Tool description".into()), ("parameters", parameters)]);
    Json::List(vec![Json::from([("name", "tool".into()), ("type", "function".into()), ("function", function)])])
}
