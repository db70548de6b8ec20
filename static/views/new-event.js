// @ts-check
// The form for a new event.
//
//   section.page.narrow.new-event
//     h1, p.lead
//     form.card.account
//       kind · name, game, options, time · halved clocks, the host's time · length, rounds, cycles or games · start · players · computer players ·
//       who may join · repetition
//       p.error, button

import { eachFrame, h, hideWhen, onRefresh, refresh } from "../core/dom.js";
import { loadPart, number, t } from "../core/i18n.js";
import { OPPONENTS } from "../core/opponents.js";
import { GAMES, gameOf } from "../games/index.js";
import { postEvent, postTimetable } from "../net/events.js";
import { eventPath, eventProblem, fieldOf, KINDS, kindText } from "./event-texts.js";
import { lastGame } from "./last-choice.js";
import { repeatPart } from "./new-event-repeat.js";
import {
  canBeDaily,
  canFill,
  chooseKind,
  createNewEvent,
  DURATIONS,
  HOST_EXTRA,
  hasPlaces,
  hasRatings,
  isRated,
  mayBerserk,
  mayFillIn,
  PLAYERS,
  ROUNDS,
  repeats,
  SERIES_GAMES,
  timetableOf,
  wishOf,
} from "./new-event-state.js";
import { choiceRow } from "./parts/choice-row.js";
import { setupPicker } from "./parts/setup-picker.js";
import { timePicker } from "./parts/time-picker.js";

/** @import { EventKind } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */
/** @import { NewEvent } from "./new-event-state.js" */

// The pickers of the game, its options and the time have their texts with the form for a match.
await loadPart("play");

/** The time control that the form offers, and the days of a turn. */
const USUAL_TIME = { chosen: "5+3", minutes: 15, seconds: 10, days: 3 };

/**
 * @typedef {Object} Form
 * @property {Context} ctx
 * @property {NewEvent} form
 * @property {() => void} update follows a change of the state with the next frame
 * @property {ReturnType<typeof timePicker>} time
 * @property {ReturnType<typeof setupPicker>} setup
 * @property {HTMLElement} own the place of `setup`, which each game has its own of
 */

const title = () => t("event.new.title");

/** @type {ViewMaker} */
export function newEventView(ctx) {
  const isPerson = ctx.session.player()?.kind === "account";
  return {
    title,
    el: h(
      "section",
      { class: "page narrow new-event-page" },
      h("h1", { tabindex: "-1" }, title),
      h("p", { class: "lead" }, () => t("event.new.lead")),
      isPerson
        ? newEventForm(ctx)
        : h(
            "p",
            {},
            () => t("event.new.account"),
            " ",
            h("a", { class: "button primary", href: "/register?next=%2Fnew-event" }, () => t("account.register")),
          ),
    ),
  };
}

/** @param {Context} ctx */
function newEventForm(ctx) {
  const form = createNewEvent(lastGame(), Date.now());
  const { soon: update } = eachFrame(() => refresh(el));
  /** @type {Form} */
  const page = {
    ctx,
    form,
    update,
    time: timePicker("event-time", USUAL_TIME, update),
    setup: setupPicker(form.game),
    own: h("div", {}),
  };
  const el = h(
    "form",
    {
      class: "card account new-event",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void submit(page, el);
      },
    },
    kindPart(page),
    textField(page, "name", "name", { required: true, minlength: 3, maxlength: 60 }),
    ...gamePart(page),
    ...clockParts(page),
    ...lengthParts(page),
    startPart(page),
    numberField(
      page,
      "max_players",
      "most",
      () => [PLAYERS[form.kind][0], PLAYERS[form.kind][1]],
      () => hasPlaces(form),
    ),
    ...fillParts(page),
    apartPart(page),
    descriptionField(page),
    entryPart(page),
    repeatPart(
      form,
      () => ctx.session.inviter(),
      (name, attrs) => field(page, name, attrs),
      update,
    ),
    h("p", { class: "error", role: "alert", hidden: () => form.refusal === null || hasPlace(form) }, () =>
      hasPlace(form) ? "" : refusalText(form),
    ),
    h("button", { type: "submit", class: "primary", disabled: () => form.busy }, () => t("event.new.do")),
  );
  return el;
}

