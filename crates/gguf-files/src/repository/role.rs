//! What a file of a repository is, by its name.

use gguf_declare::names;
use gguf_models::file_name::{FileName, parse_file_name};

/// The longest name that is read, in bytes: that of Linux. Reading a name takes longer than the length of the name, and a hostile list
/// can have many long ones.
const LONGEST_NAME: usize = 255;

names! {
    /// What a file of a repository is, by its name. `draft`: a small model that makes another one faster. `imatrix`: an importance
    /// matrix for quantizing. Every other file is a `model`. `Gguf.kind` tells it from the header.
    #[typescript("RepositoryRole")]
    pub enum RepositoryRole {
        /// A model: each file whose name says nothing else.
        Model = "model",
        /// A multimodal projector: `mmproj-model-f16.gguf`.
        Projector = "projector",
        /// A draft model that belongs to a model: `mtp-model.gguf`, `eagle3-model.gguf`.
        Draft = "draft",
        /// A LoRA adapter: `model-F16-LoRA.gguf`.
        Adapter = "adapter",
        /// A vocabulary without tensors: `model-vocab.gguf`.
        Vocabulary = "vocabulary",
        /// An importance matrix: `imatrix.gguf`, `model.imatrix.gguf`.
        Imatrix = "imatrix",
    }
}

/// What the name of a file says: its role and its encoding. A file with a longer name than file systems allow is a model.
pub(super) fn role_and_encoding(path: &str) -> (RepositoryRole, Option<&str>) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name.len() > LONGEST_NAME {
        return (RepositoryRole::Model, None);
    }
    let parsed = parse_file_name(name);
    // Some repositories have a folder for each encoding: `Q4_K_M/model-00001-of-00002.gguf`.
    let of_folder = || {
        let folder = folder.rsplit('/').next().unwrap_or_default();
        let encoding = (folder.len() <= LONGEST_NAME).then(|| parse_file_name(folder).encoding).flatten();
        encoding.filter(|encoding| *encoding == folder)
    };
    (role(name, &parsed), parsed.encoding.or_else(of_folder))
}

fn role(name: &str, parsed: &FileName<'_>) -> RepositoryRole {
    let is_word = |word: &str, found: Option<&str>| found.is_some_and(|found| found.eq_ignore_ascii_case(word));
    // llama.cpp finds projectors by this word anywhere in the name.
    if is_word("mmproj", parsed.sidecar) || contains(name, "mmproj") {
        return RepositoryRole::Projector;
    }
    if parsed.sidecar.is_some() {
        return RepositoryRole::Draft;
    }
    if is_word("imatrix", parsed.r#type) || starts_with(name, "imatrix") || contains(name, ".imatrix.") {
        return RepositoryRole::Imatrix;
    }
    if is_word("LoRA", parsed.r#type) {
        return RepositoryRole::Adapter;
    }
    if is_word("vocab", parsed.r#type) || starts_with(name, "ggml-vocab") {
        return RepositoryRole::Vocabulary;
    }
    RepositoryRole::Model
}

/// Whether a text contains a word, in capital or small letters.
fn contains(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether a text begins with a word, in capital or small letters.
fn starts_with(text: &str, word: &str) -> bool {
    text.as_bytes().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles() {
        for (name, role) in [
            ("model.gguf", RepositoryRole::Model),
            ("Llama-3.2-1B-Instruct-Q4_K_M.gguf", RepositoryRole::Model),
            ("Llama-3.2-1B-Instruct-Q4_K_M-imat.gguf", RepositoryRole::Model),
            ("sub/mmproj-model-f16.gguf", RepositoryRole::Projector),
            ("llava-v1.5-7b-MMPROJ-f16.gguf", RepositoryRole::Projector),
            ("mtp-Qwen3-8B-F16.gguf", RepositoryRole::Draft),
            ("imatrix_unsloth.gguf", RepositoryRole::Imatrix),
            ("Qwen3-8B.imatrix.gguf", RepositoryRole::Imatrix),
            ("Qwen3-8B-imatrix.gguf", RepositoryRole::Imatrix),
            ("Llama-3-8B-v1.0-F16-LoRA.gguf", RepositoryRole::Adapter),
            ("ggml-vocab-llama-bpe.gguf", RepositoryRole::Vocabulary),
            ("imatrix/model-Q4_0.gguf", RepositoryRole::Model),
            (&format!("mmproj-{}.gguf", "m".repeat(LONGEST_NAME)), RepositoryRole::Model),
        ] {
            assert_eq!(role_and_encoding(name).0, role, "{name}");
        }
    }

    #[test]
    fn encodings() {
        for (path, encoding) in [
            ("Llama-3.2-1B-Instruct-Q4_K_M.gguf", Some("Q4_K_M")),
            ("UD-IQ1_S/DeepSeek-R1-UD-IQ1_S-00001-of-00003.gguf", Some("UD-IQ1_S")),
            ("BF16/DeepSeek-R1.gguf", Some("BF16")),
            ("a/Q4_K_M/model-00001-of-00002.gguf", Some("Q4_K_M")),
            ("Q8_0/model-Q4_0.gguf", Some("Q4_0")),
            ("models/model.gguf", None),
            ("model.gguf", None),
            (&format!("{}/model.gguf", "Q4_0-".repeat(60)), None),
        ] {
            assert_eq!(role_and_encoding(path).1, encoding, "{path}");
        }
    }
}
