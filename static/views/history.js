// @ts-check
// A player's finished matches: with filters, page by page, and all of them as a download.

import { h, refresh } from "../core/dom.js";
import { SPEEDS } from "../core/facts.js";
import { t } from "../core/i18n.js";
import { GAMES } from "../games/index.js";
import { getHistory, historyExport } from "../net/api.js";
import { matchRow } from "./parts/match-row.js";
import { problemText } from "./texts.js";

/** @import { MatchSummary } from "../core/types.js" */
/** @import { HistoryFilter } from "../net/api.js" */

/** The pause in typing after which the filter is applied. */
const TYPING_MS = 400;

/** The beginning of a day in the reader's time zone, plus some days, in RFC 3339. @param {string} day @param {number} later */
function momentOf(day, later) {
  if (day === "") return null;
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

/** @param {string} name */
export function history(name) {
  /** @type {string | null} */
  let cursor = null;
  let busy = false;
  let empty = false;
  let filtered = false;
  /** Counts the requests, so that a late answer to an old one is not shown. */
  let asked = 0;
  /** @type {unknown} */
  let failed = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  const soon = () => {
    clearTimeout(typing);
    typing = setTimeout(anew, TYPING_MS);
  };
  const { el: filters, filter } = filterForm(anew, soon);
  const rows = h("ul", { class: "rows" });
  const more = h("button", { type: "button", onclick: load, disabled: () => busy, hidden: () => cursor === null && failed === null }, () =>
    t(failed === null ? "player.more" : "retry"),
  );
  const note = h("p", { class: "quiet", role: "status", hidden: () => !empty && failed === null }, () =>
    failed === null ? t(filtered ? "filter.none" : "player.none") : problemText(failed),
  );
  const all = h("a", { href: () => historyExport(name, filter()), download: "" }, () => t("export.all"));
  const el = h("div", { class: "history" }, filters, rows, note, more, h("p", { class: "exports" }, all));

  function anew() {
    // The typed name is part of this request: a second one would drop what the reader asks for meanwhile.
    clearTimeout(typing);
    cursor = null;
    rows.replaceChildren();
    void load();
  }

  async function load() {
    const question = ++asked;
    busy = true;
    failed = null;
    refresh(el);
    const wish = filter();
    filtered = Object.values(wish).some((value) => value !== null);
    try {
      const page = await getHistory(name, wish, cursor);
      if (question !== asked) return;
      rows.append(...page.items.map((/** @type {MatchSummary} */ match) => matchRow(match, name)));
      cursor = page.next ?? null;
    } catch (error) {
      if (question !== asked) return;
      failed = error;
    }
    empty = rows.children.length === 0;
    busy = false;
    refresh(el);
  }
  void load();
  return el;
}

/** The filters; `soon` is called while the reader types. @param {() => void} anew @param {() => void} soon */
function filterForm(anew, soon) {
  /** @param {string} key @param {string[]} values @param {(value: string) => string} label */
  const choice = (key, values, label) => {
    const select = h(
      "select",
      { onchange: anew },
      h("option", { value: "" }, () => t("filter.any")),
      values.map((value) => h("option", { value }, () => label(value))),
    );
    return {
      select,
      el: h(
        "label",
        {},
        h("span", {}, () => t(key)),
        select,
      ),
    };
  };
  /** @param {string} key @param {Record<string, string | number>} attrs @param {() => void} onChange */
  const field = (key, attrs, onChange) => {
    const input = h("input", { ...attrs, oninput: onChange });
    return {
      input,
      el: h(
        "label",
        {},
        h("span", {}, () => t(key)),
        input,
      ),
    };
  };
  const game = choice(
    "new.game",
    GAMES.map(({ id }) => id),
    (id) => t(`game.${id}.name`),
  );
  const speed = choice("table.speed", [...SPEEDS], (value) => t(`speed.${value}`));
  const rated = choice("filter.rated", ["true", "false"], (value) => t(value === "true" ? "match.rated" : "match.casual"));
  const result = choice("chart.result", ["won", "drawn", "lost"], (value) => t(`filter.result.${value}`));
  const opponent = field(
    "new.opponent",
    { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 40 },
    soon,
  );
  const since = field("filter.since", { type: "date" }, anew);
  const until = field("filter.until", { type: "date" }, anew);

  /** @returns {HistoryFilter} */
  const filter = () => ({
    game: game.select.value || null,
    speed: speed.select.value || null,
    rated: rated.select.value || null,
    result: result.select.value || null,
    opponent: opponent.input.value.trim() || null,
    since: momentOf(since.input.value, 0),
    until: momentOf(until.input.value, 1),
  });

  const el = h(
    "details",
    { class: "filters" },
    h("summary", {}, () => t("filter.title")),
    h(
      "form",
      { onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      game.el,
      speed.el,
      rated.el,
      result.el,
      opponent.el,
      since.el,
      until.el,
    ),
  );
  return { el, filter };
}