/** The fields with a line for an error of their own. */
const PLACES = new Set([
  "name",
  "start_at",
  "start_players",
  "rounds",
  "games",
  "max_players",
  "players",
  "host_extra_minutes",
  "min_rating",
  "max_rating",
  "min_matches",
  "club",
  "password",
  "description",
  "weekdays",
  "at",
  "zone",
]);

/** Whether the refusal is said at a field. @param {NewEvent} form */
const hasPlace = ({ refusal }) => PLACES.has(fieldOf(refusal) ?? "");

/** @param {NewEvent} form */
const refusalText = ({ refusal }) => (refusal === null ? "" : eventProblem(refusal));

/** @param {Form} page @param {HTMLElement} el */
async function submit({ ctx, form, time, setup, update }, el) {
  if (form.busy) return;
  form.busy = true;
  form.refusal = null;
  update();
  try {
    const terms = { setup: setup.setup(isRated(form)), time_control: time.control() };
    if (repeats(form, ctx.session.inviter())) {
      await postTimetable(timetableOf(form, terms));
      return ctx.go("/events");
    }
    const { id } = await postEvent(wishOf(form, terms));
    return ctx.go(eventPath(id));
  } catch (refusal) {
    form.refusal = refusal;
  }
  form.busy = false;
  refresh(el);
  const faulty = /** @type {HTMLElement | null} */ (el.querySelector("[aria-invalid=true]"));
  const closed = faulty?.closest("details");
  if (closed) closed.open = true;
  faulty?.focus();
}

/** @param {Form} page */
function kindPart({ form, update }) {
  return h(
    "div",
    { class: "event-kinds" },
    choiceRow(
      "event-kind",
      () => t("event.new.kind"),
      KINDS.map((kind) => ({ value: kind, label: () => kindText(kind) })),
      form.kind,
      (value) => {
        chooseKind(form, /** @type {EventKind} */ (value));
        update();
      },
    ),
    h("p", { class: "quiet", "aria-live": "polite" }, () => t(`event.kind.${form.kind}.hint`)),
  );
}

/** The game with its options, the time control, and whether it is rated. @param {Form} page */
function gamePart(page) {
  const { form, time, own, update } = page;
  own.replaceChildren(page.setup.el);
  /** @type {HTMLInputElement} */
  const rated = h("input", {
    type: "checkbox",
    name: "rated",
    checked: () => isRated(form),
    disabled: () => !hasRatings(form),
    onchange: () => {
      form.rated = rated.checked;
      update();
    },
  });
  offer(time.el, "unlimited", false);
  onRefresh(time.el, () => offer(time.el, "days", canBeDaily(form)));
  return [
    choiceRow(
      "event-game",
      () => t("new.game"),
      GAMES.map(({ id }) => ({ value: id, label: () => t(`game.${id}.name`) })),
      form.game.id,
      (value) => {
        form.game = gameOf(value) ?? form.game;
        page.setup = setupPicker(form.game);
        own.replaceChildren(page.setup.el);
        update();
      },
    ),
    hideWhen(own, () => page.setup.el.hidden),
    time.el,
    h(
      "label",
      { class: "tick" },
      rated,
      h("span", {}, () => t("match.rated")),
    ),
    hideWhen(
      h("p", { class: "quiet" }, () => t("rated.none", { game: t(`game.${form.game.id}.name`) })),
      () => hasRatings(form),
    ),
  ];
}

/** Whether clocks may be halved in an arena, and the time that the host of a simul has beyond the others. @param {Form} page */
function clockParts(page) {
  const { form, time, update } = page;
  // The minutes of an own time decide whether they may.
  time.el.addEventListener("input", update);
  return [
    hideWhen(
      tick("berserk", form.berserk, (isOn) => {
        form.berserk = isOn;
      }),
      () => !mayBerserk(form, time.control()),
    ),
    numberField(
      page,
      "host_extra_minutes",
      "hostExtra",
      () => HOST_EXTRA,
      () => form.kind === "simul",
    ),
  ];
}

