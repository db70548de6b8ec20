// @ts-check
// The page of the editor: any position of a game, judged by the rules, to be shared, analysed and played from. The position stands in the
// address, which follows every change.
//
//   section.page.editor > h1, p.lead, div.editor-parts
//     div.editor-board > details (games), fieldset (tools), div.board-host, p.told, div.actions
//     div.editor-side > fieldset (turn), div.text-field, fieldset (odds), form (play), section (link)

import { eachFrame, h, refresh } from "../core/dom.js";
import { twice } from "../core/files.js";
import { t } from "../core/i18n.js";
import { editingOf } from "../games/editing.js";
import { loadGame } from "../games/index.js";
import { editorPath } from "../views/editor-path.js";
import { gameLinks } from "../views/parts/game-links.js";
import { nothingHere } from "../views/parts/nothing-here.js";
import init, { Game as Rules } from "../wasm/rules.js";
import { editorBoard } from "./board.js";
import { boardButtons, oddsPart, toolRow, turnRow } from "./palette.js";
import { playPart } from "./play.js";
import { sharePart } from "./share.js";
import { createEditor } from "./state.js";
import { textField } from "./text-field.js";
import { isWriting, statusText, totalText, whyNot } from "./texts.js";

/** @import { Editing, Game } from "../games/types.js" */
/** @import { Params } from "../core/router.js" */
/** @import { Context, View, ViewMaker } from "../views/context.js" */
/** @import { Editor } from "./state.js" */

/** The page, with its game and the rules loaded. @param {Params} params @returns {Promise<ViewMaker>} */
export async function editorPage({ game: id = "" }) {
  const [game] = await Promise.all([loadGame(id), twice(init)]);
  if (!game) return () => ({ el: nothingHere(() => t("match.unknown-game")), title: () => t("missing.title") });
  const editing = await editingOf(game);
  return (ctx) => editorView(ctx, game, editing);
}

/** @param {Context} ctx @param {Game} game @param {Editing} editing @returns {View} */
function editorView(ctx, game, editing) {
  const editor = createEditor(Rules, game, editing, new URLSearchParams(location.search).get("position"));
  const title = () => `${t(`game.${game.id}.name`)}: ${t("editor.title")}`;
  const host = h("div", { class: "board-host" });
  const frame = eachFrame(() => refresh(el));
  let said = whyNot(editor);

  function update() {
    board.draw();
    follow(editor);
    frame.soon();
    const why = whyNot(editor);
    // The field itself tells what is wrong with a text that is being written.
    if (why !== said && !isWriting(editor)) ctx.announce(why || statusText(editor));
    said = why;
  }

  const board = editorBoard(host, editor, title, (cell) => {
    const piece = editor.edited.pieces.get(cell);
    const place = game
      .layout("")
      .rows.flat()
      .find(({ id }) => id === cell);
    if (place) ctx.announce(game.cellName(place, piece, null));
    update();
  });
  const play = playPart(ctx, editor);
  const el = h(
    "section",
    { class: "page editor" },
    h("h1", { tabindex: "-1" }, title),
    h("p", { class: "lead" }, () => t("editor.lead")),
    h(
      "div",
      { class: "editor-parts" },
      h(
        "div",
        { class: "editor-board" },
        gameChoice(game),
        toolRow(editor, update),
        host,
        h(
          "p",
          { class: () => `told${editor.fault && !isWriting(editor) ? " refused" : ""}` },
          () => statusText(editor),
          h("strong", {}, () => totalText(editor)),
        ),
        boardButtons(editor, update),
        h("p", { class: "quiet keys" }, () =>
          t(editing.tools.some(({ by }) => by !== undefined) ? "editor.keys.seeds" : "editor.keys.pieces"),
        ),
      ),
      h(
        "div",
        { class: "editor-side" },
        turnRow(editor, update),
        textField(editor, update),
        oddsPart(editor, update),
        play.el,
        sharePart(ctx, editor),
      ),
    ),
  );
  return {
    el,
    title,
    destroy() {
      frame.stop();
      play.destroy();
      board.destroy();
    },
  };
}

/** The address follows the position, and keeps the language. @param {Editor} editor */
function follow(editor) {
  if (editor.position === null) return;
  const address = editorPath(editor.game, editor.position);
  const language = new URLSearchParams(location.search).get("lang");
  const also = language === null ? "" : `${address.includes("?") ? "&" : "?"}${new URLSearchParams({ lang: language })}`;
  try {
    history.replaceState(null, "", address + also);
  } catch {
    // Browsers limit such changes within some seconds, which a held key exceeds. The next one brings the address up to date.
  }
}

/** The editors of the other games, closed at first: they are as high as half a board on a phone. @param {Game} game */
const gameChoice = (game) =>
  h(
    "details",
    { class: "game-choice" },
    h("summary", {}, () => `${t("new.game")}: ${t(`game.${game.id}.name`)}`),
    gameLinks(game.id, "editor"),
  );
