"""Records what llama.cpp's convert_hf_to_gguf.py makes with --mmproj of the small models of tests/convert_models/projectors.json.

    python projectors.py PATH/TO/convert_hf_to_gguf.py tests/convert_models/projectors.json

It needs torch, transformers 4.57 and the packages of the reference. The file has the configurations, and the names and the shapes of
the tensors, where `#` stands for each block. The numbers are made here and in tests/convert_models/projectors.rs in the same way: the
hashes of the results are written to the file.
"""

import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile

SCRIPT, MODELS = sys.argv[1:3]


def named(model):
    for name, shape in model["tensors"].items():
        for block in range(model["blocks"]) if "#" in name else [0]:
            yield name.replace("#", str(block)), shape


def write(folder, model):
    for name, content in model["files"].items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(content, file)
    header, data = {}, bytearray()
    for name, shape in named(model):
        start, state = len(data), sum(name.encode())
        count = 1
        for length in shape:
            count *= length
        for _ in range(count):
            state = (state * 1664525 + 1013904223) % 2**32
            number = ((state >> 16) - 2**15) / 2**19
            # BF16 is the upper half of F32.
            data += struct.pack("<f", number)[2:]
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [start, len(data)]}
    text = json.dumps(header).encode()
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


with open(MODELS, encoding="utf-8") as file:
    models = json.load(file)
for model in models:
    with tempfile.TemporaryDirectory() as parent:
        folder = os.path.join(parent, model["folder"])
        os.mkdir(folder)
        write(folder, model)
        for kind in model["sha256"]:
            output = os.path.join(parent, "output.gguf")
            command = [sys.executable, SCRIPT, folder, "--mmproj", "--outtype", kind, "--outfile", output]
            subprocess.run(command, check=True, capture_output=True)
            with open(output, "rb") as file:
                model["sha256"][kind] = hashlib.sha256(file.read()).hexdigest()
            print(model["folder"], kind, model["sha256"][kind])
with open(MODELS, "w", encoding="utf-8") as file:
    file.write("[\n" + ",\n".join(json.dumps(model) for model in models) + "\n]\n")
