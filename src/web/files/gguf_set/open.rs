//! Opening the shards of a set.

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use futures_util::stream::{FuturesUnordered, StreamExt};
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

use super::merged;
use super::place::{Place, name_of, name_of_shard};
use super::set::{GgufSet, SetShard};
use crate::error::ErrorCode;
use crate::files::shard_name::ShardName;
use crate::files::shard_set::{MOST_SHARDS, ShardFile, ShardSet};
use crate::know::kind::Shard;
use crate::web::interop::abort::abortable;
use crate::web::interop::error::{failure, has_code, reason};
use crate::web::interop::objects::{as_object, element, is_array, length};
use crate::web::interop::options::{Options, options};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::shared_options::ProgressOptions;
use crate::web::reader::gguf::Gguf;
use crate::web::reader::options::SourceOptions;
use crate::web::source::gguf_source::Source;
use crate::web::source::header_reader::{HeaderReader, OnProgress};
use crate::web::source::http::{Connections, FIRST_RANGE, RequestLimits};

options! {
    /// What `GgufSet.open` takes besides the source.
    pub interface SetOptions extends SourceOptions, ProgressOptions<"SetProgress"> {
        /// Not possible: a set has several headers.
        header?: "undefined";
    }
}

plain_object! {
    /// How many shards of a set have been opened.
    #[open true]
    struct SetProgress {
        /// Bytes of all headers that have arrived.
        pub bytes_read: f64,
        /// The shards whose headers are complete.
        pub shards_opened: u32,
        /// The shards of the set, as far as this is known.
        pub shard_count: u32,
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "GgufSource | readonly GgufSource[]")]
    pub type SetSource;
}

/// The most requests of all shards in flight at once: the number of connections that browsers open to one host.
const MOST_REQUESTS: usize = 6;

/// The most requests for the header of the first shard in flight at once. It has the metadata, and can be large.
const REQUESTS_OF_FIRST: usize = 2;

/// The length of the first range of later shards. Their headers have only tensor infos, about 70 bytes each. Bytes after the header
/// would take time on the link.
const FIRST_RANGE_OF_LATER: u64 = 16 << 10;

/// The number of missing shards after which no more are requested. A hostile file can claim that there are 65,535.
const MOST_MISSING: usize = 16;

/// A shard that has been opened, or that could not be.
struct Opened {
    name: String,
    place: Option<Place>,
    result: Result<Gguf, JsValue>,
}

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
    #[wasm_bindgen(unchecked_return_type = "Promise<GgufSet>")]
    pub fn open(source: SetSource, options: Option<SetOptions>) -> Promise {
        let options = Options::new(options);
        abortable(options.clone(), move |signal| {
            Box::pin(async move { Ok(open(source.into(), &options, signal).await?.into_object()) })
        })
    }
}

async fn open(given: JsValue, options: &Options, signal: Option<JsValue>) -> Result<GgufSet, JsValue> {
    if let Some(header) = options.get("header")? {
        return Err(options.refused("header", &header, "nothing: a set has several headers"));
    }
    let opener = Rc::new(Opener {
        options: options.clone(),
        signal,
        connections: Rc::new(Connections::new(MOST_REQUESTS)),
        progress: Progress { on_progress: options.function("onProgress")?, ..Progress::default() },
    });
    let opened = match is_array(&given) {
        true => opener.open_list(&given).await?,
        false => opener.open_set_of(given).await?,
    };
    assemble(opened).await
}

/// Opens shards one after the other or together.
struct Opener {
    options: Options,
    signal: Option<JsValue>,
    /// The connections for reading tensor data later.
    connections: Rc<Connections>,
    progress: Progress,
}

/// Adds up the progress of all shards.
#[derive(Default)]
struct Progress {
    on_progress: Option<Function>,
    bytes_read: Cell<f64>,
    shards_opened: Cell<u32>,
    shard_count: Cell<u32>,
    /// What `onProgress` has thrown. It ends the opening, as it is no fault of a shard.
    thrown: RefCell<Option<JsValue>>,
}

