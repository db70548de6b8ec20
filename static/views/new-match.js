// @ts-check
// The form for a new match: game, opponent and terms.
//
//   form.card.new-match
//     game, opponent
//     computer: level · setup, side · time · options
//     stranger: pools · rated, or custom terms for the lobby · options
//     friend: by link or by name · games · rated · setup, side · time · options; a series has no side and no options
//     one device: setup · time · options
//     computer and one device also without the server: then no time and no options

import { eachFrame, h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { POOLS } from "../core/facts.js";
import { number, t } from "../core/i18n.js";
import { OPPONENTS } from "../core/opponents.js";
import { speedOf } from "../core/time.js";
import { GAMES, gameOf, mayBeRated } from "../games/index.js";
import { begin, beginText, challenge, offer } from "./begin.js";
import { lastTerms, storeTerms } from "./last-choice.js";
import { matchOptions } from "./match-options.js";
import {
  actionText,
  canBeHere,
  canBeSeries,
  closedText,
  createNewMatch,
  fixedText,
  friendName,
  hasTerms,
  isHere,
  isRated,
  isSeries,
  isUnhurried,
  isWithPeople,
  ratedClosed,
  waitingIn,
  waitsIn,
} from "./new-match-state.js";
import { avatar } from "./parts/avatar.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { setupPicker } from "./parts/setup-picker.js";
import { sidePicker } from "./parts/side-picker.js";
import { timePicker } from "./parts/time-picker.js";

/** @import { PoolId } from "../core/types.js" */
/** @import { GameEntry } from "../games/types.js" */
/** @import { Pool } from "../net/lobby.js" */
/** @import { Context } from "./context.js" */
/** @import { Around, NewMatch, Opponent } from "./new-match-state.js" */

/**
 * @typedef {Object} Page
 * @property {Context} ctx
 * @property {NewMatch} form
 * @property {() => Around} around
 * @property {() => void} update follows a change of the state with the next frame
 * @property {ReturnType<typeof errorLine>} error
 * @property {ReturnType<typeof timePicker>} time
 * @property {ReturnType<typeof matchOptions>} options
 * @property {ReturnType<typeof sidePicker>} side
 * @property {ReturnType<typeof setupPicker>} setup
 * @property {{ el: HTMLElement, side: HTMLElement }} own the places of `setup` and `side`, which each game has its own of
 */

/**
 * @param {Context} ctx
 * @param {GameEntry} first
 * @param {(game: GameEntry) => void} onGame
 */
export function newMatch(ctx, first, onGame) {
  const last = lastTerms();
  const form = createNewMatch(first, last, new URLSearchParams(location.search));
  const around = () => ({ status: ctx.line.status(), player: ctx.session.player() });
  const { soon: update } = eachFrame(() => refresh(el));
  const time = timePicker("time", form.opponent === "friend" ? last.friendTime : last.time, () => {
    form.unlimited = time.control().kind === "unlimited";
    update();
  });
  if (form.opponent !== last.opponent && form.opponent !== "friend") time.propose(isUnhurried(form.opponent));
  form.unlimited = time.control().kind === "unlimited";
  /** @type {Page} */
  const page = {
    ctx,
    form,
    around,
    update,
    error: errorLine(),
    time,
    options: matchOptions(() => ({
      game: form.game.id,
      opponent: form.opponent,
      rated: isRated(form, around()),
      hasClock: time.control().kind === "realtime",
    })),
    side: sidePicker("side", first.id, last.side),
    setup: setupPicker(first, () => isHere(form, around()), update),
    own: { el: h("div", { class: "own" }), side: h("div", {}) },
  };
  const el = h(
    "form",
    {
      class: "card new-match",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void submit(page);
      },
    },
    ...choices(page, onGame),
    ...terms(page),
    page.error.el,
    hideWhen(
      h("button", { type: "submit", class: "primary", disabled: () => form.busy || (isAway(page) && !canBeHere(form)) }, () =>
        actionText(form),
      ),
      () => !hasTerms(form),
    ),
  );
  return el;
}

/** Whether there is no connection. @param {Page} page */
const isAway = ({ around }) => around().status === "down";

