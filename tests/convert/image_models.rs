//! Recipes of image models: the types that ComfyUI-GGUF's `llama-quantize` gives their tensors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use gguf_convert::requantize::{CallingThread, Options, Plan, Recipe, Target, TypeReason, file_types};
use gguf_format::io::{FileSource, block_on};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{ErrorCode, Format, GgmlType, Header, Limits, OpenedFile, ValueType};
use gguf_models::validate::Severity;

use super::conversions::convert;
use crate::corpus;
use crate::image_header::{architecture, image_header};

/// A header with an architecture, if it is not empty, and tensors of a type.
fn header(name: &str, ggml_type: GgmlType, tensors: &[(String, Vec<u64>)]) -> Arc<Header> {
    let tensors = tensors.iter().map(|(name, dimensions)| (name.as_str(), dimensions.as_slice()));
    Arc::new(image_header(architecture(name), ggml_type, tensors))
}

fn recipe(header: &Arc<Header>, target: &str) -> Recipe {
    Recipe::new(std::slice::from_ref(header), Options::new(Target::parse(target).unwrap())).unwrap()
}

fn matrices(names: &[&str]) -> Vec<(String, Vec<u64>)> {
    names.iter().map(|name| ((*name).to_string(), vec![256, 4])).collect()
}

/// Each family: tensors that keep their type, and tensors that look like these and do not.
const KEPT: &[(&str, &[&str], &[&str])] = &[
    (
        "flux",
        &[
            "txt_in.weight",
            "img_in.weight",
            "time_in.in_layer.weight",
            "vector_in.out_layer.weight",
            "guidance_in.in_layer.weight",
            "final_layer.adaLN_modulation.1.weight",
        ],
        &[
            "double_blocks.0.img_attn.proj.weight",
            "single_blocks.0.linear1.weight",
            "double_blocks.0.txt_mod.lin.weight",
        ],
    ),
    (
        "hyvid",
        &[
            "txt_in.individual_token_refiner.blocks.1.self_attn_qkv.weight",
            "final_layer.linear.weight",
            "time_in.mlp.0.weight",
        ],
        &["double_blocks.0.img_attn_proj.weight", "double_blocks.0.img_attn_qkv.weight"],
    ),
    (
        "sd1",
        &[
            "time_embed.0.weight",
            "label_emb.0.0.weight",
            "time_embedding.linear_1.weight",
            "out.2.weight",
            "input_blocks.0.0.weight",
        ],
        &[
            "input_blocks.3.0.op.weight",
            "input_blocks.10.0.0.weight",
            "output_blocks.2.1.conv.weight",
            "x.out.2.weight",
        ],
    ),
    (
        "sdxl",
        &["add_embedding.linear_1.weight", "class_embedding.linear_1.weight", "conv_in.weight", "conv_out.weight"],
        &["down_blocks.0.downsamplers.0.conv.weight", "mid_block.attentions.0.proj_in.weight"],
    ),
    (
        "sd3",
        &[
            "final_layer.linear.weight",
            "time_text_embed.timestep_embedder.linear_1.weight",
            "context_embedder.weight",
            "t_embedder.mlp.0.weight",
            "y_embedder.mlp.0.weight",
            "x_embedder.proj.weight",
            "proj_out.weight",
            "pos_embed",
        ],
        &["joint_blocks.0.x_block.attn.proj.weight", "joint_blocks.0.x_block.proj_out.weight"],
    ),
    (
        "aura",
        &[
            "t_embedder.mlp.0.weight",
            "init_x_linear.weight",
            "modF.1.weight",
            "cond_seq_linear.weight",
            "final_linear.weight",
            "positional_encoding",
            "register_tokens",
        ],
        &["double_layers.3.modX.1.weight", "single_layers.0.modCX.1.weight"],
    ),
    (
        "ltxv",
        &[
            "adaln_single.linear.weight",
            "caption_projection.linear_2.weight",
            "patchify_proj.weight",
            "proj_out.weight",
            "transformer_blocks.27.scale_shift_table",
        ],
        &["transformer_blocks.0.attn1.to_q.weight", "transformer_blocks.0.ff.net.0.proj.weight"],
    ),
    (
        "wan",
        &[
            "patch_embedding.weight",
            "text_embedding.2.weight",
            "time_projection.1.weight",
            "time_embedding.0.weight",
            "img_emb.proj.1.weight",
            "head.head.weight",
            "head.modulation",
        ],
        &["blocks.0.self_attn.q.weight", "blocks.0.ffn.0.weight"],
    ),
    (
        "hidream",
        &[
            "p_embedder.pooled_embedder.linear_1.weight",
            "t_embedder.timestep_embedder.linear_1.weight",
            "x_embedder.proj.weight",
            "final_layer.linear.weight",
            "double_stream_blocks.0.block.ff_i.gate.weight",
            "caption_projection.0.linear.weight",
        ],
        &[
            "double_stream_blocks.0.block.ff_i.shared_experts.w3.weight",
            "single_stream_blocks.0.block.attn1.to_q.weight",
        ],
    ),
    (
        "cosmos",
        &[
            "t_embedder.1.linear_1.weight",
            "t_embedding_norm.weight",
            "x_embedder.proj.1.weight",
            "pos_embedder.x.weight",
        ],
        &["blocks.0.mlp.layer1.weight", "blocks.0.adaln_modulation_cross_attn.1.weight"],
    ),
    (
        "lumina2",
        &[
            "t_embedder.mlp.0.weight",
            "x_embedder.weight",
            "final_layer.linear.weight",
            "cap_embedder.1.weight",
            "context_refiner.0.attention.qkv.weight",
            "noise_refiner.0.attention.out.weight",
        ],
        &["layers.0.attention.out.weight", "layers.0.feed_forward.w1.weight"],
    ),
];

