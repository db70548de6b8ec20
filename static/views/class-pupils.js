// @ts-check
// The pupils of a class, for its teachers: the list, the form for new ones, new login cards, and the changes of one pupil.
//
//   section.card
//     details > summary, form.account (new pupils)
//     div.pupil-tools > label.tick, button
//     ul.rows > li.pupil
//       label.tick, a.player, small
//       details > summary, div.pupil-changes

import { h, refresh } from "../core/dom.js";
import { day, moment, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import { deletePupil, getPupils, patchPupil, postCards, postPupils, releasePupil } from "../net/classes.js";
import { cardsSheet } from "./class-cards.js";
import { MOST_PUPILS, placeOf, readList } from "./class-list.js";
import { clubCard, clubProblem } from "./club-parts.js";
import { smallForm } from "./form.js";
import { errorLine } from "./parts/error-line.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { sureButton } from "./parts/sure-button.js";

/** @import { ClubView, LineFault, LoginCard, Pupil } from "../core/types.js" */
/** @import { Place } from "./class-parts.js" */
/** @import { Context } from "./context.js" */

/** The days for which a card can be used, and the most. */
const DAYS = 14;
const MOST_DAYS = 90;

/**
 * The class, the place of its page, and the functions that its parts share.
 * @typedef {{ ctx: Context, view: ClubView, place: Place, told: (refusal: unknown) => string, showCards: (made: { cards: LoginCard[] }) => void }} Desk
 */

/** @param {Context} ctx @param {ClubView} view @param {Place} place */
export function pupilsPart(ctx, view, place) {
  /** @type {Desk} */
  const desk = {
    ctx,
    view,
    place,
    told: (refusal) => {
      if (problemOf(refusal).code === "wrong-credentials") return t("club.close.wrong");
      return clubProblem(view, refusal);
    },
    showCards: ({ cards }) => place.show(cardsSheet(view.name, cards, place.back)),
  };
  const count = view.class?.pupils ?? 0;
  return clubCard(
    "class.pupils",
    h(
      "details",
      { class: "new-pupils", open: count === 0 },
      h("summary", {}, () => t("class.add")),
      addForm(desk),
    ),
    ...(count === 0 ? [h("p", { class: "quiet" }, () => t("class.pupils.none"))] : listPart(desk)),
  );
}

/** The text has no pupil, or too many. */
class BadList extends Error {}

/** The form for new pupils. @param {Desk} desk */
function addForm({ view, told, showCards }) {
  const names = h("textarea", {
    name: "pupils",
    rows: 8,
    required: true,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": "pupils-hint pupils-faults",
  });
  const days = daysField();
  const faults = h("ul", { class: "error line-faults", id: "pupils-faults", role: "alert" });
  const form = smallForm(
    { class: "account" },
    async () => {
      faults.replaceChildren();
      const { pupils, lines } = readList(names.value);
      if (pupils.length === 0) throw new BadList("class.add.empty");
      if (pupils.length > MOST_PUPILS) throw new BadList("class.add.many");
      try {
        showCards(await postPupils(view.handle, pupils, Number(days.input.value)));
      } catch (refusal) {
        const found = (problemOf(refusal).lines ?? []).map((fault) => ({ ...fault, line: lines[fault.line - 1] ?? fault.line }));
        faults.append(...found.map((fault) => h("li", {}, () => faultText(fault))));
        names.focus();
        if (found[0]) names.setSelectionRange(...placeOf(names.value, found[0].line));
        throw refusal;
      }
    },
    () => t("class.add.do"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("class.add.names")),
        names,
      ),
      h("p", { class: "quiet", id: "pupils-hint" }, () => t("class.add.hint")),
      faults,
      days.el,
    ],
    (refusal) => (refusal instanceof BadList ? t(refusal.message, { n: MOST_PUPILS }) : told(refusal)),
  );
  return form;
}

/** @param {LineFault} fault */
const faultText = ({ line, fault, name }) => t("class.line", { n: line, fault: t(`class.fault.${fault}`, { name: name ?? "" }) });

/** The field for the days until the cards end. */
function daysField() {
  const input = h("input", { type: "number", name: "days", min: 1, max: MOST_DAYS, value: DAYS, required: true, inputmode: "numeric" });
  const el = h(
    "label",
    {},
    h("span", {}, () => t("class.days")),
    input,
  );
  return { el, input };
}

