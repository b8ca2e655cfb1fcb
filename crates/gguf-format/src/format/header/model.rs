//! What programs show of a model first, as methods of [`Header`].

use alloc::vec::Vec;

use crate::format::header::Header;
use crate::format::value::{Str, Value};
use crate::format::version::LONGEST_KEY;

/// Facts about the model, from single entries and from the sizes of the tensors.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// let header = gguf_format::parse(&file)?;
/// assert_eq!(header.architecture().unwrap(), "llama");
/// assert_eq!(header.bits_per_weight(), Some(4.5));
/// assert_eq!((header.name(), header.context_length()), (None, None));
/// # Ok::<(), gguf_format::Error>(())
/// ```
impl Header {
    /// The name of the model: `general.name`. `None` if there is no such entry, or if it is not a `STRING`.
    pub fn name(&self) -> Option<Str<'_>> {
        self.get("general.name")?.value().as_str()
    }

    /// The architecture of the model: `general.architecture`. `None` if there is no such entry, or if it is not a `STRING`.
    pub fn architecture(&self) -> Option<Str<'_>> {
        self.get("general.architecture")?.value().as_str()
    }

    /// The value of a key of the architecture: for `block_count`, that of `llama.block_count`. `None` if the file has no
    /// architecture, or no such entry.
    pub fn architecture_value(&self, name: &str) -> Option<Value<'_>> {
        let architecture = self.architecture().filter(|name| name.byte_length() <= LONGEST_KEY as u64)?;
        let key: Vec<u8> = [&*architecture.to_bytes(), b".", name.as_bytes()].concat();
        Some(self.get(key)?.value())
    }

    /// The number of tokens of the longest context that the model was trained with: `{arch}.context_length`. `None` if there
    /// is no such entry, or if it is not an integer of 0 or more.
    pub fn context_length(&self) -> Option<u64> {
        self.architecture_value("context_length")?.as_u64()
    }

    /// The bits of tensor data for each element, on average over all tensors. `None` if there are none, or if the size of one is
    /// not known: then [`OpenedFile::bits_per_weight`](crate::OpenedFile::bits_per_weight) may know more.
    pub fn bits_per_weight(&self) -> Option<f64> {
        let (mut bytes, mut elements) = (0.0, 0.0);
        for tensor in self.tensors() {
            bytes += tensor.byte_length()? as f64;
            elements += tensor.element_count()? as f64;
        }
        (elements > 0.0).then(|| bytes * 8.0 / elements)
    }
}
