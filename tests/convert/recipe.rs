//! Recipes choose the types that `llama-quantize` chose in the recorded runs, and compute the sizes of its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use gguf_convert::requantize::{
    Options, Pattern, Recipe, RecipeRow, Target, TensorTypeRule, TypeReason, file_types, largest_file_type,
    target_names,
};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Format, GgmlType, Header};
use gguf_models::validate::Severity;
use serde_json::{Value as Json, json};

use super::runs::{self, Matrices, Run};

/// The tensors of the recorded files: name, type and size.
fn recorded_tensors(output: &Json) -> Vec<(String, String, u64)> {
    let tensors = output["tensors"].as_array().unwrap().iter();
    let text = |json: &Json| json.as_str().unwrap().to_string();
    tensors.map(|tensor| (text(&tensor[0]), text(&tensor[1]), tensor[2].as_u64().unwrap())).collect()
}

fn planned_tensors(rows: &[RecipeRow]) -> Vec<(String, String, u64)> {
    rows.iter().map(|row| (row.name.clone(), row.new_type.to_string(), row.new_byte_length)).collect()
}

/// The differences between a recipe and a recorded run.
fn differences(run: &Run, recipe: &Recipe) -> Vec<String> {
    let mut lines = Vec::new();
    let outputs = run.outputs();
    for (file, output) in recipe.files().iter().zip(&outputs) {
        let rows = &recipe.rows()[file.rows.clone()];
        let (found, expected) = (planned_tensors(rows), recorded_tensors(output));
        let pairs = found.iter().zip(&expected).filter(|(found, expected)| found != expected);
        lines.extend(pairs.map(|(found, expected)| format!("{}: {found:?}, expected {expected:?}", run.id())));
        let mut check = |what: &str, found: u64, expected: &Json| {
            // llama-quantize writes another alignment than it says.
            if found != expected.as_u64().unwrap() && !run.has("written_alignment") {
                lines.push(format!("{}: {what} {found}, expected {expected}", run.id()));
            }
        };
        check("tensors", found.len() as u64, &json!(expected.len()));
        if !run.is_different_on_purpose() {
            check("size", file.size, &output["size"]);
            // Later results do not have it.
            if output.get("data_offset").is_some() {
                check("data offset", file.data_offset, &output["data_offset"]);
            }
        }
    }
    if recipe.files().len() != outputs.len() && !run.has_option("--dry-run") {
        lines.push(format!("{}: {} files, expected {}", run.id(), recipe.files().len(), outputs.len()));
    }
    if let Some(printed) = run.json.get("printed") {
        let printed = |name: &str| printed[name].as_str().unwrap().parse::<f64>().unwrap();
        let bytes: u64 = recipe.rows().iter().map(|row| row.new_byte_length).sum();
        if (bytes as f64 / f64::from(1 << 20) - printed("quant_mib")).abs() > 0.0051 {
            lines.push(format!("{}: {bytes} bytes of data, expected {} MiB", run.id(), printed("quant_mib")));
        }
        let is_whole = !run.has_option("--prune-layers");
        if is_whole && (recipe.bits_per_weight() - printed("quant_bpw")).abs() > 0.0051 {
            lines.push(format!("{}: {} bits, expected {}", run.id(), recipe.bits_per_weight(), printed("quant_bpw")));
        }
    }
    let fallbacks = recipe.rows().iter().filter(|row| row.fallback_from.is_some()).count();
    let expected = run.json["fallbacks"].as_array().map_or(0, Vec::len);
    if fallbacks != expected {
        lines.push(format!("{}: {fallbacks} fallbacks, expected {expected}", run.id()));
    }
    lines
}

