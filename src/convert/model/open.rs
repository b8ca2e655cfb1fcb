//! `openModel`: opens the folder of a model.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use super::folder::WebFolder;
use super::given_folder::{GivenFolder, ModelSource};
use super::hub_model::HubModel;
use crate::interop::{AbortOptions, Options, Promise, abortable, options};
use crate::source::http::RequestOptions;
use gguf_convert::model::OpenedModel;

/// The name of a folder whose name is unknown.
const UNKNOWN_NAME: &str = "model";

options! {
    /// How a model is opened.
    pub interface OpenModelOptions extends AbortOptions, RequestOptions {
        /// The name of the folder: names in the new file follow from it. By default the last part of the URL or path, the name of the
        /// repository, or the folder of the files.
        folder_name?: "string" => String;
    }
}

/// Opens a model in the layout of Hugging Face: a folder with `config.json`, safetensors and tokenizer files. The small files and the
/// headers of the tensors are read, but no data of tensors.
///
/// A model that is incomplete or of an unknown class can be opened, too: `obstacles` says why it cannot be converted.
///
/// @throws {GgufError} `bad-safetensors`, `truncated`, `unexpected-eof` or `limit-exceeded` if the header of a file with tensors is
/// damaged; `bad-json` if the index of the files is; `invalid-source`; `repository-not-found`, `repository-denied`,
/// `revision-not-found` and `rate-limited` if a hub refuses; or what reading fails with.
/// @example
/// import { openModel } from "gguf-wasm/models";
///
/// const model = await openModel({ repository: "Qwen/Qwen3-0.6B" });
/// console.log(model.className, model.architecture, model.size, model.vocabulary?.kind);
/// for (const { message } of model.obstacles) console.log(message);
/// const plan = await model.convert({ type: "q8_0" });
/// await plan.writeTo(await showSaveFilePicker({ suggestedName: plan.suggestedName }));
#[wasm_bindgen(js_name = openModel, unchecked_return_type = "Promise<HubModel>")]
pub fn open_model(source: ModelSource, options: Option<OpenModelOptions>) -> Promise {
    let options = Options::checked(options);
    abortable(options.clone(), async move {
        let wanted = OpenModelOptions::read(&options)?;
        let given = GivenFolder::new(source.into(), &options).await?;
        let name = wanted.folder_name.or_else(|| given.name.clone()).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| UNKNOWN_NAME.into());
        let folder = WebFolder { given, options };
        let model = OpenedModel::open(name, &folder).await?;
        Ok(HubModel::new(model, &folder.given).into())
    })
}
