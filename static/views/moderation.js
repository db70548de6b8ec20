// @ts-check
// The moderators' page: the queue of reports, the appeals, the resolved ones, suspicious pairs of players, and the log.
//
//   section.page.moderation
//     fieldset.choice-row   open, appeals, resolved, pairs whose matches may be made up, log
//     form.search           about one player only
//     div                   the list: li.card of a report, or li of a line, and a button for more

import { h, hideWhen, refresh } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { decideAppeal, getAudit, getPairs, getReport, getReports, postVoid, problemOf, resolveReport, takeReport } from "../net/api.js";
import { smallForm } from "./form.js";
import { logLine } from "./log-line.js";
import { choiceRow } from "./parts/choice-row.js";
import { closedPart } from "./parts/closed-part.js";
import { errorLine } from "./parts/error-line.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { problemText } from "./texts.js";

/** @import { Decision, PlayerPair, Report } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** @typedef {"open" | "appealed" | "resolved" | "pairs" | "log"} Part */

const PARTS = /** @type {const} */ (["open", "appealed", "resolved", "pairs", "log"]);
const ACTIONS = /** @type {const} */ (["dismiss", "warn", "mute", "mute-chat", "disable", "rename", "remove-display-name"]);
/** The choices for the days of a mute or a suspension; anything longer is permanent. */
const DAYS = [1, 3, 7, 30, 90, 366];
const MAX_WHY_CHARS = 500;

/** @typedef {{ part: Part, about: string | null }} Query the shown part, and the only player shown */

/** @type {ViewMaker} */
export function moderationView(ctx) {
  const title = () => t("moderation.title");
  if (!ctx.session.moderator()) return { el: nothingHere(() => t("problem.moderators-only")), title };
  /** @type {Query} */
  const query = { part: "open", about: null };
  const host = h("div", {});
  const search = searchForm(only);

  /** @param {string | null} next */
  function only(next) {
    query.about = next;
    search.show(next);
    open();
  }

  const open = () => host.replaceChildren(listOf(ctx, { ...query }, only));
  open();
  return {
    title,
    el: h(
      "section",
      { class: "page moderation" },
      h("h1", { tabindex: "-1" }, title),
      choiceRow(
        "moderation-part",
        () => t("moderation.show"),
        PARTS.map((value) => ({ value, label: () => t(`moderation.part.${value}`) })),
        query.part,
        (value) => {
          query.part = /** @type {Part} */ (value);
          open();
        },
      ),
      search.el,
      host,
    ),
  };
}

/** @param {Context} ctx @param {Query} query @param {(name: string | null) => void} only */
function listOf(ctx, { part, about }, only) {
  if (part === "log")
    return paged(
      (cursor) => getAudit(about, cursor),
      logLine,
      () => t("log.none"),
    );
  if (part === "pairs")
    return paged(
      async () => ({ ...(await getPairs()), next: null }),
      pairCard,
      () => t("pairs.none"),
    );
  return paged(
    (cursor) => getReports(part, about, cursor),
    (/** @type {Report} */ report) => reportCard(ctx, report, only),
    () => t(`moderation.none.${part}`),
  );
}

/** The form for one player's reports only. @param {(name: string | null) => void} only */
function searchForm(only) {
  const name = h("input", {
    type: "search",
    name: "about",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
  });
  const el = h(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        only(name.value.trim() || null);
      },
    },
    h(
      "label",
      {},
      h("span", {}, () => t("moderation.about")),
      name,
    ),
    h("button", { type: "submit" }, () => t("moderation.about.do")),
  );
  return {
    el,
    /** @param {string | null} about */
    show(about) {
      name.value = about ?? "";
    },
  };
}

/**
 * Two players whose results may be arranged, the evidence, and a form to make their matches void.
 * @param {PlayerPair} pair
 */
function pairCard({ players: [one, other], matches, won, of, only_each_other, share_device }) {
  const why = h("input", { name: "why", required: true, maxlength: MAX_WHY_CHARS, dir: "auto" });
  const done = h("p", { class: "quiet", role: "status" });
  const form = smallForm(
    {},
    async () => {
      const { matches: voided } = await postVoid({ player: one.name, opponent: other.name, why: why.value });
      done.textContent = t("pairs.done", { n: voided });
    },
    () => t("pairs.void"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("pairs.why")),
        why,
      ),
    ],
  );
  return h(
    "li",
    { class: "card" },
    h("p", {}, playerLink(one), " – ", playerLink(other)),
    h("p", { class: "quiet" }, () =>
      t("pairs.matches", {
        n: matches,
        won: number(won[0] ?? 0),
        lost: number(won[1] ?? 0),
        one: number(of[0] ?? 0),
        other: number(of[1] ?? 0),
      }),
    ),
    only_each_other ? h("p", {}, () => t("pairs.only-each-other")) : null,
    share_device ? h("p", {}, () => t("pairs.share-device")) : null,
    form,
    done,
  );
}

