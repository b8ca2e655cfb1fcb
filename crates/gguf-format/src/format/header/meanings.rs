//! What the type ids of a file mean.
//!
//! Programs that were made from llama.cpp use ids for types of their own, and several use the same id. The offsets of the tensors
//! say how many bytes each tensor has at most: its gap, up to the next greater offset or the end of the file. A meaning explains
//! a gap if the size of the tensor, rounded up to the alignment, is the gap. The last tensor may be followed by other bytes, if
//! another tensor with the id fits.

use alloc::vec::Vec;

use crate::format::fork_types::fork_types;
use crate::format::ggml_type::{GgmlType, GgmlTypeInfo};
use crate::format::header::{Header, TensorInfo};
use crate::order::sort;

/// How well a meaning of a type id explains the place of a tensor, or of all tensors with the id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// The file goes on after the last tensor and its padding, or ends in it, or nobody knows where it ends.
    Loose,
    /// The file ends before the last tensor, so it is cut whatever the type means.
    Cut,
    Yes,
}

impl Header {
    /// Decides what the type ids of the tensors mean, for ids that other programs than ggml use, too. ggml's meaning is taken if
    /// it explains the places of all tensors with the id, else one of [`FORK_TYPES`](crate::format::FORK_TYPES) that does. If several
    /// do, a program that another id of the file belongs to is preferred. If none does, nothing is known of the type.
    ///
    /// Without `file_size`, the size of the file in bytes, the last tensor says nothing. Opening a file calls this.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::{Format, write::encode::Encoder};
    ///
    /// let mut file = Encoder::new(Format::default());
    /// file.header(2, 0).tensor_info(b"a", &[256, 2], 139, 0).tensor_info(b"b", &[8], 0, 288);
    /// file.pad_to(32).bytes(&[0; 288 + 32]);
    ///
    /// let mut header = gguf_format::parse(file.as_bytes())?;
    /// header.settle_types(Some(file.len()));
    /// let tensor = header.tensor("a").unwrap();
    /// assert_eq!((&*tensor.type_name(), tensor.byte_length()), ("IQ4_K", Some(288)));
    /// assert_eq!(tensor.type_info().unwrap().owner, Some("ik_llama.cpp"));
    /// # Ok::<(), gguf_format::Error>(())
    /// ```
    pub fn settle_types(&mut self, file_size: Option<u64>) {
        self.storage.other_meanings.clear();
        if self.tensors().all(|tensor| fork_types(tensor.ggml_type().0).is_empty()) {
            return;
        }
        let Some(places) = Places::of(self, file_size) else { return };
        // The owner of an id that has one meaning only: the second time, it decides between several.
        let mut owner = None;
        for _ in 0..2 {
            let mut meanings: Vec<(u32, Option<&'static GgmlTypeInfo>)> = Vec::new();
            for tensor in self.tensors() {
                let id = tensor.ggml_type().0;
                if meanings.iter().all(|(known, _)| *known != id) && !fork_types(id).is_empty() {
                    meanings.push((id, places.meaning(self, id, &mut owner)));
                }
            }
            self.storage.other_meanings = meanings;
        }
    }

    /// The tensors with a type id that have elements.
    fn tensors_of(&self, id: u32) -> impl Iterator<Item = TensorInfo<'_>> {
        self.tensors().filter(move |tensor| tensor.ggml_type().0 == id && has_elements(tensor))
    }

    /// The program that a tensor type of the file belongs to, if that is another one than ggml: the owner of the first such
    /// tensor.
    pub fn types_owner(&self) -> Option<&'static str> {
        self.tensors().find_map(|tensor| tensor.type_info()?.owner)
    }
}

/// Where the tensors of a file may end.
struct Places {
    /// The offsets of all tensors with elements, in ascending order.
    offsets: Vec<u64>,
    alignment: u64,
    /// The size of the data section.
    size: Option<u64>,
}

