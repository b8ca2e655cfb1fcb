//! Which programs load a file, as far as their rules are known.
//!
//! The rules of llama.cpp are those of [`loads`]. Those of ComfyUI-GGUF (December 2025) and stable-diffusion.cpp
//! (August 2026) are in [`image`](crate::image). Other programs are known by the marks of their files.
//!
//! Example: [`programs()`].

use alloc::{string::String, vec::Vec};

use crate::file_kinds::FileKind;
use crate::image::{ImageModel, ModelPart, is_of_tool};
use crate::kind::{Classification, classify, ollama_mark};
use crate::validate::{Check, LoadAnswer, Subject, damage, loads};
use gguf_declare::result;
use gguf_format::format::header::Header;
use gguf_format::format::value::ValueType;

result! {
    /// Whether a program loads a file.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ProgramAnswer {
        /// The name of the program.
        pub program: &'static str,
        /// Whether it loads the file. `unknown`: its rules are not known, or the header does not decide it.
        pub answer: LoadAnswer,
        /// The option or the node that takes the file, if there is a special one: `--vae`.
        pub how: Option<&'static str>,
        /// Why it does not load the file, or why that is not known.
        pub reason: Option<String>,
    }
}

result! {
    /// Which programs load a file.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Programs {
        /// What the file is and which programs load it, for people: `Image model, flux. ComfyUI-GGUF and stable-diffusion.cpp load it;
        /// llama.cpp does not.`
        pub sentence: String,
        /// The answers: of llama.cpp, ComfyUI-GGUF, stable-diffusion.cpp, Ollama, whisper.cpp and ik_llama.cpp, and of other programs if
        /// they load the file.
        pub programs: Vec<ProgramAnswer>,
    }
}

/// A program: its name, whether there is always an answer about it, and its rule.
struct Program(&'static str, bool, fn(&Question<'_>) -> Answer);

/// Every program, in the order of the answers.
const PROGRAMS: &[Program] = &[
    Program("llama.cpp", true, |question| question.llama_cpp()),
    Program("ComfyUI-GGUF", true, |question| question.comfy()),
    Program("stable-diffusion.cpp", true, |question| question.stable_diffusion()),
    Program("Ollama", true, |question| question.ollama()),
    Program("whisper.cpp", true, |question| question.whisper_cpp()),
    Program("ik_llama.cpp", true, |question| question.ik_llama()),
    Program("ComfyUI gguf node (calcuis)", false, |question| question.calcuis()),
    Program("TTS.cpp", false, |question| question.tts_cpp()),
    Program("clip.cpp", false, |question| question.clip_cpp()),
    Program("candle", false, |question| question.candle()),
    Program("mlx", false, |question| question.mlx()),
];

/// The architectures that TTS.cpp loads.
const TTS_CPP: [&str; 4] = ["parler-tts", "kokoro", "dia", "orpheus"];

/// The architectures of llama.cpp that ComfyUI-GGUF and stable-diffusion.cpp take as text encoders.
const TEXT_ENCODERS: [&str; 6] = ["t5", "t5encoder", "llama", "qwen2vl", "qwen3", "qwen3vl"];

/// The options of stable-diffusion.cpp for parts of image models.
const OPTIONS: [(ModelPart, &str); 6] = [
    (ModelPart::Vae, "--vae"),
    (ModelPart::ClipL, "--clip_l"),
    (ModelPart::ClipG, "--clip_g"),
    (ModelPart::T5xxl, "--t5xxl"),
    (ModelPart::Llm, "--llm"),
    (ModelPart::ClipVision, "--clip_vision"),
];

/// What is asked of each program.
struct Question<'a> {
    header: &'a Header,
    file_size: Option<u64>,
    file: Classification,
    /// The kind of the file, or of its set.
    kind: FileKind,
    image: Option<ImageModel>,
    architecture: String,
    /// The program that owns the types of the tensors.
    owner: Option<&'static str>,
}

