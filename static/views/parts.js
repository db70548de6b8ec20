// @ts-check
// Small things that several views say or show alike.

import { h, onRefresh, refresh, svg } from "../core/dom.js";
import { day, number, t, tOr } from "../core/i18n.js";
import { speedOf } from "../core/time.js";
import { problemOf } from "../net/api.js";

/** @import { MatchResult, MatchSummary, PlayerRef, RatingRef, SeatView, Side, SideWish, TimeControl } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** Time controls one click away; the middle of the road is the default. */
const PRESETS = /** @type {[number, number][]} */ ([[1, 1], [3, 2], [5, 3], [10, 5], [30, 10]]);
const DEFAULT_PRESET = "5+3";

/** How long "are you sure" stays open. */
const SURE_MS = 4_000;

/** @param {PlayerRef} player */
export const playerName = (player) => (player.kind === "bot" && player.level ? t("player.bot", { n: player.level }) : player.name);

/** @param {PlayerRef} player */
export const playerPath = (player) => `/player/${encodeURIComponent(player.name)}`;

/** @param {PlayerRef} player */
export function playerLink(player) {
  if (player.kind === "bot") return h("span", { class: "player" }, () => playerName(player));
  return h("a", { class: "player", href: playerPath(player) }, player.name);
}

/** @param {RatingRef | null} rating */
export const ratingText = (rating) => (rating ? `${number(rating.rating, { useGrouping: false })}${rating.provisional ? "?" : ""}` : "");

/** @param {SeatView} seat */
export function seatText({ player, rating }) {
  return rating ? `${playerName(player)} (${ratingText(rating)})` : playerName(player);
}

/** @param {TimeControl} control */
export function timeText(control) {
  if (control.kind === "correspondence") return t("time.days", { n: control.days });
  if (control.kind === "unlimited") return t("time.unlimited");
  const minutes = number(control.base_ms / 60_000, { maximumFractionDigits: 2 });
  return t("time.control", { minutes, seconds: number(control.increment_ms / 1000) });
}

/** @param {{ time_control: TimeControl, rated: boolean }} match */
export function termsText({ time_control, rated }) {
  return [t(`speed.${speedOf(time_control)}`), timeText(time_control), t(rated ? "match.rated" : "match.casual")].join(" · ");
}

/**
 * How a match ended, in a sentence, and why.
 * @param {string} game
 * @param {MatchResult} result
 */
export function resultText(game, { winner, reason, score }) {
  if (reason === "aborted") return t("result.aborted");
  const who = winner ? t(`game.${game}.won.${winner}`) : t("result.draw");
  const count = score ? ` ${number(score.first)} : ${number(score.second)}` : "";
  return `${who}${count} – ${tOr(`reason.${reason}`, "reason.other")}`;
}

/**
 * What went wrong, in the reader's language.
 * @param {unknown} error
 */
export function problemText(error) {
  const { code } = problemOf(error);
  return tOr(`problem.${code}`, "problem.other");
}

/**
 * A row that leads to a match: who, what, how it went.
 * @param {MatchSummary} match
 * @param {string} [of] the player whose history it is
 */
export function matchRow(match, of) {
  const seat = (/** @type {Side} */ side) => h("span", { class: `who ${side}` }, stoneMark(side), h("span", {}, () => seatText(match.seats[side])));
  const mine = of === undefined ? null : sideOf(match, of);
  const outcome = () => (match.result ? `${resultText(match.game, match.result)} · ${t("match.plies", { n: match.plies ?? 0 })}` : t("match.live"));
  const change = mine ? match.seats[mine].rating_change : null;
  return h("li", {},
    h("a", { class: "match-row", href: `/match/${match.id}` },
      h("span", { class: "players" }, seat("first"), seat("second")),
      h("span", { class: "terms" }, () => termsText(match)),
      h("span", { class: () => `outcome ${mine && match.result ? verdict(match.result, mine) : ""}` }, outcome,
        change === null || change === undefined ? null : h("span", { class: "change" }, () => ` ${number(change, { signDisplay: "exceptZero" })}`)),
      h("time", { datetime: match.finished_at ?? match.created_at }, () => day(match.finished_at ?? match.created_at)),
    ));
}

