//! The pre-tokenizers that are known by the hash of their tokens.
//!
//! Source: `get_vocab_base_pre` in `conversion/base.py` of llama.cpp, October 2026 (b11549).

/// The text whose tokens are hashed.
pub(super) const CHECK_TEXT: &str = concat!(
    "\n \n\n \n\n\n \t \t\t \t\n  \n   \n    \n     \n🚀 (normal) 😶\u{200d}🌫\u{fe0f} (multiple ",
    "emojis concatenated) ✅ 🦙🦙 3 33 333 3333 33333 333333 3333333",
    " 33333333 3.3 3..3 3...3 កាន់តែពិសេសអាច😁 ?我想在apple工作1314151天",
    "～ ------======= нещо на Български ''''''```````\"\"\"\"......!!!",
    "!!!?????? I've been 'told he's there, 'RE you sure? 'M not s",
    "ure I'll make it, 'D you like some tea? We'Ve a'lL",
);

/// The name of the pre-tokenizer with a hash: SHA-256 in hexadecimal.
pub(super) fn known_name(hash: &str) -> Option<&'static str> {
    let start = hash.get(..DIGITS)?;
    KNOWN.lines().find_map(|row| row.strip_prefix(start)?.strip_prefix(' '))
}

/// The digits of each hash that the table has. No two vocabularies have these 64 bits alike by
/// chance.
const DIGITS: usize = 16;

/// Where llama.cpp has two names for a hash, the later one counts there, and stands here.
///
/// The first digits of SHA-256 of the ids of [`CHECK_TEXT`] as Python writes a list, and the value of `tokenizer.ggml.pre`. One text: in an
/// array of whole hashes and names, the gzipped module would be 4 kB larger.
const KNOWN: &str = "\
b0a6b1c0bd5998eb a.x-4.0
49fc0303c9e0d2c2 afmoe
96a5f08be6259352 bailingmoe
9b1be57e70d20d95 bailingmoe2
8e62295832751ca1 bert-bge-large
3c30d3ad1d6b6420 bloom
60824e3c0d9401f8 chameleon
81d72c7348a9f0eb chatglm-bpe
b6e8e1518dc4305b chatglm-bpe
7b3e7548e4308f52 codeshell
52df12b4c8d4176e cohere2moe
9c2227e4dd922002 command-r
a8594e3edff7c29c dbrx
347715f544604f91 deepseek-coder
049ecf7629871e30 deepseek-llm
b3f499bb4255f8ca deepseek-r1-qwen
877081d19cf6996e deepseek-v3
4e2b24cc4770243d exaone
6c81ce329e080288 exaone-moe
2085e1638f6c377a exaone4
862f827721df9560 f2llmv2
8aeee3860c56296a falcon
3eda48b4c4dc7de7 falcon-h1
48f8e02c0359c0bb falcon-h1
60476e1243776c4f falcon-h1
a6b57017d60e6edb falcon-h1
9d032fcbd5501f4a falcon3
846deafc5b0fa786 gemma4
ad851be1dba641f2 gigachat
9ca2dd618e8afaf0 glm4
a1336059768a55c9 glm4
cdf5f35325780597 glm4
0fe1cf6eda062318 gpt-2
3ce83efda5659b07 gpt-2
ccc2ef013c104be7 gpt-4o
bc01ce58980e1db4 gpt3-finnish
53e325976a6e1423 granite-docling
789696f5946cc0fc granite-embed-multi-311m
f241072145675bf8 granite-embed-multi-97m
66b8d4e19ab16c3b grok-2
7e57df22b1fe23a7 hunyuan
bba3b3366b646dbd hunyuan-dense
e6ddf9c6686791c1 hy_v4
b53802fb28e26d64 jais
bc5108ee1eb6a3d6 jais-2
c7699093ba4255a9 jina-v1-en
7967bfa498ade6b7 jina-v2-code
27949a2493fc4a9f jina-v2-de
b3d1dd861f1d4c5c jina-v2-de
0876d13b50744004 jina-v2-en
171aeeedd6fb548d jina-v2-es
a023e9fdc5a11f03 jina-v5-nano
b4b8ca1f9769494f joyai-llm
1f9825a388f700a6 k2-horizon
a9af07a84191f550 k2-horizon
e4d54df1ebc1f2b9 kanana2
81212dc7cdb7e0c1 kimi-k2
4a2e2abae11ca2b8 kormo
972da7b59cec44d1 laguna
169bf0296a13c4d9 lfm2
9e454714343b69b9 lfm2
0ef9807a4087ebef llama-bpe
d353350c764d8c3b llama4
d4c8f286ea6b520b megrez
a1e163ecab2e718a mellum
9dcf830ee9990cdb mellum2
f6791d196f87ce6b midm-2.0
1431a23e583c9743 minerva-7b
36f3066e97b7f399 minicpm5
f4f37b6c8eb9ea29 minimax-m2
4b05e02dad1c5ae0 mmbert
a0b64b4385f12366 modern-bert
b6dc8df998e1cfbd olmo
fcace8b9cac38ce8 phi-2
0e9433cbbb161f89 pixtral
c7ea5862a53e4272 poro-chat
d4540891389ea895 qwen2
e636dc30a262dcc0 qwen2
1444df51289cfa80 qwen35
d30d75d9059f1aa2 qwen35
6221ad2852e85ce9 refact
8b5a93ed70405748 roberta-bpe
62f6fb0a6fd5098c sarvam-moe
d5f1dd6f980fec56 seed-coder
c136ed14d01c2745 smaug-bpe
855059429035d75a smollm
16389f0a1f51ee53 solar-open
0a766d034107bc73 spark2_5
32d85c31273f8019 stablelm2
35d91631860c815f starcoder
7dec86086fcc38b6 superbpe
f728162c1315c26e talkie
63b97e4253352e6f tekken
d772b220ace2baec tiny_aya
1994ffd01900cfb3 trillion
653660222fb704f6 ufakzeka
7fc505bd3104ca10 viking
9d70134b369a70e5 youtu
";

#[cfg(test)]
mod tests {
    use super::{CHECK_TEXT, DIGITS, KNOWN};
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;
    use gguf_models::tokenizer::pre_tokenizer;

    #[test]
    fn every_row_is_a_hash_and_a_name() {
        let rows: Vec<(&str, &str)> = KNOWN.lines().map(|row| row.split_once(' ').unwrap()).collect();
        let hashes: BTreeSet<&str> = rows.iter().map(|(hash, _)| *hash).collect();
        assert_eq!(hashes.len(), rows.len());
        for (hash, name) in rows {
            assert!(
                hash.len() == DIGITS && hash.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')),
                "{hash}"
            );
            // llama.cpp ignores the names of WordPiece vocabularies.
            let is_word_piece = matches!(name, "bert-bge-large" | "jina-v2-en");
            assert_eq!(pre_tokenizer(name.as_bytes()).is_some(), !is_word_piece, "{name}");
        }
    }

    #[test]
    fn the_text_has_350_characters() {
        assert_eq!(CHECK_TEXT.chars().count(), 350);
    }
}
