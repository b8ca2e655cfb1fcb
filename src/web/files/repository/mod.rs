//! Repositories of the Hugging Face Hub: `listRepository` and `parseRepository`.

mod json;
mod list;
