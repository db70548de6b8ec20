// @ts-check
// The setting of the display name: a name in any script, which others see beside the name in addresses.
//
//   section.card#display-name
//     h2, p
//     form.account   the name
//     button         its removal

import { h } from "../core/dom.js";
import { day, t, tOr } from "../core/i18n.js";
import { deleteDisplayName, getDisplayName, putDisplayName } from "../net/account.js";
import { problemOf } from "../net/api.js";
import { smallForm } from "./form.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { problemText } from "./texts.js";

/** @import { OwnDisplayName } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The longest display name, in characters. */
const MAX_CHARS = 24;

/** @param {Context} ctx */
export function displayNamePart(ctx) {
  const { el } = loaded(getDisplayName, (own) => {
    if (!own.available) return h("p", {}, () => t("display.pupil"));
    const { display_name: shown, not_before: from } = own;
    return h(
      "div",
      { class: "loaded" },
      shown === null ? null : h("p", {}, h("strong", {}, h("bdi", {}, shown))),
      from === null ? nameForm(ctx, own) : h("p", {}, () => t("display.wait", { day: day(from) })),
      shown === null ? null : removal(ctx),
    );
  });
  return h(
    "section",
    { class: "card", id: "display-name" },
    h("h2", {}, () => t("display.title")),
    h("p", { class: "quiet" }, () => t("display.hint", { name: `@${ctx.session.player()?.name ?? ""}` })),
    el,
  );
}

/** @param {Context} ctx @param {OwnDisplayName} own */
function nameForm(ctx, { display_name: shown }) {
  const input = h("input", {
    type: "text",
    name: "display-name",
    required: true,
    autocomplete: "nickname",
    spellcheck: "false",
    dir: "auto",
    maxlength: MAX_CHARS * 2,
    value: shown ?? "",
  });
  return smallForm(
    { class: "account" },
    async () => {
      // The settings are shown anew then.
      ctx.session.become(await putDisplayName(input.value.trim()));
      ctx.announce(t("display.done"));
    },
    () => t("display.do"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("display.new")),
        input,
      ),
    ],
    refusalOf,
  );
}

/** @param {Context} ctx */
function removal(ctx) {
  const error = errorLine();
  return h(
    "div",
    {},
    h(
      "button",
      {
        type: "button",
        onclick: () =>
          void deleteDisplayName().then(
            (me) => {
              ctx.session.become(me);
              ctx.announce(t("display.removed"));
            },
            (refusal) => error.say(() => problemText(refusal)),
          ),
      },
      () => t("display.remove"),
    ),
    error.el,
  );
}

/** @param {unknown} refusal */
function refusalOf(refusal) {
  const { code, why } = problemOf(refusal);
  if (code === "renamed-lately") return t("display.often");
  return code === "bad-name" ? tOr(`display.bad.${why}`, "display.bad", {}) : problemText(refusal);
}
