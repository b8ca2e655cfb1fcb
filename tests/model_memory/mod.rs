//! The memory that a model takes: against what llama.cpp allocates, and what must hold for every model and setting.

mod cards;
mod fit;
mod held_out;
mod hostile;
mod llama_cpp;
mod loaded_tensors;
mod properties;
mod unknown;
