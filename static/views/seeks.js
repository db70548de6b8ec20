// @ts-check
// The lobby: open offers, the player's own included. The list of the server is the same for everybody; those of players whom the reader has
// blocked are left out here.

import { eachFrame, h, hideWhen, list, refresh } from "../core/dom.js";
import { number, t } from "../core/i18n.js";
import { acceptSeek, deleteSeek } from "../net/api.js";
import { emptyState } from "./parts/empty-state.js";
import { errorLine } from "./parts/error-line.js";
import { sideMark } from "./parts/side-mark.js";
import { fullName, problemText, ratingText, termsText } from "./texts.js";

/** @import { SeekView } from "../core/types.js" */
/** @import { Context } from "./context.js" */

/** The rating range of an offer. @param {SeekView} seek */
function rangeText({ min_rating, max_rating }) {
  const plain = (/** @type {number} */ rating) => number(rating, { useGrouping: false });
  if (min_rating !== null && max_rating !== null) return `${plain(min_rating)}–${plain(max_rating)}`;
  return min_rating !== null ? `≥ ${plain(min_rating)}` : max_rating !== null ? `≤ ${plain(max_rating)}` : "";
}

/**
 * The open offers without those of players whom the reader has blocked. Their names are fetched once there is an offer of somebody else.
 * @param {Context} ctx
 * @param {() => void} onChange called when the names are there
 */
function unblockedSeeks({ lobby, session }, onChange) {
  /** @type {{ reader: string, names: Set<string> | null } | null} null names: not there yet */
  let blocked = null;

  /** @param {string} reader */
  function load(reader) {
    const mine = { reader, names: /** @type {Set<string> | null} */ (null) };
    blocked = mine;
    void import("../net/people.js")
      .then(({ getBlockedNames }) => getBlockedNames())
      // Without the names all offers are shown: the server refuses to join one of a blocked player.
      .catch(() => new Set())
      .then((names) => {
        mine.names = names;
        onChange();
      });
  }

  return () => {
    const player = session.player();
    if (player?.kind !== "account") return lobby.state.seeks;
    const isMine = (/** @type {SeekView} */ { seeker }) => seeker.name === player.name;
    if (lobby.state.seeks.every(isMine)) return lobby.state.seeks;
    if (blocked?.reader !== player.name) load(player.name);
    const names = blocked?.names;
    return lobby.state.seeks.filter((seek) => isMine(seek) || (names && !names.has(seek.seeker.name)));
  };
}

/** @param {Context} ctx */
export function seekList(ctx) {
  const { lobby } = ctx;
  const seeks = unblockedSeeks(ctx, () => frame.soon());
  const error = errorLine();
  let busy = false;

  /** @param {() => Promise<void>} act */
  async function run(act) {
    if (busy) return;
    busy = true;
    error.say(null);
    frame.soon();
    try {
      await act();
    } catch (refusal) {
      error.say(() => problemText(refusal));
    }
    busy = false;
    frame.soon();
  }

  const join = (/** @type {string} */ id) =>
    run(async () => {
      await ctx.session.ensure();
      ctx.go(`/match/${(await acceptSeek(id)).id}`);
    });
  const cancel = (/** @type {string} */ id) => run(async () => void (await deleteSeek(id)));

  const row = (/** @type {SeekView} */ seek) => seekRow(ctx, seek, { busy: () => busy, join, cancel });
  const el = h(
    "div",
    { class: "seeks" },
    // Without a connection the offers are unknown.
    hideWhen(
      emptyState("offers", () => t(ctx.line.status() === "down" ? "seek.away" : "seek.none")),
      () => seeks().length > 0,
    ),
    error.el,
    list(h("ul", { class: "rows" }), seeks, ({ id }) => id, row),
  );
  // A busy lobby changes many times a frame.
  const frame = eachFrame(() => refresh(el));
  const stops = [lobby.watch(), lobby.onChange(frame.soon), ctx.line.onStatus(frame.soon), ctx.session.onChange(frame.soon), frame.stop];
  return { el, destroy: () => stops.forEach((stop) => void stop()) };
}

/**
 * @param {Context} ctx
 * @param {SeekView} seek
 * @param {{ busy: () => boolean, join: (id: string) => void, cancel: (id: string) => void }} list
 */
function seekRow(ctx, seek, { busy, join, cancel }) {
  const { id, game, side, seeker, seeker_rating } = seek;
  const name = seeker_rating ? `${fullName(seeker)} (${ratingText(seeker_rating)})` : fullName(seeker);
  const what = () => [t(`game.${game}.name`), termsText(seek), rangeText(seek)].filter(Boolean).join(" · ");
  const isMine = () => seeker.name === ctx.session.player()?.name;
  const closed = () => busy() || (seek.rated && ctx.session.player()?.kind !== "account");
  return h(
    "li",
    { class: "seek" },
    h(
      "span",
      { class: "who" },
      sideMark(game, side ?? "random"),
      h("strong", {}, () => (isMine() ? t("seek.yours") : name)),
    ),
    h("span", { class: "terms" }, what),
    hideWhen(
      h(
        "button",
        { type: "button", disabled: closed, "aria-label": () => `${t("seek.join")}: ${name}, ${what()}`, onclick: () => join(id) },
        () => t("seek.join"),
      ),
      () => isMine(),
    ),
    hideWhen(
      h("button", { type: "button", disabled: busy, "aria-label": () => `${t("seek.cancel")}: ${what()}`, onclick: () => cancel(id) }, () =>
        t("seek.cancel"),
      ),
      () => !isMine(),
    ),
  );
}
