"""The names that the PyPI package gguf knows, as JSON: architectures and tensors."""

import json

from gguf.constants import MODEL_ARCH_NAMES, TENSOR_NAMES

print(json.dumps({"architectures": sorted(MODEL_ARCH_NAMES.values()), "tensors": sorted(set(TENSOR_NAMES.values()))}))
