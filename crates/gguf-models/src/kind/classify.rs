//! Finds the kind of a file.

use alloc::{string::String, vec::Vec};

use super::evidence::Evidence;
use super::marks::{Modality, Subject, modalities};
use super::shard::{SPLIT_COUNT, Shard};
use crate::file_kinds::{FileKind, FileKindInfo};
use gguf_declare::result;
use gguf_format::format::header::Header;

result! {
    /// What a file is, and what in its header says so.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Classification {
        /// The kind of the file.
        pub kind: FileKind,
        /// The name of the kind for people: `"Importance matrix"`.
        pub title: &'static str,
        /// What such a file is for, in one sentence.
        pub description: &'static str,
        /// What in the header says so, each as a sentence. Empty if the kind is `unknown`.
        pub evidence: Vec<String>,
        /// The place of the file in a set. Only present if the kind is `shard`.
        pub shard: Option<Shard>,
        /// What a multimodal projector encodes or makes. Empty for other kinds.
        pub modalities: Vec<Modality>,
    }
}

/// Finds out what a file is. The answer is [`FileKind::Unknown`] if nothing in the header marks a kind.
///
/// A file can have the marks of several kinds. The first rule that holds decides:
///
/// 1. `split.count` above 1: a shard. [`Shard::set_kind`] is what the rest of the rules say of its metadata.
/// 2. `general.type`: an adapter, an importance matrix or a multimodal projector.
/// 3. A vocabulary and no tensors.
/// 4. The architecture, or a key that only one kind has: control vectors, multimodal projectors, draft models, diffusion
///    models, text-to-speech models.
/// 5. The names of all tensors, for files without a `general.type`: adapters, importance matrices, control vectors, and
///    image models as stable-diffusion.cpp writes them.
/// 6. Prediction layers without the layers of a model: a draft model.
/// 7. The pooling type, or an architecture that only encodes: rerankers, classifiers and embedding models.
/// 8. `general.type` is `model`, or an architecture or its `block_count` is there: a model.
///
/// The marks are those of llama.cpp: its loader, its converters and its tools (August 2026), and for image models those of
/// ComfyUI-GGUF. Takes time in proportion to the numbers of entries and tensors. While the header arrives, the answer is
/// about the part that has arrived.
///
/// # Examples
///
/// ```
/// # let file = gguf_format::example_file();
/// use gguf_models::kind::{FileKind, classify};
///
/// let header = gguf_format::parse(&file)?;
/// let classification = classify(&header);
/// assert_eq!(classification.kind, FileKind::Model);
/// assert_eq!(classification.evidence[0], "`general.architecture` is `llama`.");
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub fn classify(header: &Header) -> Classification {
    let (kind, evidence) = kind_and_evidence(header);
    let shard = Shard::of(header);
    let FileKindInfo { title, description, .. } = *if shard.is_some() { FileKind::Shard } else { kind }.info();
    let evidence = evidence.iter().map(|evidence| evidence.sentence(header)).collect();
    let modalities = if kind == FileKind::Projector { modalities(header) } else { Vec::new() };
    match shard {
        None => Classification { kind, title, description, evidence, shard, modalities },
        Some(shard) => {
            let shard = Some(Shard { set_kind: kind, ..shard });
            Classification { kind: FileKind::Shard, title, description, evidence, shard, modalities }
        }
    }
}

/// The kind of a file, and what in the header says so. A shard has the kind of its set.
pub(crate) fn kind_and_evidence(header: &Header) -> (FileKind, Vec<Evidence>) {
    let subject = Subject::of(header);
    if Shard::of(header).is_none() {
        return decide(
            &subject,
            &[
                Subject::declared,
                Subject::vocabulary,
                Subject::by_architecture,
                Subject::by_key,
                Subject::by_tensor_names,
                Subject::prediction_layers,
                Subject::by_pooling,
                Subject::encoder,
                Subject::model,
            ],
        );
    }
    // A shard has only some of the tensors, so a missing tensor says nothing.
    let (kind, mut evidence) = decide(
        &subject,
        &[Subject::declared, Subject::by_architecture, Subject::by_key, Subject::by_pooling, Subject::model],
    );
    if let Some(split_count) = subject.entry(SPLIT_COUNT) {
        evidence.insert(0, split_count);
    }
    (kind, evidence)
}

/// A rule: the kind and its evidence, if the rule holds.
type Rule<'a> = fn(&Subject<'a>) -> Option<(FileKind, Vec<Evidence>)>;

fn decide<'a>(subject: &Subject<'a>, rules: &[Rule<'a>]) -> (FileKind, Vec<Evidence>) {
    rules.iter().find_map(|rule| rule(subject)).unwrap_or((FileKind::Unknown, Vec::new()))
}
