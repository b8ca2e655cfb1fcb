"use client";

import { GgufViewer } from "gguf-wasm-viewer/react";
import { useState } from "react";

export default function Page() {
  const [name, setName] = useState("");
  const [source, setSource] = useState();
  const setFile = async () => setSource(await (await fetch("/model.gguf")).blob());
  return (
    <>
      <h1>{name}</h1>
      <button onClick={() => void setFile()}>File</button>
      <GgufViewer
        src="/model.gguf"
        source={source}
        editable
        ongguf-open={({ detail }) => setName((before) => `${before}${detail.name ?? ""} ${detail.tensors.length};`)}
      />
    </>
  );
}
