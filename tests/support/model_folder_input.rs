//! The input of the fuzz target `model_folder`: how to make a folder whose small files have large effects. The tests of generated folders
//! use the same function.
//!
//! The input is a list of changes to the folder of a small model, with as many bytes for each as it needs: which file, which member, and
//! its new value. A value can be a list of many items, a repeated text, an object with numbered members, or nested values. So few bytes of
//! input make files of up to `most` bytes.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use gguf_convert::lora::{BaseModel, open_adapter, plan_adapter};
use gguf_convert::model::{ModelFolder, ModelOptions, OpenedModel, OutputType, open::read_whole};
use gguf_format::io::{Blocking, MemoryBuffer, Source, block_on};
use gguf_format::{Error, ErrorCode, Result};
use gguf_models::validate::validate;
use serde_json::{Map, Value, json};

/// JSON files, and the names of their members.
const JSON_FILES: &[(&str, &str)] = &[
    (
        "config.json",
        "architectures model_type vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads \
         max_position_embeddings head_dim rope_theta rope_scaling rope_parameters rms_norm_eps layer_types sliding_window \
         sliding_window_pattern tie_word_embeddings text_config quantization_config num_local_experts num_experts num_experts_per_tok \
         partial_rotary_factor original_max_position_embeddings short_factor long_factor _name_or_path torch_dtype n_layer n_head",
    ),
    (
        "tokenizer.json",
        "model normalizer pre_tokenizer post_processor decoder added_tokens vocab merges type normalizers pretokenizers processors \
         decoders pattern content Regex String behavior invert single pair special_tokens ids tokens unk_id byte_fallback \
         precompiled_charsmap prefix suffix replacement prepend_scheme id special normalized continuing_subword_prefix",
    ),
    (
        "tokenizer_config.json",
        "tokenizer_class chat_template added_tokens_decoder bos_token eos_token unk_token pad_token additional_special_tokens \
         extra_special_tokens add_bos_token add_eos_token name template content do_lower_case model_max_length",
    ),
    (
        "special_tokens_map.json",
        "bos_token eos_token unk_token sep_token cls_token mask_token additional_special_tokens content",
    ),
    ("generation_config.json", "bos_token_id eos_token_id temperature top_k top_p penalty_last_n sequence"),
    ("added_tokens.json", "<a> <b> <c>"),
    ("vocab.json", "a b ab"),
    ("chat_template.json", "chat_template"),
    ("modules.json", "type path"),
    ("1_Pooling/config.json", "pooling_mode_cls_token pooling_mode_mean_tokens pooling_mode word_embedding_dimension"),
    (
        "adapter_config.json",
        "r lora_alpha peft_type target_modules modules_to_save alpha_pattern rank_pattern alora_invocation_tokens",
    ),
    ("model.safetensors.index.json", "weight_map metadata"),
    (HEADER, "__metadata__ dtype shape data_offsets lm_head.weight model.embed_tokens.weight"),
];

/// The headers of the files with tensors, before they are joined with their lengths.
const HEADER: &str = "model.safetensors";
const ADAPTER: &str = "adapter_model.safetensors";

/// Text files, and what they are made of.
const TEXT_FILES: &[(&str, &[&str])] = &[
    (
        "README.md",
        &[
            "---\n",
            "tags: [\n",
            "license: mit\n",
            "base_model:\n",
            "- a/b-7b\n",
            "datasets: {a: ",
            "  x\n",
            "  - ",
            "\"",
            "'",
            "[",
            "{a: ",
            "]",
            "}",
            "description: >\n",
            "|-\n",
            "# c\n",
            "k#: v\n",
            "a-#b-",
            "\\u0041",
            "\n",
            " ",
            "name: ",
            "language: [a, b]\n",
            ", ",
        ],
    ),
    ("merges.txt", &["#version: 0.2\n", "a b\n", "ab #\n", "a", " ", "\n", "é"]),
    ("vocab.txt", &["[UNK]\n", "a\n", "##b#\n", "t#\n", "[unused#]\n", "\n"]),
    ("chat_template.jinja", &["{{ x }}", "{% for a in b %}", "\r\n", "\r", "x", "{#", "#}"]),
    ("tekken.json", &["{\"vocab\": [", "{\"rank\": #, \"token_bytes\": \"YQ==\"},", "]}", "[", "{"]),
];

