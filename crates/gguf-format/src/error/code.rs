//! Every error code of the crate and of its JavaScript API, in one table.
//!
//! A program reads the code, a person reads the message. The message says what happened in one case; the table says what
//! the code means in all cases, and what the user can do.

use core::fmt;

/// A row of [`ERROR_CODES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCodeInfo {
    /// The code.
    pub code: ErrorCode,
    /// The code as programs see it: `bad-magic`. It never changes.
    pub name: &'static str,
    /// The meaning of the code, in one sentence.
    pub meaning: &'static str,
    /// What the user can do, in one sentence.
    pub advice: &'static str,
}

macro_rules! error_codes {
    ($($variant:ident = $name:literal { meaning: $meaning:literal, advice: $advice:literal })*) => {
        /// The stable code of an error, for programs.
        ///
        /// It compares with its name:
        ///
        /// ```
        /// use gguf_format::ErrorCode;
        ///
        /// let error = gguf_format::parse(b"<!doctype html>").unwrap_err();
        /// assert_eq!(error.code(), ErrorCode::BadMagic);
        /// assert_eq!(error.code(), "bad-magic");
        /// assert!(error.code().info().advice.starts_with("Check"));
        /// ```
        // The name itself and not the number of a row: a program then contains only the names that it uses, which makes the
        // reader 0.3 kB smaller.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct ErrorCode(&'static str);

        #[allow(non_upper_case_globals, reason = "the codes are written like the variants of an enumeration")]
        impl ErrorCode {
            $(#[doc = concat!("`", $name, "`: ", $meaning, " ", $advice)] pub const $variant: Self = Self($name);)*
        }

        /// Every error code.
        pub const ERROR_CODES: &[ErrorCodeInfo] = &[$(
            ErrorCodeInfo { code: ErrorCode::$variant, name: $name, meaning: $meaning, advice: $advice },
        )*];

        impl ErrorCode {
            /// The names of all codes.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
        }
    };
}

impl ErrorCode {
    /// The row of the code in the table.
    pub fn info(self) -> &'static ErrorCodeInfo {
        // Only the rows of the table have names, so each name is in it.
        ERROR_CODES.iter().find(|info| info.code == self).unwrap_or(&ERROR_CODES[0])
    }

    /// The code as programs see it: `bad-magic`.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq<&str> for ErrorCode {
    fn eq(&self, name: &&str) -> bool {
        self.name() == *name
    }
}

