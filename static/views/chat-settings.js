// @ts-check
// The settings of chat: whether it is on, and the muted players.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getPreferences, patchPreferences } from "../net/api.js";
import { deleteMute, getMutes } from "../net/chat.js";
import { choiceRow } from "./parts/choice-row.js";
import { errorLine } from "./parts/error-line.js";
import { loaded } from "./parts/loaded.js";
import { problemText } from "./texts.js";

/** Whether chat is on, and the muted players; hidden where there is no choice. */
export function chatPart() {
  const error = errorLine();
  const run = (/** @type {Promise<unknown>} */ act) => act.catch((refusal) => error.say(() => problemText(refusal)));
  const mutes = loaded(getMutes, ({ items }) =>
    items.length === 0
      ? h("p", { class: "quiet" }, () => t("settings.mutes.none"))
      : h(
          "ul",
          { class: "rows" },
          items.map(({ name }) =>
            h(
              "li",
              { class: "owned" },
              h("strong", {}, name),
              h("button", { type: "button", onclick: () => void run(deleteMute(name).then(mutes.load)) }, () => t("settings.unmute")),
            ),
          ),
        ),
  );
  const choice = loaded(getPreferences, ({ chat }) => {
    el.hidden = chat === null;
    return choiceRow(
      "set-chat",
      () => t("settings.chat"),
      ["on", "off"].map((value) => ({ value, label: () => t(`settings.chat.${value}`) })),
      chat ? "on" : "off",
      (value) => {
        error.say(null);
        void run(patchPreferences({ chat: value === "on" }));
      },
    );
  });
  const el = h(
    "section",
    { class: "card", id: "chat" },
    h("h2", {}, () => t("settings.chat.title")),
    choice.el,
    h("p", { class: "quiet" }, () => t("settings.chat.hint")),
    h("h3", {}, () => t("settings.mutes")),
    mutes.el,
    error.el,
  );
  // The way in at a chat leads here; the part comes after the page has been shown.
  if (location.hash === "#chat") requestAnimationFrame(() => el.scrollIntoView());
  return el;
}
