// @ts-check
// A series of games against a friend: an event of two players with a password, which the link has behind a #, where no server reads it.

import { h, hideWhen } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { cancelEvent, joinEvent, postEvent } from "../net/events.js";
import { eventPath } from "./event-texts.js";
import { copyField } from "./parts/copy-field.js";
import { qrCode } from "./parts/qr-code.js";

/** @import { GameKind, TimeControl } from "../core/types.js" */
/** @import { Context } from "./context.js" */
/** @import { EventParts } from "./event-state.js" */

/** The random bytes of a password. */
const PASSWORD_BYTES = 12;

/** The password in the address of an event; empty without one. */
export const invitation = () => location.hash.slice(1);

/**
 * Makes a series, and joins it.
 * @param {Pick<Context, "session">} ctx of a player with an account
 * @param {{ game: GameKind, setup: string, time_control: TimeControl, rated: boolean, games: number }} terms
 * @returns {Promise<string>} the address of the series, with its password
 */
export async function beginSeries({ session }, terms) {
  const bytes = crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES));
  const password = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const name = t("series.name", { name: session.player()?.name ?? "" });
  const { id } = await postEvent({ ...terms, kind: "series", name, start_players: 2, entry: { password } });
  try {
    await joinEvent(id, password);
  } catch (refusal) {
    await cancelEvent(id).catch(() => {});
    throw refusal;
  }
  return `${eventPath(id)}#${password}`;
}

/** The link for the friend, until the series begins. @param {EventParts} parts */
export function invitationPart({ ctx, event }) {
  const isOpen = () => event().kind === "series" && event().state === "coming" && event().me !== null;
  const url = location.href;
  return invitation() === ""
    ? null
    : hideWhen(
        h(
          "section",
          { class: "card event-invitation" },
          h("p", {}, () => t("series.share")),
          copyField(() => t("challenge.link"), url, ctx),
          qrCode(url),
        ),
        () => !isOpen(),
      );
}
