//! `HubModel`: an opened model in the layout of Hugging Face.

use alloc::{rc::Rc, string::String, string::ToString, sync::Arc};
use core::cell::OnceCell;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::conversion_options::{ModelConversionOptions, model_options};
use super::given_folder::GivenFolder;
use super::plan::ModelPlan;
use crate::interop::thrown::Thrown;
use crate::interop::{
    JsArray, Options, Promise, abortable, declare_types, frozen_list, once, plain_object, set_member, to_js,
};
use crate::reader::gguf::Gguf;
use crate::source::computed::Computed;
use crate::source::gguf_source::Source;
use gguf_convert::model::{
    self as core_of, DataTypeSummary, OpenedModel, PartSummary, ProjectorSummary, TensorSummary, VocabularySummary,
};
use gguf_convert::safetensors::INDEX;
use gguf_format::decode::decoder::parse;
use gguf_format::error::{Error, ErrorCode};

declare_types!(PartSummary, TensorSummary, DataTypeSummary, VocabularySummary, ProjectorSummary);

plain_object! {
    /// Why a model cannot be converted.
    struct HubModelObstacle {
        /// The code of the error with which `convert` fails.
        #[typescript("GgufErrorCode")]
        pub code: &'static str,
        /// What is missing or unknown.
        pub message: String,
    }
}

/// An opened model in the layout of Hugging Face: what it is, its stored tensors, and the plan of the GGUF file that it becomes.
///
/// @example
/// const model = await openModel(fileInput.files);
/// for (const { name, dataType, shape } of model.tensors) console.log(name, dataType, shape);
/// const plan = await model.convert();
#[wasm_bindgen]
pub struct HubModel {
    model: Rc<OpenedModel<Source>>,
    /// The files that were read, as the caller gave them.
    inputs: Array,
    gguf: OnceCell<Gguf>,
}

impl HubModel {
    pub(super) fn new(model: OpenedModel<Source>, given: &GivenFolder) -> Self {
        let parts = model.model().tensors.parts().iter().map(|part| part.name());
        let inputs = given.sources(model.model().files.paths().chain(parts).chain([INDEX]));
        Self { model: Rc::new(model), inputs, gguf: OnceCell::new() }
    }
}

