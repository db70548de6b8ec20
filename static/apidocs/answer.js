// @ts-check
// Reading an answer within bounds: an export or a stream can be longer than a page can hold. No DOM.

/** The bytes of a body that are read and shown. */
export const MAX_BYTES = 256 * 1024;

/** The lines of a stream or of the socket that are kept. */
export const MAX_LINES = 200;

/** A line of a stream or of the socket that is longer is shown in part. */
export const MAX_LINE_CHARS = 8 * 1024;

/** The headers of an answer that tell authors something, in this order. */
const OF_INTEREST = [
  "content-type",
  "x-request-id",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "idempotency-replayed",
  "etag",
  "cache-control",
  "location",
  "link",
  "deprecation",
  "sunset",
  "vary",
  "content-language",
  "last-modified",
];

/** @param {Headers} headers @returns {[name: string, value: string][]} */
export const headersOfInterest = (headers) =>
  OF_INTEREST.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [/** @type {[string, string]} */ ([name, value])];
  });

/**
 * The beginning of a body; the rest is not read.
 * @param {ReadableStream<Uint8Array> | null} body
 * @param {number} [most] bytes
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, isCut: boolean }>}
 */
export async function readStart(body, most = MAX_BYTES) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader && length <= most) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  const isCut = length > most;
  if (isCut) await reader?.cancel();
  const bytes = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const part of parts) {
    const kept = part.subarray(0, bytes.length - at);
    bytes.set(kept, at);
    at += kept.length;
  }
  return { bytes, isCut };
}

/**
 * The lines of a body as they come; at an empty line the connection lives, and nothing is told.
 * @param {ReadableStream<Uint8Array>} body
 * @param {(line: string) => void} tell
 */
export async function readLines(body, tell) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") tell(line);
    // Of a line without an end the beginning is enough.
    if (rest.length > 2 * MAX_LINE_CHARS) rest = rest.slice(0, MAX_LINE_CHARS + 1);
    if (done) break;
  }
  if (rest.trim() !== "") tell(rest);
}

/**
 * @typedef {{ lines: string[], dropped: number }} Log the last lines, and the number of those before them
 */

/** @returns {Log} */
export const emptyLog = () => ({ lines: [], dropped: 0 });

/** Adds a line; the oldest goes where there are too many. @param {Log} log @param {string} line */
export function append(log, line) {
  log.lines.push(line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} … (${line.length} characters)` : line);
  if (log.lines.length > MAX_LINES) {
    log.lines.shift();
    log.dropped += 1;
  }
}

/** JSON with a line for each part; any other text as it is. @param {string} text @returns {string} */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Whether a media type is of text. @param {string} mime */
export const isText = (mime) => /^text\/|json|xml|pdn|javascript/.test(mime) && !mime.startsWith("image/");

/** Bytes for an address of the form `data:`. @param {Uint8Array} bytes @returns {string} */
export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
