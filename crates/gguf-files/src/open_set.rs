//! Opening the shards of a model.

use alloc::{boxed::Box, rc::Rc, string::String, vec::Vec};
use core::cell::{Cell, RefCell};
use core::future::Future;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::merge::{MergedEntries, MergedShard, merge_readable};
use super::set_check::SetFinding;
use super::shard_place::{ShardPlace, name_of_shard};
use super::shard_set::{ShardFile, ShardSet};
use gguf_declare::result;
use gguf_format::error::{Error, Result, error};
use gguf_format::format::header::Header;
use gguf_format::io::{OnHeaderProgress, Source};
use gguf_format::tensor::extents::required_size;
use gguf_format::tensor::opened_file::OpenedFile;
use gguf_format::write::planned_file::PlannedFile;
use gguf_models::file_name::{MOST_SHARDS, ShardName};
use gguf_models::kind::Shard;

/// The most requests of all shards in flight at once: the number of connections that browsers open to one host.
pub const MOST_REQUESTS: usize = 6;

/// The most requests for the header of the first shard in flight at once. It has the metadata, and can be large.
const REQUESTS_OF_FIRST: usize = 2;

/// The length of the first range of later shards. Their headers have only tensor infos, about 70 bytes each. Bytes after the header
/// would take time on the link.
const FIRST_RANGE_OF_LATER: u64 = 16 << 10;

/// The number of missing shards after which no more are requested. A hostile file can claim that there are 65,535.
const MOST_MISSING: usize = 16;

/// How the shards of a set are opened.
pub trait OpenShard: 'static {
    /// What shards are read from.
    type Source: Source;
    /// What a shard is opened from, as a caller gives it.
    type Given;
    /// An opened shard.
    type File;

    /// Opens a shard by reading its header.
    fn open(
        &self,
        given: Self::Given,
        limits: ShardLimits,
        on_progress: Option<OnHeaderProgress>,
    ) -> impl Future<Output = Result<Self::File>>;

    /// The opened file of a shard.
    fn file(&self, shard: &Self::File) -> Result<Rc<OpenedFile<Self::Source>>>;

    /// The shard at a place, as a caller would give it.
    fn at(&self, place: &ShardPlace) -> Self::Given;

    /// Whether an error says that there is no such file.
    fn is_missing(&self, error: &Error) -> bool {
        matches!(error.status(), Some(404 | 410))
    }

    /// The message of an error, for findings.
    fn reason(&self, error: &Error) -> String {
        format!("{error}")
    }
}

/// How much of a network opening a shard may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardLimits {
    /// The most requests in flight.
    pub requests: usize,
    /// The length of the first range in bytes. `None` for that of a file that is no shard.
    pub first_range: Option<u64>,
}

/// A shard that is to be opened: its name, where it is, and what it is opened from.
pub struct GivenShard<G> {
    /// The name of the file, without folders. Empty if it is not known.
    pub name: String,
    /// Where the file is. `None` if the places of the other shards do not follow from it.
    pub place: Option<ShardPlace>,
    /// What it is opened from.
    pub given: G,
}

/// The shards that a caller gives.
#[allow(clippy::exhaustive_enums, reason = "there is one shard, or a list")]
pub enum GivenSet<G> {
    /// Any shard of a set. The places of the other shards follow from its place.
    OneOf(GivenShard<G>),
    /// All shards, in any order.
    All(Vec<GivenShard<G>>),
}

result! {
    /// How many shards of a set have been opened.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[open true]
    pub struct SetProgress {
        /// Bytes of all headers that have arrived.
        pub bytes_read: u64,
        /// The shards whose headers are complete.
        pub shards_opened: u32,
        /// The shards of the set, as far as this is known.
        pub shard_count: u32,
    }
}

/// Is told how many shards have been opened. An error ends the opening.
pub type OnSetProgress = Box<dyn Fn(SetProgress) -> Result<()>>;