impl Places {
    /// `None` if there is no memory for the list.
    fn of(header: &Header, file_size: Option<u64>) -> Option<Self> {
        let mut offsets = Vec::new();
        offsets.try_reserve_exact(header.tensors().len()).ok()?;
        offsets.extend(header.tensors().filter(has_elements).map(|tensor| tensor.offset()));
        let size = file_size.map(|size| size.saturating_sub(header.data_offset()));
        Some(Self { offsets: sort(offsets), alignment: header.alignment(), size })
    }

    /// The meaning of an id. Of several, that of `owner` is taken, else ggml's. An owner is noted if there is only its meaning.
    fn meaning(&self, header: &Header, id: u32, owner: &mut Option<&'static str>) -> Option<&'static GgmlTypeInfo> {
        let own = GgmlType(id).info();
        let (mut chosen, mut best, mut count) = (None, Fit::No, 0);
        for info in own.iter().copied().filter(|own| !own.is_removed()).chain(fork_types(id)) {
            let fit = self.fit_of_all(header, info, id);
            count += u32::from(fit == Fit::Yes);
            if fit > best || fit == best && fit > Fit::No && owner.is_some() && info.owner == *owner {
                (chosen, best) = (Some(info), fit);
            }
        }
        if let (Fit::Yes, 1, Some(info)) = (best, count, chosen) {
            *owner = owner.or(info.owner);
        }
        // A type that ggml removed, or whose rows are not whole blocks, stays what it is if nothing else contradicts it: the size of
        // these tensors is not known anyway.
        let stays = |own: &&GgmlTypeInfo| {
            let is_unsized = |tensor: &TensorInfo<'_>| size(own, tensor).is_none();
            let fits = |tensor: &TensorInfo<'_>| is_unsized(tensor) || self.fit(own, tensor) > Fit::No;
            header.tensors_of(id).any(|tensor| is_unsized(&tensor)) && header.tensors_of(id).all(|tensor| fits(&tensor))
        };
        chosen.or_else(|| own.filter(stays))
    }

    fn fit_of_all(&self, header: &Header, info: &GgmlTypeInfo, id: u32) -> Fit {
        let (mut worst, mut best) = (Fit::Yes, Fit::No);
        for tensor in header.tensors_of(id) {
            let fit = self.fit(info, &tensor);
            (worst, best) = (worst.min(fit), best.max(fit));
        }
        // Without another tensor that fits, the last one would fit almost every meaning.
        match (worst, best) {
            (Fit::Loose, Fit::Yes) => Fit::Yes,
            (Fit::Loose, _) => Fit::No,
            _ => worst,
        }
    }

    fn fit(&self, info: &GgmlTypeInfo, tensor: &TensorInfo<'_>) -> Fit {
        let end = size(info, tensor).and_then(|length| tensor.offset().checked_add(length));
        let Some(end) = end else { return Fit::No };
        match self.offsets.get(self.offsets.partition_point(|offset| *offset <= tensor.offset())) {
            Some(next) if end.checked_next_multiple_of(self.alignment) == Some(*next) => Fit::Yes,
            Some(_) => Fit::No,
            None => match self.size.map(|size| size.checked_sub(end)) {
                // Nothing speaks against ggml's meaning, and nothing for another one.
                None if info.owner.is_some() => Fit::Loose,
                Some(None) if self.size <= Some(tensor.offset()) => Fit::Cut,
                None => Fit::Yes,
                Some(Some(rest)) if rest < self.alignment => Fit::Yes,
                Some(_) => Fit::Loose,
            },
        }
    }
}

/// The size of a tensor if its type means this.
fn size(info: &GgmlTypeInfo, tensor: &TensorInfo<'_>) -> Option<u64> {
    info.byte_length(tensor.element_count()?, tensor.dimension_iter().next().unwrap_or(1))
}

fn has_elements(tensor: &TensorInfo<'_>) -> bool {
    tensor.element_count() != Some(0)
}
