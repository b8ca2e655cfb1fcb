"""What other programs make of a file: gguf-dump of the PyPI package gguf, NumPy, and Python's module csv.

Each line of the input is a request as JSON, and each line of the output the answer; or why there is none.
"""

import argparse
import contextlib
import csv
import hashlib
import io
import json
import math
import re
import sys

import numpy
from gguf import GGUFReader, GGUFValueType
from gguf.scripts import gguf_dump

WIDE = (GGUFValueType.UINT64, GGUFValueType.INT64)
WRITE_TABLE = gguf_dump.markdown_table_with_alignment_support


def scalar(value, is_wide):
    """Return a value as JSON can have it: 64-bit integers, NaN and infinities as text."""
    if is_wide:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def printed(dump, reader, path):
    """Return what a function of gguf-dump prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        dump(reader, argparse.Namespace(model=path, no_tensors=False, json_array=True))
    return out.getvalue()


def as_json(path):
    """Return what gguf-dump prints with --json --json-array."""
    reader = GGUFReader(path)
    result = json.loads(printed(gguf_dump.dump_metadata_json, reader, path))
    for name, field in result["metadata"].items():
        is_wide = reader.fields[name].types[-1] in WIDE
        value = field["value"]
        is_list = isinstance(value, list)
        field["value"] = [scalar(each, is_wide) for each in value] if is_list else scalar(value, is_wide)
    return result


def cell(text):
    """Return a text that stays in its cell."""
    return str(text).replace("\n", "\\n").replace("\r", "\\r").replace("|", "\\|")


def name_cell(text):
    """Return a name that is read as text only."""
    text = str(text)
    if any(mark in text for mark in "[]`&@") or "://" in text or "www." in text.lower():
        longest = max(len(run) for run in re.findall("`*", text))
        space = " " if text.startswith("`") or text.endswith("`") else ""
        marker = "`" * (longest + 1)
        return cell(f"{marker}{space}{text}{space}{marker}")
    return cell(text).replace("<", "&lt;")


def table_of_cells(columns, rows):
    """Write a table in which no text leaves its cell."""
    names = ("field_name", "layer_name", "human_layer_name")
    escape = {"value": cell, **dict.fromkeys(names, name_cell)}
    cells = [{key: escape.get(key, str)(text) for key, text in row.items()} for row in rows]
    return WRITE_TABLE(columns, cells)


def as_markdown(path):
    """Return what gguf-dump prints with --markdown, and the same with cells that no text leaves."""
    reader = GGUFReader(path)
    gguf_dump.markdown_table_with_alignment_support = WRITE_TABLE
    plain = printed(gguf_dump.dump_markdown_metadata, reader, path)
    gguf_dump.markdown_table_with_alignment_support = table_of_cells
    # Older versions of NumPy write large numbers of 32 bits without exponents.
    return {
        "plain": plain,
        "cells": printed(gguf_dump.dump_markdown_metadata, reader, path),
        "hasExponents": str(numpy.float32(1e6)) == "1e+06",
    }


def array(data):
    """Return what an array contains: its type, its shape, and the hash of its little-endian bytes."""
    little = data.astype(data.dtype.newbyteorder("<"))
    return {
        "dtype": data.dtype.str,
        "shape": list(data.shape),
        "sha256": hashlib.sha256(numpy.ascontiguousarray(little).tobytes()).hexdigest(),
    }


def npy(path):
    """Return what NumPy loads."""
    return array(numpy.load(path, allow_pickle=False))


def stored(path):
    """Return the arrays that gguf has of the tensors."""
    return {tensor.name: array(tensor.data) for tensor in GGUFReader(path).tensors}


def rows(path):
    """Return the rows that the module csv reads."""
    csv.field_size_limit(1 << 30)
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file, strict=True))


ANSWERS = {"json": as_json, "markdown": as_markdown, "npy": npy, "stored": stored, "csv": rows}

for line in sys.stdin:
    try:
        request = json.loads(line)
        answer = {"answer": ANSWERS[request["what"]](request["path"])}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
