//! The folder of a model as callers give it.

use alloc::{collections::BTreeMap, string::String, string::ToString, vec::Vec};

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::hub::json::JsonValue;
use crate::hub::place_options::{PlaceOptions, place};
use crate::interop::thrown::Thrown;
use crate::interop::{
    Options, Promise, argument_type, array_of, as_object, called, describe, failure, options, read_failed,
    refused_option,
};
use crate::source::http::{Fetch, documents};
use crate::source::local_files;
use crate::source::source_name::{name_of, without_query};
use gguf_files::repository::address::{HUB, RepositoryAddress, is_revision};
use gguf_files::repository::hub::list_files;
use gguf_files::repository::place::RepositoryPlace;
use gguf_format::order::map_of;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A handle of a folder, as `showDirectoryPicker()` returns it. */
export interface FolderHandle {
  readonly kind: "directory";
  readonly name: string;
  entries(): AsyncIterable<[string, { readonly kind: string }]>;
}

/** The folder of a model. `gguf-wasm/models/node` adds paths. */
export type ModelSource =
  /**
   * The URL of a folder, whose files are asked for by their names; `"hub:owner/name"`, or the address of a repository of Hugging Face.
   * With `gguf-wasm/models/node`, also the path of a folder.
   */
  | (string | URL)
  /** A repository of a hub. */
  | RepositoryOptions
  /** The files of a folder that a person has chosen. Their paths are `webkitRelativePath`, or their names. */
  | Iterable<Blob & { readonly name: string; readonly webkitRelativePath?: string }>
  | FolderHandle
  /** The files by their paths in the folder: `{ "config.json": file, "model.safetensors": url }`. */
  | { readonly [path: string]: GgufSource };
"#;

argument_type!(ModelSource: "ModelSource");

options! {
    /// A repository of a hub as the source of a model.
    pub interface RepositoryOptions extends PlaceOptions as place {
        /// `owner/name`, or another name that `parseRepository` reads, or an address of the hub. The address of a folder is possible.
        repository: "string" => String, by repository;
    }
}

#[wasm_bindgen(raw_module = "glue/folders.js")]
extern "C" {
    /// The name of a folder, and pairs of the path in it and the source, if the value is a list of files, a handle, or an object of
    /// sources.
    #[wasm_bindgen(catch, js_name = filesOf)]
    fn files_of(given: &JsValue) -> Result<Promise, Thrown>;
}

/// The folder of a model.
pub(super) struct GivenFolder {
    /// Its name, if it is known.
    pub name: Option<String>,
    pub files: GivenFiles,
    /// The repository that it is in.
    pub place: Option<RepositoryPlace>,
}

/// The files of a folder.
pub(super) enum GivenFiles {
    /// By their paths in the folder.
    Listed(BTreeMap<String, JsValue>),
    /// At URLs that begin and end so.
    At { start: String, end: String },
}

impl GivenFolder {
    /// Finds out what a caller gives. Lists it, if that is possible.
    pub async fn new(given: JsValue, options: &Options) -> Result<Self, Thrown> {
        let text = match as_object(&given) {
            Some(object) => object.get("href")?.as_string(),
            None => given.as_string(),
        };
        if let Some(text) = text {
            return Self::of_text(text, &given, options).await;
        }
        let Some(object) = as_object(&given) else {
            return Err(failure!(InvalidSource:
                "the model is {}, expected a URL, a list of files, a folder handle, an object of sources, or a repository",
                describe(&given)));
        };
        if object.get("repository")?.as_string().is_some() {
            let given = RepositoryOptions::take(Some(given.unchecked_into()))?;
            return Self::of_place(place(&given.repository, given.place)?, options).await;
        }
        let found = called(files_of(&given).map(Into::into)).await.map_err(|error| read_failed(&error))?;
        let found: Array = found.unchecked_into();
        Ok(Self { name: found.get(0).as_string(), files: GivenFiles::Listed(pairs(&found.get(1))?), place: None })
    }

    /// The sources of files, as the caller gave them. Those of servers are left out.
    pub fn sources<'a>(&self, paths: impl Iterator<Item = &'a str>) -> Array {
        match &self.files {
            GivenFiles::Listed(files) => paths.filter_map(|path| files.get(path)).collect(),
            GivenFiles::At { .. } => Array::new(),
        }
    }

    async fn of_text(text: String, given: &JsValue, options: &Options) -> Result<Self, Thrown> {
        let names_hub = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("hub:"));
        if (names_hub || text.contains("://"))
            && let Some(address) = RepositoryAddress::parse(&text, HUB)
        {
            return Self::of_place(RepositoryPlace::new(HUB.to_string(), address, None), options).await;
        }
        if names_hub {
            return Err(failure!(InvalidSource: "the model is {}, expected hub:owner/name", describe(given)));
        }
        if let Some(path) = local_files::path_of(given)? {
            let files = pairs(&local_files::files_of(&path).await?)?;
            let name = name_of(&path.trim_end_matches(['/', '\\']).into())?;
            return Ok(Self { name: Some(name), files: GivenFiles::Listed(files), place: None });
        }
        let path = without_query(&text);
        let (folder, query) = (path.trim_end_matches('/'), text[path.len()..].to_string());
        Ok(Self {
            name: Some(name_of(&folder.into())?),
            files: GivenFiles::At { start: format!("{folder}/"), end: query },
            place: None,
        })
    }

    /// Lists a folder of a repository.
    async fn of_place(place: RepositoryPlace, options: &Options) -> Result<Self, Thrown> {
        let documents = documents(place.hub.clone(), options, None)?;
        let (listed, _) = list_files::<Fetch, JsonValue>(&place, &documents).await?;
        let folder = place.address.folder();
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        // The list comes from a server: no path may lead out of the repository.
        let paths = listed.into_iter().map(|file| file.path).filter(|path| is_revision(path));
        let files = paths.filter_map(|path| Some((path.strip_prefix(&*start)?.to_string(), place.file(&path).into())));
        let last = if folder.is_empty() { place.id() } else { folder };
        Ok(Self {
            name: last.rsplit('/').next().map(Into::into),
            files: GivenFiles::Listed(map_of(files)),
            place: Some(place),
        })
    }
}

/// A list of pairs of a path and a source.
fn pairs(list: &JsValue) -> Result<BTreeMap<String, JsValue>, Thrown> {
    let pairs: Vec<Array> = array_of(list)?.iter().map(JsCast::unchecked_into).collect();
    Ok(map_of(pairs.into_iter().filter_map(|pair| Some((pair.get(0).as_string()?, pair.get(1))))))
}

fn repository(options: &Options, name: &str) -> Result<String, Thrown> {
    let given = options.get(name)?.unwrap_or_default();
    given.as_string().ok_or_else(|| refused_option(name, &given, "the name of a repository"))
}
