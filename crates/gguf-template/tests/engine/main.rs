//! The tests of the crate.

#[path = "../../../../tests/support/chat_template_input.rs"]
mod chat_template_input;
mod corpus;
mod differences;
mod errors;
mod hostile;
mod mutations;
mod rules;
mod server;