/**
 * One report with its actions; the report's new state replaces it after each.
 * @param {Context} ctx
 * @param {Report} first
 * @param {(name: string) => void} only shows the reports and log entries about one player
 */
function reportCard(ctx, first, only) {
  const error = errorLine();
  const host = h("div", { class: "report-body" });
  const el = h(
    "li",
    { class: "card", tabindex: "-1", "aria-label": () => t("moderation.report", { name: first.reported.name }) },
    host,
    error.el,
  );

  /** @param {Report} report */
  function show(report) {
    const { resolved, taken_by } = report;
    const mine = taken_by !== null && taken_by === ctx.session.player()?.name;
    host.replaceChildren(
      ...told(report, only),
      ...(resolved
        ? [outcome(resolved), ...appealParts(resolved.appeal, decide)]
        : mine
          ? [decisionForm(report, resolve)]
          : [
              ...(taken_by === null ? [] : [h("p", { class: "quiet" }, () => t("moderation.taken", { name: taken_by }))]),
              h(
                "p",
                {},
                h("button", { type: "button", class: "primary", onclick: () => void run(take) }, () => t("moderation.take")),
              ),
            ]),
    );
  }

  /** @param {() => Promise<void>} act */
  async function run(act) {
    error.say(null);
    await act().catch(async (refusal) => {
      error.say(() => problemText(refusal));
      // Another moderator was faster: show the report's new state.
      if (problemOf(refusal).code === "report-taken") await getReport(first.id).then(show, () => {});
    });
  }

  async function take() {
    show(await takeReport(first.id));
    host.querySelector("select")?.focus();
  }

  /** @param {Decision} decision */
  async function resolve(decision) {
    show(await resolveReport(first.id, decision));
    error.say(null);
    ctx.announce(t("moderation.resolved"));
    el.focus();
  }

  /** @param {boolean} accept @param {string} note */
  async function decide(accept, note) {
    show(await decideAppeal(first.id, { accept, note }));
    error.say(null);
    ctx.announce(t("moderation.appeal.decided"));
    el.focus();
  }

  show(first);
  return el;
}

/**
 * The appeal against a resolution, with the form for its answer or the answer.
 * @param {NonNullable<Report["resolved"]>["appeal"]} appeal
 * @param {(accept: boolean, note: string) => Promise<void>} decide
 */
function appealParts(appeal, decide) {
  if (appeal === null) return [];
  const { text, at, decided } = appeal;
  return [
    h(
      "p",
      {},
      h("strong", {}, () => t("moderation.appeal")),
      h("span", { class: "quiet" }, () => ` · ${moment(at)}`),
    ),
    h("blockquote", { dir: "auto" }, text),
    decided === null ? answerForm(decide) : appealOutcome(decided),
  ];
}

/** @param {NonNullable<NonNullable<NonNullable<Report["resolved"]>["appeal"]>["decided"]>} decided */
function appealOutcome({ by, at, accepted, note }) {
  return h(
    "div",
    { class: "outcome" },
    h(
      "p",
      {},
      h("strong", {}, () => t(accepted ? "moderation.appeal.accepted" : "moderation.appeal.rejected")),
      h("span", { class: "quiet" }, () => ` · ${by} · ${moment(at)}`),
    ),
    h("blockquote", { dir: "auto" }, note),
  );
}

/** @param {(accept: boolean, note: string) => Promise<void>} decide */
function answerForm(decide) {
  const choice = h(
    "select",
    { name: "appeal" },
    ["reject", "accept"].map((value) => h("option", { value }, () => t(`moderation.appeal.${value}`))),
  );
  const note = h("textarea", { name: "note", rows: 3, required: true, maxlength: MAX_WHY_CHARS });
  return smallForm(
    { class: "account decision" },
    () => decide(choice.value === "accept", note.value),
    () => t("moderation.appeal.do"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("moderation.appeal.choice")),
        choice,
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("moderation.appeal.note")),
        note,
      ),
    ],
  );
}

