//! The families, parts and variants of image models, by the names of tensors, and which programs take them.

use gguf_format::{GgmlType, Header};
use gguf_models::image::{FAMILIES, ImageModel};
use gguf_models::kind::{FileKind, classify};
use gguf_models::programs::programs;
use gguf_models::validate::LoadAnswer;

use crate::image_header::{architecture, image_header};

/// A header with an architecture, if it is not empty, and tensors: a name, and dimensions if they matter.
fn header(name: &str, tensors: &[(&str, &[u64])]) -> Header {
    image_header(architecture(name), GgmlType::F32, tensors.iter().copied())
}

fn named(names: &[&'static str], prefix: &str) -> Vec<String> {
    names.iter().map(|name| [prefix, name].concat()).collect()
}

/// The names of a family's table: those that ComfyUI-GGUF looks for, and one that stable-diffusion.cpp looks for.
const ROWS: &[(&str, &[&str], &[&str])] = &[
    ("flux", &["double_blocks.0.img_attn.proj.weight"], &["double_blocks.3.a", "double_blocks.0.img_attn.qkv.weight"]),
    ("sd3", &["joint_blocks.0.x_block.attn.qkv.weight"], &["joint_blocks.0.context_block.mlp.fc1.weight"]),
    ("aura", &["double_layers.3.modX.1.weight"], &[]),
    (
        "hidream",
        &["caption_projection.0.linear.weight", "double_stream_blocks.0.block.ff_i.shared_experts.w3.weight"],
        &[],
    ),
    (
        "cosmos",
        &["blocks.0.mlp.layer1.weight", "blocks.0.adaln_modulation_cross_attn.1.weight"],
        &["llm_adapter.blocks.0.cross_attn.q_proj.weight"],
    ),
    (
        "ltxv",
        &[
            "adaln_single.emb.timestep_embedder.linear_2.weight",
            "transformer_blocks.27.scale_shift_table",
            "caption_projection.linear_2.weight",
        ],
        &["adaln_single.emb.timestep_embedder.linear_1.bias"],
    ),
    (
        "hyvid",
        &["double_blocks.0.img_attn_proj.weight", "txt_in.individual_token_refiner.blocks.1.self_attn_qkv.weight"],
        &["txt_in.individual_token_refiner.blocks.0.adaLN_modulation.1.weight", "double_blocks.0.a"],
    ),
    (
        "wan",
        &["blocks.0.self_attn.norm_q.weight", "text_embedding.2.weight", "head.modulation"],
        &["blocks.0.cross_attn.norm_k.weight"],
    ),
    ("sdxl", &["down_blocks.0.downsamplers.0.conv.weight", "add_embedding.linear_1.weight"], &[]),
    (
        "sdxl",
        &[
            "input_blocks.3.0.op.weight",
            "input_blocks.6.0.op.weight",
            "output_blocks.2.2.conv.weight",
            "output_blocks.5.2.conv.weight",
        ],
        &[],
    ),
    ("sdxl", &["label_emb.0.0.weight"], &[]),
    ("sd1", &["down_blocks.0.downsamplers.0.conv.weight"], &[]),
    (
        "sd1",
        &[
            "input_blocks.3.0.op.weight",
            "input_blocks.6.0.op.weight",
            "input_blocks.9.0.op.weight",
            "output_blocks.2.1.conv.weight",
            "output_blocks.5.2.conv.weight",
            "output_blocks.8.2.conv.weight",
        ],
        &[],
    ),
    ("lumina2", &["cap_embedder.1.weight", "context_refiner.0.attention.qkv.weight"], &[]),
    ("z-image", &[], &["cap_embedder.0.weight"]),
    ("qwen_image", &[], &["transformer_blocks.0.img_mod.1.weight"]),
];

#[test]
fn a_family_is_known_by_all_of_its_names() {
    for (family, comfy, stable) in ROWS {
        for (names, prefix) in [(comfy, ""), (stable, ""), (comfy, "model.diffusion_model."), (stable, "unet.")] {
            let names = named(names, prefix);
            let tensors: Vec<(&str, &[u64])> = names.iter().map(|name| (name.as_str(), &[][..])).collect();
            // Only stable-diffusion.cpp writes the prefix, and it knows no Lumina 2.
            if tensors.is_empty() || *family == "lumina2" && !prefix.is_empty() {
                continue;
            }
            for architecture in ["", "pig", "cow"] {
                let header = header(architecture, &tensors);
                let found = classify(&header);
                assert_eq!(found.kind, FileKind::ImageDiffusion, "{names:?}");
                assert_eq!(found.family.as_deref(), Some(*family), "{names:?}");
                assert!(!found.evidence.is_empty());
            }
            // Each of the names alone is not enough, if ComfyUI-GGUF looks for all.
            if names.len() > 1 && prefix.is_empty() && !names[0].starts_with("input_blocks") {
                for left_out in 0..names.len() {
                    let mut some = tensors.clone();
                    some.remove(left_out);
                    let model = ImageModel::of(&header("", &some));
                    let is_known = model.is_some_and(|model| model.family.is_some_and(|known| known.name == *family));
                    let is_known_alone = stable.iter().any(|name| some.iter().any(|(own, _)| own.ends_with(name)))
                        || family == &"hyvid" && *names != named(comfy, "");
                    assert!(!is_known || is_known_alone, "{family} by {some:?}");
                }
            }
        }
    }
    let known: Vec<_> = FAMILIES.iter().map(|family| family.name).filter(|name| *name != "sd2").collect();
    assert!(known.iter().all(|name| ROWS.iter().any(|(family, ..)| family == name)));
}

fn family_of(architecture: &str, tensors: &[(&str, &[u64])]) -> Option<&'static str> {
    ImageModel::of(&header(architecture, tensors)).unwrap().family.map(|family| family.name)
}

