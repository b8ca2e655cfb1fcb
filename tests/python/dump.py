"""What the PyPI package gguf reads in GGUF files.

Each line of the input is a path, and each line of the output what is in that file, as JSON; or why it cannot be read.

A value is a list of its elements as text: integers in decimal, floats as the digits of their bits, strings as the
digits of their bytes. Of long lists there is the hash.
"""

import hashlib
import json
import sys

from gguf import GGUFReader, GGUFValueType

LONG = 64
FLOATS = (GGUFValueType.FLOAT32, GGUFValueType.FLOAT64)


def element(value_type, part):
    """Return one element as text, from the array that the reader has of it."""
    if value_type == GGUFValueType.STRING:
        return part.tobytes().hex()
    if value_type in FLOATS:
        # As an integer: of a NaN all bits count.
        bits = part.view(part.dtype.str.replace("f", "u"))
        return f"{bits[0]:0{2 * part.itemsize}x}"
    return str(part[0]).lower()


def field(entry):
    """Return an entry: its key, the types of its value from the outermost in, and the elements, nested ones in one list."""
    elements = [element(entry.types[-1], entry.parts[index]) for index in entry.data]
    return {
        "key": entry.name.encode().hex(),
        "types": [int(value_type) for value_type in entry.types],
        "length": len(elements),
        "value": elements if len(elements) <= LONG else sha256(",".join(elements).encode()),
    }


def tensor(info):
    """Return a tensor: what the file says of it, where its data is, and the hash of what it holds."""
    return {
        "name": info.name.encode().hex(),
        "dimensions": [int(size) for size in info.shape],
        "type": int(info.tensor_type),
        "fileOffset": info.data_offset,
        "byteLength": info.n_bytes,
        "sha256": sha256(info.data.tobytes()),
    }


def sha256(data):
    """Return the hash of bytes, as digits."""
    return hashlib.sha256(data).hexdigest()


def dump(path):
    """Return all of a file."""
    reader = GGUFReader(path)
    fields = dict(reader.fields)
    own = {name: fields.pop(f"GGUF.{name}") for name in ("version", "tensor_count", "kv_count")}
    return {
        "version": own["version"].contents(),
        "byteOrder": f"{reader.endianess.name.lower()}-endian",
        "dataOffset": int(reader.data_offset),
        "entries": [field(entry) for entry in fields.values()],
        "tensors": [tensor(info) for info in reader.tensors],
    }


for line in sys.stdin:
    try:
        answer = dump(line.rstrip("\n"))
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
