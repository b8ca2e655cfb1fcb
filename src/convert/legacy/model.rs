//! `LegacyModel`: an opened model in a format before GGUF.

use alloc::{rc::Rc, string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use super::answers::{LegacyAnswers, answers};
use super::migration::MigrationPlan;
use crate::interop::thrown::Thrown;
use crate::interop::{JsArray, declare_types, frozen_list, to_js};
use crate::reader::gguf::Gguf;
use crate::source::computed::Computed;
use crate::source::gguf_source::Source;
use gguf_format::tensor::block_types::BLOCK_TYPES;
use gguf_legacy::{
    self as core, BlockRules, Choice, Container, Exactness, ExactnessReport, Family, FileTypeNumbers, Hyperparameter,
    LegacyFileType, LegacyHeader, MelFilters, MigratedTensor, Note, NoteKind, PartSummary, PartTensor, Question,
    QuestionId, Relation, TensorExactness, VocabularySummary,
};

declare_types!(
    BlockRules,
    Choice,
    Container,
    Exactness,
    ExactnessReport,
    Family,
    FileTypeNumbers,
    Hyperparameter,
    LegacyFileType,
    LegacyHeader,
    MelFilters,
    MigratedTensor,
    Note,
    NoteKind,
    PartSummary,
    PartTensor,
    Question,
    QuestionId,
    Relation,
    TensorExactness,
    VocabularySummary
);

/// An opened model in one of the formats before GGUF.
///
/// @example
/// const model = await openLegacy("https://example.com/ggml-model-q4_0.bin");
/// for (const { name, type, dimensions } of model.gguf.tensors) console.log(name, type, dimensions);
/// for (const { id, title, default: answer, reason } of model.questions()) console.log(id, title, answer, reason);
#[wasm_bindgen]
pub struct LegacyModel {
    model: Rc<core::LegacyModel<Source>>,
    gguf: Gguf,
}

impl LegacyModel {
    pub(super) fn new(model: core::LegacyModel<Source>) -> Result<Self, Thrown> {
        let file = model.file();
        let gguf =
            Gguf::with_header(file.header().clone(), Source::Computed(Computed::new(file.reader().source().clone())))?;
        Ok(Self { model: Rc::new(model), gguf })
    }
}

#[wasm_bindgen]
impl LegacyModel {
    /// The family of the model: `"llama"`.
    #[wasm_bindgen(getter, unchecked_return_type = "LegacyFamily")]
    pub fn family(&self) -> String {
        self.model.header().family.name().into()
    }

    /// Other families that fit the file equally well. The option `family` of `openLegacy` chooses one.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly LegacyFamily[]")]
    pub fn alternatives(&self) -> JsArray {
        frozen_list(self.model.header().alternatives.iter().map(|family| JsValue::from(family.name())).collect())
    }

    /// The name of the first file.
    #[wasm_bindgen(getter, js_name = fileName)]
    pub fn file_name(&self) -> Option<String> {
        self.model.file_name().filter(|name| !name.is_empty()).map(Into::into)
    }

    /// What the first file says besides its tensors: container, family, hyperparameters, file type, and where its parts lie.
    #[wasm_bindgen(getter, unchecked_return_type = "LegacySummary")]
    pub fn summary(&self) -> JsValue {
        to_js(self.model.header())
    }

    /// The files of the model, in their order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly LegacyPart[]")]
    pub fn parts(&self) -> JsArray {
        frozen_list(self.model.parts().iter().map(|part| to_js(&part.part())).collect())
    }

    /// The number of files that the model should have. If `parts` has fewer, the model can be listed, but not migrated.
    #[wasm_bindgen(getter, js_name = partCount)]
    pub fn part_count(&self) -> usize {
        self.model.header().part_count()
    }

    /// The model as an object with the tensors, in the names and types of the file, and the data of the tensors. `metadata` has the
    /// hyperparameters under their own names, and the vocabulary as `tokenizer.ggml.tokens` and `tokenizer.ggml.scores`. Types that GGUF
    /// does not have are named `Q4_0_V1` and so on: `legacyTypes()` lists them. Shares of several parts are joined.
    ///
    /// The header of this object is in no file, so other entries cannot take it over: see `asGguf`.
    #[wasm_bindgen(getter)]
    pub fn gguf(&self) -> Gguf {
        self.gguf.clone()
    }

    /// The model as a GGUF file in the names of the old file, whose values are exact: blocks of types that GGUF does not have become F32.
    /// Every entry of the package opens it without writing it. So it can be previewed, compared, and exported. It is for inspection
    /// only: `migrate` makes the file that llama.cpp runs.
    ///
    /// @throws {GgufError} `bad-name` or `name-taken` if GGUF cannot have the names of the tensors.
    /// @example
    /// import { Gguf } from "gguf-wasm";
    /// import { openLegacy } from "gguf-wasm/convert";
    ///
    /// const model = await openLegacy(file);
    /// const gguf = await Gguf.open(model.asGguf());
    /// const { mean, statistics } = await gguf.preview("layers.0.attention.wq.weight");
    #[wasm_bindgen(js_name = asGguf)]
    pub fn as_gguf(&self) -> Result<MigrationPlan, Thrown> {
        Ok(MigrationPlan::new(self.model.file_name(), self.model.as_gguf()?))
    }

    /// The questions that the file leaves open, with defaults and the reason for each. An adapter has none.
    #[wasm_bindgen(unchecked_return_type = "readonly LegacyQuestion[]")]
    pub fn questions(&self) -> JsArray {
        frozen_list(self.model.questions().iter().map(to_js).collect())
    }

    /// Why llama.cpp could not run the migrated model: a sentence for each reason. Empty if it can be migrated.
    #[wasm_bindgen(getter)]
    pub fn obstacles(&self) -> Vec<String> {
        self.model.obstacles()
    }

    /// Plans the migration to GGUF. No data of tensors is read.
    ///
    /// @throws {GgufError} `unsupported` if there are obstacles, unless `forInspection` is set; `invalid-argument` if an answer is not
    /// valid; `bad-name`, `name-taken`.
    /// @example
    /// const plan = model.migrate({ name: "LLaMA 7B", contextLength: 2048 });
    /// for (const { severity, message } of plan.findings) console.log(severity, message);
    /// const { total } = await plan.exactness();
    /// console.log(plan.size, total.changed, total.maxError);
    pub fn migrate(&self, answers_given: Option<LegacyAnswers>) -> Result<MigrationPlan, Thrown> {
        let migration = self.model.migrate(&answers(answers_given)?)?;
        Ok(MigrationPlan::new(self.model.file_name(), migration))
    }
}

/// Describes the tensor types of files before GGUF that GGUF does not have.
///
/// @example
/// const [{ name, blockSize, typeSize }] = legacyTypes();
#[wasm_bindgen(js_name = legacyTypes, unchecked_return_type = "readonly GgmlTypeInfo[]")]
pub fn legacy_types() -> JsArray {
    frozen_list(BLOCK_TYPES.iter().map(to_js).collect())
}
