//! Templates that want to hang, to exhaust the memory or to overflow the stack. Each ends in bounded time, and most with a code.

use std::time::{Duration, Instant};

use gguf_template::{Context, Json, Limits, Options, ServerTemplate, Template};

/// The stack of a WebAssembly module.
const STACK: usize = 1 << 20;

/// Renders a template with a small stack. Returns the code of the error, or the length of the text.
fn outcome(source: String) -> Result<usize, &'static str> {
    let run = move || {
        let mut context = Context::new();
        context.set("text", "a".repeat(1 << 20));
        context.set("deep", nested(120));
        let template = Template::parse(&source).map_err(|error| error.code())?;
        let text = template.render(&context, &options()).map_err(|error| error.code())?;
        Ok(text.to_string().len())
    };
    let start = Instant::now();
    let result = std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap();
    // A loaded machine is slow; a hang takes longer by far.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    result
}

/// The default limits in a long run, otherwise smaller ones, so that the tests are quick.
fn options() -> Options {
    let is_long = std::env::var_os("GGUF_LONG").is_some();
    let limits = Limits::default();
    Options { limits: if is_long { limits } else { Limits { steps: 2_500_000, ..limits } }, ..Options::default() }
}

fn nested(depth: usize) -> Json {
    (0..depth).fold(Json::Null, |inner, _| Json::List(vec![inner]))
}

/// Gives a namespace a value, and changes it many times.
fn grown(start: &str, step: &str, times: usize, end: &str) -> String {
    format!(
        "{{% set ns = namespace(x={start}) %}}{{% for i in range({times}) %}}{{% set ns.x = {step} %}}{{% endfor %}}{end}"
    )
}

#[test]
fn loops_and_texts_end_with_a_code() {
    let templates = [
        "{% for i in range(99999) %}{{ range(99999)|join }}{% endfor %}".to_string(),
        "{% for i in range(99999) %}{% for i in range(99999) %}{% for i in range(99999) %}{% endfor %}{% endfor %}{% endfor %}".into(),
        "{{ range(99999)|map(attribute=0)|list|length + range(9999999999)|length }}".into(),
        "{{ range(0, 9999999999999999)|length }}".into(),
        "{{ range(0, -9999999999999999, -1)|length }}".into(),
        "{{ 'a' * 99999999999 }}".into(),
        "{{ ('a' * 9999) * 9999999999999 }}".into(),
        "{{ 'a'|indent(99999999999) }}".into(),
        "{{ [[1]]|tojson(indent=2147483647) }}".into(),
        "{% set x = text ~ text %}{{ x * 999 }}{{ (x * 9).strip('b') }}{{ (x * 9).upper() }}{{ (x * 99).upper() }}".into(),
        "{{ text.replace('', text) }}".into(),
        "{{ text.replace('a', text) }}".into(),
        "{{ text.split('a')|join(text) }}".into(),
        "{% for x in text.split('a') %}{{ text }}{% endfor %}".into(),
        "{% for i in range(9999) %}{% if (text ~ 'b') in (text ~ i) %}{% endif %}{% endfor %}".into(),
        "{% for i in range(9999) %}{{ text.strip('bcdefghijklmnopqrstuvwxyza')|length }}{% endfor %}".into(),
        "{% for i in range(9999) %}{{ text|tojson }}{% endfor %}".into(),
        "{% for i in range(9999) %}{{ text == text ~ '' }}{{ {text: 1}[text] }}{% endfor %}".into(),
        "{% for i in range(99999) %}{% set x = text.split('a') %}{% endfor %}".into(),
        "{% for i in range(9999) %}{{ text[::2]|length }}{% endfor %}".into(),
        "{% set l = range(99999) %}{% for i in l %}{{ i in l }}{{ l|sort|length }}{{ l|reverse|min }}{% endfor %}".into(),
        "{% set l = range(99999) %}{% for i in l %}{% set x = l + l %}{{ x[::-1]|length }}{% endfor %}".into(),
        "{% set l = range(99999) %}{% for i in l %}{{ l.pop(0) }}{{ l.append(l|string) }}{% endfor %}".into(),
        grown("'a'", "ns.x ~ ns.x", 99, ""),
        grown("'a'", "ns.x ~ 'b'", 99_999, "{{ ns.x|capitalize }}"),
        grown("'a'", "ns.x.replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaa')", 99, ""),
        grown("'a'", "ns.x|tojson", 99, ""),
        grown("[1]", "ns.x + ns.x", 99, ""),
        grown("[1]", "[ns.x|string, ns.x|string]", 99, ""),
        grown("['a']", "[ns.x|join('b' * 99), ns.x|join]", 99, ""),
    ];
    for template in templates {
        match outcome(template.clone()) {
            Err(code) => assert_eq!(code, "template-limit", "{template}"),
            Ok(length) => panic!("{length} bytes: {template}"),
        }
    }
}