/** @param {Page} page */
async function submit(page) {
  const { ctx, form, around, setup, side, time, options } = page;
  if (form.busy || !hasTerms(form)) return;
  const rated = isRated(form, around());
  const terms = { game: form.game.id, setup: setup.setup(rated), time_control: time.control() };
  const wish = { ...terms, side: side.side(), ...options.wish() };
  await run(page, async () => {
    if (canBeHere(form)) {
      const here = isHere(form, around());
      if (!here) await ctx.session.ensure();
      const level = form.opponent === "computer" ? form.level : null;
      const path = await begin({ ...terms, side: side.side(), level, here }, options.wish());
      remember(page);
      ctx.go(path);
    } else if (form.opponent === "stranger") {
      await offer(ctx, { ...wish, rated, ...options.range() });
      form.terms = false;
    } else if (isSeries(form, around())) {
      const { beginSeries } = await import("./series.js");
      const path = await beginSeries(ctx, { ...terms, rated, games: form.games });
      remember(page);
      ctx.go(path);
    } else {
      const to = friendName(form);
      const path = await challenge(ctx, { ...wish, rated, ...options.extra(), ...(to ? { to } : {}) });
      if (!to) remember(page);
      ctx.go(path);
    }
  });
}

/** Stores the terms of a match, for the next one. @param {Page} page @param {PoolId} [pool] of a match with strangers */
function remember({ form, side, time }, pool) {
  const { opponent, level, here, rated } = form;
  const last = lastTerms();
  if (opponent === "stranger") storeTerms({ ...last, opponent, rated, pool: pool ?? last.pool });
  else if (opponent === "friend") storeTerms({ ...last, opponent, rated, side: side.side(), friendTime: time.choice() });
  else storeTerms({ ...last, opponent, level, here, side: side.side(), time: time.choice() });
}

/** @param {Page} page @param {() => Promise<void> | void} act */
async function run({ form, error, update }, act) {
  form.busy = true;
  error.say(null);
  update();
  try {
    await act();
  } catch (refusal) {
    error.say(() => beginText(refusal));
  }
  form.busy = false;
  update();
}

// The elements.

/** The game, the opponent, and the computer's level. @param {Page} page @param {(game: GameEntry) => void} onGame */
function choices(page, onGame) {
  const { form, time, update } = page;
  return [
    choiceRow(
      "game",
      () => t("new.game"),
      GAMES.map(({ id }) => ({ value: id, label: () => t(`game.${id}.name`) })),
      form.game.id,
      (value) => {
        form.game = gameOf(value) ?? form.game;
        page.side = sidePicker("side", form.game.id, page.side.side());
        page.setup = setupPicker(form.game, () => isHere(form, page.around()), update);
        showOwn(page);
        onGame(form.game);
        update();
      },
    ),
    choiceRow(
      "opponent",
      () => t("new.opponent"),
      ["computer", "stranger", "friend", "device"].map((value) => ({ value, label: () => t(`new.${value}`) })),
      form.opponent,
      (value) => {
        form.opponent = /** @type {Opponent} */ (value);
        time.propose(isUnhurried(form.opponent));
        form.unlimited = time.control().kind === "unlimited";
        update();
      },
    ),
    hideWhen(
      choiceRow(
        "level",
        () => t("new.level"),
        OPPONENTS.map(({ name }, i) => ({
          value: String(i + 1),
          label: () => number(i + 1),
          name: () => t("player.bot", { name, n: i + 1 }),
          mark: () => avatar({ kind: "bot", name, level: i + 1 }),
        })),
        String(form.level),
        (value) => {
          form.level = Number(value);
          update();
        },
      ),
      () => form.opponent !== "computer",
    ),
    hideWhen(levelLine(form), () => form.opponent !== "computer"),
  ];
}

/** The computer opponent of the chosen level: its portrait, its name, and what it says of itself. @param {NewMatch} form */
function levelLine(form) {
  const el = h("p", { class: "level-line" });
  let shown = 0;
  onRefresh(el, () => {
    const { level } = form;
    if (shown === level) return;
    shown = level;
    const name = OPPONENTS[level - 1]?.name ?? "";
    el.replaceChildren(
      avatar({ kind: "bot", name, level }),
      h("span", {}, h("strong", {}, name), () => t(`bot.${level}`)),
    );
  });
  return el;
}

/** The terms of the match, as far as the opponent leaves them open. @param {Page} page */
function terms(page) {
  const { form, around, time, options } = page;
  return [
    hideWhen(poolButtons(page), () => form.opponent !== "stranger"),
    hideWhen(friendRow(page), () => form.opponent !== "friend"),
    hideWhen(gamesRow(page), () => !canBeSeries(form, around())),
    hideWhen(ratedRow(page), () => !isWithPeople(form)),
    hideWhen(termsButton(page), () => form.opponent !== "stranger"),
    ownPart(page),
    hideWhen(hereRow(page), () => !canBeHere(form)),
    hideWhen(
      h("p", { class: "quiet" }, () => t("device.people")),
      () => !isAway(page) || canBeHere(form),
    ),
    hideWhen(time.el, () => !hasTerms(form) || isHere(form, around())),
    hideWhen(options.el, () => !hasTerms(form) || isHere(form, around()) || isSeries(form, around())),
  ];
}

