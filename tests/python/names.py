"""The names in the PyPI package gguf, as lines of fields with tabs between them.

The argument says which. `keys`: the patterns of all metadata keys; each is followed by the names of the methods with which
`GGUFWriter` writes it, without `add_`. The name of an enumeration: its ids and names.
"""

import inspect
import re
import sys

import gguf
from gguf.constants import Keys


def patterns(group):
    """Yield the keys of a class and of the classes in it."""
    for name, member in vars(group).items():
        if isinstance(member, type):
            yield from patterns(member)
        elif isinstance(member, str) and not name.startswith("__"):
            yield member


def writers():
    """Return the methods that write each key, found in the source of the writer."""
    methods = {}
    source = inspect.getsource(gguf.GGUFWriter)
    for function in source.split("\n    def ")[1:]:
        variables = dict(re.findall(r"(\w+) = Keys\.([\w.]+)", function))
        for method, path in re.findall(r"self\.add_(\w+)\(\s*(\w+(?:\.\w+)*)", function):
            path = variables.get(path, path.removeprefix("Keys.") if path.startswith("Keys.") else None)
            if path is not None:
                key = Keys
                for part in path.removesuffix(".format").split("."):
                    key = getattr(key, part)
                methods.setdefault(key, set()).add(method)
    return methods


if sys.argv[1] == "keys":
    written = writers()
    for pattern in sorted(set(patterns(Keys))):
        print(pattern, *sorted(written.get(pattern, ())), sep="\t")
else:
    for member in getattr(gguf, sys.argv[1]):
        print(member.value, member.name, sep="\t")
