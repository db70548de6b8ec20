// @ts-check
// The beginning of an analysis: a match on the server, a game on this device, one in the address, or a pasted one.
//
//   div.match-page > section.match.analysis
//   section.page.analysis-begin > h1, p, form (game, text, p.error), nav

import { h } from "../core/dom.js";
import { t, tOr } from "../core/i18n.js";
import { GAMES, gameOf, loadGame } from "../games/index.js";
import { createSeen, seenOf } from "../local/seen.js";
import { createStore } from "../local/store.js";
import { getMatch, problemOf } from "../net/api.js";
import { matchBeginning } from "../review/played.js";
import { ready } from "../review/ready.js";
import { errorLine } from "../views/parts/error-line.js";
import { nothingHere } from "../views/parts/nothing-here.js";
import { playerName, resultText } from "../views/texts.js";
import { readRecord } from "./records.js";
import { analysisTable } from "./table.js";
import { fragmentOf, fromFragment } from "./writing.js";

/** @import { ViewMaker } from "../views/context.js" */
/** @import { Game as Rules } from "../wasm/rules.js" */
/** @import { Fault } from "../review/played.js" */
/** @import { Source } from "./state.js" */

/** The most matches of this device in the list. */
const MOST_LISTED = 10;

/** @type {ViewMaker} */
export function analysisView(ctx, { id, device }) {
  const host = h(
    "div",
    { class: "match-page" },
    h("p", { class: "quiet loading" }, () => t("loading")),
  );
  /** @type {ReturnType<typeof analysisTable> | null} */
  let table = null;
  let gone = false;
  /** @type {() => string} */
  let title = () => t("menu.analysis");

  /** @param {HTMLElement} el */
  const put = (el) => host.replaceChildren(el);

  /** @param {typeof Rules} Game @param {Source} source */
  async function open(Game, source) {
    const game = await loadGame(source.played.game);
    if (gone) return;
    if (!game) return put(nothingHere(() => t("match.unknown-game")));
    table = analysisTable(ctx, Game, game, source);
    title = () => `${t("menu.analysis")}: ${source.title()}`;
    document.title = title();
    put(table.el);
  }

  async function load() {
    const Game = await ready();
    const source = id !== undefined ? await fromMatch(Game, id) : device !== undefined ? fromDevice(device) : fromAddress(Game);
    if (gone) return;
    if (source === null) put(beginning(ctx, Game, null));
    else if ("text" in source) put(nothingHere(source.text));
    else if ("fault" in source) put(beginning(ctx, Game, source.fault));
    else await open(Game, source);
    if (source === null || "fault" in source) document.title = `${t("menu.analysis")} · Mawe!`;
  }

  load().catch((error) => {
    if (!gone) put(nothingHere(() => (problemOf(error).status === 404 ? t("match.missing") : t("problem.offline"))));
  });

  return {
    el: host,
    title: () => title(),
    destroy() {
      gone = true;
      table?.destroy();
    },
  };
}

/** @typedef {Source | { text: () => string } | { fault: Fault } | null} Found */

/** @param {typeof Rules} Game @param {string} id @returns {Promise<Found>} */
async function fromMatch(Game, id) {
  const store = createSeen(localStorage);
  const seen = await getMatch(id).then(
    (view) => {
      store.put(view);
      return seenOf(view);
    },
    (error) => {
      // Without the server, the copy on this device.
      const kept = problemOf(error).status === 404 ? null : store.get(id);
      if (kept === null) throw error;
      return kept;
    },
  );
  // A running match is not analysed: its players would have an adviser.
  if (seen === null) return { text: () => t("analysis.running") };
  const { game, moves, players, result } = seen;
  const names = { first: playerName(players.first), second: playerName(players.second) };
  const ply = new URLSearchParams(location.search).get("ply");
  return {
    played: { game, ...matchBeginning(Game, seen), moves, names, result },
    ply: ply === null ? moves.length : Number(ply),
    title: () => titleOf(names),
    path: `/analysis/${id}`,
    match: id,
    ...wished(),
  };
}

/** @param {string} id @returns {Found} */
function fromDevice(id) {
  const kept = createStore(localStorage).get(id);
  if (!kept) return { text: () => t("device.missing") };
  if (kept.result === null) return { text: () => t("analysis.running") };
  const { game, setup, start = null, moves, result } = kept;
  return {
    played: { game, setup, start, moves, result },
    ply: moves.length,
    title: () => `${t(`game.${game}.name`)}, ${resultText(game, result)}`,
    path: null,
    ...wished(),
  };
}

