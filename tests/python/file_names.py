"""File names by the rules of others. The argument says whose.

`convention`: each line of the input is a file name. Its line of output has the groups of the regular expression with which the
specification validates names, as JSON; null if it does not match.

`built`: each line of the input is the metadata and the tensors of a file, as JSON. Its line of output is the name that
llama.cpp's converter gives such a file, built with the functions of the PyPI package gguf.
"""

import json
import re
import sys

import gguf
from gguf.gguf_writer import SHARD_NAME_FORMAT, GGUFWriter, TensorInfo

# docs/gguf.md of ggml (August 2026), with the names of groups as Python writes them.
CONVENTION = re.compile(
    r"^(?:(?P<Sidecar>mmproj|mtp)-)?"
    r"(?P<BaseName>[A-Za-z0-9\s]*(?:(?:-(?:(?:[A-Za-z\s][A-Za-z0-9\s]*)|(?:[0-9\s]*)))*))-"
    r"(?:(?P<SizeLabel>(?:\d+x)?(?:\d+\.)?\d+[A-Za-z](?:-[A-Za-z]+(\d+\.)?\d+[A-Za-z]+)?)"
    r"(?:-(?P<FineTune>[A-Za-z0-9\s-]+))?)?-"
    r"(?:(?P<Version>v\d+(?:\.\d+)*))"
    r"(?:-(?P<Encoding>(?!LoRA|vocab)[\w_]+))?"
    r"(?:-(?P<Type>LoRA|vocab))?"
    r"(?:-(?P<Shard>\d{5}-of-\d{5}))?\.gguf$",
    re.ASCII,
)


def groups(name):
    """Return the parts of a name that conforms to the specification."""
    match = CONVENTION.match(name)
    return match and match.groupdict()


def encoding(file):
    """Return the name of the file type, as the converter takes it from the enumeration."""
    value = file.get("general.file_type")
    return gguf.LlamaFileType(value).name.partition("_")[2] if value is not None else file["tensorType"]


def built(file):
    """Return the name of a file. The steps are those of `prepare_metadata` in llama.cpp's converter."""
    writer = GGUFWriter(None, "llama")
    for name, dimensions in file["tensors"]:
        writer.tensors[-1][name] = TensorInfo(tuple(reversed(dimensions)), gguf.GGMLQuantizationType.F32, 0)
    total, shared, expert, experts = writer.get_total_parameter_count()
    size_label = file.get("general.size_label")
    if size_label is None and total > 0:
        size_label = gguf.size_label(total, shared, expert, experts)
    output_type, model_type = encoding(file), "LoRA" if total < 0 else None
    is_projector = file.get("general.type") == "mmproj" or file.get("general.architecture") == "clip"
    is_shard = file.get("split.count", 0) > 1
    if is_projector or is_shard:
        # The converter counts the tensors of all shards, and a shard has only its own.
        size_label = None if is_projector else file.get("general.size_label")
    if file["hasVocabulary"] and not file["tensors"] and not is_shard:
        size_label, output_type, model_type = None, None, "vocab"
    name = gguf.naming_convention(
        file.get("general.name"),
        file.get("general.basename"),
        file.get("general.finetune"),
        file.get("general.version"),
        size_label,
        output_type,
        model_type,
    )
    name = f"mmproj-{name}" if is_projector else name
    if is_shard:
        return SHARD_NAME_FORMAT.format(name, file["split.no"] + 1, file["split.count"])
    return f"{name}.gguf"


rule = {"convention": lambda line: groups(line), "built": lambda line: built(json.loads(line))}[sys.argv[1]]
for line in sys.stdin.read().split("\n"):
    print(json.dumps(rule(line)))
