// @ts-check
// What the reader can do in an event: join, leave, pause, go to the match.
//
//   div.event-actions
//     p.actions > a.button (the reader's match), button…
//     form.event-join > label (password)
//     p.error

import { h, hideWhen, onRefresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { askForBye, cancelEvent, joinEvent, pauseInEvent, resumeInEvent, withdrawFromEvent } from "../net/events.js";
import { actionsOf } from "./event-state.js";
import { eventPath, eventProblem } from "./event-texts.js";
import { sureButton } from "./parts/sure-button.js";
import { invitation } from "./series.js";

/** @import { EventAction, EventParts } from "./event-state.js" */

/** @param {EventParts} parts */
export function eventActions(parts) {
  const { ctx, page, event } = parts;
  const { id } = page;
  const can = () => actionsOf(page, ctx.session.player());
  const when = (/** @type {EventAction} */ action, /** @type {HTMLElement} */ el) => hideWhen(el, () => !can().includes(action));
  const button = (/** @type {EventAction} */ action, /** @type {() => Promise<unknown>} */ act) =>
    when(
      action,
      h("button", { type: "button", disabled: () => page.busy, onclick: () => run(parts, act) }, () => t(`event.do.${action}`)),
    );
  const sure = (/** @type {EventAction} */ action, /** @type {() => Promise<unknown>} */ act) =>
    when(
      action,
      sureButton(
        () => t(`event.do.${action}`),
        () => t(`event.do.${action}.sure`),
        () => run(parts, act),
        { disabled: () => page.busy },
      ),
    );
  return h(
    "div",
    { class: "event-actions" },
    hideWhen(
      h("a", { class: "button primary", href: () => `/match/${event().me?.match}?event=${id}` }, () => t("event.do.play")),
      () => !event().me?.match,
    ),
    when("join", joinForm(parts)),
    when(
      "log-in",
      h("a", { class: "button primary", href: `/register?next=${encodeURIComponent(eventPath(id) + location.hash)}` }, () =>
        t("event.do.log-in"),
      ),
    ),
    button("resume", () => resumeInEvent(id)),
    button("pause", () => pauseInEvent(id)),
    sure("bye", () => askForBye(id, event().round + 1)),
    sure("withdraw", () => withdrawFromEvent(id)),
    sure("cancel", () => cancelEvent(id)),
    h("p", { class: "error", role: "alert", hidden: () => page.refusal === null }, () =>
      page.refusal === null ? "" : eventProblem(page.refusal),
    ),
  );
}

/** The button that joins, with the password where the event has one. @param {EventParts} parts */
function joinForm(parts) {
  const { page, event } = parts;
  const password = h("input", { type: "password", name: "event-password", maxlength: 100, autocomplete: "off", value: invitation() });
  const again = () => event().me !== null;
  const needed = () => event().entry.password && !again();
  onRefresh(password, () => {
    password.required = needed();
  });
  return h(
    "form",
    {
      class: "event-join",
      onsubmit: (/** @type {Event} */ submit) => {
        submit.preventDefault();
        run(parts, () => joinEvent(page.id, needed() ? password.value : null));
      },
    },
    hideWhen(
      h(
        "label",
        {},
        h("span", {}, () => t("event.password")),
        password,
      ),
      () => !needed() || invitation() !== "",
    ),
    h("button", { type: "submit", class: "primary", disabled: () => page.busy }, () => t(again() ? "event.do.rejoin" : "event.do.join")),
  );
}

/** Sends a change, and shows what has become of it. @param {EventParts} parts @param {() => Promise<unknown>} act */
function run({ page, load, update }, act) {
  if (page.busy) return;
  page.busy = true;
  page.refusal = null;
  update();
  act()
    .catch((refusal) => {
      page.refusal = refusal;
    })
    .then(load)
    .finally(() => {
      page.busy = false;
      update();
    });
}
