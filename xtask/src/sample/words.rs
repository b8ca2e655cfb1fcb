//! Random words: sequences of syllables of several scripts.

use super::random::Random;

/// The structure of the syllables of a script.
pub enum Script {
    /// A consonant cluster, a vowel, and often another cluster. The lists are separated by spaces.
    Alphabet { onsets: &'static str, nuclei: &'static str, codas: &'static str },
    /// Each character is a syllable.
    Characters(&'static str),
    /// An initial, a vowel and a final, which determine a code point.
    Hangul,
}

pub const LATIN: Script = Script::Alphabet {
    onsets: "b bl br c ch cl cr d dr f fl fr g gl gr h j k l m n p ph pl pr qu r s sc sh sl sp st str t th tr v w z",
    nuclei: "a e i o u ai ea ee ie io oo ou y",
    codas: "b ck d l ld ll m n nd ng nt p r rd rk s ss st t th x",
};

pub const ACCENTED: Script = Script::Alphabet {
    onsets: "b c ç ch d dz f g gn h j k kr l ll m n ñ p pr r rz s sch š t tr v w z ż č",
    nuclei: "a á à â ã ä å e é è ê ë ę i í î o ó ô õ ö ø u ú ü ů y ý ąu ei eu",
    codas: "l m n ns r s t ß cht nn x ł ń",
};

pub const CYRILLIC: Script = Script::Alphabet {
    onsets: "б в вс г гр д др ж з к кр л м н п пр р с ск ст т тр ф х ц ч ш щ",
    nuclei: "а е ё и о у ы э ю я і ї",
    codas: "в й л м н нь р с ст сть т ть х ц",
};

pub const GREEK: Script = Script::Alphabet {
    onsets: "β γ δ ζ θ κ λ μ ν ξ π πρ ρ σ στ τ τρ φ χ ψ",
    nuclei: "α ά ε έ η ή ι ί ο ό υ ύ ω ώ αι ει οι ου",
    codas: "ν ς ρ λ",
};

pub const ARABIC: Script = Script::Alphabet {
    onsets: "ال ب ت ج ح خ د ر س ش ص ط ع ف ق ك ل م ن ه و ي",
    nuclei: "ا و ي",
    codas: "ب ة ت د ر س ق ل م ن ين ات",
};

pub const DEVANAGARI: Script = Script::Alphabet {
    onsets: "अ क ख ग च ज ट ड त थ द ध न प ब भ म य र ल व श स ह प्र स्त क्ष",
    nuclei: "ा ि ी ु ू े ै ो ौ",
    codas: "ं न र ल त क",
};

pub const KANA: Script = Script::Characters(
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん\
     アイウエオカキクケコサシスセソタチツテトナニネノハヒフヘホマミムメモヤユヨラリルレロワンー",
);

pub const HAN: Script = Script::Characters(
    "一不中人上大来国个地时年生学子会可他出下日月水火木金土山川天风云雨雪花草树林田石门口手目心\
     身家东西南北前后左右高低长短新旧多少好美白黑红青明光声色言文字书画语读写问答思想知行走飞\
     电车路船城市村乡海江河湖春夏秋冬早晚今昨去回入开关见听说话同和平安全世界数量方法工业农商\
     民主公共社政经济科技信息机器动力物理化作成发展变进步建设通过运用分合比较例如因果原则理论",
);

pub const HANGUL: Script = Script::Hangul;

impl Script {
    /// Appends one syllable.
    pub fn syllable(&self, random: &mut Random, out: &mut String) {
        match self {
            Script::Alphabet { onsets, nuclei, codas } => {
                out.push_str(entry(onsets, random));
                out.push_str(entry(nuclei, random));
                if random.chance(35) {
                    out.push_str(entry(codas, random));
                }
            }
            Script::Characters(characters) => {
                let at = random.below(characters.chars().count());
                out.extend(characters.chars().nth(at));
            }
            Script::Hangul => {
                // 19 initials × 21 vowels × 28 finals from U+AC00 on; final 0 is none.
                let [initial, vowel] = [random.below(19), random.below(21)];
                let last = if random.chance(40) { random.below(28) } else { 0 };
                out.extend(char::from_u32(0xac00 + ((initial * 21 + vowel) * 28 + last) as u32));
            }
        }
    }
}

/// The word with its first letter as a capital.
pub fn capitalised(word: &str) -> String {
    let mut rest = word.chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).collect()
}

fn entry(list: &'static str, random: &mut Random) -> &'static str {
    let entries = list.split(' ').count();
    list.split(' ').nth(random.below(entries)).unwrap_or_default()
}
