//! What llama-server makes of conversations: each change, by small templates.

use gguf_template::{Context, Json, Options, Prompt, ServerTemplate};

/// Writes the messages as the template gets them. It takes content as text only, and arguments as they come.
const SHOW: &str = "{% for m in messages %}{{ m|tojson }}\n{% endfor %}";

fn conversation(json: &str) -> Context {
    Context::parse(&format!("{{\"messages\": {json}}}")).unwrap()
}

fn prompt(template: &str, messages: &str) -> Prompt {
    let template = ServerTemplate::parse(template).unwrap();
    template.render(&conversation(messages), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn codes(prompt: &Prompt) -> Vec<&str> {
    prompt.notes.iter().map(|note| note.code).collect()
}

/// The messages that a template with a mark in a comment gets.
fn shown(mark: &str, messages: &str) -> String {
    let prompt = prompt(&format!("{{#{mark}#}}{SHOW}"), messages);
    prompt.text.to_string()
}

#[test]
fn messages_are_written_again() {
    for (given, expected) in [
        (r#"{"role": "user", "content": "a", "x": 1}"#, r#"{"role": "user", "content": "a"}"#),
        (r#"{"content": null, "tool_calls": [], "role": "assistant"}"#, r#"{"role": "assistant", "content": ""}"#),
        (r#"{"role": "developer", "content": "a"}"#, r#"{"role": "system", "content": "a"}"#),
        (
            r#"{"role": "tool", "tool_call_id": "i", "name": "n", "content": "a"}"#,
            r#"{"role": "tool", "content": "a", "name": "n", "tool_call_id": "i"}"#,
        ),
        (
            r#"{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}"#,
            r#"{"role": "user", "content": "a\nb"}"#,
        ),
        (
            r#"{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}, {"type": "text", "text": "b"}]}"#,
            r#"{"role": "user", "content": "a<__media__>b"}"#,
        ),
        (
            r#"{"role": "assistant", "content": "", "reasoning_content": "r", "tool_calls": [{"id": "i", "type": "function", "function": {"arguments": {"a": 1.0}, "name": "f"}}]}"#,
            r#"{"role": "assistant", "content": "", "reasoning_content": "r", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"a": 1}}, "id": "i"}]}"#,
        ),
    ] {
        assert_eq!(shown("", &format!("[{given}]")), format!("{expected}\n"));
    }
    let prompt = prompt(SHOW, r#"[{"role": "developer", "content": [{"type": "text", "text": "a"}]}]"#);
    assert_eq!(codes(&prompt), ["parts-joined", "developer-renamed"]);
    assert!(prompt.notes.iter().all(|note| note.message.ends_with('.')));
}

#[test]
fn refused_conversations_have_a_code() {
    let template = ServerTemplate::parse(SHOW).unwrap();
    for messages in [
        "1",
        "[1]",
        "[{}]",
        r#"[{"role": 1, "content": ""}]"#,
        r#"[{"role": "user"}]"#,
        r#"[{"role": "user", "content": 1}]"#,
        r#"[{"role": "user", "content": [{"type": "file"}]}]"#,
        r#"[{"role": "user", "content": "", "reasoning_content": null}]"#,
        r#"[{"role": "user", "content": "", "tool_calls": [{"type": "function", "function": {"name": "f"}}]}]"#,
        r#"[{"role": "user", "content": "", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{"}}]}]"#,
    ] {
        let error = template.render(&conversation(messages), &Options::default()).unwrap_err();
        assert_eq!(error.code(), "template-conversation", "{messages}");
    }
}

#[test]
fn a_template_gets_what_it_can_read() {
    // A template that does not read system messages gets them in the next message.
    let user = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}";
    let both = r#"[{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]"#;
    assert_eq!(prompt(user, both).text.to_string(), "S\nU");
    // A template that runs over the parts of content gets parts.
    let parts = "{% for m in messages %}{% for p in m.content %}[{{ p.text }}]{% endfor %}{% endfor %}";
    assert_eq!(prompt(parts, r#"[{"role": "user", "content": "U"}]"#).text.to_string(), "[U]");
    // A template that reads members of arguments gets an object, another one a JSON text.
    let call = r#"[{"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"a": 1e20}}}]}]"#;
    let loops = |part: &str| {
        format!(
            "{{% for m in messages %}}{{% for c in m.tool_calls or [] %}}{{{{ c.function.{part} }}}}{{% endfor %}}{{% endfor %}}"
        )
    };
    for (part, expected, is_object) in [
        ("arguments ~ ''", "{\"a\":1e+20}", false),
        ("arguments|upper", "{\"A\":1E+20}", false),
        ("arguments|tojson", "{\"a\": 1e+20}", true),
        ("arguments|string + (c.function.arguments.arg or '')", "{'a': 100000000000000000000.0}", true),
    ] {
        let template = loops(part);
        assert_eq!(ServerTemplate::parse(&template).unwrap().capabilities().object_arguments, is_object, "{part}");
        assert_eq!(prompt(&template, call).text.to_string(), expected, "{part}");
    }
}

#[test]
fn formats_have_changes_of_their_own() {
    let reasoning = r#"[{"role": "assistant", "content": "a", "reasoning_content": "r"}]"#;
    let thinking = "{\"role\": \"assistant\", \"content\": \"a\", \"reasoning_content\": \"r\", \"thinking\": \"r\"}\n";
    assert_eq!(shown("<|channel|>", reasoning), thinking);
    assert_eq!(shown("<|tool_list_start|><|tool_list_end|>", reasoning), thinking);
    assert_eq!(
        shown("[SYSTEM_PROMPT][TOOL_CALLS][ARGS]", reasoning),
        "{\"role\": \"assistant\", \"content\": [{\"type\": \"thinking\", \"thinking\": \"r\"}, {\"type\": \"text\", \"text\": \"a\"}]}\n"
    );
    assert_eq!(
        shown("[SYSTEM_PROMPT][TOOL_CALLS][ARGS][CALL_ID]", reasoning),
        thinking.replace(", \"thinking\": \"r\"", "")
    );
    let calls = r#"[{"role": "assistant", "content": "c", "tool_calls": [
        {"id": "x", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        {"id": "y", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "y", "content": "2"}, {"role": "user", "content": "u"},
        {"role": "tool", "tool_call_id": "x", "content": "{\"a\": 1}"}, {"role": "assistant", "content": "end"}]"#;
    let order = |mark: &str| {
        let template = format!("{{#{mark}#}}{SHOW}").replace("m|tojson", "m.tool_call_id or m.role");
        prompt(&template, calls).text.to_string()
    };
    assert_eq!(order("dsml_token DSML tool_calls"), "assistant\nx\nuser\ny\nassistant\n");
    assert_eq!(order("dsml_token DSML function_calls"), "assistant\ny\nuser\nx\nassistant\n");
    let gemma = shown("'<|tool_call>call:'", &calls.replace(r#"{"role": "user", "content": "u"},"#, ""));
    let responses =
        r#""tool_responses": [{"name": "f", "response": 2}, {"name": "g", "response": {"a": 1}}], "content": "end"}"#;
    assert!(gemma.ends_with(&format!("{responses}\n")) && gemma.lines().count() == 1, "{gemma}");
    assert!(shown("'<|tool_call>call:' {#- OpenAI Chat Completions:", calls).lines().count() == 5);
    // The turn of the model is opened if the template ends with the end of a turn.
    let turn = "{#'<|tool_call>call:'#}{% for m in messages %}{{ m.content }}<turn|>\n{% endfor %}{{ '' }}";
    assert_eq!(prompt(turn, reasoning).text.to_string(), "a<turn|>\n<|turn>model\n");
    let step = "You have access to the following functions in JSONSchema format";
    assert_eq!(shown(step, r#"[{"role": "user", "content": " a\n"}]"#), "{\"role\": \"user\", \"content\": \"a\"}\n");
}

#[test]
fn variables_are_those_of_llama_server() {
    let names = "{{ [datetime, date_string, bos_token, enable_thinking, add_generation_prompt, tools, reasoning_strength, x]|string }}";
    let template = ServerTemplate::parse(names).unwrap();
    let mut conversation = conversation("[]");
    let options = Options { now: 1_795_917_784, ..Options::default() };
    let render = |conversation: &Context| template.render(conversation, &options).unwrap().text.to_string();
    assert_eq!(
        render(&conversation),
        "['Nov 29 2026', '29 Nov 2026', '', True, True, Undefined (hint: 'tools'), Undefined (hint: 'reasoning_strength'), Undefined (hint: 'x')]"
    );
    for (name, value) in [
        ("add_generation_prompt", Json::Bool(false)),
        ("enable_thinking", Json::Bool(false)),
        ("bos_token", "<s>".into()),
    ] {
        conversation.set(name, value);
    }
    conversation.set("reasoning_effort", "low");
    conversation.set("x", 1.5);
    conversation
        .set("tools", Json::parse(r#"[{"function": {"name": "f", "strict": true}, "type": "function"}]"#).unwrap());
    let tools = "[{'type': 'function', 'function': {'name': 'f', 'description': '', 'parameters': {}}}]";
    let undefined = "Undefined (hint: 'add_generation_prompt')";
    let expected = format!("['Nov 29 2026', '29 Nov 2026', '<s>', False, {undefined}, {tools}, 'low', 1.5]");
    assert_eq!(render(&conversation), expected);
}

#[test]
fn special_tokens_that_the_tokenizer_adds_are_dropped() {
    let prompt = prompt("<s>{{ messages[0].content }}</s>", r#"[{"role": "user", "content": "<s>a"}]"#);
    let dropped = prompt.clone().without_special(Some("<s>"), Some("</s>"));
    assert_eq!(dropped.text.to_string(), "<s>a");
    assert_eq!(codes(&dropped), ["bos-dropped", "eos-dropped"]);
    assert_eq!(prompt.clone().without_special(None, None).text, prompt.text);
}

#[test]
fn conditions_that_refuse_conversations_are_made_false() {
    let condition = "{%- if \"<|channel|>analysis<|message|>\" in message.content or \"<|channel|>final<|message|>\" in message.content %}";
    let template =
        format!("{{% set message = messages[0] %}}{condition}{{{{ raise_exception('no') }}}}{{%- endif %}}ok");
    let prompt = prompt(&template, r#"[{"role": "user", "content": "<|channel|>final<|message|>"}]"#);
    assert_eq!(prompt.text.to_string(), "ok");
    assert!(codes(&prompt).contains(&"condition-dropped"));
}
