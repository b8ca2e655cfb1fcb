//! A model that lacks a key of its architecture is not converted, as `llama-quantize` does not.

use std::sync::Arc;

use gguf_convert::requantize::{Options, Recipe, Target};
use gguf_format::write::encode::OwnedValue;
use gguf_format::{ErrorCode, Format, Header, ValueType};
use gguf_models::architectures::ARCHITECTURES;
use gguf_models::validate::Severity;

use crate::gguf_bytes::GgufBytes;

/// Keys that the loader reads if they are there. Without them, llama.cpp and `validate` refuse the shapes of tensors; `llama-quantize`,
/// which does not compare shapes, converts the model.
const OF_SHAPES: &[&str] = &[
    ".attention.head_count",
    ".attention.gate_lora_rank",
    ".feed_forward_length",
    ".expert_count",
    ".expert_used_count",
    ".expert_feed_forward_length",
    ".expert_shared_feed_forward_length",
];

fn header(entries: &[(&str, OwnedValue)]) -> Arc<Header> {
    let mut file = GgufBytes::new(Format::default());
    file.header(1, entries.len() as u64);
    for (key, value) in entries {
        file.entry(key.as_bytes(), value);
    }
    file.tensor(b"output.weight", &[32, 1], 1, 0);
    Arc::new(gguf_format::parse(file.as_bytes()).unwrap())
}

fn recipe(header: Arc<Header>, overrides: Vec<(String, OwnedValue)>) -> Recipe {
    let mut options = Options::new(Target::parse("Q8_0").unwrap());
    options.overrides = overrides;
    Recipe::new(&[header], options).unwrap()
}

#[test]
fn a_conversion_names_the_missing_key() {
    let mut keys_seen = 0;
    for info in ARCHITECTURES {
        let Some(keys) = info.llama_cpp_keys() else { continue };
        let with = |is_there: &dyn Fn(&str) -> bool, kind: &'static str| {
            let mut entries = vec![("general.architecture", info.name.into()), ("general.type", kind.into())];
            entries.extend(keys.iter().filter(|key| is_there(key)).map(|key| (key.as_str(), 1_u32.into())));
            header(&entries)
        };
        recipe(with(&|_| true, "model"), vec![]).check().unwrap();
        for missing in &keys {
            let without = with(&|key| key != missing, "model");
            let incomplete = recipe(without.clone(), vec![]);
            if OF_SHAPES.iter().any(|key| missing.ends_with(key)) && incomplete.check().is_ok() {
                continue;
            }
            let error = incomplete.check().expect_err(missing);
            assert_eq!(error.code(), ErrorCode::IncompleteModel, "{}", info.name);
            assert!(error.to_string().contains(&format!("no entry {missing},")), "{error}");
            let finding = &incomplete.findings()[0];
            assert_eq!((finding.severity, finding.check), (Severity::Error, Some("missing-key")), "{finding:?}");
            // An option can give the value.
            recipe(without, vec![(missing.clone(), 1_u32.into())]).check().unwrap();
            keys_seen += 1;
        }
        // Adapters have no keys of a model.
        recipe(with(&|_| false, "adapter"), vec![]).check().unwrap();
    }
    assert!(keys_seen > 500, "{keys_seen}");
}

#[test]
fn a_conversion_says_that_tokens_have_the_same_text() {
    let of_tokens = |tokens: &[&str], model: &'static str| {
        let tokens = OwnedValue::array(ValueType::String, tokens.iter().map(|token| (*token).to_owned()));
        let model = [("tokenizer.ggml.model", model.into()), ("tokenizer.ggml.tokens", tokens)];
        let keys = ["context_length", "embedding_length", "block_count", "attention.layer_norm_rms_epsilon"];
        let keys = keys.map(|key| format!("llama.{key}"));
        let mut entries = vec![("general.architecture", "llama".into())];
        entries.extend(keys.iter().map(|key| (key.as_str(), 1_u32.into())));
        entries.extend(model);
        recipe(header(&entries), vec![])
    };
    let twice = of_tokens(&["a", "b", "a"], "llama");
    let [finding] = &twice.findings()[..] else { panic!("{:?}", twice.findings()) };
    assert_eq!((finding.severity, finding.check), (Severity::Warning, Some("duplicate-token")));
    assert!(finding.message.starts_with("1 of 3 tokens have the text of an earlier token"), "{}", finding.message);
    twice.check().unwrap();
    assert_eq!(of_tokens(&["a", "b", "c"], "llama").findings(), []);
    assert_eq!(of_tokens(&["a", "b", "a"], "no_vocab").findings(), []);
}
