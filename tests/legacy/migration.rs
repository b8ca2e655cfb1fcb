//! Migrations give the tensors and entries that the corpus expects.

use gguf_format::io::{Buffer, Chunks, Source, block_on};
use gguf_format::{GgmlType, Header, Value};
use gguf_legacy::{Answers, LegacyModel, Migration, QuestionId, Relation};
use gguf_models::validate::{Severity, validate};
use serde_json::Value as Json;

use super::support::{MemorySource, Model, models, open, sha256, text_bytes, vocabulary};

/// The answers that the corpus gives.
fn answers(model: &Model) -> Answers {
    let given = &model.dump["migration"]["given_by_user"];
    let mut answers = Answers::default();
    let texts = [
        (QuestionId::Name, given["name"].as_str().map(String::from)),
        (QuestionId::RmsEpsilon, given["layer_norm_rms_epsilon"].as_str().map(String::from)),
        (QuestionId::ContextLength, given["context_length"].as_u64().map(|length| length.to_string())),
    ];
    for (id, text) in texts {
        text.into_iter().for_each(|text| answers.set(id, &text).unwrap());
    }
    answers
}

fn bytes(migration: &Migration<MemorySource>) -> Vec<u8> {
    block_on(migration.file().read(0..migration.size())).unwrap().as_slice().to_vec()
}

/// The findings for which llama.cpp would refuse a file.
fn errors(header: &Header, size: u64) -> String {
    let findings =
        validate(header, Some(size)).into_iter().filter(|finding| finding.check.info().severity == Severity::Error);
    findings.map(|finding| format!("{}: {}\n", finding.check.info().code, finding.message)).collect()
}

/// Checks that an entry is that of a dump.
fn assert_entry(header: &Header, expected: &Json, model: &Model) {
    let key = expected["key"].as_str().unwrap();
    let entry = header.get(key).unwrap_or_else(|| panic!("{}: {key}", model.name));
    let (name, value) = (format!("{}: {key}", model.name), &expected["value"]);
    match entry.value() {
        Value::String(text) => assert_eq!(text.to_bytes(), text_bytes(value), "{name}"),
        Value::Uint32(number) => assert_eq!(Some(u64::from(number)), value.as_u64(), "{name}"),
        Value::Float32(number) => assert_eq!(format!("{:08x}", number.to_bits()), value["hex"], "{name}"),
        Value::Array(array) => {
            let content = vocabulary(&model.dump);
            match key {
                "tokenizer.ggml.tokens" => {
                    let tokens = array.iter().map(|token| token.as_str().unwrap().to_bytes().into_owned());
                    let expected = content["gguf_tokens"].as_array().unwrap().iter().map(text_bytes);
                    assert!(tokens.eq(expected), "{name}");
                }
                "tokenizer.ggml.scores" => {
                    let bits = array.iter().map(|score| match score {
                        Value::Float32(score) => format!("{:08x}", score.to_bits()),
                        other => panic!("{name}: {other:?}"),
                    });
                    let zeros = "0".repeat(8 * array.len() as usize);
                    assert_eq!(bits.collect::<String>(), content["scores_hex"].as_str().unwrap_or(&zeros), "{name}");
                }
                "tokenizer.ggml.token_type" => {
                    let types = array.iter().map(|token_type| token_type.as_i64());
                    let expected = content["gguf_token_types"].as_array().unwrap().iter().map(Json::as_i64);
                    assert!(types.eq(expected), "{name}");
                }
                _ => panic!("{name}"),
            }
        }
        other => panic!("{name}: {other:?}"),
    }
}

fn migratable() -> impl Iterator<Item = Model> {
    models().into_iter().filter(|model| model.dump["migration"]["possible"] == true)
}

