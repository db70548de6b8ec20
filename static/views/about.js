// @ts-check
// About this server: the sources of its rules, its licence, and links for programmers.

import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { GAMES } from "../games/index.js";
import { getBanner, getVersion } from "../net/api.js";
import { loaded } from "./parts/loaded.js";
import { documentLinks } from "./site.js";

/** @import { ViewMaker } from "./context.js" */

/** @type {ViewMaker} */
export function aboutView({ session }) {
  const documents = documentLinks(session.site());
  const isPublic = session.site()?.public ?? true;
  const part = (/** @type {string} */ key, /** @type {import("../core/dom.js").Child[]} */ ...more) =>
    h(
      "section",
      { class: "card" },
      h("h2", {}, () => t(`about.${key}.title`)),
      h("p", {}, () => t(`about.${key}.text`)),
      ...more,
    );
  return {
    title: () => t("about.title"),
    el: h(
      "article",
      { class: "page about-page" },
      h("h1", { tabindex: "-1" }, () => t("about.title")),
      h("p", { class: "lead" }, () => t("about.lead")),
      documents.length > 0 ? h("p", { class: "documents" }, documents) : null,
      part("fair", isPublic ? h("p", {}, () => t("about.fair.guests")) : null),
      part(
        "rules",
        h(
          "ul",
          { class: "by-game" },
          GAMES.map(({ id }) =>
            h(
              "li",
              {},
              h("a", { href: `/rules/${id}` }, () => t(`game.${id}.name`)),
              () => `: ${t(`about.source.${id}`)}`,
            ),
          ),
        ),
      ),
      part(
        "programs",
        h(
          "p",
          {},
          h("a", { class: "button", href: "/api/docs" }, () => t("about.api")),
          " ",
          h("a", { class: "button", href: "/api/openapi.json" }, "OpenAPI"),
        ),
      ),
      part(
        "private",
        loaded(
          getBanner,
          ({ configured }) => h("p", {}, () => t(configured ? "about.notices.some" : "about.notices.none")),
          // If the server cannot be asked, nothing is shown.
          { problem: () => h("span", {}) },
        ).el,
      ),
      part(
        "licence",
        h(
          "p",
          {},
          h("a", { class: "button", href: "/third-party-notices.txt", target: "_blank", rel: "noopener" }, () => t("about.notices.others")),
        ),
      ),
      loaded(getVersion, (version) => h("p", { class: "quiet" }, () => t("about.version", { version })), { problem: () => h("span", {}) })
        .el,
    ),
  };
}
