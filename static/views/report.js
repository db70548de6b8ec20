// @ts-check
// The form for reporting a player to the moderators: reason, text, and the match, if the link came from one.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { postReport, problemOf } from "../net/api.js";
import { smallForm } from "./form.js";
import { nothingHere } from "./parts/nothing-here.js";
import { playerPath, problemText } from "./texts.js";

/** @import { ReportReason } from "../core/types.js" */
/** @import { ViewMaker } from "./context.js" */

const REASONS = /** @type {const} */ (["cheating", "stalling", "harassing", "name", "other"]);
const MAX_CHARS = 1_000;

/** A line of a chat. @typedef {{ room: "players" | "spectators", number: number }} ChatPlace */

/** @type {ViewMaker} */
export function reportView(ctx, { name = "" }) {
  const title = () => t("report.title", { name });
  const me = ctx.session.player();
  if (me?.name.toLowerCase() === name.toLowerCase()) return { el: nothingHere(() => t("problem.own-report")), title };
  const wish = new URLSearchParams(location.search);
  const [match, room, line] = [wish.get("match"), wish.get("room"), Number(wish.get("line"))];
  /** @type {ChatPlace | null} */
  const about = match !== null && line > 0 && (room === "players" || room === "spectators") ? { room, number: line } : null;
  const next = encodeURIComponent(location.pathname + location.search);
  const content =
    me?.kind === "account"
      ? form(name, match, about)
      : [
          h("p", {}, () => t("report.account")),
          h(
            "p",
            {},
            h("a", { class: "button primary", href: `/login?next=${next}` }, () => t("account.log-in")),
            " ",
            h("a", { class: "button", href: `/register?next=${next}` }, () => t("account.register")),
          ),
        ];
  return {
    title,
    el: h("section", { class: "page narrow" }, h("div", { class: "card account" }, h("h1", { tabindex: "-1" }, title), ...content)),
  };
}

/** @param {string} name @param {string | null} match @param {ChatPlace | null} line of the match's chat */
function form(name, match, line) {
  const reason = h(
    "select",
    { name: "reason", required: true },
    h("option", { value: "" }, () => t("report.choose")),
    REASONS.map((code) => h("option", { value: code }, () => t(`report.reason.${code}`))),
  );
  const text = h("textarea", { name: "text", rows: 5, maxlength: MAX_CHARS });
  // The reason "other" needs a text.
  reason.addEventListener("change", () => {
    text.required = reason.value === "other";
  });
  const el = h(
    "div",
    {},
    smallForm(
      { class: "account" },
      async () => {
        await postReport(name, {
          reason: line ? "chat" : /** @type {ReportReason} */ (reason.value),
          text: text.value,
          ...(match === null ? {} : { match }),
          ...(line ? { line } : {}),
        });
        const done = h("p", { class: "notice", role: "status", tabindex: "-1" }, () => t("report.done", { name }));
        el.replaceChildren(
          done,
          h(
            "p",
            {},
            h("a", { class: "button", href: playerPath({ name, kind: "account" }) }, () => t("report.back", { name })),
          ),
        );
        done.focus();
      },
      () => t("report.do"),
      [
        h("p", { class: "quiet" }, () => t("report.hint")),
        ...(match === null
          ? []
          : [
              h(
                "p",
                {},
                h("a", { href: `/match/${encodeURIComponent(match)}` }, () => t("report.match")),
              ),
            ]),
        line
          ? h("p", {}, () => t("report.chat"))
          : h(
              "label",
              {},
              h("span", {}, () => t("report.reason")),
              reason,
            ),
        h(
          "label",
          {},
          h("span", {}, () => t("report.text")),
          text,
        ),
      ],
      told,
    ),
  );
  return [el];
}

/** @param {unknown} refusal */
function told(refusal) {
  const { code, status } = problemOf(refusal);
  if (status === 404) return t("player.missing");
  return code === "account-needed" ? t("report.account") : problemText(refusal);
}