impl Progress {
    fn report(&self) -> Result<(), JsValue> {
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let progress = SetProgress {
            bytes_read: self.bytes_read.get(),
            shards_opened: self.shards_opened.get(),
            shard_count: self.shard_count.get(),
        };
        on_progress.call1(&JsValue::UNDEFINED, &to_js(&progress)).map(drop).inspect_err(|thrown| {
            self.thrown.replace(Some(thrown.clone()));
        })
    }
}

impl Opener {
    /// Opens all files of a list.
    async fn open_list(self: &Rc<Self>, list: &JsValue) -> Result<Vec<Opened>, JsValue> {
        let count = length(list)?.unwrap_or(0);
        if count == 0 || u64::from(count) > MOST_SHARDS {
            let message =
                format!("cannot open the set of shards: {count} sources are given, expected 1 to {MOST_SHARDS}");
            return Err(failure(ErrorCode::InvalidArgument, &message));
        }
        let mut sources = Vec::new();
        for index in 0..count {
            let source = element(list, index)?;
            let name = name_of(&source)?;
            sources.push((name, source));
        }
        self.progress.shard_count.set(count);
        self.open_together(sources, usize::MAX).await
    }

    /// Opens a file and, if it is a shard at a URL or a path, the other shards of its set.
    async fn open_set_of(self: &Rc<Self>, source: JsValue) -> Result<Vec<Opened>, JsValue> {
        self.progress.shard_count.set(1);
        let name = name_of(&source)?;
        let first_range = first_range_of(&name);
        let given = self.open_one(name, source, MOST_REQUESTS, first_range).await;
        let gguf = match &given.result {
            Ok(gguf) => gguf,
            Err(error) => return Err(error.clone()),
        };
        let shard = Shard::of(&gguf.state()?.file.header).filter(|shard| shard.count <= MOST_SHARDS);
        let (Some(place), Some(shard), Some(name)) = (&given.place, shard, ShardName::parse(&given.name)) else {
            return Ok(vec![given]);
        };
        let count = shard.count as u32;
        let others = (1..=count).filter(|number| *number != name.number);
        let places = others.filter_map(|number| place.of_shard(number, count));
        let sources = places.map(|place| (place.name().into(), place.source())).collect();
        self.progress.shard_count.set(count);
        self.progress.report()?;
        let mut opened = vec![given];
        opened.extend(self.open_together(sources, MOST_MISSING).await?);
        Ok(opened)
    }

    /// Opens several files at once, and returns them in the order of the list. No more are opened once `most_missing` could not
    /// be opened: these are left out.
    async fn open_together(
        self: &Rc<Self>,
        sources: Vec<(String, JsValue)>,
        most_missing: usize,
    ) -> Result<Vec<Opened>, JsValue> {
        let (mut free, mut missing) = (MOST_REQUESTS, 0);
        let mut in_flight = FuturesUnordered::new();
        let mut opened: Vec<_> = sources.iter().map(|_| None).collect();
        let mut waiting = sources.into_iter().enumerate().peekable();
        loop {
            while missing < most_missing
                && let Some((index, (name, source))) = waiting.next_if(|(_, (name, _))| requests_for(name) <= free)
            {
                let (requests, first_range) = (requests_for(&name), first_range_of(&name));
                free -= requests;
                let opener = self.clone();
                in_flight
                    .push(async move { (index, requests, opener.open_one(name, source, requests, first_range).await) });
            }
            let Some((index, requests, file)) = in_flight.next().await else { break };
            if let Some(thrown) = self.progress.thrown.take() {
                return Err(thrown);
            }
            free += requests;
            missing += usize::from(file.result.is_err());
            opened[index] = Some(file);
        }
        Ok(opened.into_iter().flatten().collect())
    }

    /// Opens one file, with at most `header_requests` requests in flight while its header is read.
    async fn open_one(
        self: &Rc<Self>,
        name: String,
        source: JsValue,
        header_requests: usize,
        first_range: u64,
    ) -> Opened {
        let place = Place::of(&source).ok().flatten();
        let limits = RequestLimits { connections: self.connections.clone(), header_requests, first_range };
        Opened { name, place, result: self.read_header(source, limits).await }
    }

