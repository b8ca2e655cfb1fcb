//! Models in the layout of Hugging Face.

mod bytes;
mod changed;
mod folder;
mod reading;
mod refused;
mod runs;
mod safetensors;
