//! Explains the names and numbers of the format: keys, architectures, file types, names of tensors.

mod architectures;
mod file_types;
mod keys;
mod listing;
mod tensor_role;
