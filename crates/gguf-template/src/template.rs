//! A template: parsing and rendering it.

use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use crate::context::{Context, value_of};
use crate::error::{Error, ErrorKind, Outcome};
use crate::json::value::Json;
use crate::limits::{Limits, Meter, SOURCE_BYTES};
use crate::run::machine::Machine;
use crate::syntax::lexer::plain_lines;
use crate::syntax::statements::parse;
use crate::syntax::tree::Tree;
use crate::values::parts::Parts;
use crate::values::value::{Host, Value};

/// A parsed chat template.
///
/// # Examples
///
/// ```
/// use gguf_template::{Context, Options, Template};
///
/// let template = Template::parse("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}")?;
/// let context = Context::parse(r#"{"messages": [{"role": "user", "content": "Hi"}]}"#)?;
/// assert_eq!(template.render(&context, &Options::default())?.to_string(), "<user>Hi");
/// # Ok::<(), gguf_template::Error>(())
/// ```
#[derive(Debug)]
pub struct Template {
    /// With plain line breaks, so that offsets in the tree fit.
    source: String,
    tree: Tree,
}

/// How a template is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The time of `strftime_now`: seconds since 1970-01-01, as the clock of the place shows them. Add the offset of the time zone to the
    /// seconds of UTC.
    pub now: i64,
    /// What the rendering may take.
    pub limits: Limits,
}

/// A rendered text. It consists of parts, which tell the texts of the conversation from those of the template.
///
/// llama-server joins the parts, and looks for special tokens in all of the text. A program that looks for them only in the parts of the
/// template is safe from messages that contain them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The parts in their order. Neighbours differ in their origin.
    pub parts: Vec<TextPart>,
}

/// A part of a rendered text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPart {
    /// The text. Bytes that are not valid UTF-8, because the template has cut a character, are U+FFFD.
    pub text: String,
    /// Whether the text comes from the context, unchanged or changed in place, as llama.cpp marks it.
    pub is_input: bool,
}

impl core::fmt::Display for Text {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.parts.iter().try_for_each(|part| out.write_str(&part.text))
    }
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// `template-syntax` with the position where llama.cpp refuses to load the template. `template-limit` if it is longer than 1 MiB, has more
    /// than 200,000 tokens, or is nested more than 100 levels deep.
    pub fn parse(source: &str) -> Result<Template, Error> {
        check_length(source)?;
        let source = plain_lines(source);
        match parse(&source) {
            Ok(tree) => Ok(Template { source, tree }),
            Err(fault) => Err(fault.locate(&source)),
        }
    }

    /// The source. Its line breaks are `\n`, and the last one is dropped.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The syntax tree: the statements as a list of objects. Each object has `type`, `line` and `column`, and the parts of the node by their
    /// names.
    ///
    /// # Errors
    ///
    /// `template-limit` with the position if the tree has more than 500 levels. A chain of operators is as deep as it is long.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_template::Template;
    ///
    /// let tree = Template::parse("Hello {{ name }}")?.syntax()?;
    /// let [hello, name] = tree.as_list().unwrap() else { panic!() };
    /// assert_eq!(hello.dump(), r#"{"type":"text","line":1,"column":1,"value":"Hello "}"#);
    /// assert_eq!(name.get("name").and_then(|name| name.as_text()), Some("name"));
    /// # Ok::<(), gguf_template::Error>(())
    /// ```
    pub fn syntax(&self) -> Result<Json, Error> {
        self.tree.describe(&self.source).map_err(|fault| fault.locate(&self.source))
    }

    /// Renders the template.
    ///
    /// # Errors
    ///
    /// `template-render` if an operation fails in llama.cpp, `template-raised` if the template raises an exception, and
    /// `template-limit`, each with the position.
    pub fn render(&self, context: &Context, options: &Options) -> Result<Text, Error> {
        let host = host(options, false);
        let mut values = Vec::new();
        for (name, value) in context.variables() {
            let value = value_of(value, &host).map_err(|fault| fault.locate(&self.source))?;
            values.push((name.as_str(), value));
        }
        self.run(host, &options.limits, values).0.map_err(|fault| fault.locate(&self.source))
    }

    /// Renders the template with values. The host comes back, because the values that it has changed live as long as it does.
    pub(crate) fn run(&self, host: Host, limits: &Limits, values: Vec<(&str, Value)>) -> (Outcome<Text>, Option<Host>) {
        let mut machine = match Machine::new(&self.tree, host, limits) {
            Ok(machine) => machine,
            Err(fault) => return (Err(fault), None),
        };
        for (name, value) in values {
            machine.set_variable(name, value);
        }
        let (parts, host) = machine.run();
        (parts.and_then(|parts| text_of(&parts, &host.meter)), Some(host))
    }
}

/// Fails if a source is too long to look at it.
pub(crate) fn check_length(source: &str) -> Result<(), Error> {
    match source.len() > SOURCE_BYTES {
        true => Err(Error::new(ErrorKind::Limit, "the template is longer than 1 MiB")),
        false => Ok(()),
    }
}

/// What a rendering needs of its surroundings.
pub(crate) fn host(options: &Options, is_watching: bool) -> Host {
    Host { meter: Meter::new(&options.limits), now: options.now, is_watching, changed: RefCell::default() }
}

/// The parts of a text, joined where neighbours have the same origin.
fn text_of(parts: &Parts, meter: &Meter) -> Outcome<Text> {
    meter.room(parts.len())?;
    let mut text = Text::default();
    let mut rest = parts.parts();
    while let [first, ..] = rest {
        let count = rest.iter().take_while(|part| part.is_input == first.is_input).count();
        let (now, after) = rest.split_at(count);
        let mut bytes = Vec::with_capacity(now.iter().map(|part| part.bytes.as_slice().len()).sum());
        now.iter().for_each(|part| bytes.extend_from_slice(part.bytes.as_slice()));
        if !bytes.is_empty() {
            let joined =
                String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into());
            text.parts.push(TextPart { text: joined, is_input: first.is_input });
        }
        rest = after;
    }
    Ok(text)
}
