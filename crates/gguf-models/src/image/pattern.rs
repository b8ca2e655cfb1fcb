//! How the names of tensors are matched.

use alloc::borrow::Cow;

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

/// The most bytes of a name that is compared: programs take shorter names only, and the names of a hostile file may have megabytes.
const LONGEST_NAME: u64 = 256;

/// The name of a tensor. `None` if it is too long to be of a form.
pub(crate) fn short_name<'a>(tensor: &TensorInfo<'a>) -> Option<Cow<'a, [u8]>> {
    let name = tensor.name();
    (name.byte_length() <= LONGEST_NAME).then(|| name.to_bytes())
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
        let is_found = |tensor: &TensorInfo<'_>| short_name(tensor).is_some_and(|name| any_matches(forms, &name));
        for tensor in header.tensors().filter(is_found) {
            found.add(tensor.index());
        }
        found
    }

    /// Adds the tensor with an index.
    pub fn add(&mut self, index: usize) {
        if self.count == 0 {
            self.first = index;
        }
        self.count += 1;
    }

    /// `None` if there is no such tensor.
    pub fn evidence(self) -> Option<Evidence> {
        (self.count > 0).then_some(Evidence::Tensors { first: self.first, count: self.count })
    }
}
