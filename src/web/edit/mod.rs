//! Changes a file or makes a new one: the editor, plans, and writing them.

pub(crate) mod apply;
mod byte_order;
pub(crate) mod change;
pub(crate) mod edit_plan;
pub(crate) mod editor;
mod gguf;
pub(crate) mod new_value;
pub(crate) mod planned;
pub(crate) mod write_stream;
pub(crate) mod writer;
