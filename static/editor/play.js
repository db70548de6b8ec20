// @ts-check
// "Play from here": a casual game from the position on this device, against the computer or with two people.

import { h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { OPPONENTS } from "../core/opponents.js";
import { begin, beginText } from "../views/begin.js";
import { choiceRow } from "../views/parts/choice-row.js";
import { errorLine } from "../views/parts/error-line.js";
import { sidePicker } from "../views/parts/side-picker.js";
import { canPlay } from "./state.js";
import { whyNot } from "./texts.js";

/** @import { Context } from "../views/context.js" */
/** @import { Editor } from "./state.js" */

/** The opponents for whom no server is needed. A friend and a stranger follow once the server begins matches from a position. */
const HERE = ["computer", "device"];
/** The level that a newcomer meets on the front page. */
const LEVEL = "2";

/** @param {Context} ctx @param {Editor} editor */
export function playPart(ctx, editor) {
  let opponent = HERE[0] ?? "";
  const side = sidePicker("side", editor.game.id);
  const error = errorLine();
  const level = h(
    "select",
    {},
    OPPONENTS.map(({ name }, i) => h("option", { value: String(i + 1) }, () => t("player.bot", { name, n: i + 1 }))),
  );
  level.value = LEVEL;
  const isComputer = () => opponent === "computer";

  /** @param {Event} event */
  function play(event) {
    event.preventDefault();
    const { game, position, edited } = editor;
    if (position === null || !canPlay(editor)) return;
    const terms = { setup: "", time_control: /** @type {const} */ ({ kind: "unlimited" }), here: true, start: position, turn: edited.turn };
    begin({ game: game.id, ...terms, side: side.side(), level: isComputer() ? Number(level.value) : null }).then(
      (path) => ctx.go(path),
      (problem) => error.say(() => beginText(problem)),
    );
  }

  /** A part that only the computer needs. @param {HTMLElement} el */
  const ofComputer = (el) => hideWhen(el, () => !isComputer());

  const form = h(
    "form",
    { class: "card play-here", onsubmit: play },
    h("h2", {}, () => t("editor.play")),
    choiceRow(
      "opponent",
      () => t("new.opponent"),
      HERE.map((value) => ({ value, label: () => t(`new.${value}`) })),
      opponent,
      (value) => {
        opponent = value;
        refresh(form);
      },
    ),
    ofComputer(
      h(
        "label",
        {},
        h("span", {}, () => t("editor.level")),
        level,
      ),
    ),
    ofComputer(side.el),
    h("p", { class: "quiet" }, () => t("editor.casual")),
    error.el,
    h("button", { type: "submit", class: "primary", disabled: () => !canPlay(editor), "aria-describedby": "why-not" }, () =>
      t("editor.play"),
    ),
    hideWhen(
      h("p", { class: "quiet", id: "why-not" }, () => whyNot(editor)),
      () => canPlay(editor),
    ),
  );
  return form;
}