/// A shard of a set, or the place of a missing one.
pub struct OpenedShard<F> {
    /// The name of the file. For a missing shard, the name that it should have. Empty if it is not known.
    pub name: String,
    /// Where the file is, or should be.
    pub place: Option<ShardPlace>,
    /// The opened file. For a missing shard, the error of opening it, if it was tried.
    pub file: core::result::Result<F, Option<Error>>,
}

/// The shards of a model, opened as one.
pub struct OpenedSet<O: OpenShard> {
    /// The shards from number 1 on.
    pub shards: Vec<OpenedShard<O::File>>,
    /// What is wrong with the set.
    pub findings: Vec<SetFinding>,
    /// The header of the model as one file: the metadata of the first shard without `split.` keys, and the tensors of all shards
    /// that could be opened.
    pub header: Header,
    /// The model as one file, which is not written anywhere: a source.
    pub merged: PlannedFile<O::Source>,
}

/// Opens the shards of a model by reading their headers.
///
/// No other shard is requested before the header of the given one has confirmed how many there are. A missing shard is a finding. A
/// file that is not a shard is a set of one.
///
/// # Errors
///
/// `foreign-shard` if two files are not shards of one model; `invalid-argument` if no file is given, or too many; what opening the
/// given file fails with, or a file that is not known to be a shard.
///
/// # Examples
///
/// ```
/// use gguf_files::shards::{GivenSet, PathShards, open_set};
/// use gguf_format::io::block_on;
///
/// # let path = std::env::temp_dir().join("gguf-wasm-set-00001-of-00001.gguf");
/// # let file = gguf_format::example_file();
/// # std::fs::write(&path, &file).unwrap();
/// let set = block_on(open_set(PathShards, GivenSet::OneOf(PathShards::given(&path)), None))?;
/// assert_eq!(set.shards.len(), 1);
/// assert_eq!(set.header.tensors().len(), 1);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), gguf_format::Error>(())
/// ```
pub async fn open_set<O: OpenShard>(
    opener: O,
    given: GivenSet<O::Given>,
    on_progress: Option<OnSetProgress>,
) -> Result<OpenedSet<O>> {
    let opening = Rc::new(Opening { opener, progress: Progress { on_progress, ..Progress::default() } });
    let opened = match given {
        GivenSet::OneOf(shard) => opening.open_set_of(shard).await?,
        GivenSet::All(shards) => opening.open_all(shards).await?,
    };
    opening.assemble(opened).await
}

/// A shard that has been opened, or that could not be.
struct Opened<F> {
    name: String,
    place: Option<ShardPlace>,
    result: Result<F>,
}

/// Adds up the progress of all shards.
#[derive(Default)]
struct Progress {
    on_progress: Option<OnSetProgress>,
    bytes_read: Cell<u64>,
    shards_opened: Cell<u32>,
    shard_count: Cell<u32>,
    /// The error of `on_progress`. It ends the opening, because no shard is at fault.
    failed: RefCell<Option<Error>>,
}

impl Progress {
    fn report(&self) -> Result<()> {
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let progress = SetProgress {
            bytes_read: self.bytes_read.get(),
            shards_opened: self.shards_opened.get(),
            shard_count: self.shard_count.get(),
        };
        on_progress(progress).inspect_err(|error| {
            self.failed.replace(Some(error.clone()));
        })
    }
}

/// Opens shards one after the other or together.
struct Opening<O> {
    opener: O,
    progress: Progress,
}

impl<O: OpenShard> Opening<O> {
    /// Opens all files of a list.
    async fn open_all(self: &Rc<Self>, given: Vec<GivenShard<O::Given>>) -> Result<Vec<Opened<O::File>>> {
        let count = given.len() as u64;
        if count == 0 || count > u64::from(MOST_SHARDS) {
            return Err(error!(InvalidArgument:
                "cannot open the set of shards: {count} sources are given, expected 1 to {MOST_SHARDS}"));
        }
        self.progress.shard_count.set(count as u32);
        self.open_together(given, usize::MAX).await
    }