#[test]
fn every_migration_is_the_expected_one() {
    for model in migratable() {
        let (name, expected) = (&model.name, &model.dump["migration"]);
        let opened = open(&model.parts);
        assert!(opened.obstacles().is_empty(), "{name}: {:?}", opened.obstacles());
        let migration = opened.migrate(&answers(&model)).unwrap();
        let file = bytes(&migration);
        let header = gguf_format::parse(&file).unwrap();
        let entries = expected["kv"].as_array().unwrap();
        entries.iter().for_each(|entry| assert_entry(&header, entry, &model));
        let keys: Vec<String> = header.metadata().map(|entry| entry.key().to_string()).collect();
        let added: Vec<&String> =
            keys.iter().filter(|key| !entries.iter().any(|entry| entry["key"] == ***key)).collect();
        let is_quantized = migration.tensors().iter().any(|tensor| tensor.ggml_type.info().unwrap().block_size > 1);
        assert_eq!(added, if is_quantized { vec!["general.quantization_version"] } else { vec![] }, "{name}");

        let tensors = expected["tensors"].as_array().unwrap().iter().filter(|tensor| !tensor["name"].is_null());
        let tensors: Vec<&Json> = tensors.collect();
        assert_eq!(migration.tensors().len(), tensors.len(), "{name}");
        let report = block_on(migration.exactness(None)).unwrap();
        for (index, (found, expected)) in migration.tensors().iter().zip(tensors).enumerate() {
            let name = format!("{name} {}", found.name);
            assert_eq!(found.name, expected["name"], "{name}");
            assert_eq!(
                found.dimensions,
                expected["dims"].as_array().unwrap().iter().map(|d| d.as_u64().unwrap()).collect::<Vec<_>>(),
                "{name}"
            );
            assert_eq!(found.ggml_type.to_string(), expected["type"], "{name}");
            assert_eq!(found.relation.name(), expected["relation"], "{name}");
            let tensor = header.tensor(&found.name).unwrap();
            let start = tensor.file_offset().unwrap() as usize;
            let data = &file[start..start + tensor.byte_length().unwrap() as usize];
            assert_eq!(sha256(data), expected["sha256"], "{name}");
            // What the plan says about the values.
            let exactness = report.tensors.iter().find(|tensor| tensor.index == index);
            let exactness = exactness.map(|tensor| tensor.exactness).unwrap_or_default();
            let is_equal = exactness.changed == 0;
            assert!(expected["values_equal"].is_null() || expected["values_equal"] == is_equal, "{name}");
            assert_eq!(exactness.lost_to_overflow, expected["values_lost_to_overflow"].as_u64().unwrap_or(0), "{name}");
            let error = format!("{:08x}", (exactness.max_error as f32).to_bits());
            assert!(expected["max_abs_error"]["hex"].as_str().unwrap_or("00000000") == error, "{name}: {error}");
        }
        // Runs in llama.cpp.
        assert_eq!(errors(&header, file.len() as u64), "", "{name}");
    }
}

#[test]
fn answers_say_what_they_are_and_what_is_possible() {
    let mut answers = Answers::default();
    for (id, text, expected) in [
        (QuestionId::ContextLength, "0", "an integer from 1 to 4294967295"),
        (QuestionId::RmsEpsilon, "1e-60", "a number from 1e-45 to 3.4e38"),
        (QuestionId::RopeBase, "1e39", "a number from 1e-45 to 3.4e38"),
        (QuestionId::RopeScale, "-1", "a number from 1e-45 to 3.4e38"),
        (QuestionId::RopeScale, "NaN", "a number from 1e-45 to 3.4e38"),
    ] {
        let error = answers.set(id, text).unwrap_err();
        assert_eq!(error.code(), "invalid-argument");
        let message = format!("the answer to {} is \"{text}\", expected {expected}", id.name());
        assert!(error.to_string().contains(&message), "{error}");
    }
    assert_eq!(answers, Answers::default());
    for text in ["1e-45", "3.4e38"] {
        answers.set(QuestionId::RmsEpsilon, text).unwrap();
    }
}

