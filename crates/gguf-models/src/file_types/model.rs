//! The file type of a model.

use alloc::{borrow::Cow, vec::Vec};

use super::guess::guessed_file_type;
use super::table::{FileTypeInfo, file_type_info};
use super::tensors::{file_types_of_tensors, main_tensor_type};
use gguf_declare::result;
use gguf_format::format::header::Header;

result! {
    /// The file type of a model.
    #[derive(Clone, Debug)]
    pub struct ModelFileType {
        /// The name: that of `general.file_type`, or, if the file does not declare a known type, the one of `tensors` that
        /// llama.cpp guesses, or else the first. If the main tensor type is that of another program than ggml, its name. Not
        /// present if there is none.
        pub name: Option<&'static str>,
        /// The name of the type that `general.file_type` declares: `"Q4_K_M"`; `"unknown(137)"` if the number has no name. Not
        /// present if the file declares no type.
        pub declared: Option<Cow<'static, str>>,
        /// The names of the types whose files have such tensors, if `llama-quantize` or a converter made them. Empty if the types
        /// of the tensors were chosen by hand. For a shard, only its own tensors count.
        pub tensors: Vec<&'static str>,
        /// The tensor type that most bytes of the matrices have: `"IQ1_S"`. Embeddings and the output count only if there are no
        /// other matrices. Not present if there are no matrices whose size is known.
        pub main_tensor_type: Option<&'static str>,
    }
}

impl ModelFileType {
    /// The file type of the model with a header.
    pub fn of(header: &Header) -> Self {
        let main = main_tensor_type(header);
        let is_foreign = header.types_owner().is_some();
        let declared = declared_file_type(header).map(|value| match file_type_info(value).filter(|_| !is_foreign) {
            Some(info) => info.name.into(),
            None => format!("unknown({value})").into(),
        });
        let of_main = main.filter(|main| main.owner.is_some()).map(|main| main.name);
        Self {
            name: of_main.or_else(|| file_type(header).map(|info| info.name)),
            declared,
            tensors: file_types_of_tensors(header).map(|info| info.name).collect(),
            main_tensor_type: main.map(|main| main.name),
        }
    }
}

/// The value of `general.file_type`. `None` if there is no such entry, or if it is not an integer of 32 bits. If the file has
/// tensor types of another program, the number is one of that program, too.
pub fn declared_file_type(header: &Header) -> Option<u32> {
    u32::try_from(header.get("general.file_type")?.value().as_u64()?).ok()
}

/// The file type of a model: the type that `general.file_type` declares. If llama.cpp does not have the declared type and never
/// had it, a type that fits the tensors is taken: if several fit, the type that llama.cpp guesses, else the first. `None` if
/// none fits.
///
/// # Examples
///
/// ```
/// use gguf_format::{Format, GgmlType, write::encode::Encoder};
/// use gguf_models::file_types::{declared_file_type, file_type};
///
/// let mut file = Encoder::new(Format::default());
/// file.header(1, 0).tensor_info(b"blk.0.ffn_up.weight", &[256, 2], GgmlType::Q4_K.0, 0);
/// let header = gguf_format::parse(file.as_bytes())?;
/// assert_eq!(declared_file_type(&header), None);
/// assert_eq!(file_type(&header).unwrap().name, "Q4_K_M");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn file_type(header: &Header) -> Option<&'static FileTypeInfo> {
    let declared = declared_file_type(header).and_then(file_type_info);
    declared.filter(|_| header.types_owner().is_none()).or_else(|| {
        let guess = file_type_info(guessed_file_type(header)).map(|info| info.id);
        file_types_of_tensors(header).min_by_key(|info| Some(info.id) != guess)
    })
}