#[test]
fn widths_tell_families_with_the_same_names_apart() {
    const INPUT: (&str, &[u64]) = ("model.diffusion_model.input_blocks.0.0.weight", &[3, 3, 4, 320]);
    let attention = "model.diffusion_model.input_blocks.1.1.transformer_blocks.0.attn2.to_k.weight";
    for (width, family) in [(768, Some("sd1")), (1024, Some("sd2")), (2048, Some("sdxl")), (640, None)] {
        assert_eq!(family_of("", &[INPUT, (attention, &[width, 320])]), family);
        let embedding = "cond_stage_model.transformer.text_model.embeddings.token_embedding.weight";
        if width < 2048 {
            assert_eq!(family_of("", &[INPUT, (embedding, &[width, 10])]), family);
        }
    }
    let second = ("conditioner.embedders.1.model.token_embedding.weight", &[1280, 10][..]);
    assert_eq!(family_of("", &[INPUT, second]), Some("sdxl"));
    let lumina = |width| [("cap_embedder.0.weight", &[][..]), ("x_embedder.weight", width)];
    for architecture in ["", "lumina2"] {
        assert_eq!(family_of(architecture, &lumina(&[64, 2304])), Some("lumina2"));
        assert_eq!(family_of(architecture, &lumina(&[64, 3840])), Some("z-image"));
    }
}

#[test]
fn blocks_are_counted_if_none_is_missing() {
    let blocks = |names: &[&str]| {
        let mut tensors: Vec<(&str, &[u64])> = names.iter().map(|name| (*name, &[][..])).collect();
        tensors.push(("double_blocks.0.img_attn.proj.weight", &[]));
        classify(&header("flux", &tensors)).blocks
    };
    assert_eq!(blocks(&[]), Some(1));
    assert_eq!(blocks(&["double_blocks.1.a", "double_blocks.1.b", "single_blocks.0.a", "other.7.a"]), Some(3));
    assert_eq!(blocks(&["double_blocks.2.a"]), None);
    assert_eq!(blocks(&["single_blocks.1.a"]), None);
    assert_eq!(classify(&header("sd1", &[("input_blocks.0.0.weight", &[])])).blocks, None);
}

