// @ts-check
// The page on which a person lets a program of somebody else act for them (OAuth 2). The program has sent the browser here, and its wish is the
// query of the address; the server judges it. Nothing leads back to the program but a press.
//
//   section.page.narrow > div.card.authorize
//     h1, p.quiet, p.host, dl.terms, ul.rights, p.quiet, p.error, p.actions

import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { getAccessWish, postAccessCode } from "../net/oauth.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { problemText } from "./texts.js";

/** @import { AccessWish, PlayerRef } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */

const title = () => t("oauth.title");

/** @type {ViewMaker} */
export const authorizeView = (ctx) => {
  const sent = location.search;
  const { el, load } = loaded(
    () => getAccessWish(sent),
    (wish) => (wish.error === null ? consent(ctx, wish, sent) : fault(wish)),
    { problem },
  );
  // Another tab may log in, out, or in as somebody else: the name that is shown is always the one that the access would be to.
  const stop = ctx.session.onChange(() => void load());
  return {
    title,
    el: h("section", { class: "page narrow" }, h("div", { class: "card authorize" }, h("h1", { tabindex: "-1" }, title), el)),
    destroy: stop,
  };
};

/** Without a program that could be told, the page leads nowhere. @param {unknown} refusal */
function problem(refusal) {
  const { field } = problemOf(refusal);
  return h(
    "p",
    { class: "error", role: "alert" },
    field === "client_id" || field === "redirect_uri" ? () => t("oauth.bad-client", { field }) : () => problemText(refusal),
  );
}

/** @param {AccessWish} wish */
function fault({ host, error, refusal }) {
  return h(
    "div",
    {},
    h("p", { class: "error", role: "alert" }, () => t("oauth.bad-wish", { host })),
    h("p", { class: "quiet" }, h("code", {}, error)),
    // By a press only: a page that sends everybody on by itself would lend its good name to any address.
    h(
      "p",
      { class: "actions" },
      h("a", { class: "button", href: refusal }, () => t("oauth.back", { host })),
    ),
  );
}

/** @param {Context} ctx @param {AccessWish} wish @param {string} sent */
function consent(ctx, wish, sent) {
  const me = ctx.session.player();
  return h(
    "div",
    {},
    h("p", { class: "quiet" }, () => t("oauth.lead")),
    h("p", { class: "host" }, wish.host),
    ...(me?.kind === "account" ? choice(ctx, wish, sent, me) : entry()),
  );
}

/** The way to an account, and back here. */
function entry() {
  const next = encodeURIComponent(location.pathname + location.search);
  return [
    h("p", {}, () => t("oauth.account")),
    h(
      "p",
      { class: "actions" },
      h("a", { class: "button primary", href: `/login?next=${next}` }, () => t("account.log-in")),
      h("a", { class: "button", href: `/register?next=${next}` }, () => t("account.register")),
    ),
  ];
}

/** @param {Context} ctx @param {AccessWish} wish @param {string} sent @param {PlayerRef} me */
function choice(ctx, { client_id, host, scopes, refusal }, sent, me) {
  const error = errorLine();
  let busy = false;
  const term = (/** @type {string} */ name, /** @type {string} */ value) => [h("dt", {}, () => t(name)), h("dd", {}, value)];
  const buttons = h(
    "p",
    { class: "actions" },
    h("button", { type: "button", class: "primary allow", disabled: () => busy, onclick: () => void allow() }, () => t("oauth.allow")),
    h("button", { type: "button", class: "refuse", disabled: () => busy, onclick: () => leave(refusal) }, () => t("oauth.refuse")),
  );
  /** Goes to the program; one on this device leaves the page open. @param {string} address */
  function leave(address) {
    const going = h(
      "p",
      { role: "status" },
      () => t("oauth.going"),
      " ",
      h("a", { href: address }, () => t("oauth.back", { host })),
    );
    buttons.replaceWith(going);
    ctx.announce(t("oauth.going"));
    location.assign(address);
  }
  async function allow() {
    busy = true;
    error.say(null);
    refresh(buttons);
    try {
      const { address } = await postAccessCode(sent);
      leave(address);
    } catch (refused) {
      error.say(() => problemText(refused));
    }
    busy = false;
    refresh(buttons);
  }
  return [
    h("dl", { class: "terms" }, ...term("oauth.program", client_id), ...term("oauth.as", me.name)),
    h("p", {}, () => t("oauth.rights")),
    h(
      "ul",
      { class: "rights" },
      scopes.map((scope) => h("li", {}, () => t(`oauth.right.${scope}`))),
    ),
    h("p", { class: "quiet" }, () => t("oauth.limits")),
    error.el,
    buttons,
  ];
}
