//! Image models: which tensors are quantized, and to which types.
//!
//! The rules are those of ComfyUI-GGUF's `llama-quantize` (December 2025): llama.cpp b3962 with a patch.

use super::options::Options;
use super::target::Target;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::format::header::Header;
use gguf_models::architectures::architecture_info;
use gguf_models::file_types::FileTypeInfo;
use gguf_models::image::{ImageModel, any_matches};
use gguf_models::kind::{FileKind, kind_of};

/// The forms of the names of tensors that keep their type, for each family. A form is a whole name, or after `~` a part of one.
const KEPT: &[(&str, &str)] = &[
    ("flux", "~txt_in. ~img_in. ~time_in. ~vector_in. ~guidance_in. ~final_layer."),
    ("hyvid", "~txt_in. ~img_in. ~time_in. ~vector_in. ~guidance_in. ~final_layer."),
    ("sd1", UNET),
    ("sdxl", UNET),
    (
        "sd3",
        "~final_layer. ~time_text_embed. ~context_embedder. ~t_embedder. ~y_embedder. ~x_embedder. proj_out.weight pos_embed",
    ),
    (
        "aura",
        "~t_embedder. ~init_x_linear. modF.1.weight cond_seq_linear.weight final_linear.weight positional_encoding register_tokens",
    ),
    ("ltxv", "~adaln_single. ~caption_projection. ~patchify_proj. ~proj_out. ~scale_shift_table"),
    ("wan", "~modulation. ~patch_embedding. ~text_embedding. ~time_projection. ~time_embedding. ~img_emb. ~head."),
    ("hidream", "~p_embedder. ~t_embedder. ~x_embedder. ~final_layer. ~.ff_i.gate.weight ~caption_projection."),
    ("cosmos", "~p_embedder. ~t_embedder. ~t_embedding_norm. ~x_embedder. ~pos_embedder. ~final_layer."),
    ("lumina2", "~t_embedder. ~x_embedder. ~final_layer. ~cap_embedder. ~context_refiner. ~noise_refiner."),
];

/// The UNets, in both spellings of their names.
const UNET: &str = "~class_embedding. ~time_embedding. ~add_embedding. ~time_embed. ~label_emb. ~conv_in. ~conv_out. \
                    input_blocks.0.0.weight out.2.weight";

/// What llama.cpp b3962 keeps in all models.
const KEPT_IN_ALL: &str = "~_norm.weight ~ffn_gate_inp.weight ~ssm_conv1d.weight ~time_mix_first.weight ~time_mix_w1.weight \
                           ~time_mix_w2.weight ~time_mix_decay_w1.weight ~time_mix_decay_w2.weight ~attn_rel_b.weight";

/// Names that the quantizer refuses: those of a checkpoint with several parts, and of diffusers.
const REFUSED: [&str; 4] =
    ["model.diffusion_model.", "first_stage_model.", "single_transformer_blocks.", "joint_transformer_blocks."];

