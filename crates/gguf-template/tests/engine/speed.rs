//! The time that a rendering takes.

use std::time::Instant;

use gguf_template::{Context, Json, Template};

use crate::corpus::Corpus;

/// A conversation of 40 messages with calls of tools, and the tools of the corpus.
fn conversation(corpus: &Corpus) -> Context {
    let mut context = Context::parse(corpus.context("results")).unwrap();
    let Some(Json::List(messages)) = context.get("messages").cloned() else { panic!("no messages") };
    let (system, others) = messages.split_first().unwrap();
    let repeated = others.iter().cycle().take(39).cloned();
    context.set("messages", std::iter::once(system.clone()).chain(repeated).collect::<Vec<_>>());
    context
}

#[test]
fn the_longest_template_renders_40_messages_quickly() {
    let Some(corpus) = Corpus::open() else { return };
    let context = conversation(&corpus);
    // The longest one that renders this conversation.
    let mut sources: Vec<String> = corpus.names().iter().map(|name| corpus.template(name)).collect();
    sources.sort_by_key(|source| std::cmp::Reverse(source.len()));
    let mut templates = sources.iter().filter_map(|source| Template::parse(source).ok());
    let template = templates.find(|template| template.render(&context, &corpus.options()).is_ok()).unwrap();
    let times = (0..20).map(|_| {
        let start = Instant::now();
        let text = template.render(&context, &corpus.options()).unwrap();
        assert!(text.to_string().len() > 2000);
        start.elapsed()
    });
    let best = times.min().unwrap();
    println!("{best:?}");
    // The aim is 5 ms. A loaded machine is slow.
    assert!(best.as_millis() < 20, "{best:?}");
}
