//! The prompt that llama-server gives to a model.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::capabilities::Capabilities;
use super::formats::Format;
use super::messages::{read_messages, read_tools};
use super::notes::{Note, Notes};
use super::workarounds::{developer_to_system, merge_system, normalize, parse_arguments, trim};
use crate::clock::strftime;
use crate::context::Context;
use crate::error::{Error, ErrorKind, Outcome, beyond, fault};
use crate::json::value::Json;
use crate::template::{Options, Template, Text, TextPart, check_length};
use crate::values::finder::position;

/// A template as llama-server uses it: with its capabilities, and with the changes that llama-server makes to messages.
///
/// # Examples
///
/// ```
/// use gguf_template::{Context, Options, ServerTemplate};
///
/// let template = ServerTemplate::parse("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}")?;
/// let conversation = Context::parse(r#"{"messages": [
///     {"role": "developer", "content": [{"type": "text", "text": "Be"}, {"type": "text", "text": "brief."}]}
/// ]}"#)?;
/// let prompt = template.render(&conversation, &Options::default())?;
/// assert_eq!(prompt.text.to_string(), "system: Be\nbrief.\n");
/// assert!(prompt.notes.iter().any(|note| note.code == "developer-renamed"));
/// # Ok::<(), gguf_template::Error>(())
/// ```
#[derive(Debug)]
pub struct ServerTemplate {
    template: Template,
    capabilities: Capabilities,
    format: Format,
    notes: Vec<Note>,
}

/// A conversation as the template gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// The variables of the template.
    pub context: Context,
    /// What was changed, in the order in which it was.
    pub notes: Vec<Note>,
}

/// A rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The text. llama-server drops a BOS token at its start if the tokenizer adds one, and an EOS token at its end: see
    /// [`without_special`](Prompt::without_special).
    pub text: Text,
    /// What was changed before and after rendering.
    pub notes: Vec<Note>,
}

impl ServerTemplate {
    /// Parses a template, changes the few lines that llama-server replaces in it, and finds out what it can do.
    ///
    /// # Errors
    ///
    /// Those of [`Template::parse`]. Their positions are in the source with the replaced lines, as [`Template::source`] has it.
    pub fn parse(source: &str) -> Result<ServerTemplate, Error> {
        check_length(source)?;
        let mut notes = Notes::default();
        let source = patched(source, &mut notes);
        let template = Template::parse(&source)?;
        let capabilities = Capabilities::of(&template);
        Ok(ServerTemplate { capabilities, format: Format::of(template.source()), template, notes: notes.0 })
    }

    /// The parsed template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// What the template can do.
    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Makes the variables of the template from a conversation.
    ///
    /// The conversation has `messages`, and can have `tools`, `bos_token`, `eos_token`, `add_generation_prompt` and
    /// `enable_thinking`. These are true if they are missing. The members of `chat_template_kwargs`, an object, replace the prepared
    /// variables. All other variables are passed on.
    ///
    /// # Errors
    ///
    /// `template-conversation` if llama-server refuses the conversation. `template-limit` if it has more than 1000 variables.
    pub fn prepare(&self, conversation: &Context, options: &Options) -> Result<Prepared, Error> {
        self.prepared(conversation, options).map_err(|fault| fault.locate(""))
    }

