import { GgufViewer } from "gguf-wasm-viewer/react";
import { GgufSummary } from "gguf-wasm-viewer/react/summary";
import { useState } from "react";

export function App() {
  const [name, setName] = useState("");
  const [source, setSource] = useState<Blob>();
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
      <GgufSummary src="/model.gguf" ongguf-error={({ detail }) => setName(detail.message)} />
    </>
  );
}
