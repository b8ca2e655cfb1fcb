//! Sets of tensor types.

use gguf_format::format::ggml_type::GgmlType;

/// A set of tensor types that ggml has or had: a bit for each id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeSet(u64);

impl TypeSet {
    pub const EMPTY: Self = Self(0);

    pub const fn of(types: &[GgmlType]) -> Self {
        let (mut bits, mut index) = (0, 0);
        while index < types.len() {
            bits |= 1 << types[index].0;
            index += 1;
        }
        Self(bits)
    }

    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the type is in the set. A type that ggml never had is in no set.
    pub fn has(self, ggml_type: GgmlType) -> bool {
        ggml_type.0 < u64::BITS && self.0 >> ggml_type.0 & 1 == 1
    }
}
