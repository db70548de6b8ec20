// @ts-check
// The parts of a club for its officers: requests, invitations, settings, the log, and the end.
//
//   div.club-parts
//     section.card…

import { h } from "../core/dom.js";
import { knows, moment, t } from "../core/i18n.js";
import { problemOf } from "../net/api.js";
import {
  acceptRequest,
  deleteClub,
  deleteInvitation,
  deleteRequest,
  getClubLog,
  getInvitations,
  getRequests,
  patchClub,
  postInvitation,
} from "../net/clubs.js";
import { clubFields } from "./club-fields.js";
import { proposalPart } from "./club-matches.js";
import { clubCard, clubProblem, clubText, joiningChoice, namingText } from "./club-parts.js";
import { smallForm } from "./form.js";
import { paged } from "./parts/paged.js";
import { playerLink } from "./parts/player-link.js";
import { fullName } from "./texts.js";

/** @import { ClubLogEntry, ClubView, PlayerRef } from "../core/types.js" */
/** @import { Run } from "./club-parts.js" */
/** @import { Context } from "./context.js" */

/** @param {Context} ctx @param {ClubView} view @param {Run} run */
export const officersPart = (ctx, view, run) =>
  h(
    "div",
    { class: "club-parts" },
    // Nobody requests to join a class.
    view.kind === "class" ? null : requestsPart(view, run),
    invitationsPart(view, run),
    proposalPart(ctx, view),
    settingsPart(view),
    logPart(view),
    closePart(ctx, view),
  );

/** @param {string} key @param {PlayerRef} player @param {() => void} act */
const actionOn = (key, player, act) =>
  h(
    "button",
    { type: "button", onclick: act },
    () => t(key),
    h("span", { class: "visually-hidden" }, () => `(${fullName(player)})`),
  );

/** @param {ClubView} view @param {Run} run */
const requestsPart = ({ handle }, run) =>
  clubCard(
    "club.requests",
    paged(
      (cursor) => getRequests(handle, cursor),
      ({ player, line }) =>
        h(
          "li",
          { class: "person" },
          h("span", {}, playerLink(player), line === "" ? null : h("span", { class: "request-line" }, line)),
          h(
            "span",
            { class: "actions" },
            actionOn("club.requests.accept", player, () => run(() => acceptRequest(handle, player.name))),
            actionOn("club.requests.refuse", player, () => run(() => deleteRequest(handle, player.name))),
          ),
        ),
      () => t("club.requests.none"),
      "rows",
    ),
  );

/** @param {ClubView} view @param {Run} run */
function invitationsPart(view, run) {
  const { handle } = view;
  const host = h("div", {});
  const load = () =>
    host.replaceChildren(
      paged(
        (cursor) => getInvitations(handle, cursor),
        ({ player, by }) =>
          h(
            "li",
            { class: "person" },
            h(
              "span",
              {},
              playerLink(player),
              h("small", { class: "quiet" }, () => t("club.invited-by", { name: by })),
            ),
            actionOn("club.invitation.end", player, () => run(() => deleteInvitation(handle, player.name))),
          ),
        () => t("club.invitations.none"),
        "rows",
      ),
    );
  load();
  const name = h("input", {
    type: "text",
    name: "invited",
    required: true,
    maxlength: 40,
    autocapitalize: "none",
    spellcheck: "false",
    autocomplete: "off",
  });
  const form = smallForm(
    { class: "account" },
    async () => {
      await postInvitation(handle, name.value.trim());
      name.value = "";
      load();
    },
    () => t("club.invite"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("club.invite.name")),
        name,
      ),
    ],
    (refusal) => clubProblem(view, refusal),
  );
  return clubCard("club.invitations", form, host);
}

/** @param {ClubView} view */
function settingsPart(view) {
  const fields = clubFields(view);
  let { joining } = view;
  const done = h("p", { class: "quiet", role: "status", hidden: true }, () => t("club.saved"));
  const form = smallForm(
    { class: "account" },
    async () => {
      done.hidden = true;
      await fields.save(joining === view.joining ? {} : { joining }, (change) => patchClub(view.handle, change));
      done.hidden = false;
    },
    () => t("club.save"),
    [
      ...fields.lines,
      ...(view.kind === "class"
        ? []
        : [
            joiningChoice(joining, (value) => {
              joining = /** @type {ClubView["joining"]} */ (value);
            }),
          ]),
      ...fields.descriptions,
    ],
    namingText,
  );
  return clubCard(() => clubText(view, "club.settings"), form, done);
}

/** @param {ClubView} view */
const logPart = (view) =>
  clubCard(
    "club.log",
    paged(
      (cursor) => getClubLog(view.handle, cursor),
      (entry) =>
        h(
          "li",
          { class: "person" },
          h("span", {}, () => logText(view, entry)),
          h("time", { class: "quiet", datetime: entry.at }, () => moment(entry.at)),
        ),
      () => t("club.log.none"),
      "rows",
    ),
  );

/** @param {ClubView} view @param {ClubLogEntry} entry */
function logText(view, { action, actor, about, detail }) {
  const fields = detail.split(" ").filter(Boolean);
  return clubText(view, `club.log.${action}`, {
    actor: actor ?? t("club.log.server"),
    about: about ?? "",
    fields: fields.map(fieldText).join(", "),
  });
}

/** A changed field, a rule with its new value (`phrases=true`), or a number. @param {string} field */
function fieldText(field) {
  const [name, value] = field.split("=");
  const key = `club.field.${name}`;
  if (!knows(key)) return field;
  return value === undefined ? t(key) : `${t(key)}: ${t(value === "true" ? "class.on" : "class.off")}`;
}

/** The end of the club, which wants the password of its only officer. @param {Context} ctx @param {ClubView} view */
function closePart(ctx, view) {
  const password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 });
  const form = smallForm(
    { class: "account" },
    async () => {
      await deleteClub(view.handle, password.value);
      ctx.go("/clubs", { replace: true });
    },
    () => clubText(view, "club.close"),
    [
      h("p", { class: "quiet" }, () => clubText(view, "club.close.hint", { pupils: view.class?.pupils ?? 0 })),
      h(
        "label",
        {},
        h("span", {}, () => t("club.close.password")),
        password,
      ),
    ],
    (refusal) => (problemOf(refusal).code === "wrong-credentials" ? t("club.close.wrong") : clubProblem(view, refusal)),
  );
  return clubCard(() => clubText(view, "club.close"), form);
}
