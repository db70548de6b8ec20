// @ts-check
// The club matches of a club: lists, and for officers the proposal of a new one.
//
//   section.card
//     fieldset.choice-row, div > ul.rows
//   section.card
//     form.account

import { h, refresh } from "../core/dom.js";
import { moment, number, t } from "../core/i18n.js";
import { GAMES, mayBeRated } from "../games/index.js";
import { problemOf } from "../net/api.js";
import { getClubMatchList, postClubMatch } from "../net/club-matches.js";
import { clubCard } from "./club-parts.js";
import { labelled, smallForm } from "./form.js";
import { choiceRow } from "./parts/choice-row.js";
import { paged } from "./parts/paged.js";
import { problemText, timeText } from "./texts.js";

/** @import { ClubMatchSummary, ClubView, TimeControl } from "../core/types.js" */
/** @import { ClubMatchList } from "../net/club-matches.js" */
/** @import { Context } from "./context.js" */

const MINUTE_MS = 60_000;
/** The start that the form offers: time enough to answer and to sign up. */
const NEXT_DAY_MS = 24 * 60 * MINUTE_MS;

/** The time controls of the form. @type {TimeControl[]} */
const TIMES = [
  ...[
    [3, 2],
    [5, 3],
    [10, 5],
    [15, 10],
    [30, 20],
  ].map(([base = 0, increment = 0]) => ({
    kind: /** @type {const} */ ("realtime"),
    base_ms: base * MINUTE_MS,
    increment_ms: increment * 1_000,
  })),
  ...[1, 3, 7].map((days) => ({ kind: /** @type {const} */ ("correspondence"), days })),
];

/** @param {string} id */
export const clubMatchPath = (id) => `/club-match/${encodeURIComponent(id)}`;

/** Points, with the half of a draw. @param {number} score */
export const pointsText = (score) => number(score, { maximumFractionDigits: 1 });

/** The terms of a club match. @param {ClubMatchSummary} match */
export const clubMatchTerms = ({ game, speed, time_control: time, rated, boards, games_per_board: games }) =>
  [
    t(`game.${game}.name`),
    t(`speed.${speed}`),
    timeText(time),
    t(rated ? "match.rated" : "match.casual"),
    t("club.match.boards", { n: boards }),
    games > 1 ? t("club.match.two-games") : "",
  ]
    .filter(Boolean)
    .join(" · ");

/** @param {ClubMatchSummary} match */
const clubMatchRow = (match) =>
  h(
    "li",
    { class: "club-row" },
    h("a", { href: clubMatchPath(match.id) }, `${match.home.name} – ${match.away.name}`),
    ["running", "finished"].includes(match.state)
      ? h("strong", {}, () => `${pointsText(match.home.score)} : ${pointsText(match.away.score)}`)
      : null,
    h("small", { class: "quiet" }, () => `${moment(match.start_at)} · ${clubMatchTerms(match)}`),
  );

/** The lists of a club. @param {ClubView} view */
export function clubMatchesPart({ handle, standing }) {
  const host = h("div", {});
  const open = (/** @type {ClubMatchList} */ list) =>
    host.replaceChildren(
      paged(
        (cursor) => getClubMatchList(handle, list, cursor),
        clubMatchRow,
        () => t(`clubs.matches.none.${list}`),
        "rows",
      ),
    );
  open("coming");
  const lists = ["coming", "running", "past", ...(standing === "officer" ? ["proposed"] : [])];
  return clubCard(
    "clubs.matches.title",
    choiceRow(
      "club-match-list",
      () => t("clubs.matches.list"),
      lists.map((value) => ({ value, label: () => t(`clubs.matches.${value}`) })),
      "coming",
      (value) => open(/** @type {ClubMatchList} */ (value)),
    ),
    host,
  );
}

/** The local time for an input of the kind `datetime-local`. @param {number} ms */
const localTime = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);

/** The fields of a proposal. */
function proposalFields() {
  const against = h("input", {
    type: "text",
    name: "against",
    required: true,
    maxlength: 20,
    autocapitalize: "none",
    spellcheck: "false",
    autocomplete: "off",
  });
  const game = h(
    "select",
    { name: "club-match-game", onchange: () => settle() },
    GAMES.map(({ id }) => h("option", { value: id }, () => t(`game.${id}.name`))),
  );
  const time = h(
    "select",
    { name: "club-match-time" },
    TIMES.map((control, index) => h("option", { value: String(index), selected: index === 2 }, () => timeText(control))),
  );
  const start = h("input", {
    type: "datetime-local",
    name: "start",
    required: true,
    value: localTime(Math.ceil((Date.now() + NEXT_DAY_MS) / (60 * MINUTE_MS)) * 60 * MINUTE_MS),
  });
  const boards = h("input", { type: "number", name: "boards", required: true, min: 1, max: 50, value: "10" });
  const rated = h("input", { type: "checkbox", name: "rated", checked: true });
  let wish = true;
  rated.addEventListener("change", () => {
    wish = rated.checked;
  });
  const none = h("p", { class: "quiet", hidden: true }, () => t("rated.none", { game: t(`game.${game.value}.name`) }));
  /** A game without rated matches leaves no choice. */
  function settle() {
    const may = mayBeRated(game.value);
    rated.disabled = !may;
    rated.checked = may && wish;
    none.hidden = may;
    refresh(none);
  }
  const twice = h("input", { type: "checkbox", name: "two-games" });
  const els = [
    labelled(() => t("club.match.against"), against),
    labelled(() => t("challenge.game"), game),
    labelled(() => t("club.match.time"), time),
    labelled(() => t("club.match.start"), start),
    labelled(() => t("club.match.most-boards"), boards),
    h("label", { class: "check" }, rated, " ", () => t("match.rated")),
    none,
    h("label", { class: "check" }, twice, " ", () => t("club.match.two-games")),
  ];
  const read = () => ({
    against: against.value.trim(),
    game: game.value,
    time_control: TIMES[Number(time.value)],
    rated: rated.checked,
    start_at: new Date(start.value).toISOString(),
    boards: Number(boards.value),
    games_per_board: twice.checked ? 2 : 1,
  });
  return { els, read };
}

/** The form with which an officer proposes a club match. @param {Context} ctx @param {ClubView} view */
export function proposalPart(ctx, { handle }) {
  const { els, read } = proposalFields();
  const form = smallForm(
    { class: "account" },
    async () => {
      const { id } = await postClubMatch(handle, read());
      ctx.go(clubMatchPath(id));
    },
    () => t("club.match.propose"),
    els,
    proposalProblem,
  );
  return clubCard(
    "club.match.proposal",
    h("p", { class: "quiet" }, () => t("club.match.proposal.hint")),
    form,
  );
}

/** @param {unknown} refusal */
function proposalProblem(refusal) {
  const { code, field } = problemOf(refusal);
  if (code === "bad-terms" && field === "start_at") return t("club.match.bad-start");
  if (code === "bad-terms" && field === "against") return t("club.match.own-club");
  return problemText(refusal);
}
