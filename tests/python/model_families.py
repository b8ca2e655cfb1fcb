"""Records what llama.cpp's convert_hf_to_gguf.py makes of small models of families that the corpus does not have.

    python model_families.py PATH/TO/convert_hf_to_gguf.py CORPUS/convert [NAME…]

It needs torch, transformers 4.57 and the packages of the reference. It reads tests/convert_models/model_families.json, converts every
model in it, and writes the hash of the file that it becomes to it, or why the reference refuses the model. The numbers of the tensors
are made here and in tests/convert_models/model_families.rs in the same way.
"""

import hashlib
import json
import os
import runpy
import shutil
import struct
import sys
import tempfile

SCRIPT, CORPUS, *NAMES = sys.argv[1:]
CASES = os.path.join(os.path.dirname(__file__), "../convert_models/model_families.json")
KEPT = os.environ.get("KEPT")
sys.path[:0] = [os.path.dirname(SCRIPT), os.path.join(os.path.dirname(SCRIPT), "gguf-py")]

import conversion  # noqa: E402, F401
import conversion.base  # noqa: E402
import torch  # noqa: E402, F401
import transformers  # noqa: E402, F401

conversion.base.TextModel.get_vocab_base_pre = lambda self, tokenizer: "gpt-2"


def added(identifier, content):
    flags = {"special": True, "normalized": False, "single_word": False, "lstrip": False, "rstrip": False}
    return {"id": identifier, "content": content, **flags}


TOKENIZER = {
    "added_tokens": [added(3, "<|endoftext|>"), added(4, "<|user|>"), added(5, "[gMASK]"), added(6, "<|observation|>")],
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
    "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
}


# Stands for the program of the tokenizer, with what the reference asks of it.
HUNYUAN = """
import base64

from transformers import PreTrainedTokenizer


class HYTokenizer(PreTrainedTokenizer):
    vocab_files_names = {"vocab_file": "hy.tiktoken"}

    def __init__(self, vocab_file, **kwargs):
        with open(vocab_file, "rb") as file:
            self.mergeable_ranks = {base64.b64decode(line.split()[0]): rank for rank, line in enumerate(file)}
        names = ["endoftext", "startoftext", "bos", "eos", "pad", *(f"extra_{number}" for number in range(205))]
        first = len(self.mergeable_ranks)
        self.special_tokens = {f"<|{name}|>": first + place for place, name in enumerate(names)}
        super().__init__(**kwargs)

    @property
    def vocab_size(self):
        return len(self.mergeable_ranks) + len(self.special_tokens)

    def get_vocab(self):
        return dict(self.special_tokens)

    def _convert_token_to_id(self, token):
        return self.special_tokens.get(token)
"""


def make(case, folder):
    with open(f"{folder}/config.json", "w") as file:
        json.dump(case["config"], file)
    header, data = {}, bytearray()
    for name, *shape in case["tensors"]:
        for block in range(2) if "#" in name else [0]:
            start = len(data)
            count = 1
            for length in shape:
                count *= length
            for element in range(count):
                data += struct.pack("<f", start // 4 + element)
            header[name.replace("#", str(block))] = {"dtype": "F32", "shape": shape, "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    with open(f"{folder}/model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    if files := case.get("files"):
        for name, text in {**files, "tokenization_hy.py": HUNYUAN}.items():
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
    elif vocabulary := case.get("vocabulary"):
        for name in ["tokenizer.model", "tokenizer.json", "tokenizer_config.json"]:
            if os.path.exists(path := f"{CORPUS}/models/{vocabulary}/{name}"):
                shutil.copy(path, folder)
    else:
        with open(f"{folder}/tokenizer.json", "w") as file:
            json.dump(TOKENIZER, file)
        with open(f"{folder}/tokenizer_config.json", "w") as file:
            json.dump({"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|endoftext|>"}, file)


def convert(case, folder):
    made = f"{folder}/Tiny-Test"
    os.mkdir(made)
    make(case, made)
    sys.argv = [SCRIPT, made, "--outfile", f"{folder}/out.gguf", "--outtype", "f32", *case.get("arguments", [])]
    runpy.run_path(SCRIPT, run_name="__main__")


with open(CASES) as file:
    cases = json.load(file)
for case in cases:
    if NAMES and not any(case["name"].startswith(name) for name in NAMES):
        continue
    case.pop("sha256", None)
    case.pop("refused", None)
    with tempfile.TemporaryDirectory() as folder:
        # The reference keeps options in its classes: every model has a process of its own.
        if (child := os.fork()) == 0:
            try:
                convert(case, folder)
            except BaseException as error:  # noqa: BLE001
                with open(f"{folder}/refused", "w") as file:
                    file.write(f"{type(error).__name__}: {error}"[:200])
            os._exit(0)
        os.waitpid(child, 0)
        if os.path.exists(f"{folder}/refused"):
            with open(f"{folder}/refused") as file:
                case["refused"] = file.read()
            print(case["name"], case["refused"])
            continue
        with open(f"{folder}/out.gguf", "rb") as file:
            converted = file.read()
        case["sha256"] = hashlib.sha256(converted).hexdigest()
        if KEPT:
            with open(f"{KEPT}/{case['name']}.gguf", "wb") as file:
                file.write(converted)
with open(CASES, "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")
