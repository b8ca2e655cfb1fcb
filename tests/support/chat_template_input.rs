//! Renders a template that a fuzzer or a test has made.
//!
//! An input is a template, and after a zero byte the JSON text of the context. Without one, or if it is not valid, there is a small
//! conversation.

use gguf_template::{Context, Limits, Options, ServerTemplate, Template};

const CONVERSATION: &str = r#"{"messages": [{"role": "system", "content": "S"}, {"role": "user", "content": " it's \n"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"x": 1.5}}}]},
    {"role": "tool", "tool_call_id": "a", "content": "[1]"}, {"role": "user", "content": [{"type": "text", "text": "T"}]}],
    "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}], "bos_token": "<s>", "enable_thinking": false}"#;

/// Renders an input as the engine and as llama-server do. Nothing panics, and positions are in the template.
pub fn run(input: &[u8]) {
    let (source, json) = match input.iter().position(|byte| *byte == 0) {
        Some(end) => (&input[..end], &input[end + 1..]),
        None => (input, &[][..]),
    };
    let source = String::from_utf8_lossy(source);
    let context = Context::parse(&String::from_utf8_lossy(json));
    let context = context.unwrap_or_else(|_| Context::parse(CONVERSATION).unwrap());
    let limits = Limits { steps: 300_000, memory: 16 << 20, ..Limits::default() };
    let options = Options { now: input.len() as i64 * 86_400, limits };
    let check = |error: gguf_template::Error| {
        assert!(error.code().starts_with("template-") && !error.message.is_empty());
        if let Some(position) = error.position {
            assert!(position.line as usize <= source.matches(['\n', '\r']).count() + 1, "{error}");
        }
    };
    match Template::parse(&source) {
        Ok(template) => drop(template.render(&context, &options).map_err(check)),
        Err(error) => check(error),
    }
    if let Ok(template) = ServerTemplate::parse(&source) {
        drop(template.render(&context, &options));
    }
}
