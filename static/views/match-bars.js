// @ts-check
// The messages and questions beside the board of a match, as bars; and the player's actions other than moves.
//
//   div.bars     a move to confirm or made ahead, the line, offers, a claim, the next match
//   div.actions

import { h, hideWhen, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { loadPart, t } from "../core/i18n.js";
import { canAbort, canGiveTime, canOfferDraw, canResign, canSpeak, canTakeBack, claimIn, isComputerAway } from "../net/rights.js";
import { aheadText, sideName } from "./match-news.js";
import { isOver, isSeated, toConfirm, withdraw } from "./match-state.js";
import { sign } from "./parts/sign.js";
import { sureButton } from "./parts/sure-button.js";

/** @import { Child } from "../core/dom.js" */
/** @import { Command } from "../core/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { Table } from "./match-state.js" */
/** @import { Seat } from "./seat.js" */

/** The delay after which the page shows that a move has no answer yet. */
const HELD_MS = 2_000;

/** @typedef {Exclude<Command["kind"], "move">} Wish a command other than a move */

/**
 * @typedef {Object} Place
 * @property {HTMLElement} confirmButton
 * @property {(kind: Wish) => void} ask
 * @property {() => void} update called when the state has changed
 * @property {(id: string) => string} path the address of a match
 */

/** What the actions that few matches have need. @typedef {Pick<Place, "ask" | "path"> & { seats: Record<"top" | "bottom", Seat> }} RareNeeds */

/**
 * The parts that change with time.
 * @typedef {Object} Waits
 * @property {boolean} held whether a move has waited too long on an open line: the server cannot save it at the moment
 * @property {string} absence the text about an absent opponent
 * @property {boolean} claimable whether the win can be claimed from them
 * @property {number} rematch the seconds for which the offer of a rematch stands
 */

/**
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {Place} place
 */
export function matchBars(ctx, table, place) {
  /** @type {Waits} */
  const waits = { held: false, absence: "", claimable: false, rematch: 0 };
  const command = commandButton(place.ask, () => table.asking > 0);
  const el = h(
    "div",
    { class: "bars" },
    ...moveBars(table, place),
    ...lineBars(ctx, table, waits),
    ...drawBars(table, command),
    ...takebackBars(table, command),
    claimBar(waits, command),
    ...rematchBars(ctx, table, waits, place),
  );

  return {
    el,

    /** Updates the parts that change with time. */
    tick() {
      const { match, sent } = table;
      const claim = claimIn(match, performance.now());
      const absence = claim ? t("claim.soon", { n: Math.ceil(claim / 1000) }) : claim === 0 ? t("claim.now") : "";
      const held = sent !== null && performance.now() - sent.at > HELD_MS && ctx.line.status() === "open";
      const rematch = offerSeconds(match, performance.now());
      if (absence === waits.absence && held === waits.held && rematch === waits.rematch) return;
      if (claim === 0 && absence !== waits.absence) ctx.announce(absence);
      Object.assign(waits, { held, absence, claimable: claim === 0, rematch });
      refresh(el);
    },
  };
}

/** @typedef {(label: string, kind: Wish, primary?: boolean, symbol?: string) => HTMLElement} CommandButton */

/** @param {() => boolean} hidden @param {Child[]} children */
const bar = (hidden, ...children) => hideWhen(h("div", { class: "bar" }, ...children), hidden);

/** @param {() => string} text */
const said = (text) => h("span", {}, text);

/** A move to confirm, and the premove. @param {Table} table @param {Place} place */
function moveBars(table, { confirmButton, update }) {
  const withdrawButton = () =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          withdraw(table);
          update();
        },
      },
      () => t("challenge.cancel"),
    );
  return [
    bar(
      () => toConfirm(table) === null,
      said(() => {
        const move = toConfirm(table)?.move;
        return move === undefined ? "" : t("confirm.asked", { move: table.game.spoken(move) });
      }),
      confirmButton,
      withdrawButton(),
    ),
    bar(
      () => table.hand.ahead === null,
      said(() => t("premove.kept", { move: aheadText(table) })),
      withdrawButton(),
    ),
  ];
}