#[test]
fn each_family_keeps_its_own_tensors() {
    for (family, kept, quantized) in KEPT {
        for source in [GgmlType::BF16, GgmlType::F32] {
            let all: Vec<&str> = kept.iter().chain(*quantized).copied().collect();
            let recipe = recipe(&header(family, source, &matrices(&all)), "Q6_K");
            recipe.check().unwrap();
            for (row, name) in recipe.rows().iter().zip(&all) {
                let is_kept = kept.contains(name);
                let expected = if is_kept { (source, TypeReason::Kept) } else { (GgmlType::Q6_K, TypeReason::Default) };
                // Tensors keep their order.
                assert_eq!((row.name.as_str(), row.new_type, row.reason), (*name, expected.0, expected.1), "{family}");
            }
        }
    }
}

#[test]
fn only_weights_with_two_dimensions_are_quantized() {
    let tensors = [
        ("double_blocks.0.img_attn.proj.weight", vec![256, 2]),
        ("double_blocks.0.a.weight", vec![256, 2, 1]),
        ("double_blocks.0.b.weight", vec![256, 2, 3]),
        ("double_blocks.0.c.weight", vec![256]),
        ("double_blocks.0.d.weight", vec![256, 2, 1, 1, 2]),
        ("double_blocks.0.e.bias", vec![256, 2]),
        ("double_blocks.0.f_norm.weight", vec![256, 2]),
        ("double_blocks.0.g.scale", vec![256, 1]),
    ];
    let tensors = tensors.map(|(name, dimensions)| (name.to_string(), dimensions));
    let recipe = recipe(&header("flux", GgmlType::F16, &tensors), "Q8_0");
    let types: Vec<_> = recipe.rows().iter().map(|row| row.new_type.to_string()).collect();
    assert_eq!(types, ["Q8_0", "Q8_0", "F16", "F16", "F16", "F16", "F16", "F16"]);
    // Trailing dimensions of 1 matter to ComfyUI-GGUF.
    let new = gguf_format::parse(&recipe.header(0).unwrap()).unwrap();
    for (tensor, (name, dimensions)) in new.tensors().zip(&tensors) {
        assert_eq!(
            (tensor.name().to_string(), tensor.dimension_iter().collect::<Vec<_>>()),
            (name.clone(), dimensions.clone())
        );
    }
}

