//! `openLegacy`: opens a model in a format before GGUF, of one or several files.

use alloc::{collections::VecDeque, string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use super::migration::MigrationPlan;
use super::model::LegacyModel;
use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, Options, Promise, abortable, argument_type, as_object, elements, failure, has_code, is_array,
    options, refused_option,
};
use crate::source::gguf_source::{GgufSource, Source};
use crate::source::http::RequestOptions;
use crate::source::limits::{default_limits, limits};
use crate::source::source_name::{name_of, without_query};
use gguf_format::error::ErrorCode;
use gguf_format::limits::Limits;
use gguf_legacy::{self as core, Family, LegacyHeader};

argument_type!(LegacySource: "GgufSource | readonly GgufSource[]");

options! {
    /// How a model in a format before GGUF is opened.
    pub interface LegacyOptions extends AbortOptions, RequestOptions {
        /// The family of the model, if several fit the file: see `LegacyModel.alternatives`. By default the one that fits best.
        family?: "LegacyFamily" => Family, by family;
        /// The name of the file, which is the default of the model's name. By default the name of the `File`, or the last part of
        /// the URL or path.
        file_name?: "string" => String;
        /// How much the file may ask for.
        limits?: "Limits" => Limits = default_limits(), by limits;
    }
}

/// Opens a model in one of the formats before GGUF: a GGML, GGMF or GGJT file, or a `ggla` adapter. The header, the vocabulary and the
/// list of tensors are read, but no data of tensors.
///
/// A LLaMA model in several files, `name`, `name.1` and so on, is given as an array of all parts in their order. If all have names, such as
/// `File`s, paths and URLs, other names are refused: a wrong order gives wrong values. If the source is a URL or a path, the other parts
/// are found beside it.
///
/// @throws {GgufError} `bad-magic`, `unsupported-version`, `bad-structure`, `unknown-type` or `unexpected-eof` with the offset;
/// `limit-exceeded`, `invalid-argument`, or what reading the source fails with.
/// @example
/// import { openLegacy } from "gguf-wasm/convert";
///
/// const model = await openLegacy(file);
/// console.log(model.family, model.summary.container, model.gguf.tensors.length);
/// const plan = model.migrate({ contextLength: 4096 });
/// await plan.stream().pipeTo(writable);
#[wasm_bindgen(js_name = openLegacy, unchecked_return_type = "Promise<LegacyModel>")]
pub fn open_legacy(source: LegacySource, options: Option<LegacyOptions>) -> Promise {
    open(source.into(), options, Layout::BeforeGguf)
}

/// Opens a file in the layout of the draft of GGUF: the first proposal of the specification, which differs from version 1 as it was
/// released. No program is known that wrote it, so it is never guessed. The result is the file as GGUF of today, with the same entries and
/// tensors: `Gguf.open` of every entry opens it without writing it. `validate()` names the keys that others replaced. The option `family`
/// has no effect.
///
/// @throws {GgufError} `bad-magic`, `unsupported-version`, `unknown-value-type`, `bad-structure`, `unknown-type`, `key-taken`, `name-taken`,
/// `bad-name` or `unexpected-eof` with the offset; `limit-exceeded`, or what reading the source fails with.
/// @example
/// import { Gguf } from "gguf-wasm/explain";
/// import { openDraft } from "gguf-wasm/convert";
///
/// const plan = await openDraft(file);
/// const gguf = await Gguf.open(plan);
/// for (const { code, key, message } of gguf.validate()) console.log(code, key, message);
#[wasm_bindgen(js_name = openDraft, unchecked_return_type = "Promise<MigrationPlan>")]
pub fn open_draft(source: GgufSource, options: Option<LegacyOptions>) -> Promise {
    open(source.into(), options, Layout::Draft)
}

#[derive(PartialEq)]
enum Layout {
    BeforeGguf,
    Draft,
}

