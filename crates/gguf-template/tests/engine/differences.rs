//! Keeps docs/chat-templates.md current: the table of constructs for which llama.cpp and jinja2 give different texts.
//!
//! With `GGUF_WRITE_DOCS=1`, the test writes the file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::corpus::Corpus;

/// The number of templates in the corpus of which the page is made. Of another corpus, another page would be made.
const TEMPLATES: usize = 436;

const INTRODUCTION: &str = "# Chat templates: llama.cpp and jinja2

llama.cpp renders chat templates with an engine of its own. The crate `gguf-template` follows it, so its text is the one that a model reads. Templates are often written and tested with Python's jinja2, in the environment of transformers. This page lists constructs for which both engines give different texts: each row is a small template, rendered with a conversation of one user message. It is made from the renderings of a test corpus by llama.cpp of August 2026 and jinja2; `GGUF_WRITE_DOCS=1 cargo test -p gguf-template --test engine differences` writes it.

`⏎` is a line break and `·` a blank at an end or beside a line break. `error` says that the engine refuses the template or fails.
";

/// The titles of the groups, by the first word of the name of a template.
const GROUPS: [(&str, &str); 11] = [
    ("op", "Operators and literals"),
    ("index", "Indexes and slices"),
    ("test", "Tests"),
    ("filter", "Filters by the type of their value"),
    ("args", "Arguments of filters"),
    ("method", "Methods"),
    ("concat", "Texts that are put together"),
    ("stmt", "Statements"),
    ("scope", "Scopes"),
    ("space", "White space"),
    ("talk", "Conversations"),
];

/// A text as code in a table. Long ones are cut.
fn code(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut shown = String::new();
    let characters: Vec<char> = text.chars().collect();
    for (index, character) in characters.iter().enumerate().take(LONGEST) {
        let is_edge = |index: Option<usize>| index.and_then(|index| characters.get(index)).is_none_or(|c| *c == '\n');
        match character {
            '\n' => shown.push('⏎'),
            ' ' if is_edge(index.checked_sub(1)) || is_edge(Some(index + 1)) => shown.push('·'),
            c if c.is_control() => shown.extend(c.escape_default()),
            '|' => shown.push_str("\\|"),
            c => shown.push(*c),
        }
    }
    if characters.len() > LONGEST {
        shown.push('…');
    }
    let fence = if shown.contains('`') { "``" } else { "`" };
    if shown.is_empty() { "nothing".into() } else { format!("{fence}{shown}{fence}") }
}

fn document(corpus: &Corpus) -> String {
    let renderings = |oracle: &str| -> BTreeMap<String, Option<String>> {
        let plain = corpus
            .renderings(oracle)
            .into_iter()
            .filter(|(name, context, _)| name.starts_with("s-") && context == "plain");
        plain.map(|(name, _, text)| (name, text)).collect()
    };
    let (ours, theirs) = (renderings("llama_cpp"), renderings("jinja2"));
    let mut document = INTRODUCTION.to_string();
    for (group, title) in GROUPS {
        let rows: Vec<_> = ours
            .iter()
            .filter(|(name, _)| name.split('-').nth(1) == Some(group))
            .filter_map(|(name, text)| theirs.get(name).map(|other| (name, text, other)))
            .filter(|(_, text, other)| text != other)
            .collect();
        if rows.is_empty() {
            continue;
        }
        write!(document, "\n## {title}\n\n| template | llama.cpp | jinja2 |\n| --- | --- | --- |\n").unwrap();
        for (name, text, other) in rows {
            let source = corpus.template(name);
            let result = |text: &Option<String>| text.as_deref().map_or("error".into(), code);
            writeln!(document, "| {} | {} | {} |", code(source.trim_end_matches('\n')), result(text), result(other))
                .unwrap();
        }
    }
    document
}

#[test]
fn the_table_of_differences_is_current() {
    let Some(corpus) = Corpus::open() else { return };
    if corpus.names().len() != TEMPLATES {
        let _ = writeln!(std::io::stderr(), "SKIPPED: the page of differences is made of another corpus");
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/chat-templates.md");
    let document = document(&corpus);
    assert!(document.lines().count() > 100, "the corpus has too few differences");
    if std::env::var_os("GGUF_WRITE_DOCS").is_some() {
        fs::write(&path, &document).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == document, "docs/chat-templates.md is old: run this test with GGUF_WRITE_DOCS=1");
}
