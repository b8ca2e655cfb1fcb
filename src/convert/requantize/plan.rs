//! `ConversionPlan`: which type each tensor gets, and the new files.

use alloc::{rc::Rc, string::String, sync::Arc, vec::Vec};
use core::cell::{Ref, RefCell};

use wasm_bindgen::prelude::*;

use super::stream::{ConversionStreamOptions, ConversionWriteOptions, FileChoice, stream, write_to};
use super::workers::Workforce;
use crate::interop::thrown::Thrown;
use crate::interop::{
    Bytes, JsArray, NumberArgument, Options, Promise, TextArgument, abortable, argument_type, arguments, as_object,
    declare_types, describe, failure, frozen_list, is_position, shown_number, to_js,
};
use crate::reader::opened_file::SourceFile;
use crate::source::gguf_source::Source;
use gguf_convert::requantize::{
    self as core_of, ConversionFinding, FileTypeEstimate, OutputFile, Pattern, Plan, PlannedTensor, Recipe, RecipeRow,
    RowProblem, TensorQuality, TypeReason, parse_tensor_type,
};
use gguf_format::format::header::Header;

declare_types!(
    RecipeRow,
    RowProblem,
    TypeReason,
    OutputFile,
    PlannedTensor,
    FileTypeEstimate,
    TensorQuality,
    ConversionFinding
);

argument_type!(TensorSelector: "string | number | ConversionTensor");
argument_type!(TypeName: "string | undefined");
argument_type!(ConversionTarget: "string | URL | ReplaceableFile");

/// The plan of a conversion: which type each tensor gets, how large the new files are, and what speaks against it. Types can be
/// changed. Nothing is read until the plan is written.
///
/// @example
/// const plan = await requantize(gguf, { type: "Q4_K_M", allowRequantize: true });
/// for (const { name, oldType, newType } of plan.tensors) console.log(name, oldType, newType);
/// plan.setType("output.weight", "Q8_0");
/// await plan.writeTo(await showSaveFilePicker({ suggestedName: plan.suggestedName }));
#[wasm_bindgen]
pub struct ConversionPlan {
    pub(super) files: Rc<Vec<Rc<SourceFile>>>,
    pub(super) recipe: RefCell<Recipe>,
    /// The number of workers that the caller wants.
    pub(super) workers: Option<usize>,
    measures_error: bool,
    /// Made when a caller asks for them, and anew after a change.
    tensors: RefCell<Option<JsArray>>,
}

impl ConversionPlan {
    pub(super) fn new(
        files: Rc<Vec<Rc<SourceFile>>>,
        recipe: Recipe,
        workers: Option<usize>,
        measures_error: bool,
    ) -> Self {
        Self { files, recipe: RefCell::new(recipe), workers, measures_error, tensors: RefCell::default() }
    }

    fn recipe(&self) -> Ref<'_, Recipe> {
        self.recipe.borrow()
    }

    pub(super) fn headers(&self) -> Vec<Arc<Header>> {
        self.files.iter().map(|file| file.header().clone()).collect()
    }

    /// The plan of the core as it is now.
    fn plan(&self) -> Result<Plan<Source>, Thrown> {
        let plan = Plan::with_recipe(self.files.to_vec(), self.recipe().clone())?;
        Ok(plan.with_quality(self.measures_error))
    }

    fn workforce(&self) -> Workforce {
        Workforce { wanted: self.workers }
    }

    /// The row of a tensor.
    fn row(&self, tensor: &JsValue) -> Result<usize, Thrown> {
        let recipe = self.recipe();
        let rows = recipe.rows();
        if let Some(row) = tensor.as_f64() {
            return match is_position(row) && (row as usize) < rows.len() {
                true => Ok(row as usize),
                false => {
                    Err(failure!(OutOfRange: "there is no tensor {}: the plan has {}", shown_number(row), rows.len()))
                }
            };
        }
        let name = match as_object(tensor) {
            Some(members) => members.get("name")?,
            None => tensor.clone(),
        };
        let Some(name) = name.as_string() else {
            return Err(failure!(InvalidArgument:
                "the tensor is {}, expected a name, a position, or an object of plan.tensors", describe(tensor)));
        };
        rows.iter()
            .position(|row| row.name == name)
            .ok_or_else(|| failure!(UnknownTensor: "the plan has no tensor {}", describe(&name.as_str().into())))
    }

    /// Changes the types of some rows; all of them or, if one cannot have the type, none.
    fn change(&self, rows: impl Iterator<Item = usize>, type_name: &JsValue) -> Result<usize, Thrown> {
        let ggml_type = match type_name.as_string() {
            Some(name) => Some(parse_tensor_type(&name)?),
            None if type_name.is_undefined() || type_name.is_null() => None,
            None => {
                return Err(failure!(InvalidArgument:
                    "the type is {}, expected the name of a tensor type, or undefined", describe(type_name)));
            }
        };
        let mut changed = self.recipe().clone();
        let count = changed.set_types(rows, ggml_type)?;
        self.recipe.replace(changed);
        self.tensors.take();
        Ok(count)
    }
}

