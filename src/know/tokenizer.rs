//! `Tokenizer`: how the text of a model becomes tokens, and tokens become text.

use alloc::{string::String, vec::Vec};

use js_sys::{Int32Array, JsString, Reflect, Symbol, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::interop::thrown::Thrown;
use crate::interop::{
    Bytes, Js, JsArray, NumberArgument, TextArgument, TextDecoder, argument_type, array_of, declare_types, describe,
    failure, failure_with_code, is_integer, long_text, number, options, plain_object, to_js, utf8_decoder,
};
use crate::know::listing::Listing;
use crate::reader::gguf::Gguf;
use gguf_format::format::tokenizer_model::{TOKENIZER_MODELS, TokenSpelling, TokenizerModel};
use gguf_models::tokenizer::{
    DecodeOptions as DecodeSettings, EncodeOptions as Settings, TextToken, Token, Tokenizer as Inner, TokenizerError,
};

options! {
    /// How a text becomes tokens.
    pub interface EncodeOptions fills settings: Settings {
        /// Adds the tokens that the file wants before and after a text, such as BOS and EOS. Default: true.
        add_special?: "boolean" -> settings.add_special: bool;
        /// Recognises the texts of control tokens and of the unknown token. User-defined tokens are always recognised. Default: true.
        parse_special?: "boolean" -> settings.parse_special: bool;
    }
}

options! {
    /// How tokens become text.
    pub interface DecodeOptions fills settings: DecodeSettings {
        /// Leaves out control tokens, such as BOS, and the unknown token. Default: false.
        skip_special?: "boolean" -> settings.skip_special: bool;
        /// Leaves out a BOS token at the beginning and an EOS token at the end, if `encode` adds them. Default: false.
        remove_added?: "boolean" -> settings.remove_added: bool;
    }
}

argument_type!(Ids: "Iterable<number>");

plain_object! {
    /// The tokens of a text, with the part of the text that each stands for.
    struct TokenizedText {
        /// The id of each token.
        pub ids: Js<Int32Array>,
        /// Where each token begins in the text, in UTF-16 units, and the end of the text after the last one. The tokens cover the
        /// text: characters that no token stands for belong to the next one, or to the last one. Added tokens stand for no
        /// characters. If several tokens stand for the bytes of one character, it belongs to the first one.
        pub offsets: Js<Uint32Array>,
    }
}

declare_types!(Token<'_>);

declare_types!(TokenSpelling, TokenizerModel);

std::thread_local! {
    static MODELS: Listing = Listing::default();
}

/// Lists the tokenizers of llama.cpp and of the specification. The list is made once, and is frozen.
///
/// @example
/// const name = gguf.getString("tokenizer.ggml.model");
/// console.log(tokenizerModels().find((model) => model.name === name)?.spelling); // "byte-letters"
#[wasm_bindgen(js_name = tokenizerModels, unchecked_return_type = "readonly TokenizerModelInfo[]")]
pub fn tokenizer_models() -> JsArray {
    MODELS.with(|listing| listing.rows(TOKENIZER_MODELS.iter().copied(), |row| row.name))
}

/// The tokenizer of a model. It gives the ids and the texts that llama.cpp of October 2026 gives, also where the model's own
/// tokenizer does something else.
///
/// @example
/// const tokenizer = gguf.tokenizer();
/// const ids = tokenizer.encode("Hello world");
/// console.log(ids, tokenizer.decode(ids, { skipSpecial: true })); // Int32Array [1, 15043, 3186] " Hello world"
#[wasm_bindgen]
pub struct Tokenizer {
    inner: Inner,
    decoder: TextDecoder,
}

#[wasm_bindgen]
impl Gguf {
    /// Makes the tokenizer of the model from the metadata. It works after `free()` of this object, too.
    ///
    /// @throws {GgufError} `no-tokenizer`; `unsupported` if this package cannot run the tokenizer; `unknown-pre-tokenizer`;
    /// `bad-vocabulary` if llama.cpp refuses the vocabulary; `too-large` for a vocabulary of more than 64 MiB, or whose tokens
    /// have more than 16 MiB of text, or if the memory for it is not available: up to 8 times its bytes.
    /// @example
    /// const count = gguf.tokenizer().encode(text).length;
    pub fn tokenizer(&self) -> Result<Tokenizer, Thrown> {
        let inner = Inner::new(&self.state()?.file.header).map_err(|error| refused(&error))?;
        Ok(Tokenizer { inner, decoder: utf8_decoder() })
    }
}

#[wasm_bindgen]
impl Tokenizer {
    /// The algorithm: the value of `tokenizer.ggml.model`.
    #[wasm_bindgen(getter)]
    pub fn model(&self) -> String {
        self.inner.model().into()
    }

    /// The pre-tokenizer. `undefined` if the algorithm has none. `"default"` if the file names none.
    #[wasm_bindgen(getter)]
    pub fn pre(&self) -> Option<String> {
        self.inner.pre().map(Into::into)
    }

    /// The number of tokens in the vocabulary.
    #[wasm_bindgen(getter, js_name = tokenCount)]
    pub fn token_count(&self) -> u32 {
        self.inner.token_count()
    }

    /// The ids of the tokens of a text.
    ///
    /// @throws {GgufError} `bad-vocabulary` if llama.cpp would stop: the vocabulary lacks a token that the text or the options
    /// need, or its character map is broken. `too-large` for a text of more than 16 million characters,
    /// or if so many tokens of a `t5` vocabulary begin with each other that the text takes too long.
    /// @example
    /// const ids = tokenizer.encode("<|im_start|>user", { addSpecial: false });
    #[wasm_bindgen(unchecked_return_type = "Int32Array<ArrayBuffer>")]
    pub fn encode(&self, text: TextArgument, options: Option<EncodeOptions>) -> Result<Int32Array, Thrown> {
        let settings = EncodeOptions::take(options)?.settings;
        let text = long_text("text", &text)?;
        let ids = self.inner.encode(&text, settings).map_err(|error| refused(&error))?;
        int32_array(&ids)
    }

    /// The tokens of a text, with the part of the text that each stands for.
    ///
    /// @throws {GgufError} As `encode`.
    /// @example
    /// const { ids, offsets } = tokenizer.tokenize(text);
    /// const parts = Array.from(ids, (_, index) => text.slice(offsets[index], offsets[index + 1]));
    #[wasm_bindgen(unchecked_return_type = "TokenizedText")]
    pub fn tokenize(&self, text: TextArgument, options: Option<EncodeOptions>) -> Result<JsValue, Thrown> {
        let settings = EncodeOptions::take(options)?.settings;
        let text = long_text("text", &text)?;
        let tokens = self.inner.tokenize(&text, settings).map_err(|error| refused(&error))?;
        let ids: Vec<u32> = tokens.iter().map(|token| token.id).collect();
        let offsets = Uint32Array::new(&copy_of_numbers(&TextToken::utf16_offsets(&text, &tokens))?);
        Ok(to_js(&TokenizedText { ids: Js(int32_array(&ids)?), offsets: Js(offsets) }))
    }

    /// The text of tokens, as `llama_detokenize` of llama.cpp makes it, with U+FFFD in place of bytes that are not UTF-8. A space at
    /// the beginning is left out if `encode` puts one there; after BOS it stays. For some models, spaces before punctuation are
    /// left out.
    ///
    /// @throws {GgufError} `out-of-range` if the vocabulary has no token with one of the ids; `too-large` for more than 16 million
    /// ids, or a text of more than 256 MiB.
    /// @example
    /// console.log(tokenizer.decode([1, 15043, 3186])); // "<s> Hello world"
    pub fn decode(&self, ids: Ids, options: Option<DecodeOptions>) -> Result<JsString, Thrown> {
        let settings = DecodeOptions::take(options)?.settings;
        let ids = given_ids(&ids)?;
        let bytes = self.inner.decode(&ids, settings).map_err(|error| refused(&error))?;
        self.decoder
            .decode(&bytes)
            .map_err(|_| failure!(TooLarge: "the text is longer than a JavaScript string can be"))
    }

    /// A token of the vocabulary. `undefined` if there is none with this id.
    ///
    /// @throws {GgufError} `invalid-argument` if the id is not a number.
    /// @example
    /// console.log(tokenizer.token(13)); // { text: "<0x0A>", bytes: Uint8Array [10], type: "byte", score: 0 }
    #[wasm_bindgen(unchecked_return_type = "Token | undefined")]
    pub fn token(&self, id: NumberArgument) -> Result<JsValue, Thrown> {
        let id = number("id", &id)?;
        if !is_integer(id) || !(0.0..=f64::from(u32::MAX)).contains(&id) {
            return Ok(JsValue::UNDEFINED);
        }
        Ok(self.inner.token(id as u32).map_or(JsValue::UNDEFINED, |token| to_js(&token)))
    }
}

/// The most ids that are decoded at once.
const MOST_IDS: u32 = 1 << 24;

/// The ids that a caller gives.
fn given_ids(ids: &JsValue) -> Result<Vec<u32>, Thrown> {
    let refuse = |found: &JsValue, expected: &str| failure!(InvalidArgument: "the argument ids contains {}, expected {expected}", describe(found));
    let too_many = || failure!(TooLarge: "the argument ids has more than 16 million ids. Decode them in parts.");
    if ids.is_instance_of::<Int32Array>()
        && let Some(bytes) = Bytes::of(ids)
    {
        if bytes.byte_length() > f64::from(MOST_IDS) * 4.0 {
            return Err(too_many());
        }
        let bytes = bytes.to_vec()?;
        let (ids, _) = bytes.as_chunks::<4>();
        let id = |bytes: &[u8; 4]| {
            let id = i32::from_le_bytes(*bytes);
            u32::try_from(id).map_err(|_| refuse(&id.into(), "ids from 0"))
        };
        return ids.iter().map(id).collect();
    }
    if !ids.is_object() || !Reflect::has(ids, &Symbol::iterator())? {
        return Err(failure!(InvalidArgument:
            "the argument ids is {}, expected numbers that can be iterated", describe(ids)));
    }
    let items = array_of(ids)?;
    if items.length() > MOST_IDS {
        return Err(too_many());
    }
    let id = |item: JsValue| {
        let is_id = |id: &f64| is_integer(*id) && (0.0..=f64::from(u32::MAX)).contains(id);
        let id = item.as_f64().filter(is_id).ok_or_else(|| refuse(&item, "ids from 0"))?;
        Ok(id as u32)
    };
    items.iter().map(id).collect()
}

fn int32_array(ids: &[u32]) -> Result<Int32Array, Thrown> {
    Ok(Int32Array::new(&copy_of_numbers(ids)?))
}

/// A new buffer with numbers of 32 bits. WebAssembly is little-endian, and all engines that run it keep typed arrays so.
fn copy_of_numbers(numbers: &[u32]) -> Result<JsValue, Thrown> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Ok(Bytes::copy_of(&bytes)?.buffer())
}

/// The error of a tokenizer.
fn refused(error: &TokenizerError) -> Thrown {
    failure_with_code(error.code(), format_args!("{error}"))
}
