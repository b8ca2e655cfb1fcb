//! Passing an opened set of shards on to another module or copy of the package.

use alloc::vec::Vec;

use futures_util::FutureExt;
use wasm_bindgen::prelude::*;

use super::open::Shards;
use super::set::GgufSet;
use crate::interop::thrown::Thrown;
use crate::interop::{argument_type, as_object, describe, elements, failure, is_array};
use crate::reader::gguf::Gguf;
use crate::source::computed::Computed;
use crate::source::gguf_source::Source;
use gguf_files::open_set::{GivenSet, GivenShard, ShardLimits, open_set};
use gguf_files::shard_place::ShardPlace;
use gguf_format::io::OnHeaderProgress;

argument_type!(HandedOverSet: "{ readonly shards: readonly SetShard[] }");

#[wasm_bindgen]
impl GgufSet {
    /// A set of this entry from a set of another entry or copy of the package, without a request: see `Gguf.from`.
    ///
    /// @throws {GgufError} `freed`; `invalid-argument` if the argument is not a `GgufSet`.
    /// @example
    /// const set = await GgufSet.open(url);
    /// const copy = GgufSet.from(set); // `set` may be of another copy of the package.
    #[wasm_bindgen(unchecked_return_type = "GgufSet")]
    pub fn from(other: &HandedOverSet) -> Result<JsValue, Thrown> {
        let shards = match as_object(other) {
            Some(other) => other.get("shards")?,
            None => JsValue::UNDEFINED,
        };
        if !is_array(&shards) {
            return Err(failure!(InvalidArgument: "the argument of from() is {}, expected a GgufSet", describe(other)));
        }
        let mut given = Vec::new();
        for given_shard in elements(&shards)? {
            given.extend(shard(given_shard)?);
        }
        let take_over = async |given: JsValue, _: ShardLimits, _: Option<OnHeaderProgress>| {
            let members = as_object(&given).ok_or(Thrown::from(JsValue::UNDEFINED))?;
            match members.present("gguf")? {
                Some(gguf) => Ok(Gguf::from(gguf.unchecked_ref())?),
                None => Err(Thrown::from(members.get("error")?).into()),
            }
        };
        // Handing over a shard reads nothing, so there is nothing to wait for.
        let set = open_set(Shards(take_over), GivenSet::All(given), None).now_or_never();
        let set = set.ok_or_else(|| failure!(Busy: "the set cannot be handed over: a shard is in use"))??;
        let merged = Gguf::new(set.header, Source::Computed(Computed::new(set.merged)))?;
        Ok(Self::new(set.shards, merged, set.findings).into_object())
    }
}

/// A shard of another set. `None` for one that is missing and was not sought.
fn shard(given: JsValue) -> Result<Option<GivenShard<JsValue>>, Thrown> {
    let Some(members) = as_object(&given) else { return Ok(None) };
    if members.present("gguf")?.is_none() && members.present("error")?.is_none() {
        return Ok(None);
    }
    let place = match (members.get("url")?.as_string(), members.get("path")?.as_string()) {
        (Some(url), _) => Some(ShardPlace::Url(url)),
        (None, path) => path.map(ShardPlace::Path),
    };
    let name = members.get("name")?.as_string().unwrap_or_default();
    Ok(Some(GivenShard { name, place, given }))
}
