//! Finds the kind of a file.

use alloc::{string::String, vec::Vec};

use super::facts::Facts;
use super::marks::{Modality, Subject, modalities};
use super::shard::{SPLIT_COUNT, Shard};
use crate::evidence::Evidence;
use crate::file_kinds::{FileKind, FileKindInfo};
use crate::image::ModelPart;
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
        /// The family of the model: for an image model `flux`, `sdxl` and so on, for others the architecture. Not present if the file does
        /// not say it.
        pub family: Option<String>,
        /// The variant of an image model, if it is certain: `dev`.
        pub variant: Option<&'static str>,
        /// The number of repeated blocks: `{architecture}.block_count`, or what the names of tensors say. Not present for a UNet, whose
        /// stages differ, and if it is not known.
        pub blocks: Option<u64>,
        /// The parts that the file has, if it is an image model or has encoders beside a text model.
        pub parts: Vec<ModelPart>,
    }
}

/// Finds out what a file is. The answer is [`FileKind::Unknown`] if nothing in the header marks a kind.
///
/// A file can have the marks of several kinds. The first rule that holds decides:
///
/// 1. `split.count` above 1: a shard. [`Shard::set_kind`] is what the rest of the rules say of its metadata.
/// 2. `general.type`: an adapter, an importance matrix or a multimodal projector.
/// 3. A vocabulary and no tensors.
/// 4. The architecture, or a key that only one kind has: control vectors, multimodal projectors, CLIP models, draft models,
///    diffusion models, models of speech.
/// 5. The names of all tensors, for files without a `general.type`: adapters, importance matrices and control vectors.
/// 6. The names of some tensors, if llama.cpp does not have the architecture: image models and their parts, and models of programs that
///    write no metadata.
/// 7. Prediction layers without the layers of a model: a draft model.
/// 8. The pooling type, or an architecture that only encodes: rerankers, classifiers and embedding models.
/// 9. `general.type` is `model`, or an architecture or its `block_count` is there: a model.
///
/// The marks are those of llama.cpp: its loader, its converters and its tools (August 2026), and for image models those of
/// ComfyUI-GGUF and stable-diffusion.cpp. Takes time in proportion to the numbers of entries and tensors. While the header arrives, the
/// answer is about the part that has arrived.
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
    let Facts { family, variant, blocks, parts } = Facts::of(header, kind);
    let (kind, shard) = match shard {
        None => (kind, None),
        Some(shard) => (FileKind::Shard, Some(Shard { set_kind: kind, ..shard })),
    };
    Classification { kind, title, description, evidence, shard, modalities, family, variant, blocks, parts }
}

/// The kind of a file, and its place in a set, without what else [`classify`] finds out.
pub(crate) fn kind_and_shard(header: &Header) -> (FileKind, Option<Shard>) {
    let (kind, _) = kind_and_evidence(header);
    match Shard::of(header) {
        None => (kind, None),
        Some(shard) => (FileKind::Shard, Some(Shard { set_kind: kind, ..shard })),
    }
}

/// The kind of a file, without what else [`classify`] finds out. A shard has the kind of its set.
#[doc(hidden)]
pub fn kind_of(header: &Header) -> FileKind {
    kind_and_evidence(header).0
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
                Subject::of_other_programs,
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
