// @ts-check

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new random id for one command: 20 letters and digits. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => LETTERS[byte % LETTERS.length]).join("");
}
