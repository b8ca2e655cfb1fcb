//! The rules of the engine, one small template for each: what llama.cpp (August 2026) writes, and where it fails.
//!
//! `rules.json` has results of llama.cpp's own engine with an empty context: for each group `texts`, pairs of a template and its text, and
//! `errors`, templates that fail. `contexts` are JSON texts of contexts, with what a template writes that shows `x` in three ways, or `null` for an error.

use gguf_template::{Context, Json, Options, Template};

use crate::corpus::members;

/// The time at which the results were made.
const NOW: i64 = 1_795_917_784;

fn rendered(template: &str) -> Result<String, String> {
    let options = Options { now: NOW, ..Options::default() };
    let text = Template::parse(template).and_then(|template| template.render(&Context::new(), &options));
    text.map(|text| text.to_string()).map_err(|error| error.to_string())
}

#[test]
fn every_rule_is_that_of_llama_cpp() {
    let rules = Json::parse(include_str!("rules.json")).unwrap();
    let mut differences = Vec::new();
    let mut count = 0;
    for (group, rules) in members(&rules).iter().filter(|(group, _)| group != "contexts") {
        for pair in rules.get("texts").and_then(Json::as_list).unwrap() {
            let Some([template, expected]) = pair.as_list() else { panic!("{pair:?}") };
            let text = rendered(template.as_text().unwrap());
            count += 1;
            if text.as_deref() != Ok(expected.as_text().unwrap()) {
                differences.push(format!("{group}: {template:?}\n  rendered {text:?}\n  expected {expected:?}"));
            }
        }
        for template in rules.get("errors").and_then(Json::as_list).unwrap() {
            count += 1;
            if let Ok(text) = rendered(template.as_text().unwrap()) {
                differences.push(format!("{group}: {template:?}\n  rendered {text:?}\n  expected an error"));
            }
        }
    }
    assert!(count > 2000, "{count} rules");
    assert!(differences.is_empty(), "{} of {count} rules differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn contexts_are_read_as_by_llama_cpp() {
    let template = Template::parse("{{ x }}|{{ x|tojson }}|{{ [x]|string }}").unwrap();
    let rules = Json::parse(include_str!("rules.json")).unwrap();
    let contexts = rules.get("contexts").and_then(Json::as_list).unwrap();
    assert!(contexts.len() > 50);
    for pair in contexts {
        let Some([json, expected]) = pair.as_list() else { panic!("{pair:?}") };
        let json = json.as_text().unwrap();
        let text = Context::parse(json).and_then(|context| template.render(&context, &Options::default()));
        let text = text.map(|text| text.to_string());
        assert_eq!(text.as_deref().ok(), expected.as_text(), "{json}: {text:?}");
    }
}
