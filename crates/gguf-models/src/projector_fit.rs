//! Whether a multimodal projector belongs to a model of text.
//!
//! llama.cpp takes a projector if its embeddings are as long as those that the model reads (`tools/mtmd`, October 2026). A projector of
//! another model of the same length is taken too, and gives nonsense: so the kinds that belong to certain architectures are checked as well.

use alloc::string::String;

use crate::file_kinds::FileKind;
use crate::kind::classify;
use crate::validate::LoadAnswer;
use gguf_declare::result;
use gguf_format::error::shown::{Shown, bounded};
use gguf_format::format::header::Header;

result! {
    /// Whether a projector belongs to a model of text.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ProjectorFit {
        /// `unknown`: a header is not complete, or the kind of the projector is not known.
        pub answer: LoadAnswer,
        /// The answer and the reason as sentences for people: `The projector fits the model: its embeddings have 4096 numbers, as many as the model reads.`
        pub sentence: String,
    }
}

/// A kind of projectors.
struct Kind {
    /// The value of `clip.projector_type`, or of `clip.vision.projector_type`.
    name: &'static str,
    /// The last tensors, of which the first one that the file has counts, and the dimension with the length of an embedding.
    ends: &'static [(&'static str, usize)],
    /// The architectures of its models. Empty if they can be of any.
    architectures: &'static [&'static str],
}

