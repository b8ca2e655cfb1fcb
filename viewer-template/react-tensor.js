"use client";

import "gguf-wasm-viewer/tensor";
import { component } from "./react-component.js";

export const GgufTensor = component("gguf-tensor");