#[wasm_bindgen]
impl HubModel {
    /// The name of the folder or of the repository.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.model.model().folder.clone()
    }

    /// The name of the class in `config.json`: `"Qwen3ForCausalLM"`. `undefined` if it is not known.
    #[wasm_bindgen(getter, js_name = className)]
    pub fn class_name(&self) -> Option<String> {
        self.model.class_name().map(Into::into)
    }

    /// The architecture of the new file: `"qwen3"`. `undefined` if models of this class cannot be converted.
    #[wasm_bindgen(getter)]
    pub fn architecture(&self) -> Option<String> {
        self.model.architecture().map(Into::into)
    }

    /// The size of all stored tensors in bytes.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.model.byte_length() as f64
    }

    /// The files with tensors, in their order.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly HubModelPart[]")]
    pub fn parts(&self) -> JsArray {
        frozen_list(self.model.parts().iter().map(to_js).collect())
    }

    /// The stored tensors: those of the first file in the order of their names, then those of the next one.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly HubModelTensor[]")]
    pub fn tensors(&self) -> JsArray {
        frozen_list(self.model.tensors().iter().map(to_js).collect())
    }

    /// The types of the stored tensors.
    #[wasm_bindgen(getter, js_name = dataTypes, unchecked_return_type = "readonly HubModelDataType[]")]
    pub fn data_types(&self) -> JsArray {
        frozen_list(self.model.data_types().iter().map(to_js).collect())
    }

    /// The paths of the small files that were found, such as `config.json`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly string[]")]
    pub fn files(&self) -> JsArray {
        frozen_list(self.model.model().files.paths().map(JsValue::from).collect())
    }

    /// The vocabulary. `undefined` if it is missing or cannot be read. Large vocabularies take a second when it is first asked for.
    #[wasm_bindgen(getter, unchecked_return_type = "HubModelVocabulary | undefined")]
    pub fn vocabulary(&self) -> JsValue {
        self.model.vocabulary().map_or(JsValue::UNDEFINED, to_js)
    }

    /// The projector that can be made from the model, in a file of its own. `undefined` if the model has no encoders of images or sound, or
    /// unknown ones. Whether all their tensors are there shows when it is planned.
    ///
    /// @example
    /// const plans = [await hubModel.convert()];
    /// if (hubModel.projector) plans.push(await hubModel.convert({ projector: true }));
    /// for (const { suggestedName, size } of plans) console.log(suggestedName, size); // the second one begins with "mmproj-"
    #[wasm_bindgen(getter, unchecked_return_type = "HubModelProjector | undefined")]
    pub fn projector(&self) -> JsValue {
        self.model.projector().map_or(JsValue::UNDEFINED, |projector| to_js(&projector))
    }

    /// Why the model cannot be converted: what is missing, and what is unknown. Empty if nothing is known to prevent it: whether all
    /// tensors are there, and in the right shapes, shows when it is planned. A pre-tokenizer that is unknown is no obstacle, but
    /// `convert` needs its name: see `vocabulary`.
    #[wasm_bindgen(getter, unchecked_return_type = "readonly HubModelObstacle[]")]
    pub fn obstacles(&self) -> JsArray {
        let obstacle =
            |error: &Error| to_js(&HubModelObstacle { code: error.code().name(), message: error.to_string() });
        frozen_list(self.model.obstacles().iter().map(obstacle).collect())
    }

    /// The stored tensors as a GGUF file that is computed when it is read, under their own names. So `Gguf.from(model.gguf)` of the main
    /// entry shows previews, statistics and values.
    ///
    /// Types that GGUF does not have become F32, which has the same values: 8-bit floats, without their scales, truth values and
    /// unsigned bytes. Tensors of other types, and tensors without elements, are left out: they have no `viewType` in `tensors`.
    ///
    /// @throws {GgufError} `too-large`, or `limit-exceeded` if there are more tensors than GGUF files can have.
    /// @example
    /// import { Gguf } from "gguf-wasm";
    /// import { openModel } from "gguf-wasm/models";
    ///
    /// const model = await openModel(files);
    /// const { mean, statistics } = await Gguf.from(model.gguf).preview("model.embed_tokens.weight");
    #[wasm_bindgen(getter)]
    pub fn gguf(&self) -> Result<Gguf, Thrown> {
        once(&self.gguf, || {
            let file = self.model.stored_file()?;
            let header = parse(file.header_bytes())?;
            Gguf::with_header(Arc::new(header), Source::Computed(Computed::new(file)))
        })
    }

    /// Plans the conversion to GGUF, as the converter of llama.cpp makes it, byte for byte. No data of tensors is read, unless the
    /// architecture leaves out an output matrix that equals the token embedding: then these two are compared.
    ///
    /// @throws {GgufError} `unsupported-model` if the class, a tensor or a setting is unknown; `incomplete-model` if a file or a tensor is
    /// missing; `unknown-pre-tokenizer` if the option `pre` is needed: the error has the probable names as `probablePreTokenizers`;
    /// `bad-json`, `bad-vocabulary`, `bad-model-card` or `bad-safetensors` if files are damaged, or are not those of one model;
    /// `invalid-argument`, or what reading fails with.
    /// @example
    /// import { requantize } from "gguf-wasm/convert";
    ///
    /// const plan = await hubModel.convert({ type: "f32" });
    /// const quantized = await requantize(plan.gguf, { type: "Q4_K_M" });
    /// await quantized.stream().pipeTo(writable);
    #[wasm_bindgen(unchecked_return_type = "Promise<ModelPlan>")]
    pub fn convert(&self, options: Option<ModelConversionOptions>) -> Promise {
        let (model, inputs, options) = (self.model.clone(), self.inputs.clone(), Options::checked(options));
        abortable(options.clone(), async move {
            let wanted = model_options(&options)?;
            match model.plan(&wanted).await {
                Ok(plan) => {
                    let start = if wanted.projector { "mmproj-" } else { "" };
                    Ok(ModelPlan::new(&[start, &model.model().folder].concat(), plan, inputs).into())
                }
                Err(error) => Err(with_probable_names(error, &model)),
            }
        })
    }
}

/// An error as JavaScript sees it, with the names of pre-tokenizers that the user can choose from.
fn with_probable_names(error: Error, model: &core_of::OpenedModel<Source>) -> Thrown {
    let is_unknown = error.code() == ErrorCode::UnknownPreTokenizer;
    let thrown = Thrown::from(error);
    let names = model.vocabulary().and_then(|vocabulary| vocabulary.probable_pre_tokenizers.as_ref());
    if let Some(names) = names.filter(|_| is_unknown) {
        let names = frozen_list(names.iter().map(|name| JsValue::from(*name)).collect());
        set_member(&thrown, "probablePreTokenizers", &names);
    }
    thrown
}
