// @ts-check
// A line of the log of the operator and of moderators. Its texts are those of `i18n/moderation/`.
//
//   li.log-line
//     p (action, player, detail, match), blockquote (reason), p.quiet (actor, time)

import { h } from "../core/dom.js";
import { moment, t, tOr } from "../core/i18n.js";
import { playerLink } from "./parts/player-link.js";

/** @import { AuditLine } from "../core/types.js" */

/** Formats the time in a detail of the log; names, ids and scopes are the same in every language. @param {string} detail */
function detailText(detail) {
  const [, until] = /^until (\S+Z)$/.exec(detail) ?? [];
  return until === undefined ? detail : t("log.until", { time: moment(until) });
}

/** @param {AuditLine} line */
export function logLine({ at, actor, action, about, match, detail, why }) {
  return h(
    "li",
    { class: "log-line" },
    h(
      "p",
      {},
      h("strong", {}, () => tOr(`log.${action}`, "log.other", { action })),
      about ? " · " : null,
      about ? playerLink(about) : null,
      detail === "" ? null : h("span", { class: "quiet" }, () => ` · ${detailText(detail)}`),
      match === null ? null : " · ",
      match === null ? null : h("a", { href: `/match/${match}` }, () => t("report.match")),
    ),
    why === "" ? null : h("blockquote", { dir: "auto" }, why),
    h(
      "p",
      { class: "quiet" },
      actor ? playerLink(actor) : h("span", {}, () => t("log.operator")),
      " · ",
      h("time", { datetime: at }, () => moment(at)),
    ),
  );
}
