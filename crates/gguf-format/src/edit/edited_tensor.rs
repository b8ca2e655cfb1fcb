//! A tensor of the edited header.

use alloc::{borrow::Cow, sync::Arc};

use super::ids::TensorId;
use super::state::EditState;
use crate::format::header::{Header, TensorInfo};

/// A tensor of the edited header. Its dimensions and its type are in the original header.
pub(super) struct Tensor {
    /// The position in the original header.
    pub origin: usize,
    /// The name, if a change has set it.
    pub name: Option<Arc<[u8]>>,
}

impl Tensor {
    fn state(&self) -> EditState {
        if self.name.is_some() { EditState::Changed } else { EditState::Unchanged }
    }

    /// The name. `None` if the header is not the original header.
    pub fn name<'a>(&'a self, header: &'a Header) -> Option<Cow<'a, [u8]>> {
        Some(match &self.name {
            Some(name) => Cow::Borrowed(name),
            None => header.tensor_at(self.origin)?.name().to_bytes(),
        })
    }
}

/// A view of a tensor of the edited header.
#[derive(Clone, Copy)]
pub struct EditedTensor<'a> {
    header: &'a Header,
    tensor: &'a Tensor,
}

impl<'a> EditedTensor<'a> {
    pub(super) fn new(header: &'a Header, tensor: &'a Tensor) -> Self {
        Self { header, tensor }
    }

    /// Identifies the tensor.
    pub fn id(&self) -> TensorId {
        TensorId(self.tensor.origin)
    }

    /// Whether a change has renamed the tensor.
    pub fn state(&self) -> EditState {
        self.tensor.state()
    }

    /// The position in the original header.
    pub fn origin(&self) -> usize {
        self.tensor.origin
    }

    /// The tensor in the original header. It has the same dimensions and the same type.
    pub fn original(&self) -> TensorInfo<'a> {
        match self.header.tensor_at(self.tensor.origin) {
            Some(original) => original,
            None => unreachable!("every tensor of an edit is in the original header"),
        }
    }

    /// The name.
    pub fn name(&self) -> Cow<'a, [u8]> {
        self.tensor.name(self.header).unwrap_or_default()
    }
}