#[test]
fn types_and_sizes_are_those_of_the_recorded_runs() {
    let Some((folder, runs)) = runs::all() else { return };
    let (mut matrices, mut models) = (Matrices::default(), BTreeMap::new());
    let (mut compared, mut refused, mut lines) = (0, 0, Vec::new());
    for run in &runs {
        let files = models.entry(run.source().to_string()).or_insert_with(|| runs::model(&folder, run.source()));
        let recipe =
            run.options(&folder, &mut matrices).and_then(|options| Recipe::new(&runs::headers(files), options));
        let possible = recipe.as_ref().map_err(Clone::clone).and_then(Recipe::check);
        // NaNs are found when the data are read.
        let is_refused = !run.has_succeeded() && run.source() != "tiny-nan.gguf";
        match (recipe, possible) {
            (_, Err(error)) if is_refused => {
                assert!(error.to_string().len() > 30, "{}: {error}", run.id());
                refused += 1;
            }
            (_, Ok(())) if is_refused => lines.push(format!("{}: was refused: {}", run.id(), run.json["message"])),
            (Err(error), _) => lines.push(format!("{}: {error}", run.id())),
            (Ok(recipe), possible) => {
                let is_dry = run.has_option("--dry-run");
                match possible {
                    Err(error) if !is_dry => lines.push(format!("{}: {error}", run.id())),
                    possible => {
                        assert_eq!(possible.is_err(), is_dry && run.has("will_require_imatrix"), "{}", run.id())
                    }
                }
                if run.has_succeeded() && !run.has("changed_2026_08") {
                    lines.extend(differences(run, &recipe));
                    compared += 1;
                }
            }
        }
    }
    assert!(lines.is_empty(), "{} differences:\n{}", lines.len(), lines.join("\n"));
    assert!(compared > 250 && refused > 50, "{compared} runs were compared, {refused} were refused");
}

/// A model of 16-bit floats with these tensors and these numbers of the architecture `llama`.
fn model(tensors: &[(&str, &[u64])], numbers: &[(&str, u32)]) -> [Arc<Header>; 1] {
    let mut file = Encoder::new(Format::default());
    let has = |key: &str| numbers.iter().any(|(name, _)| *name == key);
    let keys = ["context_length", "embedding_length", "block_count", "attention.layer_norm_rms_epsilon"];
    let required = keys.iter().filter(|key| !has(key)).map(|key| (*key, 1));
    let numbers: Vec<(&str, u32)> = numbers.iter().copied().chain(required).collect();
    file.header(tensors.len() as u64, numbers.len() as u64 + 1).kv(b"general.architecture", &"llama".into());
    for (name, number) in &numbers {
        file.kv(format!("llama.{name}").as_bytes(), &(*number).into());
    }
    let mut offset = 0;
    for (name, dimensions) in tensors {
        file.tensor_info(name.as_bytes(), dimensions, GgmlType::F16.0, offset);
        offset += (dimensions.iter().product::<u64>() * 2).next_multiple_of(32);
    }
    [Arc::new(gguf_format::parse(file.as_bytes()).unwrap())]
}

fn recipe(headers: &[Arc<Header>], target: &str, change: impl FnOnce(&mut Options)) -> Recipe {
    let mut options = Options::new(Target::parse(target).unwrap());
    change(&mut options);
    Recipe::new(headers, options).unwrap()
}

#[test]
fn pure_files_still_obey_patterns_and_fall_back() {
    // llama.cpp of August 2026; in June, --pure ignored both.
    let tensors =
        [("blk.0.attn_q.weight", &[256, 2][..]), ("blk.0.attn_v.weight", &[256, 2]), ("blk.0.ffn_up.weight", &[96, 2])];
    let recipe = recipe(&model(&tensors, &[("block_count", 1)]), "Q4_K_M", |options| {
        options.pure = true;
        options.tensor_types.push(TensorTypeRule::parse("attn_v=f16").unwrap());
    });
    let types: Vec<_> = recipe.rows().iter().map(|row| (row.new_type, row.reason, row.fallback_from)).collect();
    assert_eq!(
        types,
        [
            (GgmlType::Q4_K, TypeReason::Default, None),
            (GgmlType::F16, TypeReason::Rule, None),
            (GgmlType::Q5_0, TypeReason::Default, Some(GgmlType::Q4_K)),
        ]
    );
}

#[test]
fn the_rules_for_70_billion_parameters_hold_for_80_layers_with_shared_values() {
    let tensors = [("blk.0.attn_v.weight", &[256, 2][..]), ("output.weight", &[256, 2])];
    let numbers = |heads| [("block_count", 80), ("attention.head_count", 64), ("attention.head_count_kv", heads)];
    let value = |heads| recipe(&model(&tensors, &numbers(heads)), "Q3_K_S", |_| {}).rows()[1].new_type;
    assert_eq!((value(8), value(64)), (GgmlType::Q5_K, GgmlType::Q3_K));
}

