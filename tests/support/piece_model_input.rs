//! The input of the fuzz target `piece_model`: a SentencePiece model. The tests of changed files use the same function.
//!
//! ```text
//! kind     u8        how the vocabulary is stored: see `KINDS`
//! size     u16       `vocab_size` in `config.json`, little-endian. 0: it is missing
//! model    the rest  `tokenizer.model`, or `sentencepiece.bpe.model`
//! ```

use gguf_convert::model::entries::{Entries, EntryValue};
use gguf_convert::model::files::SmallFiles;
use gguf_convert::model::vocabulary::{Vocabulary, VocabularyInput};

/// The kinds of vocabularies that are read from a SentencePiece model, with the name of its file.
const KINDS: [(Vocabulary, &str); 8] = [
    (Vocabulary::SentencePiece, "tokenizer.model"),
    (Vocabulary::Llama, "tokenizer.model"),
    (Vocabulary::Gemma, "tokenizer.model"),
    (Vocabulary::Gemma3, "tokenizer.model"),
    (Vocabulary::Phi3, "tokenizer.model"),
    (Vocabulary::InternLm2, "tokenizer.model"),
    (Vocabulary::Mamba2, "tokenizer.model"),
    (Vocabulary::XlmRoberta, "sentencepiece.bpe.model"),
];

/// Reads a vocabulary. Returns whether it is accepted.
pub fn run(input: &[u8]) -> bool {
    let Some((&[kind, low, high], model)) = input.split_first_chunk() else { return false };
    let (vocabulary, file) = KINDS[usize::from(kind) % KINDS.len()];
    let mut files = SmallFiles::default();
    files.insert(file, model.to_vec());
    let config = match u16::from_le_bytes([low, high]) {
        0 => "{}".into(),
        size => format!("{{\"vocab_size\": {size}, \"pad_vocab_size_multiple\": 4}}"),
    };
    let config = serde_json::from_str(&config).unwrap();
    let input = VocabularyInput { files: &files, config: &config, pre: None };
    let mut entries = Entries::default();
    if vocabulary.add_entries(&input, &mut entries).is_err() {
        return false;
    }
    let value = |key| entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1);
    // A vocabulary without tokens has no entries for them.
    let Some(EntryValue::Strings(tokens)) = value("tokenizer.ggml.tokens") else { return false };
    let Some(EntryValue::F32s(scores)) = value("tokenizer.ggml.scores") else { panic!("no scores") };
    let Some(EntryValue::I32s(types)) = value("tokenizer.ggml.token_type") else { panic!("no types") };
    assert_eq!((scores.len(), types.len()), (tokens.len(), tokens.len()));
    assert!(tokens.iter().all(|token| std::str::from_utf8(token).is_ok()));
    assert!(types.iter().all(|kind| (1..=6).contains(kind)), "{types:?}");
    true
}
