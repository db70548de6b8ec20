// @ts-check
// Register and log in: the same form with different texts and actions.

import { h, refresh } from "../core/dom.js";
import { loadPart, t } from "../core/i18n.js";
import { postAccount, postDisabledAppeal, postSession } from "../net/account.js";
import { problemOf } from "../net/api.js";
import { appealForm } from "./appeal-form.js";
import { errorLine } from "./parts/error-line.js";
import { documentLinks } from "./site.js";
import { problemText } from "./texts.js";

/** @import { Context, View, ViewMaker } from "./context.js" */

/** The parameter of the login's address with which it takes a recovery code. */
const RECOVER = "recover";

/** The parameter of the registration's address with the code of an invitation. */
const INVITE = "invite";

/** The next page: only a path of this site. */
const nextPage = () => ownPath(new URLSearchParams(location.search).get("next") ?? "/", location.origin);

/**
 * A path if it leads to a page of this site, else the front page. A browser reads `/\` as `//`, behind which stands another host.
 * @param {string} wished
 * @param {string} origin of this site
 */
export function ownPath(wished, origin) {
  if (!wished.startsWith("/") || !URL.canParse(wished, origin)) return "/";
  const { origin: wishedOrigin, pathname, search, hash } = new URL(wished, origin);
  return wishedOrigin === origin && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

/** @type {ViewMaker} */
export function registerView(ctx) {
  const { registration = "open" } = ctx.session.site() ?? {};
  if (registration === "closed") return closedView(ctx);
  const invitation = registration === "invite" ? invitationField() : null;
  return accountView(ctx, {
    title: "account.register",
    hint: ctx.session.player()?.kind === "guest" ? "account.register.guest" : "account.register.hint",
    action: "account.register.do",
    password: "new-password",
    otherPath: "/login",
    otherText: "account.log-in.instead",
    invitation,
    async act(name, password) {
      const made = await postAccount(name, password, invitation?.input.value);
      ctx.session.become(made);
      return made.recovery_codes;
    },
  });
}

/** The field for the code of an invitation, which a link may bring. */
function invitationField() {
  const input = h("input", {
    name: "invitation",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    required: true,
    maxlength: 64,
    "aria-describedby": "invitation-hint",
    value: new URLSearchParams(location.search).get(INVITE) ?? "",
  });
  const el = h(
    "div",
    {},
    h(
      "label",
      {},
      h("span", {}, () => t("site.invitation")),
      input,
    ),
    h("p", { class: "quiet", id: "invitation-hint" }, () => t("site.invitation.hint")),
  );
  return { el, input };
}

/** In the place of the form, where the operator alone makes accounts. @param {Context} ctx @returns {View} */
function closedView(ctx) {
  const documents = documentLinks(ctx.session.site());
  const el = h(
    "section",
    { class: "page narrow" },
    h(
      "div",
      { class: "card account" },
      h("h1", { tabindex: "-1" }, () => t("account.register")),
      h("p", {}, () => t("site.closed")),
      h("a", { class: "button primary", href: `/login?next=${encodeURIComponent(nextPage())}` }, () => t("account.log-in")),
      documents.length > 0 ? h("p", { class: "documents" }, documents) : null,
    ),
  );
  return { title: () => t("account.register"), el };
}

/** @type {ViewMaker} */
export const logInView = (ctx) => (new URLSearchParams(location.search).has(RECOVER) ? recoveryView(ctx) : passwordView(ctx));

/** @param {Context} ctx */
function passwordView(ctx) {
  const passkey = passkeySlot(ctx);
  const view = accountView(ctx, {
    title: "account.log-in",
    hint: null,
    action: "account.log-in.do",
    password: "current-password",
    otherPath: "/register",
    otherText: "account.register.instead",
    invitation: null,
    passkey: passkey.el,
    act: async (name, password) => ctx.session.become(await postSession(name, password)),
  });
  return { ...view, destroy: passkey.destroy };
}

/** The place of the login by a passkey, where the browser has some; it is fetched with its texts. @param {Context} ctx */
function passkeySlot(ctx) {
  const el = h("div", { hidden: true });
  const left = new AbortController();
  if ("PublicKeyCredential" in window)
    void import("./passkey-login.js")
      .then(({ passkeyLogin }) => passkeyLogin(ctx, nextPage(), left.signal))
      .then(
        (parts) => el.replaceWith(...parts),
        // The password logs in without it.
        () => el.remove(),
      );
  return { el, destroy: () => left.abort() };
}

/** The links below the form: to the other form, to the recovery of an account, and to the operator's documents. @param {Context} ctx @param {string} otherPath @param {string} otherText @param {string} next */
function waysOn(ctx, otherPath, otherText, next) {
  const site = ctx.session.site();
  const isLogin = otherPath === "/register";
  const documents = documentLinks(site);
  return [
    isLogin && site?.registration === "closed"
      ? h("p", { class: "quiet" }, () => t("site.closed"))
      : h(
          "p",
          {},
          h("a", { href: `${otherPath}?next=${encodeURIComponent(next)}` }, () => t(otherText)),
        ),
    isLogin
      ? h(
          "p",
          {},
          h("a", { href: `/login?${RECOVER}&next=${encodeURIComponent(next)}` }, () =>
            t(site?.mail ? "account.forgot" : "account.recover"),
          ),
        )
      : null,
    isLogin
      ? h(
          "p",
          {},
          h("a", { href: "/login-card" }, () => t("account.card")),
        )
      : null,
    documents.length > 0 ? h("p", { class: "documents" }, documents) : null,
  ];
}

/**
 * @param {Context} ctx
 * @param {{
 *   title: string, hint: string | null, action: string, password: string, otherPath: string, otherText: string,
 *   invitation: { el: HTMLElement, input: HTMLInputElement } | null, passkey?: HTMLElement | null,
 *   act: (name: string, password: string) => Promise<string[] | void>,
 * }} kind
 * @returns {View}
 */
function accountView(ctx, { title, hint, action, password: complete, otherPath, otherText, invitation, passkey = null, act }) {
  const error = errorLine();
  let busy = false;
  const name = h("input", {
    name: "name",
    // With a passkey the browser offers those of this site beside the names that it knows.
    autocomplete: passkey ? "username webauthn" : "username",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 40,
  });
  const password = h("input", { name: "password", type: "password", autocomplete: complete, required: true, maxlength: 200 });
  /** The place of the appeal of a disabled account. */
  const appeal = h("div", {});
  const button = h("button", { type: "submit", class: "primary", disabled: () => busy }, () => t(action));
  const next = nextPage();

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    error.say(null);
    appeal.replaceChildren();
    refresh(button);
    try {
      const codes = await act(name.value.trim(), password.value);
      if (codes) await showCodes(ctx, el, codes, next);
      else ctx.go(next, { replace: true });
      return;
    } catch (refusal) {
      error.say(() => problemText(refusal));
      const { code, field } = problemOf(refusal);
      const wrong = field === "invitation" || code === "invitation-needed" ? invitation?.input : null;
      (wrong ?? (field === "password" || code === "weak-password" ? password : name)).focus();
      if (code === "account-disabled") appeal.replaceChildren(appealPart(ctx, name.value.trim(), password.value));
    }
    busy = false;
    refresh(button);
  }

  const el = h(
    "section",
    { class: "page narrow" },
    h(
      "form",
      { class: "card account", onsubmit: submit },
      h("h1", { tabindex: "-1" }, () => t(title)),
      ctx.session.site()?.public === false && !hint ? h("p", {}, () => t("site.private")) : null,
      hint ? h("p", { class: "quiet" }, () => t(hint)) : null,
      h(
        "label",
        {},
        h("span", {}, () => t("account.name")),
        name,
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("account.password")),
        password,
      ),
      invitation?.el ?? null,
      error.el,
      button,
      passkey,
      ...waysOn(ctx, otherPath, otherText, next),
    ),
    appeal,
  );
  return { title: () => t(title), el };
}