#[test]
fn variants_are_those_of_the_shapes() {
    let variant = |architecture: &str, tensors: &[(&str, &[u64])]| {
        ImageModel::of(&header(architecture, tensors)).unwrap().variant
    };
    let image = |width: &'static [u64]| ("img_in.weight", width);
    assert_eq!(variant("flux", &[image(&[64, 3072])]), Some("schnell"));
    assert_eq!(variant("flux", &[image(&[64, 3072]), ("guidance_in.in_layer.weight", &[])]), Some("dev"));
    assert_eq!(variant("flux", &[image(&[384, 3072])]), Some("Fill"));
    assert_eq!(variant("flux", &[image(&[196, 3072])]), Some("Flex.2"));
    assert_eq!(variant("flux", &[("a", &[])]), None);
    let modulation = ("double_stream_modulation_img.lin.weight", &[][..]);
    assert_eq!(variant("flux", &[modulation]), Some("FLUX.2 Klein"));
    assert_eq!(variant("flux", &[modulation, ("single_blocks.47.linear1.weight", &[])]), Some("FLUX.2"));
    // The fifth dimension is folded into the fourth, or not.
    assert_eq!(variant("wan", &[("patch_embedding.weight", &[2, 2, 1, 184_320])]), Some("2.2, image to video"));
    assert_eq!(variant("wan", &[("patch_embedding.weight", &[2, 2, 1, 36, 5120])]), Some("2.2, image to video"));
    assert_eq!(variant("wan", &[("patch_embedding.weight", &[2, 2, 1, 16, 5120])]), None);
    assert_eq!(variant("sd1", &[("input_blocks.0.0.weight", &[3, 3, 9, 320])]), Some("inpainting"));
    assert_eq!(variant("sdxl", &[("input_blocks.0.0.weight", &[3, 3, 4, 320])]), None);
    assert_eq!(variant("sdxl", &[("middle_block.0.a", &[])]), Some("Vega"));
    assert_eq!(variant("sdxl", &[("middle_block.0.a", &[]), ("middle_block.1.a", &[])]), None);
}

#[test]
fn parts_alone_have_kinds_of_their_own() {
    let kind = |architecture: &str, name: &str| {
        let found = classify(&header(architecture, &[(name, &[])]));
        (found.kind, found.family.unwrap_or_default())
    };
    let (t5, clip) =
        ("encoder.block.0.layer.0.SelfAttention.q.weight", "text_model.encoder.layers.0.self_attn.q_proj.weight");
    for architecture in ["", "pig", "cow"] {
        for name in ["first_stage_model.decoder.conv_in.weight", "vae.encoder.conv_in.weight", "decoder.conv_in.weight"]
        {
            assert_eq!(kind(architecture, name), (FileKind::Vae, String::new()), "{name}");
        }
        assert_eq!(kind(architecture, t5), (FileKind::TextEncoder, "t5".into()));
        assert_eq!(kind(architecture, clip), (FileKind::TextEncoder, "clip".into()));
    }
    assert_eq!(kind("", "text_encoders.t5xxl.transformer.shared.weight").1, "t5");
    assert_eq!(kind("", "cond_stage_model.transformer.text_model.final_layer_norm.weight").1, "clip");
    assert_eq!(kind("", "text_encoders.llm.model.norm.weight"), (FileKind::TextEncoder, String::new()));
    assert_eq!(kind("pig", "enc.blk.0.attn_q.weight"), (FileKind::TextEncoder, "t5".into()));
    // A whole T5, as candle writes it, is a model.
    let whole = header("", &[(t5, &[]), ("decoder.block.0.layer.0.SelfAttention.q.weight", &[])]);
    assert_eq!(classify(&whole).kind, FileKind::Model);
    let both = header("", &[(clip, &[]), ("vision_model.encoder.layers.0.self_attn.q_proj.weight", &[])]);
    assert_eq!(classify(&both).kind, FileKind::Clip);
    for name in [
        "model.layers.0.self_attn.q_proj.weight",
        "transformer.h.0.attn.c_attn.weight",
        "bert.encoder.layer.0.attention.a",
    ] {
        assert_eq!(kind("", name).0, FileKind::Model, "{name}");
        assert_eq!(kind("llama9", name).0, FileKind::Unknown, "{name}");
    }
}

