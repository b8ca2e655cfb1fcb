//! Files in the layout of the draft of GGUF, written from the document that proposes it: no program is known that wrote one.

/// The multiple at which tensor infos and data begin.
pub const ALIGNMENT: usize = 64;

/// A file before its tensors.
#[derive(Clone, Default)]
pub struct DraftFile {
    entries: Vec<Vec<u8>>,
    tensors: Vec<(Vec<u8>, Vec<u8>)>,
    /// Whether 64 zeros stand before the tensors if the entries end at a multiple of 64, as the formula of the draft says.
    pub pads_by_formula: bool,
}

fn u32s(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A `gguf_string_t`.
pub fn string(text: &str) -> Vec<u8> {
    [&u32s(&[text.len() as u32]), text.as_bytes()].concat()
}

/// An array: its length, the type of its elements, and the elements.
pub fn array(element_type: u32, elements: &[Vec<u8>]) -> Vec<u8> {
    [u32s(&[elements.len() as u32, element_type]), elements.concat()].concat()
}

impl DraftFile {
    pub fn entry(mut self, key: &str, value_type: u32, value: &[u8]) -> Self {
        self.entries.push([&string(key), &u32s(&[value.len() as u32, value_type])[..], value].concat());
        self
    }

    pub fn tensor(mut self, name: &str, dimensions: &[u32], ggml_type: u32, data: &[u8]) -> Self {
        let elements = dimensions.iter().product();
        let numbers = [&[dimensions.len() as u32], dimensions, &[elements, ggml_type]].concat();
        self.tensors.push(([string(name), u32s(&numbers)].concat(), data.into()));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let counts = u32s(&[1, self.tensors.len() as u32, self.entries.len() as u32]);
        let mut file = [b"GGUF", &counts[..], &self.entries.concat()].concat();
        if self.tensors.is_empty() {
            return file;
        }
        let over = file.len() % ALIGNMENT;
        if over > 0 || self.pads_by_formula {
            file.resize(file.len() - over + ALIGNMENT, 0);
        }
        let infos: usize = self.tensors.iter().map(|(info, _)| info.len() + 8).sum();
        let mut offset = (file.len() + infos).next_multiple_of(ALIGNMENT);
        for (info, data) in &self.tensors {
            file.extend(info);
            file.extend((offset as u64).to_le_bytes());
            offset = (offset + data.len()).next_multiple_of(ALIGNMENT);
        }
        for (_, data) in &self.tensors {
            file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
            file.extend(data);
        }
        file
    }
}
