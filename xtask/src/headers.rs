//! Headers for benchmarks, as large as those of well-known models. The files end before the data section.
//!
//! | file          | like           | tokens  | merges  | tensors |
//! | ------------- | -------------- | ------- | ------- | ------- |
//! | llama3.gguf   | Llama 3 8B     | 128,256 | 280,147 | 291     |
//! | gemma.gguf    | Gemma 3 4B     | 262,144 | scores  | 444     |
//! | deepseek.gguf | DeepSeek V3    | 129,280 | 127,741 | 1,025   |
//! | spm.gguf      | Llama 2 7B     | 32,000  | scores  | 291     |
//!
//! The numbers in scale-1, -4, -16 and -60 are megabytes. These headers have the proportions of llama3.

mod builder;
mod models;
mod tokens;

use std::path::Path;
use std::{fs, io, thread};

pub use models::{deepseek, gemma, llama3, scale, spm};

type Maker = fn() -> Vec<u8>;

/// Writes all headers into a folder, and creates the folder if it is missing.
pub fn write_all(folder: &Path) -> io::Result<()> {
    let headers: [(&str, Maker); 8] = [
        ("scale-60", || scale(60)),
        ("scale-16", || scale(16)),
        ("scale-4", || scale(4)),
        ("scale-1", || scale(1)),
        ("llama3", llama3),
        ("gemma", gemma),
        ("deepseek", deepseek),
        ("spm", spm),
    ];
    fs::create_dir_all(folder)?;
    thread::scope(|scope| {
        // All threads start before the first is joined.
        let writers =
            headers.map(|(name, bytes)| scope.spawn(move || fs::write(folder.join(format!("{name}.gguf")), bytes())));
        writers.into_iter().try_for_each(|writer| writer.join().expect("a header that cannot be made"))
    })
}
