//! The options of `validate`.

use alloc::string::String;

use crate::interop::options;

options! {
    /// What `validate` takes.
    pub interface ValidateOptions {
        /// The name of the file without folders: `Llama-3-8B-Q4_K_M.gguf`. It is compared with what the header says.
        file_name?: "string" => String;
    }
}
