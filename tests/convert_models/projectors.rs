//! Projectors of families that the corpus does not have: what the reference makes of small models was recorded by
//! `tests/python/projectors.py`.

use std::rc::Rc;

use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::{HubModel, ModelOptions, ModelPlan, OutputType, projector_classes, projector_of};
use gguf_convert::safetensors::{SafetensorsFile, SafetensorsModel};
use gguf_format::io::{Source, block_on};
use gguf_format::{ErrorCode, Result};
use gguf_models::file_name::suggested_file_name;
use gguf_models::validate::{Check, validate};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

use super::bytes::{Bytes, joined};
use super::{folder, october};

pub fn cases() -> Vec<Json> {
    serde_json::from_str(include_str!("projectors.json")).unwrap()
}

fn case(folder: &str) -> Json {
    cases().into_iter().find(|case| case["folder"] == folder).unwrap()
}

/// The model of a case. Its numbers are those of `tests/python/projectors.py`.
fn open(case: &Json) -> HubModel<Bytes> {
    let (mut header, mut data) = (Map::new(), Vec::new());
    for (name, shape) in case["tensors"].as_object().unwrap() {
        let blocks = if name.contains('#') { case["blocks"].as_u64().unwrap() } else { 1 };
        for name in (0..blocks).map(|block| name.replace('#', &block.to_string())) {
            let start = data.len();
            let mut state: u32 = name.bytes().map(u32::from).sum();
            for _ in 0..shape.as_array().unwrap().iter().map(|length| length.as_u64().unwrap()).product::<u64>() {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let number = ((state >> 16) as f32 - 32768.0) / 524_288.0;
                data.extend_from_slice(&number.to_le_bytes()[2..]);
            }
            header.insert(name, json!({ "dtype": "BF16", "shape": shape, "data_offsets": [start, data.len()] }));
        }
    }
    let source = Bytes(Rc::new(joined(&Json::Object(header), &data)));
    let part = block_on(SafetensorsFile::open("model.safetensors", source)).unwrap();
    let mut files = SmallFiles::default();
    for (name, content) in case["files"].as_object().unwrap() {
        files.insert(name, content.to_string().into_bytes());
    }
    let folder = case["folder"].as_str().unwrap().into();
    HubModel { folder, files, tensors: SafetensorsModel::new(vec![part], None).unwrap() }
}

fn plan(case: &Json, output_type: &str) -> Result<ModelPlan<Bytes>> {
    let mut options = ModelOptions::default();
    options.projector = true;
    options.output_type = OutputType::parse(output_type)?;
    block_on(ModelPlan::new(&open(case), &options))
}

