// @ts-check
// The operator's page: the state of the server, charts of the present, matches, accounts, computer opponents, options and the log. It
// shows and changes nothing.
//
//   section.page.admin
//     fieldset.choice-row   the parts
//     div                   the chosen part

import { h, refresh } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { getRunningMatches } from "../net/api.js";
import { getOperatorAccounts, getOperatorAudit, getOperatorJobs, getOperatorSettings } from "../net/operator.js";
import { nowPart, problem } from "./admin-now.js";
import { logLine } from "./log-line.js";
import { choiceRow } from "./parts/choice-row.js";
import { loaded } from "./parts/loaded.js";
import { matchRow } from "./parts/match-row.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { scrolled } from "./parts/scrolled.js";

/** @import { OperatorAccount, OperatorJobs, OperatorSetting } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

/** @typedef {{ el: HTMLElement, stop?: () => void }} Part */

const PARTS = /** @type {const} */ (["now", "matches", "accounts", "jobs", "options", "log"]);
/** The filters of accounts, by their texts. */
const FILTERS = /** @type {const} */ (["all", "operator", "admin", "moderator", "bot", "premium", "disabled"]);

/** @type {Record<(typeof PARTS)[number], () => Part>} */
const MAKERS = {
  now: nowPart,
  matches: () => fetched(() => getRunningMatches(null), matches),
  accounts: accountsPart,
  jobs: () => fetched(getOperatorJobs, jobs),
  options: () => fetched(getOperatorSettings, options),
  log: () => ({
    el: paged(
      (cursor) => getOperatorAudit(cursor),
      logLine,
      () => t("log.none"),
    ),
  }),
};

/** @type {ViewMaker} */
export function adminView(ctx) {
  const title = () => t("admin.title");
  if (!ctx.session.operator()) return { el: nothingHere(() => t("problem.operators-only")), title };
  /** @type {Part} */
  let part = MAKERS.now();
  const host = h("div", {}, part.el);
  return {
    title,
    destroy: () => part.stop?.(),
    el: h(
      "section",
      { class: "page admin" },
      h("h1", { tabindex: "-1" }, title),
      choiceRow(
        "admin-part",
        () => t("admin.show"),
        PARTS.map((value) => ({ value, label: () => t(`admin.part.${value}`) })),
        "now",
        (value) => {
          part.stop?.();
          part = MAKERS[/** @type {(typeof PARTS)[number]} */ (value)]();
          host.replaceChildren(part.el);
        },
      ),
      host,
    ),
  };
}

/**
 * @template T
 * @param {() => Promise<T>} fetchIt
 * @param {(value: T) => HTMLElement} build
 * @returns {Part}
 */
const fetched = (fetchIt, build) => ({ el: loaded(fetchIt, build, { problem }).el });

/** @param {{ items: import("../core/types.js").MatchSummary[] }} page */
const matches = ({ items }) =>
  items.length === 0
    ? h("p", { class: "quiet" }, () => t("home.watch.none"))
    : h(
        "ul",
        { class: "rows card" },
        items.map((match) => matchRow(match)),
      );

/**
 * A table with a heading for each column, by its text.
 * @param {() => string} label
 * @param {string[]} columns
 * @param {HTMLElement[]} rows
 */
const table = (label, columns, rows) =>
  scrolled(
    label,
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((key) => h("th", { scope: "col" }, () => t(key))),
        ),
      ),
      h("tbody", {}, rows),
    ),
  );

/** @param {...(() => string)} texts of the cells */
const row = (...texts) =>
  h(
    "tr",
    {},
    texts.map((text) => h("td", {}, text)),
  );

/** @param {OperatorJobs} figures */
function jobs({ longest_wait_ms, levels }) {
  const columns = ["level", "waiting", "running", "by-threads", "by-remote", "by-fallback", "late", "failed"];
  const rows = levels.map((of) =>
    row(
      ...[of.level, of.waiting, of.running, of.by_threads, of.by_http + of.by_nats, of.by_fallback, of.late, of.failed].map(
        (count) => () => number(count),
      ),
    ),
  );
  return h(
    "div",
    { class: "card" },
    h("p", {}, () => t("admin.jobs.wait", { seconds: number(longest_wait_ms / 1000, { maximumFractionDigits: 1 }) })),
    table(
      () => t("admin.part.jobs"),
      columns.map((key) => `admin.jobs.${key}`),
      rows,
    ),
  );
}

/** @param {{ items: OperatorSetting[] }} list */
function options({ items }) {
  const shown = (/** @type {OperatorSetting} */ { value, is_secret, source }) => {
    if (is_secret) return t(source === "default" ? "admin.options.none" : "admin.options.secret");
    return value === null ? t("admin.options.none") : value;
  };
  const rows = items.map((setting) =>
    h(
      "tr",
      { class: setting.source === "default" ? "quiet" : "" },
      h("th", { scope: "row" }, h("code", {}, `--${setting.name}`)),
      h("td", { dir: "auto" }, () => shown(setting)),
      h("td", {}, () => t(`admin.options.${setting.source}`)),
    ),
  );
  return h(
    "div",
    { class: "card" },
    h("p", {}, () => t("admin.options.lead")),
    table(() => t("admin.part.options"), ["admin.options.option", "admin.options.value", "admin.options.source"], rows),
  );
}

/** @returns {Part} */
function accountsPart() {
  const name = h("input", {
    type: "search",
    name: "search",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
  });
  const filter = h(
    "select",
    { name: "filter", onchange: open },
    FILTERS.map((value) => h("option", { value }, () => t(`admin.accounts.${value}`))),
  );
  const host = h("div", {});
  function open() {
    const wish = { search: name.value.trim() || null, filter: filter.value };
    host.replaceChildren(
      paged(
        (cursor) => getOperatorAccounts(wish, cursor),
        accountRow,
        () => t("admin.accounts.none"),
      ),
    );
    refresh(host);
  }
  open();
  const form = h(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        open();
      },
    },
    h(
      "label",
      {},
      h("span", {}, () => t("admin.accounts.search")),
      name,
    ),
    h(
      "label",
      {},
      h("span", {}, () => t("admin.accounts.which")),
      filter,
    ),
    h("button", { type: "submit" }, () => t("admin.accounts.do")),
  );
  return { el: h("div", { class: "accounts" }, form, host) };
}

/** @param {OperatorAccount} account */
function accountRow({ name, kind, grants, created_at, disabled_at, disabled_why, deleted_at }) {
  return h(
    "li",
    { class: "log-line" },
    h(
      "p",
      {},
      deleted_at === null ? h("a", { href: `/player/${encodeURIComponent(name)}` }, h("bdi", {}, name)) : h("bdi", {}, name),
      kind === "account" ? null : h("span", { class: "quiet" }, () => ` · ${t(`admin.kind.${kind}`)}`),
      grants.map((grant) => h("strong", {}, () => ` · ${t(`admin.accounts.${grant}`)}`)),
    ),
    disabled_at === null ? null : h("p", {}, () => t("admin.accounts.disabled-at", { time: moment(disabled_at), why: disabled_why ?? "" })),
    deleted_at === null ? null : h("p", {}, () => t("admin.accounts.deleted-at", { time: moment(deleted_at) })),
    h("p", { class: "quiet" }, () => t("admin.accounts.created-at", { time: moment(created_at) })),
  );
}
