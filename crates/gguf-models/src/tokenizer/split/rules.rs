//! The rules of the pre-tokenizers: the patterns at which each splits text.
//!
//! The patterns come from llama.cpp, not from the models. Where they differ, the model's own tokenizer gives other tokens.

/// A step of splitting. Each splits the pieces that the step before left.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// At the matches of a pattern.
    Matches(&'static str),
    /// After the first one or two characters of a number, so that groups of three follow, and after each group. A number
    /// stays with the text before it.
    NumbersInThrees,
    /// Before each digit that is followed by two, five, eight or so digits more.
    BeforeThreeDigits,
}

/// The rules of a pre-tokenizer.
pub(super) struct Rules {
    /// The name in the table of pre-tokenizers.
    pub name: &'static str,
    pub steps: &'static [Step],
}

/// The short forms of English in lower case: `'s`.
macro_rules! short_forms {
    () => {
        "'s|'t|'re|'ve|'m|'ll|'d"
    };
}

/// The short forms of English in any case.
macro_rules! short_forms_of_any_case {
    () => {
        "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]"
    };
}

/// What most patterns end with: line breaks, then other white space.
macro_rules! space {
    () => {
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    };
}

/// Punctuation and symbols, with a space before and line breaks after them, then white space.
macro_rules! punctuation_and_space {
    () => {
        concat!(r"| ?[^\s\p{L}\p{N}]+[\r\n]*", space!())
    };
}

/// The pattern of GPT-2.
const GPT2: Step = Step::Matches(concat!(short_forms!(), r"| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)"));

/// The pattern of Llama 3: the patterns of other models differ from it in how they split numbers.
macro_rules! llama3 {
    ($numbers:literal) => {
        Step::Matches(concat!(
            short_forms_of_any_case!(),
            r"|[^\r\n\p{L}\p{N}]?\p{L}+|",
            $numbers,
            punctuation_and_space!()
        ))
    };
}

/// The pattern of DeepSeek 3.
const DEEPSEEK3: Step = Step::Matches(concat!(
    r"[!-/:-@[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*",
    space!()
));

/// Words that begin with upper case and end with lower case: classes of the beginning and of the end of a word, what
/// follows a word, and how numbers are split.
macro_rules! words_by_case {
    ($upper:literal, $lower:literal, $after:expr, $numbers:literal) => {
        concat!(
            r"[^\r\n\p{L}\p{N}]?",
            $upper,
            "*",
            $lower,
            "+",
            $after,
            r"|[^\r\n\p{L}\p{N}]?",
            $upper,
            "+",
            $lower,
            "*",
            $after,
            "|",
            $numbers,
            r"| ?[^\s\p{L}\p{N}]+[\r\n/]*",
            space!()
        )
    };
}

/// As `words_by_case`, with marks, and with short forms after the words. llama.cpp does not tell upper case from lower case
/// here.
macro_rules! words_with_marks {
    ($numbers:literal) => {
        Step::Matches(words_by_case!(
            r"[\p{L}\p{M}]",
            r"[\p{L}\p{M}]",
            concat!("(?:", short_forms_of_any_case!(), ")?"),
            $numbers
        ))
    };
}

const DIGIT: Step = Step::Matches(r"\p{N}");
const UP_TO_THREE_DIGITS: Step = Step::Matches(r"\p{N}{1,3}");
const LINES: Step = Step::Matches(r"[^\n]+|[\n]+");
/// The parentheses and the bar stand in the class, so they split text, too.
const BLOOM: Step = Step::Matches(r" ?[^(\s|.,!?…。，、।۔،)]+");

