//! The sizes of the parts of a new file.

/// The sizes of the parts of a new file, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub header: u64,
    pub alignment: u64,
    /// The data of all tensors, each with the padding after it.
    pub data: u64,
}

impl Sizes {
    pub fn data_offset(self) -> u64 {
        self.header.next_multiple_of(self.alignment)
    }

    /// The sizes with the data of one more tensor. `None` if they do not fit in 64 bits.
    pub fn with_data(self, byte_length: u64) -> Option<Self> {
        let data = self.data.checked_add(byte_length)?.checked_next_multiple_of(self.alignment)?;
        Some(Self { data, ..self })
    }
}