#[test]
fn exact_scales_give_the_exact_values() {
    for model in migratable() {
        let opened = open(&model.parts);
        let mut answers = answers(&model);
        answers.set(QuestionId::RoundedScales, "f32").unwrap();
        answers.set(QuestionId::RemovedTypes, "F32").unwrap();
        let migration = opened.migrate(&answers).unwrap();
        assert_eq!(block_on(migration.exactness(None)).unwrap().total.changed, 0, "{}", model.name);
        let file = bytes(&migration);
        let header = gguf_format::parse(&file).unwrap();
        for expected in
            model.dump["migration"]["tensors"].as_array().unwrap().iter().filter(|row| row["exact_f32"].is_object())
        {
            let tensor = header.tensor(expected["name"].as_str().unwrap()).unwrap();
            assert_eq!(tensor.ggml_type(), GgmlType::F32, "{} {}", model.name, tensor.name());
            let start = tensor.file_offset().unwrap() as usize;
            let data = &file[start..start + tensor.byte_length().unwrap() as usize];
            assert_eq!(sha256(data), expected["exact_f32"]["sha256"], "{} {}", model.name, tensor.name());
        }
    }
}

#[test]
fn any_range_of_the_new_file_is_the_same() {
    for model in migratable() {
        let migration = open(&model.parts).migrate(&answers(&model)).unwrap();
        let whole = bytes(&migration);
        let mut state = 1_u64;
        for _ in 0..200 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let start = (state >> 33) % whole.len() as u64;
            let end = whole.len().min(start as usize + (state >> 20) as usize % 3000);
            let part = block_on(migration.file().read(start..end as u64)).unwrap();
            assert_eq!(part.as_slice(), &whole[start as usize..end], "{} {start}..{end}", model.name);
        }
        let mut chunks = migration.planned_file().unwrap().chunks(0);
        let mut streamed = Vec::new();
        while let Some(chunk) = block_on(chunks.next_chunk()).unwrap() {
            assert!(!chunk.is_empty());
            streamed.extend_from_slice(chunk.as_slice());
        }
        assert!(streamed == whole, "{}", model.name);
    }
}

#[test]
fn removed_types_become_what_the_caller_chooses() {
    for model in migratable().filter(|model| model.name.contains("q4_2") || model.name.contains("q4_3")) {
        let opened = open(&model.parts);
        let question = opened.questions().into_iter().find(|question| question.id == QuestionId::RemovedTypes).unwrap();
        for choice in question.choices {
            let mut answers = answers(&model);
            answers.set(QuestionId::RemovedTypes, choice.value).unwrap();
            let migration = opened.migrate(&answers).unwrap();
            let wanted = answers.removed_types.unwrap();
            let header = gguf_format::parse(migration.file().header_bytes()).unwrap();
            assert_eq!(header.tensor("blk.0.attn_q.weight").unwrap().ggml_type(), wanted, "{}", model.name);
            let report = block_on(migration.exactness(None)).unwrap();
            assert_eq!(report.total.changed == 0, wanted == GgmlType::F32, "{}", choice.value);
            let tensor = migration.tensors().iter().find(|tensor| tensor.name == "blk.0.attn_q.weight").unwrap();
            let expected =
                if wanted.info().unwrap().block_size == 1 { Relation::Dequantised } else { Relation::Requantised };
            assert_eq!(tensor.relation, expected);
            assert_eq!(errors(&header, migration.size()), "", "{}", model.name);
        }
    }
}

