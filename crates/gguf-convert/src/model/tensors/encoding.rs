//! How the elements of a tensor are stored.

/// How the elements of an input follow from what is stored. Other inputs have the scales and zero points: they are numbers by their
/// positions.
#[derive(Clone, Debug)]
pub(crate) enum Encoding {
    /// Each element is stored as a number.
    Plain,
    /// Each element is a stored number times a scale.
    Scaled(Scale),
    /// Integers of a few bits, several in a word of 32 bits, in the order of the elements.
    Packed(Packed),
    /// Integers of a few bits in the words of a transposed matrix.
    Gptq(Gptq),
    /// -1, 0 and 1, divided by a scale. A byte has the elements of four rows that are a quarter of the matrix apart.
    Ternary {
        /// The scale of all elements.
        scale: usize,
    },
    /// Floats of 4 bits, two in a byte. They are stored in the new file as they are.
    Nvfp4 {
        /// The scales of 16 elements each.
        scales: usize,
    },
}

/// Scales of the blocks of a matrix, or of several matrices of one shape.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The scales themselves, which have no scales.
    pub input: usize,
    /// The number of rows and columns of a block.
    pub block: [u64; 2],
    /// Whether the stored numbers are 8-bit floats.
    pub is_fp8: bool,
}

/// Integers in the words of a matrix. The words of a row have the elements of the row.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    /// The bits of an element, 1 to 8. A word has as many elements as fit.
    pub bits: u32,
    /// The elements of a row that share a scale.
    pub group: u64,
    /// A scale for each row and group.
    pub scales: usize,
    /// The numbers of rows and columns.
    pub shape: usize,
    /// A zero point for each row and group. The words of a column have the zero points of the column. `None`: half of the range.
    pub zeros: Option<usize>,
}

/// Integers in the words of a matrix as GPTQ stores it: the words of a column have the elements of a row.
#[derive(Clone, Debug)]
pub(crate) struct Gptq {
    /// The bits of an element: 2, 4 or 8.
    pub bits: u32,
    /// The group of each column.
    pub groups: usize,
    /// A scale for each group and row.
    pub scales: usize,
    /// The zero point of each group and row. The words of a group have the zero points of neighbouring rows.
    pub zeros: usize,
    /// What is added to each stored zero point.
    pub zero_offset: u32,
}

impl Encoding {
    /// Whether the stored matrix is transposed, so that many rows should be computed at once.
    pub fn is_transposed(&self) -> bool {
        matches!(self, Self::Gptq(_))
    }

    /// Whether the elements are 8-bit floats with scales.
    pub fn is_fp8(&self) -> bool {
        matches!(self, Self::Scaled(scale) if scale.is_fp8)
    }
}
