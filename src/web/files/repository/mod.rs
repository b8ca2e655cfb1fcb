//! Repositories of the Hugging Face Hub: `listRepository` and `parseRepository`.
//!
//! - `list`: the functions and their results
//! - `place`: what is listed, and its URLs
//! - `hub`: the requests to the hub's interface
//! - `answers`: what the hub's answers say: files, facts about the model
//! - `refusals`: what the hub's refusals mean

mod answers;
mod hub;
mod list;
mod place;
mod refusals;
