// @ts-check
// The news of a match: changes of its state, and effects for the page to carry out. No DOM.

import { aheadMove } from "../board/hand.js";
import { t, tOr } from "../core/i18n.js";
import { meantMove } from "../games/typed.js";
import { bound, isOver, isSeated, myTurn, outcomeOf, piecesAt, roundAt, shownPly, withdraw } from "./match-state.js";
import { boundText, countsText, plyText, refusalText, resultText, turnText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { MatchNews } from "../net/line.js" */
/** @import { Table } from "./match-state.js" */

/**
 * An effect of the news: a text for screen readers, a sound, a move of the premove to send, or the end of the match.
 * @typedef {{ kind: "announce", text: string } | { kind: "sound", name: "move" | "end" } | { kind: "play", move: string } | { kind: "ended" }} Effect
 */

/** @param {Table} table @param {Side} side */
export const sideName = ({ game }, side) => t(`game.${game.id}.side.${side}`);

/** @param {Table} table */
export function statusText(table) {
  const { match, game, oneDevice } = table;
  const { result, turn, plies } = match.view;
  if (result) return [resultText(game.id, result), countsText(match.view)].filter(Boolean).join(" · ");
  if (match.you === null || oneDevice) return turnText(game.id, turn);
  if (turn !== match.you) return t("match.their-move");
  return t(plies.at(-1)?.side === turn ? "match.your-move-again" : "match.your-move");
}

/** What the result means to the reader; empty where it means nothing to them. @param {Table} table */
export function endingText(table) {
  const outcome = outcomeOf(table);
  return outcome === null ? "" : t(`ending.${outcome}`);
}

/** The text about the current round, and the seeds of each side at its beginning. @param {Table} table */
export function roundText(table) {
  const round = roundAt(table, shownPly(table));
  if (round === null) return "";
  const { number: n, of, owned, adds } = round;
  const sides = { first: sideName(table, "first"), second: sideName(table, "second") };
  const seeds = { owns: owned.first, other: owned.second };
  if (!adds) return t("round.now", { n, of, ...sides, ...seeds });
  return n === 1 ? t("round.added.first", { n, of }) : t("round.added.now", { n, of, ...sides, ...seeds });
}

/** The text about the end of a round, if the last ply has ended one. @param {Table} table @returns {(() => string) | null} */
function roundOver(table) {
  const { plies, position } = table.match.view;
  const round = roundAt(table, plies.length);
  if (round === null || round.ply !== plies.length || round.ply === 0) return null;
  const { number: n, owned, adds } = round;
  return () => {
    const sides = { first: sideName(table, "first"), second: sideName(table, "second") };
    const seeds = { owns: owned.first, other: owned.second };
    const over = t(adds ? "round.added.over" : "round.over", { ...sides, ...seeds, n: n - 1, next: n });
    const burnt = position.includes("x") ? tOr(`game.${table.game.id}.burnt`, "round.burnt") : "";
    return [over, burnt].filter(Boolean).join(" ");
  };
}

/** Shows a message, and announces it. @param {Table} table @param {() => string} text @returns {Effect} */
export function say(table, text) {
  table.notice = text;
  return { kind: "announce", text: text() };
}

/**
 * Takes in the news of the line; phrases are not among them.
 * @param {Table} table
 * @param {MatchNews} news
 * @returns {Effect[]}
 */
export function hear(table, news) {
  if (news.kind === "refused") return [say(table, () => refusalText(news.error))];
  if (news.kind !== "event") return [];
  const { event, state } = news.msg;
  const effects =
    event.kind === "move" ? hearMove(table, event, !state.result && state.turn === event.side) : hearOffer(table, event.kind, event.side);
  if (state.result) {
    withdraw(table);
    effects.push(
      { kind: "ended" },
      { kind: "sound", name: "end" },
      { kind: "announce", text: [endingText(table), statusText(table)].filter(Boolean).join(" · ") },
    );
  } else if (event.kind === "move") effects.push(...playAhead(table));
  return effects;
}

/** The text of the rule that restricts the reader's moves now; empty without one. @param {Table} table */
export function boundTextOf(table) {
  const { legal, turn } = table.match.view;
  const why = bound(table);
  return why === null ? "" : boundText(why, table.game.path(legal[0] ?? "", turn));
}

/**
 * A ply. A reader at an earlier ply stays there; at the latest ply the board follows.
 * @param {Table} table
 * @param {{ move: string, side: Side }} ply
 * @param {boolean} again whether the same side moves again
 * @returns {Effect[]}
 */
function hearMove(table, { move, side }, again) {
  const { game } = table;
  table.notice = null;
  /** @type {Effect[]} */
  const effects = [{ kind: "sound", name: "move" }];
  if (game.path(move, side).length === 0) effects.push(say(table, () => t("match.passed", { side: sideName(table, side) })));
  else {
    const before = () => piecesAt(table, table.match.view.plies.length - 1);
    effects.push({ kind: "announce", text: plyText(game, { move, side, again, before }) });
  }
  const duty = boundTextOf(table);
  if (duty !== "") effects.push({ kind: "announce", text: duty });
  const round = roundOver(table);
  if (round !== null) effects.push(say(table, round));
  return effects;
}

/**
 * An event that is no ply.
 * @param {Table} table
 * @param {string} kind
 * @param {Side | null | undefined} side
 * @returns {Effect[]}
 */
function hearOffer(table, kind, side) {
  const isTheirs = side !== table.match.you;
  if (kind === "offer-draw" && isTheirs) return [{ kind: "announce", text: t("draw.asked") }];
  if (kind === "decline-draw" && isTheirs) return [say(table, () => t("draw.declined"))];
  if (kind === "offer-takeback" && isTheirs) return [{ kind: "announce", text: t("takeback.asked") }];
  if (kind === "decline-takeback" && isTheirs) return [say(table, () => t("takeback.declined"))];
  if (kind === "berserk" && side)
    return [say(table, () => t(isTheirs ? "berserk.halved" : "berserk.yours", { name: sideName(table, side) }))];
  if (kind === "give-time" && isSeated(table)) return [say(table, () => t(isTheirs ? "gift.got" : "gift.given"))];
  if (kind !== "takeback") return [];
  table.lookedAt = null;
  table.notice = null;
  withdraw(table);
  return [{ kind: "announce", text: t("takeback.done") }];
}

/** The text of the premove. @param {Table} table */
export function aheadText({ hand, match, game }) {
  const move = aheadMove(hand, match.you ?? "first");
  return move === null ? "" : game.spoken(move);
}

/** Plays the premove when the turn has come, or drops it with a message if it is illegal. @param {Table} table @returns {Effect[]} */
function playAhead(table) {
  const { hand, match } = table;
  const cells = hand.ahead;
  if (cells === null || !myTurn(table) || isOver(table)) return [];
  const { legal, turn } = match.view;
  const wish = aheadMove(hand, turn);
  hand.ahead = null;
  const move = legal.find((one) => one === wish) ?? meantMove(cells, legal);
  return [move === null ? say(table, () => t("premove.dropped")) : { kind: "play", move }];
}