/// The type of a tensor of a group by the table of the facts, whose rows are the file types: values, fused, feed-forward down.
fn by_the_facts(file_type: &str, name: &str, values_before: &mut u32) -> String {
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let basic = file_type.trim_end_matches("_S").trim_end_matches("_M").trim_end_matches("_L").to_string();
    let columns: BTreeMap<&str, [&str; 3]> = BTreeMap::from([
        ("Q2_K", ["Q3_K", "", ""]),
        ("Q3_K_M", ["Q4_K", "Q4_K", "Q4_K"]),
        ("Q3_K_L", ["Q5_K", "Q4_K", "Q5_K"]),
        ("Q4_K_S", ["", "", "Q5_K"]),
        ("Q4_K_M", ["Q6_K", "Q5_K", "Q6_K"]),
        ("Q5_K_M", ["Q6_K", "Q6_K", "Q6_K"]),
        ("Q4_0", ["", "", "Q4_1"]),
        ("Q5_0", ["", "", "Q5_1"]),
    ]);
    let column = columns.get(file_type).copied().unwrap_or_default();
    let chosen = if has(&[
        "attn_v.weight",
        ".to_v.weight",
        ".v.weight",
        ".attn.w1v.weight",
        ".attn.w2v.weight",
        "_attn.v_proj.weight",
    ]) {
        *values_before += 1;
        match (file_type, *values_before) {
            ("Q3_K_M", 1..=2) | ("Q4_K_S", 1..=4) => "Q5_K",
            _ => column[0],
        }
    } else if has(&["attn_qkv.weight", "attn.qkv.weight", "attention.qkv.weight"]) {
        column[1]
    } else if has(&[
        "ffn_down",
        ".ffn.2.weight",
        ".ff.net.2.weight",
        ".mlp.layer2.weight",
        ".adaln_modulation_mlp.2.weight",
        ".feed_forward.w2.weight",
    ]) || (has(&["experts."]) && has(&[".w2.weight"]))
    {
        column[2]
    } else {
        ""
    };
    if chosen.is_empty() { basic } else { chosen.to_string() }
}

/// Names of every group, and of none, with many values, so that counts matter.
fn names_of_all_groups() -> Vec<String> {
    let mut names = Vec::new();
    for block in 0..6 {
        for name in [
            "img_attn.qkv.weight",
            "img_attn_qkv.weight",
            "attention.qkv.weight",
            "img_attn.proj.weight",
            "img_mlp.0.weight",
            "img_mlp.2.weight",
            "self_attn.v.weight",
            "attn1.to_v.weight",
            "attn.w1v.weight",
            "attn.w2v.weight",
            "self_attn.v_proj.weight",
            "attn_v.weight",
            "ffn_down.weight",
            "ffn.2.weight",
            "ff.net.2.weight",
            "mlp.layer2.weight",
            "adaln_modulation_mlp.2.weight",
            "feed_forward.w2.weight",
            "ff_i.experts.3.w2.weight",
            "ff_i.shared_experts.w2.weight",
            "ff_i.w2.weight",
            "attn.to_q.weight",
        ] {
            names.push(format!("double_blocks.{block}.{name}"));
        }
    }
    names
}

/// The file types of quantized image models.
const FILE_TYPES: &[&str] = &[
    "Q2_K", "Q2_K_S", "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_0", "Q4_1", "Q4_K_S", "Q4_K_M", "Q5_0", "Q5_1", "Q5_K_S",
    "Q5_K_M", "Q6_K", "Q8_0",
];

#[test]
fn mixtures_are_those_of_the_facts() {
    let names = names_of_all_groups();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut mixed, wide) = (0, matrices(&names));
    let narrow: Vec<_> = names.iter().map(|name| ((*name).to_string(), vec![96, 4])).collect();
    for family in ["flux", "sd1", "wan", "cosmos"] {
        for file_type in FILE_TYPES {
            for tensors in [&wide, &narrow] {
                let recipe = recipe(&header(family, GgmlType::F32, tensors), file_type);
                let mut values_before = 0;
                for row in recipe.rows() {
                    let mut expected = by_the_facts(file_type, &row.name, &mut values_before);
                    let is_mixed = !file_type.starts_with(&expected);
                    mixed += u32::from(is_mixed);
                    let wanted = expected.clone();
                    if row.dimensions[0] % 256 != 0 && expected.contains("_K") {
                        expected = "F16".into();
                        assert_eq!(row.fallback_from.unwrap().to_string(), wanted, "{family} {file_type} {}", row.name);
                    } else {
                        assert_eq!(row.fallback_from, None, "{family} {file_type} {}", row.name);
                    }
                    assert_eq!(row.new_type.to_string(), expected, "{family} {file_type} {}", row.name);
                    assert_eq!(row.reason == TypeReason::Mixture, is_mixed, "{family} {file_type} {}", row.name);
                }
            }
        }
    }
    assert!(mixed > 1000, "{mixed}");
}

