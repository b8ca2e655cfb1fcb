//! The layout of the draft of GGUF. The files are written from the document that proposes it.

use std::ops::Range;

use gguf_format::io::{Blocking, Buffer, MemoryBuffer, Source, block_on};
use gguf_format::write::encode::{Encoder, OwnedValue};
use gguf_format::{Endian, Format, GgmlType, Limits, ValueType};
use gguf_legacy::{Migration, NoteKind, open_draft};
use gguf_models::validate::{Severity, Subject, validate};

use super::support::MemorySource;
use crate::draft_file::{DraftFile, array, string};

fn open(file: &[u8]) -> gguf_format::Result<Migration<MemorySource>> {
    block_on(open_draft(file.to_vec().into(), &Limits::default()))
}

fn bytes<S: Source>(migration: &Migration<S>) -> Vec<u8> {
    let read = block_on(migration.file().read(0..migration.size())).unwrap();
    let mut bytes = vec![0; read.len() as usize];
    read.copy_to(&mut bytes).unwrap();
    bytes
}

/// The model of the document: an entry of each type, and tensors of several types.
fn whole_file() -> DraftFile {
    let tokens: Vec<Vec<u8>> = (0..40_000).map(|id| string(&format!("token {id}"))).collect();
    DraftFile::default()
        .entry("general.architecture", 8, &string("llama"))
        .entry("general.file_type", 8, &string("mostly Q4_0"))
        .entry("test.u8", 0, &[200])
        .entry("test.i8", 1, &[200])
        .entry("test.u16", 2, &[1, 2])
        .entry("test.i16", 3, &[0, 255])
        .entry("llama.hidden_size", 4, &64_u32.to_le_bytes())
        .entry("test.i32", 5, &(-5_i32).to_le_bytes())
        .entry("test.f32", 6, &1.5_f32.to_le_bytes())
        .entry("test.bool", 7, &[1])
        .entry("tokenizer.embedded.tokens", 9, &array(8, &tokens))
        .entry("tokenizer.embedded.scores", 9, &array(6, &[vec![0; 4], vec![0, 0, 128, 191]]))
        .entry("test.nested", 9, &array(9, &[array(0, &[vec![7], vec![8]]), array(8, &[])]))
        .tensor("tok_embeddings.weight", &[64, 2], 2, &[1; 72])
        .tensor("norm.weight", &[3], 0, &[2; 12])
        .tensor("test.i8", &[5], 16, &[3; 5])
        .tensor("test.i32", &[2], 18, &[4; 8])
}

#[test]
fn entries_and_tensors_are_those_of_the_file() {
    let file = whole_file().bytes();
    let migration = open(&file).unwrap();
    let new = bytes(&migration);
    let header = gguf_format::parse(&new).unwrap();
    assert_eq!(header.format().version, 3);
    let list = |values: Vec<OwnedValue>, element_type| OwnedValue::array(element_type, values);
    let tokens = (0..40_000).map(|id| format!("token {id}").as_str().into()).collect();
    let bytes_list = list(vec![7_u8.into(), 8_u8.into()], ValueType::Uint8);
    let nested = vec![bytes_list, list(vec![], ValueType::String)];
    let expected: [(&str, OwnedValue); 13] = [
        ("general.architecture", "llama".into()),
        ("general.file_type", "mostly Q4_0".into()),
        ("test.u8", 200_u8.into()),
        ("test.i8", (-56_i8).into()),
        ("test.u16", 513_u16.into()),
        ("test.i16", (-256_i16).into()),
        ("llama.hidden_size", 64_u32.into()),
        ("test.i32", (-5_i32).into()),
        ("test.f32", 1.5_f32.into()),
        ("test.bool", true.into()),
        ("tokenizer.embedded.tokens", list(tokens, ValueType::String)),
        ("tokenizer.embedded.scores", list(vec![0.0_f32.into(), (-1.0_f32).into()], ValueType::Float32)),
        ("test.nested", list(nested, ValueType::Array)),
    ];
    let mut entries = Encoder::new(Format::default());
    entries.header(4, 13);
    expected.iter().for_each(|(key, value)| {
        entries.kv(key.as_bytes(), value);
    });
    assert_eq!(new[..entries.len() as usize], *entries.as_bytes());
    let tensors = [
        ("tok_embeddings.weight", vec![64, 2], GgmlType::Q4_0, [1; 72].to_vec()),
        ("norm.weight", vec![3], GgmlType::F32, [2; 12].to_vec()),
        ("test.i8", vec![5], GgmlType::I8, [3; 5].to_vec()),
        ("test.i32", vec![2], GgmlType::I32, [4; 8].to_vec()),
    ];
    assert_eq!(header.tensors().len(), tensors.len());
    for (tensor, (name, dimensions, ggml_type, data)) in header.tensors().zip(tensors) {
        assert_eq!((&*tensor.name().to_string_lossy(), tensor.ggml_type()), (name, ggml_type));
        assert_eq!(tensor.dimensions().collect::<Vec<_>>(), dimensions);
        let start = tensor.file_offset().unwrap() as usize;
        assert_eq!(new[start..start + data.len()], data, "{name}");
    }
    assert!(migration.tensors().iter().all(|tensor| !tensor.is_lossy() && tensor.name == tensor.old_name));
}

