// @ts-check
// The part of the operator's page about the present: the state of the server in figures, and charts that go on.
//
//   div.now
//     div.loaded > dl.state
//     div (a refusal)
//     div.pulses > figure.pulse…  figcaption, strong, svg, small

import { h, refresh, svg } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { getOperatorPulse, getOperatorStatus } from "../net/operator.js";
import { CHARTS, trail, withPulse } from "./admin-state.js";
import { problemText } from "./texts.js";

/** @import { OperatorStatus, Pulse } from "../core/types.js" */
/** @import { Chart } from "./admin-state.js" */

/** How often the charts go on, and how often the figures are fetched: they cost queries. */
const PULSE_MS = 5_000;
const STATUS_EVERY = 6;
/** The drawing's own units, stretched to the available room. */
const WIDTH = 240;
const HEIGHT = 60;

/** A refusal; with the way to log in, where the session is too old. @param {unknown} error */
export function problem(error) {
  const isOld = problemOf(error).code === "log-in-again";
  return h(
    "p",
    { class: "card" },
    () => problemText(error),
    " ",
    isOld ? h("a", { class: "button", href: "/login?next=%2Fadmin" }, () => t("account.log-in")) : null,
  );
}

/** @returns {{ el: HTMLElement, stop: () => void }} */
export function nowPart() {
  /** @type {Pulse[]} */
  let pulses = [];
  const told = h("div", { role: "alert" });
  const state = h("div", { class: "loaded", "aria-busy": "true" });
  const charts = h(
    "div",
    { class: "pulses" },
    CHARTS.map((chart) => pulseChart(chart, () => pulses)),
  );
  let round = 0;
  let isAsking = false;
  async function look() {
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    try {
      if (round++ % STATUS_EVERY === 0) state.replaceChildren(stateCard(await getOperatorStatus()));
      pulses = withPulse(pulses, await getOperatorPulse());
      told.replaceChildren();
      refresh(charts);
    } catch (refusal) {
      round = 0;
      told.replaceChildren(problem(refusal));
    }
    state.removeAttribute("aria-busy");
    isAsking = false;
  }
  void look();
  const looking = setInterval(look, PULSE_MS);
  return {
    el: h("div", { class: "now" }, state, told, charts),
    stop: () => clearInterval(looking),
  };
}

/**
 * A chart of the last ten minutes with its present value.
 * @param {Chart} chart
 * @param {() => readonly Pulse[]} pulses
 */
function pulseChart({ id, of, digits = 0, unit }, pulses) {
  const style = unit ? { style: "unit", unit, unitDisplay: "short" } : {};
  const text = (/** @type {number} */ value) =>
    number(value, /** @type {Intl.NumberFormatOptions} */ ({ ...style, maximumFractionDigits: digits }));
  const last = () => {
    const value = of(pulses()).at(-1);
    return value === undefined ? "–" : text(value);
  };
  const most = () => {
    const values = of(pulses());
    return values.length === 0 ? "" : t("admin.chart.most", { value: text(Math.max(...values)) });
  };
  return h(
    "figure",
    { class: "pulse card" },
    h("figcaption", {}, () => t(`admin.chart.${id}`)),
    h("strong", {}, last),
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": () => `${t(`admin.chart.${id}`)}: ${last()}; ${most()}`,
      },
      svg("path", { class: "grid", d: `M0 ${HEIGHT}H${WIDTH}` }),
      svg("polyline", { class: "line-of", points: () => trail(of(pulses()), WIDTH, HEIGHT) }),
    ),
    h("small", { class: "quiet", "aria-hidden": "true" }, most),
  );
}

/** @param {number | null | undefined} count */
function bytes(count) {
  if (count === null || count === undefined) return "–";
  const [value, unit] = count < 1e9 ? [count / 1e6, "megabyte"] : [count / 1e9, "gigabyte"];
  return number(value, { style: "unit", unit, maximumFractionDigits: 1, unitDisplay: "short" });
}

const count = (/** @type {number | null | undefined} */ value) => (value === null || value === undefined ? "–" : number(value));

/** The time since a start, in its two largest units. @param {number} seconds */
function upText(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60)];
  const unit = (/** @type {number} */ value, /** @type {string} */ name) =>
    number(value, { style: "unit", unit: name, unitDisplay: "short" });
  return days > 0 ? `${unit(days, "day")} ${unit(hours, "hour")}` : `${unit(hours, "hour")} ${unit(minutes, "minute")}`;
}

/** The state of the server in figures, as in `mawe status`. @param {OperatorStatus} status */
function stateCard(status) {
  const { matches, queues, sizes, nodes } = status;
  /** @type {[string, () => string][]} */
  const figures = [
    ["version", () => `${status.version} · ${status.database}`],
    ["ready", () => t(status.ready ? "admin.state.yes" : "admin.state.no")],
    ["up", () => upText(status.uptime_s)],
    ["players", () => count(status.players)],
    ["guests", () => count(status.guests)],
    ["connections", () => `${count(status.connections)} / ${count(status.connections_limit)}`],
    ["running", () => `${count(matches.running)} (${t("admin.state.realtime", { n: matches.realtime ?? 0 })})`],
    ["open", () => count(matches.open)],
    ["journal", () => count(queues.journal)],
    ["passwords", () => count(queues.passwords)],
    ["pools", () => count(queues.pools)],
    ["push", () => count(queues.push)],
    ["data", () => bytes(sizes.database)],
    ["wal", () => bytes(sizes.wal)],
    ["free", () => bytes(sizes.disk_free)],
    ["backup", () => (status.last_backup_at ? moment(status.last_backup_at) : t("admin.state.no-backup"))],
  ];
  if (status.backup_every_s) figures.push(["backups-failed", () => count(status.backups_failed)]);
  if (nodes.length > 0) {
    figures.push(["nodes", () => nodes.map((node) => (node === status.node ? `${node} (${t("admin.state.this")})` : node)).join(", ")]);
    figures.push(["nats", () => t(status.nats_connected ? "admin.state.yes" : "admin.state.no")]);
  }
  return h(
    "dl",
    { class: "state card" },
    figures.map(([key, text]) =>
      h(
        "div",
        {},
        h("dt", {}, () => t(`admin.state.${key}`)),
        h("dd", { dir: "auto" }, text),
      ),
    ),
  );
}
