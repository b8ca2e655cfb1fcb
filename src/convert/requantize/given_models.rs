//! The models that a caller passes: an opened file, a set of shards, or a list of shards, of any entry of the package.

use alloc::{rc::Rc, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{argument_type, as_object, describe, elements, failure, is_array, reason};
use crate::reader::gguf::Gguf;
use crate::reader::opened_file::SourceFile;
use gguf_format::order::sort_by;
use gguf_models::kind::Shard;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &str = r#"
/** A `GgufSet` of any entry of the package. */
export interface GgufSetOfAnyEntry {
  readonly shards: readonly { readonly number: number; readonly name: string; readonly gguf?: GgufOfAnyEntry; readonly error?: Error }[];
}

/** A model that can be converted: a file, a set of shards, or a list of all shards, as objects of any entry of the package. */
export type ConvertibleModel = GgufOfAnyEntry | GgufMessage | GgufSetOfAnyEntry | readonly (GgufOfAnyEntry | GgufMessage)[];
"#;

argument_type!(ConvertibleModel: "ConvertibleModel");

/// The files of a model, in the order of its shards.
///
/// # Errors
///
/// `invalid-argument`, `incomplete-set`, `freed`.
pub(super) fn files_of(model: &JsValue) -> Result<Vec<Rc<SourceFile>>, Thrown> {
    let given = match (is_array(model), as_object(model)) {
        (true, _) => elements(model)?,
        (false, Some(members)) => match members.get("shards")? {
            shards if is_array(&shards) => elements(&shards)?.iter().map(shard).collect::<Result<_, _>>()?,
            _ => vec![model.clone()],
        },
        (false, None) => {
            return Err(failure!(InvalidArgument:
                "the model is {}, expected a Gguf, a GgufSet, or an array of the shards of a model", describe(model)));
        }
    };
    let mut files = Vec::new();
    for given in given {
        let gguf = Gguf::from(given.unchecked_ref())?;
        files.push(gguf.state()?.file.file.clone());
    }
    let number = |position: usize| Shard::of(files[position].header()).and_then(|shard| shard.number).unwrap_or(0);
    let mut order: Vec<usize> = (0..files.len()).collect();
    sort_by(&mut order, &|a, b| (number(a), a).cmp(&(number(b), b)));
    Ok(order.into_iter().map(|position| files[position].clone()).collect())
}

/// The opened file of a shard of a set.
fn shard(given: &JsValue) -> Result<JsValue, Thrown> {
    let members = as_object(given)
        .ok_or_else(|| failure!(InvalidArgument: "a shard of the model is {}, expected an object", describe(given)))?;
    if let Some(gguf) = members.present("gguf")? {
        return Ok(gguf);
    }
    let (number, name) = (describe(&members.get("number")?), describe(&members.get("name")?));
    let problem = match members.present("error")? {
        Some(error) => format!("could not be opened: {}", reason(&error)),
        None => "is missing; add the file and open the set again".into(),
    };
    Err(failure!(IncompleteSet: "the model cannot be converted: shard {number} ({name}) {problem}"))
}
