//! `Comparison`: the differences of two models.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

use js_sys::Array as JsArray;
use wasm_bindgen::prelude::*;

use crate::error::ErrorCode;
use crate::files::compare::comparison::{Comparison as Differences, DataCoverage};
use crate::files::compare::details;
use crate::files::compare::entries::{EntryChange, EntryDifference as Entry};
use crate::files::compare::tensors::{DataComparison, TensorChange, TensorDifference as Tensor};
use crate::files::compare::value_text::entry_texts;
use crate::format::header::Header;
use crate::web::interop::arguments::{NumberArgument, number, optional_number};
use crate::web::interop::error::failure;
use crate::web::interop::numbers::is_integer;
use crate::web::interop::options::{Options, options};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::record::Record;
use crate::web::interop::typescript::declare_string_union;
use crate::web::reader::opened_file::OpenedFile;

options! {
    /// How a comparison is written as Markdown.
    pub interface ComparisonMarkdownOptions {
        /// The name of the first model. Default: "A".
        nameA?: "string";
        /// The name of the second model. Default: "B".
        nameB?: "string";
        /// The most rows of each table. Default: 200.
        limit?: "number";
    }
}

declare_string_union!(
    "What happened to an entry of the metadata. `moved`: only its place in the list differs.",
    "EntryChange",
    EntryChange::NAMES
);
declare_string_union!(
    "What happened to a tensor. `renamed`: the other model has the same data, type and dimensions under another name. `moved`: only \
     its place in the list differs. `unknown`: its data cannot be read.",
    "TensorChange",
    TensorChange::NAMES
);
declare_string_union!(
    "What is known about the stored bytes of two tensors. `not-compared`: for example because the types differ. \
     `equal-in-sample`: not all bytes were read, and those that were are equal.",
    "DataComparison",
    DataComparison::NAMES
);
declare_string_union!(
    "How much of the data of the tensors was compared: all of it, evenly spread parts, or nothing.",
    "DataCoverage",
    DataCoverage::NAMES
);

plain_object! {
    /// A difference of the format of two files. `truthValues`: equal ones are stored as other bytes. `tensorOffsets`: the
    /// alignment and the lists of tensors are the same, but the data lies at other offsets in the data sections.
    struct FormatDifference {
        #[typescript("\"version\" | \"byteOrder\" | \"alignment\" | \"truthValues\" | \"tensorOffsets\"")]
        pub property: &'static str,
        /// What the first model has.
        pub a: String,
        /// What the second model has.
        pub b: String,
    }
}

plain_object! {
    /// How many entries have which difference. Except for `moved`, each entry is counted once.
    struct EntryCounts {
        /// In both models, with the same value.
        pub equal: f64,
        /// Only in the second model.
        pub added: f64,
        /// Only in the first model.
        pub removed: f64,
        /// Another value of the same type.
        pub changed: f64,
        /// Another type.
        pub retyped: f64,
        /// At another place in the list. They are counted as equal, changed or retyped too.
        pub moved: f64,
    }
}

plain_object! {
    /// How many tensors have which difference. Except for `moved`, each tensor is counted once.
    struct TensorCounts {
        /// In both models, without a difference, as far as their data was compared.
        pub equal: f64,
        /// Only in the second model.
        pub added: f64,
        /// Only in the first model.
        pub removed: f64,
        /// The same tensor with another name.
        pub renamed: f64,
        /// Another type, other dimensions or other data.
        pub changed: f64,
        /// The data cannot be read.
        pub unknown: f64,
        /// At another place in the list. They are counted as equal or changed too.
        pub moved: f64,
    }
}

plain_object! {
    /// How many entries and tensors have which difference.
    struct ComparisonCounts {
        pub entries: EntryCounts,
        pub tensors: TensorCounts,
    }
}

plain_object! {
    /// An entry in one of the models.
    struct ComparedEntry {
        /// The position in `Gguf.entries`; of a set, in `GgufSet.merged.entries`.
        pub index: f64,
        /// `UINT32`, `STRING[]`.
        pub r#type: String,
        /// The value as a short text: at most 200 bytes of a text, or 8 elements of an array. Of a longer value that was changed, it
        /// shows the surroundings of the first difference. Bytes that are not UTF-8 are written as `\\xff`.
        pub value: String,
    }
}

