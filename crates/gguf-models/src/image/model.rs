//! The family of an image model, its variant and its blocks.

use alloc::{borrow::Cow, vec::Vec};

use super::blocks::Lists;
use super::families::{FAMILIES, ImageFamily, family_named, is_image_architecture};
use super::original_shape::{original_shape, tensor_of_key};
use super::parts::{ModelPart, parts_of};
use super::pattern::{Matches, any_matches, matches, short_name};
use crate::decimal::split_decimal;
use crate::evidence::Evidence;
use gguf_format::format::header::{Header, TensorInfo};

/// What the names of the diffusion model begin with in a file that has several parts: as in checkpoints of Stable Diffusion, and in the
/// spelling of diffusers.
const PREFIXES: [&str; 2] = ["model.diffusion_model.", "unet."];

/// Names by which ComfyUI-GGUF refuses a model in diffusers' spelling, if the file has no architecture.
const DIFFUSERS: &str = "transformer_blocks.0.attn.norm_added_k.weight transformer_blocks.0.attn.add_q_proj.weight \
                         joint_transformer_blocks.3.ff_context.out_projection.weight";

/// Architectures that say only which tool wrote the file.
const TOOLS: [&[u8]; 2] = [b"pig", b"cow"];

/// An image or video model: a file with a diffusion model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageModel {
    /// The family. `None` if the names of the tensors do not tell it.
    pub family: Option<&'static ImageFamily>,
    /// The variant of the family, if it is certain: `dev`, `inpainting`.
    pub variant: Option<&'static str>,
    /// The number of repeated blocks that the file has, summed over the lists of the family. `None` for a UNet, and if a number is
    /// missing.
    pub blocks: Option<u64>,
    /// The parts of the model that the file has.
    pub parts: Vec<ModelPart>,
    /// What the names of the diffusion model begin with. Empty if they are bare.
    pub prefix: &'static str,
    /// Whether `general.architecture` names the family, so that ComfyUI-GGUF does not look at names of tensors.
    #[doc(hidden)]
    pub is_named: bool,
    /// Whether ComfyUI-GGUF knows a family by the names of tensors.
    #[doc(hidden)]
    pub has_comfy_names: bool,
    /// Whether stable-diffusion.cpp knows the family by the names of tensors, and can read all shapes.
    pub(crate) is_for_stable_diffusion: bool,
    /// Whether ComfyUI-GGUF takes the names for those of diffusers, and refuses them.
    pub(crate) is_in_spelling_of_diffusers: bool,
    pub(crate) evidence: Vec<Evidence>,
}

/// The names of the diffusion model in a header.
struct Names<'a> {
    header: &'a Header,
    prefix: &'static str,
    /// The tensors of the diffusion model: their positions, and their names after the prefix. Many forms are looked for, so the names are
    /// read once.
    all: Vec<(usize, Cow<'a, [u8]>)>,
}

impl<'a> Names<'a> {
    fn of(header: &'a Header) -> Self {
        let named = header.tensors().filter_map(|tensor| Some((tensor.index(), short_name(&tensor)?)));
        let mut all: Vec<(usize, Cow<'_, [u8]>)> = named.collect();
        let begins = |prefix: &&str| all.iter().any(|(_, name)| name.starts_with(prefix.as_bytes()));
        let prefix = PREFIXES.into_iter().find(begins).unwrap_or_default();
        if !prefix.is_empty() {
            all.retain(|(_, name)| name.starts_with(prefix.as_bytes()));
            for (_, name) in &mut all {
                *name = name[prefix.len()..].to_vec().into();
            }
        }
        Self { header, prefix, all }
    }

    /// The tensor of a name after the prefix.
    fn tensor(&self, name: &str) -> Option<TensorInfo<'a>> {
        self.header.tensor([self.prefix, name].concat())
    }

    /// The tensors whose names after the prefix have one of the forms.
    fn matching(&self, forms: &str) -> Matches {
        let mut found = Matches::default();
        for (index, _) in self.all.iter().filter(|(_, name)| any_matches(forms, name)) {
            found.add(*index);
        }
        found
    }

