// @ts-check
// The tools of the editor, and the buttons that change the whole board.

import { h, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { choiceRow } from "../views/parts/choice-row.js";
import { sideMark } from "../views/parts/side-mark.js";
import { begin, clear, give, setTurn } from "./state.js";
import { oddsText } from "./texts.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game, Tool } from "../games/types.js" */
/** @import { Editor } from "./state.js" */

/** The face of a tool's piece. @param {Game} game @param {Tool} tool */
function markOf(game, { piece }) {
  if (!piece) return undefined;
  const { front, back } = game.draw(piece);
  return () => (piece.turned && back ? back : front);
}

/** Keeps the radio buttons at a value that changes elsewhere, too. @param {HTMLElement} el @param {() => string} value */
function follow(el, value) {
  onRefresh(el, () => {
    for (const input of el.querySelectorAll("input")) input.checked = input.value === value();
  });
  return el;
}

/** @param {Editor} editor @param {() => void} update */
export function toolRow(editor, update) {
  const { game, editing } = editor;
  const row = choiceRow(
    "editor-tool",
    () => t("editor.tools"),
    editing.tools.map((tool) => ({ value: tool.name, label: () => t(`editor.tool.${tool.name}`), mark: markOf(game, tool) })),
    editor.tool.name,
    (value) => {
      editor.tool = editing.tools.find(({ name }) => name === value) ?? editor.tool;
      update();
    },
  );
  return follow(row, () => editor.tool.name);
}

/** @param {Editor} editor @param {() => void} update */
export function turnRow(editor, update) {
  const { game } = editor;
  const sides = /** @type {Side[]} */ (["first", "second"]);
  const row = choiceRow(
    "editor-turn",
    () => t("editor.turn"),
    sides.map((side) => ({ value: side, label: () => t(`game.${game.id}.side.${side}`), mark: () => sideMark(game.id, side) })),
    editor.edited.turn,
    (value) => {
      setTurn(editor, /** @type {Side} */ (value));
      update();
    },
  );
  return follow(row, () => editor.edited.turn);
}

/** @param {Editor} editor @param {() => void} update */
export function boardButtons(editor, update) {
  const button = (/** @type {string} */ key, /** @type {() => void} */ act) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          act();
          update();
        },
      },
      () => t(key),
    );
  return h(
    "div",
    { class: "actions" },
    button("editor.start", () => begin(editor)),
    button("editor.empty", () => clear(editor)),
    editor.game.layout("").fixed
      ? null
      : button("match.flip", () => {
          editor.flipped = !editor.flipped;
        }),
  );
}

/** Odds; null in a game without any. @param {Editor} editor @param {() => void} update */
export function oddsPart(editor, update) {
  const { odds } = editor.editing;
  if (odds.length === 0) return null;
  return h(
    "fieldset",
    { class: "odds" },
    h("legend", {}, () => t("editor.odds")),
    h(
      "div",
      { class: "actions" },
      odds.map((one) =>
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              give(editor, one);
              update();
            },
          },
          () => oddsText(editor, one),
        ),
      ),
    ),
  );
}
