//! Models in the layout of Hugging Face.

mod bytes;
mod changed;
mod families;
pub mod folder;
mod generated;
mod hostile;
mod lora;
mod lora_families;
mod lora_merge;
mod model_families;
mod more_families;
mod october;
mod opening;
mod projector_fit;
mod projectors;
mod projectors_hostile;
mod reading;
mod refused;
mod runs;
mod safetensors;
mod stored_weights;
mod variants;
