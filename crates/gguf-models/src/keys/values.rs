//! The values that keys with a fixed set of values may have.

use gguf_declare::{given_as, result};
use gguf_format::format::tokenizer_model::TEXTS;

/// The values that a key may have. If its value is an array, each element is one of them.
#[derive(Clone, Copy, Debug)]
pub enum KeyValues {
    /// One of these values.
    Listed(&'static [KeyValue]),
    /// The id of a file type: a row of [`FILE_TYPES`](crate::file_types::FILE_TYPES).
    FileTypes,
}

result! {
    /// A value that a key may have.
    #[derive(Clone, Copy, Debug)]
    pub struct KeyValue {
        /// The value as it is stored.
        pub value: EnumValue,
        /// What people call the value.
        pub name: &'static str,
        /// The meaning of the value, in one sentence.
        pub description: &'static str,
    }
}

/// A stored value of a fixed set: a number of any integer type, or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumValue {
    /// The value of an integer.
    Number(i32),
    /// The value of a `STRING`.
    Text(&'static str),
}

given_as!(EnumValue, "number | string", |value, serializer| match value {
    Self::Number(number) => serializer.serialize_f64(f64::from(*number)),
    Self::Text(text) => serializer.serialize_str(text),
});

given_as!(KeyValues, "readonly KeyValue[]", |values, serializer| match values {
    Self::Listed(values) => values.give(serializer),
    Self::FileTypes => {
        let rows = crate::file_types::FILE_TYPES.iter();
        let values: alloc::vec::Vec<_> = rows.map(|info| number(info.id as i32, info.name, info.description)).collect();
        values.give(serializer)
    }
});

const fn number(value: i32, name: &'static str, description: &'static str) -> KeyValue {
    KeyValue { value: EnumValue::Number(value), name, description }
}

const fn text(value: &'static str, name: &'static str, description: &'static str) -> KeyValue {
    KeyValue { value: EnumValue::Text(value), name, description }
}

pub(super) const FILE_TYPES: KeyValues = KeyValues::FileTypes;

pub(super) const FILE_KINDS: KeyValues = KeyValues::Listed(&[
    text("model", "Model", "A model that runs by itself."),
    text("adapter", "Adapter", "Changes to the weights of a base model, such as LoRA."),
    text("imatrix", "Importance matrix", "Statistics that tell a quantizer which weights matter most."),
    text("mmproj", "Multimodal projector", "An image or audio encoder for a language model in another file."),
]);

pub(super) const MIROSTAT: KeyValues = KeyValues::Listed(&[
    number(0, "Off", "The other samplers choose the token."),
    number(1, "Mirostat", "The first version of the algorithm."),
    number(2, "Mirostat 2.0", "The second, simpler version of the algorithm."),
]);

pub(super) const POOLING: KeyValues = KeyValues::Listed(&[
    number(0, "None", "Every token keeps its own vector."),
    number(1, "Mean", "The average of all vectors stands for the text."),
    number(2, "CLS", "The vector of the first token stands for the text."),
    number(3, "Last", "The vector of the last token stands for the text."),
    number(4, "Rank", "A classifier turns the text into a relevance score."),
]);

pub(super) const GATING: KeyValues = KeyValues::Listed(&[
    number(0, "None", "The program chooses by the architecture."),
    number(1, "Softmax", "Softmax over the scores of all experts."),
    number(2, "Sigmoid", "A sigmoid of each score by itself."),
    number(3, "Softmax of weights", "Softmax over the scores of the chosen experts only."),
    number(4, "Root of softplus", "The square root of the softplus of each score."),
]);

pub(super) const ROPE_SCALING: KeyValues = KeyValues::Listed(&[
    text("none", "None", "Positions are used as they are."),
    text("linear", "Linear", "All positions are divided by the factor."),
    text("yarn", "YaRN", "Slow rotations are stretched more than fast ones."),
    text("longrope", "LongRoPE", "The file has a tensor with one factor for each rotation."),
]);

pub(super) const DATA_LAYOUTS: KeyValues = KeyValues::Listed(&[
    text("reference", "Reference", "Rows are in the order of the original model."),
    text("Meta AI original pth", "Meta AI", "Query and key rows are in the order of Meta's first LLaMA files."),
    text("jploski", "jploski", "Falcon's joined query, key and value rows are sorted by kind."),
]);

pub(super) const TOKENIZERS: KeyValues = KeyValues::Listed(&{
    let mut values = [text("", "", ""); TEXTS.len()];
    let mut index = 0;
    while index < values.len() {
        let [value, name, description] = TEXTS[index];
        values[index] = text(value, name, description);
        index += 1;
    }
    values
});

pub(super) const TOKEN_TYPES: KeyValues = KeyValues::Listed(&[
    number(0, "Undefined", "No class is known."),
    number(1, "Normal", "A piece of text."),
    number(2, "Unknown", "Replaces text that has no piece."),
    number(3, "Control", "Has a meaning for the model and is never text."),
    number(4, "User-defined", "A piece that is found before all others and never split."),
    number(5, "Unused", "Reserved, and never produced."),
    number(6, "Byte", "One byte of text that has no other piece."),
]);

pub(super) const ADAPTERS: KeyValues =
    KeyValues::Listed(&[text("lora", "LoRA", "Adds the product of two small matrices to each weight.")]);

pub(super) const RWKV_VERSIONS: KeyValues =
    KeyValues::Listed(&[number(4, "RWKV-4", "The generation of the first GGUF specification.")]);

pub(super) const PATCH_MERGE: KeyValues = KeyValues::Listed(&[
    text("flat", "Flat", "The vectors of one tile follow those of the tile before."),
    text("spatial_unpad", "Spatial", "Rows of the whole picture follow each other, without the padding."),
]);

pub(super) const VISION_WINDOWS: KeyValues = KeyValues::Listed(&[
    number(-1, "Full", "A patch sees the whole picture."),
    number(0, "Rows", "A patch sees neighbours in reading order by rows."),
    number(1, "Columns", "A patch sees neighbours in reading order by columns."),
]);

pub(super) const AUDIO_WINDOWS: KeyValues = KeyValues::Listed(&[
    number(-1, "Full", "A frame sees the whole sound."),
    number(0, "Window", "A frame sees only its neighbours."),
]);

/// The constants by their names.
const BY_NAME: &[(&str, KeyValues)] = &[
    ("FILE_TYPES", FILE_TYPES),
    ("FILE_KINDS", FILE_KINDS),
    ("MIROSTAT", MIROSTAT),
    ("POOLING", POOLING),
    ("GATING", GATING),
    ("ROPE_SCALING", ROPE_SCALING),
    ("DATA_LAYOUTS", DATA_LAYOUTS),
    ("TOKENIZERS", TOKENIZERS),
    ("TOKEN_TYPES", TOKEN_TYPES),
    ("ADAPTERS", ADAPTERS),
    ("RWKV_VERSIONS", RWKV_VERSIONS),
    ("PATCH_MERGE", PATCH_MERGE),
    ("VISION_WINDOWS", VISION_WINDOWS),
    ("AUDIO_WINDOWS", AUDIO_WINDOWS),
];

impl KeyValues {
    /// The values that a row of the table names. `None` if it names none: then every value is allowed.
    pub(super) fn named(name: &str) -> Option<Self> {
        BY_NAME.iter().find(|(found, _)| *found == name).map(|(_, values)| *values)
    }
}