#[test]
fn a_row_that_does_not_fit_a_type_of_32_elements_is_a_problem() {
    let tensors = [("double_blocks.0.img_mlp.2.weight".to_string(), vec![40, 2])];
    let header = header("flux", GgmlType::F16, &tensors);
    assert_eq!(recipe(&header, "Q8_0").check().unwrap_err().code(), "does-not-fit");
    assert_eq!(recipe(&header, "Q4_K_S").rows()[0].new_type, GgmlType::F16);
}

#[test]
fn float_file_types_change_no_kept_tensor() {
    let names = ["double_blocks.0.img_attn.proj.weight", "img_in.weight", "double_blocks.0.img_attn.qkv.weight"];
    for (target, new) in [("F16", GgmlType::F16), ("BF16", GgmlType::BF16), ("F32", GgmlType::F32)] {
        let recipe = recipe(&header("flux", GgmlType::F32, &matrices(&names)), target);
        recipe.check().unwrap();
        let types: Vec<_> = recipe.rows().iter().map(|row| row.new_type).collect();
        assert_eq!(types, [new, GgmlType::F32, new]);
    }
}

#[test]
fn names_may_be_longer_than_those_of_ggml() {
    let long = "up_blocks.0.attentions.2.transformer_blocks.9.attn2.processor.to_out.0.weight";
    assert!(long.len() > 64);
    let recipe = recipe(&header("sdxl", GgmlType::F16, &matrices(&[long])), "Q5_K_M");
    assert_eq!(recipe.rows()[0].name, long);
    gguf_format::parse(&recipe.header(0).unwrap()).unwrap();
}

/// A file that is refused: its architecture, its tensors, the target, and what the reason says.
const REFUSED: &[(&str, &[&str], &str, &str, &str)] = &[
    ("qwen_image", &["transformer_blocks.0.attn.to_q.weight"], "Q4_K_M", "unsupported-model", "Qwen-Image"),
    (
        "",
        &["model.diffusion_model.double_blocks.0.img_attn.proj.weight"],
        "Q4_0",
        "unsupported-model",
        "model.diffusion_model.",
    ),
    (
        "flux",
        &["single_transformer_blocks.0.attn.to_q.weight"],
        "Q4_0",
        "unsupported-model",
        "single_transformer_blocks.",
    ),
    ("sd3", &["joint_transformer_blocks.0.attn.to_q.weight"], "Q4_0", "unsupported-model", "joint_transformer_blocks."),
    // Z-Image, by a name that only stable-diffusion.cpp knows.
    ("", &["cap_embedder.0.weight", "layers.0.attention.out.weight"], "Q4_0", "unsupported-model", "Z-Image"),
    ("pig", &["decoder.conv_in.weight", "encoder.conv_in.weight"], "Q4_0", "unsupported-model", "VAE"),
    ("", &["first_stage_model.decoder.conv_in.weight"], "Q4_0", "unsupported-model", "VAE"),
    (
        "",
        &["text_encoders.t5xxl.transformer.encoder.block.0.layer.0.SelfAttention.q.weight"],
        "Q8_0",
        "unsupported-model",
        "Text encoder",
    ),
    ("flux", &["double_blocks.0.img_attn.proj.weight"], "IQ4_XS", "invalid-argument", "IQ4_XS"),
    ("flux", &["double_blocks.0.img_attn.proj.weight"], "IQ3_XS", "invalid-argument", "IQ3_XS"),
    ("flux", &["double_blocks.0.img_attn.proj.weight"], "IQ2_XXS", "invalid-argument", "IQ2_XXS"),
    ("flux", &["double_blocks.0.img_attn.proj.weight"], "MXFP4_MOE", "invalid-argument", "MXFP4_MOE"),
    ("flux", &["double_blocks.0.img_attn.proj.weight"], "Q1_0", "invalid-argument", "Q1_0"),
];

