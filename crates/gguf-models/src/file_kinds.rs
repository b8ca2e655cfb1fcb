//! The kinds of files, in one table.

use gguf_declare::{names, result};

result! {
    /// A kind of file.
    #[derive(Clone, Copy, Debug)]
    pub struct FileKindInfo {
        /// The kind.
        #[rust]
        pub kind: FileKind,
        /// The name for programs. It never changes.
        #[typescript("FileKind")]
        pub name: &'static str,
        /// The name for people.
        pub title: &'static str,
        /// What such a file is for, in one sentence.
        pub description: &'static str,
    }
}

macro_rules! file_kinds {
    ($(#[doc = $description:literal] $kind:ident $name:literal $title:literal;)*) => {
        /// What a file is: a row of [`FILE_KINDS`].
        ///
        /// # Examples
        ///
        /// ```
        /// use gguf_models::kind::FileKind;
        ///
        /// assert_eq!(FileKind::Imatrix.name(), "imatrix");
        /// assert_eq!(FileKind::Imatrix.title(), "Importance matrix");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FileKind {
            $(#[doc = $description] $kind,)*
        }

        impl FileKind {
            /// The names of all kinds.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }

        /// Every kind of file.
        pub const FILE_KINDS: &[FileKindInfo] = &[$(FileKindInfo {
            kind: FileKind::$kind,
            name: $name,
            title: $title,
            description: $description.trim_ascii(),
        },)*];
    };
}

file_kinds! {
    /// Predicts the next token of a text, or does another task without a second file.
    Model "model" "Model";
    /// Turns a text into a vector, so that texts can be compared.
    Embedding "embedding" "Embedding model";
    /// Gives a score to a pair of texts: how well the second one answers the first.
    Reranker "reranker" "Reranker";
    /// Sorts texts into classes.
    Classifier "classifier" "Text classifier";
    /// Writes a text by replacing masked tokens in several steps.
    TextDiffusion "text-diffusion" "Text diffusion model";
    /// Draws images or films from noise, with a text encoder from another file.
    ImageDiffusion "image-diffusion" "Image diffusion model";
    /// Turns images into what an image diffusion model works on, and back.
    Vae "vae" "Image autoencoder (VAE)";
    /// Encodes text for an image diffusion model in another file.
    TextEncoder "text-encoder" "Text encoder of image models";
    /// Compares texts with images. It belongs to no language model.
    Clip "clip" "CLIP model";
    /// Turns a text into speech, or audio tokens into sound.
    TextToSpeech "text-to-speech" "Text-to-speech model";
    /// Turns speech into text.
    SpeechRecognition "speech-recognition" "Speech recognition model";
    /// Predicts tokens ahead for a larger model in another file, which accepts or rejects them.
    Draft "draft" "Draft model";
    /// Changes the weights of a base model, which is another file: a LoRA adapter, for example.
    Adapter "adapter" "Adapter";
    /// Encodes images or sound for a language model in another file.
    Projector "mmproj" "Multimodal projector";
    /// Tells a quantizer which weights matter most.
    Imatrix "imatrix" "Importance matrix";
    /// Changes the hidden state of a model in another file, to steer what it writes.
    ControlVector "control-vector" "Control vector";
    /// Holds the tokens of a model, without its weights.
    Vocabulary "vocabulary" "Vocabulary";
    /// Holds a part of a file that was split.
    Shard "shard" "Shard";
    /// Has no mark of a known kind.
    Unknown "unknown" "Unknown";
}

names!(@web FileKind ["FileKind"] [" What a file is: the `name` of an object of `fileKinds()`."]);

impl FileKind {
    /// The row of the kind.
    pub fn info(self) -> &'static FileKindInfo {
        &FILE_KINDS[self as usize]
    }

    /// The name for programs. It never changes.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// Whether llama.cpp loads such a file as a model of its own. Only such a file has all keys and tensors that its
    /// architecture requires.
    pub fn is_complete_model(self) -> bool {
        matches!(
            self,
            Self::Model
                | Self::Embedding
                | Self::Reranker
                | Self::Classifier
                | Self::TextDiffusion
                | Self::TextToSpeech
        )
    }
}
