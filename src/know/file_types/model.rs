//! The file type of a model.

use super::guess::guessed_file_type;
use super::table::{FileTypeInfo, file_type_info};
use super::tensors::file_types_of_tensors;
use crate::format::header::Header;

/// The value of `general.file_type`. `None` if there is no such entry, or if it is not an integer of 32 bits.
pub fn declared_file_type(header: &Header) -> Option<u32> {
    u32::try_from(header.get("general.file_type")?.value().as_u64()?).ok()
}

/// The file type of a model: the one that `general.file_type` declares. If it declares none that llama.cpp has or had, the
/// one that fits the tensors; of several, the one that llama.cpp guesses, or else the first. `None` if none fits.
///
/// # Examples
///
/// ```
/// use gguf_wasm::encode::Encoder;
/// use gguf_wasm::{Format, GgmlType, declared_file_type, file_type};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 0).tensor_info(b"blk.0.ffn_up.weight", &[256, 2], GgmlType::Q4_K.0, 0);
/// let header = gguf_wasm::parse(file.as_bytes())?;
/// assert_eq!(declared_file_type(&header), None);
/// assert_eq!(file_type(&header).unwrap().name, "Q4_K_M");
/// # Ok::<(), gguf_wasm::Error>(())
/// ```
pub fn file_type(header: &Header) -> Option<&'static FileTypeInfo> {
    let declared = declared_file_type(header).and_then(file_type_info);
    declared.or_else(|| {
        let guess = file_type_info(guessed_file_type(header)).map(|info| info.id);
        file_types_of_tensors(header).min_by_key(|info| Some(info.id) != guess)
    })
}
