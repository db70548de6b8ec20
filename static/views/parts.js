// @ts-check
// Small parts and texts that several views share.

import { h, onRefresh, refresh, svg } from "../core/dom.js";
import { isCalledOff } from "../core/end-reason.js";
import { day, knows, number, t, tOr } from "../core/i18n.js";
import { speedOf } from "../core/time.js";
import { GAMES, gameOf } from "../games/index.js";
import { isOpen, setupOf } from "../games/setup.js";
import { problemOf } from "../net/api.js";

/** @import { DeclineReason, ErrorMsg, MatchOptions, MatchResult, MatchSummary, PlayerRef, RatingRef, SeatView, Side, SideWish, TimeControl } from "../core/types.js" */
/** @import { Pool } from "../net/lobby.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context } from "./context.js" */

/** Days for each turn of a correspondence match. */
const DAYS = [1, 2, 3, 5, 7, 14];
const DEFAULT_DAYS = 3;

/** A wait of up to this many seconds is called a moment; a longer one is given in minutes. */
const A_MOMENT_S = 20;

/** The time controls offered as buttons; a middle one is the default. */
const PRESETS = /** @type {[number, number][]} */ ([
  [1, 1],
  [3, 2],
  [5, 3],
  [10, 5],
  [30, 10],
]);
const DEFAULT_PRESET = "5+3";

/** The time for which a button asks for confirmation. */
const SURE_MS = 4_000;

/** @param {PlayerRef} player */
export function playerName(player) {
  if (player.kind !== "bot") return player.name;
  return player.level ? t("player.bot", { n: player.level }) : t("player.program", { name: player.name });
}

/** @param {PlayerRef} player */
export const playerPath = (player) => `/player/${encodeURIComponent(player.name)}`;

/** @param {PlayerRef} player */
export function playerLink(player) {
  if (player.kind === "bot" && player.level) return h("span", { class: "player" }, () => playerName(player));
  return h("a", { class: "player", href: playerPath(player) }, () => playerName(player));
}

/**
 * The link to the form for reporting a player.
 * @param {PlayerRef} player
 * @param {string} [match] the match that the report is about
 */
export const reportLink = (player, match) =>
  h("a", { class: "report", href: `${playerPath(player)}/report${match === undefined ? "" : `?match=${match}`}` }, () =>
    t("report.title", { name: player.name }),
  );

/** @param {RatingRef | null} rating */
export const ratingText = (rating) =>
  rating ? `${number(rating.rating, { useGrouping: false, maximumFractionDigits: 0 })}${rating.provisional ? "?" : ""}` : "";

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

/**
 * The differences between a setup and the standard game.
 * @param {string} game
 * @param {string} setup
 */
export function setupText(game, setup) {
  const pairs = setup
    .split(",")
    .filter(Boolean)
    .map((pair) => pair.split("="));
  const told = (gameOf(game)?.options ?? []).flatMap(({ key }) => {
    const value = pairs.find(([name]) => name === key)?.[1];
    return value === undefined ? [] : [optionText(game, key, value)];
  });
  return told.join(" · ");
}

/** @param {string} game @param {string} key @param {string} value */
export const optionText = (game, key, value) => tOr(`game.${game}.option.${key}.${value}`, `option.${key}`, { n: Number(value) });

/**
 * The unusual options of a match: the players' rights, and privacy.
 * @param {{ rated: boolean, options: MatchOptions, private?: boolean }} match
 */
function optionTexts({ rated, options: { takebacks, free_takebacks, give_time, phrases }, private: hidden = false }) {
  return [
    hidden ? t("match.private") : "",
    takebacks && rated ? t("match.takebacks") : "",
    !takebacks && !rated ? t("match.no-takebacks") : "",
    free_takebacks ? t("match.free-takebacks") : "",
    give_time ? "" : t("match.no-gifts"),
    phrases ? "" : t("match.no-phrases"),
  ];
}