/** @param {MatchContext} ctx @param {Table} table @param {Waits} waits */
const lineBars = ({ line }, table, waits) => [
  bar(
    () => line.status() !== "down",
    said(() => t(table.sent !== null || line.waiting() > 0 ? "line.kept" : "line.away")),
  ),
  bar(
    () => !waits.held,
    said(() => t("line.held")),
  ),
  bar(
    () => !isComputerAway(table.match),
    said(() => t("computer.away")),
  ),
];

/** @param {Table} table @param {CommandButton} command */
function drawBars(table, command) {
  const from = () => (isOver(table) ? null : table.match.view.draw_offer);
  return [
    bar(
      () => !isSeated(table) || from() !== table.match.you,
      said(() => t("draw.offered")),
    ),
    bar(
      () => !isSeated(table) || from() === null || from() === table.match.you,
      said(() => t("draw.asked")),
      command("draw.accept", "accept-draw", true),
      command("draw.decline", "decline-draw"),
    ),
    bar(
      () => isSeated(table) || from() === null,
      said(() => t("draw.watched", { side: sideName(table, from() ?? "first") })),
    ),
  ];
}

/** @param {Table} table @param {CommandButton} command */
function takebackBars(table, command) {
  const from = () => (isOver(table) ? null : table.match.view.takeback_offer);
  return [
    bar(
      () => !isSeated(table) || from() !== table.match.you,
      said(() => t("takeback.pending")),
    ),
    bar(
      () => !isSeated(table) || from() === null || from() === table.match.you,
      said(() => t("takeback.asked")),
      command("takeback.accept", "accept-takeback", true),
      command("draw.decline", "decline-takeback"),
    ),
    bar(
      () => isSeated(table) || from() === null,
      said(() => t("takeback.watched", { side: sideName(table, from() ?? "first") })),
    ),
  ];
}

/** @param {Waits} waits @param {CommandButton} command */
const claimBar = (waits, command) =>
  bar(
    () => waits.absence === "",
    said(() => waits.absence),
    hideWhen(command("claim.win", "claim-win", true), () => !waits.claimable),
    hideWhen(command("claim.draw", "claim-draw"), () => !waits.claimable),
  );

/** The seconds for which the offer of a rematch stands. @param {MatchState} match @param {number} now */
const offerSeconds = ({ rematch, rematchAt }, now) =>
  rematch.offer_ms === null ? 0 : Math.max(0, Math.ceil((rematch.offer_ms - (now - rematchAt)) / 1000));

/** @param {MatchContext} ctx @param {Table} table @param {Waits} waits @param {Place} place */
function rematchBars({ line }, table, waits, { path }) {
  const from = () => (isSeated(table) && isOver(table) && table.match.rematch.next === null ? table.match.rematch.offered_by : null);
  const { id } = table.match.view;
  return [
    bar(
      () => from() === null || from() !== table.match.you,
      said(() => t("rematch.offered")),
      countdown(waits),
    ),
    bar(
      () => from() === null || from() === table.match.you,
      said(() => t("rematch.asked")),
      countdown(waits),
      h("button", { type: "button", class: "primary", disabled: () => line.status() !== "open", onclick: () => line.rematch(id) }, () =>
        t("rematch.accept"),
      ),
    ),
    bar(
      () => table.match.rematch.next === null,
      said(() => t("rematch.made")),
      h("a", { class: "button", href: () => path(table.match.rematch.next ?? "") }, () => t("rematch.go")),
    ),
  ];
}

/** @param {Waits} waits */
const countdown = (waits) =>
  hideWhen(
    h("span", { class: "countdown" }, () => t("clock.seconds", { n: waits.rematch })),
    () => waits.rematch === 0,
  );

/** @param {(kind: Wish) => void} ask @param {() => boolean} asking @returns {CommandButton} */
const commandButton =
  (ask, asking) =>
  (label, kind, primary = false, symbol = "") =>
    h(
      "button",
      { type: "button", class: primary ? "primary" : "", disabled: asking, onclick: () => ask(kind) },
      ...(symbol === "" ? [] : [sign(symbol), " "]),
      () => t(label),
    );

