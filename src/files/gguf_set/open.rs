//! Opening the shards of a set.

use alloc::{rc::Rc, string::String};
use core::cell::Cell;

use wasm_bindgen::prelude::*;

use super::given_source::given_shard;
use super::set::GgufSet;
use crate::interop::thrown::Thrown;
use crate::interop::{
    AbortOptions, Options, ProgressOptions, Promise, abortable, argument_type, as_object, declare_types, elements,
    has_code, is_array, options, reason, refused_option,
};
use crate::reader::gguf::Gguf;
use crate::reader::opened_file::SourceFile;
use crate::reader::options::SourceOptions;
use crate::reader::progress::on_progress;
use crate::source::computed::Computed;
use crate::source::gguf_source::Source;
use crate::source::http::{Connections, FIRST_RANGE, RequestLimits};
use gguf_files::open_set::{GivenSet, MOST_REQUESTS, OpenShard, SetProgress, ShardLimits, open_set};
use gguf_files::shard_place::ShardPlace;
use gguf_format::error::{Error, ErrorCode, Result as CoreResult};
use gguf_format::io::{HeaderReader, OnHeaderProgress};

options! {
    /// What `GgufSet.open` takes besides the source.
    pub interface SetOptions extends SourceOptions as source, ProgressOptions<"SetProgress"> as progress {
        /// Not possible: a set has several headers.
        header?: "undefined" => JsValue;
        /// The shard that `source` is, if it is open already: a `Gguf` of any entry. Its header is not read again, and counts for no
        /// progress. Its data is read over its own connections. The set needs it no more: it can be freed.
        opened?: "GgufOfAnyEntry" => JsValue;
    }
}

declare_types!(SetProgress);

argument_type!(SetSource: "GgufSource | readonly GgufSource[]");

#[wasm_bindgen]
impl GgufSet {
    /// Opens the shards of a model by reading their headers.
    ///
    /// `source` is the URL of any shard, or, with `gguf-wasm/node`, its path; those of the others follow from its name. Or it is
    /// a list with a source for each shard, in any order. Names are those of `File`s and file handles, the last part of URLs and
    /// paths, and the member `name` of other objects. A missing shard is a finding. A file that is not a shard is a set of one.
    ///
    /// At most six requests are in flight. No other shard is requested before the header of the given one has confirmed how many
    /// there are.
    ///
    /// @throws {GgufError} `foreign-shard` if two files are not shards of one model; the message has both names. What
    /// `Gguf.open` fails with, for the given URL, or for a file that is not known to be a shard.
    /// @example
    /// const set = await GgufSet.open([...fileInput.files], { signal });
    ///
    /// @example
    /// const opened = await Gguf.open(url); // Shows the metadata while the other shards are opened.
    /// const set = await GgufSet.open(url, { opened });
    #[wasm_bindgen(unchecked_return_type = "Promise<GgufSet>")]
    pub fn open(source: SetSource, options: Option<SetOptions>) -> Promise {
        let options = Options::new(options);
        abortable(options.clone(), async move { Ok(open(source.into(), &options).await?.into_object()) })
    }
}

async fn open(given: JsValue, options: &Options) -> Result<GgufSet, Thrown> {
    let values = SetOptions::read(options)?;
    if let Some(header) = values.header {
        return Err(refused_option("header", &header, "nothing: a set has several headers"));
    }
    let given = match is_array(&given) {
        true => GivenSet::All(elements(&given)?.into_iter().map(given_shard).collect::<Result<_, Thrown>>()?),
        false => GivenSet::OneOf(given_shard(given)?),
    };
    if let (GivenSet::All(_), Some(opened)) = (&given, &values.opened) {
        return Err(refused_option("opened", opened, "nothing: several sources are given"));
    }
    let opened = Cell::new(values.opened);
    // The connections for reading tensor data later.
    let connections = Rc::new(Connections::new(MOST_REQUESTS));
    let of_shard = options.clone();
    let open = async move |given, limits: ShardLimits, progress| {
        // The given shard comes first, and its header says whether there are others.
        if let Some(opened) = opened.take() {
            return Ok(Gguf::from(opened.unchecked_ref())?);
        }
        let mut header = HeaderReader::new(values.source.limits.clone(), progress);
        let limits = RequestLimits {
            connections: connections.clone(),
            header_requests: limits.requests,
            first_range: limits.first_range.unwrap_or(FIRST_RANGE),
        };
        let source = Source::with_limits(given, &of_shard, limits).await?;
        source.read_header(&mut header, AbortOptions::read(&of_shard)?.signal).await?;
        Ok(Gguf::new(header.into_header()?, source)?)
    };
    let set = open_set(Shards(open), given, on_progress(values.progress)).await?;
    let merged = Gguf::new(set.header, Source::Computed(Computed::new(set.merged)))?;
    Ok(GgufSet::new(set.shards, merged, set.findings))
}

/// Opens the shards of a set with a function.
pub(super) struct Shards<O>(pub O);

impl<O> OpenShard for Shards<O>
where
    O: AsyncFn(JsValue, ShardLimits, Option<OnHeaderProgress>) -> CoreResult<Gguf> + 'static,
{
    type Source = Source;
    type Given = JsValue;
    type File = Gguf;

    async fn open(&self, given: JsValue, limits: ShardLimits, progress: Option<OnHeaderProgress>) -> CoreResult<Gguf> {
        self.0(given, limits, progress).await
    }

    fn file(&self, shard: &Gguf) -> CoreResult<Rc<SourceFile>> {
        Ok(shard.state()?.file.file.clone())
    }

    fn at(&self, place: &ShardPlace) -> JsValue {
        let (ShardPlace::Url(place) | ShardPlace::Path(place)) = place;
        place.into()
    }

    fn is_missing(&self, error: &Error) -> bool {
        is_missing(error)
    }

    fn reason(&self, error: &Error) -> String {
        reason(&Thrown::from(error.clone()))
    }
}

/// The status 404 or 410 of a server, or `ENOENT` of the file system.
fn is_missing(error: &Error) -> bool {
    let error = JsValue::from(Thrown::from(error.clone()));
    let member = |object: &JsValue, name| as_object(object)?.get(name).ok();
    let status = member(&error, "status").and_then(|status| status.as_f64());
    let system_code = member(&error, "cause").and_then(|cause| member(&cause, "code")?.as_string());
    has_code(&error, ErrorCode::Http) && status.is_some_and(|status| status == 404.0 || status == 410.0)
        || has_code(&error, ErrorCode::ReadFailed) && system_code.is_some_and(|code| code == "ENOENT")
}