/** @param {{ game: string, setup: string, time_control: TimeControl, rated: boolean, options: MatchOptions, private?: boolean }} match */
export function termsText({ game, setup, time_control, rated, ...more }) {
  const speed = time_control.kind === "unlimited" ? "" : t(`speed.${speedOf(time_control)}`);
  return [
    setupText(game, setup),
    speed,
    timeText(time_control),
    t(rated ? "match.rated" : "match.casual"),
    ...optionTexts({ rated, ...more }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * The weight of a match in the rating, unless it is 1.
 * @param {{ rating_weight?: number | null, voided?: boolean }} match
 */
export function countsText({ rating_weight: weight, voided = false }) {
  if (voided) return t("match.voided");
  if (weight === undefined || weight === null || weight >= 1) return "";
  return weight <= 0
    ? t("match.weightless")
    : t("match.weight", { percent: number(weight, { style: "percent", maximumFractionDigits: 1 }) });
}

/**
 * The result of a match and its reason.
 * @param {string} game
 * @param {MatchResult} result
 */
export function resultText(game, { winner, reason, score }) {
  if (isCalledOff(reason)) return t(`result.${reason}`);
  const who = winner ? t(`game.${game}.won.${winner}`) : t("result.draw");
  const count = score ? ` ${number(score.first)} : ${number(score.second)}` : "";
  return `${who}${count} – ${tOr(`reason.${reason}`, "reason.other")}`;
}

/**
 * The text of a problem, in the reader's language.
 * @param {unknown} error
 */
export function problemText(error) {
  const { code, detail, retry_s } = problemOf(error);
  if (code === "too-many-requests" && retry_s !== null && retry_s > A_MOMENT_S) return t("problem.wait", { n: Math.ceil(retry_s / 60) });
  return tOr(`problem.${code}`, "problem.other", { detail });
}

/** The text of the rule that forbids a move. @param {string} why */
export const whyText = (why) => tOr(`why.${why}`, "why.other");

/**
 * The text of a refusal over the line, in the reader's language.
 * @param {ErrorMsg} error
 */
export function refusalText({ code, why, retry_ms }) {
  if (code === "illegal-move") return why && knows(`why.${why}`) ? whyText(why) : t("why.other");
  if (code === "pool-wait" && retry_ms) return t("refused.pool-wait", { n: Math.ceil(retry_ms / 60_000) });
  return tOr(`refused.${code}`, "refused.other");
}

/** The text of a declined challenge, for the challenger. @param {DeclineReason | null} reason */
export const declinedText = (reason) =>
  [t("challenge.status.declined"), reason && reason !== "generic" ? tOr(`decline.${reason}`, "decline.generic") : ""]
    .filter(Boolean)
    .join(": ");

/** The text of a pool: game and time. @param {Pool} pool */
export function poolText({ game, pool, rated }) {
  const time = pool
    .split("+")
    .map((part) => number(Number(part)))
    .join(" + ");
  return `${t(`game.${game}.name`)} · ${time} · ${t(rated ? "match.rated" : "match.casual")}`;
}

/**
 * A row with a link to a match: players, terms, result.
 * @param {MatchSummary} match
 * @param {string} [of] the player whose history it is
 * @param {{ live?: () => string, yours?: boolean, query?: string }} [options] the text of a running match, whether it is the reader's
 * turn, and the query of its address
 */
export function matchRow(match, of, { live = () => t("match.live"), yours = false, query = "" } = {}) {
  const seat = (/** @type {Side} */ side) =>
    h(
      "span",
      { class: `who ${side}` },
      sideMark(match.game, side),
      h("span", {}, () => seatText(match.seats[side])),
    );
  const mine = of === undefined ? null : sideOf(match, of);
  const outcome = () =>
    match.result
      ? [resultText(match.game, match.result), t("match.plies", { n: match.plies ?? 0 }), countsText(match)].filter(Boolean).join(" · ")
      : live();
  const change = mine ? match.seats[mine].rating_change : null;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "match-row", href: `/match/${match.id}${query}` },
      h("span", { class: "players" }, seat("first"), seat("second")),
      h("span", { class: "terms" }, () => `${t(`game.${match.game}.name`)} · ${termsText(match)}`),
      h(
        "span",
        { class: () => `outcome ${mine && match.result ? verdict(match.result, mine) : ""}${yours ? "yours" : ""}` },
        outcome,
        change === null || change === undefined
          ? null
          : h("span", { class: "change" }, () => ` ${number(change, { signDisplay: "exceptZero" })}`),
      ),
      h("time", { datetime: match.finished_at ?? match.created_at }, () => day(match.finished_at ?? match.created_at)),
    ),
  );
}

/** @param {MatchSummary} match @param {string} name @returns {Side | null} */
function sideOf({ seats }, name) {
  const same = (/** @type {SeatView} */ seat) => seat.player.name.toLowerCase() === name.toLowerCase();
  return same(seats.first) ? "first" : same(seats.second) ? "second" : null;
}

/** @param {MatchResult} result @param {Side} side */
function verdict({ winner, reason }, side) {
  if (isCalledOff(reason)) return "";
  return winner === null ? "drawn" : winner === side ? "won" : "lost";
}

/** The paths of the marks: arrows for the nearer and the farther row, or both; other games have a circle of either shade. */
const MARKS = /** @type {Record<string, string>} */ ({
  near: "M3 7H17L10 17Z",
  far: "M3 13H17L10 3Z",
  "near-far": "M3 12H17L10 19ZM3 8H17L10 1Z",
  "far-near": "M3 12H17L10 19ZM3 8H17L10 1Z",
});

/**
 * A sign for a side; the text beside it names the side, too.
 * @param {string} game
 * @param {Side | "random"} side
 */
