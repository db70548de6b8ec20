// @ts-check
// The conditional moves of the reader in a match by the day: a board for trying moves of both sides, and the lines that the server keeps.
//
//   dialog.sheet.conditional
//     p.lead, div.free, p.tried, div.actions, p.error
//     h3, ol.lines > li > span, button

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getConditionalMoves, putConditionalMoves } from "../net/correspondence.js";
import { freeBoard } from "./free-board.js";
import { bottomSide } from "./match-state.js";
import { errorLine } from "./parts/error-line.js";
import { openSheet } from "./parts/sheet.js";
import { problemText } from "./texts.js";

/** @import { Game } from "../games/types.js" */
/** @import { MatchContext } from "./context.js" */
/** @import { FreeBoard } from "./free-board.js" */
/** @import { Table } from "./match-state.js" */

/** @param {Game} game @param {readonly string[]} line */
const lineText = (game, line) => line.map((move) => game.notation(move)).join(" ");

/**
 * Opens the sheet.
 * @param {Pick<MatchContext, "announce">} ctx
 * @param {Table} table
 * @param {() => void} onClose
 * @returns {Promise<() => void>} closes it
 */
export async function openConditionalMoves(ctx, table, onClose) {
  const { match, game } = table;
  const { id, seq, position, setup } = match.view;
  const layout = game.layout(setup);
  let { lines } = await getConditionalMoves(id);
  const error = errorLine();
  let isSaving = false;
  /** @type {HTMLElement | null} */
  let tried = null;
  const free = await freeBoard(ctx, game, position, {
    label: () => t("conditional.board"),
    layout,
    flipped: layout.fixed ? table.turned : bottomSide(table) === "second",
    onMove: () => void (tried && refresh(tried)),
  });

  /** @param {string[][]} next @param {string} said */
  async function save(next, said) {
    isSaving = true;
    refreshAll();
    error.say(null);
    try {
      lines = (await putConditionalMoves(id, { seq, lines: next })).lines;
      ctx.announce(t(said));
    } catch (problem) {
      error.say(() => problemText(problem));
      return false;
    } finally {
      isSaving = false;
      refreshAll();
    }
    return true;
  }

  tried = triedPart(game, free, {
    isMine: () => free.plies().at(-1)?.side === match.you,
    isSaving: () => isSaving,
    save: async () => {
      const moves = free.plies().map(({ move }) => move);
      if (await save([...lines, moves], "conditional.saved")) free.restart();
    },
  });
  const kept = linesPart(
    game,
    () => lines,
    () => isSaving,
    (line) =>
      void save(
        lines.filter((one) => one !== line),
        "conditional.removed",
      ),
  );
  const parts = [tried, kept];
  const refreshAll = () => parts.forEach(refresh);
  openSheet(
    "conditional",
    () => t("conditional.title"),
    [h("p", { class: "lead" }, () => t("conditional.lead")), free.el, tried, error.el, kept],
    () => {
      free.destroy();
      onClose();
    },
  );
  free.focus();
  return () => free.el.closest("dialog")?.close();
}

/**
 * The line on the board, and the button that saves it.
 * @param {Game} game
 * @param {FreeBoard} free
 * @param {{ isMine: () => boolean, isSaving: () => boolean, save: () => Promise<void> }} does
 */
function triedPart(game, free, { isMine, isSaving, save }) {
  const text = () =>
    lineText(
      game,
      free.plies().map(({ move }) => move),
    );
  return h(
    "div",
    { class: "tried" },
    h("p", { class: "quiet" }, () => (isMine() ? t("conditional.tried", { line: text() }) : t("conditional.hint"))),
    h("button", { type: "button", class: "primary", disabled: () => !isMine() || isSaving(), onclick: () => void save() }, () =>
      t("conditional.save"),
    ),
  );
}

/**
 * The lines that the server keeps.
 * @param {Game} game
 * @param {() => string[][]} lines
 * @param {() => boolean} isSaving
 * @param {(line: string[]) => void} remove
 */
function linesPart(game, lines, isSaving, remove) {
  const rows = list(
    h("ol", { class: "lines" }),
    lines,
    (line) => line.join(" "),
    (line) =>
      h(
        "li",
        {},
        h("span", {}, lineText(game, line)),
        h(
          "button",
          {
            type: "button",
            disabled: isSaving,
            "aria-label": () => t("conditional.remove.line", { line: lineText(game, line) }),
            onclick: () => remove(line),
          },
          () => t("conditional.remove"),
        ),
      ),
  );
  return h(
    "section",
    { class: "kept" },
    h("h3", {}, () => t("conditional.lines")),
    hideWhen(
      h("p", { class: "quiet" }, () => t("conditional.none")),
      () => lines().length > 0,
    ),
    rows,
  );
}