    fn prepared(&self, conversation: &Context, options: &Options) -> Outcome<Prepared> {
        let kwargs = kwargs(conversation)?;
        // Each is looked for among all others.
        if conversation.variables().len() + kwargs.len() > MOST_VARIABLES {
            return beyond("the conversation has more than 1000 variables");
        }
        let mut notes = Notes(self.notes.clone());
        let empty = Json::List(Vec::new());
        let mut messages = read_messages(conversation.get("messages").unwrap_or(&empty), &mut notes)?;
        let tools = read_tools(conversation.get("tools").unwrap_or(&Json::Null), &mut notes)?;
        let source = self.template.source();
        if has(source, "You have access to the following functions in JSONSchema format") {
            trim(&mut messages, &mut notes);
        }
        normalize(&mut messages, &self.capabilities, &mut notes);
        if !has(source, "<|channel|>") {
            developer_to_system(&mut messages, &mut notes);
        }
        if !self.capabilities.system_role {
            merge_system(&mut messages, &mut notes)?;
        }
        if self.capabilities.object_arguments {
            parse_arguments(&mut messages, &mut notes)?;
        }
        messages = self.format.change(messages, &mut notes);
        if !self.format.is_final() {
            normalize(&mut messages, &self.capabilities, &mut notes);
        }
        let mut context = Context::new();
        context.set("messages", messages);
        for name in ["bos_token", "eos_token"] {
            context.set(name, conversation.get(name).cloned().unwrap_or("".into()));
        }
        let flag = |name: &str| conversation.get(name) != Some(&Json::Bool(false));
        context.set("enable_thinking", flag("enable_thinking"));
        if let Some(tools) = tools {
            context.set("tools", tools);
        }
        context.set("datetime", date("%b %d %Y", options));
        context.set("date_string", date("%d %b %Y", options));
        for (name, value) in conversation.variables().iter().filter(|(name, _)| !KNOWN.contains(&name.as_str())) {
            context.set(name, value.clone());
        }
        // As in llama.cpp, these replace the prepared variables.
        for (name, value) in kwargs {
            context.set(name, value.clone());
        }
        imply(&mut context);
        if flag("add_generation_prompt") {
            context.set("add_generation_prompt", true);
        }
        Ok(Prepared { context, notes: notes.0 })
    }

    /// Renders a conversation: prepares it, renders it, and changes the text as llama-server does for a few formats.
    ///
    /// # Errors
    ///
    /// Those of [`prepare`](ServerTemplate::prepare) and of [`Template::render`]. llama-server also renders the conversation without
    /// `add_generation_prompt`, and so it refuses one that cannot be rendered without.
    pub fn render(&self, conversation: &Context, options: &Options) -> Result<Prompt, Error> {
        let Prepared { mut context, notes } = self.prepare(conversation, options)?;
        let mut notes = Notes(notes);
        let mut text = self.template.render(&context, options)?;
        let is_generating = context.remove("add_generation_prompt").is_some();
        if is_generating {
            self.template.render(&context, options)?;
        }
        match self.format {
            Format::Gemma4 | Format::OldGemma4 if is_generating && text.to_string().ends_with("<turn|>\n") => {
                notes.add(
                    "turn-opened",
                    "The turn of the model was opened after the text, because the template did not.",
                );
                text.parts.push(TextPart { text: "<|turn>model\n".into(), is_input: false });
            }
            Format::GptOss if !is_generating => replace_return(&mut text, &mut notes),
            _ => {}
        }
        Ok(Prompt { text, notes: notes.0 })
    }
}

impl Prompt {
    /// Drops the BOS token at the start if the tokenizer adds it, and the EOS token at the end.
    #[must_use]
    pub fn without_special(mut self, bos: Option<&str>, eos: Option<&str>) -> Prompt {
        let mut notes = Notes(self.notes);
        let is_token = |token: &&str| !token.is_empty();
        if let Some(bos) = bos.filter(is_token)
            && self.text.to_string().starts_with(bos)
        {
            notes.add("bos-dropped", "The BOS token at the start was dropped, because the tokenizer adds it.");
            let mut left = bos.len();
            for part in &mut self.text.parts {
                let cut = left.min(part.text.len());
                part.text = part.text.get(cut..).unwrap_or_default().into();
                left -= cut;
            }
        }
        if let Some(eos) = eos.filter(is_token)
            && self.text.to_string().ends_with(eos)
        {
            notes.add("eos-dropped", "The EOS token at the end was dropped, because the tokenizer adds it.");
            let mut left = eos.len();
            for part in self.text.parts.iter_mut().rev() {
                let cut = left.min(part.text.len());
                let kept = part.text.len() - cut;
                part.text = part.text.get(..kept).unwrap_or_default().into();
                left -= cut;
            }
        }
        self.text.parts.retain(|part| !part.text.is_empty());
        self.notes = notes.0;
        self
    }
}

fn date(format: &str, options: &Options) -> String {
    let date = strftime(format.as_bytes(), options.now).unwrap_or_default();
    String::from_utf8(date).unwrap_or_default()
}

/// The most variables of a conversation.
const MOST_VARIABLES: usize = 1000;

