// @ts-check
// A challenge: its maker sees its link and waits; another reader of the link sees the terms and accepts.

import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { loadGame } from "../games/index.js";
import { acceptChallenge, deleteChallenge, getChallenge, problemOf } from "../net/api.js";
import { copyField } from "./parts/copy-field.js";
import { errorLine } from "./parts/error-line.js";
import { nothingHere } from "./parts/nothing-here.js";
import { playerLink } from "./parts/player-link.js";
import { qrCode } from "./parts/qr-code.js";
import { challengeText, declinedText, fullName, playerName, problemText, ratingText } from "./texts.js";

/** @import { Challenge } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function challengeView(ctx, { id = "" }) {
  const host = h(
    "div",
    { class: "page narrow" },
    h("p", { class: "quiet" }, () => t("loading")),
  );
  let gone = false;
  /** The state that is shown; the page is built again only when it changes. */
  let shown = "";

  async function load() {
    /** @type {Challenge} */
    let challenge;
    try {
      challenge = await getChallenge(id);
    } catch (error) {
      if (problemOf(error).status === 404) host.replaceChildren(nothingHere(() => t("challenge.missing")));
      // Without a connection the next wake asks again.
      else if (shown === "") host.replaceChildren(h("p", { class: "quiet" }, () => problemText(error)));
      return;
    }
    if (gone) return;
    // For the match that begins when it is accepted; its page handles a failure.
    if (challenge.status === "open" || challenge.status === "accepted") void loadGame(challenge.game).catch(() => {});
    if (challenge.status === "accepted" && challenge.match !== null) return ctx.go(`/match/${challenge.match}`, { replace: true });
    const me = ctx.session.player();
    const now = `${challenge.status} ${me?.name} ${me?.kind}`;
    if (now === shown) return;
    shown = now;
    const mine = me !== null && me.name === challenge.challenger.name;
    host.replaceChildren(challenge.status !== "open" ? closed(challenge) : mine ? waiting(ctx, challenge, load) : offered(ctx, challenge));
  }

  const stops = [
    ctx.line.onStatus((status) => status === "open" && void load()),
    ctx.line.onMessage((msg) => {
      if (msg.t === "challenge-accepted" && msg.challenge === id) ctx.go(`/match/${msg.match}`, { replace: true });
      if (msg.t === "challenge-gone" && msg.challenge === id) void load();
    }),
    ctx.session.onChange(() => void load()),
  ];
  const onLook = () => {
    if (document.visibilityState === "visible") void load();
  };
  document.addEventListener("visibilitychange", onLook);
  void load();

  return {
    el: host,
    title: () => t("challenge.title"),
    destroy() {
      gone = true;
      for (const stop of stops) stop();
      document.removeEventListener("visibilitychange", onLook);
    },
  };
}

/** @param {Challenge} challenge */
function terms(challenge) {
  const side = () => (challenge.side === "random" ? t("challenge.side.random") : t(`game.${challenge.game}.side.${challenge.side}`));
  return h(
    "dl",
    { class: "terms" },
    h("dt", {}, () => t("challenge.game")),
    h("dd", {}, () => t(`game.${challenge.game}.name`)),
    h("dt", {}, () => t("challenge.time")),
    h("dd", {}, () => challengeText(challenge)),
    h("dt", {}, () => t("challenge.side", { name: playerName(challenge.challenger) })),
    h("dd", {}, side),
  );
}

/**
 * @param {Context} ctx
 * @param {Challenge} challenge
 * @param {() => Promise<void>} reload
 */
function waiting(ctx, challenge, reload) {
  const error = errorLine();
  const { to } = challenge;
  const url = new URL(`/challenge/${challenge.id}`, location.href).href;
  async function cancel() {
    try {
      await deleteChallenge(challenge.id);
      ctx.go("/");
    } catch (refusal) {
      error.say(() => problemText(refusal));
      void reload();
    }
  }
  return h(
    "section",
    { class: "card challenge" },
    h("h1", { tabindex: "-1" }, () => (to ? t("challenge.waiting.named", { name: fullName(to) }) : t("challenge.waiting"))),
    h("p", {}, () => t(to ? "challenge.told" : "challenge.share")),
    to ? null : copyField(() => t("challenge.link"), url, ctx),
    to ? null : qrCode(url),
    terms(challenge),
    h("p", { class: "quiet" }, () => t("challenge.stay")),
    error.el,
    h("button", { type: "button", onclick: cancel }, () => t("challenge.cancel")),
  );
}

/**
 * @param {Context} ctx
 * @param {Challenge} challenge
 */
function offered(ctx, challenge) {
  const error = errorLine();
  let busy = false;
  async function accept() {
    if (busy) return;
    busy = true;
    refresh(button);
    try {
      await ctx.session.ensure();
      ctx.go(`/match/${(await acceptChallenge(challenge.id)).id}`, { replace: true });
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    refresh(button);
  }
  const button = h("button", { type: "button", class: "primary", disabled: () => busy, onclick: accept }, () => t("challenge.accept"));
  const closedToGuests = challenge.rated && ctx.session.player()?.kind !== "account";
  const next = `?next=/challenge/${challenge.id}`;
  return h(
    "section",
    { class: "card challenge" },
    h("h1", { tabindex: "-1" }, () => t("challenge.offered", { name: fullName(challenge.challenger) })),
    h(
      "p",
      {},
      playerLink(challenge.challenger),
      " ",
      h("span", { class: "rating" }, () => ratingText(challenge.challenger_rating)),
    ),
    terms(challenge),
    error.el,
    closedToGuests
      ? h(
          "div",
          {},
          h("p", {}, () => t("problem.account-needed")),
          h(
            "p",
            { class: "actions" },
            h("a", { class: "button primary", href: `/register${next}` }, () => t("account.register")),
            h("a", { class: "button", href: `/login${next}` }, () => t("account.log-in")),
          ),
        )
      : button,
  );
}

/** @param {Challenge} challenge */
function closed({ status, declined }) {
  return h(
    "section",
    { class: "card challenge" },
    h("h1", { tabindex: "-1" }, () => (status === "declined" ? declinedText(declined) : t(`challenge.status.${status}`))),
    h(
      "p",
      {},
      h("a", { class: "button", href: "/" }, () => t("missing.home")),
    ),
  );
}
