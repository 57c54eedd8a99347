// Downloads files with progress in bytes, and checks that they arrived whole: by size, and by the hash in their names where the browser can.

/** An error after which loading again may help. */
export class Retryable extends Error {
  readonly retry = true;
}

export function damaged(url: string, how: string): Retryable {
  return new Retryable(`${url} ${how}: load it again; if that does not help, export the model again.`);
}

export interface Wanted {
  url: string;
  /** Expected size; 0: unknown. */
  bytes: number;
}

/** Fetch a file; throws Retryable with one sentence if there is no answer, or one that refuses. */
export async function fetched(url: string, signal?: AbortSignal, cache: RequestCache = "default"): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url, { cache, ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Retryable(`${url} could not be downloaded: check the connection, and try again.`);
  }
  if (!answer.ok) throw new Retryable(`${url} could not be downloaded: the server answered ${answer.status}.`);
  return answer;
}

/**
 * Download a file and check it; a damaged copy in the browser's cache is replaced once.
 * @param onBytes Called with the bytes of this file that have arrived so far.
 */
export async function download(file: Wanted, onBytes: (loaded: number) => void, signal?: AbortSignal): Promise<ArrayBuffer> {
  try {
    return await downloadOnce(file, onBytes, "default", signal);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
  }
  return downloadOnce(file, onBytes, "reload", signal);
}

class Damage extends Retryable {}

async function downloadOnce(file: Wanted, onBytes: (loaded: number) => void, cache: RequestCache, signal?: AbortSignal): Promise<ArrayBuffer> {
  const answer = await fetched(file.url, signal, cache);
  const parts: Uint8Array[] = [];
  let loaded = 0;
  try {
    const reader = answer.body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      parts.push(part.value);
      onBytes((loaded += part.value.length));
      if (file.bytes && loaded > file.bytes) break; // do not read an endless answer
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Retryable(`${file.url} could not be downloaded: the connection broke off. Try again.`);
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const fault = await faultOf(bytes, file);
  if (fault) throw new Damage(damaged(file.url, fault).message);
  return bytes.buffer;
}

async function faultOf(bytes: Uint8Array<ArrayBuffer>, file: Wanted): Promise<string> {
  if (file.bytes && bytes.length !== file.bytes) return `is damaged (${bytes.length} bytes arrived, of ${file.bytes})`;
  const name = /([0-9a-f]{16})\.\w+$/.exec(file.url)?.[1]; // the beginning of the content's SHA-256
  // browsers offer hashes only to pages loaded over HTTPS or from the own machine
  if (!name || !globalThis.crypto?.subtle) return "";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const text = Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return text === name ? "" : "is damaged (its contents differ from its name)";
}