    /// Opens a file and, if it is a shard, the other shards of its set.
    async fn open_set_of(self: &Rc<Self>, given: GivenShard<O::Given>) -> Result<Vec<Opened<O::File>>> {
        self.progress.shard_count.set(1);
        let first_range = first_range_of(&given.name);
        let given = self.open_one(given, ShardLimits { requests: MOST_REQUESTS, first_range }).await;
        let file = match &given.result {
            Ok(file) => self.opener.file(file)?,
            Err(error) => return Err(error.clone()),
        };
        let shard = Shard::of(file.header()).filter(|shard| shard.count <= u64::from(MOST_SHARDS));
        let (Some(place), Some(shard), Some(name)) = (&given.place, shard, ShardName::parse(&given.name)) else {
            return Ok(vec![given]);
        };
        let count = shard.count as u32;
        let others = (1..=count).filter(|number| *number != name.number);
        let places = others.filter_map(|number| place.of_shard(number, count));
        let others = places
            .map(|place| GivenShard { name: place.name().into(), given: self.opener.at(&place), place: Some(place) })
            .collect();
        self.progress.shard_count.set(count);
        self.progress.report()?;
        let mut opened = vec![given];
        opened.extend(self.open_together(others, MOST_MISSING).await?);
        Ok(opened)
    }

    /// Opens several files at once, and returns them in the order of the list. No more are opened once `most_missing` could not
    /// be opened: these are left out.
    async fn open_together(
        self: &Rc<Self>,
        given: Vec<GivenShard<O::Given>>,
        most_missing: usize,
    ) -> Result<Vec<Opened<O::File>>> {
        let (mut free, mut missing) = (MOST_REQUESTS, 0);
        let mut in_flight = FuturesUnordered::new();
        let mut opened: Vec<_> = given.iter().map(|_| None).collect();
        let mut waiting = given.into_iter().enumerate().peekable();
        loop {
            while missing < most_missing
                && let Some((index, shard)) = waiting.next_if(|(_, shard)| requests_for(&shard.name) <= free)
            {
                let limits =
                    ShardLimits { requests: requests_for(&shard.name), first_range: first_range_of(&shard.name) };
                free -= limits.requests;
                let opening = self.clone();
                in_flight.push(async move { (index, limits.requests, opening.open_one(shard, limits).await) });
            }
            let Some((index, requests, file)) = in_flight.next().await else { break };
            if let Some(error) = self.progress.failed.take() {
                return Err(error);
            }
            free += requests;
            missing += usize::from(file.result.is_err());
            opened[index] = Some(file);
        }
        Ok(opened.into_iter().flatten().collect())
    }

    /// Opens one file.
    async fn open_one(self: &Rc<Self>, shard: GivenShard<O::Given>, limits: ShardLimits) -> Opened<O::File> {
        let GivenShard { name, place, given } = shard;
        Opened { name, place, result: self.read_header(given, limits).await }
    }

    async fn read_header(self: &Rc<Self>, given: O::Given, limits: ShardLimits) -> Result<O::File> {
        let (opening, own_bytes) = (self.clone(), Cell::new(0));
        let on_progress: OnHeaderProgress = Box::new(move |progress, _| {
            let total = &opening.progress.bytes_read;
            total.set(total.get() - own_bytes.replace(progress.bytes_read) + progress.bytes_read);
            opening.progress.report()
        });
        let on_progress = self.progress.on_progress.is_some().then_some(on_progress);
        let file = self.opener.open(given, limits, on_progress).await?;
        self.progress.shards_opened.set(self.progress.shards_opened.get() + 1);
        self.progress.report()?;
        Ok(file)
    }

