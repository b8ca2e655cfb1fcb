"""Records what llama.cpp's convert_lora_to_gguf.py makes of small adapters for the models of the corpus.

    python lora_families.py PATH/TO/convert_lora_to_gguf.py CORPUS/convert [MODEL…] > tests/convert_models/lora_families.json

It needs torch, transformers 4.57 and the packages of the reference. For each model, the matrices of its first block and of its ends
become one adapter. If the reference fails, they are tried one by one, and those that it accepts become the adapter. Numbers and names
of the adapters are made here and in tests/convert_models/lora_families.rs in the same way: only the hashes of the results are recorded.
"""

import hashlib
import json
import os
import re
import runpy
import struct
import sys
import tempfile

RANK = 2

# What the reference accepts, but makes a file of that llama.cpp refuses, or that lacks a part of the adapter.
WRONG = re.compile(r"\.c_(attn|proj|fc)$|wpe$|position_embeddings$|token_type_embeddings$")
SCRIPT, CORPUS = sys.argv[1:3]
sys.path.insert(0, os.path.dirname(SCRIPT))

# Loaded once, for all children.
import conversion  # noqa: E402
import conversion.base  # noqa: E402, F401
import torch  # noqa: E402
import transformers  # noqa: E402, F401

torch.set_num_threads(1)


def stored_tensors(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".safetensors"):
            with open(os.path.join(folder, name), "rb") as file:
                (length,) = struct.unpack("<Q", file.read(8))
                header = json.loads(file.read(length))
            yield from ((name, info["shape"]) for name, info in header.items() if name != "__metadata__")


def is_wrong(folder, name):
    if name == "lm_head" and ("gemma-tiny" in folder or "mamba" in folder):
        # Gemma has none in GGUF. For Mamba, the reference compares it with the embedding, which it cannot do with pairs.
        return True
    # The matrices of StarCoder 2 have these names, too, but are not transposed.
    return "starcoder2" not in folder and WRONG.search(name)


def groups(folder):
    """The tensors that are tried together: one matrix, or all experts of a block."""
    found = {}
    for name, shape in stored_tensors(folder):
        block = re.search(r"\.(\d+)\.", "." + name)
        own = name.removesuffix(".weight")
        if own == name or len(shape) != 2 or (block and int(block[1]) > 0) or is_wrong(folder, own):
            continue
        key = re.sub(r"experts\.\d+\..*", "experts", name)
        found.setdefault(key, []).append([own, *shape])
    return [sorted(group) for _, group in sorted(found.items())]


def write_adapter(folder, tensors):
    header, data = {}, bytearray()
    for name, rows, columns in tensors:
        # GPT-NeoX calls its output matrix an embedding.
        is_embedding = ("embed" in name or name.endswith("wte")) and name != "embed_out"
        if is_embedding:
            rows, columns = columns, rows
        ends = ("lora_embedding_A", "lora_embedding_B") if is_embedding else ("lora_A.weight", "lora_B.weight")
        for end, shape in zip(ends, ([RANK, columns], [rows, RANK])):
            count = shape[0] * shape[1]
            first = len(data) // 4
            header[f"base_model.model.{name}.{end}"] = {
                "dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + 4 * count]}
            data += struct.pack(f"<{count}f", *((number * 37 % 251 - 125) / 64 for number in range(first, first + count)))
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, "adapter_model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    with open(os.path.join(folder, "adapter_config.json"), "w") as file:
        json.dump({"peft_type": "LORA", "lora_alpha": 4, "r": RANK}, file)


def converted(base, tensors, outtype):
    """The hash of the reference's file. None if it fails."""
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, "family-adapter")
        os.mkdir(folder)
        write_adapter(folder, tensors)
        result = os.path.join(parent, "adapter.gguf")
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.path.join(parent, "log"), os.O_WRONLY | os.O_CREAT), 1)
            os.dup2(1, 2)
            sys.argv = [SCRIPT, "--base", base, "--outtype", outtype, "--outfile", result, folder]
            try:
                runpy.run_path(SCRIPT, run_name="__main__")
            except BaseException as error:
                print(repr(error), flush=True)
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status != 0:
            with open(os.path.join(parent, "log")) as log:
                print(base, tensors[0], log.read().splitlines()[-1][:150], file=sys.stderr)
            return None
        with open(result, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()


def main():
    cases = []
    models = sys.argv[3:] or sorted(os.listdir(os.path.join(CORPUS, "models")))
    for model in models:
        base = os.path.join(CORPUS, "models", model)
        accepted, refused = groups(base), []
        tensors = [tensor for group in accepted for tensor in group]
        expected = converted(base, tensors, "bf16")
        if expected is None:
            tried = [(group, converted(base, group, "bf16")) for group in accepted]
            accepted = [group for group, found in tried if found]
            refused = [group for group, found in tried if not found]
            tensors = [tensor for group in accepted for tensor in group]
            expected = converted(base, tensors, "bf16") if tensors else None
        cases.append({"model": model, "accepted": tensors, "sha256": expected, "refused": refused})
        print(model, len(accepted), len(refused), file=sys.stderr, flush=True)
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    print(f"[\n{lines}\n]")


main()