/** The pools: one press waits, another stops waiting. @param {Page} page */
function poolButtons(page) {
  const { ctx, form, around } = page;
  const { lobby } = ctx;
  return h(
    "div",
    { class: "pools", role: "group", "aria-label": () => t("pool.choose") },
    POOLS.map((pool) => {
      const [base = 0, increment = 0] = pool.split("+").map(Number);
      const speed = speedOf({ kind: "realtime", base_ms: base * 60_000, increment_ms: increment * 1000 });
      const here = () => ({ game: form.game.id, pool, rated: isRated(form, around()) });
      const waiting = () => waitingIn(lobby.state, here());
      return h(
        "button",
        {
          type: "button",
          class: "pool",
          "aria-pressed": () => String(waitsIn(lobby.state, here())),
          disabled: () => form.busy,
          onclick: () => (waitsIn(lobby.state, here()) ? lobby.leave() : run(page, () => waitIn(page, here()))),
        },
        h("strong", {}, () => `${number(base)} + ${number(increment)}`),
        h("small", {}, () => t(`speed.${speed}`)),
        h("small", { class: "waiters", hidden: () => waiting() === 0 }, () => t("pool.count", { n: waiting() })),
      );
    }),
  );
}

/** Waits in a pool. @param {Page} page @param {Pool} pool */
async function waitIn(page, pool) {
  await page.ctx.session.ensure();
  remember(page, pool.pool);
  page.ctx.lobby.wait(pool);
}

/** @param {Page} page */
function termsButton({ form, update }) {
  const onclick = () => {
    form.terms = !form.terms;
    update();
  };
  return h("button", { type: "button", class: "plain", "aria-expanded": () => String(form.terms), onclick }, () => t("seek.terms"));
}

/** The parts that differ from game to game. @param {Page} page */
function ownPart(page) {
  const { form, around, own } = page;
  hideWhen(own.side, () => form.opponent === "device" || isRated(form, around()) || isSeries(form, around()));
  showOwn(page);
  return hideWhen(own.el, () => !hasTerms(form) || (form.opponent === "device" && page.setup.el.hidden));
}

/** Shows the choices of the chosen game: at once, since a choice among those of the former game would be lost. @param {Page} page */
function showOwn({ own, side, setup }) {
  own.side.replaceChildren(side.el);
  own.el.replaceChildren(setup.el, own.side);
}

/** @param {Page} page */
function ratedRow({ form, around, update }) {
  const closed = () => ratedClosed(form, around());
  /** @type {HTMLInputElement} */
  const rated = h("input", {
    type: "checkbox",
    checked: () => form.rated && mayBeRated(form.game.id),
    disabled: closed,
    onchange: () => {
      form.rated = rated.checked;
      update();
    },
  });
  return h(
    "div",
    { class: "rated-row" },
    h(
      "label",
      {},
      rated,
      h("span", {}, () => t("new.rated")),
    ),
    h("p", { class: "quiet", hidden: () => !closed() }, () => closedText(form)),
    h("p", { class: "quiet", hidden: () => !form.rated || closed() || fixedText(form) === "" }, () => fixedText(form)),
  );
}

/** @param {Page} page */
function friendRow({ form, update }) {
  const friend = h("input", {
    name: "friend",
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 20,
    value: form.friend,
    oninput: () => {
      form.friend = friend.value;
      update();
    },
  });
  return h(
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
}

/** The numbers of games of a series that the form offers; the first is a match. */
const GAMES_IN_SERIES = [1, 2, 4, 6, 10];

/** @param {Page} page */
function gamesRow({ form, update }) {
  return h(
    "div",
    { class: "games-row" },
    choiceRow(
      "games",
      () => t("new.games"),
      GAMES_IN_SERIES.map((n) => ({ value: String(n), label: () => number(n) })),
      String(form.games),
      (value) => {
        form.games = Number(value);
        update();
      },
    ),
    h("p", { class: "quiet", hidden: () => form.games === 1 }, () => t("new.games.hint")),
  );
}

/** The wish to play without the server. @param {Page} page */
function hereRow(page) {
  const { form, around, update } = page;
  /** @type {HTMLInputElement} */
  const here = h("input", {
    type: "checkbox",
    name: "here",
    disabled: () => isAway(page),
    checked: () => isAway(page) || form.here,
    onchange: () => {
      form.here = here.checked;
      update();
    },
  });
  return h(
    "div",
    { class: "here-row" },
    h(
      "label",
      { class: "tick" },
      here,
      h("span", {}, () => t("new.here")),
    ),
    h("p", { class: "quiet", hidden: () => !isHere(form, around()) }, () => t("device.hint")),
  );
}
