//! A vocabulary like those of SentencePiece: 32,000 different tokens with scores and types.
//!
//! ```text
//! 0 ..           <unk> <s> </s>
//! 3 ..           <0x00> … <0xFF>: text without a token of its own is spelled in bytes
//! 259 ..         pieces, the most frequent first; ▁ stands for a space
//! .. 31,996      single characters
//! 31,997 ..      tokens of the chat format, and padding
//! ```

use std::collections::HashSet;
use std::ops::Range;

use super::random::Random;
use super::words::{self, Script};

pub const SIZE: usize = 32_000;
pub const UNKNOWN: u32 = 0;
pub const BEGIN: u32 = 1;
pub const END: u32 = 2;
/// The tokens of single bytes.
pub const BYTES: Range<u32> = 3..259;
pub const TURN_END: u32 = 31_998;
pub const PADDING: u32 = 31_999;

/// The tokens at the end, in order.
const CHAT: [&str; 3] = ["<|im_start|>", "<|im_end|>", "<pad>"];

// `llama_token_type`, as `tokenizer.ggml.token_type` stores it.
const NORMAL: i32 = 1;
const TYPE_UNKNOWN: i32 = 2;
const CONTROL: i32 = 3;
const BYTE: i32 = 6;

/// The first pieces of every vocabulary of European text.
const FRAGMENTS: &str = "▁▁ ▁t er in ▁a en on ▁▁▁▁ es ▁s ▁d at or an ▁w ▁p re ▁de he ▁c is ▁the it ar al ▁f ed ion ou ▁b ▁m \
    ic as le ▁o ing ▁re ▁h te ▁in ent ▁to ▁n ro ▁of ▁and st ▁l ▁e se ve us ct ur ▁v th il ▁g ul ▁▁▁▁▁▁▁▁ ol ation tion el \
    ch ▁st om im am ir id ▁i et ▁y ad ow ▁for ess ig ▁is ce ver ▁on ▁be ▁that ▁con ag im ut ity ▁an ab ac ▁pro op \
    able ally ment ness less ful ous ive ism ist ized izing ▁un ▁pre ▁dis ▁over ▁under ▁sub ▁inter ▁trans ▁non ▁ex";

const WORDS: &str = "with from this have not are was but all can which one their more other when there been has would what will \
    about out time up them some could into than only then its also two may these first new after people over such way \
    because any where most between through well even here should work while each same both before right number part back \
    down long under never next few those must again against place three small end another large often little world every \
    point form system state case water year day life hand name line list type value string number array function return \
    import class public static void const let var def self true false null none while for if else switch break continue \
    data file model tensor block header key index offset size length count page table view open read write find search \
    north south east west river mountain forest garden window bridge street letter paper colour music story question answer";

/// The symbols of source code.
const SYMBOLS: &str = "( ) [ ] { } < > = == != := += -= => -> :: ; , . .. ... : ? ! & && | || + - * / // /* */ % ^ ~ # @ $ _ __ \" ' ` \\ \
    () [] {} (); ); }); \", ', </ /> <!-- --> \\n \\t 0 1 2 x i";

const EMOJI: &str = "😀😂😉😊😍😎🤔😢😭😡👍👎👏🙏💪🎉🎁🎂🎵🎸🏆⚽🏀🚀🚗🚲✈⌛⏰☀⛅❄🌈🌊🔥💧🌍🌙⭐🌸🌲🍀🍎🍊🍋🍇🍞🧀🍕☕🍺🐱🐶🐭🐻🐼🐸🐧🦊🦉🐝🐳";

/// The percentage of generated pieces in each script. The rest is source code.
const SCRIPTS: [(usize, &Script); 9] = [
    (60, &words::LATIN),
    (9, &words::ACCENTED),
    (9, &words::CYRILLIC),
    (6, &words::HAN),
    (3, &words::KANA),
    (3, &words::HANGUL),
    (2, &words::GREEK),
    (2, &words::ARABIC),
    (2, &words::DEVANAGARI),
];

/// Ranges of characters that have tokens of their own: the first character, and the number of characters.
const CHARACTERS: [(u32, u32); 10] = [
    (0x21, 94),     // ASCII but the space
    (0xa1, 95),     // Latin-1
    (0x100, 128),   // Latin Extended-A
    (0x391, 57),    // Greek
    (0x410, 64),    // Cyrillic
    (0x5d0, 27),    // Hebrew
    (0x627, 36),    // Arabic
    (0x905, 53),    // Devanagari
    (0x3042, 80),   // Hiragana
    (0x4e00, 1500), // Han
];

