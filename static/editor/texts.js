// @ts-check
// The texts of the editor that follow from its state.

import { t, tOr } from "../core/i18n.js";
import { resultText, turnText } from "../views/texts.js";
import { seeds } from "./state.js";

/** @import { Odds } from "../games/types.js" */
/** @import { Editor, Fault } from "./state.js" */

/** The reason of the rules, with its place in the text. @param {Fault} fault */
export function faultText({ code, at }) {
  const what = tOr(`editor.fault.${code}`, "editor.fault.other", { code });
  return at === null ? what : t("editor.fault.at", { what, n: at });
}

/** Why no game can begin here; empty if one can. @param {Editor} editor */
export function whyNot({ game, fault, result }) {
  if (fault) return faultText(fault);
  return result ? t("editor.over", { result: resultText(game.id, result) }) : "";
}

/** Whether the reader writes a text that the board does not show. @param {Editor} editor */
export const isWriting = ({ text, editing, edited, position }) => position === null && text !== editing.write(edited);

/** The fault of the board, the result, or the side to move. @param {Editor} editor */
export const statusText = (editor) => (isWriting(editor) ? "" : whyNot(editor)) || turnText(editor.game.id, editor.edited.turn);

/** The seeds on the board; empty in a game of pieces. @param {Editor} editor */
export const totalText = (editor) => (editor.editing.total ? t(editor.editing.total, { n: seeds(editor) }) : "");

/** @param {Editor} editor @param {Odds} odds */
export function oddsText({ game }, { key, side, n }) {
  if (n !== undefined) return t("option.seeds", { n });
  return t(`editor.odds.${key}`, { side: t(`game.${game.id}.side.${side}`) });
}
