// @ts-check
// Clubs: the reader's own, the search among public ones, and the form for a new one.
//
//   section.page.clubs
//     section.card  invitations, clubs and requests of the reader
//     section.card  search, list
//     section.card  form.account

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getClubs, getMyClubs, postClub } from "../net/clubs.js";
import { clubCard, clubPath, clubRow, joiningChoice, namingText } from "./club-parts.js";
import { smallForm } from "./form.js";
import { paged } from "./parts/paged.js";

/** @import { Context, ViewMaker } from "./context.js" */

const title = () => t("clubs.title");

/** @type {ViewMaker} */
export function clubsView(ctx) {
  const isPerson = ctx.session.player()?.kind === "account";
  return {
    title,
    el: h(
      "section",
      { class: "page clubs" },
      h("h1", { tabindex: "-1" }, title),
      h("p", { class: "lead" }, () => t("clubs.lead")),
      isPerson ? null : h("p", {}, () => t("clubs.account")),
      ...(isPerson ? [mine("member", "clubs.mine"), mine("invited", "clubs.invited"), mine("requested", "clubs.requested")] : []),
      findPart(),
      isPerson ? foundPart(ctx) : null,
    ),
  };
}

/** @param {"member" | "requested" | "invited"} standing @param {string} heading */
const mine = (standing, heading) =>
  clubCard(
    heading,
    paged(
      (cursor) => getMyClubs(standing, cursor),
      ({ club, standing: own }) => clubRow(club, own === "officer" ? () => t("club.officer") : null),
      () => t(`clubs.none.${standing}`),
      "rows",
    ),
  );

function findPart() {
  const input = h("input", { type: "search", name: "club", maxlength: 40, autocomplete: "off" });
  const host = h("div", { "aria-live": "polite" });
  const open = () =>
    host.replaceChildren(
      paged(
        (cursor) => getClubs(input.value.trim(), cursor),
        (club) => clubRow(club),
        () => t("clubs.find.none"),
        "rows",
      ),
    );
  open();
  const form = h(
    "form",
    {
      class: "search",
      role: "search",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        open();
      },
    },
    h(
      "label",
      {},
      h("span", {}, () => t("clubs.search")),
      input,
    ),
    h("button", { type: "submit" }, () => t("clubs.search.do")),
  );
  return clubCard("clubs.find", form, host);
}

/** @param {Context} ctx */
function foundPart(ctx) {
  const field = (/** @type {"name" | "handle"} */ key, /** @type {Record<string, string | number>} */ attrs) => {
    const input = h("input", { type: "text", required: true, autocomplete: "off", ...attrs });
    const el = h(
      "label",
      {},
      h("span", {}, () => t(`clubs.${key}`)),
      input,
      h("small", { class: "quiet" }, () => t(`clubs.hint.${key}`)),
    );
    return { el, input };
  };
  const name = field("name", { name: "club-name", minlength: 3, maxlength: 40 });
  const handle = field("handle", { name: "handle", minlength: 2, maxlength: 20, autocapitalize: "none", spellcheck: "false" });
  let joining = "open";
  const choice = joiningChoice(joining, (value) => {
    joining = value;
  });
  const form = smallForm(
    { class: "account" },
    async () => {
      const club = await postClub({ name: name.input.value.trim(), handle: handle.input.value.trim(), joining });
      ctx.go(clubPath(club.handle));
    },
    () => t("clubs.found.do"),
    [name.el, handle.el, choice],
    namingText,
  );
  return clubCard("clubs.found", form);
}