    /// The dimensions of the first tensor whose name has a form, as they were before the file was made.
    fn shape(&self, form: &str) -> Option<Vec<u64>> {
        let (index, _) = self.all.iter().find(|(_, name)| matches(form, name))?;
        let tensor = self.header.tensor_at(*index)?;
        let own = || tensor.dimension_iter().collect();
        Some(original_shape(self.header, &tensor.name().to_bytes()).unwrap_or_else(own))
    }

    /// A dimension of that tensor. The last one that is asked for has all further ones folded into it.
    fn extent(&self, form: &str, index: usize) -> Option<u64> {
        let shape = self.shape(form)?;
        let rest = shape.get(index..).filter(|rest| !rest.is_empty())?;
        if index < 3 { rest.first().copied() } else { super::original_shape::product(rest) }
    }

    /// The width of a Lumina 2, 2304, or of a Z-Image, 3840.
    fn lumina_width(&self) -> Option<u64> {
        self.extent("x_embedder.weight", 1).or_else(|| self.extent("cap_embedder.1.weight", 1))
    }

    /// The first of the alternatives of names by which ComfyUI-GGUF knows a family that is there as a whole: its first tensor.
    fn comfy(&self, family: &ImageFamily) -> Option<Matches> {
        let whole = |names: &&str| !names.is_empty() && names.split(' ').all(|name| self.tensor(name).is_some());
        let names = family.comfy.split('|').find(whole)?;
        let first = names.split(' ').next().and_then(|name| self.tensor(name))?.index();
        Some(Matches { first, count: 1 })
    }
}

