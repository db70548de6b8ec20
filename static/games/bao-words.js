// @ts-check
// What happens in a ply of Bao, in words: the parts of a sowing one by one, and in one sentence.

import { t } from "../core/i18n.js";
import { openingCapture, pitName, readMove } from "./bao-sowing.js";

/** @import { Told } from "./types.js" */
/** @import { Board, Event } from "./bao-sowing.js" */

/** The text of a direction or a kichwa. @param {string} letter */
const letterText = (letter) => t(letter === "L" ? "bao.left" : "bao.right");

/** A move as text for a screen reader: as it is written, which is what a button shows, and then in words. @param {string} text */
export function spokenMove(text) {
  const move = readMove(text);
  if (move === null) return text;
  const { letter, plays } = move;
  return [text, letter === "" ? "" : letterText(letter), plays ? t("bao.way.plays") : ""].filter(Boolean).join(", ");
}

/**
 * The moves of one pit in words, for the buttons below the board. The letter of a capture with a seed from the store names a kichwa.
 * @param {string[]} moves
 * @param {Board} board before the move
 * @returns {string[]}
 */
export const wayTexts = (moves, board) =>
  moves.map((text) => {
    const move = readMove(text);
    if (move === null) return text;
    const isKichwa = board.mine.store > 0 && openingCapture(board, move) !== null;
    const kichwa = t(move.letter === "L" ? "bao.way.left" : "bao.way.right");
    const way = move.letter === "" ? t("bao.way.captures") : isKichwa ? kichwa : letterText(move.letter);
    if (move.plays) return `${way}, ${t("bao.way.plays")}`;
    return moves.includes(`${text}>`) ? `${way}, ${t("bao.way.stops")}` : way;
  });

/** The beginning of a ply. @param {Event & { kind: "begin" }} event */
const beginText = ({ namua, captures, pit }) =>
  t(namua ? (captures ? "bao.told.namua" : "bao.told.namua-takata") : captures ? "bao.told.mtaji" : "bao.told.mtaji-takata", {
    pit: pitName(pit),
  });

/** @param {"mine" | "theirs"} whose */
const loseText = (whose) => t(whose === "mine" ? "bao.told.lose-mine" : "bao.told.lose-theirs");

/** The reasons why a sowing ends, as keys of their texts. */
const ENDS = { empty: "bao.told.end-empty", house: "bao.told.end-house", takasia: "bao.told.end-takasia", front: "bao.told.end-front" };

/** @param {Event} event */
function partText(event) {
  if (event.kind === "begin") return beginText(event);
  if (event.kind === "safari") return t("bao.told.safari");
  if (event.kind === "lose") return loseText(event.whose);
  if (event.kind === "takasia") return t("bao.told.takasia", { pit: pitName(event.pit) });
  if (event.kind === "end") return t(ENDS[event.why], { pit: pitName(event.pit) });
  const { pit, seeds: n, last } = event;
  const params = { pit: pitName(pit), n, last: pitName(last) };
  if (event.kind === "capture")
    return t("bao.told.capture", { ...params, kichwa: t(event.kichwa === 0 ? "bao.kichwa.left" : "bao.kichwa.right") });
  if (event.tax) return t("bao.told.tax", params);
  return t(event.first ? "bao.told.sow" : "bao.told.endelea", params);
}

/**
 * The words about a ply. The sentence leaves out the single sowings: a ply can have dozens of them.
 * @param {Event[]} events
 * @returns {Told}
 */
export function tell(events) {
  const captured = events.reduce((sum, event) => sum + (event.kind === "capture" ? event.seeds : 0), 0);
  const laps = events.filter(({ kind }) => kind === "capture" || kind === "sow").length;
  const [begin, ...rest] = events;
  const short = [
    begin ? partText(begin) : "",
    captured > 0 ? t("bao.told.captured", { n: captured }) : "",
    laps > 1 ? t("bao.told.laps", { n: laps }) : "",
    ...rest.filter(({ kind }) => kind !== "capture" && kind !== "sow").map(partText),
  ];
  return { parts: events.map(partText), sentence: short.filter(Boolean).join("; ") };
}