/// Returns at most some bytes for each read, and may not tell its size.
struct Pieces {
    file: MemorySource,
    longest: u64,
}

impl Source for Pieces {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        self.file.size()
    }

    async fn read(&self, range: Range<u64>) -> gguf_format::Result<MemoryBuffer> {
        self.file.read(range.start..range.end.min(range.start + self.longest)).await
    }
}

#[test]
fn pieces_of_any_size_give_the_same() {
    let small = DraftFile::default()
        .entry("a", 9, &array(8, &[string("x"), string("")]))
        .entry("b", 4, &[1, 0, 0, 0])
        .tensor("t", &[2], 0, &[9; 8]);
    for file in [small.bytes(), whole_file().bytes()] {
        let expected = open(&file).unwrap();
        for longest in [1, 7, 100, 70_000] {
            for tells_size in [true, false] {
                let source = Pieces { file: MemorySource { tells_size, ..file.clone().into() }, longest };
                let found = block_on(open_draft(source, &Limits::default())).unwrap();
                assert_eq!(found.file().header_bytes(), expected.file().header_bytes());
                assert_eq!(found.tensors(), expected.tensors());
            }
        }
    }
}

#[test]
fn entries_that_end_at_a_multiple_of_the_alignment_have_both_paddings() {
    // 16 bytes of counts, 16 of the entry without its key and its value, 4 of the value.
    let key = "k".repeat(64 - 16 - 12 - 4);
    let file = DraftFile::default().entry(&key, 4, &[1, 0, 0, 0]).tensor("t", &[2], 0, &[9; 8]);
    let mut padded = file.clone();
    padded.pads_by_formula = true;
    assert_eq!(padded.bytes().len(), file.bytes().len() + 64);
    assert_eq!(bytes(&open(&padded.bytes()).unwrap()), bytes(&open(&file.bytes()).unwrap()));
}

#[test]
fn a_file_without_tensors_or_entries_is_read() {
    assert_eq!(open(&DraftFile::default().bytes()).unwrap().size(), 24);
    let file = DraftFile::default().tensor("t", &[], 0, &[0; 4]);
    assert_eq!(open(&file.bytes()).unwrap().tensors().len(), 1);
}

#[test]
fn a_file_that_is_cut_is_refused_with_the_offset() {
    let file = DraftFile::default()
        .entry("a", 9, &array(8, &[string("x"), string("yz")]))
        .entry("b", 7, &[1])
        .tensor("t", &[2], 0, &[9; 8])
        .bytes();
    for length in 0..file.len() {
        for tells_size in [true, false] {
            let source = MemorySource { tells_size, ..file[..length].to_vec().into() };
            let error =
                block_on(open_draft(source, &Limits::default())).err().unwrap_or_else(|| panic!("{length} bytes"));
            assert_eq!(error.code(), "unexpected-eof", "{length}: {error}");
            assert!(error.offset().is_some_and(|offset| offset <= file.len() as u64), "{length}: {error}");
        }
    }
}

/// A file with a number in place of the four bytes at a position.
fn with_number(file: &DraftFile, at: usize, number: u32) -> Vec<u8> {
    let mut bytes = file.bytes();
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    bytes
}