#[test]
fn a_question_has_a_default_that_is_a_valid_answer() {
    for model in models() {
        let opened = open(&model.parts).with_file_name(&model.name);
        let questions = opened.questions();
        let mut all = Answers::default();
        for question in &questions {
            assert!(!question.reason.is_empty());
            all.set(question.id, &question.default).unwrap();
            for choice in question.choices {
                Answers::default().set(question.id, choice.value).unwrap();
            }
            assert!(!question.is_closed || Answers::default().set(question.id, "something else").is_err());
        }
        // Defaults change nothing.
        let (given, none) = (opened.migrate(&all), opened.migrate(&Answers::default()));
        match (given, none) {
            (Ok(given), Ok(none)) => assert_eq!(bytes(&given), bytes(&none), "{}", model.name),
            (Err(given), Err(none)) => assert_eq!(given, none),
            _ => panic!("{}", model.name),
        }
    }
}

#[test]
fn answers_are_checked() {
    let Some(model) = migratable().find(|model| model.name == "llama-ggjt1-q4_0.bin") else { return };
    let opened = open(&model.parts);
    for (id, text) in [
        (QuestionId::ContextLength, "many"),
        (QuestionId::ContextLength, "-1"),
        (QuestionId::RmsEpsilon, ""),
        (QuestionId::RoundedScales, "bf16"),
        (QuestionId::RemovedTypes, "Q4_K"),
    ] {
        assert_eq!(Answers::default().set(id, text).unwrap_err().code(), "invalid-argument");
    }
    type Change = fn(&mut Answers);
    let wrong: [(&str, Change); 5] = [
        ("contextLength", |answers| answers.context_length = Some(0)),
        ("rmsEpsilon", |answers| answers.rms_epsilon = Some(-1.0)),
        ("rmsEpsilon", |answers| answers.rms_epsilon = Some(f32::NAN)),
        ("ropeBase", |answers| answers.rope_base = Some(f32::INFINITY)),
        ("eosToken", |answers| answers.set(QuestionId::EosToken, "4000000").unwrap()),
    ];
    for (name, change) in wrong {
        let mut answers = Answers::default();
        change(&mut answers);
        let error = opened.migrate(&answers).err().unwrap();
        assert_eq!(error.code(), "invalid-argument", "{name}");
        assert!(error.to_string().contains(name), "{error}");
    }
    let mut answers = Answers::default();
    answers.set(QuestionId::RopeBase, "1e6").unwrap();
    answers.set(QuestionId::RopeScale, "4").unwrap();
    let migration = opened.migrate(&answers).unwrap();
    let header = gguf_format::parse(migration.file().header_bytes()).unwrap();
    assert_eq!(header.get("llama.rope.freq_base").unwrap().value().as_f64(), Some(1e6));
    assert_eq!(header.get("llama.rope.scaling.type").unwrap().value().as_str().unwrap(), "linear");
    assert_eq!(header.get("llama.rope.scaling.factor").unwrap().value().as_f64(), Some(4.0));
}

#[test]
fn a_model_that_cannot_run_is_exported_for_inspection_only() {
    for model in models().iter().filter(|model| model.dump["migration"]["possible"] == false) {
        let opened: LegacyModel<_> = open(&model.parts);
        assert!(!opened.obstacles().is_empty());
        assert_eq!(opened.migrate(&Answers::default()).err().unwrap().code(), "unsupported");
        let mut answers = Answers::default();
        answers.for_inspection = true;
        let migration = opened.migrate(&answers).unwrap();
        assert!(migration.notes().iter().any(|note| note.kind.name() == "not-runnable"));
        let migrated = migration.opened().unwrap();
        assert_eq!(migrated.header().tensors().len(), opened.tensors().len());
        for (old, new) in opened.file().header().tensors().zip(migrated.header().tensors()) {
            let count = old.element_count().unwrap();
            let values = block_on(opened.file().read_f32(&old, 0..count)).unwrap();
            let migrated = block_on(migrated.read_f32(&new, 0..count)).unwrap();
            let report = values.iter().zip(&migrated).map(|(old, new)| (old - new).abs()).fold(0.0, f32::max);
            assert!(report < 0.1, "{} {}: {report}", model.name, old.name());
        }
    }
}
