//! The corpus of files in formats before GGUF.

use std::ops::Range;
use std::path::PathBuf;

use gguf_format::io::{Blocking, Buffer, MemoryBuffer, Source, block_on};
use gguf_legacy::{Decoder, LegacyHeader, LegacyModel, Options};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::corpus;

/// A model of the corpus, with its dump.
pub struct Model {
    pub name: String,
    /// The bytes of its parts.
    pub parts: Vec<Vec<u8>>,
    pub dump: Json,
}

/// The folder of the corpus, if it is there.
pub fn folder() -> Option<PathBuf> {
    Some(corpus::folder()?.join("legacy")).filter(|folder| folder.is_dir())
}

/// Every valid model of the corpus.
pub fn models() -> Vec<Model> {
    let Some(folder) = folder() else { return vec![] };
    let index = corpus::json(&folder.join("index.json"));
    let files = index["files"].as_array().unwrap();
    assert!(files.len() > 50, "the corpus is not whole: {} files", files.len());
    let model = |row: &Json| {
        let dump = corpus::json(&folder.join(row["expected"].as_str().unwrap()));
        let files = dump["files"].as_array().unwrap().iter();
        let parts = files.map(|file| corpus::read(&folder.join(file["file"].as_str().unwrap()))).collect();
        Model { name: row["file"].as_str().unwrap().into(), parts, dump }
    };
    files.iter().map(model).collect()
}

/// Decodes a file that is in memory.
pub fn decode(file: &[u8]) -> gguf_format::Result<LegacyHeader> {
    let mut decoder = Decoder::new(Options::default());
    decoder.push(file)?;
    decoder.finish()
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A vocabulary file of the corpus.
pub fn vocabulary(dump: &Json) -> Json {
    corpus::json(&folder().unwrap().join(dump["vocab"]["content"].as_str().unwrap()))
}

/// The bytes of a text, or of `{"b64": …}`.
pub fn text_bytes(text: &Json) -> Vec<u8> {
    let Some(encoded) = text["b64"].as_str() else { return text.as_str().unwrap().into() };
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = encoded.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let bits = digits.iter().flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1)).collect::<Vec<_>>();
    bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

/// A file in memory.
pub struct MemorySource {
    pub bytes: MemoryBuffer,
    /// Whether the source tells its size.
    pub tells_size: bool,
}

impl From<Vec<u8>> for MemorySource {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes: bytes.into(), tells_size: true }
    }
}

impl Source for MemorySource {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        self.tells_size.then(|| self.bytes.len())
    }

    async fn read(&self, range: Range<u64>) -> gguf_format::Result<MemoryBuffer> {
        let size = self.bytes.len();
        self.bytes.part(range.start.min(size)..range.end.min(size))
    }
}

/// Opens a model whose parts are in memory.
pub fn try_open(parts: &[Vec<u8>]) -> gguf_format::Result<LegacyModel<MemorySource>> {
    let sources = parts.iter().map(|part| part.clone().into()).collect();
    block_on(LegacyModel::open(sources, Options::default()))
}

pub fn open(parts: &[Vec<u8>]) -> LegacyModel<MemorySource> {
    try_open(parts).unwrap()
}