plain_object! {
    /// A difference of the metadata.
    struct EntryDifference {
        pub key: String,
        #[typescript("EntryChange")]
        pub change: &'static str,
        /// Whether its place changed: among the entries that both models have, it comes before or after others than before. It can
        /// be changed too.
        pub is_moved: bool,
        /// The entry in the first model. Not present if it was added.
        pub a: Option<ComparedEntry>,
        /// The entry in the second model. Not present if it was removed.
        pub b: Option<ComparedEntry>,
    }
}

plain_object! {
    /// A part of the first value, `startA` up to, but not including, `endA`, that became a part of the second one. One of them can
    /// be empty.
    struct Hunk {
        pub start_a: f64,
        pub end_a: f64,
        pub start_b: f64,
        pub end_b: f64,
    }
}

plain_object! {
    /// A token that only one model has, or that has different ids.
    struct TokenDifference {
        /// The text as stored.
        pub text: String,
        /// The id in the first model.
        pub id_a: Option<f64>,
        /// The id in the second model.
        pub id_b: Option<f64>,
    }
}

plain_object! {
    /// The differences of two vocabularies by the texts of their tokens.
    struct TokenDifferences {
        /// How many tokens only the second model has.
        pub added: f64,
        /// How many tokens only the first model has.
        pub removed: f64,
        /// How many tokens have another id.
        pub renumbered: f64,
        /// The first 1000 of these tokens.
        #[typescript("readonly TokenDifference[]")]
        pub differences: Vec<TokenDifference>,
    }
}

plain_object! {
    /// What differs within two values.
    struct ValueDetails {
        /// What the hunks count: elements of arrays, or lines of texts. A line ends after its line feed.
        #[typescript("\"elements\" | \"lines\"")]
        pub unit: &'static str,
        /// The parts that differ, in order.
        #[typescript("readonly Hunk[]")]
        pub hunks: Vec<Hunk>,
        /// Only of `tokenizer.ggml.tokens`.
        pub tokens: Option<TokenDifferences>,
    }
}

plain_object! {
    /// A tensor in one of the models.
    struct ComparedTensor {
        /// The position in `Gguf.tensors`; of a set, in `GgufSet.merged.tensors`.
        pub index: f64,
        /// ggml's name of the type: `"Q4_K"`; `"unknown(137)"` if there is none.
        pub r#type: String,
        /// The number of elements of each dimension, the fastest first.
        #[typescript("readonly number[]")]
        pub dimensions: Vec<f64>,
        /// Bytes of the data, if the type is known.
        pub byte_length: Option<f64>,
    }
}

plain_object! {
    /// The difference of the numbers of two tensors.
    struct ValueDifference {
        /// The number of compared pairs of finite numbers.
        pub count: f64,
        /// The normalised mean squared error: the sum of (a - b)² divided by the sum of a². 0 if all are equal; infinite if only
        /// the first tensor has only zeros; NaN if no pair was compared, or if a square is too large or too small for a double.
        pub nmse: f64,
        /// The largest distance of two numbers, as doubles.
        pub largest_difference: f64,
        /// The element where it is largest. Not present if all are equal.
        pub largest_at: Option<f64>,
        /// The cosine of the angle between both tensors as vectors: 1 if they have the same direction. Not present if one of them
        /// has only zeros.
        pub cosine: Option<f64>,
        /// The number of pairs that were left out, because a number is NaN or infinite.
        pub non_finite: f64,
        /// Whether only a part of the numbers was read.
        pub is_sampled: bool,
    }
}

plain_object! {
    /// A difference of the tensors.
    struct TensorDifference {
        /// The name in the first model. If the tensor was added, in the second one.
        pub name: String,
        /// The name in the second model, if the tensor was renamed.
        pub name_b: Option<String>,
        #[typescript("TensorChange")]
        pub change: &'static str,
        /// Whether its place among the tensors that both models have changed. It can be changed too.
        pub is_moved: bool,
        /// The tensor in the first model. Not present if it was added.
        pub a: Option<ComparedTensor>,
        /// The tensor in the second model. Not present if it was removed.
        pub b: Option<ComparedTensor>,
        /// What is known about the stored bytes.
        #[typescript("DataComparison")]
        pub data: &'static str,
        /// Why the data cannot be read.
        pub problem: Option<String>,
        /// With the option `values`: the difference of the numbers.
        pub values: Option<ValueDifference>,
    }
}