#[test]
fn values_that_contain_each_other_end_with_a_code() {
    let pair = "(ns.x, ns.x)";
    let mut templates = Vec::new();
    for end in [
        "{{ ns.x == ns.x }}",
        "{{ ns.x is in([ns.x]) }}",
        "{{ {ns.x: 1} }}",
        "{{ ns.x|tojson }}",
        "{{ ns.x|string }}",
        "{{ ns.x }}",
    ] {
        templates.push(grown("(1, 2)", pair, 60, end));
        templates.push(grown("(1, 2)", "(ns.x, 1)", 99_999, end));
        templates.push(grown("(1, 2)", "(ns.x, 1)", 500, end));
    }
    for end in ["{{ ns.x|tojson }}", "{{ ns.x|string }}", "{{ ns.x }}", "{{ ns.x ~ '' }}", "{{ {1: ns.x}|string }}"] {
        templates.push(grown("[1]", "[ns.x]", 99_999, end));
        templates.push(grown("[1]", "[ns.x, ns.x, ns.x]", 60, end));
        templates.push(format!("{{% set ns = namespace(x=[]) %}}{{% set _ = ns.x.append(ns.x) %}}{end}"));
        templates.push(format!("{{% set ns = namespace(x=[]) %}}{{% set _ = ns.x.append(ns) %}}{end}"));
    }
    templates.push("{% set ns = namespace() %}{% set ns.x = ns %}{{ ns|tojson }}".into());
    for template in templates {
        match outcome(template.clone()) {
            Err(code) => assert_eq!(code, "template-limit", "{template}"),
            // A dict writes nothing.
            Ok(length) => {
                assert!(length == 0 && template.contains(".append(ns)") || length == 1_000_000, "{length}: {template}")
            }
        }
    }
}

#[test]
fn deep_values_are_dropped_without_a_stack() {
    let templates = [
        grown("1", "[ns.x]", 99_999, "ok"),
        grown("1", "(ns.x, 1)", 99_999, "ok"),
        grown("1", "{1: ns.x}", 99_999, "ok"),
        grown("{}", "{1: ns.x.get}", 99_999, "ok"),
        grown("[]", "[ns.x.append]", 99_999, "ok"),
        grown("1", "namespace(x=ns.x)", 99_999, "ok"),
        "{% set ns = namespace(l=[0]) %}{% for i in range(9999) %}{% set l = [] %}{% set _ = l.append(k=ns.l[0]) %}{% set ns.l = l %}{% endfor %}ok".into(),
        "{% set ns = namespace(c=0) %}{% macro m() %}{% set ns.c = caller %}{% endmacro %}\
         {% for i in range(9999) %}{% set last = ns.c %}{% call m() %}{% endcall %}{% endfor %}ok"
            .into(),
        "{{ deep|length }}".into(),
    ];
    for template in templates {
        assert_eq!(
            outcome(template.clone()).map(|length| length.min(2)),
            Ok(2.min(if template.contains("deep") { 1 } else { 2 })),
            "{template}"
        );
    }
}

