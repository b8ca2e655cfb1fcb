"use client";

import "gguf-wasm-viewer/memory";
import { component } from "./react-component.js";

export const GgufMemory = component("gguf-memory");
