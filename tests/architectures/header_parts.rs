//! A header in parts, so that a test can leave some of them out.

use gguf_format::{Format, Header};

/// The entries and tensor infos of a header, each with its key or name and its bytes.
pub struct HeaderParts {
    pub entries: Vec<(String, Vec<u8>)>,
    pub tensors: Vec<(String, Vec<u8>)>,
}

impl HeaderParts {
    /// The parts of a file of version 3, little-endian.
    pub fn of(file: &[u8]) -> Self {
        let header = gguf_format::parse(file).unwrap();
        assert_eq!(header.format(), Format::default());
        let bytes = |range: std::ops::Range<u64>| file[range.start as usize..range.end as usize].to_vec();
        let entries = header.metadata().map(|entry| (entry.key().to_string_lossy().into_owned(), bytes(entry.range())));
        let tensors = header.tensors().map(|info| (info.name().to_string_lossy().into_owned(), bytes(info.range())));
        Self { entries: entries.collect(), tensors: tensors.collect() }
    }

    /// The header without the entries and tensors whose key or name is in the list.
    pub fn without(&self, names: &[&str]) -> Header {
        let keep = |(name, _): &&(String, Vec<u8>)| !names.contains(&name.as_str());
        let entries: Vec<_> = self.entries.iter().filter(keep).collect();
        let tensors: Vec<_> = self.tensors.iter().filter(keep).collect();
        let mut file = crate::gguf_bytes::GgufBytes::new(Format::default());
        file.header(tensors.len() as u64, entries.len() as u64);
        entries.iter().chain(&tensors).for_each(|(_, bytes)| _ = file.bytes(bytes));
        gguf_format::parse(file.as_bytes()).unwrap()
    }
}
