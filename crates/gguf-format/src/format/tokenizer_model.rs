//! The tokenizers: values of `tokenizer.ggml.model`, with what is known of each. The decoder asks for them, too: the algorithm
//! tells which arrays follow the tokens, and so how large the rest of a header is.

use gguf_declare::{names, result};

/// How text becomes tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum TokenizerAlgorithm {
    SentencePiece,
    BytePairs,
    /// Byte pairs of words that are cut in a way that is not known here.
    OtherBytePairs,
    /// Byte pairs with the rules of Gemma 4.
    Gemma4,
    WordPiece,
    Unigram,
    /// RWKV and PLaMo, which add no special tokens.
    Other,
    /// The file has no vocabulary.
    NoVocabulary,
    /// llama.cpp does not know the name.
    Refused,
}

impl TokenizerAlgorithm {
    /// Whether pairs of the pieces of words merge, by the list of the file.
    #[doc(hidden)]
    pub fn is_byte_pairs(self) -> bool {
        matches!(self, Self::BytePairs | Self::OtherBytePairs)
    }

    /// Whether llama.cpp reads a list of pairs that merge.
    #[doc(hidden)]
    pub fn has_merges(self) -> bool {
        self.is_byte_pairs() || self == Self::Gemma4
    }
}

names! {
    /// How the stored text of a token spells bytes.
    #[typescript("TokenSpelling")]
    pub enum TokenSpelling {
        /// Each letter stands for a byte, as in GPT-2.
        ByteLetters = "byte-letters",
        /// `▁` stands for a space, and a token of the type Byte is spelled `<0x0A>`.
        WordMark = "word-mark",
        /// The token is its text.
        Plain = "plain",
    }
}

/// The special tokens that llama.cpp takes if the file names none, and whether it adds them to a text.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct SpecialDefaults {
    pub before: Option<u32>,
    pub after: Option<u32>,
    pub unknown: Option<u32>,
    pub adds_before: bool,
    pub adds_after: bool,
    /// Whether both are added whatever the file says.
    pub always_adds: bool,
}

const NONE: SpecialDefaults = SpecialDefaults {
    before: None,
    after: None,
    unknown: None,
    adds_before: false,
    adds_after: false,
    always_adds: false,
};

const OF_LLAMA: SpecialDefaults =
    SpecialDefaults { before: Some(1), after: Some(2), unknown: Some(0), adds_before: true, ..NONE };

const OF_BYTE_PAIRS: SpecialDefaults = SpecialDefaults { before: Some(11), after: Some(11), ..NONE };

const OF_BERT: SpecialDefaults = SpecialDefaults {
    before: Some(101),
    after: Some(102),
    unknown: Some(100),
    adds_before: true,
    adds_after: true,
    always_adds: true,
};

const OF_T5: SpecialDefaults = SpecialDefaults { after: Some(1), unknown: Some(2), adds_after: true, ..NONE };

result! {
    /// A tokenizer: a value of `tokenizer.ggml.model`. Its name for people is a value of `keyInfo("tokenizer.ggml.model")`.
    ///
    /// # Examples
    ///
    /// ```
    /// use gguf_format::format::tokenizer_model::{TOKENIZER_MODELS, TokenSpelling};
    ///
    /// let model = TOKENIZER_MODELS.iter().find(|model| model.name == "gpt2").unwrap();
    /// assert_eq!(model.spelling, TokenSpelling::ByteLetters);
    /// assert!(!model.adds_bos());
    /// ```
    #[derive(Clone, Copy, Debug)]
    #[typescript("TokenizerModelInfo")]
    pub struct TokenizerModel {
        /// The value of `tokenizer.ggml.model`.
        pub name: &'static str,
        #[rust]
        pub algorithm: TokenizerAlgorithm,
        /// How the stored text of a token spells bytes.
        pub spelling: TokenSpelling,
        #[rust]
        pub special: SpecialDefaults,
        /// Whether llama.cpp adds the BOS token to a text, if neither the file nor the pre-tokenizer says so.
        fn adds_bos(&self) -> bool,
    }
}

impl TokenizerModel {
    /// Whether llama.cpp adds the BOS token to a text, if neither the file nor the pre-tokenizer says so.
    pub fn adds_bos(&self) -> bool {
        self.special.adds_before
    }
}

macro_rules! tokenizer_models {
    ($(#[doc = $description:literal] $name:literal $title:literal $algorithm:ident $spelling:ident $special:ident;)*) => {
        /// Every tokenizer of llama.cpp, October 2026, and of the specification.
        pub const TOKENIZER_MODELS: &[TokenizerModel] = &[$(TokenizerModel {
            name: $name,
            algorithm: TokenizerAlgorithm::$algorithm,
            spelling: TokenSpelling::$spelling,
            special: $special,
        },)*];

        /// The name, the title and the description of each tokenizer. A module that does not explain leaves them out.
        #[doc(hidden)]
        pub const TEXTS: [[&str; 3]; TOKENIZER_MODELS.len()] = [$([$name, $title, $description.trim_ascii()],)*];
    };
}

// The columns: the name, the title, the algorithm, the spelling, and the special tokens.
tokenizer_models! {
    /// Joins the best-scored pieces; unknown characters become bytes.
    "llama" "SentencePiece BPE" SentencePiece WordMark OF_LLAMA;
    /// Splits text into words, then joins pairs of pieces by the list of merges.
    "gpt2" "Byte-level BPE" BytePairs ByteLetters OF_BYTE_PAIRS;
    /// Takes the longest known piece of each word.
    "bert" "WordPiece" WordPiece WordMark OF_BERT;
    /// Chooses the cut whose pieces have the best sum of scores.
    "t5" "Unigram" Unigram WordMark OF_T5;
    /// Takes the longest known piece at each position.
    "rwkv" "RWKV World" Other Plain NONE;
    /// Chooses the best-scored cut with a table of suffixes.
    "plamo2" "PLaMo 2" Other Plain NONE;
    /// As PLaMo 2, after the text is cut at its special words and at repeated characters.
    "plamo3" "PLaMo 3" Other Plain NONE;
    /// Joins pairs by the list of merges, without splitting text into words.
    "gemma4" "Gemma 4" Gemma4 WordMark NONE;
    /// Byte-level BPE in which letters of genetic code are pieces of fixed length.
    "hybriddna" "HybridDNA" OtherBytePairs ByteLetters OF_BYTE_PAIRS;
    /// Splits text at blanks only.
    "whitespace" "Whitespace" OtherBytePairs Plain OF_BYTE_PAIRS;
    /// Numbers pieces of five bytes. Only the tests of llama.cpp use it.
    "test" "Test" Other Plain NONE;
    /// Named by the specification; llama.cpp does not read it.
    "replit" "Replit SentencePiece" Refused Plain NONE;
    /// The file has no vocabulary.
    "none" "None" NoVocabulary Plain NONE;
    /// The file has no vocabulary.
    "no_vocab" "None (old name)" NoVocabulary Plain NONE;
}

/// The tokenizer with a name. `None` if it is not known.
#[doc(hidden)]
pub fn tokenizer_model(name: &[u8]) -> Option<&'static TokenizerModel> {
    TOKENIZER_MODELS.iter().find(|model| model.name.as_bytes() == name)
}