/** @param {MatchSummary} match @param {string} name @returns {Side | null} */
function sideOf({ seats }, name) {
  const same = (/** @type {SeatView} */ seat) => seat.player.name.toLowerCase() === name.toLowerCase();
  return same(seats.first) ? "first" : same(seats.second) ? "second" : null;
}

/** @param {MatchResult} result @param {Side} side */
function verdict({ winner, reason }, side) {
  if (reason === "aborted") return "";
  return winner === null ? "drawn" : winner === side ? "won" : "lost";
}

/** A little stone that says which side is meant; the words beside it say it too. @param {Side | "random"} side */
export function stoneMark(side) {
  const half = side === "random" ? [svg("path", { class: "half", d: "M10 2a8 8 0 0 1 0 16z" })] : [];
  return svg("svg", { class: `mark ${side}`, viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("circle", { cx: 10, cy: 10, r: 8 }), ...half);
}

/**
 * A choice of one among few, as a row of buttons; radio buttons underneath.
 * @param {string} group
 * @param {() => string} legend
 * @param {{ value: string, label: () => string, mark?: Side | "random" }[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function choiceRow(group, legend, choices, chosen, onChange) {
  return h("fieldset", { class: `choice-row ${group}` },
    h("legend", {}, legend),
    h("div", { class: "choices" }, choices.map(({ value, label, mark }) => (
      h("label", { class: "choice" },
        h("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => onChange(value) }),
        h("span", {}, mark ? stoneMark(mark) : null, label)))),
    ));
}

/**
 * @param {string} group
 * @param {string} game
 */
export function sidePicker(group, game) {
  /** @type {SideWish} */
  let side = "random";
  const el = choiceRow(group, () => t("new.side"), [
    { value: "first", label: () => t(`game.${game}.side.first`), mark: "first" },
    { value: "random", label: () => t("new.side.random"), mark: "random" },
    { value: "second", label: () => t(`game.${game}.side.second`), mark: "second" },
  ], side, (value) => {
    side = /** @type {SideWish} */ (value);
  });
  return { el, side: () => side };
}

/**
 * Presets, or minutes and seconds of one's own.
 * @param {string} group
 */
export function timePicker(group) {
  let chosen = DEFAULT_PRESET;
  const minutes = h("input", { type: "number", inputmode: "decimal", min: 0.25, max: 180, step: "any", value: 15 });
  const seconds = h("input", { type: "number", inputmode: "numeric", min: 0, max: 180, step: 1, value: 10 });
  const own = h("div", { class: "own-time", hidden: true },
    h("label", {}, h("span", {}, () => t("time.minutes")), minutes),
    h("label", {}, h("span", {}, () => t("time.increment")), seconds));
  const presets = PRESETS.map(([base, increment]) => ({
    value: `${base}+${increment}`,
    label: () => `${number(base)} + ${number(increment)}`,
  }));
  /** @returns {TimeControl} */
  const control = () => {
    const [base = 5, increment = 3] = chosen === "own" ? [minutes.valueAsNumber || 15, seconds.valueAsNumber || 0] : chosen.split("+").map(Number);
    const whole = (/** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max) => Math.round(Math.max(min, Math.min(max, value)));
    return { kind: "realtime", base_ms: whole(base * 60_000, 10_000, 10_800_000), increment_ms: whole(increment * 1000, 0, 180_000) };
  };
  const speed = h("output", { class: "speed" }, () => t(`speed.${speedOf(control())}`));
  const row = choiceRow(group, () => t("new.time"), [...presets, { value: "own", label: () => t("time.own") }], chosen, (value) => {
    chosen = value;
    own.hidden = value !== "own";
    refresh(speed);
  });
  row.querySelector("legend")?.append(" ", speed);
  own.addEventListener("input", () => refresh(speed));
  return { el: h("div", { class: "time-picker" }, row, own), control };
}

/**
 * A link that can be taken along.
 * @param {() => string} label
 * @param {string} url
 * @param {Context} ctx
 */
export function copyField(label, url, ctx) {
  let copied = false;
  const input = h("input", { type: "text", readonly: true, value: url, "aria-label": label });
  input.addEventListener("focus", () => input.select());
  const button = h("button", { type: "button", onclick: copy }, () => t(copied ? "copy.done" : "copy.do"));
  async function copy() {
    try {
      await navigator.clipboard.writeText(url);
      copied = true;
      ctx.announce(t("copy.done"));
    } catch {
      // Without a secure context there is no clipboard; the link is selected, to be copied by hand.
      input.focus();
      input.select();
    }
    refresh(button);
  }
  return h("div", { class: "copy-field" }, input, button);
}

/**
 * A button that asks by being pressed twice.
 * @param {() => string} label
 * @param {() => string} sureLabel
 * @param {() => void} act
 * @param {Record<string, import("../core/dom.js").Attr>} [attrs]
 */
export function sureButton(label, sureLabel, act, attrs = {}) {
  /** @type {ReturnType<typeof setTimeout> | null} */
  let sure = null;
  const calm = () => {
    if (sure) clearTimeout(sure);
    sure = null;
    refresh(button);
  };
  const button = h("button", {
    type: "button",
    class: () => (sure ? "sure" : ""),
    onblur: calm,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") calm();
    },
    onclick: () => {
      if (sure) {
        calm();
        act();
      } else {
        sure = setTimeout(calm, SURE_MS);
        refresh(button);
      }
    },
    ...attrs,
  }, () => (sure ? sureLabel() : label()));
  return button;
}

/**
 * A form's line for what went wrong; empty most of the time.
 * @returns {{ el: HTMLElement, say: (text: (() => string) | null) => void }}
 */
export function errorLine() {
  /** @type {(() => string) | null} */
  let text = null;
  const el = h("p", { class: "error", role: "alert", hidden: () => text === null }, () => (text ? text() : ""));
  return {
    el,
    say(next) {
      text = next;
      refresh(el);
    },
  };
}

/**
 * Something fetched: its place says that it is loading, or why it did not come, until it is there.
 * @template T
 * @param {() => Promise<T>} fetchIt
 * @param {(value: T) => HTMLElement | null} build
 * @param {{ problem?: (error: unknown) => HTMLElement }} [options]
 */
export function loaded(fetchIt, build, { problem } = {}) {
  const host = h("div", { class: "loaded", "aria-busy": "true" });
  const fail = (/** @type {unknown} */ error) => problem?.(error) ?? h("p", { class: "quiet" }, () => problemText(error), " ",
    h("button", { type: "button", onclick: load }, () => t("retry")));
  async function load() {
    /** @type {HTMLElement | null} */
    let content;
    try {
      content = build(await fetchIt());
    } catch (error) {
      content = fail(error);
    }
    host.removeAttribute("aria-busy");
    host.replaceChildren(...(content ? [content] : []));
  }
  void load();
  return { el: host, load };
}

/** A page that is not there. @param {() => string} text */
export function nothingHere(text) {
  return h("section", { class: "page narrow" },
    h("h1", { tabindex: "-1" }, () => t("missing.title")),
    h("p", {}, text),
    h("p", {}, h("a", { class: "button", href: "/" }, () => t("missing.home"))));
}

/**
 * Two live values in one place; used where a row of text depends on state.
 * @param {HTMLElement} el
 * @param {() => boolean} hidden
 */
export function hideWhen(el, hidden) {
  onRefresh(el, () => {
    el.hidden = hidden();
  });
  return el;
}