    async fn read_header(self: &Rc<Self>, source: JsValue, limits: RequestLimits) -> Result<Gguf, JsValue> {
        let (opener, own_bytes) = (self.clone(), Cell::new(0.0));
        let on_progress: OnProgress = Box::new(move |progress| {
            let total = &opener.progress.bytes_read;
            total.set(total.get() - own_bytes.replace(progress.bytes_read) + progress.bytes_read);
            opener.progress.report()
        });
        let on_progress = self.progress.on_progress.is_some().then_some(on_progress);
        let mut header = HeaderReader::with_progress(&self.options, self.signal.clone(), on_progress)?;
        let source = Source::with_limits(source, &self.options, limits).await?;
        source.read_header(&mut header).await?;
        let gguf = Gguf::new(header.into_header()?, source)?;
        self.progress.shards_opened.set(self.progress.shards_opened.get() + 1);
        self.progress.report()?;
        Ok(gguf)
    }
}

/// The number of requests that opening a shard may have in flight.
fn requests_for(name: &str) -> usize {
    let is_first = ShardName::parse(name).is_some_and(|name| name.number == 1);
    if is_first { REQUESTS_OF_FIRST } else { 1 }
}

/// The length of the first range of a file.
fn first_range_of(name: &str) -> u64 {
    let is_later = ShardName::parse(name).is_some_and(|name| name.number > 1);
    if is_later { FIRST_RANGE_OF_LATER } else { FIRST_RANGE }
}

/// Whether an error says that there is no such file: the status 404 or 410 of a server, or `ENOENT` of the file system.
fn is_not_found(error: &JsValue) -> bool {
    let member = |object: &JsValue, name| as_object(object)?.get(name).ok();
    let status = member(error, "status").and_then(|status| status.as_f64());
    let system_code = member(error, "cause").and_then(|cause| member(&cause, "code")?.as_string());
    has_code(error, ErrorCode::Http) && status.is_some_and(|status| status == 404.0 || status == 410.0)
        || has_code(error, ErrorCode::ReadFailed) && system_code.is_some_and(|code| code == "ENOENT")
}

/// Puts the shards in order.
async fn assemble(opened: Vec<Opened>) -> Result<GgufSet, JsValue> {
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    for file in opened {
        match file.result {
            Ok(gguf) => files.push((file.name, file.place, gguf.state()?.file.clone(), gguf)),
            // A file that cannot be opened has a place in the set only if its name says which.
            Err(error) => match ShardName::parse(&file.name).map(|name| name.number) {
                Some(number) => failed.push((number, file.name, file.place, error)),
                None => return Err(error),
            },
        }
    }
    if let (true, Some((_, _, _, error))) = (files.is_empty(), failed.first()) {
        return Err(error.clone());
    }
    let listed: Vec<_> = files
        .iter()
        .map(|(name, _, file, _)| ShardFile { name, header: file.header.header(), size: file.file_size.get() })
        .collect();
    let mut set = ShardSet::arrange(&listed)?;
    let pattern = files.iter().find_map(|(name, place, ..)| Some((ShardName::parse(name)?, place.as_ref())));
    let count = set.positions.len() as u32;
    let (mut shards, mut present) = (Vec::new(), Vec::new());
    for (number, position) in (1..).zip(set.positions.clone()) {
        if let Some(position) = position {
            let (name, place, file, gguf) = &files[position];
            present.push(file.clone());
            shards.push(SetShard { name: name.clone(), place: place.clone(), opened: Ok(gguf.clone()) });
            continue;
        }
        let failure = failed.iter().find(|(failed, ..)| *failed == number);
        let name = match (failure, pattern) {
            (Some((_, name, ..)), _) => name.clone(),
            (None, Some((name, _))) => name_of_shard(name, number, count),
            (None, None) => String::new(),
        };
        let place = match failure {
            Some((_, _, place, _)) => place.clone(),
            None => pattern.and_then(|(_, place)| place?.of_shard(number, count)),
        };
        let error = failure.map(|(.., error)| error.clone());
        match &error {
            Some(error) if !is_not_found(error) => set.report_unreadable(number, &name, &reason(error)),
            _ => set.report_missing(number, &name),
        }
        shards.push(SetShard { name, place, opened: Err(error) });
    }
    let has_first = shards.first().is_some_and(|shard| shard.opened.is_ok());
    let merged = merged::open(present, has_first).await?;
    Ok(GgufSet::new(shards, merged, set.findings))
}
