// @ts-check
// The notices above every page: the wait for an opponent, challenges, a match that has begun, messages of moderators.
//
//   aside.notices
//     div.news.wait   text, waiting time, the offered computer opponent, button.cancel
//     div.news.call…  a challenge, accept, decline (with a reason)
//     div.news.begun  a link to the match
//     div.news.word…  a moderator's message, close

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { acceptChallenge, declineChallenge, deleteNotice } from "../net/api.js";
import { errorLine } from "./parts/error-line.js";
import { playerName, poolText, problemText, ratingText, refusalText, termsText } from "./texts.js";

/** @import { Challenge, DeclineReason, Notice } from "../core/types.js" */
/** @import { Context } from "./context.js" */

const REASONS = /** @type {const} */ (["generic", "later", "too-fast", "too-slow", "rated", "casual", "game", "setup"]);
const TICK_MS = 500;

/** @param {Context} ctx */
export function notices(ctx) {
  const { lobby } = ctx;
  const { state } = lobby;
  /** A notice to be shown once, with its link. @type {{ text: () => string, href: string | null } | null} */
  let news = null;

  const clock = h("span", { class: "waited" });
  function tick() {
    const seconds = Math.floor(lobby.waited() / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
  const pool = () => (state.wait ? poolText(state.wait.pool) : "");
  const company = () => (state.wait && state.wait.waiting > 1 ? t("pool.others", { n: state.wait.waiting - 1 }) : "");
  const bot = () =>
    state.wait?.bot
      ? t("pool.bot", { name: playerName(state.wait.bot.player), rating: number(state.wait.bot.rating, { useGrouping: false }) })
      : "";

  const wait = hideWhen(
    h(
      "div",
      { class: "news wait", role: "group", "aria-label": () => t("pool.title") },
      h("span", { class: "spinner", "aria-hidden": "true" }),
      h(
        "span",
        {},
        h("span", { class: "wide" }, () => `${t("pool.title")}: `),
        pool,
      ),
      clock,
      hideWhen(h("span", { class: "quiet" }, company), () => company() === ""),
      hideWhen(
        h(
          "span",
          { class: "offer" },
          h("span", {}, bot),
          h("button", { type: "button", class: "primary", onclick: lobby.acceptBot }, () => t("pool.bot.accept")),
        ),
        () => !state.wait?.bot,
      ),
      h("button", { type: "button", onclick: () => lobby.leave() }, () => t("challenge.cancel")),
    ),
    () => state.wait === null,
  );

  const refused = hideWhen(
    h(
      "div",
      { class: "news refused" },
      h("span", {}, () => (state.refusal ? refusalText(state.refusal) : "")),
      h("button", { type: "button", onclick: dismissRefusal }, () => t("notice.close")),
    ),
    () => state.refusal === null,
  );

  function dismissRefusal() {
    state.refusal = null;
    refresh(el);
  }

  const calls = list(
    h("div", { class: "calls" }),
    () => oneOfEach(state.challenges),
    ({ id }) => id,
    (challenge) => callBar(ctx, challenge),
  );

  const begun = hideWhen(
    h(
      "div",
      { class: "news begun" },
      h("span", {}, () => news?.text() ?? ""),
      hideWhen(
        h("a", { class: "button primary", href: () => news?.href ?? null, onclick: () => tell(null) }, () => t("challenge.go")),
        () => !news?.href,
      ),
      h("button", { type: "button", onclick: () => tell(null) }, () => t("notice.close")),
    ),
    () => news === null,
  );

  /** The moderators' messages that the reader has not closed. @type {Notice[]} */
  let words = [];
  const said = list(
    h("div", { class: "calls" }),
    () => words,
    ({ id }) => id,
    (notice) => wordBar(notice, read),
  );

  const el = h("aside", { class: "notices", "aria-label": () => t("notice.title") }, said, wait, refused, calls, begun);

  /** @param {readonly Notice[]} more the server sends each again until it is closed */
  function hear(more) {
    const fresh = more.filter(({ id }) => !words.some((word) => word.id === id));
    words = [...words, ...fresh];
    for (const notice of fresh) ctx.announce(wordText(notice));
    refresh(el);
  }

  /** @param {Notice} notice */
  async function read({ id }) {
    await deleteNotice(id);
    words = words.filter((word) => word.id !== id);
    refresh(el);
  }

  /** @param {{ text: () => string, href: string | null } | null} next */
  function tell(next) {
    news = next;
    if (news) ctx.announce(news.text());
    refresh(el);
  }

  /** @type {ReturnType<typeof setInterval> | null} */
  let ticking = null;
  let offered = false;
  let waited = false;
  const heard = new Set();
  lobby.onChange(() => {
    if (state.wait && ticking === null) ticking = setInterval(tick, TICK_MS);
    if (!state.wait && ticking !== null) {
      clearInterval(ticking);
      ticking = null;
    }
    tick();
    refresh(el);
    // Each is announced once; the time is shown, not announced.
    if (state.wait && !waited) ctx.announce(`${t("pool.title")}: ${pool()}`);
    waited = state.wait !== null;
    if (state.wait?.bot && !offered) ctx.announce(bot());
    offered = Boolean(state.wait?.bot);
    if (state.refusal) ctx.announce(refusalText(state.refusal));
    // Further challenges of the same challenger are not announced while one is open.
    const callers = new Set(state.challenges.filter(({ id }) => heard.has(id)).map(({ challenger }) => challenger.name));
    for (const challenge of state.challenges) {
      if (!heard.has(challenge.id) && !callers.has(challenge.challenger.name)) ctx.announce(callText(challenge));
      heard.add(challenge.id);
      callers.add(challenge.challenger.name);
    }
  });
  return { el, tell, hear };
}

/**
 * The newest challenge of each challenger; after its answer the next one is shown.
 * @param {readonly Challenge[]} challenges the newest first
 */
const oneOfEach = (challenges) =>
  challenges.filter(({ id, challenger }) => challenges.find((other) => other.challenger.name === challenger.name)?.id === id);

/** @param {Notice} notice */
function wordText({ kind, text, until }) {
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
    h("span", {}, () => wordText(notice)),
    error.el,
    h("button", { type: "button", onclick: () => void read(notice).catch((refusal) => error.say(() => problemText(refusal))) }, () =>
      t("notice.close"),
    ),
  );
}

/** @param {Challenge} challenge */
function callText({ challenger, challenger_rating, game, side, ...terms }) {
  const name = challenger_rating ? `${playerName(challenger)} (${ratingText(challenger_rating)})` : playerName(challenger);
  const plays = side === "random" ? "" : ` · ${t("challenge.side", { name: challenger.name })}: ${t(`game.${game}.side.${side}`)}`;
  return `${t("call.from", { name })} ${t(`game.${game}.name`)} · ${termsText({ game, ...terms })}${plays}`;
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

  const reason = h(
    "select",
    { "aria-label": () => t("decline.title") },
    REASONS.map((code) => h("option", { value: code }, () => t(`decline.${code}`))),
  );
  const accept = () => answer(async () => `/match/${(await acceptChallenge(id)).id}`);
  const decline = () =>
    answer(async () => {
      await declineChallenge(id, /** @type {DeclineReason} */ (reason.value));
      return null;
    });
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
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            declining = true;
            refresh(el);
            reason.focus();
          },
        },
        () => t("draw.decline"),
      ),
      () => declining,
    ),
    hideWhen(
      h(
        "span",
        { class: "declining" },
        reason,
        h("button", { type: "button", disabled: () => busy, onclick: decline }, () => t("draw.decline")),
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              declining = false;
              refresh(el);
            },
          },
          () => t("rules.back"),
        ),
      ),
      () => !declining,
    ),
  );
  return el;
}
