//! [`File`]: a file of the file system, without asynchronous code.

use std::fs;
use std::path::PathBuf;

use gguf_format::edit::Edit;
use gguf_format::write::encode::Encoder;
use gguf_format::{Error, File, Format, Header, Limits};

/// A new folder, which is removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gguf-local-file-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// A file with the numbers 0, 1, 2, … as F32, in three rows of four.
fn numbers() -> Vec<u8> {
    let mut file = Encoder::new(Format::default());
    file.header(1, 1).kv(b"general.architecture", &"llama".into()).tensor_info(b"t", &[4, 3], 0, 0).pad_to(32);
    (0..12).for_each(|number| _ = file.bytes(&(number as f32).to_le_bytes()));
    file.into_bytes()
}

#[test]
fn rows_and_stored_bytes_are_read() {
    let folder = Folder::new("rows");
    let bytes = numbers();
    let file = File::open(folder.file("a.gguf", &bytes)).unwrap();
    let tensor = file.header().tensor("t").unwrap();
    assert_eq!(file.dequantize(&tensor, 4..8).unwrap(), [4.0, 5.0, 6.0, 7.0]);
    assert_eq!(file.read(&tensor).unwrap(), bytes[bytes.len() - 48..]);
    assert_eq!(file.statistics(&tensor).unwrap().max, Some(11.0));
    assert_eq!(file.size(), Some(bytes.len() as u64));
    assert_eq!(file.dequantize(&tensor, 8..13).unwrap_err().code(), "out-of-range");
}

#[test]
fn a_truncated_file_and_a_missing_one_are_refused() {
    let folder = Folder::new("truncated");
    let bytes = numbers();
    let file = File::open(folder.file("a.gguf", &bytes[..bytes.len() - 1])).unwrap();
    let tensor = file.header().tensor("t").unwrap();
    for error in [file.dequantize(&tensor, 8..12).unwrap_err(), file.read(&tensor).unwrap_err()] {
        assert_eq!(error.code(), "unexpected-eof");
    }
    assert_eq!(file.dequantize(&tensor, 0..4).unwrap().len(), 4);
    assert_eq!(File::open(folder.0.join("b.gguf")).unwrap_err().code(), "read-failed");
}

#[test]
fn an_edited_copy_is_written_also_in_place_of_the_file() {
    let folder = Folder::new("edited");
    let bytes = numbers();
    let path = folder.file("a.gguf", &bytes);
    let file = File::open(&path).unwrap();
    file.write_to(&file.edit(), folder.0.join("same.gguf")).unwrap();
    assert_eq!(fs::read(folder.0.join("same.gguf")).unwrap(), bytes);

    let mut edit = file.edit();
    edit.set("general.name", &"A long name, after which the data moves".into()).unwrap();
    file.write_to(&edit, &path).unwrap();
    let new = File::open(&path).unwrap();
    assert_eq!(new.header().name().unwrap(), "A long name, after which the data moves");
    for file in [&file, &new] {
        let tensor = file.header().tensor("t").unwrap();
        assert_eq!(file.dequantize(&tensor, 0..4).unwrap(), [0.0, 1.0, 2.0, 3.0]);
    }
    assert_eq!(folder.names(), ["a.gguf", "same.gguf"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new("failed");
    let path = folder.file("a.gguf", &numbers());
    let file = File::open(&path).unwrap();
    let other = Edit::new(gguf_format::parse(&numbers()).unwrap());
    assert_eq!(file.write_to(&other, folder.0.join("b.gguf")).unwrap_err().code(), "invalid-argument");
    fs::create_dir(folder.0.join("c.gguf")).unwrap();
    for name in ["c.gguf", "missing/b.gguf", ".."] {
        assert_eq!(file.write_to(&file.edit(), folder.0.join(name)).unwrap_err().code(), "write-failed", "{name}");
    }
    assert_eq!(folder.names(), ["a.gguf", "c.gguf"]);
}

#[test]
fn threads_share_a_file() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<File>();
    is_shared::<Header>();
    is_shared::<Edit>();
    is_shared::<Error>();

    let folder = Folder::new("threads");
    let file = File::open(folder.file("a.gguf", &numbers())).unwrap();
    std::thread::scope(|scope| {
        for row in 0..3 {
            let file = &file;
            scope.spawn(move || {
                let tensor = file.header().tensor("t").unwrap();
                for _ in 0..100 {
                    assert_eq!(file.dequantize(&tensor, row * 4..row * 4 + 1).unwrap(), [row as f32 * 4.0]);
                }
                let path = file.path().with_file_name("copy.gguf");
                file.write_to(&file.edit(), &path).unwrap();
            });
        }
    });
    assert_eq!(folder.names(), ["a.gguf", "copy.gguf"]);
}

#[test]
fn dimensions_are_a_slice_and_an_iterator_however_many_there_are() {
    for count in [1, 4, 8, 9, 20] {
        let expected: Vec<u64> = (1..=count).map(|extent| extent % 3 + 1).collect();
        let mut file = Encoder::new(Format::default());
        file.header(1, 0).tensor_info(b"t", &expected, 0, 0).pad_to(32);
        let mut limits = Limits::default();
        limits.dimension_count = 20;
        let mut decoder = gguf_format::Decoder::with_limits(limits);
        decoder.push(file.as_bytes()).unwrap();
        let header = decoder.into_header().unwrap();
        let mut dimensions = header.tensor("t").unwrap().dimensions();
        assert_eq!(*dimensions, expected[..]);
        assert_eq!(dimensions.next(), Some(expected[0]));
        assert_eq!((&*dimensions, dimensions.len()), (&expected[1..], expected.len() - 1));
        assert!(dimensions.eq(expected[1..].iter().copied()));
    }
}