/// A variant: its family, the form of a name that only it has, and the dimension and extent of that tensor. Extent 0: any.
struct Variant(&'static str, &'static str, usize, u64, &'static str);

/// The first row that holds is that of the variant.
const VARIANTS: &[Variant] = &[
    Variant("flux", "single_blocks.47.linear1.weight", 0, 0, "FLUX.2"),
    Variant("flux", "double_stream_modulation_img.lin.weight", 0, 0, "FLUX.2 Klein"),
    Variant("flux", "double_blocks.0.img_mlp.gate_proj.weight", 0, 0, "Ovis"),
    Variant("flux", "^distilled_guidance_layer.", 0, 0, "Chroma"),
    Variant("flux", "img_in.weight", 0, 384, "Fill"),
    Variant("flux", "img_in.weight", 0, 128, "Controls"),
    Variant("flux", "img_in.weight", 0, 196, "Flex.2"),
    Variant("flux", "txt_in.weight", 0, 3584, "LongCat"),
    Variant("flux", "^context_embedder.", 0, 3584, "LongCat"),
    Variant("flux", "^guidance_in.", 0, 0, "dev"),
    Variant("flux", "img_in.weight", 0, 0, "schnell"),
    Variant("wan", "^img_emb.", 0, 0, "image to video"),
    Variant("wan", "patch_embedding.weight", 3, 184_320, "2.2, image to video"),
    Variant("wan", "patch_embedding.weight", 3, 147_456, "2.2, text and image to video"),
    Variant("cosmos", "~llm_adapter.blocks.", 0, 0, "Anima"),
    Variant("qwen_image", "time_text_embed.addition_t_embedding.weight", 0, 0, "Layered"),
    Variant("qwen_image", "img_in.weight", 0, 128, "Mage Flow"),
    Variant("", "input_blocks.0.0.weight", 2, 9, "inpainting"),
    Variant("", "conv_in.weight", 2, 9, "inpainting"),
    Variant("", "input_blocks.0.0.weight", 2, 8, "InstructPix2Pix"),
    Variant("", "conv_in.weight", 2, 8, "InstructPix2Pix"),
];

impl ImageModel {
    /// The image or video model that a file has. `None` if nothing in the header says that there is one.
    ///
    /// The family is what `general.architecture` says, if ComfyUI-GGUF believes it. Else it is found by the names of tensors: first by the
    /// names that ComfyUI-GGUF looks for, then by those of stable-diffusion.cpp. Takes time in proportion to the number of tensors.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::{Format, write::encode::Encoder};
    /// use gguf_models::image::ImageModel;
    ///
    /// let mut file = Encoder::new(Format::default());
    /// file.header(2, 0);
    /// file.tensor_info(b"model.diffusion_model.double_blocks.0.img_attn.proj.weight", &[64, 64], 0, 0);
    /// file.tensor_info(b"first_stage_model.decoder.conv_in.weight", &[3, 3, 4, 32], 0, 16384);
    ///
    /// let model = ImageModel::of(&gguf_format::parse(file.as_bytes())?).unwrap();
    /// assert_eq!(model.family.map(|family| family.name), Some("flux"));
    /// assert_eq!(model.blocks, Some(1));
    /// assert_eq!(model.parts.iter().map(|part| part.name()).collect::<Vec<_>>(), ["diffusion", "vae"]);
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub fn of(header: &Header) -> Option<Self> {
        let entry = header.get("general.architecture");
        let architecture = entry.and_then(|entry| entry.value().as_str()).map(|name| name.to_bytes());
        let named = architecture.as_deref().filter(|name| is_image_architecture(name));
        let named = named.and_then(|name| core::str::from_utf8(name).ok()).and_then(family_named);
        let is_named = named.is_some();
        let names = Names::of(header);
        let reshaped = header.metadata().find(|entry| tensor_of_key(&entry.key().to_bytes()).is_some());
        let comfy = FAMILIES.iter().find_map(|family| Some((family, names.comfy(family)?)));
        let by_form = |family: &'static ImageFamily| Some((family, names.matching(family.stable_diffusion)));
        let known = FAMILIES.iter().filter(|family| !family.stable_diffusion.is_empty());
        let stable = known.filter_map(by_form).find(|(_, found)| found.count > 0);
        let by_names = comfy.or(stable);

        let mut evidence = Vec::new();
        evidence.extend(entry.filter(|_| is_named).map(|entry| Evidence::Entry { index: entry.index() }));
        if !is_named {
            let prefixed = Matches::of(header, ["^", names.prefix].concat().as_str());
            let tensors = by_names.map(|(_, found)| found).or_else(|| (!names.prefix.is_empty()).then_some(prefixed));
            evidence.extend(tensors.and_then(Matches::evidence));
        }
        if evidence.is_empty() {
            evidence.extend(reshaped.as_ref().map(|entry| Evidence::Entry { index: entry.index() }));
        }
        if evidence.is_empty() {
            return None;
        }
        let mut parts: Vec<_> = parts_of(header).into_iter().map(|(part, _)| part).collect();
        if parts.first() != Some(&ModelPart::Diffusion) {
            parts.insert(0, ModelPart::Diffusion);
        }
        let is_certain = is_named || comfy.is_some();
        let family = refined(&names, named.or_else(|| Some(by_names?.0)), is_certain, &parts);
        if family.is_some_and(|family| family.name == "sd2") {
            let clip = parts.iter_mut().filter(|part| **part == ModelPart::ClipL);
            clip.for_each(|part| *part = ModelPart::Clip);
        }
        let is_for_stable_diffusion =
            reshaped.is_none() && family.is_some_and(|family| is_for_stable_diffusion(&names, family, is_certain));
        Some(Self {
            family,
            variant: family.and_then(|family| variant(&names, family)),
            blocks: family.and_then(|family| block_count(&names, family)),
            parts,
            prefix: names.prefix,
            is_named,
            // ComfyUI-GGUF cuts only the first prefix.
            has_comfy_names: comfy.is_some() && names.prefix != "unet.",
            is_for_stable_diffusion,
            is_in_spelling_of_diffusers: DIFFUSERS.split(' ').any(|name| names.tensor(name).is_some()),
            evidence,
        })
    }
}

/// Whether stable-diffusion.cpp knows a family. `is_certain`: the architecture or the names by which ComfyUI-GGUF knows it say so.
fn is_for_stable_diffusion(names: &Names<'_>, family: &ImageFamily, is_certain: bool) -> bool {
    // It takes a Lumina 2 for a Z-Image, whose width is another one.
    let forms = match family.name {
        "lumina2" if names.lumina_width() != Some(2304) => "~cap_embedder.0.weight",
        _ => family.stable_diffusion,
    };
    // It knows the spelling of diffusers by the prefix only.
    let has_spelling =
        !family.lists.is_empty() || !names.prefix.is_empty() || names.matching("^input_blocks.").count > 0;
    // Of these families, it knows some models only.
    let is_known = is_certain && !matches!(family.name, "cosmos" | "ltxv" | "lumina2");
    !forms.is_empty() && has_spelling && (is_known || names.matching(forms).count > 0)
}

/// Whether the architecture says only which tool wrote the file.
pub(crate) fn is_of_tool(architecture: &[u8]) -> bool {
    TOOLS.contains(&architecture)
}

/// The family, by the widths of tensors where several families have the same names. `is_certain`: the names or the architecture are those
/// of this family among UNets.
fn refined(
    names: &Names<'_>,
    family: Option<&'static ImageFamily>,
    is_certain: bool,
    parts: &[ModelPart],
) -> Option<&'static ImageFamily> {
    let found = family?;
    if found.lists.is_empty() {
        // The width of what attention reads: the text encoders' together.
        let width = names.extent("~attn2.to_k.weight", 0).or_else(|| {
            let mut embeddings = names.header.tensors().filter(|tensor| {
                parts.iter().any(|part| part.is_text_encoder())
                    && matches("~token_embedding.weight", &tensor.name().to_bytes())
            });
            embeddings.next()?.dimension_iter().next()
        });
        return match width {
            _ if parts.contains(&ModelPart::ClipG) => family_named("sdxl"),
            Some(768) => family_named("sd1"),
            Some(1024) => family_named("sd2"),
            Some(2048) => family_named("sdxl"),
            _ => family.filter(|_| is_certain),
        };
    }
    if matches!(found.name, "lumina2" | "z-image") {
        return match names.lumina_width() {
            Some(2304) => family_named("lumina2"),
            Some(3840) => family_named("z-image"),
            // Only stable-diffusion.cpp writes the prefix, and it knows only Z-Image.
            _ if !names.prefix.is_empty() => family_named("z-image"),
            _ => family,
        };
    }
    family
}