/** The length: of an arena in minutes, of other kinds in rounds, cycles or games. @param {Form} page */
function lengthParts(page) {
  const { form, update } = page;
  const duration = h(
    "select",
    {
      name: "duration",
      onchange: () => {
        form.duration = Number(duration.value);
      },
    },
    DURATIONS.map((n) => h("option", { value: n, selected: n === form.duration }, () => t("event.minutes", { n }))),
  );
  const cycles = choiceRow(
    "event-cycles",
    () => t("event.new.cycles"),
    [1, 2].map((n) => ({ value: String(n), label: () => t(n === 1 ? "event.once" : "event.twice") })),
    String(form.cycles),
    (value) => {
      form.cycles = Number(value);
      update();
    },
  );
  return [
    hideWhen(labelled("event.new.duration", duration), () => form.kind !== "arena"),
    numberField(
      page,
      "rounds",
      "rounds",
      () => ROUNDS,
      () => form.kind === "swiss",
    ),
    hideWhen(cycles, () => form.kind !== "round-robin"),
    numberField(
      page,
      "games",
      "games",
      () => SERIES_GAMES,
      () => form.kind === "series",
    ),
    hideWhen(
      tick("best-of", form.bestOf, (isOn) => {
        form.bestOf = isOn;
      }),
      () => form.kind !== "series",
    ),
  ];
}

/** When it begins; a timetable says it for its events. @param {Form} page */
function startPart(page) {
  const { form, update, ctx } = page;
  const isRepeated = () => repeats(form, ctx.session.inviter());
  const row = choiceRow(
    "event-start",
    () => t("event.new.start"),
    ["time", "players"].map((value) => ({
      value,
      label: () => t(value === "players" && !hasPlaces(form) ? "event.new.start.both" : `event.new.start.${value}`),
    })),
    form.start,
    (value) => {
      form.start = value === "players" ? "players" : "time";
      update();
    },
  );
  onRefresh(row, () => {
    for (const input of row.querySelectorAll("input")) input.checked = input.value === form.start;
  });
  return h(
    "div",
    { class: "event-start-part" },
    hideWhen(row, () => !canFill(form) || isRepeated()),
    field(
      page,
      "start_at",
      {
        type: "datetime-local",
        required: true,
        value: form.startAt,
        oninput: (/** @type {{ target: HTMLInputElement }} */ { target }) => {
          form.startAt = target.value;
        },
      },
      () => form.start === "time" && !isRepeated(),
    ),
    numberField(
      page,
      "start_players",
      "startPlayers",
      () => [PLAYERS[form.kind][0], form.most],
      () => form.start === "players" && hasPlaces(form) && !isRepeated(),
    ),
  );
}

/** The computer players who fill in; usually none. @param {Form} page */
function fillParts(page) {
  const { form, update } = page;
  const isShown = () => mayFillIn(form);
  const level = h(
    "select",
    {
      name: "fill-level",
      onchange: () => {
        form.fillLevel = Number(level.value);
      },
    },
    OPPONENTS.map((_, before) => h("option", { value: before + 1, selected: before + 1 === form.fillLevel }, () => number(before + 1))),
  );
  return [
    field(
      page,
      "players",
      {
        type: "number",
        inputmode: "numeric",
        min: 2,
        max: () => form.most,
        oninput: (/** @type {{ target: HTMLInputElement }} */ { target }) => {
          form.fillTo = target.value;
          update();
        },
      },
      isShown,
    ),
    hideWhen(labelled("event.new.level", level), () => !isShown() || form.fillTo === ""),
  ];
}

/** Whether players of the same address are kept apart. @param {Form} page */
const apartPart = ({ form }) =>
  hideWhen(
    tick("apart", form.apart, (isOn) => {
      form.apart = isOn;
    }),
    () => !mayFillIn(form),
  );

/** @param {Form} page */
function descriptionField(page) {
  const { form } = page;
  const input = h("textarea", {
    name: "description",
    rows: 3,
    maxlength: 2_000,
    oninput: () => {
      form.description = input.value;
    },
  });
  return withFault(page, "description", input);
}