/// The differences of two models, `a` and `b`, that `compare` found. It keeps the headers of both in memory, also after they
/// are freed, until it is freed itself or garbage-collected.
///
/// There may be a million differences. So lists are read piece by piece: `entries(start, end)`.
///
/// @example
/// const comparison = await compare(a, b);
/// console.log(comparison.summary, comparison.counts.tensors);
/// for (let start = 0; start < comparison.tensorCount; start += 100) show(comparison.tensors(start, start + 100));
/// comparison.free();
#[wasm_bindgen]
pub struct Comparison {
    differences: Differences,
    a: Rc<OpenedFile>,
    b: Rc<OpenedFile>,
    counts: OnceCell<JsValue>,
}

#[wasm_bindgen]
impl Comparison {
    /// Whether no difference was found, as far as the models were compared: see `dataCoverage`.
    #[wasm_bindgen(getter, js_name = isEqual)]
    pub fn is_equal(&self) -> bool {
        self.differences.is_equal()
    }

    /// How much of the data of the tensors was compared.
    #[wasm_bindgen(getter, js_name = dataCoverage, unchecked_return_type = "DataCoverage")]
    pub fn data_coverage(&self) -> JsValue {
        self.differences.coverage().name().into()
    }

    /// What differs, in one sentence: "Same weights, other chat template."
    #[wasm_bindgen(getter)]
    pub fn summary(&self) -> String {
        let [a, b] = self.headers();
        self.differences.summary(a, b)
    }

    /// The differences of the format: version, byte order and alignment; and what is equal, but stored in another way: bytes of
    /// truth values, and offsets of tensors. Bytes that belong to no entry and no tensor, such as padding, are not compared.
    #[wasm_bindgen(getter, unchecked_return_type = "FormatDifference[]")]
    pub fn format(&self) -> JsArray {
        let object = |difference: &crate::files::compare::comparison::FormatDifference| {
            let (a, b) = (difference.a.clone(), difference.b.clone());
            to_js(&FormatDifference { property: difference.property, a, b })
        };
        self.differences.format().iter().map(object).collect()
    }

    /// How many entries and tensors have which difference. The object is made once, and is frozen.
    #[wasm_bindgen(getter, unchecked_return_type = "ComparisonCounts")]
    pub fn counts(&self) -> JsValue {
        let make = || {
            let (entries, tensors) = (self.differences.entry_counts(), self.differences.tensor_counts());
            to_js(&ComparisonCounts {
                entries: EntryCounts {
                    equal: entries.equal as f64,
                    added: entries.added as f64,
                    removed: entries.removed as f64,
                    changed: entries.changed as f64,
                    retyped: entries.retyped as f64,
                    moved: entries.moved as f64,
                },
                tensors: TensorCounts {
                    equal: tensors.equal as f64,
                    added: tensors.added as f64,
                    removed: tensors.removed as f64,
                    renamed: tensors.renamed as f64,
                    changed: tensors.changed as f64,
                    unknown: tensors.unknown as f64,
                    moved: tensors.moved as f64,
                },
            })
        };
        self.counts.get_or_init(make).clone()
    }

    /// The number of differences of the metadata.
    #[wasm_bindgen(getter, js_name = entryCount)]
    pub fn entry_count(&self) -> f64 {
        self.differences.entries().len() as f64
    }

    /// The differences of the metadata from `start` up to, but not including, `end`; by default all. They are in the order of the
    /// first model, with added entries after the entry that they follow in the second one.
    ///
    /// @throws {GgufError} `invalid-argument`, `out-of-range`.
    #[wasm_bindgen(unchecked_return_type = "EntryDifference[]")]
    pub fn entries(&self, start: Option<NumberArgument>, end: Option<NumberArgument>) -> Result<JsArray, JsValue> {
        let part = part("entries", self.differences.entries(), start.as_ref(), end.as_ref())?;
        Ok(part.iter().map(|entry| self.entry_object(entry)).collect())
    }

    /// What differs within the values of `entries()[index]`: elements of an array, or lines of a text. `undefined` if the values have
    /// different types, or cannot be divided, or if only one model has the entry.
    ///
    /// @throws {GgufError} `invalid-argument`, `out-of-range`.
    /// @example
    /// const { hunks = [] } = comparison.entryDetails(0) ?? {};
    /// for (const { startA, endA, startB, endB } of hunks) console.log(`${startA}–${endA} became ${startB}–${endB}`);
    #[wasm_bindgen(js_name = entryDetails, unchecked_return_type = "ValueDetails | undefined")]
    pub fn entry_details(&self, index: NumberArgument) -> Result<JsValue, JsValue> {
        let index = position("index", &index, self.differences.entries().len().saturating_sub(1))?;
        let [a, b] = self.headers();
        Ok(self.differences.entry_details(index, a, b).map_or(JsValue::UNDEFINED, details_object))
    }

