// @ts-check
// The parts that the pages of clubs share.

import { h } from "../core/dom.js";
import { knows, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { choiceRow } from "./parts/choice-row.js";
import { problemText } from "./texts.js";

/** @import { ClubSummary } from "../core/types.js" */

/** @typedef {(act: () => Promise<unknown>) => void} Run sends a change of a club, and shows the club anew */

/**
 * A text about a club, or the one about a class, where it has another word.
 * @param {{ kind: string }} view
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 */
export function clubText({ kind }, key, params) {
  const own = `class.of.${key}`;
  return t(kind === "class" && knows(own) ? own : key, params);
}

/** The text of a refusal, with the words of a club or of a class. @param {{ kind: string }} view @param {unknown} refusal */
export function clubProblem({ kind }, refusal) {
  const own = `class.of.problem.${problemOf(refusal).code}`;
  return kind === "class" && knows(own) ? t(own) : problemText(refusal);
}

/** @param {string} handle */
export const clubPath = (handle) => `/club/${encodeURIComponent(handle)}`;

/** A club in a list. @param {ClubSummary} club @param {(() => string) | null} [note] */
export const clubRow = ({ handle, name, kind, members }, note = null) =>
  h(
    "li",
    { class: "club-row" },
    h("a", { href: clubPath(handle) }, name),
    h("small", { class: "quiet" }, () =>
      [kind === "class" ? t("clubs.class") : "", t("clubs.members", { n: members }), note ? note() : ""].filter(Boolean).join(" · "),
    ),
  );

/** @param {string | (() => string)} heading a text, or its key @param {...HTMLElement} content */
export const clubCard = (heading, ...content) =>
  h("section", { class: "card" }, h("h2", {}, typeof heading === "string" ? () => t(heading) : heading), ...content);

/** The choice of who may join. @param {string} chosen @param {(value: string) => void} onChange */
export const joiningChoice = (chosen, onChange) =>
  choiceRow(
    "joining",
    () => t("clubs.joining"),
    ["open", "request", "invitation"].map((value) => ({ value, label: () => t(`clubs.joining.${value}`) })),
    chosen,
    onChange,
  );

/** The text of a refused name or handle; handles have the rules of the names of accounts. @param {unknown} refusal */
export function namingText(refusal) {
  const { code, field } = problemOf(refusal);
  if (code === "name-taken") return t(field === "handle" ? "clubs.handle-taken" : "clubs.name-taken");
  return code === "bad-name" && field === "name" ? t("clubs.bad-name") : problemText(refusal);
}
