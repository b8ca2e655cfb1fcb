"""The names of architectures and of tensors in the PyPI package gguf, as JSON."""

import json

from gguf.constants import MODEL_ARCH_NAMES, TENSOR_NAMES

print(json.dumps({"architectures": sorted(MODEL_ARCH_NAMES.values()), "tensors": sorted(set(TENSOR_NAMES.values()))}))
