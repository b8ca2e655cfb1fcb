//! File names against the regular expression of the specification, and built names against those of the PyPI package gguf.

use std::io::Write;
use std::process::{Command, Stdio};

use gguf_format::{GgmlType, Header, TensorInfo, Value, parse};
use gguf_models::file_name::{parse_file_name, size_label, suggested_file_name};
use serde_json::{Value as Json, json};

use crate::corpus;
use crate::know::file_name::WORDS;
use crate::know::gguf_py;

/// The lines that `tests/python/file_names.py` prints for some lines of input. `None` if Python is not there.
fn answers(rule: &str, lines: &[String]) -> Option<Vec<Json>> {
    let python = gguf_py::interpreter()?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/file_names.py");
    let mut command = Command::new(python);
    command.args([script, rule]).stdin(Stdio::piped()).stdout(Stdio::piped()).env("PYTHONUTF8", "1");
    let mut process = command.spawn().unwrap();
    let input = lines.join("\n");
    let mut stdin = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), lines.len());
    Some(answers)
}

/// Names of known words with dashes between them. The sequence is the same in each run.
fn generated_names() -> Vec<String> {
    let mut state = 12345_u64;
    let mut chance = |count: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % count
    };
    // Words by their place in the convention, so that many names conform to it.
    let places: [&[&str]; 9] = [
        &["", "", "mmproj", "mtp"],
        &["Llama", "Llama-3", "4bit", "mtp", "a b-c"],
        &["7B", "8x7B", "1.5B", "7x", "8x7.5x", "1.", "x7B"],
        &["", "", "A3B", "Ctx4k", "A1.5B-chat"],
        &["", "chat", "v1", "chat-v1", "8B", "3.1", "a--b"],
        &["v1.0", "v1", "v10.2.3", "v1.", "V1", ""],
        &["", "", "Q4_0", "F16", "v2", "LoRAx", "chat", "00001"],
        &["", "", "LoRA", "vocab"],
        &["", "", "00001-of-00003", "00003-of-00003", "1-of-3", "00000-of-00001"],
    ];
    let mut names = Vec::new();
    for index in 0..6000 {
        let words: Vec<&str> = if index % 3 > 0 {
            places.iter().map(|words| words[chance(words.len())]).filter(|word| !word.is_empty()).collect()
        } else {
            // The expression takes exponential time in the number of words.
            (0..2 + chance(7)).map(|_| WORDS[chance(WORDS.len())]).collect()
        };
        let separator = if chance(20) == 0 { "--" } else { "-" };
        names.push(words.join(separator) + if chance(20) == 0 { "" } else { ".gguf" });
    }
    names
}

#[test]
fn names_conform_to_the_convention_if_its_regular_expression_matches() {
    let names = generated_names();
    let Some(answers) = answers("convention", &names) else { return };
    let mut conventional = 0;
    for (file, groups) in names.iter().zip(answers) {
        let name = parse_file_name(file);
        let group = |name: &str| groups[name].as_str().filter(|text| !text.is_empty());
        // The text of the specification requires a base name and a size label, and numbers shards from 1.
        let shard = group("Shard").map(|text| (text[..5].parse::<u32>().unwrap(), text[9..].parse::<u32>().unwrap()));
        let is_possible = shard.is_none_or(|(number, count)| 1 <= number && number <= count);
        let is_conventional = group("BaseName").is_some() && group("SizeLabel").is_some() && is_possible;
        assert_eq!(name.is_conventional(), is_conventional, "{file}: {name:?} {groups}");
        if group("SizeLabel").is_some() {
            let parts = [name.sidecar, name.base_name, name.size_label, name.fine_tune, name.version, name.encoding];
            let expected = ["Sidecar", "BaseName", "SizeLabel", "FineTune", "Version", "Encoding"].map(group);
            assert_eq!(parts, expected, "{file}");
            assert_eq!(name.r#type, group("Type"), "{file}");
            assert_eq!(name.shard.map(|shard| (shard.number, shard.count)), shard, "{file}");
        }
        conventional += usize::from(is_conventional);
    }
    assert!(conventional > 500 && conventional < names.len() / 2, "{conventional} of {} conform", names.len());
}

/// What the converter knows of a file.
fn description(header: &Header) -> Json {
    let has_vocabulary = header.get("tokenizer.ggml.tokens").is_some();
    let mut file = json!({ "tensors": [], "hasVocabulary": has_vocabulary });
    let keys = ["type", "architecture", "basename", "name", "size_label", "finetune", "version", "file_type"];
    for key in
        keys.map(|key| format!("general.{key}")).into_iter().chain(["split.no", "split.count"].map(str::to_owned))
    {
        let value = header.get(&key).map(|entry| entry.value());
        file[key] = match value {
            Some(Value::String(text)) => text.to_string().into(),
            Some(value) => value.as_u64().unwrap().into(),
            None => continue,
        };
    }
    // Embeddings and the output count only if the file has no other tensors.
    let is_output = |tensor: &TensorInfo<'_>| {
        ["token_embd.weight", "per_layer_token_embd.weight", "output.weight"].iter().any(|name| tensor.name() == *name)
    };
    let is_other = |tensor: TensorInfo<'_>| !is_output(&tensor) && tensor.element_count() != Some(0);
    let has_others = header.tensors().any(is_other);
    let mut elements = std::collections::BTreeMap::<u32, u64>::new();
    for tensor in header.tensors() {
        let dimensions: Vec<u64> = tensor.dimensions().collect();
        if !has_others || !is_output(&tensor) {
            *elements.entry(tensor.ggml_type().0).or_default() += dimensions.iter().product::<u64>();
        }
        file["tensors"].as_array_mut().unwrap().push(json!([tensor.name().to_string(), dimensions]));
    }
    let most = elements.iter().rev().max_by_key(|(_, count)| **count).filter(|(_, count)| **count > 0);
    let has_all_tensors = file["split.count"].as_u64().is_none_or(|count| count < 2);
    let name = most.and_then(|(id, _)| Some(GgmlType(*id).info()?.name)).filter(|_| has_all_tensors);
    file["tensorType"] = name.into();
    file
}

/// The model files of the corpus: those with an architecture, and shards.
fn models() -> Option<Vec<(String, Header)>> {
    let folder = corpus::folder()?;
    let mut files = corpus::every_file(&folder);
    files.retain(|(name, _)| !name.starts_with("malformed/"));
    for entry in
        std::fs::read_dir(folder.join("memory")).unwrap().chain(std::fs::read_dir(folder.join("split")).unwrap())
    {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "gguf") {
            files.push((path.display().to_string(), corpus::read(&path)));
        }
    }
    let headers = files.into_iter().filter_map(|(name, bytes)| Some((name, parse(&bytes).ok()?)));
    let is_model =
        |header: &Header| header.get("general.architecture").is_some() || header.get("split.count").is_some();
    Some(headers.filter(|(_, header)| is_model(header)).collect())
}

#[test]
fn the_built_name_of_each_model_of_the_corpus_is_that_of_gguf_py() {
    let Some(models) = models() else { return };
    assert!(models.len() > 50, "only {} models", models.len());
    let lines: Vec<String> = models.iter().map(|(_, header)| description(header).to_string()).collect();
    let Some(answers) = answers("built", &lines) else { return };
    let mut with_size = 0;
    for ((file, header), expected) in models.iter().zip(answers) {
        assert_eq!(suggested_file_name(header), expected.as_str().unwrap(), "{file}");
        with_size += usize::from(size_label(header).is_some());
    }
    assert!(with_size > 40, "only {with_size} models have parameters");
}
