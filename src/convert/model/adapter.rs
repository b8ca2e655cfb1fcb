//! `convertAdapter`: the plan of the GGUF file of a LoRA adapter.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::conversion_options::output_type;
use super::folder::WebFolder;
use super::given_folder::{GivenFolder, ModelSource};
use super::plan::ModelPlan;
use crate::interop::thrown::Thrown;
use crate::interop::{AbortOptions, Options, Promise, abortable, as_object, options, refused_option};
use crate::source::http::RequestOptions;
use gguf_convert::lora::{ADAPTER_WEIGHTS, BaseModel, open_adapter, plan_adapter};
use gguf_convert::model::OutputType;

/// The names of folders whose names are unknown.
const UNKNOWN_ADAPTER: &str = "adapter";
const UNKNOWN_MODEL: &str = "model";

options! {
    /// How an adapter is converted.
    pub interface AdapterConversionOptions extends AbortOptions, RequestOptions {
        /// The model that the adapter was trained for: its folder or repository. Only `config.json` and `README.md` are read of it.
        base: "ModelSource" => JsValue, by base;
        /// The type of the matrices. Case does not count. By default `"f32"`.
        r#type?: "\"f32\" | \"f16\" | \"bf16\" | \"q8_0\"" => OutputType = OutputType::F32, by output_type;
        /// The name of the adapter's folder: names in the new file follow from it. By default the last part of the URL or path, the name
        /// of the repository, or the folder of the files.
        folder_name?: "string" => String;
        /// Options of the requests for the base model. Those of this call, such as `headers`, are for the adapter only.
        base_request?: "RequestOptions" => Options, by base_request;
    }
}

/// Plans the GGUF file of a LoRA adapter that PEFT has saved, as `convert_lora_to_gguf.py` of llama.cpp makes it, byte for byte. The
/// adapter is a folder with `adapter_config.json` and `adapter_model.safetensors`. No data of tensors is read.
///
/// Adapters whose GGUF file would change the model in another way than PEFT does are refused: those with `use_rslora`, `use_dora`, or
/// whole matrices, for example. The message says why, and what to do.
///
/// @throws {GgufError} `unsupported-model` if the class of the base model is unknown, or if a GGUF file cannot describe the adapter;
/// `incomplete-model` if a file or a matrix is missing; `bad-json` or `bad-safetensors` if files are damaged, or do not fit together;
/// `invalid-argument`, `invalid-source`, or what reading fails with.
/// @example
/// import { convertAdapter } from "gguf-wasm/models";
///
/// const plan = await convertAdapter(adapterFiles, { base: { repository: "Qwen/Qwen3-0.6B" }, type: "f16" });
/// for (const { name, dimensions } of plan.tensors) console.log(name, dimensions);
/// await plan.writeTo(await showSaveFilePicker({ suggestedName: plan.suggestedName }));
#[wasm_bindgen(js_name = convertAdapter, unchecked_return_type = "Promise<ModelPlan>")]
pub fn convert_adapter(source: ModelSource, options: AdapterConversionOptions) -> Promise {
    let options = Options::checked(Some(options));
    abortable(options.clone(), async move {
        let wanted = AdapterConversionOptions::read(&options)?;
        let given = GivenFolder::new(source.into(), &options).await?;
        let name = named(wanted.folder_name.or_else(|| given.name.clone()), UNKNOWN_ADAPTER);
        let folder = WebFolder { given, options: options.clone() };
        let adapter = open_adapter(name, &folder).await?;
        let options = wanted.base_request.unwrap_or_default();
        let given = GivenFolder::new(wanted.base, &options).await?;
        let base_folder = WebFolder { given, options };
        let base = BaseModel::read(named(base_folder.given.name.clone(), UNKNOWN_MODEL), &base_folder).await?;
        let plan = plan_adapter(&adapter, &base, wanted.r#type)?;
        let inputs = folder.given.sources(adapter.files.paths().chain([ADAPTER_WEIGHTS]));
        let inputs = inputs.concat(&base_folder.given.sources(base.files.paths()));
        Ok(ModelPlan::new(&adapter.folder, plan, inputs).into())
    })
}

fn named(given: Option<String>, unknown: &str) -> String {
    given.filter(|name| !name.is_empty()).unwrap_or_else(|| unknown.into())
}

fn base_request(options: &Options, name: &str) -> Result<Option<Options>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    as_object(&given).ok_or_else(|| refused_option(name, &given, "an object of options"))?;
    let options = Options::new(Some(given.unchecked_into::<RequestOptions>()));
    // Names that no request has are refused here, and not when the first file is asked for.
    RequestOptions::read(&options)?;
    Ok(Some(options))
}

fn base(options: &Options, name: &str) -> Result<JsValue, Thrown> {
    match options.get(name)? {
        Some(base) => Ok(base),
        None => Err(refused_option(
            name,
            &JsValue::UNDEFINED,
            "the folder or repository of the model that the adapter is for",
        )),
    }
}