export function sideMark(game, side) {
  const marks = gameOf(game)?.marks ?? { first: "light", second: "dark" };
  const mark = side === "random" ? `${marks.first}-${marks.second}` : marks[side];
  const path = MARKS[mark];
  const shape = path ? [svg("path", { class: "arrow", d: path })] : [svg("circle", { cx: 10, cy: 10, r: 8 })];
  if (!path && side === "random") shape.push(svg("path", { class: "half", d: "M10 2a8 8 0 0 1 0 16z" }));
  return svg("svg", { class: `mark ${mark}`, viewBox: "0 0 20 20", "aria-hidden": "true" }, ...shape);
}

/**
 * Links to the same page of every game.
 * @param {string} current
 * @param {string} page
 */
export function gameLinks(current, page) {
  return h(
    "nav",
    { class: "games", "aria-label": () => t("new.game") },
    GAMES.map(({ id }) =>
      h("a", { class: "button", href: `/${page}/${id}`, "aria-current": id === current ? "page" : null }, () => t(`game.${id}.name`)),
    ),
  );
}

/**
 * A choice of one among few, as a row of buttons made of radio buttons.
 * @param {string} group
 * @param {() => string} legend
 * @param {{ value: string, label: () => string, mark?: () => SVGElement, lang?: string }[]} choices `lang`: of a label that is the same in
 *   every language of the page
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function choiceRow(group, legend, choices, chosen, onChange) {
  return h(
    "fieldset",
    { class: `choice-row ${group}` },
    h("legend", {}, legend),
    h(
      "div",
      { class: "choices" },
      choices.map(({ value, label, mark, lang }) =>
        h(
          "label",
          { class: "choice" },
          h("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => onChange(value) }),
          h("span", { lang }, mark ? mark() : null, label),
        ),
      ),
    ),
  );
}

/**
 * @param {string} group
 * @param {string} game
 * @param {SideWish} [wished]
 */
export function sidePicker(group, game, wished = "random") {
  let side = wished;
  const el = choiceRow(
    group,
    () => t("new.side"),
    [
      { value: "first", label: () => t(`game.${game}.side.first`), mark: () => sideMark(game, "first") },
      { value: "random", label: () => t("new.side.random"), mark: () => sideMark(game, "random") },
      { value: "second", label: () => t(`game.${game}.side.second`), mark: () => sideMark(game, "second") },
    ],
    side,
    (value) => {
      side = /** @type {SideWish} */ (value);
    },
  );
  return { el, side: () => side };
}

/**
 * The choices of a game's options; hidden without any.
 * @param {Game} game
 * @param {() => boolean} [isHere] whether the match is made on this device, without the server
 * @param {() => void} [onChange]
 */
export function setupPicker({ id, options }, isHere = () => false, onChange = () => {}) {
  const offered = options.filter(({ values }) => values.length > 0);
  const chosen = new Map(offered.map(({ key, standard }) => [key, standard]));
  const el = h(
    "div",
    { class: "setup", hidden: offered.length === 0 },
    offered.map((option) => {
      const { key, values, standard } = option;
      return hideWhen(
        choiceRow(
          `option-${key}`,
          () => t(`option.${key}.title`),
          values.map((value) => ({
            value,
            label: () => tOr(`game.${id}.option.${key}.${value}`, "option.number", { n: Number(value) }),
          })),
          standard,
          (value) => {
            chosen.set(key, value);
            onChange();
          },
        ),
        () => !isOpen(option, chosen, isHere()),
      );
    }),
  );
  return {
    el,
    /** @param {boolean} isRated */
    setup: (isRated) => setupOf(offered, chosen, { isRated, isHere: isHere() }),
  };
}

/**
 * The choice of a time control: presets, custom minutes and seconds, days for each turn, or no limit.
 * @param {string} group
 * @param {() => void} [onChange]
 */
