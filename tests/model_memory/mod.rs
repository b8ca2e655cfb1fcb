//! The memory that a model takes: against what llama.cpp allocates, and what must hold for every model and setting.

mod fit;
mod hostile;
mod llama_cpp;
mod properties;
