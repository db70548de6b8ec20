// @ts-check
// The form with which moderators judge a game of an event. Its texts are those of `i18n/moderation/`.
//
//   details.card
//     summary
//     div.account
//       p.quiet (what follows; where no game of the round is over, that)
//       form.account   label > select (game), label > select (result), label > input (reason), p.error, button
//       p[role=status]

import { h, hideWhen, list, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { judgeGame } from "../net/events.js";
import { resultText, roundText } from "./event-rounds.js";
import { gameKey, gamesOver } from "./event-state.js";
import { labelled, smallForm } from "./form.js";
import { closedPart } from "./parts/closed-part.js";
import { fullName, problemText } from "./texts.js";

/** @import { EventGame } from "../core/types.js" */
/** @import { EventParts } from "./event-state.js" */

/** @typedef {NonNullable<EventGame["result"]>} Result */

/** The results, in the order in which they are offered. */
export const RESULTS = /** @type {const} */ (["first", "drawn", "second", "called-off"]);
const MAX_WHY_CHARS = 500;

/** A game in the list: its number, its players and its present result. @param {EventGame} game */
export const gameText = (game) =>
  `${t("event.game", { n: game.number })} ${fullName(game.first)} – ${fullName(game.second)}, ${resultText(game)}`;

/** A result as it is offered, with the name of the player who wins, once a game is chosen. @param {Result} result @param {EventGame | null} game */
export function choiceText(result, game) {
  if (result === "drawn" || result === "called-off") return t(`event.result.${result}`);
  return game === null ? t(`judging.${result}`) : t("judging.won", { name: fullName(game[result]) });
}

/** The text of a refusal to judge. @param {unknown} refusal */
export function judgingProblem(refusal) {
  const { code, status } = problemOf(refusal);
  // The texts of these codes are about joining an event, and about addresses.
  return code === "event-closed" || status === 404 ? t("judging.closed") : problemText(refusal);
}

/** @param {EventParts} parts */
export const judgingPart = (parts) =>
  closedPart(
    () => t("judging.title"),
    async () => judgingForm(parts),
  );

/** @param {EventParts} parts */
function judgingForm(parts) {
  const { page, load } = parts;
  const games = () => gamesOver(page.games);
  const game = gameChoice(parts);
  const chosen = () => games().find((one) => gameKey(one) === game.value) ?? null;
  const result = h(
    "select",
    { name: "judged-result", required: true },
    h("option", { value: "" }, () => t("judging.choose")),
    RESULTS.map((value) => h("option", { value }, () => choiceText(value, chosen()))),
  );
  const why = h("input", { name: "why", required: true, maxlength: MAX_WHY_CHARS, dir: "auto", autocomplete: "off" });
  /** @type {EventGame | null} */
  let judged = null;
  const form = smallForm(
    { class: "account" },
    async () => {
      judged = null;
      refresh(done);
      const wish = { result: /** @type {Result} */ (result.value), why: why.value };
      judged = await judgeGame(page.id, Number(game.value), wish);
      for (const field of [game, result, why]) field.value = "";
      await load();
      refresh(el);
    },
    () => t("judging.do"),
    [labelled(() => t("judging.game"), game), labelled(() => t("judging.result"), result), labelled(() => t("judging.why"), why)],
    judgingProblem,
  );
  game.addEventListener("change", () => refresh(result));
  const done = h("p", { role: "status" }, () => (judged === null ? "" : `${t("judging.done")} ${gameText(judged)}`));
  const el = h(
    "div",
    { class: "account" },
    h("p", { class: "quiet" }, () => t(games().length > 0 ? "judging.hint" : "judging.none", { round: roundText(parts) })),
    hideWhen(form, () => games().length === 0),
    done,
  );
  return el;
}

/** The choice of a game among those of the round that is shown. @param {EventParts} parts */
function gameChoice(parts) {
  const { page } = parts;
  const group = list(
    h("optgroup", { label: () => roundText(parts) }),
    () => gamesOver(page.games),
    gameKey,
    (game) => h("option", { value: gameKey(game) }, () => gameText(game)),
  );
  return h(
    "select",
    { name: "judged-game", required: true },
    h("option", { value: "" }, () => t("judging.choose")),
    group,
  );
}