/** Who may join; usually anybody, and closed. @param {Form} page */
const entryPart = (page) =>
  h(
    "details",
    { class: "event-entry" },
    h("summary", {}, () => t("event.new.entry")),
    h(
      "div",
      { class: "account" },
      h("p", { class: "quiet" }, () => t("event.new.entry.hint")),
      hideWhen(textField(page, "min_rating", "minRating", { type: "number", min: 0, max: 4_000 }), () => !hasRatings(page.form)),
      hideWhen(textField(page, "max_rating", "maxRating", { type: "number", min: 0, max: 4_000 }), () => !hasRatings(page.form)),
      textField(page, "min_matches", "minMatches", { type: "number", min: 0, max: 1_000 }),
      textField(page, "club", "club", { maxlength: 20, autocapitalize: "none", spellcheck: "false" }),
      textField(page, "password", "password", { minlength: 4, maxlength: 100, autocapitalize: "none", spellcheck: "false" }),
    ),
  );

/**
 * A box to tick, with its label.
 * @param {string} name
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} set
 */
function tick(name, isOn, set) {
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", name, checked: isOn, onchange: () => set(box.checked) });
  return h(
    "label",
    { class: "tick" },
    box,
    h("span", {}, () => t(`event.new.${name}`)),
  );
}

/** @param {string} key @param {HTMLElement} input */
const labelled = (key, input) =>
  h(
    "label",
    {},
    h("span", {}, () => t(key)),
    input,
  );

/**
 * A field of a text of the form.
 * @param {Form} page
 * @param {string} name in the request
 * @param {"name" | "minRating" | "maxRating" | "minMatches" | "club" | "password"} property
 * @param {Record<string, string | number | boolean>} attrs
 */
const textField = (page, name, property, attrs) =>
  field(page, name, {
    type: "text",
    autocomplete: "off",
    ...attrs,
    oninput: (/** @type {{ target: HTMLInputElement }} */ { target }) => {
      page.form[property] = target.value;
      // The events of a club may be repeated.
      page.update();
    },
  });

/**
 * A field of a number of the form, with the bounds that its kind has.
 * @param {Form} page
 * @param {string} name in the request
 * @param {"most" | "rounds" | "games" | "startPlayers" | "hostExtra"} property
 * @param {() => readonly [number, number]} bounds
 * @param {() => boolean} [isShown]
 */
const numberField = (page, name, property, bounds, isShown) =>
  field(
    page,
    name,
    {
      type: "number",
      inputmode: "numeric",
      required: true,
      min: () => bounds()[0],
      max: () => bounds()[1],
      value: () => (Number.isNaN(page.form[property]) ? "" : page.form[property]),
      oninput: (/** @type {{ target: HTMLInputElement }} */ { target }) => {
        page.form[property] = target.valueAsNumber;
      },
    },
    isShown,
  );

/**
 * @param {Form} page
 * @param {string} name in the request
 * @param {Record<string, import("../core/dom.js").Attr>} attrs
 * @param {() => boolean} [isShown] a field that is not shown is not checked either
 */
const field = (page, name, attrs, isShown = () => true) =>
  hideWhen(withFault(page, name, h("input", { name: `event-${name}`, ...attrs, disabled: () => !isShown() })), () => !isShown());

/**
 * A field with its label, and a line for what is wrong with it.
 * @param {Form} page
 * @param {string} name in the request
 * @param {HTMLElement} input
 */
function withFault({ form }, name, input) {
  const isFaulty = () => fieldOf(form.refusal) === name;
  const id = `fault-${name}`;
  onRefresh(input, () => {
    if (isFaulty()) input.setAttribute("aria-describedby", id);
    else input.removeAttribute("aria-describedby");
    input.ariaInvalid = isFaulty() ? "true" : null;
  });
  return h(
    "div",
    { class: "field" },
    labelled(`event.new.${name.replaceAll("_", "-")}`, input),
    h("p", { class: "error", id, hidden: () => !isFaulty() }, () => (isFaulty() ? refusalText(form) : "")),
  );
}

/**
 * Offers a choice of the time or not; in place of one that was chosen and is not offered any more stands the usual time.
 * @param {HTMLElement} time
 * @param {"days" | "unlimited"} choice
 * @param {boolean} isOffered
 */
function offer(time, choice, isOffered) {
  const input = /** @type {HTMLInputElement} */ (time.querySelector(`input[value=${choice}]`));
  const label = input.closest("label");
  if (label) label.hidden = !isOffered;
  if (!isOffered && input.checked) /** @type {HTMLInputElement} */ (time.querySelector(`input[value="${USUAL_TIME.chosen}"]`)).click();
}