#[derive(Clone)]
pub struct Vocabulary {
    pub tokens: Vec<String>,
    pub scores: Vec<f32>,
    pub types: Vec<i32>,
    seen: HashSet<String>,
}

impl Vocabulary {
    /// Generates the vocabulary.
    pub fn generate() -> Self {
        let mut vocabulary =
            Self { tokens: Vec::new(), scores: Vec::new(), types: Vec::new(), seen: HashSet::with_capacity(SIZE) };
        vocabulary.add("<unk>".to_owned(), TYPE_UNKNOWN);
        vocabulary.add("<s>".to_owned(), CONTROL);
        vocabulary.add("</s>".to_owned(), CONTROL);
        for byte in 0..=255 {
            vocabulary.add(format!("<0x{byte:02X}>"), BYTE);
        }
        let characters = characters();
        vocabulary.add_pieces(SIZE - CHAT.len() - characters.len(), &characters);
        for character in characters {
            vocabulary.add(character, NORMAL);
        }
        for token in CHAT {
            vocabulary.add(token.to_owned(), CONTROL);
        }
        vocabulary
    }

    /// Adds pieces until there are `end` tokens. No piece is one of the `reserved` tokens.
    fn add_pieces(&mut self, end: usize, reserved: &[String]) {
        self.seen.extend(reserved.iter().cloned());
        for fragment in FRAGMENTS.split_whitespace() {
            self.add(fragment.to_owned(), NORMAL);
        }
        for word in WORDS.split_whitespace() {
            self.add(format!("▁{word}"), NORMAL);
            self.add(format!("▁{}", words::capitalised(word)), NORMAL);
            self.add(word.to_owned(), NORMAL);
        }
        let mut random = Random::new(0x67_67_75_66);
        while self.tokens.len() < end {
            // Frequent pieces are short, rare ones long.
            let longest = 1 + 3 * self.tokens.len() / end;
            let piece = generated(longest, &mut random);
            self.add(piece, NORMAL);
        }
        for character in reserved {
            self.seen.remove(character);
        }
    }

    /// Adds a token, unless a token has this text already.
    fn add(&mut self, token: String, token_type: i32) {
        if self.seen.insert(token.clone()) {
            // The score of a piece is its negated rank, because the tokenizer merges the highest score first.
            let rank = self.tokens.len() as f32 - 259.0;
            self.scores.push(if token_type == NORMAL { -rank } else { 0.0 });
            self.types.push(token_type);
            self.tokens.push(token);
        }
    }
}

/// A piece of up to `longest` syllables.
fn generated(longest: usize, random: &mut Random) -> String {
    let mut share = random.below(100);
    let script = SCRIPTS.iter().find(|(percent, _)| match share.checked_sub(*percent) {
        Some(rest) => {
            share = rest;
            false
        }
        None => true,
    });
    let mut text = String::new();
    let Some((_, script)) = script else {
        let symbols: Vec<&str> = SYMBOLS.split_whitespace().collect();
        for _ in 0..1 + random.below(1 + longest) {
            text.push_str(random.pick(&symbols));
        }
        return if random.chance(30) { format!("▁{text}") } else { text };
    };
    for _ in 0..1 + random.below(longest) {
        script.syllable(random, &mut text);
    }
    match script {
        // These scripts do without spaces.
        Script::Characters(_) => text.repeat(if text.chars().count() == 1 { 2 } else { 1 }),
        _ if random.chance(15) => format!("▁{}", words::capitalised(&text)),
        _ if random.chance(60) => format!("▁{text}"),
        _ => text,
    }
}

fn characters() -> Vec<String> {
    let ranges = CHARACTERS.iter().flat_map(|&(first, count)| first..first + count);
    let letters = ranges.filter_map(char::from_u32).filter(|&c| c != '\u{ad}');
    letters.chain(EMOJI.chars()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_where_the_metadata_says() {
        let Vocabulary { tokens, scores, types, .. } = Vocabulary::generate();
        assert_eq!([tokens.len(), scores.len(), types.len()], [SIZE; 3]);
        assert_eq!(tokens.iter().collect::<HashSet<_>>().len(), SIZE);
        let at = |id: u32| tokens[id as usize].as_str();
        assert_eq!([at(UNKNOWN), at(BEGIN), at(END), at(3), at(258)], ["<unk>", "<s>", "</s>", "<0x00>", "<0xFF>"]);
        assert_eq!([at(TURN_END - 1), at(TURN_END), at(PADDING)], CHAT);
        assert_eq!(types.iter().filter(|&&kind| kind == BYTE).count(), 256);
        assert!(tokens.iter().all(|token| !token.is_empty() && token.len() < 64));
    }
}
