//! `parseFileName`: what the name of a file says.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::know::file_name::{FileName as Parsed, FileNameProblem as Problem, FileNameRule, parse_file_name as parse};
use crate::web::interop::arguments::{self, TextArgument};
use crate::web::interop::plain_object::{plain_object, to_js};
use crate::web::interop::typescript::declare_string_union;

declare_string_union!("The rules of the naming convention.", "FileNameRule", FileNameRule::CODES);

plain_object! {
    /// What the name of a file says. The parts are as they are written in the name.
    readonly struct FileName {
        /// Whether the name conforms to the naming convention of the specification: it breaks no rule.
        is_conventional: bool,
        /// The rules that the name breaks.
        problems: Vec<FileNameProblem> as "readonly FileNameProblem[]",
        /// What the file is beside a model: `"mmproj"`, `"mtp"`.
        sidecar?: String,
        /// The name of the model: `"Mixtral"`.
        base_name?: String,
        /// The number of parameters: `"8x7B"`, `"30B-A3B"`.
        size_label?: String,
        /// What the model was tuned for: `"Instruct"`. If words follow the version, they and the version are in it.
        fine_tune?: String,
        /// The version: `"v0.1"`. A missing version means `v1.0`.
        version?: String,
        /// How the weights are encoded: `"Q4_K_M"`, `"UD-IQ1_S"`.
        encoding?: String,
        /// What the file holds if it is not a model: `"LoRA"`, `"vocab"`.
        r#type?: String,
        /// Which shard of a model the file is.
        shard?: FileShard as "FileShard",
    }
}

plain_object! {
    /// A rule of the naming convention that a name breaks.
    readonly struct FileNameProblem {
        /// Stable, for programs; `message` is for people.
        rule: &'static str as "FileNameRule",
        /// What the name has, and what to change.
        message: String,
    }
}

plain_object! {
    /// Which shard of a model a file is, by its name: `00003-of-00009`.
    readonly struct FileShard {
        /// The number of the shard; the first one has number 1.
        number: u32,
        /// The number of shards.
        count: u32,
    }
}

/// Takes the name of a file apart.
///
/// A name that conforms to the naming convention has the parts that the specification gives it. Other names are taken apart
/// by what each word looks like, as publishers write them; `problems` then says which rules they break.
///
/// @param name - The name without folders.
/// @throws {GgufError} `invalid-argument` if the name is not a string, or if it has more than 65,535 characters.
/// @example
/// const { baseName, sizeLabel, encoding, problems } = parseFileName("gemma-3-27b-it-Q4_K_M.gguf");
/// console.log(baseName, sizeLabel, encoding); // "gemma-3" "27b" "Q4_K_M"
/// for (const { rule, message } of problems) console.log(rule, message);
#[wasm_bindgen(js_name = parseFileName, unchecked_return_type = "FileName")]
pub fn parse_file_name(name: &TextArgument) -> Result<JsValue, JsValue> {
    let name = arguments::short_text("name", name)?;
    Ok(to_js(&FileName::new(&parse(&name))))
}

impl FileName {
    fn new(name: &Parsed<'_>) -> Self {
        let part = |text: Option<&str>| text.map(ToOwned::to_owned);
        let problem =
            |problem: &Problem| FileNameProblem { rule: problem.rule.code(), message: problem.message.clone() };
        Self {
            is_conventional: name.is_conventional(),
            problems: name.problems.iter().map(problem).collect(),
            sidecar: part(name.sidecar),
            base_name: part(name.base_name),
            size_label: part(name.size_label),
            fine_tune: part(name.fine_tune),
            version: part(name.version),
            encoding: part(name.encoding),
            r#type: part(name.type_label),
            shard: name.shard.map(|shard| FileShard { number: shard.number, count: shard.count }),
        }
    }
}
