// @ts-check
// The notices above every page: the wait for an opponent, challenges, a match that has begun, messages of moderators.
//
//   aside.notices
//     div.news.wait   text, waiting time, the offered computer opponent, button.cancel
//     div.news.call…  a challenge, accept, decline (with a reason)
//     div.news.begun  a link to the match
//     div.news.word…  a moderator's message, close

import { eachFrame, h, hideWhen, list, refresh } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { acceptChallenge, declineChallenge, postNoticesRead } from "../net/api.js";
import { errorLine } from "./parts/error-line.js";
import { challengeText, fullName, playerName, poolText, problemText, ratingText, refusalText } from "./texts.js";

/** @import { Challenge, DeclineReason, Notice } from "../core/types.js" */
/** @import { LobbyState } from "../net/lobby.js" */
/** @import { Context } from "./context.js" */

const REASONS = /** @type {const} */ (["generic", "later", "too-fast", "too-slow", "rated", "casual", "game", "setup"]);
const TICK_MS = 500;

/** @typedef {{ text: () => string, href: string | null }} News a notice to be shown once, with its link */

/**
 * @typedef {Object} Notices
 * @property {News | null} news
 * @property {Notice[]} words the moderators' messages that the reader has not closed
 * @property {boolean} offered whether the offered computer opponent was announced
 * @property {boolean} waited whether the wait was announced
 * @property {Set<string>} heard the challenges that were announced, or not to be
 */

/** @returns {Notices} */
export const createNotices = () => ({ news: null, words: [], offered: false, waited: false, heard: new Set() });

/** @param {Context} ctx */
export function notices(ctx) {
  const { lobby } = ctx;
  const state = createNotices();
  const { soon: update } = eachFrame(() => refresh(el));
  const clock = h("span", { class: "waited" });
  const calls = list(
    h("div", { class: "calls" }),
    () => oneOfEach(lobby.state.challenges),
    ({ id }) => id,
    (challenge) => callBar(ctx, challenge),
  );
  const said = list(
    h("div", { class: "calls" }),
    () => state.words,
    ({ id }) => id,
    (notice) => wordBar(notice, read),
  );
  const el = h(
    "aside",
    { class: "notices", "aria-label": () => t("notice.title") },
    said,
    waitBar(ctx, clock),
    refusedBar(lobby.state, update),
    calls,
    begunBar(state, () => tell(null)),
  );
  // The focus is not behind them, however many lines they have: css/frame.css.
  new ResizeObserver(() => document.documentElement.style.setProperty("--notices", `${el.offsetHeight}px`)).observe(el);

  /** @param {readonly Notice[]} more of moderators; the server sends each again until it is closed */
  function hear(more) {
    const fresh = more.filter(({ id }) => !state.words.some((word) => word.id === id));
    state.words = [...state.words, ...fresh];
    for (const notice of fresh) ctx.announce(moderatorText(notice));
    update();
  }

  /** @param {Notice} notice */
  async function read({ id }) {
    await postNoticesRead({ id });
    state.words = state.words.filter((word) => word.id !== id);
    update();
  }

  /** @param {News | null} next */
  function tell(next) {
    state.news = next;
    if (next) ctx.announce(next.text());
    update();
  }

  const ticking = waitClock(clock, lobby);
  const follow = () => {
    ticking.follow();
    update();
    for (const text of newsOf(state, lobby.state)) ctx.announce(text);
  };
  lobby.onChange(follow);
  follow();
  return { el, tell, hear };
}

