// @ts-check
// Invitations to register, for operators and admins of a site that asks for them: the form for a new one, and the list.
//
//   section.page.invitations
//     h1, p.quiet
//     section.card          the form, and the new invitation with its link
//     section.card > ul     the invitations

import { h } from "../core/dom.js";
import { day, number, t } from "../core/i18n.js";
import { deleteSiteInvitation, getSiteInvitations, postSiteInvitation } from "../net/invitations.js";
import { smallForm } from "./form.js";
import { copyField } from "./parts/copy-field.js";
import { errorLine } from "./parts/error-line.js";
import { nothingHere } from "./parts/nothing-here.js";
import { paged } from "./parts/paged.js";
import { qrCode } from "./parts/qr-code.js";
import { sureButton } from "./parts/sure-button.js";
import { problemText } from "./texts.js";

/** @import { InvitationView, MadeInvitation } from "../core/types.js" */
/** @import { Context, ViewMaker } from "./context.js" */

/** The choices for the days in which an invitation can be used. */
const DAYS = [1, 3, 7, 14, 30, 90, 365];
const FIRST_DAYS = 14;
const MAX_USES = 500;
const NOTE_CHARS = 80;

/** @type {ViewMaker} */
export function invitationsView(ctx) {
  const title = () => t("invitations.title");
  if (!ctx.session.inviter()) return { el: nothingHere(() => t("invitations.none-here")), title };
  const error = errorLine();
  const host = h("div", {});
  const load = () =>
    host.replaceChildren(
      paged(
        getSiteInvitations,
        (invitation) => invitationRow(invitation, revoke),
        () => t("invitations.none"),
        "rows",
      ),
    );
  /** @param {string} id */
  function revoke(id) {
    error.say(null);
    deleteSiteInvitation(id).then(
      () => {
        ctx.announce(t("invitations.revoked"));
        load();
        // The focus would be lost with the button that is replaced.
        heading.focus();
      },
      (refusal) => error.say(() => problemText(refusal)),
    );
  }
  const heading = h("h2", { tabindex: "-1" }, () => t("invitations.list"));
  load();
  return {
    title,
    el: h(
      "section",
      { class: "page invitations" },
      h("h1", { tabindex: "-1" }, title),
      h("p", { class: "quiet" }, () => t("invitations.lead")),
      newPart(ctx, load),
      h("section", { class: "card" }, heading, error.el, host),
    ),
  };
}

/** The form for a new invitation, and what it has made. @param {Context} ctx @param {() => void} onMade */
function newPart(ctx, onMade) {
  const uses = h("input", {
    name: "uses",
    type: "number",
    min: 1,
    max: MAX_USES,
    step: 1,
    value: "1",
    required: true,
    inputmode: "numeric",
  });
  const days = h(
    "select",
    { name: "days", value: String(FIRST_DAYS) },
    DAYS.map((n) => h("option", { value: n, selected: n === FIRST_DAYS }, () => t("tokens.days", { n }))),
  );
  const note = h("input", { name: "note", maxlength: NOTE_CHARS, autocomplete: "off", dir: "auto" });
  const made = h("div", { class: "fresh", role: "status" });
  const labelled = (/** @type {string} */ key, /** @type {HTMLElement} */ input) =>
    h(
      "label",
      {},
      h("span", {}, () => t(key)),
      input,
    );
  const form = smallForm(
    { class: "account" },
    async () => {
      const invitation = await postSiteInvitation({ uses: Number(uses.value), days: Number(days.value), note: note.value.trim() });
      note.value = "";
      made.replaceChildren(madePart(ctx, invitation));
      onMade();
    },
    () => t("invitations.make"),
    [labelled("invitations.uses", uses), labelled("invitations.days", days), labelled("invitations.note", note)],
  );
  return h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("invitations.new")),
    form,
    made,
  );
}

/** A new invitation with its link, which is shown this once. @param {Context} ctx @param {MadeInvitation} invitation */
function madePart(ctx, { code, link, uses, expires_at: until }) {
  const url = new URL(link, location.href).href;
  return h(
    "div",
    {},
    h("p", {}, () => `${t("invitations.good", { n: uses })} ${t("invitations.until", { day: day(until) })}`),
    h("p", { class: "notice" }, () => t("invitations.once")),
    h("p", {}, () => t("invitations.code"), " ", h("strong", {}, code)),
    copyField(() => t("invitations.link"), url, ctx),
    qrCode(url),
  );
}

/** @param {InvitationView} invitation @param {(id: string) => void} revoke */
function invitationRow(invitation, revoke) {
  const { id, note, uses, used, open, created_by: by, created_at: made } = invitation;
  const of = note === "" ? day(made) : note;
  return h(
    "li",
    { class: "person" },
    h(
      "span",
      {},
      h("bdi", {}, () => (note === "" ? t("invitations.of-day", { day: day(made) }) : note)),
      h("small", { class: "quiet" }, () =>
        [
          t("invitations.used", { used: number(used), uses: number(uses) }),
          stateText(invitation),
          by === null ? t("invitations.by-console") : t("invitations.by", { name: by }),
        ].join(" · "),
      ),
    ),
    open
      ? sureButton(
          () => t("invitations.revoke"),
          () => t("invitations.revoke.sure"),
          () => revoke(id),
          {},
          of,
        )
      : null,
  );
}

/** @param {InvitationView} invitation */
function stateText({ open, used, uses, expires_at: until, revoked_at: revoked }) {
  if (open) return t("invitations.until", { day: day(until) });
  if (revoked !== null) return t("invitations.revoked-on", { day: day(revoked) });
  return used >= uses ? t("invitations.used-up") : t("invitations.expired", { day: day(until) });
}
