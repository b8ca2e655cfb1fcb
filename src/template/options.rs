//! The options of rendering.

use alloc::string::String;

use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{Options, options, refused_option};
use gguf_template::{Limits, Options as Settings};

/// The deepest nesting that the stack of the module has room for.
const MOST_DEPTH: u32 = 300;

/// The most memory. An allocation that fails in a module of 4 GiB stops it, and texts can be there twice.
const MOST_MEMORY: u32 = 512 << 20;

options! {
    /// What one rendering may take. A template from a file of unknown origin is a program of a stranger.
    pub interface ChatTemplateLimits {
        /// Steps: evaluated expressions and statements, visited elements, and every 32 bytes that are copied or searched. Default: 8,000,000,
        /// which take less than a second. Many more take as much longer, and nothing else ends the call.
        steps?: "number" => u64, integer from 0;
        /// Bytes that values and texts take at the same time. For a moment, it can be twice as much. Default: 32 MiB; at most 512 MiB.
        memory?: "number" => u32, integer from 0;
        /// How deep expressions, statements and calls of macros may be nested. Default, and at most: 300.
        depth?: "number" => u32, integer from 0;
    }
}

options! {
    /// How a chat template is rendered.
    pub interface ChatTemplateOptions {
        /// The time of `strftime_now`, shown in the time zone of this machine: a `Date`, or milliseconds since 1970. Default: now.
        now?: "Date | number" => i64, by now;
        /// What the rendering may take. With `server`, the conversation is rendered twice, as llama-server does, each time with these limits.
        limits?: "ChatTemplateLimits" => Limits = Limits::default(), by limits;
        /// Whether the context is a request as llama-server gets it: `messages`, and if they are wanted `tools`, `chat_template_kwargs` and
        /// `add_generation_prompt`, and beside what a request has, `bos_token`, `eos_token` and `enable_thinking`. The flags are true if they
        /// are missing. It is prepared for the template as llama-server does it, and `notes` says what was changed. A last message of the
        /// assistant is rendered as a complete one; llama-server would continue it. Default: false, and the template gets the variables as
        /// they are.
        server?: "boolean" => bool = false;
        /// The text of the BOS token that the tokenizer adds: it is dropped at the start of the text, as llama-server does. Only with
        /// `server`. Default: the tokenizer adds none.
        added_bos?: "string" => String;
        /// The text of the EOS token that the tokenizer adds: it is dropped at the end of the text. Only with `server`. Default: the tokenizer
        /// adds none.
        added_eos?: "string" => String;
    }
}

#[wasm_bindgen(raw_module = "glue/chat.js")]
extern "C" {
    /// Seconds since 1970 as the clock of this place shows them. NaN if the value is no time.
    #[wasm_bindgen(js_name = localSeconds)]
    fn local_seconds(given: &JsValue) -> f64;
}

fn now(options: &Options, name: &str) -> Result<Option<i64>, Thrown> {
    let given = options.get(name)?.unwrap_or_default();
    let seconds = local_seconds(&given);
    match seconds.is_nan() {
        true => Err(refused_option(name, &given, "a Date, or milliseconds since 1970")),
        false => Ok(Some(seconds as i64)),
    }
}

fn limits(options: &Options, name: &str) -> Result<Option<Limits>, Thrown> {
    let Some(given) = options.get(name)? else { return Ok(None) };
    let given = ChatTemplateLimits::read(&Options::checked(Some(given.unchecked_into::<ChatTemplateLimits>())))?;
    let mut limits = Limits::default();
    limits.steps = given.steps.unwrap_or(limits.steps);
    limits.memory = given.memory.map_or(limits.memory, |bytes| bytes.min(MOST_MEMORY) as usize);
    limits.depth = given.depth.map_or(limits.depth, |depth| depth.min(MOST_DEPTH));
    Ok(Some(limits))
}

/// The settings of the engine.
pub(super) fn settings(now: Option<i64>, limits: Limits) -> Settings {
    Settings { now: now.unwrap_or(0), limits }
}