#[test]
fn what_has_no_rules_is_refused_with_the_reason() {
    for (architecture, names, target, code, reason) in REFUSED {
        let header = header(architecture, GgmlType::F16, &matrices(names));
        let recipe = recipe(&header, target);
        let error = recipe.check().unwrap_err();
        assert_eq!(error.code(), *code, "{architecture} {names:?}: {error}");
        assert!(error.to_string().contains(reason), "{architecture} {names:?}: {error}");
        let findings = recipe.findings();
        let [finding] = &*findings else { panic!("{findings:?}") };
        assert_eq!(
            (finding.severity, finding.code, finding.row, finding.check),
            (Severity::Error, Some(*code), None, None)
        );
        assert_eq!(finding.message, error.to_string());
        // A copy is always possible.
        self::recipe(&header, "COPY").check().unwrap();
    }
}

#[test]
fn stable_diffusion_2_has_no_rules_without_an_architecture() {
    let names = [
        "input_blocks.3.0.op.weight",
        "input_blocks.6.0.op.weight",
        "input_blocks.9.0.op.weight",
        "output_blocks.2.1.conv.weight",
        "output_blocks.5.2.conv.weight",
        "output_blocks.8.2.conv.weight",
    ];
    for (width, is_possible) in [(768, true), (1024, false)] {
        let mut tensors = matrices(&names);
        tensors.push(("input_blocks.1.1.transformer_blocks.0.attn2.to_k.weight".into(), vec![width, 4]));
        let result = recipe(&header("", GgmlType::F16, &tensors), "Q8_0").check();
        assert_eq!(result.is_ok(), is_possible, "{width}: {result:?}");
    }
}

#[test]
fn a_family_is_known_by_names_if_the_architecture_says_none() {
    for architecture in ["", "pig", "cow"] {
        let names = ["double_blocks.0.img_attn.proj.weight", "img_in.weight"];
        let recipe = recipe(&header(architecture, GgmlType::F16, &matrices(&names)), "Q4_0");
        recipe.check().unwrap();
        let types: Vec<_> = recipe.rows().iter().map(|row| row.new_type).collect();
        assert_eq!(types, [GgmlType::Q4_0, GgmlType::F16], "{architecture}");
    }
}

#[test]
fn blocks_of_an_image_model_are_not_left_out() {
    let header = header("flux", GgmlType::F16, &matrices(&["double_blocks.0.img_attn.proj.weight"]));
    let mut options = Options::new(Target::parse("Q4_0").unwrap());
    options.prune_layers = vec![0];
    let error = Recipe::new(&[header], options).unwrap().check().unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument.name());
}

#[test]
fn the_list_of_file_types_says_which_are_possible() {
    let header = header("flux", GgmlType::F16, &matrices(&["double_blocks.0.img_attn.proj.weight"]));
    let types = file_types(&[header], &Options::new(Target::Copy)).unwrap();
    let possible: Vec<_> = types.iter().filter(|one| one.is_possible).map(|one| one.name).collect();
    let expected = [
        "F32", "F16", "Q4_0", "Q4_1", "Q8_0", "Q5_0", "Q5_1", "Q2_K", "Q3_K_S", "Q3_K_M", "Q3_K_L", "Q4_K_S", "Q4_K_M",
        "Q5_K_S", "Q5_K_M", "Q6_K", "BF16", "TQ1_0", "TQ2_0",
    ];
    assert_eq!(possible, expected);
}

#[test]
fn keys_stay_and_the_file_type_is_set() {
    let mut file = Encoder::new(Format::default());
    file.header(1, 3);
    file.kv(b"general.architecture", &"sd1".into());
    file.kv(b"general.file_type", &OwnedValue::Uint32(1));
    let shape = OwnedValue::array(ValueType::Int32, [32_i32, 32, 3, 3]);
    file.kv(b"comfy.gguf.orig_shape.input_blocks.3.0.op.weight", &shape);
    file.tensor_info(b"input_blocks.3.0.op.weight", &[256, 36], 1, 0);
    let header = Arc::new(gguf_format::parse(file.as_bytes()).unwrap());
    let new = gguf_format::parse(&recipe(&header, "Q4_K_S").header(0).unwrap()).unwrap();
    let keys: Vec<_> = new.metadata().map(|entry| entry.key().to_string()).collect();
    assert_eq!(
        keys,
        [
            "general.architecture",
            "comfy.gguf.orig_shape.input_blocks.3.0.op.weight",
            "general.quantization_version",
            "general.file_type"
        ]
    );
    assert_eq!(new.get("general.file_type").unwrap().value().as_u64(), Some(14));
    assert_eq!(new.tensor_at(0).unwrap().ggml_type(), GgmlType::Q4_K);
}

