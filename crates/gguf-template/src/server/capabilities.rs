//! What a template can do. llama-server renders small conversations and looks at what the template reads of them.

use alloc::string::{String, ToString};

use crate::context::value_of;
use crate::json::value::Json;
use crate::limits::Limits;
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
    effort: Value,
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
        let trial = Trial::run(template, SYSTEM, NO_TOOLS, &[]);
        found.system_role = trial.is_used(&trial.messages, &[Item(0), Key("content")]);
        // The text of an object is a text in JSON.
        let text = Json::from(OBJECT).dump();
        found.try_tools(template, OBJECT, true);
        if !found.object_arguments {
            found.try_tools(template, &text, false);
        }
        let arguments = if found.object_arguments { OBJECT } else { &text };
        let trial = Trial::run(template, &calls(&["call00001", "call00002"], arguments), TOOLS, &[]);
        found.parallel_tool_calls = trial.text.is_some()
            && trial.is_used(&trial.messages, &[Item(1), Key("tool_calls"), Item(1), Key("function")]);
        found.try_reasoning(template);
        found
    }

    fn try_content(&mut self, template: &Template) {
        const MARKER: &str = "TEXT_TO_FIND";
        let trial = Trial::run(template, CONTENT, NO_TOOLS, &[]);
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
    fn try_tools(&mut self, template: &Template, arguments: &str, is_object: bool) {
        let trial = Trial::run(template, &calls(&["call00001"], arguments), TOOLS, &[]);
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
            let argument = [Item(1), Key("tool_calls"), Item(0), Key("function"), Key("arguments"), Key("city")];
            self.object_arguments = trial.is_used(&trial.messages, &argument);
        }
    }

    fn try_reasoning(&mut self, template: &Template) {
        const MARKER: &str = "THOUGHT_TO_FIND";
        let flags = [
            ("enable_thinking", Value::Bool(true)),
            ("preserve_thinking", Value::Bool(true)),
            ("clear_thinking", Value::Bool(false)),
            ("truncate_history_thinking", Value::Bool(false)),
            ("drop_thinking", Value::Bool(false)),
        ];
        let trial = Trial::run(template, REASONING, NO_TOOLS, &flags);
        self.preserve_reasoning = trial.text.as_ref().is_some_and(|text| contains(text, MARKER));
        let trial = Trial::run(template, USER, NO_TOOLS, &flags[..1]);
        self.reasoning_effort = trial.is_used(&trial.effort, &[]);
    }
}

impl Trial {
    /// Renders a conversation. With flags, there is an effort only if no flag but one is set.
    fn run(template: &Template, messages: &str, tools: &str, flags: &[(&'static str, Value)]) -> Trial {
        // The conversations are short, and seven of them are rendered.
        let limits = Limits { steps: 500_000, memory: 8 << 20, ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let host = host(&options, true);
        // These values are small.
        let value =
            |json: &str| Json::parse(json).ok().and_then(|json| value_of(&json, &host).ok()).unwrap_or(Value::None);
        let (messages, tools) = (value(messages), value(tools));
        let (empty, effort) = (value("\"\""), value("\"low\""));
        let mut values = vec![
            ("messages", messages.clone()),
            ("tools", tools.clone()),
            ("bos_token", empty.clone()),
            ("eos_token", empty),
            ("add_generation_prompt", Value::Bool(true)),
        ];
        values.extend_from_slice(flags);
        if flags.len() == 1 {
            // Both names have the same value.
            values.push(("reasoning_effort", effort.clone()));
            values.push(("reasoning_strength", effort.clone()));
        }
        let (text, _host) = template.run(host, &options.limits, values);
        Trial { messages, tools, effort, text: text.ok().map(|text| text.to_string()) }
    }

    /// What the template has done with a part of a value.
    fn seen(&self, value: &Value, path: &[Step]) -> u8 {
        let mut value = value.clone();
        for step in path {
            let part = match (step, &value) {
                (Item(index), Value::List(list)) => list.at(*index),
                (Key(key), Value::Dict(dict)) => dict.iter().find_map(|(name, value)| match name {
                    Value::Text(name) if name.bytes().is_ok_and(|name| *name == *key.as_bytes()) => Some(value),
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

/// A conversation in which the assistant calls a tool, up to the calls. Here and below, the words do not matter, but the roles and keys do.
/// Some templates refuse ids that do not have nine letters or digits.
const BEFORE_CALLS: &str =
    r#"[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "", "tool_calls": ["#;

const AFTER_CALLS: &str = r#"]},
    {"role": "tool", "content": "sunny", "tool_call_id": "call00001"},
    {"role": "assistant", "content": "It is sunny in Paris."}, {"role": "user", "content": "Hello"}]"#;

const OBJECT: &str = r#"{"city": "Paris"}"#;

/// The conversation with calls of a tool, which have these arguments.
fn calls(ids: &[&str], arguments: &str) -> String {
    let mut calls = String::new();
    for id in ids {
        let separator = if calls.is_empty() { "" } else { ", " };
        for piece in [
            separator,
            r#"{"id": ""#,
            id,
            r#"", "type": "function", "function": {"name": "get_weather", "arguments": "#,
            arguments,
            "}}",
        ] {
            calls.push_str(piece);
        }
    }
    [BEFORE_CALLS, &calls, AFTER_CALLS].concat()
}

const TOOLS: &str = r#"[{"name": "weather", "type": "function", "function": {"name": "get_weather", "description": "Tells the weather.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "Where"}}, "required": ["city"]}}}]"#;

const NO_TOOLS: &str = "[]";

const USER: &str = r#"[{"role": "user", "content": "Hello"}]"#;

const CONTENT: &str = r#"[{"role": "user", "content": "TEXT_TO_FIND"}]"#;

const SYSTEM: &str = r#"[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]"#;

const REASONING: &str = r#"[{"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Good morning.", "reasoning_content": "THOUGHT_TO_FIND"},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Good morning.", "reasoning_content": "They greet me."},
    {"role": "user", "content": "Hello"}]"#;