    /// The number of differences of the tensors.
    #[wasm_bindgen(getter, js_name = tensorCount)]
    pub fn tensor_count(&self) -> f64 {
        self.differences.tensors().len() as f64
    }

    /// The differences of the tensors from `start` up to, but not including, `end`; by default all. They are in the order of the
    /// first model, with added tensors after the tensor that they follow in the second one.
    ///
    /// @throws {GgufError} `invalid-argument`, `out-of-range`.
    #[wasm_bindgen(unchecked_return_type = "TensorDifference[]")]
    pub fn tensors(&self, start: Option<NumberArgument>, end: Option<NumberArgument>) -> Result<JsArray, JsValue> {
        let part = part("tensors", self.differences.tensors(), start.as_ref(), end.as_ref())?;
        Ok(part.iter().map(|tensor| self.tensor_object(tensor)).collect())
    }

    /// The same comparison with the sides exchanged: what was added is removed. The differences keep their order. Nothing is read.
    ///
    /// @example
    /// const { nmse } = comparison.swapped().tensors()[0]?.values ?? {}; // relative to the other model
    pub fn swapped(&self) -> Self {
        Self::new(self.differences.swapped(), self.b.clone(), self.a.clone())
    }

    /// The summary and all lists as a plain object, for `JSON.stringify`. What differs within values is not in it: see
    /// `entryDetails`. NaN and infinity become `null` in JSON.
    #[wasm_bindgen(
        js_name = toJSON,
        unchecked_return_type = "Pick<Comparison, \"isEqual\" | \"dataCoverage\" | \"summary\" | \"format\" | \"counts\"> & { entries: EntryDifference[]; tensors: TensorDifference[] }"
    )]
    pub fn to_json(&self) -> JsValue {
        let entries = self.differences.entries().iter().map(|entry| self.entry_object(entry));
        let tensors = self.differences.tensors().iter().map(|tensor| self.tensor_object(tensor));
        Record::new()
            .value("isEqual", &self.is_equal().into())
            .value("dataCoverage", &self.data_coverage())
            .text("summary", &self.summary())
            .value("format", &self.format())
            .value("counts", &self.counts())
            .value("entries", &entries.collect::<JsArray>())
            .value("tensors", &tensors.collect::<JsArray>())
            .done()
    }

    /// The differences as Markdown: the summary, and a table of each kind of difference.
    ///
    /// @throws {GgufError} `invalid-argument`.
    /// @example
    /// await navigator.clipboard.writeText(comparison.toMarkdown({ nameA: "old.gguf", nameB: "new.gguf" }));
    #[wasm_bindgen(js_name = toMarkdown)]
    pub fn to_markdown(&self, options: Option<ComparisonMarkdownOptions>) -> Result<String, JsValue> {
        let options = Options::new(options);
        let name = |option: &str, default: &str| match options.get(option)? {
            None => Ok(String::from(default)),
            Some(given) => given.as_string().ok_or_else(|| options.refused(option, &given, "a string")),
        };
        let limit = options.number("limit", 0.0)?.map_or(MARKDOWN_ROWS, |limit| limit as usize);
        let [a, b] = self.headers();
        Ok(self.differences.to_markdown(a, b, &name("nameA", "A")?, &name("nameB", "B")?, limit))
    }
}

/// The rows of a table in Markdown, if the caller does not choose another number.
const MARKDOWN_ROWS: usize = 200;

impl Comparison {
    pub(super) fn new(differences: Differences, a: Rc<OpenedFile>, b: Rc<OpenedFile>) -> Self {
        Self { differences, a, b, counts: OnceCell::new() }
    }

    fn headers(&self) -> [&Header; 2] {
        [&self.a.header, &self.b.header]
    }