#[wasm_bindgen]
impl ConversionPlan {
    /// What becomes of each tensor, in the order of the new files. The list and its objects are frozen; after a change of types there
    /// is a new list.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly ConversionTensor[]")]
    pub fn tensors(&self) -> JsArray {
        let make = || frozen_list(self.recipe().rows().iter().map(to_js).collect());
        self.tensors.borrow_mut().get_or_insert_with(make).clone()
    }

    /// The new files: one, or one for each shard with `keepSplit`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly ConversionFile[]")]
    pub fn files(&self) -> JsArray {
        frozen_list(self.recipe().files().iter().map(to_js).collect())
    }

    /// The size of all new files together, in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.recipe().size() as f64
    }

    /// The bits of tensor data for each element. 0 if there are no elements.
    #[wasm_bindgen(getter, js_name = bitsPerWeight)]
    pub fn bits_per_weight(&self) -> f64 {
        self.recipe().bits_per_weight()
    }

    /// What the model is converted to: the name of the file type, or `"COPY"`.
    #[wasm_bindgen(getter, js_name = type)]
    pub fn target(&self) -> String {
        self.recipe().options().target.name().into()
    }

    /// The value that `general.file_type` gets. `undefined` if the new file has no such entry.
    #[wasm_bindgen(getter, js_name = fileType)]
    pub fn file_type(&self) -> Option<u32> {
        self.recipe().file_type()
    }

    /// The name that `llama-quantize` gives the file if the caller gives none: `"ggml-model-Q4_K_M.gguf"`.
    #[wasm_bindgen(getter, js_name = suggestedName)]
    pub fn suggested_name(&self) -> String {
        self.recipe().options().target.default_file_name()
    }

    /// Whether a tensor that is converted has a type that cannot be used without an importance matrix.
    #[wasm_bindgen(getter, js_name = requiresImatrix)]
    pub fn requires_imatrix(&self) -> bool {
        self.recipe().requires_imatrix()
    }

    /// What speaks against the conversion, and what is worth knowing. With an `error`, the plan cannot be written: change the type of
    /// the tensor, or plan anew with other options.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly ConversionFinding[]")]
    pub fn findings(&self) -> JsArray {
        frozen_list(self.recipe().findings().iter().map(to_js).collect())
    }

    /// Sets the type of a tensor by hand. `undefined` gives it the type that `llama-quantize` chooses. Streams that have begun keep
    /// the types that they began with.
    ///
    /// @param tensor Its name in the new file, its position in `tensors`, or an object of `tensors`.
    /// @throws {GgufError} `unknown-tensor`, `out-of-range`; `invalid-argument` if tensors cannot be converted to the type;
    /// `does-not-fit` if its blocks do not fit into the rows. Then nothing changes.
    /// @example
    /// conversion.setType("token_embd.weight", "Q6_K");
    #[wasm_bindgen(js_name = setType)]
    pub fn set_type(
        &self,
        tensor: TensorSelector,
        #[wasm_bindgen(js_name = "type")] type_name: Option<TypeName>,
    ) -> Result<(), Thrown> {
        let row = self.row(&tensor)?;
        self.change([row].into_iter(), &type_name.map(Into::into).unwrap_or_default()).map(drop)
    }

    /// Sets the type of all tensors whose names match a pattern: a regular expression, which becomes lower case. Returns how many
    /// match. Tensors that are never quantized, such as norms, keep their types.
    ///
    /// @throws {GgufError} as `setType`; `limit-exceeded` if the search takes too many steps. Then nothing changes.
    /// @example
    /// const count = conversion.setTypes("ffn_down", "Q5_K");
    #[wasm_bindgen(js_name = setTypes)]
    pub fn set_types(
        &self,
        pattern: &TextArgument,
        #[wasm_bindgen(js_name = "type")] type_name: Option<TypeName>,
    ) -> Result<usize, Thrown> {
        let pattern = Pattern::new(&arguments::short_text("pattern", pattern)?.to_ascii_lowercase())?;
        let rows = self.recipe().rows_matching(&pattern)?;
        self.change(rows.into_iter(), &type_name.map(Into::into).unwrap_or_default())
    }

    /// What the model would be as a file of each type, with the options of this plan and without types that were set by hand. In the
    /// order of their numbers.
    ///
    /// @throws {GgufError} as `requantize`.
    /// @example
    /// for (const { name, size, bitsPerWeight, advice } of conversion.fileTypes()) console.log(name, size, bitsPerWeight, advice);
    #[wasm_bindgen(js_name = fileTypes, unchecked_return_type = "FileTypeEstimate[]")]
    pub fn file_types(&self) -> Result<JsArray, Thrown> {
        let estimates = core_of::file_types(&self.headers(), self.recipe().options())?;
        Ok(estimates.iter().map(to_js).collect())
    }

    /// The possible file type with the most bits per weight whose files have at most `bytes` bytes together. `undefined` if all are
    /// larger.
    ///
    /// @throws {GgufError} as `requantize`.
    /// @example
    /// const { name } = conversion.largestFileType(8e9) ?? {};
    #[wasm_bindgen(js_name = largestFileType, unchecked_return_type = "FileTypeEstimate | undefined")]
    pub fn largest_file_type(&self, bytes: NumberArgument) -> Result<JsValue, Thrown> {
        let bytes = arguments::number("bytes", &bytes)?.max(0.0) as u64;
        let largest = core_of::largest_file_type(&self.headers(), self.recipe().options(), bytes)?;
        Ok(largest.map_or(JsValue::UNDEFINED, |estimate| to_js(&estimate)))
    }

    /// Where the data of each tensor lies in a new file, by default the first one, in the order of the data. A stream that resumes at
    /// such a position repeats no work.
    ///
    /// @throws {GgufError} `out-of-range`.
    #[wasm_bindgen(unchecked_return_type = "PlannedTensor[]")]
    pub fn layout(&self, file: Option<NumberArgument>) -> Result<JsArray, Thrown> {
        let file = self.file_number(file)?;
        Ok(self.recipe().tensors(file).iter().map(to_js).collect())
    }

    /// The header of a new file, by default the first one, with the padding up to the data of the tensors. `Gguf.open` opens it, for
    /// example to estimate the memory that the new model takes.
    ///
    /// @throws {GgufError} `out-of-range`, `too-large`.
    /// @example
    /// const converted = await Gguf.open(conversion.headerBytes());
    /// console.log(converted.metadata.get("general.file_type"));
    #[wasm_bindgen(js_name = headerBytes, unchecked_return_type = "Uint8Array<ArrayBuffer>")]
    pub fn header_bytes(&self, file: Option<NumberArgument>) -> Result<JsValue, Thrown> {
        let file = self.file_number(file)?;
        Ok(Bytes::copy_of(&self.recipe().header(file)?)?.into())
    }

    /// The bytes of a new file. The stream reads and converts while it is read itself. If it breaks off, another one can continue at
    /// `start`.
    ///
    /// @throws {GgufError} `unsupported-model` if the model is an image model of a family without rules. The first problem of a tensor:
    /// `needs-imatrix`, `bad-imatrix`, `already-quantized`, `does-not-fit`, `invalid-argument`, `limit-exceeded`; `truncated`, `size-unknown`, `out-of-range`. The stream fails with `invalid-data` if a row
    /// contains a NaN or an infinity, with `worker-failed`, or with what reading fails with.
    /// @example
    /// const handle = await showSaveFilePicker({ suggestedName: conversion.suggestedName });
    /// await conversion.stream({ onProgress, signal }).pipeTo(await handle.createWritable(), { signal });
    #[wasm_bindgen(unchecked_return_type = "ReadableStream<Uint8Array<ArrayBuffer>>")]
    pub fn stream(&self, options: Option<ConversionStreamOptions>) -> Result<JsValue, Thrown> {
        let options = Options::new(options);
        let given = ConversionStreamOptions::read(&options)?;
        let choice = FileChoice { plan: self.plan()?, file: given.file, start: given.start };
        Ok(stream(choice, self.workforce(), options, given.progress)?.into())
    }

    /// Writes a new file, by default the first one. It appears complete or not at all.
    ///
    /// @param target A path or a `file:` URL, with `gguf-wasm/convert/node`; or a `FileSystemFileHandle`.
    /// @throws {GgufError} as `stream`, and `write-failed`: nothing has changed. With a path, its `cause` is the error of the file
    /// system: `EEXIST` if the file exists and `overwrite` is not set.
    /// @example
    /// import { Gguf, requantize } from "gguf-wasm/convert/node";
    ///
    /// const plan = await requantize(await Gguf.open("model.gguf"), { type: "Q8_0", allowRequantize: true });
    /// await plan.writeTo("model-Q8_0.gguf");
    #[wasm_bindgen(js_name = writeTo, unchecked_return_type = "Promise<void>")]
    pub fn write_to(&self, target: ConversionTarget, options: Option<ConversionWriteOptions>) -> Promise {
        let options = Options::new(options);
        let (plan, workforce) = (self.plan(), self.workforce());
        abortable(Options::default(), async move { write_to(plan?, workforce, target.into(), options).await })
    }

    fn file_number(&self, file: Option<NumberArgument>) -> Result<usize, Thrown> {
        let number = arguments::optional_number("file", file.as_ref())?.unwrap_or(0.0);
        let count = self.recipe().files().len();
        match is_position(number) && (number as usize) < count {
            true => Ok(number as usize),
            false => {
                Err(failure!(OutOfRange: "there is no file {}: the conversion makes {count}", shown_number(number)))
            }
        }
    }
}