#[track_caller]
fn assert_refused(case: &Json, code: ErrorCode, reason: &str) {
    let error = plan(case, "f16").err().unwrap_or_else(|| panic!("{} is accepted", case["folder"]));
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn projectors_of_every_family_are_those_of_the_reference() {
    let mut failures = Vec::new();
    for case in &cases() {
        for (output_type, hash) in case["sha256"].as_object().unwrap() {
            let id = format!("{} {output_type}", case["folder"]);
            match plan(case, output_type) {
                Ok(plan) => {
                    let file = block_on(plan.file().read(0..plan.size())).unwrap();
                    let own: String =
                        Sha256::digest(file.as_slice()).iter().map(|byte| format!("{byte:02x}")).collect();
                    if own != hash.as_str().unwrap() {
                        failures.push(format!("{id}: other bytes"));
                    }
                }
                Err(error) => failures.push(format!("{id}: {error}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_class_is_compared_with_the_reference() {
    let mut classes: Vec<String> = Vec::new();
    let mut add = |config: &Json| classes.extend(projector_of(config).map(|projector| projector.class_name));
    cases().iter().for_each(|case| add(&case["files"]["config.json"]));
    let Some((folder, index)) = october::index() else { return };
    for model in index["models"].as_array().unwrap() {
        // Some files of other models have numbers that JSON does not have.
        let text = crate::corpus::read(&folder.join(model["folder"].as_str().unwrap()).join("config.json"));
        serde_json::from_slice(&text).iter().for_each(&mut add);
    }
    // Other names of classes of the same rows.
    let same = ["GlmOcrForConditionalGeneration", "Qwen2VLModel"];
    let missing = projector_classes();
    let missing = missing.iter().filter(|class| !same.contains(class) && !classes.iter().any(|own| own == **class));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn the_name_of_the_file_is_that_of_the_reference() {
    let name = |case: &Json, output_type: &str| {
        suggested_file_name(plan(case, output_type).unwrap().opened().unwrap().header())
    };
    assert_eq!(name(&case("Mistral-Small-3.1-24X"), "q8_0"), "mmproj-Mistral-24X-3.1-Q8_0.gguf");
    assert_eq!(name(&case("Qwen2.5-VL-3X-Instruct"), "f16"), "mmproj-Qwen2.5-VL-3X-Instruct-F16.gguf");
    assert_eq!(name(&case("gemma-4-31X-it"), "bf16"), "mmproj-gemma-4-31X-it-BF16.gguf");
    let Some((folder, index)) = october::index() else { return };
    let model =
        index["models"].as_array().unwrap().iter().find(|model| model["hf_class"] == "Qwen3VLForConditionalGeneration");
    let model = model.unwrap();
    let run = json!({ "args": ["", "--mmproj", "--outtype", "auto"] });
    let plan = folder::plan(&folder, model, &run).unwrap();
    assert_eq!(suggested_file_name(plan.opened().unwrap().header()), "mmproj-Qwen3-VL-4X-Instruct-BF16.gguf");
}

#[test]
fn defaults_of_the_class_are_reported() {
    let plan = plan(&case("SmolVLM2-2X"), "f16").unwrap();
    assert!(plan.defaulted_keys().contains(&"clip.vision.feed_forward_length".into()), "{:?}", plan.defaulted_keys());
    let tensors = plan.tensors().iter().filter(|tensor| tensor.name.starts_with("v.blk.0.")).count();
    assert_eq!(tensors, 16);
}

#[test]
fn a_default_counts_only_if_the_class_accepts_the_file() {
    let mut case = case("SmolVLM2-2X");
    case["files"]["config.json"]["text_config"]["model_type"] = json!("from-the-future");
    assert_refused(&case, ErrorCode::UnsupportedModel, "text_config.model_type");
    case["files"]["config.json"]["text_config"] =
        json!({ "model_type": "llama", "hidden_size": 64, "rope_scaling": { "factor": 2.0 } });
    assert_refused(&case, ErrorCode::UnsupportedModel, "rope_scaling");
}

#[test]
fn incomplete_models_are_refused() {
    let complete = case("Mistral-Small-3.1-24X");
    let mut one_block = complete.clone();
    one_block["tensors"]
        .as_object_mut()
        .unwrap()
        .insert("vision_tower.transformer.layers.0.ffn_norm.bias".into(), json!([32]));
    assert_refused(&one_block, ErrorCode::IncompleteModel, "v.blk.1.ln2.bias");
    let mut no_tensors = complete.clone();
    no_tensors["tensors"] = json!({ "language_model.lm_head.weight": [8, 8] });
    assert_refused(&no_tensors, ErrorCode::IncompleteModel, "no tensors of the encoder of images");
    for (file, reason) in [("preprocessor_config.json", "image_mean"), ("tokenizer_config.json", "[IMG_BREAK]")] {
        let mut without = complete.clone();
        without["files"].as_object_mut().unwrap().remove(file);
        assert_refused(&without, ErrorCode::IncompleteModel, reason);
    }
    let mut more_blocks = complete;
    more_blocks["blocks"] = json!(4);
    assert_refused(&more_blocks, ErrorCode::UnsupportedModel, "block 3");
}

#[test]
fn what_the_reference_refuses_is_refused() {
    let change = |folder: &str, pointer: &str, value: Json| {
        let mut case = case(folder);
        *case.pointer_mut(&format!("/files/{pointer}")).unwrap() = value;
        case
    };
    for (folder, pointer, value, reason) in [
        ("pixtral-breaks", "config.json/vision_config/model_type", json!("clip_vision_model"), "clip_vision_model"),
        ("pixtral-breaks", "config.json/vision_config/hidden_act", json!("relu"), "relu"),
        ("Qwen2.5-VL-3X-Instruct", "config.json/vision_config/fullatt_block_indexes", json!([1, 2]), "[1, 2]"),
        ("Qwen2.5-VL-3X-Instruct", "config.json/model_type", json!("qwen9_vl"), "qwen9_vl"),
        ("Qwen2.5-VL-3X-Instruct", "config.json/architectures", json!(["LlamaForCausalLM"]), "LlamaForCausalLM"),
        ("InternVL2_5-26X", "config.json/vision_config/hidden_act", json!("quick_gelu"), "quick_gelu"),
        ("Qwen3.5-0.1B-NVFP4", "hf_quant_config.json/quantization/quant_algo", json!("MIXED_PRECISION"), "NVFP4"),
    ] {
        assert_refused(&change(folder, pointer, value), ErrorCode::UnsupportedModel, reason);
    }
    for (folder, pointer, value, reason) in [
        ("Qwen3-VL-30X-A3X", "config.json/vision_config/deepstack_visual_indexes", json!([7]), "block"),
        ("Qwen3-VL-30X-A3X", "config.json/vision_config/depth", json!(-1), "depth"),
        ("Qwen3-VL-30X-A3X", "config.json/text_config/hidden_size", json!(0), "hidden_size"),
        ("Qwen3-VL-30X-A3X", "preprocessor_config.json/image_mean", json!([0.5, 1]), "image_mean"),
        ("gemma-3-12X", "config.json/vision_config/patch_size", json!(0), "patch_size"),
        ("LFM2-VL-1.6X", "preprocessor_config.json/resample", json!(7), "resample"),
    ] {
        let case = change(folder, pointer, value);
        let error = plan(&case, "f16").err().unwrap_or_else(|| panic!("{pointer} is accepted"));
        assert!(error.to_string().contains(reason), "{error}");
    }
    let mut options = ModelOptions::default();
    (options.projector, options.vocabulary_only) = (true, true);
    let error = block_on(ModelPlan::new(&open(&case("Kimi-VL-A3X")), &options)).err().unwrap();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
}

#[test]
fn which_models_have_a_projector() {
    let of = |folder: &str| projector_of(&case(folder)["files"]["config.json"]);
    let gemma = of("gemma-4-31X-it").unwrap();
    assert!(gemma.has_vision && !gemma.has_audio);
    let voxtral = of("Voxtral-Mini-3X").unwrap();
    assert!(!voxtral.has_vision && voxtral.has_audio);
    let mut config = case("gemma-4-31X-it")["files"]["config.json"].clone();
    config["audio_config"] = json!({ "hidden_size": 8 });
    assert!(projector_of(&config).unwrap().has_audio);
    config["vision_config"] = Json::Null;
    assert!(!projector_of(&config).unwrap().has_vision);
    for config in
        [json!({}), json!([]), json!({ "architectures": ["Qwen3ForCausalLM"] }), json!({ "architectures": [7] })]
    {
        assert_eq!(projector_of(&config), None);
    }
}

#[test]
fn projectors_have_no_findings() {
    let mut found = Vec::new();
    for case in &cases() {
        let plan = plan(case, "f16").unwrap();
        // The reference writes whole numbers as they are: readers expect others.
        let is_whole = case["folder"] == "SmolVLM2-2X";
        for finding in validate(plan.opened().unwrap().header(), None) {
            if is_whole && finding.check == Check::UnexpectedType {
                continue;
            }
            found.push(format!("{}: {:?}: {}", case["folder"], finding.check, finding.message));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
