// @ts-check
// The messages and questions beside the board of a match, as bars; and the player's actions other than moves.
//
//   div.bars     a move to confirm or made ahead, the line, offers, a claim, the next match
//   div.actions

import { h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import {
  canAbort,
  canGiveTime,
  canOfferDraw,
  canResign,
  canSpeak,
  canTakeBack,
  claimIn,
  isComputerAway,
  onOneDevice,
} from "../net/rights.js";
import { sureButton } from "./parts/sure-button.js";

/** @import { Child } from "../core/dom.js" */
/** @import { Command, Side } from "../core/types.js" */
/** @import { Game } from "../games/types.js" */
/** @import { MatchState } from "../net/match.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { matchHand } from "./match-hand.js" */

/** The delay after which the page shows that a move has no answer yet. */
const HELD_MS = 2_000;

/** @typedef {Exclude<Command["kind"], "move">} Wish a command other than a move */

/**
 * @param {MatchContext} ctx
 * @param {MatchState} match
 * @param {Game} game
 * @param {Object} place
 * @param {ReturnType<typeof matchHand>} place.hand
 * @param {(kind: Wish) => void} place.ask
 * @param {() => boolean} place.asking whether a command has no answer yet
 * @param {() => void} place.refreshAll
 * @param {(id: string) => string} place.path the address of a match
 */
export function matchBars(ctx, match, game, { hand, ask, asking, refreshAll, path }) {
  const { line } = ctx;
  /** Whether a move has waited too long on an open line: the server cannot save it at the moment. */
  let held = false;
  /** The text about an absent opponent, and whether the win can be claimed. */
  let absence = "";
  let claimable = false;

  const now = () => match.view;
  const over = () => now().result !== null;
  const seated = () => match.you !== null;
  const offerFrom = () => (over() ? null : now().draw_offer);
  const takebackFrom = () => (over() ? null : now().takeback_offer);
  const sideName = (/** @type {Side} */ side) => t(`game.${game.id}.side.${side}`);
  const bar = (/** @type {() => boolean} */ hidden, /** @type {Child[]} */ ...children) =>
    hideWhen(h("div", { class: "bar" }, ...children), hidden);
  const command = commandButton(ask, asking);
  const withdrawButton = () =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          hand.withdraw();
          refreshAll();
        },
      },
      () => t("challenge.cancel"),
    );

  const el = h(
    "div",
    { class: "bars" },
    bar(
      () => hand.proposed() === null,
      h("span", {}, () => {
        const move = hand.proposed()?.move;
        return move === undefined ? "" : t("confirm.asked", { move: game.spoken(move) });
      }),
      hand.confirmButton,
      withdrawButton(),
    ),
    bar(
      () => !hand.isAhead(),
      h("span", {}, () => t("premove.kept", { move: hand.aheadText() })),
      withdrawButton(),
    ),
    bar(
      () => line.status() !== "down",
      h("span", {}, () => t(hand.sentAt() !== null || line.waiting() > 0 ? "line.kept" : "line.away")),
    ),
    bar(
      () => !held,
      h("span", {}, () => t("line.held")),
    ),
    bar(
      () => !isComputerAway(match),
      h("span", {}, () => t("computer.away")),
    ),
    bar(
      () => !seated() || offerFrom() !== match.you,
      h("span", {}, () => t("draw.offered")),
    ),
    bar(
      () => !seated() || offerFrom() === null || offerFrom() === match.you,
      h("span", {}, () => t("draw.asked")),
      command("draw.accept", "accept-draw", true),
      command("draw.decline", "decline-draw"),
    ),
    bar(
      () => seated() || offerFrom() === null,
      h("span", {}, () => t("draw.watched", { side: sideName(offerFrom() ?? "first") })),
    ),
    bar(
      () => !seated() || takebackFrom() !== match.you,
      h("span", {}, () => t("takeback.pending")),
    ),
    bar(
      () => !seated() || takebackFrom() === null || takebackFrom() === match.you,
      h("span", {}, () => t("takeback.asked")),
      command("takeback.accept", "accept-takeback", true),
      command("draw.decline", "decline-takeback"),
    ),
    bar(
      () => seated() || takebackFrom() === null,
      h("span", {}, () => t("takeback.watched", { side: sideName(takebackFrom() ?? "first") })),
    ),
    bar(
      () => absence === "",
      h("span", {}, () => absence),
      hideWhen(command("claim.win", "claim-win", true), () => !claimable),
      hideWhen(command("claim.draw", "claim-draw"), () => !claimable),
    ),
    bar(
      () => !seated() || !over() || match.rematch.next !== null || match.rematch.offered_by !== match.you,
      h("span", {}, () => t("rematch.offered")),
    ),
    bar(
      () => match.rematch.next === null,
      h("span", {}, () => t("rematch.made")),
      h("a", { class: "button", href: () => path(match.rematch.next ?? "") }, () => t("rematch.go")),
    ),
  );

  return {
    el,

    /** Updates the parts that change with time. */
    tick() {
      const claim = claimIn(match, performance.now());
      const away = claim ? t("claim.soon", { n: Math.ceil(claim / 1000) }) : claim === 0 ? t("claim.now") : "";
      const sentAt = hand.sentAt();
      const waits = sentAt !== null && performance.now() - sentAt > HELD_MS && line.status() === "open";
      if (away === absence && waits === held) return;
      if (claim === 0 && away !== absence) ctx.announce(away);
      absence = away;
      claimable = claim === 0;
      held = waits;
      refresh(el);
    },
  };
}

