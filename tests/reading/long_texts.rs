//! No message repeats all of a text of a file, whichever reader finds it.

use std::sync::Arc;

use gguf_convert::lora::{ADAPTER_CONFIG, BaseModel, plan_adapter};
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan, OutputType};
use gguf_convert::requantize::{Options, Recipe, Target};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsHeader, SafetensorsModel};
use gguf_format::edit::Edit;
use gguf_format::write::encode::OwnedValue;
use gguf_format::{Error, ErrorCode, Format, Header, Limits, ValueType};
use gguf_legacy::{Decoder, Options as LegacyOptions, open_draft};
use gguf_models::file_name::{parse_file_name, suggested_file_name};
use gguf_models::memory::{self, MemoryOptions};
use gguf_models::validate::{described_findings, described_loads, validate_named};

use crate::draft_file::{DraftFile, string};
use crate::gguf_bytes::GgufBytes;
use crate::legacy::support::MemorySource;
use gguf_format::io::block_on;

/// The most bytes of a message.
const LONGEST: usize = 2000;

/// A text of half a megabyte, with characters that are invisible.
fn long() -> String {
    "\u{202e}x/..\u{feff}".repeat(1 << 16)
}

#[track_caller]
fn assert_bounded(message: &str) {
    assert!(message.len() <= LONGEST, "{} bytes: {}…", message.len(), message.chars().take(200).collect::<String>());
}

#[track_caller]
fn assert_refused<T>(result: Result<T, Error>) {
    assert_bounded(&result.err().expect("it is refused").to_string());
}

/// Headers in which each text is long: the architecture, a key, a value, the name of a tensor.
fn headers() -> Vec<Arc<Header>> {
    let long = long();
    let number = OwnedValue::from(7_u32);
    let strings = OwnedValue::array(ValueType::String, [long.clone(), long.clone()]);
    let entries: Vec<Vec<(&str, OwnedValue)>> = vec![
        vec![("general.architecture", long.as_str().into())],
        vec![("general.architecture", "llama".into()), (&long, number.clone()), (&long, number.clone())],
        vec![("general.name", long.as_str().into()), ("general.type", long.as_str().into())],
        vec![
            ("general.architecture", "llama".into()),
            ("llama.block_count", long.as_str().into()),
            ("llama.rope.scaling.type", long.as_str().into()),
            ("tokenizer.ggml.model", long.as_str().into()),
            ("tokenizer.ggml.pre", long.as_str().into()),
            ("tokenizer.ggml.tokens", strings),
            ("tokenizer.chat_template", long.as_str().into()),
            ("general.file_type", number),
        ],
    ];
    let header = |entries: &Vec<(&str, OwnedValue)>| {
        let mut file = GgufBytes::new(Format::default());
        file.header(3, entries.len() as u64);
        for (key, value) in entries {
            file.entry(key.as_bytes(), value);
        }
        file.tensor(long.as_bytes(), &[3, 5], 12, 0);
        file.tensor(long.as_bytes(), &[32, 2], 99, 64);
        file.tensor(format!("blk.1.{long}").as_bytes(), &[u64::MAX, 2], 1, 1);
        Arc::new(gguf_format::parse(file.as_bytes()).unwrap())
    };
    entries.iter().map(header).collect()
}

#[test]
fn findings_and_answers_about_a_header() {
    for header in headers() {
        for finding in validate_named(&header, Some(100), &format!("{}.gguf", long())) {
            assert_bounded(&finding.message);
            finding.fix.iter().for_each(|fix| assert_bounded(&fix.title));
        }
        for finding in described_findings(&header, Some(100), None) {
            assert_bounded(&finding.message);
        }
        assert_bounded(&described_loads(&header, None).sentence);
        let estimate = memory::estimate(&header, &MemoryOptions::default()).unwrap();
        estimate.notes.iter().for_each(|note| assert_bounded(note));
        let name = suggested_file_name(&header);
        assert!(name.len() <= 255 && !name.contains(['/', '\u{202e}', '\u{feff}']), "{name}");
        let mut edit = Edit::new(header.clone());
        assert_refused(edit.remove(long().as_str().trim_start_matches('\u{202e}')));
        assert_refused(edit.rename("general.architecture", long().as_bytes()));
        match Recipe::new(std::slice::from_ref(&header), Options::new(Target::parse("Q4_0").unwrap())) {
            Ok(recipe) => {
                recipe.findings().iter().for_each(|finding| assert_bounded(&finding.message));
                recipe.check().err().iter().for_each(|error| assert_bounded(&error.to_string()));
            }
            Err(error) => assert_bounded(&error.to_string()),
        }
    }
    for problem in parse_file_name(&long()).problems {
        assert_bounded(&problem.message);
    }
}

