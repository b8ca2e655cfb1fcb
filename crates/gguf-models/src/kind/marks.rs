//! What in a header marks each kind of file.

use alloc::{borrow::Cow, vec::Vec};

use crate::architectures::{Exception, architecture_info};
use crate::decimal::split_decimal;
use crate::evidence::Evidence;
use crate::file_kinds::FileKind;
use crate::image::{ImageModel, Matches, ModelPart, is_image_architecture, is_of_tool, matches, parts_of};
use crate::tensor_names::{TensorPart, split_part};
use gguf_declare::names;
use gguf_format::format::header::{Header, MetadataKv, TensorInfo};
use gguf_format::format::version::LONGEST_KEY;

names! {
    /// What a multimodal projector encodes: images (`vision`) or sound (`audio`); or that it makes sound (`speech`).
    #[typescript("Modality")]
    pub enum Modality {
        /// It encodes images: `clip.has_vision_encoder`.
        Vision = "vision",
        /// It encodes sound: `clip.has_audio_encoder`.
        Audio = "audio",
        /// It makes sound: `clip.has_gen_audio_encoder`.
        Speech = "speech",
    }
}

const MODALITIES: [(&str, Modality); 3] = [
    ("clip.has_vision_encoder", Modality::Vision),
    ("clip.has_audio_encoder", Modality::Audio),
    ("clip.has_gen_audio_encoder", Modality::Speech),
];

/// What llama.cpp writes as the architecture of a control vector.
const CONTROL_VECTOR: &str = "controlvector";

/// The architecture of multimodal projectors.
const CLIP: &str = "clip";

/// The architectures of text-to-speech models that other programs than llama.cpp load: those of TTS.cpp, and of others whose names do not
/// say it.
const SPEECH_ARCHITECTURES: &[&str] =
    &["orpheus", "kokoro", "dia", "bark", "csm", "snac", "dac", "chatterbox", "vibevoice", "cosyvoice"];

/// The architectures of speech recognition models that other programs than llama.cpp load.
const RECOGNITION_ARCHITECTURES: &[&str] =
    &["whisper", "parakeet", "canary", "moonshine", "sensevoice", "sense-voice", "paraformer"];

/// Names of tensors of codecs, which turn audio tokens into sound.
const CODEC_NAMES: &str = "^snac. ^dac. ^kokoro. ^audio_encoder.quantizers. ^parler. ^orpheus.layers.";

/// Names of tensors as Hugging Face has them, in files of candle, which writes no metadata.
const HUGGING_FACE_NAMES: &str = "~.layers.0. ~.layer.0.attention. ~.h.0. ~encoder.block.0.layer.0. ~blocks.0.att \
                                  ~.embed_tokens.weight ^layers.0. ^h.0. ^lm_head. wte.weight";

/// The tensor by which clip.cpp projects images to the vectors of texts.
const VISUAL_PROJECTION: &str = "visual_projection.weight";

/// llama.cpp takes a file with prediction layers but without this tensor as a draft model.
const FIRST_NORM: &str = "blk.0.attn_norm.weight";

/// What the names of the tensors of a model's first block begin with.
const FIRST_BLOCK: &[u8] = b"blk.0.";

/// A header with the entries that most rules ask for.
pub(super) struct Subject<'a> {
    header: &'a Header,
    /// `general.type`, if it is a text.
    declared: Option<MetadataKv<'a>>,
    /// `general.architecture`, if it is a text.
    architecture: Option<MetadataKv<'a>>,
    /// The value of `general.architecture`; empty if there is none, or if no key can begin with it.
    architecture_name: Cow<'a, [u8]>,
}

type Verdict = Option<(FileKind, Vec<Evidence>)>;

/// Tells whether the name of a tensor is of a certain form.
type NameTest = fn(&[u8]) -> bool;

impl<'a> Subject<'a> {
    pub(super) fn of(header: &'a Header) -> Self {
        let text = |key| header.get(key).filter(|entry| entry.value().as_str().is_some());
        let architecture = text("general.architecture");
        let name = architecture.and_then(|entry| entry.value().as_str());
        let name = name.filter(|name| name.byte_length() < LONGEST_KEY as u64);
        Self {
            header,
            declared: text("general.type"),
            architecture,
            architecture_name: name.map(|name| name.to_bytes()).unwrap_or_default(),
        }
    }