#[test]
fn recursion_ends_with_a_code() {
    let templates = [
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m(a) %}{{ m([a]) }}{% endmacro %}{{ m(1) }}",
        "{% macro m() %}{% for i in [1, 2] %}{% if i %}{{ (m() ~ '') | trim }}{% endif %}{% endfor %}{% endmacro %}{{ m() }}",
        "{% macro m() %}{% set x %}{{ m()|upper if true else [m()] }}{% endset %}{% endmacro %}{{ m() }}",
        "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}",
        "{% macro m() %}{% filter upper %}{% call m() %}{% endcall %}{% endfilter %}{% endmacro %}{{ m() }}",
        "{% macro m(a=m()) %}{% endmacro %}{{ m() }}",
        "{% macro m() %}{{ [{1: (m(), [m()][0].x)[0]}] is eq(1) }}{% endmacro %}{{ m() }}",
    ];
    for template in templates {
        assert_eq!(outcome(template.into()), Err("template-limit"), "{template}");
    }
}

#[test]
fn nested_sources_end_with_a_code() {
    let many = 60_000;
    let open = ["{{ (", "{{ [", "{{ {1:", "{{ not ", "{% if 1 %}", "{% for a in b %}", "{% set a %}", "{% filter b %}"];
    let more = ["(", "[", "{1:", "not ", "{% if 1 %}", "{% for a in b %}", "{% set a %}", "{% filter b %}"];
    for (open, more) in open.into_iter().zip(more) {
        assert_eq!(outcome(format!("{open}{}", more.repeat(many))), Err("template-limit"), "{open}");
    }
    for (start, more) in
        [("{{ a", "[b"), ("{{ a", "(b"), ("{{ a", "|b(c"), ("{{ a", " is b(c"), ("{{ a", " if b else c")]
    {
        assert_eq!(outcome(format!("{start}{}", more.repeat(many))), Err("template-limit"), "{more}");
    }
    // Chains are parsed in loops. Those of operators run in loops, too.
    for (more, expected) in [
        ("|trim", Err("template-limit")),
        (".a", Err("template-limit")),
        ("[0]", Err("template-limit")),
        (" is eq(1)", Err("template-limit")),
        ("()", Err("template-limit")),
        (" ~ ''", Ok(1)),
        (" and 1", Ok(1)),
        (" or 1", Ok(1)),
        (" + 0", Ok(1)),
    ] {
        let start = if more == " + 0" || more == " and 1" { "{{ 1" } else { "{{ '1'" };
        assert_eq!(outcome(format!("{start}{} }}}}", more.repeat(3_000))), expected, "{more}");
    }
    assert_eq!(outcome(format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(30_000))), Ok(0));
    assert_eq!(outcome("a".repeat(1 << 20)), Ok(1 << 20));
    assert_eq!(outcome("a".repeat((1 << 20) + 1)), Err("template-limit"));
    assert_eq!(outcome("{{ text }}".repeat(99)), Err("template-limit"));
    assert_eq!(outcome("[1,".repeat(80_000)), Ok(240_000));
    assert_eq!(outcome(format!("{{{{ [{}] }}}}", "1,".repeat(300_000))), Err("template-limit"));
}

