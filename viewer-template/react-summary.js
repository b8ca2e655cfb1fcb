"use client";

import "gguf-wasm-viewer/summary";
import { component } from "./react-component.js";

export const GgufSummary = component("gguf-summary");