    /// `general.type` names the kind.
    pub(super) fn declared(&self) -> Verdict {
        let entry = self.declared?;
        let text = entry.value().as_str()?;
        let mut evidence = vec![Evidence::Entry { index: entry.index() }];
        if text == "adapter" {
            if let Some(adapter_type) = self.entry("adapter.type") {
                evidence.push(adapter_type);
            }
            Some((FileKind::Adapter, evidence))
        } else if text == "imatrix" {
            Some((FileKind::Imatrix, evidence))
        } else if text == "mmproj" {
            self.add_encoders(&mut evidence);
            Some((FileKind::Projector, evidence))
        } else {
            None
        }
    }

    /// There are tokens, but no tensors.
    pub(super) fn vocabulary(&self) -> Verdict {
        let tokens = self.header.get("tokenizer.ggml.tokens")?;
        let has_tokens = tokens.value().as_array().is_some_and(|tokens| !tokens.is_empty());
        if self.header.tensor_count() > 0 || !has_tokens {
            return None;
        }
        Some((FileKind::Vocabulary, vec![Evidence::Entry { index: tokens.index() }, Evidence::NoTensors]))
    }

    /// The architecture belongs to one kind.
    pub(super) fn by_architecture(&self) -> Verdict {
        let entry = self.architecture?;
        let mut evidence = vec![Evidence::Entry { index: entry.index() }];
        if *self.architecture_name == *CLIP.as_bytes() {
            // A CLIP model that also encodes text compares texts with images. It belongs to no language model.
            let text = flag(self.header, "clip.has_text_encoder");
            let image = self.header.tensor(VISUAL_PROJECTION).map(|tensor| Matches { first: tensor.index(), count: 1 });
            let is_clip = text.or_else(|| image.and_then(Matches::evidence));
            self.add_encoders(&mut evidence);
            if let Some(mark) = is_clip.filter(|_| flag(self.header, "clip.has_llava_projector").is_none()) {
                evidence.insert(1, mark);
                return Some((FileKind::Clip, evidence));
            }
            return Some((FileKind::Projector, evidence));
        }
        let is_named = |name: &&str| name.as_bytes() == &*self.architecture_name;
        let kind = if is_image_architecture(&self.architecture_name) {
            FileKind::ImageDiffusion
        } else if is_named(&CONTROL_VECTOR) {
            FileKind::ControlVector
        } else if let Some(info) = architecture_info(&self.architecture_name) {
            info.kind?
        } else if SPEECH_ARCHITECTURES.iter().any(is_named) || matches("~tts", &self.architecture_name) {
            FileKind::TextToSpeech
        } else if RECOGNITION_ARCHITECTURES.iter().any(is_named) {
            FileKind::SpeechRecognition
        } else {
            return None;
        };
        Some((kind, evidence))
    }

    /// There is a key that only one kind has.
    pub(super) fn by_key(&self) -> Verdict {
        let mut encoders = Vec::new();
        self.add_encoders(&mut encoders);
        if self.architecture.is_none() && !encoders.is_empty() {
            return Some((FileKind::Projector, encoders));
        }
        Some((FileKind::TextDiffusion, vec![self.entry("diffusion.shift_logits")?]))
    }

    /// The names of the tensors belong to one kind. Files with a `general.type` say their kind themselves.
    pub(super) fn by_tensor_names(&self) -> Verdict {
        if self.declared.is_some() || !self.header.is_complete() {
            return None;
        }
        let kinds: [(FileKind, NameTest, NameTest); 3] = [
            // llama.cpp ignores the norms in adapters.
            (FileKind::Adapter, is_lora, |name| name.ends_with(b"_norm.weight")),
            (FileKind::Imatrix, is_statistic, |_| false),
            (FileKind::ControlVector, is_direction, |_| false),
        ];
        for (kind, is_mark, is_allowed) in kinds {
            let mut evidence = None;
            let all = self.header.tensors().all(|tensor| {
                let name = tensor.name().to_bytes();
                if is_mark(&name) {
                    add(&mut evidence, &tensor);
                    return true;
                }
                is_allowed(&name)
            });
            if let Some(evidence) = evidence.filter(|_| all) {
                return Some((kind, vec![evidence]));
            }
        }
        None
    }