error_codes! {
    // The header.
    BadMagic = "bad-magic" {
        meaning: "The file does not begin with the four bytes `GGUF`.",
        advice: "Check the address. The download may be incomplete, or a web page instead of the file."
    }
    UnsupportedVersion = "unsupported-version" {
        meaning: "The version of the format is not supported: 1, 2 and 3 can be read, 2 and 3 can be written.",
        advice: "Look for a newer version of this package, or choose version 3 for a file that is written."
    }
    UnknownValueType = "unknown-value-type" {
        meaning: "A metadata value, or the elements of an array, have a type that GGUF does not define, so their size is unknown.",
        advice: "Download the file again: it is damaged, or the program that wrote it has a bug."
    }
    BadStructure = "bad-structure" {
        meaning: "A file in a format before GGUF contradicts itself, so that it cannot be read to its end.",
        advice: "Download the file again. If it is in several parts, check that all belong to one model."
    }
    UnexpectedEof = "unexpected-eof" {
        meaning: "The file ends before the bytes that were needed.",
        advice: "Download or copy the file again."
    }
    LimitExceeded = "limit-exceeded" {
        meaning: "A count, a length or a size is larger than the limit.",
        advice: "Raise the limit in the options if the file is trusted, or use a smaller value."
    }
    TooLarge = "too-large" {
        meaning: "Memory, or a JavaScript value, cannot hold the data.",
        advice: "Close other tabs or programs, or read the data in parts."
    }

    // The source.
    Http = "http" {
        meaning: "The server answered with a status that is not a success.",
        advice: "Check the address, and whether the file needs a login or an access token."
    }
    Network = "network" {
        meaning: "The server did not answer: the connection is down, the host does not exist, or CORS hides the answer.",
        advice: "Check the connection and the address, or download the file and open it from the disk."
    }
    Cors = "cors" {
        meaning: "The server can be reached, but CORS does not allow the page to read the file.",
        advice: "Make the server send `Access-Control-Allow-Origin`, or download the file and open it from the disk."
    }
    Timeout = "timeout" {
        meaning: "A server was silent for `options.timeout`, or a response took longer than `options.responseTimeout`.",
        advice: "Try again, or allow more time."
    }
    HeadersWithheld = "headers-withheld" {
        meaning: "The server redirected to another origin, which refused a request without the caller's headers.",
        advice: "Open the address at that origin with the headers that it needs."
    }
    BadResponse = "bad-response" {
        meaning: "The response is not one that the interface of the server is documented to give.",
        advice: "Check the address of the server. A proxy or a login page may have answered instead."
    }
    RateLimited = "rate-limited" {
        meaning: "The server has received too many requests, and refuses more for a time.",
        advice: "Try again later, or give an access token: hubs allow more requests with one."
    }
    BadRange = "bad-range" {
        meaning: "The response does not hold the range of bytes that was requested.",
        advice: "Try again, or download the file and open it from the disk."
    }
    NoRanges = "no-ranges" {
        meaning: "The source can be read only from its beginning, so data after the header cannot be read.",
        advice: "Download the file and open it from the disk."
    }
    Changed = "changed" {
        meaning: "The file is not the one whose header was read: it was changed or replaced.",
        advice: "Open the file again."
    }
    ReadFailed = "read-failed" {
        meaning: "The file, stream or custom source failed while it was read.",
        advice: "Read the error in `cause`, and open the file again."
    }
    InvalidSource = "invalid-source" {
        meaning: "The given object is not a source that can be opened.",
        advice: "Give a URL, a `Blob`, bytes, a stream, a file handle, or an object with a `read` method."
    }

    // Arguments, and objects of the JavaScript API.
    InvalidArgument = "invalid-argument" {
        meaning: "An argument or an option has a value that is not allowed.",
        advice: "Use one of the values that the message names."
    }
    OtherModule = "other-module" {
        meaning: "The object belongs to another module of the package, or to another copy of it.",
        advice: "Open the file again with the module to which you pass the object."
    }
    OtherEntry = "other-entry" {
        meaning: "The method is in another entry of the package.",
        advice: "Import the entry that the message names, and pass the object to `Gguf.from` of it."
    }
    Freed = "freed" {
        meaning: "The object, or the file that it belongs to, was freed.",
        advice: "Free an object only after its last use, or open the file again."
    }
    Busy = "busy" {
        meaning: "The object is in use by a call that has not returned.",
        advice: "Wait until that call has returned."
    }
    Internal = "internal" {
        meaning: "A bug in this package stopped its WebAssembly module.",
        advice: "Reload the page, and report the message to the maintainers."
    }

    // Tensor data.
    UnknownTensor = "unknown-tensor" {
        meaning: "No tensor has the given name or position.",
        advice: "Take the name or the position from the list of tensors."
    }
    UnknownType = "unknown-type" {
        meaning: "The tensor type is not one of ggml's, or ggml removed it.",
        advice: "Read the bytes as they are stored, or look for a newer version of this package."
    }
    OutOfRange = "out-of-range" {
        meaning: "A position or a range lies outside of the list, tensor or file.",
        advice: "Use positions from 0 up to the length."
    }
    SizeUnknown = "size-unknown" {
        meaning: "The operation needs the size of the file or of the tensor, which is not known.",
        advice: "Open the file from the disk, or from a server that reports the size."
    }
    Truncated = "truncated" {
        meaning: "The file ends before the data of its tensors.",
        advice: "Download or copy the file again."
    }

    // Changes of a header, and new files.
    UnknownKey = "unknown-key" {
        meaning: "No metadata entry has the given key or position.",
        advice: "Take the key or the position from the list of entries."
    }
    WrongType = "wrong-type" {
        meaning: "The value of the metadata entry is not of the type that the called method returns.",
        advice: "Use `metadata.get`, which returns a value of any type, or the method for the type that the message names."
    }
    KeyTaken = "key-taken" {
        meaning: "Another metadata entry has the key.",
        advice: "Choose another key, or change the entry that has it."
    }
    NameTaken = "name-taken" {
        meaning: "Another tensor has the name.",
        advice: "Choose another name, or rename the tensor that has it."
    }
    BadKey = "bad-key" {
        meaning: "The key is empty or longer than 65,535 bytes.",
        advice: "Choose a key of 1 to 65,535 bytes."
    }
    BadName = "bad-name" {
        meaning: "The tensor name has 64 bytes or more, or contains a NUL, so ggml cannot hold it.",
        advice: "Choose a name of at most 63 bytes without NUL."
    }
    DoesNotFit = "does-not-fit" {
        meaning: "The type, or the version of the file, cannot hold the value.",
        advice: "Change the value, or choose a type that can hold it."
    }
    BadAlignment = "bad-alignment" {
        meaning: "The alignment is not a UINT32 that is a power of two and at least 8.",
        advice: "Use 32, unless a tool needs another alignment."
    }
    NoRoom = "no-room" {
        meaning: "The header would need more room than was reserved, or would move the data that was placed already.",
        advice: "Reserve more room, or write a new file."
    }
    NoByteOrder = "no-byte-order" {
        meaning: "No tool defines the tensor's type in the other byte order.",
        advice: "Keep the byte order of the file."
    }
    UnknownChange = "unknown-change" {
        meaning: "The change is not in the current list of changes.",
        advice: "Use a change from the list that the editor returns now."
    }
    Conflict = "conflict" {
        meaning: "The change cannot be reverted, because a later change depends on it.",
        advice: "Revert the later change first."
    }

    // Sets of shards.
    IncompleteSet = "incomplete-set" {
        meaning: "A shard of the set is missing, could not be opened, or is not the one that belongs to the set.",
        advice: "Download the missing shard, and open the set again."
    }
    ForeignShard = "foreign-shard" {
        meaning: "Two files that were opened as one model are not shards of the same model.",
        advice: "Open the shards of one model only, with the names that they were published with."
    }

    // The tokenizer.
    NoTokenizer = "no-tokenizer" {
        meaning: "The file has no tokenizer.",
        advice: "Open a model or a vocabulary. Adapters and projectors have none."
    }
    Unsupported = "unsupported" {
        meaning: "The tokenizer is unsupported: this package cannot run it.",
        advice: "Use llama.cpp to tokenise text for the model, or look for a newer version of this package."
    }
    UnknownPreTokenizer = "unknown-pre-tokenizer" {
        meaning: "The pre-tokenizer that `tokenizer.ggml.pre` names is unknown, perhaps newer than llama.cpp b11549 (October 2026).",
        advice: "Correct the name, or use the program that the model was made for."
    }
    BadVocabulary = "bad-vocabulary" {
        meaning: "The vocabulary is one that llama.cpp refuses, or cannot tokenise the text with.",
        advice: "Correct the entry that the message names, or convert the model again."
    }

    // Chat templates.
    NoChatTemplate = "no-chat-template" {
        meaning: "The file has no chat template, or none with the given name.",
        advice: "Use a name from the file, or give the text of a template."
    }
    TemplateSyntax = "template-syntax" {
        meaning: "The chat template is not valid: llama.cpp refuses it.",
        advice: "Correct the line that the message names, or use the template of the original model."
    }
    TemplateRender = "template-render" {
        meaning: "An operation of the chat template failed while it was rendered, as it does in llama.cpp.",
        advice: "Correct the line that the message names, or set the variables that the template needs."
    }
    TemplateRaised = "template-raised" {
        meaning: "The chat template refused the conversation: it called `raise_exception`.",
        advice: "Change the conversation as the message says. Many templates want turns of user and assistant, or no system message."
    }
    TemplateLimit = "template-limit" {
        meaning: "The chat template is too long or nested too deeply, or needs more steps or memory than the limits allow.",
        advice: "Raise `options.limits` if the template is trusted, or use the template of the original model."
    }
    TemplateContext = "template-context" {
        meaning: "The variables for a chat template are not valid JSON, or not an object.",
        advice: "Give a plain object, or the text of a JSON object."
    }
    TemplateConversation = "template-conversation" {
        meaning: "The conversation is one that llama-server refuses before the chat template gets it.",
        advice: "Correct the message or the tool that the error names: its role, content, or calls."
    }

    // Repositories.
    RepositoryNotFound = "repository-not-found" {
        meaning: "There is no such repository, or it is private: the hub does not tell which.",
        advice: "Check the name. For a private repository, give an access token that may read it."
    }
    RevisionNotFound = "revision-not-found" {
        meaning: "The repository has no such branch, tag, commit or folder.",
        advice: "Check the address, or leave out the revision and the folder."
    }
    RepositoryDenied = "repository-denied" {
        meaning: "The repository exists, but access to it is not granted.",
        advice: "Accept its conditions on its page, and give an access token of the same account."
    }
    NoGgufFiles = "no-gguf-files" {
        meaning: "The repository has no GGUF files.",
        advice: "Look for a repository with GGUF files of the same model: their names often end in GGUF."
    }

    // Several files, and hashes.
    BadManifest = "bad-manifest" {
        meaning: "The manifest has no line with a hash that this package knows.",
        advice: "Give a manifest with lines of the types sha256, sha1, xxh64 or uuid, as llama.cpp's gguf-hash writes them."
    }

    // Models of Hugging Face.
    BadJson = "bad-json" {
        meaning: "A JSON file of the model is not valid JSON, or a member of it has a value that it cannot have.",
        advice: "Download the file again, or correct the member that the message names."
    }
    BadSafetensors = "bad-safetensors" {
        meaning: "The header of a safetensors file contradicts itself or the file.",
        advice: "Download the file again, or write it again with the program that made it."
    }
    BadModelCard = "bad-model-card" {
        meaning: "The description of the model in `README.md` or in the given metadata cannot be read, or has a value of another type.",
        advice: "Correct the value that the message names, or convert the model without its `README.md`."
    }
    IncompleteModel = "incomplete-model" {
        meaning: "A file or a tensor of the model is missing, or belongs to another model.",
        advice: "Download all files of the model into one folder."
    }
    UnsupportedModel = "unsupported-model" {
        meaning: "The model has an architecture, a tensor or a setting that this package cannot convert.",
        advice: "Look for a newer version of this package, or use the converter of llama.cpp."
    }

    // Conversions.
    BadImatrix = "bad-imatrix" {
        meaning: "The importance matrix cannot be read, or does not fit the model.",
        advice: "Use the importance matrix that was computed for this model, in the GGUF form or in the older binary form."
    }
    NeedsImatrix = "needs-imatrix" {
        meaning: "The tensor type has so few bits that it cannot be used without an importance matrix for the tensor.",
        advice: "Give an importance matrix of this model, or choose a type with more bits."
    }
    AlreadyQuantized = "already-quantized" {
        meaning: "The tensor is quantized already, and quantizing it once more would lose quality.",
        advice: "Use the original model with 16 or 32 bits, or allow requantizing."
    }
    InvalidData = "invalid-data" {
        meaning: "The data of a tensor contains a NaN or an infinity, or a scale that is one.",
        advice: "Download the file again, or convert the original model again."
    }
    WorkerFailed = "worker-failed" {
        meaning: "A worker that converts tensors could not be started, or ended before its work was done.",
        advice: "Convert again with fewer workers, or with none. Memory may be short, or the page may not be allowed to start workers."
    }

    // Writing.
    NotInPlace = "not-in-place" {
        meaning: "The file cannot be changed in place: its data would move, or it is not the file that was opened.",
        advice: "Write a new file."
    }
    WriteFailed = "write-failed" {
        meaning: "Writing failed. The file is unchanged.",
        advice: "Check the free space and that no other program has the file open, or write to another place."
    }
    Interrupted = "interrupted" {
        meaning: "Writing in place failed half-way, so the file contains only some of the changes.",
        advice: "Write again with the same plan before you close the program."
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn every_code_has_a_unique_name_a_meaning_and_advice() {
        let mut names = BTreeSet::new();
        for (index, info) in ERROR_CODES.iter().enumerate() {
            assert_eq!((info.code.name(), ErrorCode::NAMES[index]), (info.name, info.name));
            assert_eq!(info.code.info(), info);
            assert!(info.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'-')), "{}", info.name);
            assert!(names.insert(info.name), "two rows have the name {}", info.name);
            for text in [info.meaning, info.advice] {
                assert!(text.starts_with(|first: char| first.is_uppercase()) && text.ends_with('.'), "{text}");
                assert!(!text.contains('|') && !text.contains("*/"), "{text}: it is a cell of a table in a comment");
            }
        }
    }
}
