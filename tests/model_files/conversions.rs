//! The entries `tokenizer.*` and `general.*` are those that the converter of llama.cpp writes for the models of the corpus.

use std::fs;
use std::path::Path;

use gguf_convert::model::entries::{Entries, EntryValue};
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::metadata::{MetadataInput, ParameterCount, add_metadata};
use gguf_convert::model::vocabulary::{Vocabulary, VocabularyInput};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::corpus;

/// The small files of a folder.
pub fn small_files(folder: &Path) -> SmallFiles {
    let mut files = SmallFiles::default();
    let mut folders = vec![String::new()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inner)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{inner}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(format!("{path}/"));
            } else if SmallFiles::is_wanted(&path) {
                files.insert(path, fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}

/// The kind of the vocabulary of a class.
fn vocabulary_of(class: &str) -> Vocabulary {
    match class {
        "LlamaForCausalLM" | "MistralForCausalLM" | "MixtralForCausalLM" | "GraniteForCausalLM" => Vocabulary::Llama,
        "Qwen2ForCausalLM" | "Qwen2MoeForCausalLM" | "Qwen3ForCausalLM" | "Qwen3MoeForCausalLM" => {
            Vocabulary::SentencePieceOrGpt2
        }
        "GemmaForCausalLM" => Vocabulary::Gemma,
        "Gemma2ForCausalLM" => Vocabulary::Gemma2,
        "Gemma3ForCausalLM" => Vocabulary::Gemma3,
        "Phi3ForCausalLM" => Vocabulary::Phi3,
        "StableLmForCausalLM" => Vocabulary::Gpt2Json,
        "MambaForCausalLM" => Vocabulary::Mamba,
        "BertModel" | "BertForMaskedLM" | "NomicBertModel" => Vocabulary::Bert,
        "XLMRobertaModel" | "XLMRobertaForSequenceClassification" => Vocabulary::XlmRoberta,
        "GPT2LMHeadModel"
        | "GPTNeoXForCausalLM"
        | "Starcoder2ForCausalLM"
        | "FalconForCausalLM"
        | "Olmo2ForCausalLM"
        | "CohereForCausalLM"
        | "DeepseekV2ForCausalLM"
        | "DeepseekV3ForCausalLM"
        | "GptOssForCausalLM" => Vocabulary::Gpt2,
        _ => panic!("{class} has no vocabulary here"),
    }
}

/// An entry as the index of the corpus describes it.
fn described(key: &str, value: &EntryValue) -> Json {
    let array = |element: &str, values: Vec<Json>, bytes: Vec<u8>| {
        let mut array = json!({ "key": key, "type": "ARRAY", "elem": element, "len": values.len() });
        match values.len() {
            ..=32 => array["values"] = values.into(),
            _ => array["sha256"] = hex(&bytes).into(),
        }
        array
    };
    let short = |name: &str, value: Json| json!({ "key": key, "type": name, "value": value });
    let bytes_of = |numbers: &mut dyn Iterator<Item = [u8; 4]>| numbers.flatten().collect::<Vec<u8>>();
    match value {
        EntryValue::Bool(value) => short("BOOL", (*value).into()),
        EntryValue::U32(value) => short("UINT32", (*value).into()),
        EntryValue::I32(value) => short("INT32", (*value).into()),
        EntryValue::F32(value) => json!({ "key": key, "type": "FLOAT32", "bits": format!("{:08x}", value.to_bits()) }),
        EntryValue::String(text) => match text.len() {
            // The index counts characters, here all of one byte.
            ..=400 => short("STRING", String::from_utf8(text.clone()).unwrap().into()),
            len => json!({ "key": key, "type": "STRING", "len": len, "sha256": hex(text) }),
        },
        EntryValue::Strings(texts) => {
            let bytes = texts.iter().flat_map(|text| [&(text.len() as u64).to_le_bytes()[..], text].concat()).collect();
            array("STRING", texts.iter().map(|text| String::from_utf8_lossy(text).into()).collect(), bytes)
        }
        EntryValue::I32s(numbers) => {
            let bytes = bytes_of(&mut numbers.iter().map(|number| number.to_le_bytes()));
            array("INT32", numbers.iter().map(|number| (*number).into()).collect(), bytes)
        }
        EntryValue::F32s(numbers) => {
            let bytes = bytes_of(&mut numbers.iter().map(|number| number.to_le_bytes()));
            array("FLOAT32", numbers.iter().map(|number| (*number).into()).collect(), bytes)
        }
        EntryValue::U8s(bytes) => array("UINT8", bytes.iter().map(|byte| (*byte).into()).collect(), bytes.clone()),
        other => panic!("{key}: {other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The entries of an output whose keys pass a test, in order. Bits alone describe a float.
fn expected(output: &Json, is_wanted: impl Fn(&str) -> bool) -> Vec<Json> {
    let mut entries: Vec<Json> = output["kv"].as_array().unwrap().clone();
    entries.retain(|entry| is_wanted(entry["key"].as_str().unwrap()));
    for entry in &mut entries {
        if entry["type"] == "FLOAT32" {
            entry.as_object_mut().unwrap().remove("value");
        }
    }
    entries
}

/// Templates have no order in the reference: they are the elements of a set.
fn sort_templates(entries: &mut [Json]) {
    for entry in entries.iter_mut().filter(|entry| entry["key"] == "tokenizer.chat_templates") {
        entry["values"].as_array_mut().unwrap().sort_by_key(Json::to_string);
    }
}

/// The configuration with the defaults that the reference took.
pub fn config_with_defaults(model: &Json, files: &SmallFiles) -> Json {
    let mut config: Json = serde_json::from_slice(files.get("config.json").unwrap()).unwrap();
    for (name, value) in model["config"]["defaulted"].as_object().unwrap() {
        if config.get(name).is_none() {
            config[name] = value.clone();
        }
    }
    config
}

#[test]
fn vocabularies_and_metadata_are_those_of_the_reference() {
    let Some((folder, index)) = crate::convert_models::folder::index() else { return };
    let (mut runs, mut differences) = (0, Vec::new());
    for model in index["models"].as_array().unwrap() {
        let name = model["folder"].as_str().unwrap();
        let files = small_files(&folder.join(name));
        let config = config_with_defaults(model, &files);
        let vocabulary = vocabulary_of(model["hf_class"].as_str().unwrap());
        let input = VocabularyInput { files: &files, config: &config, pre: model["pre"].as_str() };
        let mut tokenizer = Entries::default();
        let result = vocabulary.add_entries(&input, &mut tokenizer);
        for run in model["runs"].as_array().unwrap().iter().filter(|run| run["exit"] == 0) {
            runs += 1;
            let mut found: Vec<Json> = tokenizer.iter().map(|(key, value)| described(key, value)).collect();
            let mut wanted = expected(&run["output"], |key| key.starts_with("tokenizer."));
            // gguf-py has the chat templates of a list in the order of a set.
            sort_templates(&mut found);
            sort_templates(&mut wanted);
            let general = metadata_of(&folder, name, run, &files);
            let wanted_general = expected(&run["output"], |key| {
                const OTHERS: &[&str] =
                    &["general.architecture", "general.type", "general.file_type", "general.quantization_version"];
                key.starts_with("general.") && !OTHERS.contains(&key)
            });
            for (found, wanted) in [(&found, &wanted), (&general, &wanted_general)] {
                let place = found.iter().zip(wanted.iter()).position(|(found, wanted)| found != wanted);
                let place = place.or((found.len() != wanted.len()).then_some(found.len().min(wanted.len())));
                if let Some(place) = place {
                    let (found, wanted) = (found.get(place), wanted.get(place));
                    differences.push(format!("{name} {}: {found:?} != {wanted:?} {result:?}", run["id"]));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} of {runs} runs:\n{}", differences.len(), differences.join("\n"));
    assert_eq!(runs, 97);
}

/// The entries `general.*` of a run.
fn metadata_of(folder: &Path, name: &str, run: &Json, files: &SmallFiles) -> Vec<Json> {
    let args: Vec<&str> = run["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    let after = |option: &str| args.iter().position(|arg| *arg == option).map(|place| args[place + 1]);
    let overrides = after("--metadata").map(|file| corpus::json(&folder.join(file)));
    let tensors: Vec<(&str, Vec<u64>)> = run["output"]["tensors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tensor| {
            let dimensions = tensor["dims"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).collect();
            (tensor["name"].as_str().unwrap(), dimensions)
        })
        .collect();
    let input = MetadataInput {
        files,
        folder: Path::new(name).file_name().unwrap().to_str().unwrap(),
        model_name: after("--model-name"),
        overrides: overrides.as_ref(),
        parameters: ParameterCount::of(tensors.iter().map(|(name, dimensions)| (*name, dimensions.as_slice()))),
    };
    let mut entries = Entries::default();
    add_metadata(&input, &mut entries).unwrap();
    entries.iter().map(|(key, value)| described(key, value)).collect()
}