    fn entry_object(&self, difference: &Entry) -> JsValue {
        let [a, b] = self.headers();
        let [text_a, text_b] = entry_texts(a, b, difference);
        let side = |index: Option<usize>, text: Option<(String, String)>| {
            let (index, (r#type, value)) = index.zip(text)?;
            Some(ComparedEntry { index: index as f64, r#type, value })
        };
        let entry = difference.a.and_then(|index| a.metadata_at(index)).or_else(|| b.metadata_at(difference.b?));
        to_js(&EntryDifference {
            key: entry.map_or_else(String::new, |entry| entry.key().to_string_lossy().into_owned()),
            change: difference.change.name(),
            is_moved: difference.is_moved,
            a: side(difference.a, text_a),
            b: side(difference.b, text_b),
        })
    }

    fn tensor_object(&self, difference: &Tensor) -> JsValue {
        let [a, b] = self.headers();
        let side = |header: &Header, index: Option<usize>| {
            let tensor = header.tensor_at(index?)?;
            Some(ComparedTensor {
                index: tensor.index() as f64,
                r#type: format!("{}", tensor.ggml_type()),
                dimensions: tensor.dimensions().map(|dimension| dimension as f64).collect(),
                byte_length: tensor.byte_length().map(|length| length as f64),
            })
        };
        let name = |header: &Header, index: Option<usize>| {
            Some(header.tensor_at(index?)?.name().to_string_lossy().into_owned())
        };
        let (name_a, name_b) = (name(a, difference.a), name(b, difference.b));
        let is_renamed = difference.change == TensorChange::Renamed;
        to_js(&TensorDifference {
            name_b: name_b.clone().filter(|_| is_renamed),
            name: name_a.or(name_b).unwrap_or_default(),
            change: difference.change.name(),
            is_moved: difference.is_moved,
            a: side(a, difference.a),
            b: side(b, difference.b),
            data: difference.data.name(),
            problem: match &difference.data {
                DataComparison::Unreadable(problem) => Some(problem.clone()),
                _ => None,
            },
            values: difference.values.as_ref().map(|(values, is_sampled)| ValueDifference {
                count: values.count() as f64,
                nmse: values.nmse(),
                largest_difference: values.largest(),
                largest_at: values.largest_at().map(|element| element as f64),
                cosine: values.cosine(),
                non_finite: values.non_finite() as f64,
                is_sampled: *is_sampled,
            }),
        })
    }
}

fn details_object(details: details::ValueDetails) -> JsValue {
    let hunk = |hunk: details::Hunk| Hunk {
        start_a: hunk.a.start as f64,
        end_a: hunk.a.end as f64,
        start_b: hunk.b.start as f64,
        end_b: hunk.b.end as f64,
    };
    let token = |token: details::TokenDifference| TokenDifference {
        text: token.text,
        id_a: token.a.map(|id| id as f64),
        id_b: token.b.map(|id| id as f64),
    };
    to_js(&ValueDetails {
        unit: details.unit.name(),
        hunks: details.hunks.into_iter().map(hunk).collect(),
        tokens: details.tokens.map(|tokens| TokenDifferences {
            added: tokens.added as f64,
            removed: tokens.removed as f64,
            renumbered: tokens.renumbered as f64,
            differences: tokens.differences.into_iter().map(token).collect(),
        }),
    })
}

/// A part of a list, as a caller chooses it.
fn part<'a, T>(
    what: &str,
    list: &'a [T],
    start: Option<&NumberArgument>,
    end: Option<&NumberArgument>,
) -> Result<&'a [T], JsValue> {
    let bound = |name: &str, given: Option<&NumberArgument>, default: usize| {
        Ok::<_, JsValue>(optional_number(name, given)?.unwrap_or(default as f64))
    };
    let (start, end) = (bound("start", start, 0)?, bound("end", end, list.len())?);
    // As for the method `slice` of arrays, an end after the last item counts as the end of the list.
    let end = end.min(list.len() as f64);
    let is_valid = is_integer(start) && is_integer(end) && start >= 0.0 && end >= 0.0;
    if !is_valid {
        let message = format!("cannot list the {what} from {start} to {end}: expected whole numbers from 0 on");
        return Err(failure(ErrorCode::OutOfRange, &message));
    }
    Ok(list.get(start as usize..end as usize).unwrap_or_default())
}

/// A position in a list, as a caller gives it.
fn position(name: &str, given: &NumberArgument, last: usize) -> Result<usize, JsValue> {
    let position = number(name, given)?;
    if !is_integer(position) || !(0.0..=last as f64).contains(&position) {
        let message = format!("the argument {name} is {position}, expected a whole number from 0 to {last}");
        return Err(failure(ErrorCode::OutOfRange, &message));
    }
    Ok(position as usize)
}