    /// The names of the tensors are those of an image model, of a part of one, or of another program than llama.cpp. Many of these
    /// programs write no metadata. A name of an architecture that llama.cpp has is believed.
    pub(super) fn of_other_programs(&self) -> Verdict {
        let is_of_tool = is_of_tool(&self.architecture_name);
        let is_known =
            architecture_info(&self.architecture_name).is_some() || *self.architecture_name == *CLIP.as_bytes();
        if is_known || !self.header.is_complete() || self.header.tensor_count() == 0 {
            return None;
        }
        if let Some(model) = ImageModel::of(self.header) {
            return Some((FileKind::ImageDiffusion, model.evidence));
        }
        let parts = parts_of(self.header);
        let part =
            |wanted: fn(ModelPart) -> bool| parts.iter().find(|(part, _)| wanted(*part)).map(|(_, found)| *found);
        let verdict = |kind, found: Matches| Some((kind, vec![found.evidence()?]));
        if let Some(found) = part(|part| part == ModelPart::Vae) {
            return verdict(FileKind::Vae, found);
        }
        let has_decoder = || Matches::of(self.header, "~decoder.block.0.layer.0.").count > 0;
        if let Some(found) = part(ModelPart::is_text_encoder).filter(|_| !has_decoder()) {
            let vision = part(|part| part == ModelPart::ClipVision);
            return verdict(if vision.is_some() { FileKind::Clip } else { FileKind::TextEncoder }, found);
        }
        if self.architecture.is_some() && !is_of_tool {
            return None;
        }
        let codec = Matches::of(self.header, CODEC_NAMES);
        if codec.count > 0 {
            return verdict(FileKind::TextToSpeech, codec);
        }
        let names = Matches::of(self.header, HUGGING_FACE_NAMES);
        if is_of_tool {
            let blocks = Matches::of(self.header, "^blk.0. ^enc.blk.0.");
            return verdict(FileKind::TextEncoder, if names.count > 0 { names } else { blocks });
        }
        verdict(FileKind::Model, names)
    }

    /// There are prediction layers, but not the layers that they add to.
    pub(super) fn prediction_layers(&self) -> Verdict {
        let entry = self.hyperparameter(".nextn_predict_layers")?;
        entry.value().as_u64().filter(|count| *count > 0)?;
        if !self.header.is_complete() || self.header.tensor(FIRST_NORM).is_some() {
            return None;
        }
        let mut evidence = None;
        for tensor in self.header.tensors() {
            let name = tensor.name().to_bytes();
            // EXAONE 4 has no norm before attention.
            if name.starts_with(FIRST_BLOCK) {
                return None;
            }
            if name.windows(7).any(|part| part == b".nextn.") {
                add(&mut evidence, &tensor);
            }
        }
        let evidence =
            vec![Evidence::Entry { index: entry.index() }, evidence?, Evidence::MissingTensor { name: FIRST_NORM }];
        Some((FileKind::Draft, evidence))
    }

    /// The pooling type says what becomes of the vectors of the tokens.
    pub(super) fn by_pooling(&self) -> Verdict {
        let entry = self.hyperparameter(".pooling_type")?;
        let kind = match entry.value().as_u64()? {
            1..=3 => FileKind::Embedding,
            4 => FileKind::Reranker,
            _ => return None,
        };
        Some((kind, vec![Evidence::Entry { index: entry.index() }]))
    }

