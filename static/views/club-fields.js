// @ts-check
// The fields of a club's name and texts, for officers and for moderators.

import { h } from "../core/dom.js";
import { LANGUAGES, t } from "../core/i18n.js";
import { labelled } from "./form.js";

/** @import { ClubView, Language } from "../core/types.js" */

/**
 * The fields, with what has changed in them: only that is in the log of the club.
 * @param {ClubView} view which holds the saved texts
 */
export function clubFields(view) {
  const name = h("input", { type: "text", name: "club-name", required: true, minlength: 3, maxlength: 40, value: view.name });
  const banner = h("input", { type: "text", name: "banner", maxlength: 200, value: view.banner });
  const texts = /** @type {Partial<Record<Language, string>>} */ (view.description);
  const languages = /** @type {[Language, string][]} */ (Object.entries(LANGUAGES));
  const descriptions = languages.map(([id, own]) => ({
    id,
    own,
    input: h("textarea", { name: `description-${id}`, rows: 3, maxlength: 2_000, lang: id }, texts[id] ?? ""),
  }));
  const lines = () => ({
    ...(name.value.trim() === view.name ? {} : { name: name.value.trim() }),
    ...(banner.value.trim() === view.banner ? {} : { banner: banner.value.trim() }),
  });
  return {
    lines: [labelled(() => t("clubs.name"), name), labelled(() => t("clubs.banner"), banner)],
    descriptions: descriptions.map(({ own, input }) => labelled(() => `${t("clubs.description")} (${own})`, input)),
    /**
     * Sends what has changed: the lines with `more`, then each text of its own, as one text fits a request.
     * @param {Record<string, unknown>} more
     * @param {(change: Record<string, unknown>) => Promise<ClubView>} send
     */
    async save(more, send) {
      const change = { ...lines(), ...more };
      if (Object.keys(change).length > 0) Object.assign(view, await send(change));
      for (const { id, input } of descriptions)
        if (input.value.trim() !== (texts[id] ?? "")) {
          await send({ description: { [id]: input.value } });
          texts[id] = input.value.trim();
        }
    },
  };
}