export function timePicker(group, onChange = () => {}) {
  let chosen = DEFAULT_PRESET;
  /** Whether the player has chosen; until then the page may change the choice. */
  let touched = false;
  const minutes = h("input", { type: "number", inputmode: "decimal", min: 0.25, max: 180, step: "any", value: 15 });
  const seconds = h("input", { type: "number", inputmode: "numeric", min: 0, max: 180, step: 1, value: 10 });
  const own = h(
    "div",
    { class: "own-time", hidden: true },
    h(
      "label",
      {},
      h("span", {}, () => t("time.minutes")),
      minutes,
    ),
    h(
      "label",
      {},
      h("span", {}, () => t("time.increment")),
      seconds,
    ),
  );
  const days = h(
    "select",
    {},
    DAYS.map((n) => h("option", { value: n }, () => t("time.days", { n }))),
  );
  days.value = String(DEFAULT_DAYS);
  const ownDays = h(
    "div",
    { class: "own-time", hidden: true },
    h(
      "label",
      {},
      h("span", {}, () => t("time.turn")),
      days,
    ),
  );
  const presets = PRESETS.map(([base, increment]) => ({
    value: `${base}+${increment}`,
    label: () => `${number(base)} + ${number(increment)}`,
  }));
  /** @returns {TimeControl} */
  const control = () => {
    if (chosen === "days") return { kind: "correspondence", days: Number(days.value) };
    if (chosen === "unlimited") return { kind: "unlimited" };
    const [base = 5, increment = 3] =
      chosen === "own" ? [minutes.valueAsNumber || 15, seconds.valueAsNumber || 0] : chosen.split("+").map(Number);
    const whole = (/** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max) =>
      Math.round(Math.max(min, Math.min(max, value)));
    return { kind: "realtime", base_ms: whole(base * 60_000, 10_000, 10_800_000), increment_ms: whole(increment * 1000, 0, 180_000) };
  };
  const speed = h("output", { class: "speed" }, () => (chosen === "unlimited" ? "" : t(`speed.${speedOf(control())}`)));
  const others = ["own", "days", "unlimited"].map((value) => ({ value, label: () => t(`time.choice.${value}`) }));
  const row = choiceRow(
    group,
    () => t("new.time"),
    [...presets, ...others],
    chosen,
    (value) => {
      touched = true;
      choose(value);
      onChange();
    },
  );

  /** @param {string} value */
  function choose(value) {
    chosen = value;
    own.hidden = value !== "own";
    ownDays.hidden = value !== "days";
    for (const input of row.querySelectorAll("input")) input.checked = input.value === value;
    refresh(speed);
  }

  row.querySelector("legend")?.append(" ", speed);
  own.addEventListener("input", () => refresh(speed));
  return {
    el: h("div", { class: "time-picker" }, row, own, ownDays),
    control,
    /** Sets the time control of a player who has not chosen: none, or the default. @param {boolean} unlimited */
    propose(unlimited) {
      if (!touched) choose(unlimited ? "unlimited" : DEFAULT_PRESET);
    },
  };
}

/**
 * A field with a link for copying.
 * @param {() => string} label
 * @param {string} url
 * @param {Pick<Context, "announce">} ctx
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
      // Without a secure context there is no clipboard; the link is selected, for copying by hand.
      input.focus();
      input.select();
    }
    refresh(button);
  }
  return h("div", { class: "copy-field" }, input, button);
}

/**
 * A button that must be pressed twice.
 * @param {() => string} label
 * @param {() => string} sureLabel
 * @param {() => void} act
 * @param {Record<string, import("../core/dom.js").Attr>} [attrs]
 * @param {string} [of] the subject of the action, for screen readers
 */
export function sureButton(label, sureLabel, act, attrs = {}, of = "") {
  /** @type {ReturnType<typeof setTimeout> | null} */
  let sure = null;
  const calm = () => {
    if (sure) clearTimeout(sure);
    sure = null;
    refresh(button);
  };
  const button = h(
    "button",
    {
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
    },
    () => (sure ? sureLabel() : label()),
    of === "" ? null : h("span", { class: "visually-hidden" }, `(${of})`),
  );
  return button;
}

/**
 * A form's line for its error; usually empty.
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
 * Fetched content: until it is there, the place shows that it is loading, or why that failed.
 * @template T
 * @param {() => Promise<T>} fetchIt
 * @param {(value: T) => HTMLElement | null} build
 * @param {{ problem?: (error: unknown) => HTMLElement }} [options]
 */
export function loaded(fetchIt, build, { problem } = {}) {
  const host = h("div", { class: "loaded", "aria-busy": "true" });
  const fail = (/** @type {unknown} */ error) =>
    problem?.(error) ??
    h(
      "p",
      { class: "quiet" },
      () => problemText(error),
      " ",
      h("button", { type: "button", onclick: load }, () => t("retry")),
    );
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

/**
 * A table that may be wider than its place, and can be scrolled with the keyboard.
 * @param {() => string} label
 * @param {HTMLElement} table
 */
export const scrolled = (label, table) => h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, table);

/** A page for an address without content. @param {() => string} text */
export function nothingHere(text) {
  return h(
    "section",
    { class: "page narrow" },
    h("h1", { tabindex: "-1" }, () => t("missing.title")),
    h("p", {}, text),
    h(
      "p",
      {},
      h("a", { class: "button", href: "/" }, () => t("missing.home")),
    ),
  );
}

/**
 * Hides an element while a condition holds; the condition is live.
 * @param {HTMLElement} el
 * @param {() => boolean} hidden
 */
export function hideWhen(el, hidden) {
  onRefresh(el, () => {
    el.hidden = hidden();
  });
  return el;
}
