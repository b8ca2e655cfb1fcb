//! The integration tests: a module for each folder, and what they share.

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/draft_file.rs"]
mod draft_file;
#[path = "support/edit_session/mod.rs"]
mod edit_session;
#[path = "support/fuzz_input.rs"]
mod fuzz_input;
#[path = "support/gguf_bytes.rs"]
mod gguf_bytes;
#[path = "support/image_header.rs"]
mod image_header;
#[path = "support/imports.rs"]
mod imports;
#[path = "support/legacy_input.rs"]
mod legacy_input;
#[path = "support/long.rs"]
mod long;
#[path = "support/model/mod.rs"]
mod model;
#[path = "support/model_folder_input.rs"]
mod model_folder_input;
#[path = "support/model_value/mod.rs"]
mod model_value;
#[path = "support/piece_model_input.rs"]
mod piece_model_input;
#[path = "support/safetensors_input.rs"]
mod safetensors_input;
#[path = "support/sample.rs"]
mod sample;
#[path = "support/split.rs"]
mod split;
#[path = "support/tokenizer_input.rs"]
mod tokenizer_input;
#[path = "support/written.rs"]
mod written;

mod architectures;
mod compare;
mod convert;
mod convert_models;
mod editing;
mod files;
mod io;
mod know;
mod layers;
mod legacy;
mod model_files;
mod model_memory;
mod reading;
mod shards;
mod tokenizer;
mod validate;
mod values;