fn variant(names: &Names<'_>, family: &ImageFamily) -> Option<&'static str> {
    let is_unet = family.lists.is_empty();
    let holds = |Variant(of, form, index, extent, _): &&Variant| {
        let is_of_family = *of == family.name || of.is_empty() && is_unet;
        is_of_family && names.extent(form, *index).is_some_and(|found| *extent == 0 || found == *extent)
    };
    if let Some(Variant(.., title)) = VARIANTS.iter().find(holds) {
        return Some(title);
    }
    // The middle of these has no attention.
    let has_middle = |form| names.matching(form).count > 0;
    if family.name == "sdxl" && has_middle("^middle_block.0.") && !has_middle("^middle_block.1.") {
        let is_ssd = names.matching("~output_blocks.3.1.transformer_blocks.1.").count > 0;
        return Some(if is_ssd { "SSD-1B" } else { "Vega" });
    }
    None
}

/// The number of blocks in the lists of a family. `None` if a list has a gap, or if there is none.
fn block_count(names: &Names<'_>, family: &ImageFamily) -> Option<u64> {
    let mut lists = Lists::default();
    for (_, name) in &names.all {
        let mut parts = name.split(|byte| *byte == b'.');
        let list = parts.next().unwrap_or_default();
        let number = parts.next().and_then(split_decimal).filter(|(_, rest)| rest.is_empty());
        if let Some((number, _)) = number
            && family.lists.split(' ').any(|own| own.as_bytes() == list)
        {
            lists.add(list, number);
        }
    }
    lists.sum()
}
