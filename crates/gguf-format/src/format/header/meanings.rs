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
use crate::order::heap_sorted;

/// How well a meaning of a type id explains the place of a tensor, or of all tensors with the id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// The file ends in the last tensor, which may be cut.
    Short,
    /// The file goes on after the last tensor and its padding.
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
    /// Without `file_size`, the size of the file in bytes, the last tensor fits every meaning. Opening a file calls this.
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
        let mut ids = Vec::new();
        for tensor in self.tensors() {
            let id = tensor.ggml_type().0;
            if !ids.contains(&id) && !fork_types(id).is_empty() {
                ids.push(id);
            }
        }
        if ids.is_empty() {
            return;
        }
        let Some(places) = Places::of(self, file_size) else { return };
        let fits: Vec<_> = ids.iter().map(|id| (*id, places.fits(self, *id))).collect();
        // The owners of ids that have one meaning only.
        let mut owners: Vec<&str> = Vec::new();
        for (_, fits) in &fits {
            let mut explaining = fits.iter().filter(|(_, fit)| *fit == Fit::Yes);
            if let (Some((info, _)), None) = (explaining.next(), explaining.next()) {
                owners.extend(info.owner);
            }
        }
        let mut meanings = Vec::new();
        for (id, fits) in fits {
            let best = fits.iter().map(|(_, fit)| *fit).max().unwrap_or(Fit::No);
            let best = fits.iter().filter(|(_, fit)| best > Fit::No && *fit == best).map(|(info, _)| *info);
            let known = best.clone().find(|info| info.owner.is_some_and(|owner| owners.contains(&owner)));
            let meaning = known.or_else(|| best.clone().next());
            let own = GgmlType(id).info();
            // A type that ggml removed stays what it is: its size is not known, as that of a type of which nothing is known.
            let is_own = meaning.or(own.filter(|own| own.is_removed())).is_some_and(|info| info.owner.is_none());
            if !is_own && (meaning.is_some() || own.is_some()) {
                meanings.push((id, meaning));
            }
        }
        self.storage.other_meanings = meanings;
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
        Some(Self { offsets: heap_sorted(offsets), alignment: header.alignment(), size })
    }

    /// The meanings that an id can have, ggml's first, and how they fit.
    fn fits(&self, header: &Header, id: u32) -> Vec<(&'static GgmlTypeInfo, Fit)> {
        let own = GgmlType(id).info().filter(|info| !info.is_removed());
        let fit = |info| {
            let tensors = header.tensors().filter(|tensor| tensor.ggml_type().0 == id && has_elements(tensor));
            let (mut worst, mut best) = (Fit::Yes, Fit::No);
            for fit in tensors.map(|tensor| self.fit(info, &tensor)) {
                (worst, best) = (worst.min(fit), best.max(fit));
            }
            // Without another tensor that fits, the last one would fit almost every meaning.
            match (worst, best) {
                (Fit::Loose, Fit::Yes) => Fit::Yes,
                (Fit::Short, Fit::Yes) => Fit::Cut,
                (Fit::Loose | Fit::Short, _) => Fit::No,
                _ => worst,
            }
        };
        own.into_iter().chain(fork_types(id)).map(|info| (info, fit(info))).collect()
    }

    fn fit(&self, info: &GgmlTypeInfo, tensor: &TensorInfo<'_>) -> Fit {
        let row_length = tensor.dimension_iter().next().unwrap_or(1);
        let length = tensor.element_count().and_then(|count| info.byte_length(count, row_length));
        let Some(end) = length.and_then(|length| tensor.offset().checked_add(length)) else { return Fit::No };
        match self.offsets.get(self.offsets.partition_point(|offset| *offset <= tensor.offset())) {
            Some(next) if end.checked_next_multiple_of(self.alignment) == Some(*next) => Fit::Yes,
            Some(_) => Fit::No,
            None => match self.size.map(|size| size.checked_sub(end)) {
                Some(None) if self.size <= Some(tensor.offset()) => Fit::Cut,
                Some(None) => Fit::Short,
                Some(Some(rest)) if rest >= self.alignment => Fit::Loose,
                _ => Fit::Yes,
            },
        }
    }
}

fn has_elements(tensor: &TensorInfo<'_>) -> bool {
    tensor.element_count() != Some(0)
}