/// Whether a program loads the file, the option, and the reason.
type Answer = (LoadAnswer, Option<&'static str>, String);

fn yes(how: &'static str) -> Answer {
    (LoadAnswer::Yes, (!how.is_empty()).then_some(how), String::new())
}

fn no(reason: &str) -> Answer {
    (LoadAnswer::No, None, reason.into())
}

fn unknown(reason: &str) -> Answer {
    (LoadAnswer::Unknown, None, reason.into())
}

/// Says which programs load a file. `file_size` is the size of the file in bytes.
///
/// The answers follow from the header. They say that a program knows such a file, not that the data in it is right.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, write::encode::Encoder};
/// use gguf_models::programs::programs;
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 1).kv(b"general.architecture", &"flux".into());
/// file.tensor_info(b"double_blocks.0.img_attn.proj.weight", &[64, 64], 0, 0);
///
/// let programs = programs(&gguf_format::parse(file.as_bytes())?, None);
/// assert_eq!(
///     programs.sentence,
///     "Image model, flux. ComfyUI-GGUF and stable-diffusion.cpp load it; llama.cpp does not."
/// );
/// assert_eq!(programs.programs[2].how, Some("--diffusion-model"));
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn programs(header: &Header, file_size: Option<u64>) -> Programs {
    let file = classify(header);
    let kind = file.shard.map_or(file.kind, |shard| shard.set_kind);
    let question = Question {
        header,
        file_size,
        kind,
        image: if kind == FileKind::ImageDiffusion { ImageModel::of(header) } else { None },
        architecture: header.architecture().map_or_else(String::new, |name| name.prefix(LONGEST_NAME)),
        owner: header.types_owner(),
        file,
    };
    let mut programs = Vec::new();
    let mut add = |program, (answer, how, reason): Answer| {
        let reason = (!reason.is_empty()).then_some(reason);
        programs.push(ProgramAnswer { program, answer, how, reason });
    };
    for Program(name, is_always, rule) in PROGRAMS {
        let answer = rule(&question);
        if *is_always || answer.0 == LoadAnswer::Yes {
            add(name, answer);
        }
    }
    if let Some(owner) = question.owner.filter(|owner| PROGRAMS.iter().all(|Program(name, ..)| name != owner)) {
        add(owner, yes(""));
    }
    // llama.cpp's own answer knows of damage. The rules of the others are about names only.
    let (_, others) = programs.split_at_mut(1);
    let is_wanted = others.iter().any(|other| other.answer == LoadAnswer::Yes);
    if let Some(damage) = is_wanted.then(|| damage(header, file_size)).flatten() {
        for other in others.iter_mut().filter(|other| other.answer == LoadAnswer::Yes) {
            *other = ProgramAnswer {
                program: other.program,
                answer: LoadAnswer::No,
                how: None,
                reason: Some(["The file is damaged: ", &damage.message].concat()),
            };
        }
    }
    Programs { sentence: question.sentence(&programs), programs }
}

/// The most bytes of the name of an architecture, an entry or a tensor that are compared and shown.
const LONGEST_NAME: u64 = 80;

/// Why a program does not load what is not for it.
const NOT_AN_IMAGE_MODEL: &str = "It loads image models and their parts.";
const NOT_A_LANGUAGE_MODEL: &str = "It loads language models.";

