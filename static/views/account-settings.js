// @ts-check
// The settings of an account: its password, its sessions, its API tokens, and premium.

import { h } from "../core/dom.js";
import { day, loadPart, moment, t } from "../core/i18n.js";
import { postPassword } from "../net/account.js";
import { deleteMySession, deleteOtherSessions, deleteToken, getSessions, getTokens, postToken } from "../net/api.js";
import { smallForm } from "./form.js";
import { lookPart } from "./look-settings.js";
import { copyField } from "./parts/copy-field.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { sureButton } from "./parts/sure-button.js";
import { problemText } from "./texts.js";

/** @import { Scope, SessionView, TokenView } from "../core/types.js" */
/** @import { Context } from "./context.js" */

const SCOPES = /** @type {const} */ (["read", "play", "challenge", "event", "bot"]);
/** The choices for a token's validity, in days. */
const DAYS = [7, 30, 90, 366];
const USUAL_DAYS = "90";

/** @param {Context} ctx */
export function accountParts(ctx) {
  const sessions = sessionsPart();
  const tokens = tokensPart(ctx);
  // A new password ends all other sessions, and on request the tokens.
  return [
    lookPart(ctx),
    peopleSlot(),
    vacationSlot(),
    chatSlot(),
    passwordPart(() => {
      sessions.load();
      tokens.load();
    }),
    sessions.el,
    tokens.el,
    premiumPart(ctx),
    lifeSlot(ctx),
  ];
}

/** The place of the vacation, which is fetched with its words. */
function vacationSlot() {
  const slot = h("section", { class: "card", hidden: true });
  import("./vacation.js").then(
    ({ vacationPart }) => slot.replaceWith(vacationPart()),
    // The next visit fetches it.
    () => slot.remove(),
  );
  return slot;
}

/** @param {Context} ctx */
function premiumPart(ctx) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("settings.premium")),
    h("p", {}, () => t(ctx.session.premium() ? "settings.premium.yes" : "settings.premium.no")),
  );
}

/** The place of the settings about other players, which are fetched with their texts. */
function peopleSlot() {
  const slot = h("section", { class: "card", hidden: true });
  Promise.all([import("./people-settings.js"), loadPart("people")]).then(
    ([{ peoplePart }]) => slot.replaceWith(peoplePart()),
    // The next visit fetches it.
    () => slot.remove(),
  );
  return slot;
}

/** The place of the settings of chat, which have a module of their own. */
function chatSlot() {
  const slot = h("div", { class: "loaded" });
  void import("./chat-settings.js").then(
    ({ chatPart }) => slot.append(chatPart()),
    // The other settings do without it.
    () => slot.remove(),
  );
  return slot;
}

/** The place of what concerns the account as a whole, which has a module and texts of its own. @param {Context} ctx */
function lifeSlot(ctx) {
  const slot = h("div", { hidden: true });
  void import("./account-life.js")
    .then(({ accountLife }) => accountLife(ctx))
    .then(
      (parts) => slot.replaceWith(parts),
      // The other settings do without it.
      () => slot.remove(),
    );
  return slot;
}

/** @param {() => void} onChange */
function passwordPart(onChange) {
  const field = (/** @type {string} */ name, /** @type {string} */ complete) =>
    h("input", { name, type: "password", autocomplete: complete, required: true, maxlength: 200 });
  const old = field("old", "current-password");
  const next = field("new", "new-password");
  const endTokens = h("input", { name: "end-tokens", type: "checkbox" });
  const done = h("p", { class: "quiet", role: "status", hidden: true }, () => t("password.done"));
  const form = smallForm(
    { class: "account" },
    async () => {
      done.hidden = true;
      await postPassword(old.value, next.value, endTokens.checked);
      old.value = "";
      next.value = "";
      endTokens.checked = false;
      done.hidden = false;
      onChange();
    },
    () => t("password.change"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("password.old")),
        old,
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("password.new")),
        next,
      ),
      h(
        "label",
        { class: "tick" },
        endTokens,
        h("span", {}, () => t("password.end-tokens")),
      ),
    ],
  );
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("account.password")),
    form,
    done,
  );
}

