//! What becomes of a tensor: its name, its type, and how its data is made.

use alloc::{string::String, vec::Vec};

use super::adapter;
use super::answers::CompleteAnswers;
use super::conversion::{Conversion, Relation};
use super::family::Family;
use super::llama::{NewName, new_name};
use super::migrated_file::DataMethod;
use super::model::LegacyModel;
use super::parts::JoinedTensor;
use super::type_numbers::type_in_gguf;
use gguf_declare::result;
use gguf_format::error::shown::Shown;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;
use gguf_format::io::Source;
use gguf_format::tensor::block_types::block_type_info;

result! {
    /// A tensor of the new file.
    #[derive(Clone, Debug, PartialEq)]
    #[typescript("MigrationTensor")]
    pub struct MigratedTensor {
        /// The name in the new file.
        pub name: String,
        /// The name in the old file.
        pub old_name: String,
        /// The position among the tensors of the model.
        pub from: usize,
        /// The number of elements in each dimension of the new tensor, fastest first.
        pub dimensions: Vec<u64>,
        /// The name of the type in the old file: `"Q4_0_V1"`.
        pub old_type: &'static str,
        /// The type in the new file.
        #[rust]
        pub ggml_type: GgmlType,
        /// The type in the new file.
        give new_type: GgmlType = |tensor| tensor.ggml_type,
        /// The size of the old data in bytes.
        pub old_byte_length: u64,
        /// The size of the new data in bytes.
        #[rust]
        pub byte_length: u64,
        /// The size of the new data in bytes.
        give new_byte_length: u64 = |tensor| tensor.byte_length,
        /// What the conversion does to the values.
        pub relation: Relation,
        /// Whether values can change.
        fn is_lossy(&self) -> bool,
    }
}

impl MigratedTensor {
    /// Whether values can change.
    pub fn is_lossy(&self) -> bool {
        self.relation.is_lossy(self.ggml_type)
    }
}

impl<S: Source> LegacyModel<S> {
    /// What becomes of a tensor. `None` if it is left out.
    pub(super) fn migrated_tensor(
        &self,
        from: usize,
        tensor: &JoinedTensor,
        answers: &CompleteAnswers,
        for_inspection: bool,
    ) -> Result<Option<(MigratedTensor, Method)>> {
        let adapter = if self.header().family == Family::Lora { adapter::new_adapter_name(&tensor.name) } else { None };
        let (name, is_transposed) = match (for_inspection, adapter) {
            (false, Some((name, is_transposed))) => (name, is_transposed),
            (false, None) if self.header().family == Family::Llama => match new_name(&tensor.name) {
                Some(NewName::Name(name)) => (name, false),
                Some(NewName::Dropped) => return Ok(None),
                None => (own_name(tensor)?, false),
            },
            _ => (own_name(tensor)?, false),
        };
        let conversion = Conversion::new(tensor.ggml_type, new_type(tensor, answers)?)?;
        let ggml_type = conversion.to();
        let mut dimensions = tensor.dimensions.clone();
        let (relation, method) = match is_transposed {
            true => {
                dimensions.reverse();
                (Relation::Transposed, Method::Transpose)
            }
            false => (conversion.relation(), Method::Convert(conversion)),
        };
        let elements = dimensions.iter().product();
        let byte_length = ggml_type.byte_length(elements, dimensions[0]).unwrap_or(tensor.byte_length);
        let migrated = MigratedTensor {
            name,
            old_name: String::from_utf8_lossy(&tensor.name).into_owned(),
            from,
            dimensions,
            old_type: block_type_info(tensor.ggml_type).map_or("", |info| info.name),
            ggml_type,
            old_byte_length: tensor.byte_length,
            byte_length,
            relation,
        };
        Ok(Some((migrated, method)))
    }
}

/// How the data of a tensor is made.
#[derive(Clone)]
pub(super) enum Method {
    Convert(Conversion),
    Transpose,
}

impl Method {
    pub fn into_method(self, tensor: &JoinedTensor) -> DataMethod {
        match self {
            Self::Convert(conversion) if conversion.is_copy() => DataMethod::Copy,
            Self::Convert(conversion) => DataMethod::Convert(conversion),
            Self::Transpose => DataMethod::Transpose {
                row_length: tensor.dimensions[0] as usize,
                width: tensor.ggml_type.info().map_or(1, |info| info.type_size as usize),
            },
        }
    }
}

fn own_name(tensor: &JoinedTensor) -> Result<String> {
    String::from_utf8(tensor.name.clone()).map_err(
        |_| error!(BadName: "the name of the tensor \"{}\" is not UTF-8, so it cannot be written", Shown(&tensor.name)),
    )
}

/// The type of a tensor in the new file.
pub(super) fn new_type(tensor: &JoinedTensor, answers: &CompleteAnswers) -> Result<GgmlType> {
    let Some(same) = type_in_gguf(tensor.ggml_type) else {
        // Rows of Q4_2 and Q4_3 are multiples of 16 elements, blocks of other types have 32.
        let fits = answers.removed_types.byte_length(tensor.dimensions[0], tensor.dimensions[0]).is_some();
        return Ok(if fits { answers.removed_types } else { GgmlType::F16 });
    };
    let rounds_scales = Conversion::new(tensor.ggml_type, same)?.relation() == Relation::ScalesRounded;
    Ok(if rounds_scales && answers.exact_scales { GgmlType::F32 } else { same })
}