    /// Puts the shards in order.
    async fn assemble(&self, opened: Vec<Opened<O::File>>) -> Result<OpenedSet<O>> {
        let (mut files, mut failed) = (Vec::new(), Vec::new());
        for Opened { name, place, result } in opened {
            match result {
                Ok(shard) => files.push((name, place, self.opener.file(&shard)?, Some(shard))),
                // A file that cannot be opened has a place in the set only if its name says which.
                Err(error) => match ShardName::parse(&name).map(|name| name.number) {
                    Some(number) => failed.push((number, name, place, error)),
                    None => return Err(error),
                },
            }
        }
        if let (true, Some((_, _, _, error))) = (files.is_empty(), failed.first()) {
            return Err(error.clone());
        }
        let listed: Vec<_> = files
            .iter()
            .map(|(name, _, file, _)| ShardFile { name, header: file.header(), size: file.file_size() })
            .collect();
        let mut set = ShardSet::arrange(&listed)?;
        let pattern = files.iter().find_map(|(name, place, ..)| {
            ShardName::parse(name)?;
            Some((name.clone(), place.clone()))
        });
        let count = set.positions.len() as u32;
        let (mut shards, mut present) = (Vec::new(), Vec::new());
        for (number, position) in (1..).zip(set.positions.clone()) {
            if let Some((name, place, file, shard)) = position.and_then(|position| files.get_mut(position))
                && let Some(shard) = shard.take()
            {
                present.push(file.clone());
                shards.push(OpenedShard { name: name.clone(), place: place.clone(), file: Ok(shard) });
                continue;
            }
            let failure = failed.iter().find(|(failed, ..)| *failed == number);
            let (name, place) = match (failure, &pattern) {
                (Some((_, name, place, _)), _) => (name.clone(), place.clone()),
                (None, Some((name, place))) => {
                    let name = ShardName::parse(name).map(|name| name_of_shard(name, number, count));
                    (name.unwrap_or_default(), place.as_ref().and_then(|place| place.of_shard(number, count)))
                }
                (None, None) => (String::new(), None),
            };
            let error = failure.map(|(.., error)| error.clone());
            match &error {
                Some(error) if !self.opener.is_missing(error) => {
                    set.report_unreadable(number, &name, &self.opener.reason(error));
                }
                _ => set.report_missing(number, &name),
            }
            shards.push(OpenedShard { name, place, file: Err(error) });
        }
        let has_first = shards.first().is_some_and(|shard| shard.file.is_ok());
        let (header, merged) = merged(present, has_first).await?;
        Ok(OpenedSet { shards, findings: set.findings, header, merged })
    }
}

/// The planned merge of files, in the order of the shards. `has_first` says whether the first file is the first shard, which has
/// the metadata.
async fn merged<S: Source>(files: Vec<Rc<OpenedFile<S>>>, has_first: bool) -> Result<(Header, PlannedFile<S>)> {
    for file in &files {
        if let Some(tensor) = file.header().tensors().find(|tensor| tensor.byte_length().is_none()) {
            file.learn_size_for(&tensor).await?;
        }
    }
    let shards: Vec<_> = files.iter().map(|file| shard(file)).collect();
    let entries = if has_first { MergedEntries::WithoutSplitKeys } else { MergedEntries::None };
    let plan = merge_readable(&shards, entries)?;
    let header = plan.decoded_header(files[0].header().bytes())?;
    Ok((header, PlannedFile::new(files, plan)))
}

/// A truncated shard counts as if it were complete: reading its last tensors fails, and all others can be read.
fn shard<S: Source>(file: &OpenedFile<S>) -> MergedShard<'_> {
    let file_size = file.file_size().map(|size| size.max(required_size(file.header()).unwrap_or(size)));
    MergedShard { header: file.header(), file_size }
}

/// The number of requests that opening a shard may have in flight.
fn requests_for(name: &str) -> usize {
    let is_first = ShardName::parse(name).is_some_and(|name| name.number == 1);
    if is_first { REQUESTS_OF_FIRST } else { 1 }
}

/// The length of the first range of a shard, if it is another than that of a file that is no shard.
fn first_range_of(name: &str) -> Option<u64> {
    let is_later = ShardName::parse(name).is_some_and(|name| name.number > 1);
    is_later.then_some(FIRST_RANGE_OF_LATER)
}