fn open(source: JsValue, options: Option<LegacyOptions>, layout: Layout) -> Promise {
    let options = Options::new(options);
    abortable(options.clone(), async move {
        let given = LegacyOptions::read(&options)?;
        let is_list = is_array(&source) && layout == Layout::BeforeGguf;
        let mut sources: VecDeque<JsValue> = match is_list {
            true => elements(&source)?.into(),
            false => [source].into(),
        };
        check_order(sources.make_contiguous())?;
        let Some(first) = sources.pop_front() else {
            return Err(
                failure!(InvalidArgument: "the list of sources is empty, expected the files of a model in their order"),
            );
        };
        let name = match given.file_name {
            Some(name) => name,
            None => name_of(&first)?,
        };
        let opened = Source::new(first.clone(), &options).await?;
        if layout == Layout::Draft {
            let migration = core::open_draft(opened, &given.limits).await?;
            return Ok(MigrationPlan::new(Some(&name), migration).into());
        }
        let mut wanted = core::Options::default();
        (wanted.family, wanted.limits) = (given.family, given.limits);
        let next = async |header: &LegacyHeader, count: usize| -> Result<Option<Source>, Thrown> {
            if is_list {
                return match sources.pop_front() {
                    Some(source) => Ok(Some(Source::new(source, &options).await?)),
                    None => Ok(None),
                };
            }
            match part_beside(&first, count)?.filter(|_| count < header.part_count()) {
                Some(part) => found(part, &options).await,
                None => Ok(None),
            }
        };
        let model = core::LegacyModel::open_parts(opened, wanted, next).await?;
        Ok(LegacyModel::new(model.with_file_name(name))?.into())
    })
}

/// Refuses parts that are given twice or in another order, as far as the objects and their names tell it: no header has the number of its
/// part, and the parts would be joined to wrong values.
fn check_order(sources: &[JsValue]) -> Result<(), Thrown> {
    for (i, source) in sources.iter().enumerate() {
        if let Some(same) = sources[..i].iter().position(|other| other == source) {
            return Err(
                failure!(InvalidArgument: "sources[{i}] is sources[{same}] again, expected each part of the model once, in their order"),
            );
        }
    }
    let names = sources.iter().map(name_of).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = names.first().filter(|_| names.iter().all(|name| !name.is_empty())) else { return Ok(()) };
    for (i, name) in names.iter().enumerate().skip(1) {
        let expected = format!("{first}.{i}");
        if *name != expected {
            return Err(
                failure!(InvalidArgument: "sources[{i}] is the file \"{name}\", expected \"{expected}\" after \"{first}\": NAME, NAME.1, NAME.2 and so on"),
            );
        }
    }
    Ok(())
}

/// The address or path of another part of a model: `model.bin.1?download=true` of `model.bin?download=true`.
fn part_beside(first: &JsValue, number: usize) -> Result<Option<JsValue>, Thrown> {
    let place = match as_object(first) {
        Some(object) => object.get("href")?.as_string(),
        None => first.as_string(),
    };
    Ok(place.map(|place| {
        let path = without_query(&place);
        let query = place.strip_prefix(path).unwrap_or_default();
        format!("{path}.{number}{query}").into()
    }))
}

/// A part that is looked for. `None` if it does not exist: then the model is listed without it, and not migrated.
async fn found(part: JsValue, options: &Options) -> Result<Option<Source>, Thrown> {
    use gguf_format::io::Source as _;

    let opened = async {
        let source = Source::new(part, options).await?;
        // A server is asked by the first read.
        source.read(0..4).await?;
        Ok::<_, Thrown>(source)
    };
    match opened.await {
        Ok(source) => Ok(Some(source)),
        // A server may send its page in place of a file that it does not have.
        Err(error) if is_missing(&error)? || has_code(&error, ErrorCode::BadResponse) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an error says that there is no such file.
fn is_missing(error: &JsValue) -> Result<bool, Thrown> {
    let Some(error) = as_object(error) else { return Ok(false) };
    if let Some(status) = error.get("status")?.as_f64() {
        return Ok(status == 404.0 || status == 410.0);
    }
    let cause = error.get("cause")?;
    let code = as_object(&cause).map(|cause| cause.get("code")).transpose()?;
    Ok(code.is_some_and(|code| code == "ENOENT"))
}

fn family(options: &Options, name: &str) -> Result<Option<Family>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let found = given.as_string().and_then(|text| Family::ALL.iter().find(|family| family.name() == text));
    match found {
        Some(family) => Ok(Some(*family)),
        None => Err(refused_option(name, &given, &format!("one of {}", Family::NAMES.join(", ")))),
    }
}