/// A type for the tensors of a group: the file type, how many tensors of the group it holds for, and the type.
type GroupType = (&'static str, u32, GgmlType);

const ALL: u32 = u32::MAX;

/// The groups of tensors that get another type than most: the forms of their names, and their types. The first group that a name has
/// a form of decides, and in it the first row of the file type that still holds.
const GROUPS: [(&str, &[GroupType]); 3] = [
    // The values of the attention.
    (
        "~attn_v.weight ~.to_v.weight ~.v.weight ~.attn.w1v.weight ~.attn.w2v.weight ~_attn.v_proj.weight",
        &[
            ("Q2_K", ALL, GgmlType::Q3_K),
            ("Q3_K_M", 2, GgmlType::Q5_K),
            ("Q3_K_M", ALL, GgmlType::Q4_K),
            ("Q3_K_L", ALL, GgmlType::Q5_K),
            ("Q4_K_S", 4, GgmlType::Q5_K),
            ("Q4_K_M", ALL, GgmlType::Q6_K),
            ("Q5_K_M", ALL, GgmlType::Q6_K),
        ],
    ),
    // Queries, keys and values in one tensor.
    (
        "~attn_qkv.weight ~attn.qkv.weight ~attention.qkv.weight",
        &[
            ("Q3_K_M", ALL, GgmlType::Q4_K),
            ("Q3_K_L", ALL, GgmlType::Q4_K),
            ("Q4_K_M", ALL, GgmlType::Q5_K),
            ("Q5_K_M", ALL, GgmlType::Q6_K),
        ],
    ),
    // The last projection of the feed-forward network. [`is_expert`] has another form of its names.
    (
        "~ffn_down ~.ffn.2.weight ~.ff.net.2.weight ~.mlp.layer2.weight ~.adaln_modulation_mlp.2.weight ~.feed_forward.w2.weight",
        &[
            ("Q3_K_M", ALL, GgmlType::Q4_K),
            ("Q3_K_L", ALL, GgmlType::Q5_K),
            ("Q4_K_S", ALL, GgmlType::Q5_K),
            ("Q4_K_M", ALL, GgmlType::Q6_K),
            ("Q5_K_M", ALL, GgmlType::Q6_K),
            ("Q4_0", ALL, GgmlType::Q4_1),
            ("Q5_0", ALL, GgmlType::Q5_1),
        ],
    ),
];

/// The last projection of an expert, as in HiDream.
fn is_expert(name: &[u8]) -> bool {
    any_matches("~experts.", name) && any_matches("~.w2.weight", name)
}

/// How the tensors of an image model are quantized.
#[derive(Clone, Debug)]
pub(super) struct ImageRules {
    /// The forms of the names of tensors that keep their type, besides [`KEPT_IN_ALL`]; or why the model is not quantized.
    kept: Result<&'static str>,
}

impl ImageRules {
    /// The rules for a file. `None` if it is neither an image model nor a part of one.
    pub fn of(header: &Header) -> Option<Self> {
        let architecture = header.architecture().map(|name| name.to_bytes()).unwrap_or_default();
        let kept = match kind_of(header) {
            FileKind::ImageDiffusion => kept_names(header, &architecture),
            kind @ (FileKind::Vae | FileKind::TextEncoder) if architecture_info(&architecture).is_none() => {
                Err(error!(UnsupportedModel:
                    "the file cannot be quantized: \"{}\" is what it is, and ComfyUI-GGUF's quantizer, whose rules are used for \
                     image models, takes the diffusion model only; use the file as it is", kind.title()))
            }
            _ => return None,
        };
        Some(Self { kept })
    }

    /// Why a model is not converted with these options.
    pub fn refusal(&self, options: &Options) -> Option<Error> {
        let Target::FileType(info) = options.target else { return None };
        if let Err(error) = &self.kept {
            return Some(error.clone());
        }
        // Types of later versions of llama.cpp have higher numbers.
        if info.name.starts_with("IQ") || info.id > 37 {
            return Some(error!(InvalidArgument:
                "an image model cannot be converted to {}: ComfyUI-GGUF's quantizer does not make such files; choose another file type, \
                 such as Q4_K_S", info.name));
        }
        (!options.prune_layers.is_empty()).then(|| {
            error!(InvalidArgument:
                "blocks of an image model cannot be left out: programs expect all blocks of its family; give no blocks to leave out")
        })
    }

    /// Whether the type of a tensor changes. `dimension_count` is without trailing dimensions of 1.
    pub fn is_quantized(&self, name: &[u8], dimension_count: usize) -> bool {
        let Ok(kept) = &self.kept else { return false };
        dimension_count == 2 && name.ends_with(b"weight") && !any_matches(KEPT_IN_ALL, name) && !any_matches(kept, name)
    }
}

/// The forms of the names that the family of a model keeps.
///
/// # Errors
///
/// `unsupported-model` if the quantizer has no rules for the family, or refuses the names of the tensors.
fn kept_names(header: &Header, architecture: &[u8]) -> Result<&'static str> {
    let model = ImageModel::of(header);
    let family = model.as_ref().and_then(|model| model.family);
    // ComfyUI-GGUF believes the architecture, and looks at names only without one.
    let is_known = model.as_ref().is_some_and(|model| model.is_named || model.has_comfy_names);
    let own = KEPT.iter().find(|(name, _)| match &model {
        Some(model) if model.is_named => name.as_bytes() == architecture,
        _ => is_known && family.is_some_and(|family| family.name == *name),
    });
    let is_refused =
        |part: &&&str| header.tensors().any(|tensor| super::category::contains(&tensor.name().to_bytes(), part));
    if let Some(part) = REFUSED.iter().find(is_refused) {
        return Err(error!(UnsupportedModel:
            "the image model cannot be quantized: names of tensors contain \"{part}\", and ComfyUI-GGUF's quantizer, whose rules are \
             used, takes a diffusion model alone, with the names of its original. Make such a file first, with ComfyUI-GGUF's convert.py"));
    }
    own.map(|(_, kept)| *kept).ok_or_else(|| {
        let family = family.map_or("not known", |family| family.title);
        error!(UnsupportedModel:
            "the image model cannot be quantized: its family is {family}, and ComfyUI-GGUF's quantizer has no rules for it, so it is not \
             known which tensors must keep their type. Get a file of the model with the type that you want")
    })
}

/// Chooses the types of the tensors of an image model one after the other.
#[derive(Default)]
pub(super) struct ImageMixture {
    /// How many tensors of each group came before.
    before: [u32; GROUPS.len()],
}

impl ImageMixture {
    /// The type of the next tensor.
    pub fn next(&mut self, target: &FileTypeInfo, name: &[u8]) -> GgmlType {
        let groups = GROUPS.iter().zip(&mut self.before).enumerate();
        for (place, ((forms, types), before)) in groups {
            if any_matches(forms, name) || (place == 2 && is_expert(name)) {
                let holds = |(of, count, _): &&GroupType| *of == target.name && *before < *count;
                let found = types.iter().find(holds).map(|(.., ggml_type)| *ggml_type);
                *before += 1;
                return found.unwrap_or(target.tensor_type);
            }
        }
        target.tensor_type
    }
}

/// The type that a tensor gets instead of `ggml_type`: 16-bit floats if rows of `row_length` elements are not made of whole blocks of
/// a K-quant. Other types have no replacement.
pub(super) fn fitting_type(ggml_type: GgmlType, row_length: u64) -> GgmlType {
    match ggml_type {
        GgmlType::Q2_K | GgmlType::Q3_K | GgmlType::Q4_K | GgmlType::Q5_K | GgmlType::Q6_K
            if !row_length.is_multiple_of(256) =>
        {
            GgmlType::F16
        }
        ggml_type => ggml_type,
    }
}