/// All rules.
pub(super) const RULES: &[Rules] = &[
    Rules {
        name: "default",
        steps: &[Step::Matches(r"[\p{P}$+<=>^~|]+"), GPT2, Step::Matches(r"\p{N}+"), Step::Matches("[0-9][0-9][0-9]")],
    },
    Rules { name: "gpt2", steps: &[GPT2] },
    Rules { name: "starcoder", steps: &[DIGIT, GPT2] },
    Rules { name: "falcon", steps: &[Step::Matches(r"[\p{P}$+<=>^~|`]+"), GPT2, Step::Matches("[0-9][0-9][0-9]")] },
    Rules {
        name: "chameleon",
        steps: &[
            Step::Matches("<sentinel:[0-9]+>"),
            Step::Matches("IMGIMG[A-I]{1,4}Z"),
            Step::Matches(r"[\t\n]|    |  "),
            DIGIT,
            Step::Matches(r"[\p{P}!-/:-@[-`{-~]"),
            GPT2,
        ],
    },
    Rules { name: "llama3", steps: &[llama3!(r"\p{N}{1,3}")] },
    Rules { name: "qwen2", steps: &[llama3!(r"\p{N}")] },
    Rules {
        name: "k2_horizon",
        steps: &[Step::Matches(concat!(
            "'[sSſ]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]",
            "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}\u{200C}\u{200D}]+|\\p{N}{1,3}",
            punctuation_and_space!()
        ))],
    },
    Rules {
        name: "ufakzeka",
        steps: &[Step::Matches(concat!(r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}", punctuation_and_space!()))],
    },
    Rules { name: "laguna", steps: &[LINES, llama3!(r"\p{N}")] },
    Rules { name: "minicpm5", steps: &[UP_TO_THREE_DIGITS, llama3!(r"\p{N}+")] },
    Rules {
        name: "qwen35",
        steps: &[Step::Matches(concat!(
            short_forms_of_any_case!(),
            r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*",
            space!()
        ))],
    },
    Rules {
        name: "jais2",
        steps: &[Step::Matches(concat!(
            short_forms_of_any_case!(),
            r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+",
            r"|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)",
            r"|\s{1,2}(?!\S)|\s"
        ))],
    },
    Rules {
        name: "bailing",
        steps: &[Step::Matches(concat!(
            r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])",
            r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
        ))],
    },
    Rules {
        name: "seed_coder",
        steps: &[Step::Matches(concat!(
            short_forms_of_any_case!(),
            r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+",
            space!()
        ))],
    },
    Rules {
        name: "exaone_moe",
        steps: &[Step::Matches(concat!(
            short_forms_of_any_case!(),
            r"|[^\r\n\p{L}\p{N}]?\p{L}\p{M}*(?: ?\p{L}\p{M}*)*",
            r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"
        ))],
    },
    Rules {
        name: "deepseek_llm",
        steps: &[
            Step::Matches(r"[\r\n]"),
            Step::Matches(concat!(
                r"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώ",
                r"ᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ",
                r"𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+"
            )),
            Step::Matches(r"\s?[!-/:-~！-／：-～‘-‟　-。]+"),
            Step::Matches(r"\s+$"),
            Step::Matches("[一-龥ࠀ-一가-퟿]+"),
            Step::Matches(r"\p{N}+"),
        ],
    },
    Rules {
        name: "deepseek_coder",
        steps: &[
            Step::Matches(r"[\r\n]"),
            Step::Matches(r"\s?\p{L}+"),
            Step::Matches(r"\s?\p{P}+"),
            Step::Matches("[一-龥ࠀ-一가-퟿]+"),
            DIGIT,
        ],
    },
    Rules { name: "deepseek3", steps: &[UP_TO_THREE_DIGITS, Step::Matches("[一-龥぀-ゟ゠-ヿ]+"), DEEPSEEK3] },
    Rules {
        name: "spark2_5",
        steps: &[
            UP_TO_THREE_DIGITS,
            Step::Matches("[一-龥぀-ゟ゠-ヿ]+"),
            Step::Matches(concat!(
                r"[!-/:-@[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]",
                r"|\s+(?!\S)|\s+"
            )),
            DIGIT,
        ],
    },
    Rules {
        name: "afmoe",
        steps: &[
            Step::NumbersInThrees,
            Step::Matches("[一-鿿㐀-䶿豈-﫿぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+"),
            DEEPSEEK3,
        ],
    },
    Rules {
        name: "youtu",
        steps: &[
            Step::Matches("[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+"),
            words_with_marks!(r"\p{N}"),
        ],
    },
    Rules { name: "tiny_aya", steps: &[Step::NumbersInThrees, words_with_marks!(r"\p{N}{1,3}")] },
    Rules {
        name: "tekken",
        steps: &[Step::Matches(words_by_case!(r"[\p{L}--[a-z]]", r"[\p{L}--[A-Z]]", "", r"\p{N}"))],
    },
    Rules {
        name: "gpt4o",
        steps: &[Step::Matches(words_by_case!(
            r"[\p{L}--[a-z]]",
            r"[\p{L}--[A-Z]]",
            concat!("(?:", short_forms_of_any_case!(), ")?"),
            r"\p{N}{1,3}"
        ))],
    },
    Rules {
        name: "granite_embedding",
        steps: &[Step::Matches(words_by_case!(
            r"[\p{L}\p{M}--[a-z]]",
            r"[\p{L}\p{M}--[A-Z]]",
            concat!("(?:", short_forms_of_any_case!(), ")?"),
            r"\p{N}{1,3}"
        ))],
    },
    Rules {
        name: "kimi_k2",
        steps: &[Step::Matches(concat!(
            r"\p{Han}+|[^\r\n\p{L}\p{N}]?[\p{L}--[\p{Han}]]+(?:",
            short_forms_of_any_case!(),
            r")?|\p{N}{1,3}",
            punctuation_and_space!()
        ))],
    },
    Rules { name: "superbpe", steps: &[Step::Matches(r"\p{N}+"), Step::BeforeThreeDigits] },
    Rules { name: "bloom", steps: &[BLOOM] },
    Rules { name: "viking", steps: &[BLOOM, DIGIT] },
    Rules { name: "gemma4", steps: &[LINES] },
    // Each line begins with a visible space.
    Rules { name: "mmbert", steps: &[Step::Matches(r"▁[^▁\n]*|[\n]+")] },
    Rules { name: "sarvam", steps: &[LINES] },
];
