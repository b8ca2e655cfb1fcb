//! What the crate knows of architectures and tensor names: the tables, against upstream's lists and against real headers.

mod gguf_py;
mod header_parts;
mod language;
mod real_headers;
mod table;
mod tensor_names;
