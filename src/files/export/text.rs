//! `Gguf.toMarkdown`, `Gguf.tensorsToCsv` and `Gguf.tokensToCsv`.

use alloc::{string::String, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::files::export::originals::originals;
use crate::files::export::text_pieces::TextPieces;
use crate::interop::thrown::Thrown;
use crate::interop::{JsString, failure, options};
use crate::reader::gguf::Gguf;
use gguf_files::export::OriginalTensor;
use gguf_files::export::csv::{CsvCells, write_tensors_csv, write_tokens_csv};
use gguf_files::export::markdown::write_markdown;

options! {
    /// What `Gguf.toMarkdown` writes.
    pub interface MarkdownOptions {
        /// The name or the path of the file, which the text shows. `"model.gguf"` by default.
        file_name?: "string" => String = DEFAULT_NAME.into();
        /// Whether the tensors are listed. Default: true.
        tensors?: "boolean" => bool = true;
        /// The tensors as the original file has them, one for each tensor of this file, if it shows another one: their types, sizes
        /// and offsets are listed. By default those of this file.
        originals?: "readonly OriginalTensor[]" => Vec<OriginalTensor> = Vec::new(), by originals;
    }
}

options! {
    /// What `Gguf.tensorsToCsv` and `Gguf.tokensToCsv` write.
    pub interface CsvOptions {
        /// Whether texts that a spreadsheet would read as a formula get an apostrophe before them: those that begin with `=`,
        /// `+`, `-`, `@` or their full-width forms, a tab or a line break. Numbers are not changed. Default: false, because programs read the texts
        /// as they are.
        spreadsheet_safe?: "boolean" => bool = false;
        /// For a list of tensors: the tensors as the original file has them, one for each tensor of this file, if it shows another one: their types, sizes
        /// and offsets are listed. By default those of this file.
        originals?: "readonly OriginalTensor[]" => Vec<OriginalTensor> = Vec::new(), by originals;
    }
}

fn cells(spreadsheet_safe: bool) -> CsvCells {
    if spreadsheet_safe { CsvCells::SpreadsheetSafe } else { CsvCells::Exact }
}

/// The name of the file that texts show, if the caller gives none.
pub(super) const DEFAULT_NAME: &str = "model.gguf";

#[wasm_bindgen]
impl Gguf {
    /// The metadata and the tensors as Markdown, as llama.cpp's `gguf-dump --markdown` writes them. Long values are shortened.
    /// In contrast to that tool, `|` and line breaks of the file are escaped in tables, and names that could be read as links,
    /// images or other markup are shown as code.
    ///
    /// @throws {GgufError} `invalid-argument`; `too-large` if the text is longer than a string can be.
    /// @example
    /// await navigator.clipboard.writeText(gguf.toMarkdown({ fileName: "model.gguf" }));
    #[wasm_bindgen(js_name = toMarkdown, unchecked_return_type = "string")]
    pub fn to_markdown(&self, options: Option<MarkdownOptions>) -> Result<JsString, Thrown> {
        let file = self.state()?.file.clone();
        let options = MarkdownOptions::take(options)?;
        TextPieces::collect(|out| {
            write_markdown(&file.header, &options.originals, &options.file_name, options.tensors, out)
        })
    }

    /// The tensors as CSV (RFC 4180), with the columns `index`, `name`, `type`, `dimensions` (fastest first, `4096x32000`),
    /// `elements`, `bytes` and `offset` (of the data, in the file). Numbers that are not known are empty.
    ///
    /// @throws {GgufError} `invalid-argument`; `too-large` if the text is longer than a string can be.
    /// @example
    /// const blob = new Blob([gguf.tensorsToCsv({ spreadsheetSafe: true })], { type: "text/csv" });
    #[wasm_bindgen(js_name = tensorsToCsv, unchecked_return_type = "string")]
    pub fn tensors_to_csv(&self, options: Option<CsvOptions>) -> Result<JsString, Thrown> {
        let options = CsvOptions::take(options)?;
        let file = self.state()?.file.clone();
        TextPieces::collect(|out| {
            write_tensors_csv(&file.header, &options.originals, cells(options.spreadsheet_safe), out)
        })
    }

    /// The tokens of the vocabulary as CSV (RFC 4180), with the columns `id`, `text` as the vocabulary stores it, `type`
    /// (`normal`, `control` and so on) and `score`. A type or a score that the file does not have is empty. Bytes that are not
    /// UTF-8 are U+FFFD.
    ///
    /// @throws {GgufError} `no-tokenizer` if the file has no list of tokens; `invalid-argument`; `too-large` if the text is longer than a string can
    /// be.
    /// @example
    /// await writeFile("tokens.csv", gguf.tokensToCsv());
    #[wasm_bindgen(js_name = tokensToCsv, unchecked_return_type = "string")]
    pub fn tokens_to_csv(&self, options: Option<CsvOptions>) -> Result<JsString, Thrown> {
        let cells = cells(CsvOptions::take(options)?.spreadsheet_safe);
        let file = self.state()?.file.clone();
        let mut has_tokens = false;
        let text = TextPieces::collect(|out| {
            has_tokens = write_tokens_csv(&file.header, cells, out)?;
            Ok(())
        })?;
        if !has_tokens {
            return Err(failure!(NoTokenizer:
                "the file has no tokens to export: the entry tokenizer.ggml.tokens is missing, or is not an array of \
                 STRING"));
        }
        Ok(text)
    }
}
