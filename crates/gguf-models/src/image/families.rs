//! The families of image and video models, in one table.

use gguf_declare::result;

result! {
    /// A family of image or video models.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ImageFamily {
        /// The name for programs. It is what ComfyUI-GGUF writes as `general.architecture`, if it has a name for the family.
        pub name: &'static str,
        /// The name for people.
        pub title: &'static str,
        /// Whether the models make films.
        pub is_video: bool,
        /// The lists of repeated blocks, with a space between them. Empty for a UNet, which has stages.
        #[rust]
        pub(crate) lists: &'static str,
        /// The names by which ComfyUI-GGUF knows the family: alternatives with `|` between them, of each of which all names must be there.
        #[rust]
        pub(crate) comfy: &'static str,
        /// The form of names by which stable-diffusion.cpp knows the family. Empty if it does not load it.
        #[rust]
        pub(crate) stable_diffusion: &'static str,
    }
}

macro_rules! families {
    ($($name:literal $title:literal $is_video:literal $lists:literal $comfy:literal $stable_diffusion:literal;)*) => {
        /// Every family. ComfyUI-GGUF takes the first one whose names are there. The names by which stable-diffusion.cpp knows a family
        /// can be those of a later one, too.
        pub const FAMILIES: &[ImageFamily] = &[$(ImageFamily {
            name: $name,
            title: $title,
            is_video: $is_video,
            lists: $lists,
            comfy: $comfy,
            stable_diffusion: $stable_diffusion,
        },)*];
    };
}

families! {
    "hyvid" "HunyuanVideo" true "double_blocks single_blocks"
        "double_blocks.0.img_attn_proj.weight txt_in.individual_token_refiner.blocks.1.self_attn_qkv.weight"
        "~txt_in.individual_token_refiner.blocks.0.adaLN_modulation.1.weight";
    "flux" "Flux" false "double_blocks single_blocks"
        "double_blocks.0.img_attn.proj.weight"
        "~double_blocks. ~single_transformer_blocks.";
    "sd3" "Stable Diffusion 3" false "joint_blocks"
        "joint_blocks.0.x_block.attn.qkv.weight"
        "~joint_blocks.";
    "aura" "AuraFlow" false "double_layers single_layers"
        "double_layers.3.modX.1.weight"
        "";
    "hidream" "HiDream" false "double_stream_blocks single_stream_blocks"
        "caption_projection.0.linear.weight double_stream_blocks.0.block.ff_i.shared_experts.w3.weight"
        "";
    "cosmos" "Cosmos Predict2" true "blocks"
        "blocks.0.mlp.layer1.weight blocks.0.adaln_modulation_cross_attn.1.weight"
        "~llm_adapter.blocks.0.cross_attn.q_proj.weight";
    "ltxv" "LTX-Video" true "transformer_blocks"
        "adaln_single.emb.timestep_embedder.linear_2.weight transformer_blocks.27.scale_shift_table caption_projection.linear_2.weight"
        "~adaln_single.emb.timestep_embedder.linear_1.bias";
    "wan" "Wan" true "blocks"
        "blocks.0.self_attn.norm_q.weight text_embedding.2.weight head.modulation"
        "~blocks.0.cross_attn.norm_k.weight";
    "sdxl" "Stable Diffusion XL" false ""
        "down_blocks.0.downsamplers.0.conv.weight add_embedding.linear_1.weight|input_blocks.3.0.op.weight \
         input_blocks.6.0.op.weight output_blocks.2.2.conv.weight output_blocks.5.2.conv.weight|label_emb.0.0.weight"
        "^input_blocks. ^down_blocks.";
    "sd1" "Stable Diffusion 1" false ""
        "down_blocks.0.downsamplers.0.conv.weight|input_blocks.3.0.op.weight input_blocks.6.0.op.weight \
         input_blocks.9.0.op.weight output_blocks.2.1.conv.weight output_blocks.5.2.conv.weight output_blocks.8.2.conv.weight"
        "^input_blocks. ^down_blocks.";
    "sd2" "Stable Diffusion 2" false "" "" "^input_blocks. ^down_blocks.";
    "lumina2" "Lumina 2" false "layers"
        "cap_embedder.1.weight context_refiner.0.attention.qkv.weight"
        "";
    "z-image" "Z-Image" false "layers" "" "~cap_embedder.0.weight";
    "qwen_image" "Qwen-Image" false "transformer_blocks" "" "~transformer_blocks.0.img_mod.1.weight";
}

/// The family of a name.
pub(crate) fn family_named(name: &str) -> Option<&'static ImageFamily> {
    FAMILIES.iter().find(|family| family.name == name)
}

impl ImageFamily {
    /// What ComfyUI-GGUF writes and takes as `general.architecture`. Some families have none of their own.
    pub(crate) fn architecture(&self) -> &'static str {
        match self.name {
            "sd2" => "sd1",
            "z-image" => "lumina2",
            name => name,
        }
    }
}

/// Whether ComfyUI-GGUF takes a value of `general.architecture` as that of an image model. No language model has these names.
pub(crate) fn is_image_architecture(name: &[u8]) -> bool {
    // ComfyUI-GGUF has no names for these families.
    !matches!(name, b"sd2" | b"z-image") && FAMILIES.iter().any(|family| family.name.as_bytes() == name)
}