const TYPES: &str = "Sequence Replace Split ByteLevel Metaspace Strip Fuse ByteFallback Prepend NFC NFKC Lowercase Precompiled Digits \
    Punctuation WordPiece BPE Unigram TemplateProcessing BertNormalizer Whitespace StripAccents Removed Isolated Llama GPT2 Qwen2Tokenizer \
    PreTrainedTokenizerFast LlamaTokenizer T5Tokenizer linear yarn longrope llama3 full_attention sliding_attention F32 F16 BF16 U8 \
    fp8 mxfp4 LORA";

const CLASSES: &str = "LlamaForCausalLM Qwen2ForCausalLM Qwen3MoeForCausalLM Gemma3ForCausalLM Phi3ForCausalLM BertModel \
    XLMRobertaModel GPT2LMHeadModel DeepseekV3ForCausalLM GptOssForCausalLM MixtralForCausalLM Lfm2ForCausalLM ModernBertModel \
    Mamba2ForCausalLM Exaone4ForCausalLM";

const EXPRESSIONS: &[&str] = &[
    "(?:.|.)", "[a-z]", "\\p{L}", "(a*)", "*", "+", "?", "{9}", "|", "(?:", "(", ")", "[", "]", "(?=", "(?!", "\\s+",
    "^", "a", "é", "zz", "{1000}", "\\r\\n", "(?i:", "-", "\\d{1,3}",
];

const TENSORS: &[&str] = &[
    "model.layers.#.self_attn.q_proj.weight",
    "model.layers.#.input_layernorm.weight",
    "model.layers.0.mlp.experts.#.gate_proj.weight",
    "model.layers.#.mlp.gate_proj.weight_scale_inv",
    "visual.blocks.#.weight",
    "base_model.model.model.layers.#.mlp.up_proj.lora_A.weight",
    "base_model.model.model.layers.#.mlp.up_proj.lora_B.weight",
    "#",
];

/// A folder in memory.
struct Folder(BTreeMap<String, Rc<Vec<u8>>>);

/// A file in memory, which ends with zeros up to its size.
#[derive(Clone)]
struct File(Rc<Vec<u8>>, u64);

impl Source for File {
    type Buffer = MemoryBuffer;
    type Host = Blocking;

    fn size(&self) -> Option<u64> {
        Some(self.1)
    }

    async fn read(&self, range: Range<u64>) -> Result<MemoryBuffer> {
        let Range { start, end } = range.start.min(self.1)..range.end.min(self.1);
        let known = self.0.get(start as usize..(end as usize).min(self.0.len())).unwrap_or_default();
        let mut bytes = known.to_vec();
        bytes.resize((end - start) as usize, 0);
        Ok(bytes.into())
    }
}

impl ModelFolder for Folder {
    type Source = File;

    fn paths(&self) -> Option<Vec<&str>> {
        Some(self.0.keys().map(String::as_str).collect())
    }

    async fn read(&self, path: &str) -> Result<Option<Vec<u8>>> {
        let Some(bytes) = self.0.get(path) else { return Ok(None) };
        read_whole(path, &File(bytes.clone(), bytes.len() as u64)).await.map(Some)
    }

    async fn open(&self, path: &str) -> Result<File> {
        let missing = || Error::new(ErrorCode::Http, "not found").of_url("https://example.com", Some(404));
        // As large as a model: the data of its tensors are zeros.
        self.0.get(path).map(|bytes| File(bytes.clone(), 1 << 40)).ok_or_else(missing)
    }
}

/// Makes files from the bytes of an input.
struct Maker<'a> {
    input: Cell<&'a [u8]>,
    /// The bytes that the files may still have.
    left: Cell<usize>,
}

