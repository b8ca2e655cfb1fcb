//! The JavaScript API of conversions: to other tensor types, from the formats before GGUF, and from models in the layout of Hugging Face.

#[cfg(feature = "convert")]
mod legacy;
#[cfg(feature = "models")]
mod model;
#[cfg(feature = "convert")]
mod requantize;
