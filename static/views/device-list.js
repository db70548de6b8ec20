// @ts-check
// The games on this device.
//
//   section.card.device-games
//     h2, p
//     ul.rows > li > a.match-row, button

import { h } from "../core/dom.js";
import { day, t } from "../core/i18n.js";
import { OPPONENTS } from "../core/opponents.js";
import { gameOf } from "../games/index.js";
import { createStore } from "../local/store.js";
import { sureButton } from "./parts/sure-button.js";
import { resultText, setupText, turnText } from "./texts.js";

/** @import { Kept } from "../local/store.js" */

/** The most games in the list. */
const SHOWN = 20;

/** @param {number} level */
const opponentName = (level) => t("player.bot", { name: OPPONENTS[level - 1]?.name ?? "", n: level });

/** @returns {HTMLElement} */
export function deviceList() {
  const rows = h("ul", { class: "rows" });
  const el = h(
    "section",
    { class: "card device-games" },
    h("h2", { tabindex: "-1" }, () => t("device.title")),
    h("p", { class: "quiet" }, () => t("device.hint")),
    rows,
  );

  function fill() {
    const kept = known();
    el.hidden = kept.length === 0;
    rows.replaceChildren(...kept.slice(0, SHOWN).map(row));
  }

  /** @param {Kept} kept */
  const row = (kept) =>
    h(
      "li",
      {},
      h(
        "a",
        { class: "match-row", href: `/device/${kept.id}` },
        h("span", { class: "players" }, () => (kept.level === null ? t("match.one-device") : opponentName(kept.level))),
        h("span", { class: "terms" }, () => [t(`game.${kept.game}.name`), setupText(kept.game, kept.setup)].filter(Boolean).join(" · ")),
        h("span", { class: () => `outcome ${kept.result === null ? "yours" : ""}` }, () =>
          kept.result
            ? `${resultText(kept.game, kept.result)} · ${t("match.plies", { n: kept.moves.length })}`
            : turnText(kept.game, kept.turn),
        ),
        h("time", { datetime: kept.changed_at }, () => day(kept.changed_at)),
      ),
      sureButton(
        () => t("device.remove"),
        () => t("device.remove.sure"),
        () => {
          createStore(localStorage).remove(kept.id);
          fill();
          (rows.querySelector("a") ?? el.querySelector("h2"))?.focus();
        },
        { class: "plain" },
        t(`game.${kept.game}.name`),
      ),
    );

  fill();
  return el;
}

function known() {
  try {
    return createStore(localStorage)
      .all()
      .filter(({ game }) => gameOf(game));
  } catch {
    // Storage may be forbidden: then no games are stored.
    return [];
  }
}
