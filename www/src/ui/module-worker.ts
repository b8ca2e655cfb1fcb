/** Starts workers from scripts of this build. */

/** The Trusted Types API. TypeScript does not know it. */
interface ScriptPolicies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy;
}

interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

let policy: ScriptPolicy | undefined;

/** Marks an address of this build as one that scripts may be loaded from. */
export function trustedAddress(url: string): string {
  policy ??= (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes?.createPolicy("gguf-viewer", {
    createScriptURL: (known) => known,
  });
  return (policy?.createScriptURL(url) ?? url) as string;
}

/** Starts the worker whose script has an absolute address. Throws if the page does not allow it. */
export function startWorker(address: string, name: string): Worker {
  return new Worker(trustedAddress(address), { type: "module", name });
}

/**
 * Starts the worker whose script has an address of another origin. A page may not start such a worker, but may start one of its own that
 * imports the script.
 */
export function startWorkerOfOtherOrigin(address: string, name: string): Worker {
  const url = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
  try {
    return startWorker(url, name);
  } finally {
    // The worker fetches the address shortly after this call.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}