#[test]
fn a_type_is_set_by_hand_and_reset() {
    let headers =
        model(&[("blk.0.attn_q.weight", &[256, 8]), ("blk.0.attn_norm.weight", &[256])], &[("block_count", 1)]);
    let mut recipe = recipe(&headers, "Q4_0", |_| {});
    let (size, norm) = (recipe.size(), 0);
    let query = 1;
    assert_eq!(recipe.rows()[norm].reason, TypeReason::Kept);
    recipe.set_type(query, GgmlType::Q8_0).unwrap();
    assert_eq!((recipe.rows()[query].reason, recipe.size() - size), (TypeReason::Hand, 8 * 8 * (34 - 18)));
    recipe.set_type(norm, GgmlType::F32).unwrap();
    assert_eq!(recipe.set_type(query, GgmlType::Q8_1).unwrap_err().code(), "invalid-argument");
    assert_eq!(recipe.set_type(9, GgmlType::F32).unwrap_err().code(), "out-of-range");
    assert_eq!(recipe.rows()[query].new_type, GgmlType::Q8_0, "a refused type changes nothing");
    recipe.set_type(query, GgmlType::IQ2_XS).unwrap();
    assert_eq!(recipe.check().unwrap_err().code(), "needs-imatrix");
    recipe.reset_type(query).unwrap();
    recipe.reset_type(norm).unwrap();
    assert_eq!((recipe.rows()[query].new_type, recipe.size()), (GgmlType::Q4_0, size));
}

#[test]
fn types_are_set_by_a_pattern_all_or_none() {
    let tensors =
        [("blk.0.ffn_down.weight", &[256, 8][..]), ("blk.1.ffn_down.weight", &[64, 8]), ("norm.weight", &[256])];
    let headers = model(&tensors, &[("block_count", 2)]);
    let mut recipe = recipe(&headers, "Q4_0", |_| {});
    let rows = recipe.rows_matching(&Pattern::new("ffn_down|norm").unwrap()).unwrap();
    let names: Vec<_> = rows.iter().map(|row| recipe.rows()[*row].name.clone()).collect();
    assert_eq!(names, ["blk.0.ffn_down.weight", "blk.1.ffn_down.weight"], "norms are never quantized");
    let (before, size) = (planned_tensors(recipe.rows()), recipe.size());
    let refused = recipe.set_types(rows.iter().copied(), Some(GgmlType::Q4_K)).unwrap_err();
    assert_eq!((refused.code().name(), planned_tensors(recipe.rows())), ("does-not-fit", before.clone()));
    assert_eq!(recipe.set_types(rows.iter().copied(), Some(GgmlType::Q8_0)).unwrap(), 2);
    assert!(rows.iter().all(|row| recipe.rows()[*row].new_type == GgmlType::Q8_0));
    assert!(recipe.size() > size);
    assert_eq!(recipe.set_types(rows.into_iter(), None).unwrap(), 2);
    assert_eq!((planned_tensors(recipe.rows()), recipe.size()), (before, size));
}

#[test]
fn findings_tell_what_prevents_a_conversion_and_what_is_unexpected() {
    let tensors = [("blk.0.ffn_down.weight", &[64, 8][..]), ("blk.0.ffn_up.weight", &[256, 8])];
    let headers = model(&tensors, &[("block_count", 1)]);
    let findings = |recipe: &Recipe| -> Vec<_> {
        recipe.findings().into_iter().map(|finding| (finding.severity, finding.code, finding.tensor)).collect()
    };
    let named = |name: &str| Some(name.to_string());
    let mut recipe = recipe(&headers, "Q4_K_S", |_| {});
    assert_eq!(findings(&recipe), [(Severity::Warning, None, named("blk.0.ffn_down.weight"))]);
    let up = recipe.rows().iter().position(|row| row.name.contains("ffn_up")).unwrap();
    recipe.set_type(up, GgmlType::IQ2_XS).unwrap();
    assert!(findings(&recipe).contains(&(Severity::Error, Some("needs-imatrix"), named("blk.0.ffn_up.weight"))));
}

#[test]
fn a_pattern_without_effect_is_a_warning() {
    let headers = model(&[("blk.0.ffn_down.weight", &[256, 8]), ("norm.weight", &[256])], &[("block_count", 1)]);
    let messages = |target: &str, patterns: &[&str]| -> Vec<_> {
        let rules = patterns.iter().map(|pattern| TensorTypeRule::new(pattern, GgmlType::Q8_0).unwrap()).collect();
        let recipe = recipe(&headers, target, |options| options.tensor_types = rules);
        assert!(recipe.check().is_ok(), "a warning does not prevent the conversion");
        let findings = recipe.findings().into_iter();
        let of_options = findings.filter(|finding| (finding.row, &finding.tensor) == (None, &None));
        of_options.map(|finding| (finding.severity, finding.message)).collect()
    };
    assert_eq!(messages("Q4_K_S", &["ffn_down"]), []);
    let found = messages("Q4_K_S", &["ffn_dwon", "ffn_down", "^norm"]);
    assert_eq!(found.len(), 2, "norms are never quantized: {found:?}");
    assert!(found.iter().all(|(severity, _)| *severity == Severity::Warning));
    assert!(found[0].1.contains("\"ffn_dwon\"") && found[0].1.contains("blk.0.ffn_down.weight"), "{}", found[0].1);
    for target in ["F16", "COPY"] {
        let found = messages(target, &["ffn_down"]);
        assert!(found.len() == 1 && found[0].1.contains(target), "{found:?}");
    }
}

