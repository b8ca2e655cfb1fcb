//! Changes a file or makes a new one: the editor, plans, and writing them.

pub(crate) mod apply_to;
mod byte_order;
pub(crate) mod edit_plan;
pub(crate) mod editor;
mod gguf;
pub(crate) mod given_value;
pub(crate) mod planned_file;
pub(crate) mod write_stream;
pub(crate) mod writer;