/// What a conversation has, apart from variables of the template.
const KNOWN: [&str; 7] =
    ["messages", "tools", "bos_token", "eos_token", "add_generation_prompt", "enable_thinking", "chat_template_kwargs"];

/// The variables that a request gives the template beside the conversation.
fn kwargs(conversation: &Context) -> Outcome<&[(String, Json)]> {
    match conversation.get("chat_template_kwargs") {
        None | Some(Json::Null) => Ok(&[]),
        Some(Json::Object(members)) => {
            let thinking = members.iter().find(|(name, _)| name == "enable_thinking");
            if let Some((_, Json::Text(_))) = thinking {
                return refused("the variable enable_thinking is a text, expected true or false");
            }
            Ok(members)
        }
        Some(_) => refused("chat_template_kwargs is not an object"),
    }
}

fn refused<T>(message: &str) -> Outcome<T> {
    Err(fault(ErrorKind::Conversation, message))
}

/// Sets variables that follow from others, unless they are set.
fn imply(context: &mut Context) {
    let (reasoning, effort) = (context.get("preserve_reasoning").cloned(), context.get("reasoning_effort").cloned());
    let mut set = |name: &str, value: Json| {
        if context.get(name).is_none() {
            context.set(name, value);
        }
    };
    if let Some(Json::Bool(keeps)) = reasoning {
        set("preserve_thinking", keeps.into());
        for name in &["clear_thinking", "truncate_history_thinking", "drop_thinking"] {
            set(name, (!keeps).into());
        }
    }
    if let Some(effort @ Json::Text(_)) = effort {
        set("reasoning_strength", effort);
    }
}

/// Conditions that llama-server makes false, because they refuse conversations that it wants to render: what a template contains that has
/// one, what is shorter to look for, and the condition. llama-server compares whole conditions byte by byte, so they stand here word for word
/// as the templates of two families of models have them. Any other text would make another condition false, or none.
const PATCHES: [(&str, &str, &str); 2] = [
    (
        "<|channel|>",
        "in message.content or",
        "{%- if \"<|channel|>analysis<|message|>\" in message.content or \"<|channel|>final<|message|>\" in message.content %}",
    ),
    (
        "[TOOL_CALLS]",
        "if (message['content'] is none or",
        "{%- if (message['content'] is none or message['content'] == '' or message['content']|length == 0) and \
         (message['tool_calls'] is not defined or message['tool_calls'] is none or message['tool_calls']|length == 0) %}",
    ),
];

fn has(text: &str, part: &str) -> bool {
    position(text.as_bytes(), part.as_bytes()).is_some()
}

fn patched<'a>(source: &'a str, notes: &mut Notes) -> Cow<'a, str> {
    let mut source = Cow::Borrowed(source);
    for (mark, hint, condition) in PATCHES {
        if !has(&source, mark) || !has(&source, hint) {
            continue;
        }
        if has(&source, condition) {
            notes.add("condition-dropped", "A condition of the template that refuses conversations was made false.");
            source = Cow::Owned(replaced(&source, condition, "{%- if false %}"));
        }
    }
    source
}

/// A text in which all occurrences of a part are replaced.
fn replaced(mut text: &str, old: &str, new: &str) -> String {
    let mut result = String::new();
    while let Some(start) = position(text.as_bytes(), old.as_bytes()) {
        let (before, after) = around(text, start, old);
        result.push_str(before);
        result.push_str(new);
        text = after;
    }
    result + text
}

/// What stands before and after a part of a text.
fn around<'a>(text: &'a str, start: usize, part: &str) -> (&'a str, &'a str) {
    (text.get(..start).unwrap_or(""), text.get(start + part.len()..).unwrap_or(""))
}

/// Replaces the last `<|return|>` of gpt-oss, which only ends a whole conversation.
fn replace_return(text: &mut Text, notes: &mut Notes) {
    const RETURN: &str = "<|return|>";
    for part in text.parts.iter_mut().rev() {
        let mut places = part.text.as_bytes().windows(RETURN.len());
        if let Some(start) = places.rposition(|place| place == RETURN.as_bytes()) {
            notes.add("return-replaced", "The last `<|return|>` became `<|end|>`.");
            let (before, after) = around(&part.text, start, RETURN);
            part.text = [before, "<|end|>", after].concat();
            return;
        }
    }
}
