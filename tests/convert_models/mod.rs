//! Models in the layout of Hugging Face.

mod bytes;
mod changed;
mod families;
mod folder;
mod opening;
mod reading;
mod refused;
mod runs;
mod safetensors;