/** The list, with new cards for the ticked pupils. @param {Desk} desk */
function listPart(desk) {
  const { view, told, showCards } = desk;
  /** The names of the ticked pupils. @type {Set<string>} */
  const ticked = new Set();
  const error = errorLine();
  const list = h(
    "div",
    {},
    paged(
      (cursor) => getPupils(view.handle, cursor),
      (pupil) => pupilRow(desk, pupil, tick),
      () => t("class.pupils.none"),
      "rows",
    ),
  );
  const all = h("input", {
    type: "checkbox",
    name: "all-pupils",
    onchange: () => {
      for (const box of list.querySelectorAll("input[name=pupil]"))
        if (box instanceof HTMLInputElement && box.checked !== all.checked) box.click();
    },
  });
  const renew = sureButton(
    () => t("class.cards.new", { n: ticked.size }),
    () => t("class.cards.new.sure"),
    () => {
      error.say(null);
      postCards(view.handle, [...ticked], DAYS).then(showCards, (refusal) => error.say(() => told(refusal)));
    },
    { class: "new-cards", disabled: () => ticked.size === 0 },
  );
  /** @param {string} name @param {boolean} isTicked */
  function tick(name, isTicked) {
    if (isTicked) ticked.add(name);
    else ticked.delete(name);
    all.checked = ticked.size > 0 && ticked.size === list.querySelectorAll("input[name=pupil]").length;
    refresh(renew);
  }
  const tools = h(
    "div",
    { class: "pupil-tools" },
    h(
      "label",
      { class: "tick" },
      all,
      h("span", {}, () => t("class.pupils.all")),
    ),
    renew,
  );
  return [h("p", { class: "quiet" }, () => t("class.cards.hint")), tools, error.el, list];
}

/** @param {Desk} desk @param {Pupil} pupil @param {(name: string, isTicked: boolean) => void} tick */
function pupilRow(desk, pupil, tick) {
  const { player } = pupil;
  /** @type {HTMLInputElement} */
  const box = h("input", { type: "checkbox", name: "pupil", onchange: () => void tick(player.name, box.checked) });
  /** @type {HTMLDetailsElement} */
  const changes = h(
    "details",
    {
      ontoggle: () => {
        if (changes.childElementCount === 1) changes.append(changesPart(desk, pupil, row));
      },
    },
    h(
      "summary",
      {},
      () => t("class.pupil.change"),
      h("span", { class: "visually-hidden" }, () => `(${pupil.real_name})`),
    ),
  );
  const row = h(
    "li",
    { class: "pupil" },
    h(
      "label",
      { class: "tick" },
      box,
      h("strong", {}, () => pupil.real_name),
    ),
    playerLink(player),
    h("small", { class: "quiet" }, () => `${cardText(pupil)} · ${loginText(pupil)}`),
    changes,
  );
  return row;
}

/** @param {Pupil} pupil */
const cardText = ({ card, card_expires_at: until }) => t(`class.card.${card}`, { day: until === null ? "" : day(until) });

/** @param {Pupil} pupil */
const loginText = ({ last_login_at: at }) => (at === null ? t("class.login.never") : t("class.login.last", { at: moment(at) }));

/** The changes of one pupil, which are built when they are opened. @param {Desk} desk @param {Pupil} pupil @param {HTMLElement} row */
function changesPart(desk, pupil, row) {
  const { ctx, view, place, told, showCards } = desk;
  const { name } = pupil.player;
  const error = errorLine();
  /** @param {Promise<void>} act */
  const run = (act) => {
    error.say(null);
    act.catch((refusal) => error.say(() => told(refusal)));
  };
  const release = async () => {
    await releasePupil(view.handle, name);
    ctx.announce(t("class.released", { name: pupil.real_name }));
    place.back();
  };
  return h(
    "div",
    { class: "pupil-changes" },
    renameForm(desk, pupil, row),
    sureButton(
      () => t("class.cards.one"),
      () => t("class.cards.new.sure"),
      () => run(postCards(view.handle, [name], DAYS).then(showCards)),
      {},
      pupil.real_name,
    ),
    h("p", { class: "quiet" }, () => t("class.release.hint")),
    sureButton(
      () => t("class.release"),
      () => t("class.release.sure"),
      () => run(release()),
      {},
      pupil.real_name,
    ),
    error.el,
    deleteForm(desk, pupil),
  );
}

/** @param {Desk} desk @param {Pupil} pupil @param {HTMLElement} row */
function renameForm({ ctx, view, told }, pupil, row) {
  const input = h("input", { type: "text", name: "real-name", required: true, autocomplete: "off", value: pupil.real_name });
  return smallForm(
    { class: "account" },
    async () => {
      const wished = input.value.trim();
      await patchPupil(view.handle, pupil.player.name, wished);
      pupil.real_name = wished;
      refresh(row);
      ctx.announce(t("club.saved"));
    },
    () => t("class.rename"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("class.real-name")),
        input,
      ),
    ],
    (refusal) => {
      const fault = problemOf(refusal).lines?.[0]?.fault;
      return fault ? t(`class.fault.${fault}`, { name: input.value }) : told(refusal);
    },
  );
}

/** @param {Desk} desk @param {Pupil} pupil */
function deleteForm({ ctx, view, place, told }, pupil) {
  const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 });
  return smallForm(
    { class: "account" },
    async () => {
      await deletePupil(view.handle, pupil.player.name, password.value);
      ctx.announce(t("class.deleted", { name: pupil.real_name }));
      place.back();
    },
    () => t("class.delete"),
    [
      h("p", { class: "quiet" }, () => t("class.delete.hint")),
      h(
        "label",
        {},
        h("span", {}, () => t("club.close.password")),
        password,
      ),
    ],
    told,
  );
}