#[test]
fn a_block_that_the_model_does_not_have_cannot_be_left_out() {
    let tensors = [("blk.0.ffn_down.weight", &[256, 8][..]), ("blk.1.ffn_down.weight", &[256, 8])];
    let headers = model(&tensors, &[("block_count", 2)]);
    let recipe = recipe(&headers, "Q8_0", |options| options.prune_layers = vec![0, 2]);
    assert_eq!(recipe.rows().len(), 1);
    let [found] = &recipe.findings()[..] else { panic!("{:?}", recipe.findings()) };
    assert_eq!((found.severity, found.row), (Severity::Warning, None));
    assert!(found.message.contains("\"blk.2.\""), "{}", found.message);
}

#[test]
fn the_largest_file_type_that_fits_is_found() {
    let tensors = [("blk.0.attn_q.weight", &[256, 64][..]), ("output.weight", &[256, 8])];
    let headers = model(&tensors, &[("block_count", 1)]);
    let options = Options::new(Target::Copy);
    let all = file_types(&headers, &options).unwrap();
    assert_eq!(all.len(), 35);
    let size_of = |name: &str| all.iter().find(|estimate| estimate.name == name).unwrap();
    for name in ["Q4_0", "Q6_K", "IQ4_XS", "BF16"] {
        let (found, expected) =
            (largest_file_type(&headers, &options, size_of(name).size).unwrap().unwrap(), size_of(name));
        assert!(found.size <= expected.size && found.bits_per_weight >= expected.bits_per_weight, "{name}: {found:?}");
        let recipe = recipe(&headers, name, |_| {});
        assert_eq!((recipe.size(), recipe.bits_per_weight()), (expected.size, expected.bits_per_weight));
    }
    // Types that need an importance matrix are not possible without one.
    assert!(!size_of("IQ2_XS").is_possible && size_of("IQ2_XS").requires_imatrix);
    let smallest = all.iter().filter(|estimate| estimate.is_possible).map(|estimate| estimate.size).min().unwrap();
    assert!(largest_file_type(&headers, &options, smallest - 1).unwrap().is_none());
}

#[test]
fn every_target_is_named() {
    for name in target_names() {
        assert!(name == "COPY" || Target::parse(&name.to_lowercase()).unwrap().file_type().unwrap().advice.is_some());
    }
    for (name, expected) in [("q3_k", "Q3_K_M"), ("7", "Q8_0"), ("0", "F32"), ("copy", "COPY")] {
        assert_eq!(Target::parse(name).unwrap().name(), expected);
    }
    for name in ["NVFP4", "39", "4", "Q9_9", "", "Q4_1_SOME_F16", "1025"] {
        assert_eq!(Target::parse(name).unwrap_err().code(), "invalid-argument", "{name}");
    }
}