const fn kind(name: &'static str, ends: &'static [(&'static str, usize)]) -> Kind {
    Kind { name, ends, architectures: &[] }
}

impl Kind {
    const fn of(self, architectures: &'static [&'static str]) -> Self {
        Self { architectures, ..self }
    }
}

const LINEAR: &[(&str, usize)] = &[("mm.2.weight", 1)];
const BIAS: &[(&str, usize)] = &[("mm.2.bias", 0)];
const SINGLE: &[(&str, usize)] = &[("mm.model.fc.weight", 1)];
const SOUND: &[(&str, usize)] = &[("mm.a.mlp.2.weight", 1)];
const THIRD: &[(&str, usize)] = &[("mm.model.mlp.3.weight", 1)];
const INPUT: &[(&str, usize)] = &[("mm.input_projection.weight", 1)];
const SOUND_INPUT: &[(&str, usize)] = &[("mm.a.input_projection.weight", 1)];
const TURNED_INPUT: &[(&str, usize)] = &[("mm.input_projection.weight", 0)];
const SOUND_SINGLE: &[(&str, usize)] = &[("mm.a.fc.weight", 1)];
const DOWN: &[(&str, usize)] = &[("mm.down.weight", 1)];

/// The projector whose embeddings have further parts, for blocks of the model.
const WITH_PARTS: &str = "qwen3vl_merger";

/// The kinds whose last tensors are known.
const KINDS: &[Kind] = &[
    kind("mlp", &[("mm.3.bias", 0), ("mm.2.weight", 1)]),
    kind("ldp", &[("mm.model.mb_block.1.block.2.1.bias", 0)]),
    kind("ldpv2", &[("mm.model.peg.0.bias", 0)]),
    kind("resampler", &[("resampler.proj.weight", 0)]),
    kind("adapter", &[("adapter.linear.dense_4h_to_h.weight", 1)]),
    kind("qwen2vl_merger", BIAS).of(&["qwen2vl"]),
    kind("qwen2.5vl_merger", BIAS).of(&["qwen2vl"]),
    kind("qwen2.5o", &[("mm.2.bias", 0), ("mm.a.fc.weight", 1)]).of(&["qwen2vl"]),
    kind(WITH_PARTS, BIAS).of(&["qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"]),
    kind("gemma3", TURNED_INPUT).of(&["gemma3"]),
    kind("gemma3nv", TURNED_INPUT).of(&["gemma3n"]),
    kind("gemma4v", INPUT).of(&["gemma4"]),
    kind("gemma4a", SOUND_INPUT).of(&["gemma4"]),
    kind("gemma4uv", INPUT).of(&["gemma4"]),
    kind("gemma4ua", SOUND_INPUT).of(&["gemma4"]),
    kind("idefics3", SINGLE),
    kind("pixtral", LINEAR),
    kind("lightonocr", LINEAR),
    kind("dots_ocr", LINEAR),
    kind("internvl", THIRD),
    kind("nemotron_v2_vl", THIRD),
    kind("llama4", SINGLE).of(&["llama4"]),
    kind("ultravox", SOUND),
    kind("voxtral", SOUND),
    kind("musicflamingo", SOUND),
    kind("qwen2a", SOUND_SINGLE),
    kind("lfm2", LINEAR).of(&["lfm2", "lfm2moe"]),
    kind("kimivl", LINEAR).of(&["deepseek2"]),
    kind("paddleocr", LINEAR),
    kind("kimik25", LINEAR),
    kind("cohere2v", LINEAR),
    kind("glm4v", DOWN).of(&["glm4", "glm4moe"]),
    kind("cogvlm", DOWN),
    kind("hunyuanvl", SINGLE),
    kind("deepseekocr", SINGLE),
];

/// The keys of the kind, and the entry that says that there is such an encoder.
const ENCODERS: &[(&str, &str)] = &[
    ("clip.vision.projector_type", "clip.has_vision_encoder"),
    ("clip.audio.projector_type", "clip.has_audio_encoder"),
];

/// Whether a projector belongs to a model of text, from their headers.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, GgmlType, write::encode::Encoder};
/// use gguf_models::projector_fit::projector_fit;
/// use gguf_models::validate::LoadAnswer;
///
/// let mut model = Encoder::new(Format::default());
/// model.header(1, 2).kv(b"general.architecture", &"qwen3".into()).kv(b"qwen3.embedding_length", &2048u32.into());
/// model.tensor_info(b"output_norm.weight", &[2048], GgmlType::F32.0, 0);
/// let mut projector = Encoder::new(Format::default());
/// projector.header(1, 3).kv(b"general.architecture", &"clip".into()).kv(b"clip.has_vision_encoder", &true.into());
/// projector.kv(b"clip.projector_type", &"internvl".into());
/// projector.tensor_info(b"mm.model.mlp.3.weight", &[1024, 4096], GgmlType::F16.0, 0);
///
/// let fit = projector_fit(&gguf_format::parse(model.as_bytes())?, &gguf_format::parse(projector.as_bytes())?);
/// assert_eq!(fit.answer, LoadAnswer::No);
/// assert!(fit.sentence.contains("its embeddings have 4096 numbers, and the model reads 2048"), "{}", fit.sentence);
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn projector_fit(model: &Header, projector: &Header) -> ProjectorFit {
    let (answer, sentence) = match compare(model, projector) {
        Ok(width) => (
            LoadAnswer::Yes,
            format!("The projector fits the model: its embeddings have {width} numbers, as many as the model reads."),
        ),
        Err((answer, sentence)) => (answer, sentence),
    };
    ProjectorFit { answer, sentence: bounded(sentence) }
}

/// Why a projector does not fit, or why that is not known.
type Obstacle = (LoadAnswer, String);

fn compare(model: &Header, projector: &Header) -> Result<u64, Obstacle> {
    let no = |sentence: String| (LoadAnswer::No, sentence);
    let unknown = |sentence: &str| (LoadAnswer::Unknown, sentence.into());
    for (header, is_projector) in [(projector, true), (model, false)] {
        let classification = classify(header);
        let kind = classification.shard.map_or(classification.kind, |shard| shard.set_kind);
        if (kind == FileKind::Projector) != is_projector {
            return Err(no(if is_projector {
                "The file is no projector: expected a file with encoders of images or sound, whose name often begins with mmproj.".into()
            } else {
                "The other file is a projector too: expected the model of the text.".into()
            }));
        }
    }
    if !model.has_all_metadata() || !projector.is_complete() {
        return Err(unknown("It is not known whether the projector fits: the header of a file is not complete."));
    }
    let Some(architecture) = text(model, "general.architecture") else {
        return Err(unknown(
            "It is not known whether the projector fits: the model has no entry general.architecture.",
        ));
    };
    let Some(read) = model_width(model, &architecture) else {
        return Err((
            LoadAnswer::Unknown,
            format!(
                "It is not known whether the projector fits: the model does not say how long its embeddings are, in {}.embedding_length.",
                Shown(architecture.as_bytes())
            ),
        ));
    };
    let mut found = None;
    for (key, flag) in ENCODERS {
        let is_there = projector.get(flag).and_then(|entry| entry.value().as_bool());
        if is_there == Some(false) || is_there.is_none() && found.is_some() {
            continue;
        }
        let Some(name) = text(projector, key).or_else(|| text(projector, "clip.projector_type")) else { continue };
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else { continue };
        if !kind.architectures.is_empty() && !kind.architectures.contains(&architecture.as_str()) {
            return Err(no(format!(
                "The projector is of the kind {name}, which belongs to models of the architecture {}, and the model has the architecture \
                 {}. Use the projector that was made from this model.",
                kind.architectures.join(" or "),
                Shown(architecture.as_bytes())
            )));
        }
        let Some(width) = projector_width(projector, kind) else { continue };
        if width != read {
            return Err(no(format!(
                "The projector does not fit the model: its embeddings have {width} numbers, and the model reads {read}. It was made from a \
                 model of another size or family. Use the projector that was made from this model."
            )));
        }
        found = Some(width);
    }
    found.ok_or_else(|| {
        unknown("It is not known whether the projector fits: its kind is unknown, or it lacks the tensor that ends it.")
    })
}

/// The numbers that the model reads for a token: of its embedding, and of further parts that go to its first blocks.
fn model_width(model: &Header, architecture: &str) -> Option<u64> {
    let number = |name: &str| model.get(format!("{architecture}.{name}")).and_then(|entry| entry.value().as_u64());
    let width = number("embedding_length").filter(|width| *width > 0)?;
    width.checked_mul(number("n_deepstack_layers").unwrap_or(0).checked_add(1)?)
}

/// The numbers that the projector gives for a token.
fn projector_width(projector: &Header, kind: &Kind) -> Option<u64> {
    let (tensor, dimension) =
        kind.ends.iter().find_map(|(name, dimension)| Some((projector.tensor(name)?, *dimension)))?;
    let width = tensor.dimensions().nth(dimension)?;
    if kind.name != WITH_PARTS {
        return Some(width);
    }
    let is_part = |name: &[u8]| name.starts_with(b"v.deepstack.") && name.ends_with(b".fc1.weight");
    let parts = projector.tensors().filter(|tensor| is_part(&tensor.name().to_bytes())).count();
    width.checked_mul(parts as u64 + 1)
}

/// A short text.
fn text(header: &Header, key: &str) -> Option<String> {
    let value = header.get(key)?.value().as_str().filter(|value| value.byte_length() <= 64)?;
    Some(value.to_string_lossy().into_owned())
}