function sessionsPart() {
  const error = errorLine();
  /** @param {() => Promise<null>} act */
  const run = async (act) => {
    error.say(null);
    await act().then(load, (refusal) => error.say(() => problemText(refusal)));
  };
  /** @param {SessionView} session */
  const row = ({ id, label, current, last_used_at }) =>
    h(
      "li",
      { class: "owned" },
      h(
        "span",
        {},
        h("strong", {}, label),
        h("small", { class: "quiet" }, () => (current ? t("sessions.this") : t("sessions.used", { at: moment(last_used_at) }))),
      ),
      current
        ? null
        : sureButton(
            () => t("sessions.end"),
            () => t("sure.ask"),
            () => void run(() => deleteMySession(id)),
            {},
            label,
          ),
    );
  const { el, load } = loaded(getSessions, ({ items }) =>
    h(
      "div",
      {},
      h("ul", { class: "rows" }, items.map(row)),
      items.length < 2
        ? null
        : h(
            "p",
            {},
            sureButton(
              () => t("sessions.end-others"),
              () => t("sure.ask"),
              () => void run(deleteOtherSessions),
            ),
          ),
    ),
  );
  return {
    el: h(
      "section",
      { class: "card" },
      h("h2", {}, () => t("sessions.title")),
      error.el,
      el,
    ),
    load,
  };
}

/** @param {Context} ctx */
function tokensPart(ctx) {
  const error = errorLine();
  /** @param {string} id */
  const revoke = async (id) => {
    error.say(null);
    await deleteToken(id).then(load, (refusal) => error.say(() => problemText(refusal)));
  };
  const { el, load } = loaded(getTokens, ({ items }) =>
    items.length === 0
      ? h("p", { class: "quiet" }, () => t("tokens.none"))
      : h(
          "ul",
          { class: "rows" },
          items.map((token) => tokenRow(token, revoke)),
        ),
  );
  const fresh = h("div", { class: "fresh", role: "status" });
  const form = tokenForm(async (token) => {
    fresh.replaceChildren(
      h("p", { class: "notice" }, () => t("tokens.once")),
      copyField(() => t("tokens.secret"), token, ctx),
    );
    await load();
  });
  const section = h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("tokens.title")),
    h(
      "p",
      { class: "quiet" },
      () => t("tokens.hint"),
      " ",
      h("a", { href: "/api/docs" }, () => t("about.api")),
    ),
    error.el,
    el,
    fresh,
    form,
  );
  return { el: section, load };
}

/** @param {TokenView} token @param {(id: string) => Promise<void>} revoke */
const tokenRow = ({ id, name, scopes, expires_at, last_used_at }, revoke) =>
  h(
    "li",
    { class: "owned" },
    h(
      "span",
      {},
      h("strong", {}, name),
      h("small", { class: "quiet" }, () =>
        [
          scopes.map((scope) => t(`scope.${scope}`)).join(", "),
          t("tokens.until", { day: day(expires_at) }),
          last_used_at ? t("sessions.used", { at: moment(last_used_at) }) : t("tokens.unused"),
        ].join(" · "),
      ),
    ),
    sureButton(
      () => t("tokens.revoke"),
      () => t("sure.ask"),
      () => void revoke(id),
      {},
      name,
    ),
  );

/** The form for a new token. @param {(token: string) => Promise<void>} onMade called with its secret */
function tokenForm(onMade) {
  const name = h("input", { name: "token-name", type: "text", autocomplete: "off", required: true, maxlength: 40 });
  const days = h(
    "select",
    { name: "token-days" },
    DAYS.map((n) => h("option", { value: n }, () => t("tokens.days", { n }))),
  );
  days.value = USUAL_DAYS;
  const boxes = SCOPES.map((scope) => ({
    scope,
    box: h("input", { type: "checkbox", name: "scope", value: scope, checked: scope === "read" }),
  }));
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
    h(
      "label",
      {},
      h("span", {}, () => t(label)),
      input,
    );
  return smallForm(
    { class: "account new-token" },
    async () => {
      const scopes = /** @type {Scope[]} */ (boxes.filter(({ box }) => box.checked).map(({ scope }) => scope));
      const { token } = await postToken(name.value.trim(), scopes, Number(days.value));
      name.value = "";
      await onMade(token);
    },
    () => t("tokens.make"),
    [
      field("tokens.name", name),
      h(
        "fieldset",
        { class: "scopes" },
        h("legend", {}, () => t("tokens.scopes")),
        boxes.map(({ scope, box }) =>
          h(
            "label",
            {},
            box,
            h("span", {}, () => t(`scope.${scope}`)),
          ),
        ),
      ),
      field("tokens.good", days),
    ],
  );
}
