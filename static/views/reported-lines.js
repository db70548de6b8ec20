// @ts-check
// The lines of chat around a reported one, for moderators, who can remove each.
//
//   ol > li[.reported]  author, text, a form for removing it

import { h } from "../core/dom.js";
import { moment, t } from "../core/i18n.js";
import { getReportedLines, postRemovedLine } from "../net/chat.js";
import { smallForm } from "./form.js";
import { loaded } from "./parts/loaded.js";
import { playerLink } from "./parts/player-link.js";

/** @import { ChatLine } from "../core/types.js" */
/** @import { RoomName } from "../net/chat.js" */

const MAX_WHY_CHARS = 500;

/** @param {string} report its id @param {string} match @param {{ room: RoomName, number: number }} line the reported one */
export function reportedLines(report, match, line) {
  const remove = async (/** @type {number} */ number, /** @type {string} */ why) => {
    await postRemovedLine({ match, room: line.room, number, why });
    await lines.load();
  };
  const lines = loaded(
    () => getReportedLines(report),
    ({ lines: all }) =>
      h(
        "ol",
        { class: "rows" },
        all.map((one) => lineOf(one, one.number === line.number, (why) => remove(one.number, why))),
      ),
  );
  return lines.el;
}

/** @param {ChatLine} line @param {boolean} isReported @param {(why: string) => Promise<unknown>} remove */
function lineOf({ from, text, hidden, at }, isReported, remove) {
  return h(
    "li",
    { class: isReported ? "reported" : "" },
    h(
      "p",
      {},
      from ? playerLink(from) : "–",
      " ",
      h("time", { class: "quiet", datetime: at }, () => moment(at)),
      hidden === "removed" ? h("strong", {}, () => ` ${t("moderation.line.removed")}`) : null,
    ),
    text === undefined ? null : h("blockquote", { dir: "auto" }, text),
    hidden || !isReported ? null : removal(remove),
  );
}

/** @param {(why: string) => Promise<unknown>} remove */
function removal(remove) {
  const why = h("input", { name: "why", required: true, maxlength: MAX_WHY_CHARS, dir: "auto" });
  return smallForm(
    {},
    async () => void (await remove(why.value)),
    () => t("moderation.line.remove"),
    [
      h(
        "label",
        {},
        h("span", {}, () => t("moderation.line.why")),
        why,
      ),
    ],
  );
}
