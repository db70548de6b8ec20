// @ts-check
// The form for a new match: game, opponent and terms.
//
//   form.card.new-match
//     game, opponent
//     computer: level · setup, side · time · options
//     stranger: pools · rated, or custom terms for the lobby · options
//     friend: by link or by name · rated · setup, side · time · options
//     one device: setup · time · options
//     computer and one device also without the server: then no time and no options

import { h, hideWhen, refresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { speedOf } from "../core/time.js";
import { GAMES, gameOf, LEVELS } from "../games/index.js";
import { createStore } from "../local/store.js";
import { postChallenge, postMatch, postPassAndPlay, postSeek } from "../net/api.js";
import { samePool } from "../net/lobby.js";
import { matchOptions } from "./match-options.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { setupPicker } from "./parts/setup-picker.js";
import { sidePicker } from "./parts/side-picker.js";
import { timePicker } from "./parts/time-picker.js";
import { problemText } from "./texts.js";

/** @import { Game } from "../games/types.js" */
/** @import { Context } from "./context.js" */

const DEFAULT_LEVEL = 2;
/** The pools of every game: minutes and seconds a move, by the server's names. */
const POOLS = ["1+0", "3+2", "5+0", "10+5", "15+10"];

/**
 * @param {Context} ctx
 * @param {Game} first
 * @param {(game: Game) => void} onGame
 */
export function newMatch(ctx, first, onGame) {
  const { lobby } = ctx;
  let game = first;
  // The link on a player's profile, for a challenge.
  const named = new URLSearchParams(location.search).get("to") ?? "";
  let opponent = named === "" ? "computer" : "friend";
  let level = DEFAULT_LEVEL;
  let busy = false;
  /** Whether the terms for the lobby are open. */
  let terms = false;
  let side = sidePicker("side", game.id);
  const hasTerms = () => opponent !== "stranger" || terms;
  const time = timePicker("time", () => refresh(form));
  const error = errorLine();
  /** The options that a rated match of this game fixes. */
  const ratedOptions = () => game.options.filter((option) => option.rated !== undefined);
  const timeless = () => hasTerms() && time.control().kind === "unlimited";
  const ratedClosed = () => ctx.session.player()?.kind !== "account" || timeless();
  /** @type {HTMLInputElement} */
  const rated = h("input", { type: "checkbox", onchange: () => refresh(form), disabled: ratedClosed });
  const isRated = () => rated.checked && !rated.disabled && (opponent === "friend" || opponent === "stranger");
  const friend = h("input", {
    name: "friend",
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 20,
    value: named,
    oninput: () => refresh(form),
  });
  const friendName = () => friend.value.trim();

  // Without the server: by the player's choice, or without a connection.
  const away = () => ctx.line.status() === "down";
  const canBeHere = () => opponent === "computer" || opponent === "device";
  let wishesHere = false;
  const isHere = () => canBeHere() && (away() || wishesHere);
  let setup = setupPicker(game, isHere, () => refresh(form));
  /** @type {HTMLInputElement} */
  const here = h("input", {
    type: "checkbox",
    name: "here",
    disabled: away,
    checked: () => away() || wishesHere,
    onchange: () => {
      wishesHere = here.checked;
      refresh(form);
    },
  });
  const hereRow = h(
    "div",
    { class: "here-row" },
    h(
      "label",
      { class: "tick" },
      here,
      h("span", {}, () => t("new.here")),
    ),
    h("p", { class: "quiet", hidden: () => !isHere() }, () => t("device.hint")),
  );

  /** @param {{ setup: string, side: import("../core/types.js").SideWish }} wish */
  async function playHere({ setup, side }) {
    const { beginMatch } = await import("../local/line.js");
    try {
      ctx.go(
        `/device/${beginMatch(createStore(localStorage), { game: game.id, setup, side, level: opponent === "computer" ? level : null })}`,
      );
    } catch {
      error.say(() => t("refused.device-full"));
    }
  }

  const options = matchOptions(() => ({ opponent, rated: isRated() }));

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (busy || !hasTerms()) return;
    const wish = { game: game.id, setup: setup.setup(isRated()), side: side.side(), time_control: time.control(), ...options.wish() };
    if (isHere()) return playHere(wish);
    await run(async () => {
      if (opponent === "computer") ctx.go(`/match/${(await postMatch({ ...wish, level })).id}`);
      else if (opponent === "device") {
        const { side: _, ...both } = wish;
        ctx.go(`/match/${(await postPassAndPlay(both)).id}`);
      } else if (opponent === "stranger") {
        lobby.made((await postSeek({ ...wish, rated: isRated(), ...options.range() })).id);
        terms = false;
      } else {
        const to = friendName();
        const challenge = await postChallenge({ ...wish, rated: isRated(), ...(to ? { to } : {}) });
        lobby.made(challenge.id);
        ctx.go(challenge.match ? `/match/${challenge.match}` : `/challenge/${challenge.id}`);
      }
    });
  }

  /** @param {() => Promise<void> | void} act */
  async function run(act) {
    busy = true;
    error.say(null);
    refresh(form);
    try {
      await ctx.session.ensure();
      await act();
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    refresh(form);
  }

  // The pools: one press waits, another stops waiting.
  const poolOf = (/** @type {string} */ pool) => ({ game: game.id, pool, rated: isRated() });
  const waitsIn = (/** @type {string} */ pool) => lobby.state.wait !== null && samePool(lobby.state.wait.pool, poolOf(pool));
  const waiting = (/** @type {string} */ pool) => lobby.state.pools.find((count) => samePool(count, poolOf(pool)))?.waiting ?? 0;
  const pools = h(
    "div",
    { class: "pools", role: "group", "aria-label": () => t("pool.choose") },
    POOLS.map((pool) => {
      const [base = 0, increment = 0] = pool.split("+").map(Number);
      const speed = speedOf({ kind: "realtime", base_ms: base * 60_000, increment_ms: increment * 1000 });
      return h(
        "button",
        {
          type: "button",
          class: "pool",
          "aria-pressed": () => String(waitsIn(pool)),
          disabled: () => busy,
          onclick: () => (waitsIn(pool) ? lobby.leave() : run(() => lobby.wait(poolOf(pool)))),
        },
        h("strong", {}, () => `${number(base)} + ${number(increment)}`),
        h("small", {}, () => t(`speed.${speed}`)),
        h("small", { class: "waiters", hidden: () => waiting(pool) === 0 }, () => t("pool.count", { n: waiting(pool) })),
      );
    }),
  );
  const ownTerms = h(
    "button",
    {
      type: "button",
      class: "plain",
      "aria-expanded": () => String(terms),
      onclick: () => {
        terms = !terms;
        refresh(form);
      },
    },
    () => t("seek.terms"),
  );

  const levels = Array.from({ length: LEVELS }, (_, i) => String(i + 1));
  // The parts that differ from game to game.
  const ownSide = h("div", {}, side.el);
  const own = h(
    "div",
    { class: "own" },
    setup.el,
    hideWhen(ownSide, () => opponent === "device" || isRated()),
  );
  const ratedRow = h(
    "div",
    { class: "rated-row" },
    h(
      "label",
      {},
      rated,
      h("span", {}, () => t("new.rated")),
    ),
    h("p", { class: "quiet", hidden: () => !rated.disabled }, () => t(timeless() ? "new.rated.clock" : "new.rated.hint")),
    h("p", { class: "quiet", hidden: () => !rated.checked || rated.disabled || ratedOptions().length === 0 }, () =>
      ratedOptions()
        .map(({ key }) => t(`option.${key}.rated`))
        .join(" "),
    ),
  );
  const friendRow = h(
    "div",
    { class: "friend-row" },
    h(
      "label",
      {},
      h("span", {}, () => t("new.friend.name")),
      friend,
    ),
    h("p", { class: "quiet" }, () => t("new.friend.hint")),
  );

  const action = () => {
    if (opponent === "friend") return t(friendName() ? "new.challenge" : "new.link");
    return t(opponent === "stranger" ? "seek.make" : "new.play");
  };

  /** @type {HTMLFormElement} */
  const form = h(
    "form",
    { class: "card new-match", onsubmit: submit },
    choiceRow(
      "game",
      () => t("new.game"),
      GAMES.map(({ id }) => ({ value: id, label: () => t(`game.${id}.name`) })),
      game.id,
      (value) => {
        const wished = side.side();
        game = gameOf(value) ?? game;
        side = sidePicker("side", game.id, wished);
        setup = setupPicker(game, isHere, () => refresh(form));
        ownSide.replaceChildren(side.el);
        own.replaceChildren(setup.el, ownSide);
        onGame(game);
      },
    ),
    choiceRow(
      "opponent",
      () => t("new.opponent"),
      ["computer", "stranger", "friend", "device"].map((value) => ({ value, label: () => t(`new.${value}`) })),
      opponent,
      (value) => {
        opponent = value;
        time.propose(value === "device");
        refresh(form);
      },
    ),
    hideWhen(
      choiceRow(
        "level",
        () => t("new.level"),
        levels.map((value) => ({ value, label: () => number(Number(value)) })),
        String(level),
        (value) => {
          level = Number(value);
        },
      ),
      () => opponent !== "computer",
    ),
    hideWhen(pools, () => opponent !== "stranger"),
    hideWhen(friendRow, () => opponent !== "friend"),
    hideWhen(ratedRow, () => opponent !== "friend" && opponent !== "stranger"),
    hideWhen(ownTerms, () => opponent !== "stranger"),
    hideWhen(own, () => !hasTerms() || (opponent === "device" && setup.el.hidden)),
    hideWhen(hereRow, () => !canBeHere()),
    hideWhen(
      h("p", { class: "quiet" }, () => t("device.people")),
      () => !away() || canBeHere(),
    ),
    hideWhen(time.el, () => !hasTerms() || isHere()),
    hideWhen(options.el, () => !hasTerms() || isHere()),
    error.el,
    hideWhen(
      h("button", { type: "submit", class: "primary", disabled: () => busy || (away() && !canBeHere()) }, action),
      () => !hasTerms(),
    ),
  );
  return form;
}
