// @ts-check
// "Play from here": a casual game from the position, on this device against the computer or for two, or by the server with a person elsewhere.

import { eachFrame, h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { OPPONENTS as COMPUTERS } from "../core/opponents.js";
import { begin, beginText, challenge, offer } from "../views/begin.js";
import { lastTerms, OPPONENTS } from "../views/last-choice.js";
import { choiceRow } from "../views/parts/choice-row.js";
import { errorLine } from "../views/parts/error-line.js";
import { sidePicker } from "../views/parts/side-picker.js";
import { timePicker } from "../views/parts/time-picker.js";
import { canPlay, gameHere, gameWithPeople, isTooLarge, MOST_SEEDS } from "./state.js";
import { whyNot } from "./texts.js";

/** @import { Context } from "../views/context.js" */
/** @import { Editor } from "./state.js" */

/** The level that a newcomer meets on the front page. */
const LEVEL = "2";

/**
 * @typedef {Object} Form
 * @property {Context} ctx
 * @property {Editor} editor
 * @property {(typeof OPPONENTS)[number]} opponent
 * @property {HTMLSelectElement} level
 * @property {ReturnType<typeof sidePicker>} side
 * @property {ReturnType<typeof timePicker>} time
 * @property {ReturnType<typeof errorLine>} error
 * @property {boolean} busy whether a request has no answer yet
 * @property {string | null} offered the position of the last offer to everybody
 */

/** @param {Context} ctx @param {Editor} editor */
export function playPart(ctx, editor) {
  const level = h(
    "select",
    { name: "level" },
    COMPUTERS.map(({ name }, i) => h("option", { value: String(i + 1) }, () => t("player.bot", { name, n: i + 1 }))),
  );
  level.value = LEVEL;
  /** @type {Form} */
  const form = {
    ctx,
    editor,
    opponent: "computer",
    level,
    side: sidePicker("side", editor.game.id),
    time: timePicker("time", lastTerms().friendTime),
    error: errorLine(),
    busy: false,
    offered: null,
  };
  const el = h(
    "form",
    { class: "card play-here" },
    parts(form, () => refresh(el)),
  );
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    void play(form, () => refresh(el));
  });
  const frame = eachFrame(() => refresh(el));
  const stop = ctx.line.onStatus(frame.soon);
  return {
    el,
    destroy() {
      stop();
      frame.stop();
    },
  };
}

/** Whether the opponent is a person at another device. @param {Form} form */
const isWithPeople = ({ opponent }) => opponent === "friend" || opponent === "stranger";

/** Whether the server is needed, and cannot be reached. @param {Form} form */
const isAway = (form) => isWithPeople(form) && form.ctx.line.status() === "down";

/** Why no game with this opponent can begin here; empty if one can. @param {Form} form */
function whyClosed(form) {
  const why = whyNot(form.editor);
  return why === "" && isWithPeople(form) && isTooLarge(form.editor) ? t("editor.too-many-for-people", { n: MOST_SEEDS }) : why;
}

/** Whether this position is offered to everybody already. @param {Form} form */
const isOffered = ({ opponent, offered, editor }) => opponent === "stranger" && offered !== null && offered === editor.position;

/** Whether the button is closed. @param {Form} form */
const isClosed = (form) => !canPlay(form.editor) || whyClosed(form) !== "" || form.busy || isAway(form) || isOffered(form);

/** @param {Form} form @param {() => void} update */
async function play(form, update) {
  const { ctx, editor, opponent, level, side, time, error } = form;
  if (isClosed(form)) return;
  form.busy = true;
  error.say(null);
  update();
  try {
    if (!isWithPeople(form))
      ctx.go(await begin({ ...gameHere(editor), side: side.side(), level: opponent === "computer" ? Number(level.value) : null }));
    else {
      const wish = { ...gameWithPeople(editor), time_control: time.control(), side: side.side() };
      if (opponent === "friend") ctx.go(await challenge(ctx, wish));
      else {
        const { position } = editor;
        await offer(ctx, wish);
        form.offered = position;
      }
    }
  } catch (problem) {
    error.say(() => beginText(problem));
  }
  form.busy = false;
  update();
}

/** The text of the button. @param {Form} form */
const actionText = ({ opponent }) => t(opponent === "friend" ? "new.link" : opponent === "stranger" ? "seek.make" : "editor.play");

/** @param {Form} form @param {() => void} update */
function parts(form, update) {
  const { editor, level, side, time, error } = form;
  const isComputer = () => form.opponent === "computer";
  return [
    h("h2", {}, () => t("editor.play")),
    choiceRow(
      "opponent",
      () => t("new.opponent"),
      OPPONENTS.map((value) => ({ value, label: () => t(`new.${value}`) })),
      form.opponent,
      (value) => {
        form.opponent = OPPONENTS.find((one) => one === value) ?? form.opponent;
        error.say(null);
        update();
      },
    ),
    hideWhen(
      h(
        "label",
        {},
        h("span", {}, () => t("editor.level")),
        level,
      ),
      () => !isComputer(),
    ),
    hideWhen(side.el, () => form.opponent === "device"),
    hideWhen(time.el, () => !isWithPeople(form)),
    h("p", { class: "quiet" }, () => t(isWithPeople(form) ? "editor.casual.people" : "editor.casual")),
    hideWhen(
      h("p", { class: "quiet" }, () => t("device.people")),
      () => !isAway(form),
    ),
    error.el,
    hideWhen(
      h(
        "p",
        { role: "status" },
        () => t("editor.offered"),
        " ",
        h("a", { href: `/play/${editor.game.id}` }, () => t("seek.title")),
      ),
      () => !isOffered(form),
    ),
    h("button", { type: "submit", class: "primary", disabled: () => isClosed(form), "aria-describedby": "why-not" }, () =>
      actionText(form),
    ),
    hideWhen(
      h("p", { class: "quiet", id: "why-not" }, () => whyClosed(form)),
      () => whyClosed(form) === "",
    ),
  ];
}