#[test]
fn contexts_are_bounded() {
    let json = format!("{{\"a\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(Context::parse(&json).unwrap_err().code(), "template-context");
    let mut context = Context::new();
    context.set("a", nested(1000));
    let error = Template::parse("").unwrap().render(&context, &Options::default()).unwrap_err();
    assert_eq!(error.code(), "template-limit");
    // Many keys take no quadratic time.
    let keys: Vec<String> = (0..50_000).map(|key| format!("\"{key}\": {key}")).collect();
    let context = Context::parse(&format!("{{\"a\": {{{}}}}}", keys.join(", "))).unwrap();
    let text = Template::parse("{{ a['49999'] }}").unwrap().render(&context, &Options::default()).unwrap();
    assert_eq!(text.to_string(), "49999");
}

#[test]
fn finding_capabilities_is_bounded() {
    let start = Instant::now();
    let template = ServerTemplate::parse("{% for i in range(99999) %}{{ range(99999)|join }}{% endfor %}").unwrap();
    assert!(!template.capabilities().string_content);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// Renders a template that may take some steps and the default memory. Returns the code of the error, or the length of the text.
fn counted(source: &str, steps: u64) -> Result<usize, &'static str> {
    limited(source, Limits { steps, ..Limits::default() })
}

fn limited(source: &str, limits: Limits) -> Result<usize, &'static str> {
    let mut context = Context::new();
    context.set("text", "a".repeat(1 << 20));
    context.set("half", "b".repeat(1 << 19));
    context.set("entries", Json::Object((0..4_000).map(|key| (key.to_string(), Json::Int(key))).collect()));
    context.set("pieces", "a ".repeat(2_000));
    let template = Template::parse(source).map_err(|error| error.code())?;
    let text = template.render(&context, &Options { limits, ..Options::default() });
    text.map(|text| text.to_string().len()).map_err(|error| error.code())
}

#[test]
fn memory_of_functions_is_counted() {
    let names = |count: usize| {
        let names: String = (0..count).map(|name| format!("{{{{ n{name} }}}}")).collect();
        format!("{{% if 0 %}}{names}{{% endif %}}")
    };
    let nested = |depth: usize| {
        let (start, end) = ("{% call m() %}".repeat(depth), "{% endcall %}".repeat(depth));
        format!("{{% macro m() %}}{{{{ caller() }}}}{{% endmacro %}}{start}{end}")
    };
    let list = "{% set l = [] %}{% macro m() %}{% set _ = l.append(caller) %}{% endmacro %}";
    let often = |count: usize, work: &str| format!("{list}{{% for i in range({count}) %}}{work}{{% endfor %}}");
    let append = |appended: &str, count: usize| often(count, &format!("{{% set _ = l.append({appended}) %}}"));
    let call = "{% call m() %}{% endcall %}";
    let templates = [
        (append("1", 80_000), append("l.append", 80_000)),
        (append("1", 80_000), append("k=l", 80_000)),
        (often(5, call) + &names(2_000), often(500, call) + &names(2_000)),
        (nested(2) + &names(4_000), nested(20) + &names(4_000)),
    ];
    let limits = Limits { memory: 6 << 20, ..Limits::default() };
    for (little, much) in templates {
        assert_eq!(limited(&little, limits), Ok(0), "{little:.200}");
        assert_eq!(limited(&much, limits), Err("template-limit"), "{much:.200}");
    }
}

#[test]
fn nothing_repeated_is_nothing() {
    // Each round would take hours.
    assert_eq!(counted("{{ ''.strip() * 9223372036854775807 }}{{ 'a' * -1 }}", 100_000), Ok(0));
    assert_eq!(counted("{{ 'a' * 5000000000 }}", 100_000), Err("template-limit"));
}