/**
 * Shows the recovery codes of a new account in the place of the form.
 * @param {Context} ctx
 * @param {HTMLElement} place
 * @param {string[]} codes
 * @param {string} next
 */
async function showCodes(ctx, place, codes, next) {
  const module = import("./recovery-codes.js");
  const loaded = await module
    .then(({ loadRecoveryTexts }) => loadRecoveryTexts())
    .then(
      () => module,
      () => null,
    );
  // Without its files the page goes on: new codes can be made in the settings.
  if (!loaded) return ctx.go(next, { replace: true });
  const name = ctx.session.player()?.name ?? "";
  const title = h("h1", { tabindex: "-1" }, () => t("codes.welcome", { name }));
  place.replaceChildren(
    h(
      "div",
      { class: "card account" },
      title,
      h("p", { class: "quiet" }, () => (ctx.session.site()?.mail ? t("codes.hint") : `${t("codes.hint")} ${t("codes.only")}`)),
      loaded.recoveryCodes(ctx, name, codes),
      h("a", { class: "button primary", href: next }, () => t("codes.kept")),
    ),
  );
  title.focus();
}

/** The forms for a forgotten password, which few readers open: for a recovery code and, where the server sends mail, for a link. @param {Context} ctx @returns {View} */
function recoveryView(ctx) {
  const el = h("section", { class: "page narrow" });
  const byMail = ctx.session.site()?.mail
    ? Promise.all([import("./reset-request.js"), loadPart("email")]).then(([{ resetRequestForm }]) => [resetRequestForm(ctx)])
    : [];
  void Promise.all([import("./recovery.js"), loadPart("account"), byMail]).then(
    ([{ recoveryForm }, , mailForm]) => {
      el.replaceChildren(recoveryForm(ctx, nextPage()), ...mailForm);
      el.querySelector("h1")?.focus();
    },
    () => el.replaceChildren(h("p", { class: "card" }, () => t("problem.offline"))),
  );
  return { title: () => t("account.log-in"), el };
}

/** The appeal of a disabled account, whose owner has just given its password. @param {Context} ctx @param {string} name @param {string} password */
function appealPart(ctx, name, password) {
  const sent = h("p", { class: "quiet" });
  const form = appealForm(async (text) => {
    const answer = await postDisabledAppeal({ name, password, text }).then(
      () => t("appeal.sent"),
      (refusal) => {
        // The login does not say whether the operator has disabled the account, or a moderator.
        if (problemOf(refusal).code === "not-found") return t("appeal.none");
        throw refusal;
      },
    );
    sent.textContent = answer;
    form.replaceWith(sent);
    ctx.announce(answer);
  });
  return h("div", { class: "card" }, form);
}
