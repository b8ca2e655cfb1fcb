//! The configurations of the encoders: `vision_config` and `audio_config` of `config.json`, and of the files for what is read before them.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::reading::{Audio, BLOCKS, ClassDefaults, Forms, Kind, Reading};
use crate::json;
use crate::model::config::{
    CONFIG, Config, Members, class_default, is_known_class, refused_by_class, unsigned, wrong_type,
};
use crate::model::entries::EntryValue;
use crate::model::files::SmallFiles;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Error, Result, error};

/// The files that say how images and sound are prepared. The members of later ones count.
const PREPROCESSORS: &[(&str, &str)] =
    &[("preprocessor_config.json", "media_proc_cfg"), ("processor_config.json", "image_processor")];

/// The configurations that a projector is made from.
pub(super) struct Encoders {
    /// The members of the whole file.
    pub global: Members,
    /// The members of the text model. Empty if they are those of the whole file.
    pub text: Members,
    /// The encoder of images.
    pub vision: Option<Config>,
    /// The encoder of sound.
    pub audio: Option<Config>,
    /// How images are prepared.
    pub preprocessor: Members,
    /// The length of an embedding of the text model.
    pub text_width: u32,
}

/// The object of the text model in `config.json`, under the names that it has in models of several makers. The first one counts.
fn text_of(all: &Members) -> Option<&Value> {
    ["lfm", "language_config", "lm_config", "llm_config", "text_config"].into_iter().find_map(|name| all.get(name))
}

impl Encoders {
    /// Reads the configurations of a model.
    ///
    /// # Errors
    ///
    /// `unsupported-model` if `model_type` does not fit the class. `bad-json` if a member is missing, or has a value that it cannot have.
    pub fn new(given: &Members, class: &str, forms: &Forms, files: &SmallFiles) -> Result<Self> {
        let model_type = given.get("model_type").and_then(Value::as_str).unwrap_or_default();
        let Some(reading) = forms.reads.iter().find(|reading| reading.model_type == model_type) else {
            let known: Vec<&str> = forms.reads.iter().map(|reading| reading.model_type).collect();
            return Err(error!(UnsupportedModel:
                "the projector of the class {} cannot be converted with the model_type \"{}\" in {CONFIG}: expected {}",
                Shown(class.as_bytes()), Shown(model_type.as_bytes()), known.join(" or ")));
        };
        let mut global = given.clone();
        let text = match text_of(given) {
            None | Some(Value::Null) => None,
            Some(Value::Object(text)) => Some(text.clone()),
            Some(other) => return Err(wrong_type("text_config", other, "an object")),
        };
        let mut defaulted: Option<String> = None;
        if let Some(defaults) = reading.class {
            defaulted = fill(&mut global, defaults.global)?;
        }
        let mut part = |name: &str, is_needed: bool, defaults: &str| -> Result<Option<Config>> {
            let mut members = match given.get(name) {
                Some(Value::Object(members)) if is_needed || !members.is_empty() => members.clone(),
                None | Some(Value::Null | Value::Object(_)) if !is_needed => return Ok(None),
                None | Some(Value::Null) => {
                    return Err(error!(IncompleteModel:
                        "{CONFIG} has no object \"{name}\", which describes an encoder; download the file again"));
                }
                Some(other) => return Err(wrong_type(name, other, "an object")),
            };
            if members.get("quantization_config").is_some_and(|value| !value.is_null()) {
                return Err(error!(UnsupportedModel:
                    "\"{name}\" in {CONFIG} has a member \"quantization_config\": encoders with quantized weights cannot be converted. \
                     Convert the original model"));
            }
            let given = members.clone();
            let missing = fill(&mut members, defaults)?;
            defaulted = defaulted.take().or(missing);
            Ok(Some(Config::of_part(members, &given, class)))
        };
        let (vision, audio) = reading.class.map_or(("{}", "{}"), |class| (class.vision, class.audio));
        let vision = if forms.has_vision { part("vision_config", true, vision)? } else { None };
        let audio = match forms.has_audio {
            Audio::No => None,
            has_audio => part("audio_config", has_audio == Audio::Yes, audio)?,
        };
        let text_width = text_width(given, text.as_ref(), reading, &mut defaulted)?;
        if let (Some(class), Some(missing)) = (&reading.class, defaulted) {
            check_defaults(given, text.as_ref(), class, &missing)?;
        }
        let preprocessor = preprocessor(files)?;
        Ok(Self { global, text: text.unwrap_or_default(), vision, audio, preprocessor, text_width })
    }

    /// The configuration of an encoder.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if there is none.
    pub fn part(&self, kind: Kind) -> Result<&Config> {
        let part = match kind {
            Kind::Vision => self.vision.as_ref(),
            Kind::Audio => self.audio.as_ref(),
        };
        part.ok_or_else(no_encoder)
    }

    /// The configuration of the encoder of images, to change it.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if there is none.
    pub fn vision_mut(&mut self) -> Result<&mut Config> {
        self.vision.as_mut().ok_or_else(no_encoder)
    }

    /// The configuration of the encoder of sound, to change it.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if there is none.
    pub fn audio_mut(&mut self) -> Result<&mut Config> {
        self.audio.as_mut().ok_or_else(no_encoder)
    }

    /// Copies a member of the whole file to the configuration of an encoder, in place of its own member of this name.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if there is no such encoder.
    pub fn share(&mut self, kind: Kind, name: &str, default: Value) -> Result<()> {
        let value = self.global.get(name).cloned().unwrap_or(default);
        let part = if kind == Kind::Vision { self.vision_mut() } else { self.audio_mut() };
        part?.set(name, value);
        Ok(())
    }

