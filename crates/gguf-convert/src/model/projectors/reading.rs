//! How the configurations of encoders are read.

/// Which encoders a projector has, and how their configurations are read.
pub(super) struct Forms {
    /// How `config.json` is read, by its `model_type`. Other values are refused.
    pub reads: &'static [Reading],
    /// Whether there is an encoder of images.
    pub has_vision: bool,
    /// Whether there is an encoder of sound.
    pub has_audio: Audio,
}

/// Whether a projector has an encoder of sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audio {
    No,
    Yes,
    /// If the configuration has one.
    Maybe,
}

/// What an encoder reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Vision,
    Audio,
}

/// How `config.json` is read for a `model_type`.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub model_type: &'static str,
    /// The class of transformers. `None` if the release that the reference pins knows none: it reads the file as it is.
    pub class: Option<ClassDefaults>,
}

/// What a class of transformers gives to missing members.
#[derive(Clone, Copy)]
pub(super) struct ClassDefaults {
    /// The values of missing members of `vision_config`, as JSON.
    pub vision: &'static str,
    /// The values of missing members of `audio_config`, as JSON.
    pub audio: &'static str,
    /// The values of missing members of the whole file, as JSON.
    pub global: &'static str,
    /// The `model_type` of the text without the member.
    pub text: &'static str,
    /// Whether the class of the text is always this one, whatever the member says.
    pub is_text_fixed: bool,
}

/// A file that is read as it is.
pub(super) const fn as_it_is(model_type: &'static str) -> Reading {
    Reading { model_type, class: None }
}

/// A file that is read through a class of transformers, whose text is of a class of its own.
pub(super) const fn with_class(model_type: &'static str, vision: &'static str, text: &'static str) -> Reading {
    Reading { model_type, class: Some(ClassDefaults { vision, audio: "{}", global: "{}", text, is_text_fixed: true }) }
}

impl Reading {
    /// The text can be of any class: `model_type` within it says which.
    pub const fn of_any_text(self) -> Self {
        match self.class {
            Some(class) => Self { class: Some(ClassDefaults { is_text_fixed: false, ..class }), ..self },
            None => self,
        }
    }

    /// The reading with defaults of the encoder of sound.
    pub const fn with_audio(self, audio: &'static str) -> Self {
        match self.class {
            Some(class) => Self { class: Some(ClassDefaults { audio, ..class }), ..self },
            None => self,
        }
    }

    /// The reading with defaults of the whole file.
    pub const fn with_global(self, global: &'static str) -> Self {
        match self.class {
            Some(class) => Self { class: Some(ClassDefaults { global, ..class }), ..self },
            None => self,
        }
    }
}

/// The members with the number of blocks, in the order in which the reference looks for them.
pub(super) const BLOCKS: &[&str] = &[
    "n_layers",
    "num_hidden_layers",
    "n_layer",
    "num_layers",
    "depth",
    "layers",
    "encoder_layers",
    "vt_num_hidden_layers",
];
