// @ts-check
// The exports of an analysis and its link, made while they are open.
//
//   details > p.exports, div > div.copy-field

import { h, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { gameOfTree, linesOf } from "../review/tree.js";
import { editorPath } from "../views/editor-path.js";
import { copyField } from "../views/parts/copy-field.js";
import { endsHere, mainLine } from "./state.js";
import { fragmentOf, writeRecord } from "./writing.js";

/** @import { Context } from "../views/context.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Analysis } from "./state.js" */

/** @param {Pick<Context, "announce">} ctx @param {typeof Rules} Rules @param {Analysis} analysis */
export function sharePart(ctx, Rules, analysis) {
  const { game } = analysis;
  const files = h("p", { class: "exports" });
  const link = h("div", {});
  const el = h(
    "details",
    { ontoggle: fill },
    h("summary", {}, () => t("analysis.share")),
    files,
    link,
  );
  function fill() {
    if (!el.open) return;
    const record = recordOf(analysis);
    files.replaceChildren(
      `${t("export.title")}: `,
      ...writeRecord(Rules, record).flatMap(({ extension, text }, i) => [
        ...(i > 0 ? [" · "] : []),
        h(
          "a",
          { download: `${game.id}.${extension}`, href: `data:text/plain;charset=utf-8,${encodeURIComponent(text)}` },
          extension.toUpperCase(),
        ),
      ]),
    );
    const address = new URL(addressOf(analysis, record), location.href).href;
    link.replaceChildren(
      copyField(() => t("analysis.link"), address, ctx),
      h(
        "p",
        {},
        h("a", { href: editorPath(game, analysis.tree.at.position) }, () => t("editor.title")),
      ),
    );
  }
  onRefresh(el, fill);
  return el;
}

/** The game with its branches; a result outside the rules belongs to the main line only. @param {Analysis} analysis */
function recordOf(analysis) {
  const { result: _, ...now } = gameOfTree(analysis.tree);
  const { result } = analysis.source.played;
  const last = mainLine(analysis).at(-1);
  return last && result && endsHere(analysis, last) ? { ...now, result } : now;
}

/** The address of the shown place: in the match, or with the whole game. @param {Analysis} analysis @param {ReturnType<typeof recordOf>} record */
function addressOf({ tree, source: { path, played } }, record) {
  const isMatch = path !== null && !record.branches && record.moves.join() === played.moves.join();
  const line = linesOf(tree).findIndex((places) => places.includes(tree.at));
  return isMatch ? `${path}?ply=${tree.at.ply}` : `/analysis${fragmentOf(record, tree.at.ply, line)}`;
}