#[test]
fn programs_follow_the_names_and_the_architecture() {
    let answer = |header: &Header, program: &str| {
        let found = programs(header, None).programs.into_iter().find(|answer| answer.program == program);
        found.map_or(LoadAnswer::No, |answer| answer.answer)
    };
    let comfy = |architecture: &str, name: &str| answer(&header(architecture, &[(name, &[])]), "ComfyUI-GGUF");
    assert_eq!(comfy("flux", "a"), LoadAnswer::Yes);
    assert_eq!(comfy("", "double_blocks.0.img_attn.proj.weight"), LoadAnswer::Yes);
    assert_eq!(comfy("", "unet.double_blocks.0.img_attn.proj.weight"), LoadAnswer::Unknown);
    assert_eq!(comfy("qwen_image", "transformer_blocks.0.attn.add_q_proj.weight"), LoadAnswer::Yes);
    assert_eq!(comfy("", "transformer_blocks.0.img_mod.1.weight"), LoadAnswer::No);
    assert_eq!(comfy("flux2x", "double_blocks.0.img_attn.proj.weight"), LoadAnswer::No);
    assert_eq!(comfy("pig", "decoder.conv_in.weight"), LoadAnswer::No);
    assert_eq!(comfy("t5encoder", "enc.blk.0.attn_q.weight"), LoadAnswer::Yes);

    let stable = |architecture: &str, name: &str| answer(&header(architecture, &[(name, &[])]), "stable-diffusion.cpp");
    assert_eq!(stable("wan", "blocks.0.self_attn.q.weight"), LoadAnswer::Yes);
    for (architecture, name) in [("aura", "a"), ("hidream", "a"), ("cosmos", "a"), ("llama", "blk.0.a")] {
        let expected = if architecture == "llama" { LoadAnswer::Yes } else { LoadAnswer::No };
        assert_eq!(stable(architecture, name), expected, "{architecture}");
    }
    assert_eq!(stable("", "first_stage_model.decoder.conv_in.weight"), LoadAnswer::Yes);
}

#[test]
fn the_sentence_says_what_the_file_is_and_who_loads_it() {
    let sentence = |header: &Header| programs(header, None).sentence;
    assert_eq!(
        sentence(&header("flux", &[("double_blocks.0.img_attn.proj.weight", &[])])),
        "Image model, flux. ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not."
    );
    assert_eq!(
        sentence(&header("sdxl", &[("input_blocks.0.0.weight", &[3, 3, 9, 320])])),
        "Image model, sdxl (Stable Diffusion XL, inpainting). ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not."
    );
    assert_eq!(
        sentence(&header("pig", &[("decoder.conv_in.weight", &[])])),
        "Image autoencoder (VAE). stable-diffusion.cpp and ComfyUI gguf node (calcuis) load it; llama.cpp does not."
    );
    assert_eq!(
        sentence(&header("", &[("model.layers.0.self_attn.q_proj.weight", &[])])),
        "Model with the names of Hugging Face and no metadata. candle loads it; llama.cpp does not."
    );
    assert_eq!(
        sentence(&header("gemma3", &[("token_embd.weight", &[]), ("v.patch_embd.weight", &[])])),
        "Model, gemma3 with encoders in the same file. Ollama loads it; llama.cpp does not."
    );
    assert_eq!(sentence(&header("", &[("a", &[])])), "File of an unknown kind. llama.cpp does not load it.");
}

#[test]
fn a_damaged_file_is_loaded_by_no_program() {
    let header = header("flux", &[("double_blocks.0.img_attn.proj.weight", &[64, 64])]);
    let size = gguf_format::tensor::extents::required_size(&header).unwrap();
    let answers = |file_size| {
        let found = programs(&header, Some(file_size));
        let own: Vec<_> = found.programs.iter().map(|answer| (answer.program, answer.answer)).collect();
        (own.iter().any(|(_, answer)| *answer == LoadAnswer::Yes), found.sentence)
    };
    assert!(answers(size).0);
    let (is_loaded, sentence) = answers(size - 100);
    assert!(!is_loaded);
    assert_eq!(sentence, "Image model, flux. llama.cpp does not load it.");
    let found = programs(&header, Some(size - 100));
    let reason = found.programs[1].reason.as_deref().unwrap();
    assert!(reason.starts_with("The file is damaged: the file has"), "{reason}");
}

#[test]
fn very_long_names_are_of_no_form() {
    let name = "double_blocks.0.img_attn.proj.weight".repeat(1 << 17);
    assert_eq!(ImageModel::of(&header("", &[(&name, &[])])), None);
}