impl Question<'_> {
    fn is_text_model(&self) -> bool {
        self.kind.is_complete_model() && self.kind != FileKind::TextToSpeech || self.kind == FileKind::Draft
    }

    /// Whether only the names of the tensors, which are those of Hugging Face, say that the file is a model.
    fn has_other_names(&self) -> bool {
        self.kind == FileKind::Model && self.architecture.is_empty() && self.header.get("general.type").is_none()
    }

    fn is_text_encoder_of_llama_cpp(&self) -> bool {
        self.is_text_model() && TEXT_ENCODERS.contains(&self.architecture.as_str())
    }

    fn llama_cpp(&self) -> Answer {
        if let Some(owner) = self.owner {
            return no(&["Some tensors have types of ", owner, ", which it does not know."].concat());
        }
        let loads = loads(self.header, self.file_size);
        let how = match self.kind {
            FileKind::Adapter => "--lora",
            FileKind::Projector => "--mmproj",
            FileKind::ControlVector => "--control-vector",
            FileKind::Imatrix => "llama-quantize --imatrix",
            FileKind::Draft => "--model-draft",
            _ => "",
        };
        let Some(reason) = loads.reason else { return yes(how) };
        // It is no model, and is given beside one.
        if loads.answer == LoadAnswer::No && reason.check == Check::NotAModel && !how.is_empty() {
            return yes(how);
        }
        let name = match reason.subject {
            Some(Subject::Entry(index)) => self.header.metadata_at(index).map(|entry| entry.key()),
            Some(Subject::Tensor(index)) => self.header.tensor_at(index).map(|tensor| tensor.name()),
            _ => None,
        };
        let text = match name {
            Some(name) => [&name.prefix(LONGEST_NAME), ": ", &reason.message].concat(),
            None => capitalised(reason.message),
        };
        (loads.answer, None, text)
    }

    fn comfy(&self) -> Answer {
        if let Some(model) = &self.image {
            return comfy_of_image(model, &self.architecture);
        }
        match self.kind {
            FileKind::Vae => no("It takes VAEs as safetensors files."),
            FileKind::TextEncoder if is_of_tool(self.architecture.as_bytes()) => {
                no("It refuses text encoders of this architecture.")
            }
            FileKind::TextEncoder => no("It takes text encoders with the names of llama.cpp."),
            _ if self.is_text_encoder_of_llama_cpp() && self.owner.is_none() => yes("CLIPLoader (GGUF)"),
            _ => no(NOT_AN_IMAGE_MODEL),
        }
    }

    fn stable_diffusion(&self) -> Answer {
        let part_of = |part: &ModelPart| OPTIONS.iter().find(|(own, _)| own == part).map(|(_, option)| *option);
        if let Some(model) = &self.image {
            let family = model.family.map_or("this model", |family| family.name);
            return match model.is_for_stable_diffusion {
                true if model.parts.len() > 1 => yes("-m"),
                true => yes("--diffusion-model"),
                false
                    if self
                        .header
                        .metadata()
                        .any(|entry| crate::image::tensor_of_key(&entry.key().to_bytes()).is_some()) =>
                {
                    no("Tensors are stored in another shape, which it does not know.")
                }
                false => no(&["It has no rule for the names of ", family, "."].concat()),
            };
        }
        match self.kind {
            FileKind::Vae => yes("--vae"),
            FileKind::TextEncoder => yes(self.file.parts.iter().find_map(part_of).unwrap_or("--llm")),
            _ if self.is_text_encoder_of_llama_cpp() && self.owner.is_none() => {
                yes(if self.architecture.starts_with("t5") { "--t5xxl" } else { "--llm" })
            }
            _ => no(NOT_AN_IMAGE_MODEL),
        }
    }

    fn ollama(&self) -> Answer {
        if !self.is_text_model() && !matches!(self.kind, FileKind::Adapter | FileKind::Projector) {
            return no(NOT_A_LANGUAGE_MODEL);
        }
        if self.owner.is_some() {
            return no("Some tensors have types that it does not know.");
        }
        match ollama_mark(self.header) {
            Some(_) => yes(""),
            None if self.header.architecture().is_none() => no("The file does not say its architecture."),
            None => unknown("Its rules are not known here. It loads most models that llama.cpp loads."),
        }
    }

    fn whisper_cpp(&self) -> Answer {
        no("It reads files in a format of its own, not GGUF.")
    }

    fn ik_llama(&self) -> Answer {
        if self.owner == Some("ik_llama.cpp") {
            return yes("");
        }
        if self.owner.is_some() || !self.is_text_model() || self.architecture.is_empty() {
            return no(NOT_A_LANGUAGE_MODEL);
        }
        unknown("It is a fork of llama.cpp, and its list of architectures is not known here.")
    }

    fn calcuis(&self) -> Answer {
        let is_image = matches!(self.kind, FileKind::ImageDiffusion | FileKind::Vae | FileKind::TextEncoder);
        if is_image && is_of_tool(self.architecture.as_bytes()) { yes("") } else { no("") }
    }

    fn tts_cpp(&self) -> Answer {
        let is_known = self.kind == FileKind::TextToSpeech && TTS_CPP.contains(&self.architecture.as_str());
        if is_known { yes("") } else { no("") }
    }

    fn clip_cpp(&self) -> Answer {
        if self.kind == FileKind::Clip && self.architecture == "clip" { yes("") } else { no("") }
    }

    fn candle(&self) -> Answer {
        if self.has_other_names() { yes("") } else { no("") }
    }

    /// Its exporter writes the types of tokens as `UINT32`, which no other program does.
    fn mlx(&self) -> Answer {
        let types = self.header.get("tokenizer.ggml.token_type").map(|entry| entry.value());
        let is_its =
            types.is_some_and(|types| types.as_array().is_some_and(|types| types.element_type() == ValueType::Uint32));
        if is_its && self.is_text_model() { yes("") } else { no("") }
    }

    /// What the file is, and which programs load it.
    fn sentence(&self, programs: &[ProgramAnswer]) -> String {
        let mut sentence = String::new();
        let family = self.image.as_ref().and_then(|model| model.family);
        sentence.push_str(match (family, &self.image) {
            (Some(family), _) if family.is_video => "Video model",
            (_, Some(_)) => "Image model",
            _ if self.kind == FileKind::Unknown => "File of an unknown kind",
            _ => self.file.title,
        });
        if let Some(name) = &self.file.family {
            sentence.push_str(", ");
            sentence.push_str(name);
        }
        let title = family
            .map(|family| family.title)
            .filter(|title| self.file.family.as_ref().is_none_or(|name| !title.eq_ignore_ascii_case(name)));
        let details: Vec<&str> = title.into_iter().chain(self.file.variant).collect();
        if !details.is_empty() {
            sentence.push_str(" (");
            sentence.push_str(&details.join(", "));
            sentence.push(')');
        }
        if self.has_other_names() {
            sentence.push_str(" with the names of Hugging Face and no metadata");
        }
        if self.is_text_model() && self.file.parts.len() > 1 {
            sentence.push_str(" with encoders in the same file");
        }
        sentence.push_str(". ");
        // A language model is more than a text encoder of image models.
        let is_main = |answer: &&ProgramAnswer| {
            let is_image_program = matches!(answer.program, "ComfyUI-GGUF" | "stable-diffusion.cpp");
            answer.answer == LoadAnswer::Yes
                && (!is_image_program || !self.is_text_model() || self.architecture.starts_with("t5"))
        };
        let main: Vec<&ProgramAnswer> = programs.iter().filter(is_main).collect();
        for (index, answer) in main.iter().enumerate() {
            sentence.push_str(match index {
                0 => "",
                _ if index + 1 == main.len() => " and ",
                _ => ", ",
            });
            sentence.push_str(answer.program);
        }
        sentence.push_str(match main.len() {
            0 => "",
            1 => " loads it",
            _ => " load it",
        });
        let own = programs.first().map(|answer| answer.answer);
        sentence.push_str(match (main.first(), own) {
            (None, Some(LoadAnswer::No)) => "llama.cpp does not load it",
            (None, _) => "It is not known which programs load it",
            (Some(_), Some(LoadAnswer::No)) => "; llama.cpp does not",
            _ => "",
        });
        if let ([ProgramAnswer { how: Some(how), .. }], Some(LoadAnswer::Yes)) = (main.as_slice(), own) {
            sentence.push_str(" with ");
            sentence.push_str(how);
        }
        sentence.push('.');
        sentence
    }
}

/// The answer of ComfyUI-GGUF about an image model.
fn comfy_of_image(model: &ImageModel, architecture: &str) -> Answer {
    let node = yes("Unet Loader (GGUF)");
    if model.is_named {
        return node;
    }
    if !architecture.is_empty() && !is_of_tool(architecture.as_bytes()) {
        return no("It refuses this architecture.");
    }
    if model.is_in_spelling_of_diffusers {
        return no(
            "Without an architecture, it takes the names of the tensors for those of diffusers, and refuses them.",
        );
    }
    match model.family {
        _ if model.has_comfy_names => node,
        Some(family) if !family.comfy.is_empty() || family.name == "sd2" => unknown(
            "The file has no architecture, and lacks some of the names of tensors by which it knows the family.",
        ),
        _ => no("The file has no architecture, and it does not know the names of the tensors."),
    }
}

/// A text that begins with a capital letter, unless it begins with a key.
fn capitalised(text: String) -> String {
    let is_key = text.split(' ').next().is_some_and(|word| word.contains('.'));
    match text.split_at_checked(1) {
        Some((first, rest)) if !is_key => [&first.to_ascii_uppercase(), rest].concat(),
        _ => text,
    }
}
