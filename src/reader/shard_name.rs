//! `parseShardName`: what the name of a shard says.

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{TextArgument, arguments, declare_types, to_js};
use gguf_models::file_name::ShardName;

declare_types!(ShardName<'_>);

/// Takes the name of a shard apart, with or without folders. The result is `undefined` if it is another name, if the number
/// is not from 1 to the count, or if the count or the length of the name is more than 65,535.
///
/// @throws {GgufError} `invalid-argument` if the name is not a string.
/// @example
/// const shard = parseShardName("model-00002-of-00003.gguf");
/// if (shard) console.log(shard.prefix, shard.number, shard.count); // "model" 2 3
#[wasm_bindgen(js_name = parseShardName, unchecked_return_type = "ShardName | undefined")]
pub fn parse_shard_name(name: &TextArgument) -> Result<JsValue, Thrown> {
    let name = arguments::name("name", name)?.unwrap_or_default();
    Ok(ShardName::parse(&name).map_or(JsValue::UNDEFINED, |name| to_js(&name)))
}
