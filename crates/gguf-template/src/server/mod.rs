//! What llama-server makes of a template and a conversation before and after rendering (`common/chat.cpp`).

pub(crate) mod capabilities;
mod formats;
mod messages;
pub(crate) mod notes;
pub(crate) mod prompt;
mod workarounds;
