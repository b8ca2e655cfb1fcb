//! How the names of tensors are matched.

use crate::evidence::Evidence;
use gguf_format::format::header::{Header, TensorInfo};

/// Whether a name is of a form. A form is a whole name, or after `^` the start of one, and after `~` a part of one.
pub(crate) fn matches(form: &str, name: &[u8]) -> bool {
    let bytes = form.as_bytes();
    match bytes {
        [b'^', start @ ..] => name.starts_with(start),
        [b'~', part @ ..] => name.windows(part.len()).any(|window| window == part),
        whole => name == whole,
    }
}

/// Whether a name is of one of the forms, which spaces separate.
pub fn any_matches(forms: &str, name: &[u8]) -> bool {
    forms.split(' ').any(|form| matches(form, name))
}

/// The tensors whose names are of a form: the first one, and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

impl Matches {
    /// The tensors with names of one of the forms.
    pub fn of(header: &Header, forms: &str) -> Self {
        let mut found = Self::default();
        for tensor in header.tensors().filter(|tensor| any_matches(forms, &tensor.name().to_bytes())) {
            found.add(&tensor);
        }
        found
    }

    pub fn add(&mut self, tensor: &TensorInfo<'_>) {
        if self.count == 0 {
            self.first = tensor.index();
        }
        self.count += 1;
    }

    /// `None` if there is no such tensor.
    pub fn evidence(self) -> Option<Evidence> {
        (self.count > 0).then_some(Evidence::Tensors { first: self.first, count: self.count })
    }
}
