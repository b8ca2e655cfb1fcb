"use client";

import "gguf-wasm-viewer";
import { component } from "./react-component.js";

export const GgufViewer = component("gguf-viewer");
