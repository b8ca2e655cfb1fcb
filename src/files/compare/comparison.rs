//! `Comparison`: the differences of two models.

use alloc::{rc::Rc, string::String};
use core::cell::OnceCell;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    JsArray, NumberArgument, Record, declare_types, failure, is_integer, number, optional_number, options,
    shown_number, to_js,
};
use crate::reader::opened_file::OpenedFile;
use gguf_files::compare::comparison::{
    Comparison as Differences, ComparisonCounts, DataCoverage, EntryCounts, FormatDifference, TensorCounts,
};
use gguf_files::compare::described::{
    ComparedEntry, ComparedPair, ComparedTensor, DescribedEntry, DescribedTensor, ValueDifference,
};
use gguf_files::compare::details::{Hunk, TokenDifference, TokenDifferences, ValueDetails};
use gguf_files::compare::entries::{EntryChange, EntryDifference};
use gguf_files::compare::tensors::{DataComparison, TensorChange, TensorDifference};
use gguf_format::format::header::Header;

options! {
    /// How a comparison is written as Markdown.
    pub interface ComparisonMarkdownOptions {
        /// The name of the first model. Default: "A".
        name_a?: "string" => String = "A".into();
        /// The name of the second model. Default: "B".
        name_b?: "string" => String = "B".into();
        /// The most rows of each table. Default: 200.
        limit?: "number" => usize = 200, number from 0;
    }
}

declare_types! {
    EntryChange, TensorChange, DataComparison, DataCoverage, FormatDifference, EntryCounts, TensorCounts, ComparisonCounts,
    ComparedEntry, DescribedEntry, Hunk, TokenDifference, TokenDifferences, ValueDetails, ComparedTensor, ValueDifference,
    ComparedPair,
    DescribedTensor,
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
        self.differences.format().iter().map(to_js).collect()
    }

    /// How many entries and tensors have which difference. The object is made once, and is frozen.
    #[wasm_bindgen(getter, unchecked_return_type = "ComparisonCounts")]
    pub fn counts(&self) -> JsValue {
        self.counts.get_or_init(|| to_js(self.differences.counts())).clone()
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
    pub fn entries(&self, start: Option<NumberArgument>, end: Option<NumberArgument>) -> Result<JsArray, Thrown> {
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
    pub fn entry_details(&self, index: NumberArgument) -> Result<JsValue, Thrown> {
        let index = position("index", &index, self.differences.entries().len().saturating_sub(1))?;
        let [a, b] = self.headers();
        Ok(self.differences.entry_details(index, a, b).map_or(JsValue::UNDEFINED, |details| to_js(&details)))
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
    pub fn tensors(&self, start: Option<NumberArgument>, end: Option<NumberArgument>) -> Result<JsArray, Thrown> {
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
    pub fn to_markdown(&self, options: Option<ComparisonMarkdownOptions>) -> Result<String, Thrown> {
        let options = ComparisonMarkdownOptions::take(options)?;
        let [a, b] = self.headers();
        Ok(self.differences.to_markdown(a, b, &options.name_a, &options.name_b, options.limit))
    }
}

impl Comparison {
    pub(super) fn new(differences: Differences, a: Rc<OpenedFile>, b: Rc<OpenedFile>) -> Self {
        Self { differences, a, b, counts: OnceCell::new() }
    }

    fn headers(&self) -> [&Header; 2] {
        [&self.a.header, &self.b.header]
    }

    fn entry_object(&self, difference: &EntryDifference) -> JsValue {
        let [a, b] = self.headers();
        to_js(&DescribedEntry::new(difference, a, b))
    }

    fn tensor_object(&self, difference: &TensorDifference) -> JsValue {
        let [a, b] = self.headers();
        to_js(&DescribedTensor::new(difference, a, b))
    }
}

/// A part of a list, as a caller chooses it.
fn part<'a, T>(
    what: &str,
    list: &'a [T],
    start: Option<&NumberArgument>,
    end: Option<&NumberArgument>,
) -> Result<&'a [T], Thrown> {
    let bound = |name: &str, given: Option<&NumberArgument>, default: usize| {
        Ok::<_, Thrown>(optional_number(name, given)?.unwrap_or(default as f64))
    };
    let (start, end) = (bound("start", start, 0)?, bound("end", end, list.len())?);
    // As for the method `slice` of arrays, an end after the last item counts as the end of the list.
    let end = end.min(list.len() as f64);
    let is_valid = is_integer(start) && is_integer(end) && start >= 0.0 && end >= 0.0;
    if !is_valid {
        return Err(failure!(OutOfRange:
            "cannot list the {what} from {} to {}: expected whole numbers from 0 on", shown_number(start), shown_number(end)));
    }
    Ok(list.get(start as usize..end as usize).unwrap_or_default())
}

/// A position in a list, as a caller gives it.
fn position(name: &str, given: &NumberArgument, last: usize) -> Result<usize, Thrown> {
    let position = number(name, given)?;
    if !is_integer(position) || !(0.0..=last as f64).contains(&position) {
        return Err(
            failure!(OutOfRange: "the argument {name} is {}, expected a whole number from 0 to {last}", shown_number(position)),
        );
    }
    Ok(position as usize)
}
