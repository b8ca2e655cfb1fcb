//! Codes and positions of errors.

use gguf_template::{Context, ErrorKind, Options, Template};

fn error(template: &str) -> (&'static str, u32, u32) {
    let rendered = Template::parse(template).and_then(|template| template.render(&Context::new(), &Options::default()));
    let error = rendered.unwrap_err();
    let position = error.position.unwrap();
    (error.code(), position.line, position.column)
}

#[test]
fn errors_have_a_code_and_a_position() {
    for (template, expected) in [
        ("{{ 1 + }}", ("template-syntax", 1, 8)),
        ("a\nb {{ x y }}", ("template-syntax", 2, 8)),
        ("é {{ é }}", ("template-syntax", 1, 6)),
        ("{% if x %}\n\n", ("template-syntax", 1, 9)),
        ("\r\n\r{{ 'a", ("template-syntax", 3, 4)),
        ("{# a", ("template-syntax", 1, 1)),
        ("{{ '\\q' }}", ("template-syntax", 1, 5)),
        ("{{ 99999999999999999999 }}", ("template-syntax", 1, 4)),
        ("\n{% nothing %}", ("template-syntax", 2, 4)),
        ("{{ 'é' }}{{ [] + 1 }}", ("template-render", 1, 16)),
        ("{% for i in [1] %}\n{{ i.x.y() }}\n{% endfor %}", ("template-render", 2, 9)),
        ("{% macro m() %}\n  {{ 1|upper|nothing }}{% endmacro %}\n{{ m() }}", ("template-render", 2, 13)),
        ("\n\n  {{ raise_exception('no') }}", ("template-raised", 3, 21)),
        ("{% for i in range(99999999) %}{% endfor %}", ("template-limit", 1, 18)),
        ("{% break %}", ("template-render", 1, 4)),
    ] {
        assert_eq!(error(template), expected, "{template}");
    }
}

#[test]
fn errors_of_contexts_have_a_position() {
    for (json, line, column) in [
        ("{", 1, 2),
        ("[1,\n 2,]", 2, 4),
        ("{\"a\": 1e999}", 1, 12),
        ("{\"a\": \"\\ud800\"}", 1, 14),
        ("{\"a\": 01}", 1, 9),
    ] {
        let error = Context::parse(json).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Context);
        let position = error.position.unwrap();
        assert_eq!((position.line, position.column), (line, column), "{json}: {error}");
    }
    assert_eq!(Context::parse("[]").unwrap_err().position, None);
}

#[test]
fn raised_messages_are_those_of_the_template() {
    let template = Template::parse("{{ raise_exception('Roles must alternate') }}").unwrap();
    let error = template.render(&Context::new(), &Options::default()).unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Raised, "Roles must alternate"));
    assert_eq!(error.to_string(), "Roles must alternate (line 1, column 19)");
}

#[test]
fn each_line_break_ends_a_line() {
    for json in ["{\n\n  x", "{\r\r  x", "{\r\n\r\n  x"] {
        let position = Context::parse(json).unwrap_err().position.unwrap();
        assert_eq!((position.line, position.column), (3, 3), "{json:?}");
        let template = json.replace("{", "{{");
        let position = Template::parse(&template.replace("x", "?")).unwrap_err().position.unwrap();
        assert_eq!((position.line, position.column), (3, 3), "{json:?}");
    }
}

#[test]
fn parts_tell_input_from_the_template() {
    let template =
        Template::parse("<{{ text }}>{{ text|upper }}{{ text ~ '!' }}{{ text.split(',')[0] }}{{ text.split(',')[1] }}")
            .unwrap();
    let mut context = Context::new();
    context.set("text", "a,b");
    let text = template.render(&context, &Options::default()).unwrap();
    let parts: Vec<_> = text.parts.iter().map(|part| (part.text.as_str(), part.is_input)).collect();
    // Only the last piece of a text that is split counts as input.
    let expected = [("<", false), ("a,b", true), (">", false), ("A,Ba,b", true), ("!a", false), ("b", true)];
    assert_eq!(parts, expected);
}