#[test]
fn work_is_counted() {
    let parts = "{% set x = 'a' * 4000 %}{% set y = 'a' * 4000 %}{% set e = '' * 4000 %}";
    let joined = "{% set x = half ~ half %}";
    let nested = format!("{{{{ [] }}}}{}{{{{ x }}}}{}", "{% if 1 %}".repeat(20), "{% endif %}".repeat(20));
    let names: Vec<String> = (0..1_000).map(|name| format!("n{name}")).collect();
    let parameters = format!("{{% macro m({}) %}}{{% endmacro %}}", names.join(", "));
    let arguments = format!("{{{{ m({}1) }}}}", "1, ".repeat(999));
    let floats = "{% set a = '1.7e308'|float %}{% set b = '2.3e-308'|float %}";
    // What is done, and how many steps it takes at least.
    let works: &[(&str, &str, u64)] = &[
        // A pair is made of each entry.
        ("", "{% for k, v in entries %}{% break %}{% endfor %}", 4_000),
        // Each part of a text becomes a piece of the output.
        (parts, "{% for i in [1] %}{% if 1 %}{{ x }}{% continue %}{% endif %}{% endfor %}", 2_000),
        (parts, "{% if e.strip() %}{% endif %}", 2_000),
        (parts, "{% if x == y %}{% endif %}", 2_000),
        // Each block looks at its pieces while a list is open.
        (parts, &nested, 40_000),
        // Each parameter is looked for in all arguments.
        (&parameters, &arguments, 50_000),
        // Texts of several parts are joined.
        (joined, "{% set c = x[0] %}", 10_000),
        (joined, "{% set c = x is lt('a') %}", 10_000),
        (joined, "{% set c = x is test %}", 10_000),
        (joined, "{% set c = [1]|tojson(separators=[x, x]) %}", 10_000),
        (joined, "{% set c = []|join(x) %}", 10_000),
        (joined, "{% set c = {}|dictsort(by=x) %}", 10_000),
        // Numbers that are far from one.
        (floats, "{% set c = a % b %}", 1_000),
        (floats, "{% set c = a ~ '' %}", 30),
        (floats, "{% set c = [a]|tojson %}", 30),
        (floats, "{% set c = [b]|tojson %}", 30),
        // Each piece is a text of its own.
        ("", "{% set c = pieces.split() %}", 4_000),
    ];
    for (start, work, least) in works {
        let once = counted(&format!("{start}{work}"), 1_000_000);
        assert!(once.is_ok(), "{work:.200}: {once:?}");
        let often = format!("{start}{{% for i in range(100) %}}{work}{{% endfor %}}");
        assert_eq!(counted(&often, 20_000 + 100 * least), Err("template-limit"), "{work:.200}");
    }
}

#[test]
fn names_with_the_same_hash_end_with_a_code() {
    // Where the engine looks for a name first.
    let slot = |name: &str| {
        let hash = name.bytes().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        hash ^ (hash >> 15)
    };
    let names = (0..).map(|number| format!("n{number}"));
    let names: Vec<String> = names.filter(|name| slot(name) & 0xFFFF < 128).take(8_000).collect();
    let template: String = names.iter().map(|name| format!("{{{{ {name} }}}}")).collect();
    assert_eq!(Template::parse(&template).map(drop).unwrap_err().code(), "template-limit");
    let members: Vec<String> = names.iter().map(|name| format!("\"{name}\": 1")).collect();
    assert_eq!(Context::parse(&format!("{{{}}}", members.join(","))).map(drop).unwrap_err().code(), "template-limit");
}

#[test]
fn the_length_is_checked_before_conditions_are_dropped() {
    let condition = "{%- if (message['content'] is none or message['content'] == '' or message['content']|length == 0) and \
         (message['tool_calls'] is not defined or message['tool_calls'] is none or message['tool_calls']|length == 0) %}";
    let source = |count: usize| format!("[TOOL_CALLS]{}", format!("{condition}a{{% endif %}}").repeat(count));
    assert_eq!(ServerTemplate::parse(&source(5_000)).map(drop).unwrap_err().code(), "template-limit");
    assert!(ServerTemplate::parse(&source(1_000)).unwrap().template().source().len() < 30_000);
}

#[test]
fn a_long_chain_of_operators_has_no_syntax_tree_that_is_too_deep() {
    let described = |length: usize| {
        let source = format!("{{{{ a{} }}}}", " + a".repeat(length));
        let run = move || Template::parse(&source).unwrap().syntax().map(|tree| tree.dump().len());
        std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap()
    };
    assert!(described(499).is_ok());
    for length in [500, 60_000] {
        let error = described(length).unwrap_err();
        assert_eq!((error.code(), error.position.map(|at| at.line)), ("template-limit", Some(1)));
    }
}
