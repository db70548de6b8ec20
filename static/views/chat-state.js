// @ts-check
// The lines of one room of a match's chat, as the page has received them. No DOM.

/** @import { ChatLine } from "../core/types.js" */
/** @import { RoomName } from "../net/chat.js" */

/**
 * @typedef {Object} Room
 * @property {RoomName} name
 * @property {ChatLine[]} lines in the order of their numbers
 * @property {number} seen the number of the last line that the reader has seen
 * @property {string | null} unreadable the code of the reason why the reader may not read it
 * @property {string | null} unwritable the same for writing
 */

/** @param {RoomName} name @param {number} seen @returns {Room} */
export const createRoom = (name, seen) => ({ name, lines: [], seen, unreadable: null, unwritable: null });

/**
 * Takes in lines, new or changed; of two with the same number the later received one counts. A change of a line that the page has never
 * shown is ignored.
 * @param {Room} room
 * @param {readonly ChatLine[]} lines
 */
export function takeLines(room, lines) {
  const first = room.lines[0]?.number ?? 0;
  const last = lines.at(-1)?.number ?? 0;
  if (last < first - 1) return;
  const known = new Map(room.lines.map((line) => [line.number, line]));
  for (const line of lines) known.set(line.number, line);
  room.lines = [...known.values()].sort((a, b) => a.number - b.number);
}

/** The number after which lines are missing: their messages were lost, or came while the page was away. Null if none are. @param {Room} room */
export function gapAfter({ lines }) {
  const at = lines.findIndex(({ number }, place) => place > 0 && number !== (lines[place - 1]?.number ?? 0) + 1);
  return at < 0 ? null : (lines[at - 1]?.number ?? null);
}

/** Whether there are lines before the first one. @param {Room} room */
export const hasEarlier = ({ lines }) => (lines[0]?.number ?? 1) > 1;

/** The lines to show: none of those whom the reader has muted. @param {Room} room */
export const shownLines = ({ lines }) => lines.filter(({ hidden }) => hidden !== "muted");

/** The number of other people's lines that the reader has not seen. @param {Room} room @param {string} me the reader's name */
export const unread = (room, me) =>
  shownLines(room).filter(({ number, from, hidden }) => number > room.seen && !hidden && from?.name !== me).length;

/** Marks all lines as seen. @param {Room} room */
export function markSeen(room) {
  room.seen = Math.max(room.seen, room.lines.at(-1)?.number ?? 0);
}

/** Hides the lines of a player whom the reader has just muted. @param {Room} room @param {string} name */
export function hideLines(room, name) {
  room.lines = room.lines.map((line) => (line.from?.name === name ? { ...line, hidden: "muted" } : line));
}

/** The longest line, in characters. */
export const MAX_CHARS = 200;
/** The number of characters left is shown from here on. */
const FEW = 30;

/** The characters left, or null while there are many. @param {string} text */
export function charactersLeft(text) {
  const left = MAX_CHARS - [...text.trim().normalize("NFC")].length;
  return left <= FEW ? left : null;
}