    /// The largest number of blocks of an encoder.
    ///
    /// # Errors
    ///
    /// `bad-json` if it is missing.
    pub fn block_count(&self) -> Result<u32> {
        let mut most = 0;
        for config in self.vision.iter().chain(&self.audio) {
            most = most.max(config.required(BLOCKS)?);
        }
        Ok(most)
    }

    /// Three numbers for the colours of an image, as the value of an entry: whole numbers stay whole.
    ///
    /// # Errors
    ///
    /// `incomplete-model` if the files do not have them. `bad-json` if they are no numbers of one kind.
    pub fn colours(&self, name: &str) -> Result<EntryValue> {
        let Some(value) = self.preprocessor.get(name) else {
            return Err(error!(IncompleteModel:
                "no file says \"{name}\": download preprocessor_config.json with the other files of the model"));
        };
        let list = value.as_array().map_or(&[][..], Vec::as_slice);
        let whole = |value: &Value| value.as_i64().and_then(|number| i32::try_from(number).ok());
        let float = |value: &Value| value.as_f64().filter(|_| value.is_f64()).map(|number| number as f32);
        let wholes: Option<Vec<i32>> = list.iter().map(whole).collect();
        let floats: Option<Vec<f32>> = list.iter().map(float).collect();
        match (wholes, floats) {
            _ if list.is_empty() => {}
            (Some(numbers), _) => return Ok(EntryValue::I32s(numbers)),
            (_, Some(numbers)) => return Ok(EntryValue::F32s(numbers)),
            _ => {}
        }
        Err(error!(BadJson:
            "the member \"{name}\" of the files for the preparation of images is {}: expected a list of numbers, all of them whole or none",
            Shown(alloc::string::ToString::to_string(value).as_bytes())))
    }
}

#[cold]
fn no_encoder() -> Error {
    error!(IncompleteModel: "{CONFIG} does not describe the encoder; download the file again")
}

/// Adds the members that are missing. Returns the name of one of them.
fn fill(members: &mut Members, defaults: &str) -> Result<Option<String>> {
    let defaults = json::parse("the defaults", defaults.as_bytes())?;
    let mut missing = None;
    for (name, value) in defaults.as_object().into_iter().flatten() {
        if !members.contains_key(name) {
            members.insert(name.clone(), value.clone());
            missing = Some(name.clone());
        }
    }
    Ok(missing)
}

/// The length of an embedding of the text model: `clip.vision.projection_dim`.
fn text_width(all: &Members, text: Option<&Members>, reading: &Reading, defaulted: &mut Option<String>) -> Result<u32> {
    const NAME: &str = "hidden_size";
    let own = text.and_then(|text| text.get(NAME).or_else(|| text.get("n_embd")));
    let outer = || all.get(NAME).or_else(|| all.get("n_embd"));
    let found = match (reading.class, text) {
        (None, _) => own.or_else(outer),
        (Some(_), None) => outer(),
        (Some(_), Some(_)) => own,
    };
    let width = match (found, reading.class) {
        (Some(value), _) => unsigned(NAME, value)?,
        (None, Some(class)) => {
            let own_type = text.and_then(|text| text.get("model_type")).and_then(Value::as_str);
            let model_type = own_type.filter(|_| !class.is_text_fixed).unwrap_or(class.text);
            *defaulted = Some(NAME.into());
            match class_default(model_type, NAME)? {
                Some(value) if text.is_some() => unsigned(NAME, &value)?,
                _ => 0,
            }
        }
        (None, None) => 0,
    };
    match width {
        0 => Err(error!(BadJson:
            "{CONFIG} does not say how long an embedding of the text model is: expected a member \"{NAME}\" above 0 in \"text_config\"; \
             download the file again")),
        width => Ok(width),
    }
}

/// Checks that a default counts: the reference reads the file as it is if the class of transformers refuses it.
fn check_defaults(all: &Members, text: Option<&Members>, class: &ClassDefaults, missing: &str) -> Result<()> {
    let text = text.unwrap_or(all);
    let own_type = text.get("model_type").and_then(Value::as_str);
    let model_type = own_type.filter(|_| !class.is_text_fixed).unwrap_or(class.text);
    let is_known = class.is_text_fixed || is_known_class(model_type);
    let refused = refused_by_class(model_type, all, text);
    match refused.or((!is_known).then_some("text_config.model_type")) {
        None => Ok(()),
        Some(refused) => Err(error!(UnsupportedModel:
            "{CONFIG} has no member \"{missing}\", and its default does not count: the class of transformers refuses this file for its \
             member \"{refused}\"; add the missing members, or correct \"{refused}\"")),
    }
}

/// The members of the files that say how images are prepared.
fn preprocessor(files: &SmallFiles) -> Result<Members> {
    let mut all = Members::new();
    for (file, inner) in PREPROCESSORS {
        let Some(value) = files.json(file)? else { continue };
        let Value::Object(members) = &*value else {
            return Err(error!(BadJson: "{file} is no JSON object; download the file again").at(0));
        };
        all.extend(members.clone());
        match members.get(*inner) {
            None => {}
            Some(Value::Object(inner)) => all.extend(inner.clone()),
            Some(other) => {
                return Err(error!(BadJson:
                    "the member \"{inner}\" of {file} is {}: expected an object",
                    Shown(alloc::string::ToString::to_string(other).as_bytes())));
            }
        }
    }
    Ok(all)
}
