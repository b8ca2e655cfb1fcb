//! Models in the layout of Hugging Face.

mod bytes;
mod changed;
mod families;
mod folder;
mod more_families;
mod reading;
mod refused;
mod runs;
mod safetensors;
mod variants;
