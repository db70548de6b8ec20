// @ts-check
// The page for a login card: its code and a new password let a pupil in.
//
//   section.page.narrow
//     form.card.account, or div.card.account for a reader who is logged in

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { postLoginCard } from "../net/classes.js";
import { smallForm } from "./form.js";
import { openSheet } from "./parts/sheet.js";
import { problemText } from "./texts.js";

/** @import { Context, ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function loginCardView(ctx) {
  const card = { code: takeCode(), password: "" };
  const el = h("section", { class: "page narrow" });
  const show = (/** @type {HTMLElement} */ content) => {
    el.replaceChildren(content);
    content.querySelector("h1")?.focus();
  };
  const form = () => cardForm(ctx, card, () => show(leaveFirst()));
  const leaveFirst = () => logOutFirst(ctx, () => show(form()));
  const { kind = "guest" } = ctx.session.player() ?? {};
  el.append(kind === "guest" ? form() : leaveFirst());
  return { title: () => t("class.login"), el };
}

/** The code in the part of the address that no server sees; it does not stay there for the next reader of the screen or of the history. */
function takeCode() {
  const code = decoded(location.hash.slice(1));
  if (location.hash !== "") history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {Context} ctx @param {{ code: string, password: string }} card what the reader has entered @param {() => void} leaveFirst */
function cardForm(ctx, card, leaveFirst) {
  const plain = { required: true, autocapitalize: "none", spellcheck: "false" };
  const code = h("input", { ...plain, name: "code", autocomplete: "off", maxlength: 64, value: card.code });
  const password = h("input", {
    ...plain,
    name: "password",
    type: "password",
    autocomplete: "new-password",
    maxlength: 200,
    value: card.password,
  });
  const isShown = h("input", {
    type: "checkbox",
    name: "show",
    onchange: () => {
      password.type = isShown.checked ? "text" : "password";
    },
  });
  const labelled = (/** @type {string} */ key, /** @type {HTMLInputElement} */ input) =>
    h(
      "label",
      {},
      h("span", {}, () => t(key)),
      input,
    );
  return smallForm(
    { class: "card account" },
    async () => {
      const me = await postLoginCard(code.value.trim(), password.value);
      ctx.session.become(me);
      ctx.go("/", { replace: true });
      greet(me.player?.name ?? "");
    },
    () => t("class.login.do"),
    [
      h("h1", { tabindex: "-1" }, () => t("class.login")),
      h("p", { class: "quiet" }, () => t("class.login.hint")),
      labelled("class.login.code", code),
      labelled("class.login.password", password),
      h(
        "label",
        { class: "tick" },
        isShown,
        h("span", {}, () => t("class.login.show")),
      ),
    ],
    (refusal) => {
      const problem = problemOf(refusal);
      Object.assign(card, { code: code.value, password: password.value });
      if (problem.code === "log-out-first") leaveFirst();
      (problem.code === "weak-password" ? password : code).focus();
      return problem.code === "wrong-credentials" ? t("class.login.wrong") : problemText(refusal);
    },
  );
}

/** In the place of the form for a reader who is logged in. @param {Context} ctx @param {() => void} goOn */
function logOutFirst(ctx, goOn) {
  const name = ctx.session.player()?.name ?? "";
  const form = smallForm(
    { class: "account" },
    async () => {
      await ctx.logOut({ stays: true });
      goOn();
    },
    () => t("class.login.leave"),
    [],
  );
  return h(
    "div",
    { class: "card account" },
    h("h1", { tabindex: "-1" }, () => t("class.login")),
    h("p", {}, () => (name === "" ? t("problem.log-out-first") : t("class.login.as", { name }))),
    form,
    h("a", { href: "/" }, () => t("class.login.stay")),
  );
}

/** Greets a pupil, who needs the name of the account from now on, above the next page. @param {string} name */
function greet(name) {
  const main = document.querySelector("main");
  if (!main) return;
  // The page of the form is replaced with everything on it.
  const shown = new MutationObserver(() => {
    shown.disconnect();
    openSheet("welcome", () => t("class.welcome", { name }), [
      h("p", {}, () => t("class.welcome.name")),
      h("p", { class: "account-name" }, name),
      h("p", {}, () => t("class.welcome.next")),
    ]);
  });
  shown.observe(main, { childList: true });
}
