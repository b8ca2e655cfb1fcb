//! Chat templates: renders them, and says what is in them.

mod capabilities;
mod error;
mod given;
mod options;
mod render;
mod syntax;
