// @ts-check
// Clubs: the reader's own, the search among public ones, and the form for a new one.
//
//   section.page.clubs
//     section.card  invitations, clubs and requests of the reader
//     section.card  search, list
//     section.card  form.account

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { getMe } from "../net/api.js";
import { getClubs, getMyClubs, postClub } from "../net/clubs.js";
import { clubCard, clubPath, clubRow, joiningChoice, namingText } from "./club-parts.js";
import { smallForm } from "./form.js";
import { choiceRow } from "./parts/choice-row.js";
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
      isPerson
        ? null
        : h(
            "p",
            {},
            h("a", { href: "/register?next=/clubs" }, () => t("clubs.account")),
          ),
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
  const kind = kindChoice(choice);
  const form = smallForm(
    { class: "account" },
    async () => {
      const names = { name: name.input.value.trim(), handle: handle.input.value.trim() };
      const club = await postClub(kind.isClass() ? { ...names, kind: "class" } : { ...names, joining });
      ctx.go(clubPath(club.handle));
    },
    () => t("clubs.found.do"),
    [kind.el, name.el, handle.el, choice],
    namingText,
  );
  return clubCard("clubs.found", form);
}

/** The choice between a club and a class, for teachers. A class has no choice of joining. @param {HTMLElement} joining */
function kindChoice(joining) {
  let isClass = false;
  const hint = h("p", { class: "quiet", hidden: true }, () => t("clubs.kind.hint"));
  const choose = (/** @type {string} */ value) => {
    isClass = value === "class";
    joining.hidden = isClass;
    hint.hidden = !isClass;
  };
  const el = h("div", { hidden: true });
  // The session of the page does not know the grant, which nothing else needs.
  getMe().then(
    ({ teacher }) => {
      if (!teacher) return;
      const kinds = ["club", "class"].map((value) => ({ value, label: () => t(`clubs.kind.${value}`) }));
      el.append(
        choiceRow("kind", () => t("clubs.kind"), kinds, "club", choose),
        hint,
      );
      el.hidden = false;
    },
    // Clubs alone are offered then.
    () => {},
  );
  return { el, isClass: () => isClass };
}