/**
 * @param {MatchContext} ctx
 * @param {Table} table
 * @param {RareNeeds & { phrases: HTMLElement, hint: HTMLElement, onFlip: () => void }} place
 */
export function matchActions(ctx, table, place) {
  const { ask, path, phrases, hint, onFlip } = place;
  const { match, oneDevice } = table;
  const asking = () => table.asking > 0;
  const command = commandButton(ask, asking);
  // The opponent's offer has a bar of its own.
  const isAsked = () => match.rematch.offered_by !== null && match.rematch.offered_by !== match.you;
  return h(
    "div",
    { class: "actions" },
    rareSlot(ctx, table, place),
    hint,
    hideWhen(command("takeback.ask", "offer-takeback", false, "takeback"), () => !canTakeBack(match)),
    hideWhen(command("match.abort", "abort"), () => !canAbort(match)),
    hideWhen(
      sureButton(
        () => t("match.resign"),
        () => t("match.resign.sure"),
        () => ask("resign"),
        { disabled: asking },
        "",
        "flag",
      ),
      () => !canResign(match),
    ),
    hideWhen(command(oneDevice ? "draw.agree" : "draw.offer", "offer-draw"), () => !canOfferDraw(match)),
    hideWhen(giftButton(ask, asking), () => !canGiveTime(match)),
    hideWhen(phrases, () => !canSpeak(match)),
    hideWhen(rematchButton(ctx, match), () => !isSeated(table) || !isOver(table) || match.rematch.next !== null || isAsked()),
    hideWhen(
      h("a", { class: "button", href: "/" }, () => t("match.new")),
      () => isSeated(table) && !isOver(table),
    ),
    hideWhen(
      h("a", { class: "button", href: `/analysis${path(match.view.id).replace(/^\/match/, "")}` }, () => t("match.analyse")),
      () => !isOver(table) || match.view.plies.length === 0,
    ),
    h("button", { type: "button", onclick: onFlip }, sign("flip"), " ", () => t("match.flip")),
    rulesButton(ctx, table),
  );
}

/** The place of the actions that few matches have: those by the day, and those in which a clock may be halved. @param {MatchContext} ctx @param {Table} table @param {RareNeeds} needs */
function rareSlot(ctx, table, needs) {
  const { options, time_control } = table.match.view;
  const isByTheDay = isSeated(table) && !table.isLocal && time_control.kind === "correspondence";
  if (!isByTheDay && !options.berserk) return null;
  const slot = h("span", { hidden: true });
  (isByTheDay ? import("./by-the-day.js") : import("./berserk.js")).then(
    ({ rareActions }) => {
      const els = rareActions(ctx, table, needs);
      slot.replaceWith(...els);
      els.forEach(refresh);
    },
    // The list of the home page is left.
    () => slot.remove(),
  );
  return slot;
}

/** @param {MatchContext} ctx @param {Table} table */
function rulesButton(ctx, table) {
  const open = () =>
    Promise.all([import("./rules-sheet.js"), loadPart("rules"), loadStyle("rules")]).then(
      ([{ openRules }]) => openRules(ctx, table.game),
      () => ctx.go(`/rules/${table.game.id}`),
    );
  return h("button", { type: "button", onclick: open }, sign("rules"), " ", () => t("menu.rules"));
}

/** @param {(kind: Wish) => void} ask @param {() => boolean} asking */
const giftButton = (ask, asking) =>
  h(
    "button",
    {
      type: "button",
      class: "gift",
      disabled: asking,
      onclick: () => ask("give-time"),
      title: () => t("gift.label"),
      "aria-label": () => `${t("gift.give")}: ${t("gift.label")}`,
    },
    () => t("gift.give"),
  );

/** @param {MatchContext} ctx @param {MatchState} match */
const rematchButton = ({ line }, match) =>
  h(
    "button",
    {
      type: "button",
      class: "primary",
      disabled: () => line.status() !== "open" || match.rematch.offered_by === match.you,
      onclick: () => line.rematch(match.view.id),
    },
    () => t("rematch.offer"),
  );