impl Maker<'_> {
    fn byte(&self) -> usize {
        let Some((byte, rest)) = self.input.get().split_first() else { return 0 };
        self.input.set(rest);
        usize::from(*byte)
    }

    /// A number of items of a size: one, a few, or very many.
    fn count(&self, size: usize) -> usize {
        let byte = self.byte();
        let count = ((byte >> 4) + 1) << (byte & 15);
        let count = count.min(self.left.get() / (size + 1));
        self.left.set(self.left.get() - count * (size + 1));
        count
    }

    fn of<'l, T: ?Sized>(&self, list: &[&'l T]) -> &'l T {
        list[self.byte() % list.len()]
    }

    fn word<'l>(&self, words: &'l str) -> &'l str {
        self.of(&words.split_whitespace().collect::<Vec<_>>())
    }

    /// Pieces of text, each repeated. `#` becomes a number.
    fn text(&self, pieces: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.byte() % 12 {
            let piece = self.of(pieces);
            match piece.contains('#') && piece != "#" {
                true => {
                    (0..self.count(piece.len() + 4)).for_each(|n| text.push_str(&piece.replace('#', &n.to_string())))
                }
                false => text.push_str(&piece.repeat(self.count(piece.len()))),
            }
        }
        text
    }

    fn value(&self, names: &str, depth: usize) -> Value {
        let inner = || self.value(names, depth + 1);
        match if depth > 5 { self.byte() % 5 } else { self.byte() % 14 } {
            0 => [Value::Null, true.into(), false.into()][self.byte() % 3].clone(),
            1 => self.byte().into(),
            2 => [
                json!(-1),
                json!(1 << 16),
                json!(1u64 << 31),
                json!(u32::MAX),
                json!(1u64 << 53),
                json!(u64::MAX),
                json!(1e308),
                json!(0.5),
                json!(1e-300),
            ][self.byte() % 9]
                .clone(),
            3 => self.word(TYPES).into(),
            4 => self.text(&["a", "e", "t#", "<#>", " ", "é", "\u{202e}", "ab", "\n", "{{ x }}"]).into(),
            5 | 6 => {
                let item = inner();
                let count = self.count(item.to_string().len());
                vec![item; count].into()
            }
            7 => {
                let (start, item) = (self.of(&["t", "▁", "", "a b", "<|"]), inner());
                let count = self.count(item.to_string().len() + 12);
                let is_list = self.byte().is_multiple_of(2);
                match is_list {
                    true => (0..count).map(|n| format!("{start}{n}")).collect(),
                    false => (0..count).map(|n| (format!("{start}{n}"), item.clone())).collect::<Map<_, _>>().into(),
                }
            }
            8 => {
                let (kind, name, mut item) = (self.word(TYPES), self.word(names), inner());
                for _ in 0..self.count(40).min(200) {
                    // `json!` would copy the item.
                    item = Map::from_iter([("type".into(), kind.into()), (name.into(), vec![item].into())]).into();
                }
                item
            }
            9 => {
                json!({ "type": "Replace", "pattern": { "String": self.of(&["e", "a", ""]) }, "content": self.of(&["ee", "", "aaaa"]) })
            }
            10 => {
                json!({ "type": "Split", "pattern": { "Regex": self.text(EXPRESSIONS) }, "behavior": "Isolated", "invert": false })
            }
            11 => {
                let numbers = 0..self.count(6);
                numbers.collect()
            }
            12 => {
                let item = |n: usize| {
                    json!({ "id": n, "content": format!("<{n}>"), "special": n.is_multiple_of(2), "name": format!("n{n}"),
                    "template": "x", "normalized": false })
                };
                (0..self.count(110)).map(item).collect()
            }
            _ => {
                let mut members = Map::new();
                for _ in 0..1 + self.byte() % 4 {
                    members.insert(self.word(names).into(), inner());
                }
                members.into()
            }
        }
    }

    /// Changes a member of an object, or of an object within it.
    fn change(&self, file: &mut Value, names: &str) {
        let mut place = file;
        for _ in 0..self.byte() % 4 {
            let name = self.word(names);
            match place.get(name) {
                Some(Value::Object(_)) => place = &mut place[name],
                _ => break,
            }
        }
        let value = self.value(names, 0);
        match place {
            Value::Object(members) => _ = members.insert(self.word(names).into(), value),
            place => *place = value,
        }
    }

    /// Adds tensors to a header.
    fn add_tensors(&self, header: &mut Value) {
        let (name, shape) = (self.of(TENSORS), self.of(&[&[8, 8][..], &[8], &[1], &[2, 4, 8], &[1 << 20, 1 << 10]]));
        let length = 4 * shape.iter().product::<u64>();
        let Value::Object(tensors) = header else { return };
        let first = tensors.len() as u64;
        for n in 0..self.count(name.len() + 90) as u64 {
            let start = 1_000_000 + (first + n) * length;
            let tensor = json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, start + length] });
            tensors.insert(name.replace('#', &n.to_string()), tensor);
        }
    }

    /// A model of SentencePiece: fields of protobuf.
    fn piece_model(&self) -> Vec<u8> {
        let mut model = Vec::new();
        for _ in 0..1 + self.byte() % 8 {
            let kind = self.byte();
            let start = model.len();
            match kind % 4 {
                0 => model.extend([
                    1 << 3 | 2,
                    3 + 5,
                    1 << 3 | 2,
                    1,
                    b'a' + self.byte() as u8 % 26,
                    2 << 3 | 5,
                    0,
                    0,
                    0,
                    0,
                ]),
                1 => model.extend([2 << 3 | 2, 2, 3 << 3, self.byte() as u8]),
                2 => model.extend([self.byte() as u8, self.byte() as u8, self.byte() as u8]),
                _ => {
                    for n in 0..self.count(20) {
                        let text = n.to_string();
                        model.extend([1 << 3 | 2, 4 + text.len() as u8, 1 << 3 | 2, text.len() as u8]);
                        model.extend([text.as_bytes(), &[3 << 3, 1]].concat());
                    }
                }
            }
            let item = model[start..].to_vec();
            let count = self.count(item.len());
            model.extend(item.repeat(count));
        }
        model
    }

    fn folder(&self) -> Folder {
        let mut documents: BTreeMap<&str, Value> = BTreeMap::from(base());
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        while !self.input.get().is_empty() {
            match self.byte() % 24 {
                0 => {
                    let class = self.word(CLASSES);
                    documents.entry("config.json").and_modify(|config| config["architectures"] = json!([class]));
                }
                1 => _ = files.insert("tokenizer.model".into(), self.piece_model()),
                2 | 3 => {
                    let (name, pieces) = TEXT_FILES[self.byte() % TEXT_FILES.len()];
                    files.insert(name.into(), self.text(pieces).into_bytes());
                }
                4 => {
                    let text = self.text(&["x", "\r\n", "{{ x }}"]);
                    let count = self.count(text.len() + 40);
                    files.extend(
                        (0..count).map(|n| (format!("additional_chat_templates/t{n}.jinja"), text.clone().into())),
                    );
                }
                5 => _ = documents.remove(self.of(&["tokenizer.json", "tokenizer_config.json", "config.json"])),
                6 => self.add_tensors(documents.entry(HEADER).or_default()),
                7 => self.add_tensors(documents.entry(ADAPTER).or_insert_with(|| json!({}))),
                8..12 => {
                    let (_, names) = JSON_FILES[1];
                    self.change(documents.entry("tokenizer.json").or_insert_with(|| json!({})), names);
                }
                _ => {
                    let (name, names) = JSON_FILES[self.byte() % JSON_FILES.len()];
                    self.change(documents.entry(name).or_insert_with(|| json!({})), names);
                }
            }
        }
        for (name, document) in documents {
            let text = document.to_string().into_bytes();
            let has_length = matches!(name, HEADER | ADAPTER);
            let start = if has_length { (text.len() as u64).to_le_bytes().to_vec() } else { Vec::new() };
            files.insert(name.into(), [start, text].concat());
        }
        Folder(files.into_iter().map(|(name, bytes)| (name, Rc::new(bytes))).collect())
    }
}

