// @ts-check
// The decisions of moderators about the reader, each with the appeal against it or the form for one.
//
//   section.card.decisions
//     h2
//     ul.decision-list > li   the decision, the reason, the appeal

import { h, hideWhen, refresh } from "../core/dom.js";
import { moment, t } from "../core/i18n.js";
import { getDecisions, postAppeal } from "../net/api.js";
import { appealForm } from "./appeal-form.js";

/** @import { OwnDecision } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The part of a page with the decisions; hidden where there are none. @param {Context} ctx */
export function decisionsPart(ctx) {
  const rows = h("ul", { class: "decision-list" });
  /** The ids of the rows. */
  let shown = /** @type {Set<string>} */ (new Set());
  const el = hideWhen(
    h(
      "section",
      { class: "card decisions" },
      h("h2", {}, () => t("decisions.title")),
      rows,
    ),
    () => rows.childElementCount === 0,
  );
  return {
    el,
    /** Fetches them. */
    async load() {
      const { items } = await getDecisions();
      const make = (/** @type {OwnDecision} */ decision) => decisionRow(ctx, decision);
      // An appeal that is being written stays as it is, and newer decisions come before it.
      const isWriting = [...rows.querySelectorAll("textarea")].some(({ value }) => value.trim() !== "");
      if (isWriting) rows.prepend(...items.filter(({ id }) => !shown.has(id)).map(make));
      else rows.replaceChildren(...items.map(make));
      shown = new Set(items.map(({ id }) => id));
      refresh(el);
    },
  };
}

/** @param {Context} ctx @param {OwnDecision} first */
function decisionRow(ctx, first) {
  const el = h("li", { tabindex: "-1" });

  /** @param {OwnDecision} decision */
  function show({ id, at, action, why, until, appeal }) {
    el.replaceChildren(
      h(
        "p",
        {},
        h("strong", {}, () => t(`decisions.${action}`)),
        until === null ? null : h("span", {}, () => `, ${t("decisions.until", { time: moment(until) })}`),
        " · ",
        h("time", { class: "quiet", datetime: at }, () => moment(at)),
      ),
      ...(why === "" ? [] : [h("blockquote", { dir: "auto" }, why)]),
      ...(appeal === null ? [appealForm(send(id))] : appealTold(appeal)),
    );
  }

  /** @param {string} id */
  const send = (id) => async (/** @type {string} */ text) => {
    show(await postAppeal(id, text));
    ctx.announce(t("appeal.sent"));
    el.focus();
  };

  show(first);
  return el;
}

/** @param {NonNullable<OwnDecision["appeal"]>} appeal */
const appealTold = ({ text, at, answer }) => [
  h(
    "p",
    {},
    h("strong", {}, () => t("decisions.appeal")),
    " · ",
    h("time", { class: "quiet", datetime: at }, () => moment(at)),
  ),
  h("blockquote", { dir: "auto" }, text),
  h("p", { class: "quiet" }, () => (answer === null ? t("appeal.sent") : t(answer.accepted ? "decisions.accepted" : "decisions.rejected"))),
  ...(answer === null ? [] : [h("blockquote", { dir: "auto" }, answer.note)]),
];