#[test]
fn errors_of_safetensors_and_indexes() {
    let long = "y".repeat(1 << 20);
    let ones = "1,".repeat(1 << 19);
    let entries = [
        format!(r#""{long}":{{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#),
        format!(r#""a":{{"dtype":"{long}","shape":[3],"data_offsets":[0,8]}}"#),
        format!(r#""a":{{"dtype":"F32","shape":[{ones}3],"data_offsets":[0,8]}}"#),
        format!(r#""a":{{"dtype":"F32","shape":["{long}"],"data_offsets":[0,8]}}"#),
        format!(r#""a":"{long}""#),
        format!(r#""{long}":1,"{long}":2"#),
    ];
    for entry in entries {
        let header = format!("{{{entry}}}");
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.resize(file.len() + 16, 0);
        assert_refused(SafetensorsHeader::decode(&file, Some(file.len() as u64)));
    }
    for index in
        [format!(r#"{{"weight_map":"{long}"}}"#), format!(r#"{{"weight_map":{{"a":["{long}"]}}}}"#), long.clone()]
    {
        assert_refused(gguf_convert::safetensors::wanted_parts(None, Some(index.as_bytes())));
    }
    let index = format!(r#"{{"weight_map":{{"{long}":"../{long}.safetensors"}}}}"#);
    assert_refused(gguf_convert::safetensors::wanted_parts(None, Some(index.as_bytes())));
    assert_refused(SafetensorsModel::<MemorySource>::new(vec![], Some(index.as_bytes())));
}

/// The files of a model without tensors.
fn model(files: &[(&str, String)]) -> HubModel<MemorySource> {
    let mut small = SmallFiles::default();
    for (name, text) in files {
        small.insert(*name, text.clone().into_bytes());
    }
    let bytes = [&2_u64.to_le_bytes()[..], b"{}"].concat();
    let part = block_on(SafetensorsFile::open("model.safetensors", MemorySource::from(bytes))).unwrap();
    HubModel { folder: long(), files: small, tensors: SafetensorsModel::new(vec![part], None).unwrap() }
}

#[test]
fn errors_of_the_small_files_of_a_model() {
    let long = "z".repeat(1 << 20);
    let configs = [
        long.clone(),
        format!(r#"{{"architectures":["{long}"]}}"#),
        format!(r#"{{"architectures":"{long}"}}"#),
        format!(r#"{{"architectures":["LlamaForCausalLM"],"model_type":"{long}"}}"#),
        format!(r#"{{"architectures":["LlamaForCausalLM"],"num_hidden_layers":"{long}"}}"#),
        format!(r#"{{"architectures":["LlamaForCausalLM"],"quantization_config":{{"quant_method":"{long}"}}}}"#),
        format!(r#"{{"architectures":["LlamaForCausalLM"],"rope_scaling":{{"rope_type":"{long}"}}}}"#),
    ];
    for config in configs {
        let model = model(&[("config.json", config.clone())]);
        assert_refused(block_on(ModelPlan::new(&model, &ModelOptions::default())));
    }
    let config = r#"{"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2"}"#;
    for (name, text) in [
        ("tokenizer.json", format!(r#"{{"model":{{"type":"{long}"}}}}"#)),
        ("tokenizer.json", format!(r#"{{"model":"{long}"}}"#)),
        ("tokenizer_config.json", long.clone()),
        ("generation_config.json", long.clone()),
    ] {
        let model = model(&[("config.json", config.into()), (name, text)]);
        assert_refused(block_on(ModelPlan::new(&model, &ModelOptions::default())));
    }
    let mut base = SmallFiles::default();
    base.insert("config.json", config.as_bytes().to_vec());
    for adapter in [
        long.clone(),
        format!(r#"{{"lora_alpha":"{long}","r":1}}"#),
        format!(r#"{{"lora_alpha":1,"r":1,"peft_type":"{long}"}}"#),
        format!(r#"{{"lora_alpha":1,"r":1,"alora_invocation_tokens":[{}"a"]}}"#, "1,".repeat(1 << 19)),
    ] {
        let adapter = model(&[(ADAPTER_CONFIG, adapter)]);
        let base = BaseModel { folder: long.clone(), files: base.clone() };
        assert_refused(plan_adapter(&adapter, &base, OutputType::F32));
    }
}

#[test]
fn errors_of_other_readers() {
    let long = long();
    let draft = DraftFile::default().entry("general.architecture", 8, &string("llama")).entry(&long, 77, &[0; 4]);
    assert_refused(block_on(open_draft(MemorySource::from(draft.bytes()), &Limits::default())));
    let mut decoder = Decoder::new(LegacyOptions::default());
    let mut legacy = b"tjgg".to_vec();
    legacy.extend([3_u32, 8, 8, 8, 1, 1, 8, 1].into_iter().flat_map(u32::to_le_bytes));
    legacy.extend(long.as_bytes());
    assert_refused(decoder.push(&legacy).and_then(|()| decoder.finish()));
    // Texts of headers of HTTP, and URLs.
    let error = Error::new(ErrorCode::Http, long.as_str()).of_url(&format!("https://host/{long}"), Some(404));
    assert_bounded(&error.to_string());
    let error = Error::new(ErrorCode::Http, "404").of_url("https://host/file?apikey=secret#token=secret", Some(404));
    assert_eq!(error.to_string(), "404 (https://host/file?…)");
    assert_eq!(error.url(), Some("https://host/file?apikey=secret#token=secret"));
}
