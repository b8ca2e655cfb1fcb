//! `fileKinds`, and what a file is.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::format::header::Header;
use crate::know::kind::{FILE_KINDS, FileKind, FileKindInfo as Row, Modalities, Shard as FoundShard, classify};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;
use crate::web::know::listing::Listing;

declare_string_union!("What a file is: the `name` of an object of `fileKinds()`.", "FileKind", FileKind::NAMES);
declare_string_union!(
    "What a multimodal projector encodes: images (`vision`) or sound (`audio`); or that it makes sound (`speech`).",
    "Modality",
    MODALITIES
);

const MODALITIES: &[&str] = &["vision", "audio", "speech"];

plain_object! {
    /// A kind of file.
    readonly struct FileKindInfo {
        name: &'static str as "FileKind",
        /// The name for people.
        title: &'static str,
        /// What such a file is for, in one sentence.
        description: &'static str,
    }
}

plain_object! {
    /// What a file is, and what in its header says so.
    readonly struct Classification {
        kind: &'static str as "FileKind",
        /// The name of the kind for people: `"Importance matrix"`.
        title: &'static str,
        /// What such a file is for, in one sentence.
        description: &'static str,
        /// What in the header says so, each as a sentence. Empty if the kind is `unknown`.
        evidence: Vec<String> as "readonly string[]",
        /// The place of the file in a set. Only present if the kind is `shard`.
        shard?: Shard as "Shard",
        /// What a multimodal projector encodes or makes. Empty for other kinds.
        modalities: Vec<&'static str> as "readonly Modality[]",
    }
}

plain_object! {
    /// The place of a file in a set of shards, by its metadata.
    readonly struct Shard {
        /// The number of the file in the set; the first one has number 1. Not present if the file does not say it.
        number?: f64,
        /// The number of files in the set.
        count: f64,
        /// The number of tensors in all files of the set. Not present if the file does not say it.
        tensor_count?: f64,
        /// What the set is. Often only the first shard says it; the others have `unknown`.
        set_kind: &'static str as "FileKind",
    }
}

std::thread_local! {
    static LISTING: Listing = Listing::default();
}

/// Lists the kinds of files. The list is made once, and is frozen.
///
/// @example
/// const titles = new Map(fileKinds().map(({ name, title }) => [name, title]));
/// console.log(titles.get(gguf.kind)); // "Model"
#[wasm_bindgen(js_name = fileKinds, unchecked_return_type = "readonly FileKindInfo[]")]
pub fn file_kinds() -> JsArray {
    let object = |row: &Row| to_js(&FileKindInfo { name: row.name, title: row.title, description: row.description });
    LISTING
        .with(|listing| listing.rows(|| FILE_KINDS.iter().map(|row| listing.row(row.name, || object(row))).collect()))
}

/// What a file with this header is, as a frozen object of the type `Classification`.
pub(crate) fn classification(header: &Header) -> JsValue {
    let found = classify(header);
    to_js(&Classification {
        kind: found.kind.name(),
        title: found.kind.title(),
        description: found.kind.info().description,
        evidence: found.evidence.iter().map(|evidence| evidence.sentence(header)).collect(),
        shard: found.shard.map(Shard::new),
        modalities: names(found.modalities),
    })
}

fn names(modalities: Modalities) -> Vec<&'static str> {
    let has = [modalities.vision, modalities.audio, modalities.speech];
    MODALITIES.iter().zip(has).filter_map(|(name, has)| has.then_some(*name)).collect()
}

impl Shard {
    fn new(shard: FoundShard) -> Self {
        Self {
            number: shard.number.map(|number| number as f64),
            count: shard.count as f64,
            tensor_count: shard.tensor_count.map(|count| count as f64),
            set_kind: shard.set_kind.name(),
        }
    }
}
