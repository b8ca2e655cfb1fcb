//! The types of the new tensors.

use super::mapping::MappedTensor;
use super::tensors::content::Content;
use crate::safetensors::DataType;
use gguf_format::error::{Result, error};
use gguf_format::format::ggml_type::GgmlType;

/// The type that a conversion is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputType {
    /// BF16 or F16, as the first matrix of the model. F16 if no matrix is one of them.
    Auto,
    /// F32.
    F32,
    /// F16.
    F16,
    /// BF16.
    Bf16,
    /// Q8_0.
    Q8_0,
    /// TQ1_0.
    Tq1_0,
    /// TQ2_0.
    Tq2_0,
}

/// The names of the types, and what is written for them.
const TYPES: &[(&str, OutputType, GgmlType, u32)] = &[
    ("f32", OutputType::F32, GgmlType::F32, 0),
    ("f16", OutputType::F16, GgmlType::F16, 1),
    ("bf16", OutputType::Bf16, GgmlType::BF16, 32),
    ("q8_0", OutputType::Q8_0, GgmlType::Q8_0, 7),
    ("tq1_0", OutputType::Tq1_0, GgmlType::TQ1_0, 36),
    ("tq2_0", OutputType::Tq2_0, GgmlType::TQ2_0, 37),
];

/// Names of tensors, without the number of the block, that are always F32.
const ALWAYS_F32: &[&str] = &[
    "altup_correct_coef.weight",
    "altup_predict_coef.weight",
    "ffn_gate_inp.weight",
    "ffn_gate_inp_shexp.weight",
    "indexer.proj.weight",
    "position_embd.weight",
    "token_types.weight",
    "ssm_conv1d.weight",
    "ssm_conv1d_k.weight",
    "ssm_conv1d_q.weight",
    "ssm_conv1d_v.weight",
    "shortconv.conv.weight",
    "time_mix_decay_w1.weight",
    "time_mix_decay_w2.weight",
    "time_mix_first.weight",
    "time_mix_lerp_fused.weight",
    "time_mix_w1.weight",
    "time_mix_w2.weight",
];

/// The ends of the names of matrices that get the type of the file: weights, and the two matrices of an adapter.
const TYPED: &[&str] = &[".weight", ".lora_a", ".lora_b"];

/// Names of tensors that are F16 in files of ternary types.
const F16_IN_TERNARY: &[&str] = &[
    "altup_router.weight",
    "laurel_l.weight",
    "laurel_r.weight",
    "output.weight",
    "per_layer_token_embd.weight",
    "token_embd.weight",
];

impl OutputType {
    /// The type with a name. Case does not count.
    ///
    /// # Errors
    ///
    /// `invalid-argument` if no type has the name.
    pub fn parse(name: &str) -> Result<Self> {
        let lower = name.to_ascii_lowercase();
        let found = TYPES.iter().find(|row| row.0 == lower).map(|row| row.1);
        found.or((lower == "auto").then_some(Self::Auto)).ok_or_else(|| {
            error!(InvalidArgument: "a model cannot be converted to \"{name}\": expected f32, f16, bf16, q8_0, tq1_0, tq2_0 or auto")
        })
    }

    /// The type that `Auto` stands for. `first` is the type of the first matrix that is F16 or BF16.
    pub(super) fn resolved(self, first: Option<DataType>) -> Self {
        match (self, first) {
            (Self::Auto, Some(DataType::BF16)) => Self::Bf16,
            (Self::Auto, _) => Self::F16,
            (other, _) => other,
        }
    }

    fn row(self) -> &'static (&'static str, Self, GgmlType, u32) {
        TYPES.iter().find(|row| row.1 == self).unwrap_or(&TYPES[1])
    }

    /// The name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            other => other.row().0,
        }
    }

    /// `general.file_type`.
    pub(super) fn file_type(self) -> u32 {
        self.row().3
    }

    /// Whether blocks of MXFP4 give the file its type: only if nothing else is quantized.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F16 | Self::Bf16)
    }

    /// The type of matrices.
    pub(super) fn of_matrices(self) -> GgmlType {
        self.row().2
    }

    /// The type of a tensor.
    pub(crate) fn of_tensor(self, tensor: &MappedTensor, fp8_as_q8: bool) -> GgmlType {
        let wanted = match &tensor.content {
            Content::Mxfp4 { .. } => return GgmlType::MXFP4,
            Content::Nvfp4(_) => return GgmlType::NVFP4,
            Content::Constants(_) | Content::Factors(_) => return GgmlType::F32,
            Content::Stored(_) | Content::Values(_) => self.wanted(tensor, fp8_as_q8),
        };
        unless_rows_are_divided(wanted, tensor)
    }

    fn wanted(self, tensor: &MappedTensor, fp8_as_q8: bool) -> GgmlType {
        let name = without_block(&tensor.name);
        let is_matrix = tensor.shape.len() > 1;
        let is_typed = TYPED.iter().any(|end| name.ends_with(end));
        if !is_matrix || name.ends_with("_norm.weight") {
            return GgmlType::F32;
        }
        // The reference asks for these types first, and for 8 bits of 8-bit floats before them.
        if fp8_as_q8 && tensor.is_scaled {
            return GgmlType::Q8_0;
        }
        if ALWAYS_F32.contains(&name) || !is_typed {
            return GgmlType::F32;
        }
        if matches!(self, Self::Tq1_0 | Self::Tq2_0) && F16_IN_TERNARY.contains(&name) {
            return GgmlType::F16;
        }
        self.row().2
    }
}

/// The type, or F16 if its blocks do not fit into the rows of a tensor.
pub(super) fn unless_rows_are_divided(wanted: GgmlType, tensor: &MappedTensor) -> GgmlType {
    let columns = tensor.shape.last().copied().unwrap_or(1);
    if wanted.byte_length(columns, columns).is_some() { wanted } else { GgmlType::F16 }
}

/// The name without `blk.` and the number of the block.
fn without_block(name: &str) -> &str {
    let rest = name.strip_prefix("blk.").and_then(|rest| rest.split_once('.'));
    rest.map_or(name, |(_, rest)| rest)
}