/** @param {(kind: Wish) => void} ask @param {() => boolean} asking */
const commandButton =
  (ask, asking) =>
  (/** @type {string} */ label, /** @type {Wish} */ kind, primary = false) =>
    h("button", { type: "button", class: primary ? "primary" : "", disabled: asking, onclick: () => ask(kind) }, () => t(label));

/**
 * @param {MatchContext} ctx
 * @param {MatchState} match
 * @param {Object} place
 * @param {(kind: Wish) => void} place.ask
 * @param {() => boolean} place.asking
 * @param {boolean} place.isLocal
 * @param {HTMLElement} place.phrases
 * @param {HTMLElement} place.hint
 * @param {(id: string) => string} place.path the address of a match
 * @param {() => void} place.onFlip
 */
export function matchActions(ctx, match, { ask, asking, isLocal, phrases, hint, path, onFlip }) {
  const { line } = ctx;
  const { id } = match.view;
  const oneDevice = onOneDevice(match.view);
  const over = () => match.view.result !== null;
  const seated = () => match.you !== null;
  const command = commandButton(ask, asking);
  return h(
    "div",
    { class: "actions" },
    hint,
    hideWhen(command("takeback.ask", "offer-takeback"), () => !canTakeBack(match)),
    hideWhen(command("match.abort", "abort"), () => !canAbort(match)),
    hideWhen(
      sureButton(
        () => t("match.resign"),
        () => t("match.resign.sure"),
        () => ask("resign"),
        { disabled: asking },
      ),
      () => !canResign(match),
    ),
    hideWhen(command(oneDevice ? "draw.agree" : "draw.offer", "offer-draw"), () => !canOfferDraw(match) || (isLocal && !oneDevice)),
    hideWhen(
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
      ),
      () => !canGiveTime(match),
    ),
    hideWhen(phrases, () => !canSpeak(match)),
    hideWhen(
      h(
        "button",
        {
          type: "button",
          class: "primary",
          disabled: () => line.status() !== "open" || match.rematch.offered_by === match.you,
          onclick: () => line.rematch(id),
        },
        () => t(match.rematch.offered_by === null || match.rematch.offered_by === match.you ? "rematch.offer" : "rematch.accept"),
      ),
      () => !seated() || !over() || match.rematch.next !== null,
    ),
    hideWhen(
      h("a", { class: "button", href: "/" }, () => t("match.new")),
      () => seated() && !over(),
    ),
    hideWhen(
      h("a", { class: "button", href: `/analysis${path(id).replace(/^\/match/, "")}` }, () => t("match.analyse")),
      () => !over() || match.view.plies.length === 0,
    ),
    h("button", { type: "button", onclick: onFlip }, () => t("match.flip")),
  );
}