/**
 * The content of a report: players, reason, text.
 * @param {Report} report
 * @param {(name: string) => void} only
 */
function told({ id, reported, reporter, reason, text, match, line, club, created_at, open_about }, only) {
  return [
    h("h2", {}, playerLink(reported), () => ` · ${t(`report.reason.${reason}`)}`),
    h(
      "p",
      { class: "quiet" },
      () => `${t("moderation.by")} `,
      playerLink(reporter),
      " · ",
      h("time", { datetime: created_at }, () => moment(created_at)),
      match === null ? null : " · ",
      match === null ? null : h("a", { href: `/match/${match}` }, () => t("report.match")),
    ),
    club ? clubLine(club) : null,
    text === "" ? null : h("blockquote", { dir: "auto" }, text),
    line && match ? linesPart(id, match, line) : null,
    open_about < 2
      ? null
      : h(
          "p",
          {},
          h("button", { type: "button", class: "small", onclick: () => only(reported.name) }, () =>
            t("moderation.all-about", { n: open_about }),
          ),
        ),
  ].filter((part) => part !== null);
}

/** The club that is reported: the player is one of its officers. @param {NonNullable<Report["club"]>} club */
const clubLine = ({ name, handle }) =>
  h(
    "p",
    {},
    () => `${t("moderation.club")} `,
    handle === null ? h("bdi", {}, name) : h("a", { href: `/club/${encodeURIComponent(handle)}` }, h("bdi", {}, name)),
    handle === null ? () => ` · ${t("moderation.club.closed")}` : null,
  );

/**
 * The lines of chat around the reported one.
 * @param {string} report its id
 * @param {string} match
 * @param {NonNullable<Report["line"]>} line
 */
const linesPart = (report, match, line) =>
  closedPart(
    () => t("moderation.lines"),
    async () => (await import("./reported-lines.js")).reportedLines(report, match, line),
    "reported-lines",
  );

/** @param {NonNullable<Report["resolved"]>} resolved */
function outcome({ by, at, action, why }) {
  return h(
    "div",
    { class: "outcome" },
    h(
      "p",
      {},
      h("strong", {}, () => t(`moderation.action.${action}`)),
      h("span", { class: "quiet" }, () => ` · ${by} · ${moment(at)}`),
    ),
    h("blockquote", { dir: "auto" }, why),
  );
}

/**
 * The form for a decision; fields that only one action needs are shown with it.
 * @param {Report} report
 * @param {(decision: Decision) => Promise<void>} resolve
 */
function decisionForm({ reported }, resolve) {
  const action = h(
    "select",
    { name: "action", onchange: () => refresh(form) },
    ACTIONS.map((value) => h("option", { value }, () => t(`moderation.action.${value}`))),
  );
  const chosen = () => /** @type {Decision["action"]} */ (action.value);
  const isTimed = () => ["mute", "mute-chat", "disable"].includes(chosen());
  const renames = () => chosen() === "rename";
  const days = h(
    "select",
    { name: "days" },
    DAYS.map((n) => h("option", { value: n }, () => t("tokens.days", { n }))),
    h("option", { value: "" }, () => t("moderation.for-good")),
  );
  const name = h("input", {
    name: "name",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 20,
    required: renames,
  });
  const why = h("textarea", { name: "why", rows: 3, required: true, maxlength: MAX_WHY_CHARS });
  const form = smallForm(
    { class: "account decision" },
    () =>
      resolve({
        action: chosen(),
        why: why.value,
        ...(isTimed() && days.value !== "" ? { days: Number(days.value) } : {}),
        ...(renames() ? { name: name.value.trim() } : {}),
      }),
    () => t("moderation.resolve"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("moderation.action", { name: reported.name })),
        action,
      ),
      h("p", { class: "quiet" }, () => t(`moderation.effect.${chosen()}`)),
      hideWhen(
        h(
          "label",
          {},
          h("span", {}, () => t("moderation.days")),
          days,
        ),
        () => !isTimed(),
      ),
      hideWhen(
        h(
          "label",
          {},
          h("span", {}, () => t("moderation.name")),
          name,
        ),
        () => !renames(),
      ),
      h(
        "label",
        {},
        h("span", {}, () => t("moderation.why")),
        why,
      ),
    ],
  );
  return form;
}
