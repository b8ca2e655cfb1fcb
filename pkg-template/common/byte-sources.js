// Sources of bytes that are made of others: a part of one, and several in a row.

/**
 * What is read by ranges: a `Blob`, or an object as `Gguf.open` takes it, whose size is known.
 *
 * @typedef {{ size?: number | undefined, read(start: number, end: number, options: { signal?: AbortSignal }): Promise<Uint8Array> }} RangeSource
 * @typedef {Blob | RangeSource} ByteSource
 */

/**
 * The bytes `start..end` of a source; fewer only where the source ends.
 *
 * @param {ByteSource} source
 * @param {number} start
 * @param {number} end
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function bytesOf(source, start, end, options = {}) {
  if (source instanceof Blob) return new Uint8Array(await source.slice(start, end).arrayBuffer());
  return source.read(start, Math.min(end, source.size ?? end), options);
}

/**
 * A part of a source, as a source.
 *
 * @param {ByteSource} source
 * @param {number} start
 * @param {number} size
 * @param {string} name That of a file: a part of a `Blob` is a `File`.
 * @returns {ByteSource}
 */
export function partOf(source, start, size, name) {
  if (source instanceof Blob) return new File([source.slice(start, start + size)], name);
  return {
    size,
    read: (from, to, options) => bytesOf(source, start + from, start + Math.min(to, size), options),
  };
}

/**
 * Sources in a row, as one source. Nothing is copied before it is read.
 *
 * @param {readonly ByteSource[]} parts Their sizes must be known.
 * @param {string} name That of a file: joined `Blob`s are a `File`.
 * @returns {ByteSource}
 */
export function joinedSource(parts, name) {
  const blobs = parts.filter((part) => part instanceof Blob);
  if (blobs.length === parts.length) return new File(blobs, name);
  /** @type {{ part: ByteSource, start: number, end: number }[]} */
  const places = [];
  let size = 0;
  for (const part of parts) {
    if (part.size === undefined) throw new TypeError("the size of a part is not known");
    places.push({ part, start: size, end: (size += part.size) });
  }
  return {
    size,
    async read(from, to, options) {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
      const reads = places.map(async ({ part, start, end }) => {
        const [first, last] = [Math.max(from, start), Math.min(to, end)];
        if (first >= last) return;
        const found = await bytesOf(part, first - start, last - start, options);
        if (found.length !== last - first) throw new Error(`a part has ${end - start} bytes, and could not be read`);
        bytes.set(found, first - from);
      });
      await Promise.all(reads);
      return bytes;
    },
  };
}

/** The size of a file in the header `Content-Range` of a part of it: `bytes 0-99/1234`. @param {Response} response */
function sizeIn({ headers }) {
  const size = /\/(\d+)\s*$/.exec(headers.get("Content-Range") ?? "")?.[1];
  return size === undefined ? undefined : Number(size);
}

/**
 * A file of a server, as a source of ranges.
 *
 * @param {string} url
 * @param {{ headers?: HeadersInit | undefined, fetch?: (url: string, init: RequestInit) => Promise<Response>, signal?: AbortSignal }} [options]
 * @returns {Promise<RangeSource & { size: number }>} Rejects if the server sends no ranges, or does not tell the size.
 */
export async function remoteSource(url, { headers, fetch: request = fetch, signal: ofOpening } = {}) {
  const ranged = (/** @type {number} */ start, /** @type {number} */ end, /** @type {AbortSignal | undefined} */ signal) => {
    const all = new Headers(headers);
    all.set("Range", `bytes=${start}-${end - 1}`);
    return request(url, { headers: all, ...(signal && { signal }) });
  };
  const first = await ranged(0, 1, ofOpening);
  const size = first.status === 206 ? sizeIn(first) : undefined;
  await first.body?.cancel();
  if (size === undefined) throw new Error(`the server sends no parts of the file (status ${first.status})`);
  return {
    size,
    async read(start, end, { signal }) {
      const response = await ranged(start, end, signal);
      if (response.status !== 206 || sizeIn(response) !== size) {
        throw new Error(`the server did not send a part of the file (status ${response.status})`);
      }
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