/// A small model with a byte-level vocabulary.
fn base() -> [(&'static str, Value); 4] {
    let mut tensors = Map::new();
    let mut place = 0;
    let block = [
        ("self_attn.q_proj", vec![8, 8]),
        ("self_attn.k_proj", vec![8, 8]),
        ("self_attn.v_proj", vec![8, 8]),
        ("self_attn.o_proj", vec![8, 8]),
        ("input_layernorm", vec![8]),
        ("post_attention_layernorm", vec![8]),
        ("mlp.gate_proj", vec![12, 8]),
        ("mlp.up_proj", vec![12, 8]),
        ("mlp.down_proj", vec![8, 12]),
    ];
    let block = block.map(|(name, shape)| (format!("model.layers.0.{name}.weight"), shape));
    let ends =
        [("model.embed_tokens.weight", vec![8, 8]), ("model.norm.weight", vec![8]), ("lm_head.weight", vec![8, 8])];
    for (name, shape) in ends.map(|(name, shape)| (name.to_owned(), shape)).into_iter().chain(block) {
        let end = place + 4 * shape.iter().product::<u64>();
        tensors.insert(name, json!({ "dtype": "F32", "shape": shape, "data_offsets": [place, end] }));
        place = end;
    }
    [
        (
            "config.json",
            json!({ "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 8, "hidden_size": 8,
                "intermediate_size": 12, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2,
                "max_position_embeddings": 16, "rms_norm_eps": 1e-5 }),
        ),
        (
            "tokenizer.json",
            json!({
                "added_tokens": [{ "id": 3, "content": "<x>", "special": true, "normalized": false }],
                "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
                "pre_tokenizer": { "type": "ByteLevel" },
                "decoder": { "type": "ByteLevel" },
            }),
        ),
        ("tokenizer_config.json", json!({ "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<x>" })),
        (HEADER, tensors.into()),
    ]
}

/// Opens a folder whose files have at most about `most` bytes together, and plans its conversion. Returns whether it can be converted.
pub fn run(input: &[u8], most: usize) -> bool {
    let maker = Maker { input: Cell::new(input), left: Cell::new(most) };
    let folder = maker.folder();
    if folder.0.values().map(|bytes| bytes.len()).sum::<usize>() > 1 << 20 {
        return false;
    }
    let is_adapter = folder.0.contains_key("adapter_config.json") || folder.0.contains_key(ADAPTER);
    if is_adapter && let Ok(adapter) = block_on(open_adapter("adapter", &folder)) {
        let base = block_on(BaseModel::read("m", &folder))
            .unwrap_or(BaseModel { folder: "m".into(), files: Default::default() });
        _ = plan_adapter(&adapter, &base, OutputType::F32);
    }
    let Ok(model) = block_on(OpenedModel::open("m-7b", &folder)) else { return false };
    _ = (model.obstacles().len(), model.vocabulary().is_some(), model.tensors().len(), model.data_types().len());
    _ = model.stored_file();
    let mut is_planned = false;
    for pre in [None, Some("gpt-2".to_owned())] {
        let mut options = ModelOptions::default();
        options.vocabulary_only = pre.is_some();
        options.pre = pre;
        let Ok(plan) = block_on(model.plan(&options)) else { continue };
        is_planned = true;
        if let Ok(opened) = plan.opened() {
            validate(opened.header(), Some(plan.size()));
        }
    }
    is_planned
}

/// The files of an input, to look at them.
#[allow(dead_code, reason = "for people")]
pub fn files(input: &[u8], most: usize) -> BTreeMap<String, Rc<Vec<u8>>> {
    Maker { input: Cell::new(input), left: Cell::new(most) }.folder().0
}