#[test]
fn damaged_files_are_refused_with_code_and_offset() {
    // The offsets: the entry 16, its key 20, value length 21, type 25, value 29; the tensor 64.
    let file = DraftFile::default().entry("a", 4, &[1, 0, 0, 0]).tensor("t", &[32], 2, &[9; 18]);
    let list = DraftFile::default().entry("a", 9, &array(4, &[vec![0; 4]]));
    let twice = DraftFile::default().entry("a", 7, &[1]).entry("a", 7, &[1]);
    let same_names = file.clone().tensor("t", &[32], 2, &[9; 18]);
    let long_name = DraftFile::default().tensor(&"n".repeat(100), &[1], 0, &[0; 4]);
    let cases = [
        (with_number(&file, 0, 0), "bad-magic", 0),
        (with_number(&file, 4, 3), "unsupported-version", 4),
        (with_number(&file, 21, 5), "bad-structure", 29),
        (with_number(&file, 25, 10), "unknown-value-type", 25),
        (with_number(&file, 25, 77), "unknown-value-type", 25),
        (with_number(&file, 25, 8), "bad-structure", 29),
        (with_number(&file, 40, 1), "bad-structure", 33),
        (with_number(&file, 64 + 5, 100), "bad-structure", 64),
        (with_number(&file, 64 + 13, 31), "bad-structure", 64),
        (with_number(&file, 64 + 17, 4), "unknown-type", 64),
        (with_number(&file, 64 + 17, 19), "unknown-type", 64),
        (with_number(&file, 64 + 21, 32), "bad-structure", 64),
        (with_number(&file, 64 + 25, u32::MAX), "bad-structure", 64),
        (with_number(&list, 29, u32::MAX), "limit-exceeded", 29),
        (with_number(&list, 29, 2), "bad-structure", 29),
        (with_number(&list, 33, 99), "unknown-value-type", 33),
        (twice.bytes(), "key-taken", 30),
        (same_names.bytes(), "name-taken", 64 + 29),
        (long_name.bytes(), "bad-name", 64),
    ];
    for (index, (file, code, offset)) in cases.iter().enumerate() {
        let error = open(file).err().unwrap_or_else(|| panic!("file {index} was read"));
        assert_eq!((error.code().name(), error.offset()), (*code, Some(*offset)), "{index}: {error}");
    }
    let deep = (0..70).fold(array(0, &[]), |inner, _| array(9, &[inner]));
    let error = open(&DraftFile::default().entry("a", 9, &deep).bytes()).err().unwrap();
    assert_eq!(error.code(), "limit-exceeded");
}

#[test]
fn gguf_as_released_is_no_draft() {
    let mut file = Encoder::new(Format { version: 1, endian: Endian::Little });
    file.header(0, 1).kv(b"general.architecture", &"llama".into());
    let error = open(file.as_bytes()).err().unwrap();
    assert!(error.to_string().contains("without the dialect"), "{error}");
}

#[test]
fn every_key_of_the_draft_is_reported_with_the_one_that_replaced_it() {
    let replaced = [
        ("llama.hidden_size", "llama.embedding_length"),
        ("llama.num_layers", "llama.block_count"),
        ("llama.num_rotary", "llama.rope.dimension_count"),
        ("llama.max_seq_len", "llama.context_length"),
        ("llama.attention.num_heads", "llama.attention.head_count"),
        ("llama.attention.alibi_bias_max", "llama.attention.max_alibi_bias"),
        ("llama.attention.clip_kqv", "llama.attention.clamp_kqv"),
        ("llama.num_mult", "llama.feed_forward_length"),
        ("llama.rot", "llama.rope.dimension_count"),
        ("llama.num_rot", "llama.rope.dimension_count"),
        ("general.url.original_source", "general.source.url"),
        ("tokenizer.embedded.tokens", "tokenizer.ggml.tokens"),
        ("tokenizer.embedded.scores", "tokenizer.ggml.scores"),
    ];
    let mut file = DraftFile::default().entry("general.architecture", 8, &string("llama"));
    for (key, _) in replaced {
        file = match key {
            "general.url.original_source" => file.entry(key, 8, &string("https://example.com")),
            "tokenizer.embedded.tokens" => file.entry(key, 9, &array(8, &[string("a")])),
            "tokenizer.embedded.scores" => file.entry(key, 9, &array(6, &[vec![0; 4]])),
            "llama.attention.alibi_bias_max" | "llama.attention.clip_kqv" => file.entry(key, 6, &[0; 4]),
            _ => file.entry(key, 4, &[8, 0, 0, 0]),
        };
    }
    let new = bytes(&open(&file.bytes()).unwrap());
    let header = gguf_format::parse(&new).unwrap();
    let findings = validate(&header, Some(new.len() as u64));
    for (index, (key, new_key)) in replaced.iter().enumerate() {
        let found = findings.iter().find(|finding| {
            finding.subject == Some(Subject::Entry(index + 1))
                && ["deprecated-key", "unread-key"].contains(&finding.check.code())
        });
        let found = found.unwrap_or_else(|| panic!("{key} is not reported"));
        assert!(found.message.contains(new_key), "{key}: {}", found.message);
        // The multiple is another number than the length, so no fix renames it.
        assert_eq!(found.fix.is_some(), *key != "llama.num_mult", "{key}");
    }
}

#[test]
fn what_llama_cpp_refuses_is_a_note() {
    let tokens = array(8, &[string("a"), string("b"), string("a")]);
    let file = DraftFile::default()
        .entry("general.architecture", 8, &string("llama"))
        .entry("llama.context_length", 4, &[8, 0, 0, 0])
        .entry("tokenizer.ggml.tokens", 9, &tokens);
    let notes = open(&file.bytes()).unwrap().notes().to_vec();
    let kinds: Vec<_> = notes.iter().map(|note| (note.kind, note.severity())).collect();
    assert_eq!(kinds, [(NoteKind::MissingKey, Severity::Error), (NoteKind::DuplicateToken, Severity::Error)]);
    assert!(notes[0].message.contains("no entry llama.embedding_length,"), "{}", notes[0].message);
}