/** Shows the length of the wait, while there is one. @param {HTMLElement} clock @param {Context["lobby"]} lobby */
function waitClock(clock, lobby) {
  /** @type {ReturnType<typeof setInterval> | null} */
  let ticking = null;
  function tick() {
    const seconds = Math.floor(lobby.waited() / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
  return {
    /** Begins or ends with the wait. */
    follow() {
      const waits = lobby.state.wait !== null;
      if (waits) ticking ??= setInterval(tick, TICK_MS);
      else if (ticking !== null) {
        clearInterval(ticking);
        ticking = null;
      }
      tick();
    },
  };
}

/**
 * The texts to announce after a change of the lobby. Each is announced once; the time is shown, not announced.
 * @param {Notices} state
 * @param {LobbyState} lobby
 */
export function newsOf(state, lobby) {
  const { wait, refusal, challenges } = lobby;
  const { heard } = state;
  /** @type {string[]} */
  const texts = [];
  if (wait && !state.waited) texts.push(`${t("pool.title")}: ${poolText(wait.pool)}`);
  if (wait?.bot && !state.offered) texts.push(botText(lobby));
  if (refusal) texts.push(refusalText(refusal));
  state.waited = wait !== null;
  state.offered = Boolean(wait?.bot);
  // Further challenges of the same challenger are not announced while one is open.
  const callers = new Set(challenges.filter(({ id }) => heard.has(id)).map(({ challenger }) => challenger.name));
  for (const challenge of challenges) {
    if (!heard.has(challenge.id) && !callers.has(challenge.challenger.name)) texts.push(callText(challenge));
    heard.add(challenge.id);
    callers.add(challenge.challenger.name);
  }
  return texts;
}

/** The text about the offered computer opponent. @param {LobbyState} lobby */
function botText({ wait }) {
  if (!wait?.bot) return "";
  return t("pool.bot", { name: playerName(wait.bot.player), rating: number(wait.bot.rating, { useGrouping: false }) });
}

/** @param {Context} ctx @param {HTMLElement} clock */
function waitBar({ lobby }, clock) {
  const { state } = lobby;
  const company = () => (state.wait && state.wait.waiting > 1 ? t("pool.others", { n: state.wait.waiting - 1 }) : "");
  const bar = h(
    "div",
    { class: "news wait", role: "group", "aria-label": () => t("pool.title") },
    h("span", { class: "spinner", "aria-hidden": "true" }),
    h(
      "span",
      {},
      h("span", { class: "wide" }, () => `${t("pool.title")}: `),
      () => (state.wait ? poolText(state.wait.pool) : ""),
    ),
    clock,
    hideWhen(h("span", { class: "quiet" }, company), () => company() === ""),
    hideWhen(
      h(
        "span",
        { class: "offer" },
        h("span", {}, () => botText(state)),
        h("button", { type: "button", class: "primary", onclick: lobby.acceptBot }, () => t("pool.bot.accept")),
      ),
      () => !state.wait?.bot,
    ),
    h("button", { type: "button", onclick: () => lobby.leave() }, () => t("challenge.cancel")),
  );
  return hideWhen(bar, () => state.wait === null);
}

/** @param {LobbyState} state @param {() => void} update */
function refusedBar(state, update) {
  const dismiss = () => {
    state.refusal = null;
    update();
  };
  return hideWhen(
    h(
      "div",
      { class: "news refused" },
      h("span", {}, () => (state.refusal ? refusalText(state.refusal) : "")),
      h("button", { type: "button", onclick: dismiss }, () => t("notice.close")),
    ),
    () => state.refusal === null,
  );
}

/** @param {Notices} state @param {() => void} close */
const begunBar = (state, close) =>
  hideWhen(
    h(
      "div",
      { class: "news begun" },
      h("span", {}, () => state.news?.text() ?? ""),
      hideWhen(
        // Search engines follow hidden links too, and complain about one without an address.
        h("a", { class: "button primary", href: () => state.news?.href ?? "/", onclick: close }, () => t("challenge.go")),
        () => !state.news?.href,
      ),
      h("button", { type: "button", onclick: close }, () => t("notice.close")),
    ),
    () => state.news === null,
  );

/**
 * The newest challenge of each challenger; after its answer the next one is shown.
 * @param {readonly Challenge[]} challenges the newest first
 */
const oneOfEach = (challenges) =>
  challenges.filter(({ id, challenger }) => challenges.find((other) => other.challenger.name === challenger.name)?.id === id);

/** The text of a moderator's notice. @param {Notice} notice */
export function moderatorText({ kind, text, until }) {
  return until ? t(`notice.${kind}-until`, { text, time: moment(until) }) : t(`notice.${kind}`, { text });
}

/**
 * @param {Notice} notice
 * @param {(notice: Notice) => Promise<void>} read
 */
function wordBar(notice, read) {
  const error = errorLine();
  return h(
    "div",
    { class: "news word", role: "group", "aria-label": () => t("notice.word") },
    h("span", {}, () => moderatorText(notice)),
    error.el,
    h("button", { type: "button", onclick: () => void read(notice).catch((refusal) => error.say(() => problemText(refusal))) }, () =>
      t("notice.close"),
    ),
  );
}

/** @param {Challenge} challenge */
function callText(challenge) {
  const { challenger, challenger_rating, game, side } = challenge;
  const name = challenger_rating ? `${fullName(challenger)} (${ratingText(challenger_rating)})` : fullName(challenger);
  const plays = side === "random" ? "" : ` · ${t("challenge.side", { name: playerName(challenger) })}: ${t(`game.${game}.side.${side}`)}`;
  return `${t("call.from", { name })} ${t(`game.${game}.name`)} · ${challengeText(challenge)}${plays}`;
}

/**
 * @param {Context} ctx
 * @param {Challenge} challenge
 */
function callBar(ctx, challenge) {
  const { id } = challenge;
  let busy = false;
  let declining = false;
  const error = errorLine();
  const closedToGuests = () => challenge.rated && ctx.session.player()?.kind !== "account";

  /** @param {() => Promise<string | null>} act resolves to the next path */
  async function answer(act) {
    if (busy) return;
    busy = true;
    refresh(el);
    try {
      const path = await act();
      ctx.lobby.answered(id);
      if (path) ctx.go(path);
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    refresh(el);
  }

  const accept = () => answer(async () => `/match/${(await acceptChallenge(id)).id}`);
  const decline = (/** @type {DeclineReason} */ reason) =>
    answer(async () => {
      await declineChallenge(id, reason);
      return null;
    });
  const open = (/** @type {boolean} */ next) => {
    declining = next;
    refresh(el);
    if (next) form.reason.focus();
  };
  const form = declineForm(
    () => busy,
    decline,
    () => open(false),
  );
  const el = h(
    "div",
    { class: "news call", role: "group", "aria-label": () => t("challenge.title") },
    h("span", {}, () => callText(challenge)),
    error.el,
    hideWhen(
      h("button", { type: "button", class: "primary", disabled: () => busy || closedToGuests(), onclick: accept }, () =>
        t("challenge.accept"),
      ),
      () => declining,
    ),
    hideWhen(
      h("button", { type: "button", onclick: () => open(true) }, () => t("draw.decline")),
      () => declining,
    ),
    hideWhen(form.el, () => !declining),
  );
  return el;
}

/** The choice of a reason. @param {() => boolean} busy @param {(reason: DeclineReason) => void} decline @param {() => void} back */
function declineForm(busy, decline, back) {
  const reason = h(
    "select",
    { "aria-label": () => t("decline.title") },
    REASONS.map((code) => h("option", { value: code }, () => t(`decline.${code}`))),
  );
  const onclick = () => decline(/** @type {DeclineReason} */ (reason.value));
  const el = h(
    "span",
    { class: "declining" },
    reason,
    h("button", { type: "button", disabled: busy, onclick }, () => t("draw.decline")),
    h("button", { type: "button", onclick: back }, () => t("rules.back")),
  );
  return { el, reason };
}