/** The wishes in the address: the side of the reader, and whether their mistakes come first. @returns {Pick<Source, "side" | "retries">} */
function wished() {
  const query = new URLSearchParams(location.search);
  const side = query.get("side");
  return { ...(side === "first" || side === "second" ? { side } : {}), ...(query.has("retry") ? { retries: true } : {}) };
}

/** @param {{ first: string, second: string }} names */
const titleOf = ({ first, second }) => `${first} – ${second}`;

/** @param {typeof Rules} Game @returns {Found} */
function fromAddress(Game) {
  const found = fromFragment(Game, location.hash);
  if (found === null) return null;
  if ("fault" in found.read) return { fault: found.read.fault };
  const { game, names } = found.read;
  return {
    played: found.read,
    ply: found.ply,
    line: found.line,
    title: () => (names ? titleOf(names) : t(`game.${game}.name`)),
    path: null,
  };
}

/** The text of a fault in a record, with its place. @param {Fault} fault */
export function faultText({ code, line, column, ply }) {
  const what = tOr(`analysis.fault.${code}`, `why.${code}`);
  const said = what === `why.${code}` ? t("analysis.fault.other", { code }) : what;
  if (line !== undefined && column !== undefined) return t("analysis.fault.at", { what: said, line, column });
  return ply === undefined ? said : t("analysis.fault.ply", { what: said, ply });
}

/**
 * The form for pasting a record.
 * @param {Parameters<ViewMaker>[0]} ctx
 * @param {typeof Rules} Game
 * @param {Fault | null} fault of the address that led here
 */
function beginning(ctx, Game, fault) {
  const error = errorLine();
  const text = h("textarea", { rows: 8, spellcheck: "false", autocomplete: "off", autocapitalize: "none", required: true });
  const game = h(
    "select",
    {},
    h("option", { value: "" }, () => t("analysis.any")),
    GAMES.map(({ id }) => h("option", { value: id }, () => t(`game.${id}.name`))),
  );
  if (fault) error.say(() => faultText(fault));
  return h(
    "section",
    { class: "page analysis-begin" },
    h("h1", { tabindex: "-1" }, () => t("menu.analysis")),
    h("p", { class: "lead" }, () => t("analysis.lead")),
    h(
      "form",
      {
        class: "card account",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const read = readRecord(Game, text.value, game.value);
          if ("fault" in read) {
            error.say(() => faultText(read.fault));
            text.focus();
            // Selects the place of the fault.
            const { line, column } = read.fault;
            if (line !== undefined && column !== undefined) {
              const at =
                text.value
                  .split("\n")
                  .slice(0, line - 1)
                  .reduce((sum, row) => sum + row.length + 1, 0) +
                column -
                1;
              text.setSelectionRange(at, at + 1);
            }
          } else ctx.go(`/analysis${fragmentOf(read, 0)}`);
        },
      },
      h(
        "label",
        {},
        h("span", {}, () => t("new.game")),
        game,
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("analysis.paste")),
        text,
      ),
      error.el,
      h("button", { type: "submit", class: "primary" }, () => t("analysis.do")),
    ),
    h("p", { class: "quiet" }, () => t("analysis.formats")),
    h(
      "p",
      {},
      h("a", { href: `/editor/${GAMES[0].id}` }, () => t("editor.title")),
    ),
    keptMatches(),
    h(
      "p",
      {},
      () => t("analysis.empty"),
      " ",
      GAMES.flatMap(({ id }, i) => [
        i > 0 ? " · " : null,
        h("a", { href: `/analysis${fragmentOf({ game: id, setup: "", start: null, moves: [] }, 0)}` }, () => t(`game.${id}.name`)),
      ]),
    ),
  );
}

/** The matches stored on this device, which are available without a network. */
function keptMatches() {
  const seen = createSeen(localStorage)
    .all()
    .filter(({ game }) => gameOf(game))
    .slice(0, MOST_LISTED);
  if (seen.length === 0) return null;
  return h(
    "section",
    {},
    h("h2", {}, () => t("analysis.kept")),
    h(
      "ul",
      { class: "rows" },
      seen.map(({ id, game, players, result }) =>
        h(
          "li",
          {},
          h(
            "a",
            { class: "match-row", href: `/analysis/${id}` },
            h("span", { class: "players" }, () => titleOf({ first: playerName(players.first), second: playerName(players.second) })),
            h("span", { class: "terms" }, () => t(`game.${game}.name`)),
            h("span", { class: "outcome" }, () => resultText(game, result)),
          ),
        ),
      ),
    ),
  );
}