#[test]
fn arrays_with_an_element_for_each_block_are_pruned() {
    let mut file = Encoder::new(Format::default());
    let heads = OwnedValue::array(gguf_format::ValueType::Uint32, [1_u32, 2, 3]);
    file.header(3, 4)
        .kv(b"general.architecture", &"llama".into())
        .kv(b"llama.block_count", &3_u32.into())
        .kv(b"llama.attention.head_count", &heads)
        .kv(b"other.list", &heads);
    for block in 0..3 {
        file.tensor_info(format!("blk.{block}.attn_q.weight").as_bytes(), &[32, 1], GgmlType::F16.0, 64 * block);
    }
    let headers = [Arc::new(gguf_format::parse(file.as_bytes()).unwrap())];
    let recipe = recipe(&headers, "COPY", |options| options.prune_layers = vec![1]);
    let header = gguf_format::parse(&recipe.header(0).unwrap()).unwrap();
    let list = |key: &str| {
        let array = header.get(key).unwrap().value().as_array().unwrap();
        array.iter().map(|element| element.as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((list("llama.attention.head_count"), list("other.list")), (vec![1, 3], vec![1, 2, 3]));
    assert_eq!(header.get("llama.block_count").unwrap().value().as_u64(), Some(2));
    let names: Vec<_> = recipe.rows().iter().map(|row| (row.name.as_str(), row.original_name.as_deref())).collect();
    assert_eq!(names, [("blk.0.attn_q.weight", None), ("blk.1.attn_q.weight", Some("blk.2.attn_q.weight"))]);
    assert_eq!(recipe.files()[0].header_size, header.header_size());
}

/// The header of a shard with these tensors.
fn shard(number: u16, count: u16, tensors: &[&str]) -> Arc<Header> {
    let mut file = Encoder::new(Format::default());
    file.header(tensors.len() as u64, 4)
        .kv(b"general.architecture", &"llama".into())
        .kv(b"split.no", &number.into())
        .kv(b"split.count", &count.into())
        .kv(b"split.tensors.count", &OwnedValue::Int32(3));
    for (name, offset) in tensors.iter().zip((0..).step_by(64)) {
        file.tensor_info(name.as_bytes(), &[32, 1], GgmlType::F16.0, offset);
    }
    Arc::new(gguf_format::parse(file.as_bytes()).unwrap())
}

#[test]
fn a_shard_whose_tensors_are_all_pruned_is_left_out() {
    let headers =
        [shard(0, 3, &["output.weight"]), shard(1, 3, &["blk.0.attn_q.weight"]), shard(2, 3, &["blk.1.attn_q.weight"])];
    let files = |pruned: &[u32]| -> Vec<(Option<u64>, Option<u64>, Vec<String>)> {
        let recipe = recipe(&headers, "Q8_0", |options| {
            (options.keep_split, options.prune_layers) = (true, pruned.to_vec());
        });
        let header = |file| gguf_format::parse(&recipe.header(file).unwrap()).unwrap();
        let number = |header: &Header, key| header.get(key).and_then(|entry| entry.value().as_u64());
        let names = |header: &Header| header.tensors().map(|tensor| tensor.name().to_string()).collect();
        let headers = (0..recipe.files().len()).map(header);
        headers.map(|header| (number(&header, "split.no"), number(&header, "split.count"), names(&header))).collect()
    };
    let [output, block] = [vec!["output.weight".to_string()], vec!["blk.0.attn_q.weight".to_string()]];
    let both = [(Some(0), Some(2), output.clone()), (Some(1), Some(2), block)];
    assert_eq!(files(&[0]), both);
    assert_eq!(files(&[1]), both);
    // A file that is no shard of several has no such entries.
    assert_eq!(files(&[0, 1]), [(None, None, output)]);
    // The first shard has the entries of the model.
    let headers = [shard(0, 2, &["blk.0.attn_q.weight"]), shard(1, 2, &["blk.1.attn_q.weight"])];
    let recipe = recipe(&headers, "Q8_0", |options| {
        (options.keep_split, options.prune_layers) = (true, vec![0]);
    });
    assert_eq!(recipe.files().iter().map(|file| file.rows.len()).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn models_of_every_version_and_byte_order_have_headers_of_the_planned_size() {
    for version in [1, 2, 3] {
        for endian in [gguf_format::Endian::Little, gguf_format::Endian::Big] {
            let mut file = Encoder::new(Format { version, endian });
            let tokens = OwnedValue::array(gguf_format::ValueType::String, ["a", "bc"]);
            file.header(1, 2).kv(b"general.architecture", &"llama".into()).kv(b"tokenizer.ggml.tokens", &tokens);
            file.tensor_info(b"output.weight", &[32, 2], GgmlType::F32.0, 0);
            let headers = [Arc::new(gguf_format::parse(file.as_bytes()).unwrap())];
            let recipe = recipe(&headers, "Q8_0", |_| {});
            let header = gguf_format::parse(&recipe.header(0).unwrap()).unwrap();
            assert_eq!(header.header_size(), recipe.files()[0].header_size, "version {version}");
            assert_eq!((header.format().version, header.format().endian), (3, endian));
            assert_eq!(header.tensor("output.weight").unwrap().ggml_type(), GgmlType::Q8_0);
            assert_eq!(
                header.get("tokenizer.ggml.tokens").unwrap().value(),
                headers[0].get("tokenizer.ggml.tokens").unwrap().value()
            );
        }
    }
}
