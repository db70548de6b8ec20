// @ts-check
// The bell in the header with the number of unread notices, which the title has too. It is loaded where there is a player, and asks for what
// came while the connection was down.
//
//   a.bell > svg.sign

import { h, hideWhen, refresh } from "../core/dom.js";
import { loadStyle } from "../core/files.js";
import { t } from "../core/i18n.js";
import { getMyNotices } from "../net/api.js";
import { sign } from "./parts/sign.js";

/** @import { Notice } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The mark of the title. */
const MARK = /^\(\d+\) /;

/** The number of unread notices, as the server has told it last. */
let unread = 0;
/** @type {HTMLElement | null} */
let bell = null;

/**
 * Called with each new connection of a player.
 * @param {Context} ctx
 * @param {HTMLElement} header
 * @param {(notices: readonly Notice[]) => void} hear takes what moderators say to the reader, oldest first
 */
export async function ring(ctx, header, hear) {
  if (!bell) {
    bell = hang(ctx, header);
    ctx.line.onMessage((msg) => {
      // Only moderators write a text.
      if (msg.t === "notice" && msg.notice.text) hear([msg.notice]);
      // The player's name in the header has changed.
      if (msg.t === "notice" && ["renamed", "display-name-removed"].includes(msg.notice.kind)) void ctx.session.load().catch(() => {});
      if ("unread" in msg) count(msg.unread);
    });
  }
  const told = await getMyNotices("of_moderators=true&unread=true");
  hear(told.items.reverse());
  count(told.unread);
}

/** @param {Context} ctx @param {HTMLElement} header */
function hang({ session }, header) {
  const el = hideWhen(
    h(
      "a",
      { class: "bell", href: "/notices", "aria-label": () => `${t("notice.title")} ${unread || ""}` },
      sign("bell"),
      " ",
      () => unread || "",
    ),
    () => session.player()?.kind !== "account",
  );
  void loadStyle("notices").then(() => header.querySelector(".me")?.before(el));
  session.onChange(() => {
    if (!session.player()) count(0);
  });
  const title = document.querySelector("title");
  if (title) new MutationObserver(mark).observe(title, { childList: true });
  return el;
}

/** @param {number} now */
function count(now) {
  unread = now;
  if (bell) refresh(bell);
  mark();
}

/** Every page sets its title without the mark. */
function mark() {
  const wanted = `${unread ? `(${unread}) ` : ""}${document.title.replace(MARK, "")}`;
  if (document.title !== wanted) document.title = wanted;
}