    /// The architecture only encodes text. If it has a classification head, llama.cpp uses the head for pooling.
    pub(super) fn encoder(&self) -> Verdict {
        let entry = self.architecture.filter(|_| self.is_encoder())?;
        let mut evidence = vec![Evidence::Entry { index: entry.index() }];
        // The converter calls the last layer `cls.output`. Only in Jina BERT v2 it is `cls`, with one output.
        let single = |tensor: &TensorInfo<'_>| tensor.dimension_iter().skip(1).all(|extent| extent == 1);
        let head = self.header.tensor("cls.output.weight");
        let head = head.or_else(|| self.header.tensor("cls.weight").filter(single));
        let kind = match head {
            None => FileKind::Embedding,
            Some(head) => {
                evidence.push(Evidence::Tensors { first: head.index(), count: 1 });
                if single(&head) { FileKind::Reranker } else { FileKind::Classifier }
            }
        };
        Some((kind, evidence))
    }

    /// The file says that it is a model, or it has the architecture and hyperparameters of one.
    pub(super) fn model(&self) -> Verdict {
        if self.is_encoder() || *self.architecture_name == *CLIP.as_bytes() {
            return None;
        }
        let mut evidence = Vec::new();
        if let Some(declared) = self.declared {
            if declared.value().as_str().is_none_or(|text| text != "model") {
                return None;
            }
            evidence.push(Evidence::Entry { index: declared.index() });
        } else if self.header.tensor_count() == 0 && self.header.get(super::shard::SPLIT_COUNT).is_none() {
            return None;
        }
        let is_known = architecture_info(&self.architecture_name).is_some();
        let block_count = self.hyperparameter(".block_count").filter(|entry| entry.value().as_u64().is_some());
        if let Some(entry) = self.architecture.filter(|_| is_known || block_count.is_some()) {
            evidence.push(Evidence::Entry { index: entry.index() });
        }
        if let Some(entry) = block_count.filter(|_| !is_known) {
            evidence.push(Evidence::Entry { index: entry.index() });
        }
        (!evidence.is_empty()).then_some((FileKind::Model, evidence))
    }

    /// The first entry with a key.
    pub(super) fn entry(&self, key: &str) -> Option<Evidence> {
        self.header.get(key).map(|entry| Evidence::Entry { index: entry.index() })
    }

    /// Adds the entries that say which encoders there are.
    fn add_encoders(&self, evidence: &mut Vec<Evidence>) {
        evidence.extend(MODALITIES.iter().filter_map(|(key, _)| flag(self.header, key)));
    }

    /// The entry whose key is the architecture and a suffix.
    fn hyperparameter(&self, suffix: &str) -> Option<MetadataKv<'a>> {
        if self.architecture_name.is_empty() {
            return None;
        }
        self.header.get([&*self.architecture_name, suffix.as_bytes()].concat())
    }

    fn is_encoder(&self) -> bool {
        architecture_info(&self.architecture_name).is_some_and(|info| info.has(Exception::Encoder))
    }
}

/// What a multimodal projector encodes or makes.
pub(super) fn modalities(header: &Header) -> Vec<Modality> {
    MODALITIES.iter().filter(|(key, _)| flag(header, key).is_some()).map(|(_, modality)| *modality).collect()
}

/// The entry with a key, if its value is true.
fn flag(header: &Header, key: &str) -> Option<Evidence> {
    let entry = header.get(key)?;
    (entry.value().as_bool() == Some(true)).then_some(Evidence::Entry { index: entry.index() })
}

/// Adds a tensor to the evidence.
fn add(evidence: &mut Option<Evidence>, tensor: &TensorInfo<'_>) {
    match evidence {
        Some(Evidence::Tensors { count, .. }) => *count += 1,
        _ => *evidence = Some(Evidence::Tensors { first: tensor.index(), count: 1 }),
    }
}

fn is_lora(name: &[u8]) -> bool {
    matches!(split_part(name).1, Some(TensorPart::LoraA | TensorPart::LoraB))
}

fn is_statistic(name: &[u8]) -> bool {
    matches!(split_part(name).1, Some(TensorPart::InputSquareSums | TensorPart::InputCounts))
}

fn is_direction(name: &[u8]) -> bool {
    let number = name.strip_prefix(b"direction.").and_then(split_decimal);
    number.is_some_and(|(number, rest)| number > 0 && rest.is_empty())
}
