//! Models in the layout of Hugging Face.

mod folder;
mod refused;
mod runs;
mod safetensors;
