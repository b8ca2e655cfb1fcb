//! Every rendering of the corpus, compared with llama.cpp's.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use gguf_template::{Context, Json, Options, ServerTemplate, Template};

/// The corpus of templates.
pub struct Corpus {
    folder: PathBuf,
    expected: Json,
    contexts: BTreeMap<String, String>,
}

impl Corpus {
    /// Opens `corpus/templates` in `GGUF_CORPUS`, or in `shared` beside the repository. `None` if there is no such folder; with
    /// `CI=true` that is an error.
    pub fn open() -> Option<Corpus> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
        let folder = std::env::var_os("GGUF_CORPUS").map_or(beside, PathBuf::from).join("templates");
        if folder.join("expected.json").is_file() {
            let expected = json(&folder.join("expected.json"));
            let Json::Object(contexts) = json(&folder.join("contexts.json")) else { panic!("no contexts") };
            let contexts = contexts.into_iter().map(|(name, text)| (name, text.as_text().unwrap().to_string()));
            return Some(Corpus { folder, expected, contexts: contexts.collect() });
        }
        let message = format!("there are no templates at {}: set GGUF_CORPUS", folder.display());
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{message}");
        // The test harness hides the output of `eprintln!` if the test passes.
        let _ = writeln!(std::io::stderr(), "SKIPPED: {message}");
        None
    }

    /// The names of all templates.
    pub fn names(&self) -> Vec<String> {
        members(self.expected.get("expected").unwrap()).iter().map(|(name, _)| name.clone()).collect()
    }

    /// The source of a template.
    pub fn template(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(format!("templates/{name}.jinja"))).unwrap()
    }

    /// The JSON text of a context.
    pub fn context(&self, name: &str) -> &str {
        &self.contexts[name]
    }

    pub fn options(&self) -> Options {
        let Some(Json::Int(now)) = self.expected.get("now") else { panic!("no time") };
        Options { now: *now, ..Options::default() }
    }

    /// All renderings of one oracle: template, context, and the text, or `None` for an error.
    pub fn renderings(&self, oracle: &str) -> Vec<(String, String, Option<String>)> {
        let texts = self.expected.get("texts").unwrap();
        let mut renderings = Vec::new();
        for (template, contexts) in members(self.expected.get("expected").unwrap()) {
            for (context, results) in members(contexts) {
                let Some(result) = results.get(oracle) else { continue };
                let text = match (result.get("text"), result.get("text_of"), result.get("error")) {
                    (Some(text), ..) => text.as_text().map(str::to_string),
                    (_, Some(key), _) => texts.get(key.as_text().unwrap()).unwrap().as_text().map(str::to_string),
                    (_, _, Some(_)) => None,
                    _ => continue,
                };
                renderings.push((template.clone(), context.clone(), text));
            }
        }
        renderings
    }
}

fn json(path: &Path) -> Json {
    Json::parse(&fs::read_to_string(path).unwrap()).unwrap()
}

pub fn members(json: &Json) -> &[(String, Json)] {
    match json {
        Json::Object(members) => members,
        _ => panic!("not an object"),
    }
}

/// Counts the renderings that are not equal, and shows the first ones.
pub fn assert_all_equal(differences: Vec<String>, count: usize) {
    let shown: Vec<_> = differences
        .iter()
        .take(std::env::var("SHOWN").map_or(20, |n| n.parse().unwrap()))
        .map(String::as_str)
        .collect();
    assert!(differences.is_empty(), "{} of {count} renderings differ:\n{}", differences.len(), shown.join("\n"));
}

#[test]
fn the_engine_writes_what_llama_cpp_writes() {
    let Some(corpus) = Corpus::open() else { return };
    let renderings = corpus.renderings("llama_cpp");
    assert!(renderings.len() > 1000, "the corpus is not whole: {} renderings", renderings.len());
    let mut differences = Vec::new();
    for (template, context, expected) in &renderings {
        let values = Context::parse(corpus.context(context)).unwrap();
        let rendered = Template::parse(&corpus.template(template))
            .and_then(|template| template.render(&values, &corpus.options()))
            .map(|text| text.to_string());
        match (&rendered, expected) {
            (Ok(text), Some(expected)) if text == expected => {}
            (Err(_), None) => {}
            _ => differences.push(format!("{template} {context}\n  rendered {rendered:?}\n  expected {expected:?}")),
        }
    }
    assert_all_equal(differences, renderings.len());
}

#[test]
fn the_server_writes_what_llama_server_writes() {
    let Some(corpus) = Corpus::open() else { return };
    let renderings = corpus.renderings("llama_server");
    assert!(renderings.len() > 500, "the corpus is not whole: {} renderings", renderings.len());
    let mut differences = Vec::new();
    // Finding out what a template can do takes some renderings.
    let mut templates = BTreeMap::new();
    for (template, context, expected) in &renderings {
        let parsed =
            templates.entry(template).or_insert_with(|| ServerTemplate::parse(&corpus.template(template)).unwrap());
        let mut conversation = Context::parse(corpus.context(context)).unwrap();
        if conversation.get("add_generation_prompt").is_none() {
            conversation.set("add_generation_prompt", false);
        }
        let rendered = parsed.render(&conversation, &corpus.options()).map(|prompt| prompt.text.to_string());
        match (&rendered, expected) {
            (Ok(text), Some(expected)) if text == expected => {}
            (Err(_), None) => {}
            _ => differences.push(format!("{template} {context}\n  rendered {rendered:?}\n  expected {expected:?}")),
        }
    }
    assert_all_equal(differences, renderings.len());
}
