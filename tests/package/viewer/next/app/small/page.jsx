"use client";

import { GgufMemory } from "gguf-wasm-viewer/react/memory";
import { GgufSummary } from "gguf-wasm-viewer/react/summary";
import { GgufTensor } from "gguf-wasm-viewer/react/tensor";
import { useState } from "react";

export default function Page() {
  const [opened, setOpened] = useState(0);
  const count = () => setOpened((before) => before + 1);
  const [failed, setFailed] = useState("");
  return (
    <>
      <h1>
        {opened} open; {failed}
      </h1>
      <GgufSummary src="/model.gguf" ongguf-open={count} />
      <GgufTensor src="/model.gguf" name="token_embd.weight" ongguf-open={count} />
      <GgufMemory src="/model.gguf" choices={{ card: 16 }} ongguf-open={count} />
      <GgufTensor src="/model.gguf" name="nothing" ongguf-error={({ detail }) => setFailed(detail.code)} />
    </>
  );
}