fn sample(folder: &Path, name: &str) -> PathBuf {
    folder.join("producers").join(name)
}

fn open(path: &Path) -> Rc<OpenedFile<FileSource>> {
    Rc::new(block_on(OpenedFile::open(FileSource::open(path).unwrap(), Limits::default())).unwrap())
}

/// The samples of ComfyUI-GGUF are made after its quantizer. Which tensors stay as they are is faithful in all of them.
#[test]
fn the_samples_keep_the_same_tensors() {
    let Some(folder) = corpus::folder() else { return };
    let samples = [
        ("comfy-aura-Q5_K_M.gguf", "Q5_K_M"),
        ("comfy-flux1-dev-Q4_K_S.gguf", "Q4_K_S"),
        ("comfy-sd1-Q4_K_S.gguf", "Q4_K_S"),
        ("comfy-sd3.5-Q4_0.gguf", "Q4_0"),
        ("comfy-wan2.1-t2v-Q5_0.gguf", "Q5_0"),
    ];
    for (name, target) in samples {
        let file = open(&sample(&folder, name));
        let mut options = Options::new(Target::parse(target).unwrap());
        options.allow_requantize = true;
        let recipe = Recipe::new(&[file.header().clone()], options).unwrap();
        recipe.check().unwrap();
        let is_sixteen = |ggml_type: GgmlType| matches!(ggml_type, GgmlType::F32 | GgmlType::F16 | GgmlType::BF16);
        for row in recipe.rows() {
            assert_eq!(row.reason == TypeReason::Kept, is_sixteen(row.old_type), "{name}: {}", row.name);
        }
        // Only the mixed types of the samples are not faithful.
        let differing: Vec<_> = recipe.rows().iter().filter(|row| !row.is_copied()).map(|row| row.reason).collect();
        assert!(differing.iter().all(|reason| *reason == TypeReason::Mixture), "{name}: {differing:?}");
    }
}

/// The file that is made of a sample with 16 bits has the header of the quantized sample.
#[test]
fn a_sample_becomes_its_quantized_form() {
    let Some(folder) = corpus::folder() else { return };
    let file = open(&sample(&folder, "comfy-sd1-F16.gguf"));
    let plan = Plan::new(vec![file], Options::new(Target::parse("Q4_K_S").unwrap())).unwrap();
    let made = convert(&plan, 0, None, &Rc::new(CallingThread::default())).unwrap();
    let expected = corpus::read(&sample(&folder, "comfy-sd1-Q4_K_S.gguf"));
    let (made, expected) = (gguf_format::parse(&made).unwrap(), gguf_format::parse(&expected).unwrap());
    let keys = |header: &Header| header.metadata().map(|entry| entry.key().to_string()).collect::<Vec<_>>();
    assert_eq!(keys(&made), keys(&expected));
    assert_eq!(made.get("general.file_type").unwrap().value().as_u64(), Some(14));
    let mut values = 0;
    for (made, expected) in made.tensors().zip(expected.tensors()) {
        let shape = |tensor: &gguf_format::TensorInfo<'_>| {
            (tensor.name().to_string(), tensor.dimension_iter().collect::<Vec<_>>())
        };
        assert_eq!(shape(&made), shape(&expected));
        // The sample has the first values in the basic type.
        let is_value = made.name().to_string().ends_with(".to_v.weight");
        values += u32::from(is_value);
        assert_eq!(made.ggml_type(), if is_value { GgmlType::Q5_K } else { expected.ggml_type() }, "{}", made.name());
    }
    assert_eq!((made.tensors().len(), values), (expected.tensors().len(), 1));
}
