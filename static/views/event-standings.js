// @ts-check
// The standings of an event, page by page, and the podium at its end.
//
//   ol.podium > li…
//   section.card.standings
//     div.scroll > table
//     p.pages > button, span, button

import { h, hideWhen, list, onRefresh } from "../core/dom.js";
import { number, t, tOr } from "../core/i18n.js";
import { hasBegun, hasPlayers, hasPodium, rowKey, turnPage } from "./event-state.js";
import { pointsText } from "./event-texts.js";
import { playerLink } from "./parts/player-link.js";
import { scrolled } from "./parts/scrolled.js";
import { sign } from "./parts/sign.js";
import { turner } from "./parts/turner.js";
import { fullName } from "./texts.js";

/** @import { StandingGame, StandingRow } from "../core/types.js" */
/** @import { EventParts } from "./event-state.js" */

/** The number of results in a row: the last ones. */
const RESULTS = 12;

/** @param {EventParts} parts */
export function podiumPart({ page }) {
  const step = (/** @type {StandingRow} */ { place, player, points }) =>
    h(
      "li",
      { class: `place-${place}` },
      h("span", { class: "medal", "aria-hidden": "true" }, () => number(place)),
      h("span", { class: "visually-hidden" }, () => `${t("event.place", { place })} `),
      playerLink(player),
      h("span", { class: "quiet" }, () => t("event.points", { n: points, points: pointsText(points) })),
    );
  return hideWhen(
    h(
      "section",
      { class: "card" },
      h("h2", {}, () => t("event.podium")),
      list(h("ol", { class: "podium" }), () => page.podium, rowKey, step),
    ),
    () => !hasPodium(page),
  );
}

/** @param {EventParts} parts */
export function standingsPart(parts) {
  const { page, ctx } = parts;
  const heads = () => ["place", "player", "points", "more", ...page.tieBreaks.map((name) => `tie.${name}`), "games"];
  const head = (/** @type {string} */ name) =>
    name === "more"
      ? h(
          "th",
          { scope: "col", class: name },
          h("span", { class: "visually-hidden" }, () => t("event.matches")),
        )
      : h("th", { scope: "col", class: name.startsWith("tie.") ? "tie" : name }, () => headText(name));
  const table = h(
    "table",
    {},
    h("caption", { class: "visually-hidden" }, () => t("event.standings")),
    h(
      "thead",
      {},
      list(h("tr", {}), heads, (name) => name, head),
    ),
    keepingFocus(h("tbody", {}), (body) =>
      list(
        body,
        () => page.rows,
        rowKey,
        (row) => standingRow(row, row.player.name === ctx.session.player()?.name, parts),
      ),
    ),
  );
  return hideWhen(
    h(
      "section",
      { class: () => `card standings${hasBegun(page) ? "" : " coming"}` },
      h("h2", {}, () => t(hasBegun(page) ? "event.standings" : "event.players.title")),
      scrolled(() => t("event.standings"), table),
      pagesPart(parts),
      hideWhen(
        h("p", { class: "quiet" }, () => t("event.tie-breaks", { list: page.tieBreaks.map(tieBreakText).join(", ") })),
        () => page.tieBreaks.length === 0 || !hasBegun(page),
      ),
    ),
    () => !hasPlayers(page) || page.rows.length === 0,
  );
}

/**
 * A table whose rows are built anew as players gain points: the focus stays on the same control of the same player.
 * @param {HTMLElement} body
 * @param {(body: HTMLElement) => HTMLElement} fill
 */
function keepingFocus(body, fill) {
  const controls = (/** @type {Element | null | undefined} */ row) => [
    .../** @type {NodeListOf<HTMLElement>} */ (row?.querySelectorAll("a, button") ?? []),
  ];
  /** @type {{ player: string | undefined, place: number } | null} */
  let held = null;
  onRefresh(body, () => {
    const focus = document.activeElement;
    const row = /** @type {HTMLElement | null | undefined} */ (focus?.closest("tr"));
    held = row && body.contains(row) ? { player: row.dataset.player, place: controls(row).findIndex((el) => el === focus) } : null;
  });
  fill(body);
  onRefresh(body, () => {
    if (held === null || document.activeElement !== document.body) return;
    const row = [...body.children].find((el) => /** @type {HTMLElement} */ (el).dataset.player === held?.player);
    controls(row)[held.place]?.focus({ preventScroll: true });
  });
  return body;
}

/** The name of a tie-break. @param {string} name */
const tieBreakText = (name) => tOr(`event.tie.${name}`, "event.tie.other", { name });

/** @param {string} name of a column */
function headText(name) {
  if (name.startsWith("tie.")) return tieBreakText(name.slice("tie.".length));
  return t(`event.column.${name}`);
}

/** @param {StandingRow} row @param {boolean} isMine @param {EventParts} parts */
function standingRow(row, isMine, parts) {
  const { place, player, rating, points, tie_breaks: ties, state, games, fire } = row;
  const away = state === "withdrawn" || state === "eliminated" || state === "paused";
  return h(
    "tr",
    { class: [isMine ? "mine" : "", away ? "away" : ""].filter(Boolean).join(" "), "data-player": player.name },
    h("td", { class: "place" }, () => number(place)),
    h(
      "th",
      { scope: "row", class: "player" },
      playerLink(player),
      h("small", { class: "quiet" }, () => ` ${number(rating, { useGrouping: false })}`),
      isMine ? h("span", { class: "visually-hidden" }, () => ` (${t("event.you")})`) : null,
      away ? h("small", { class: "quiet" }, () => ` ${t(`event.player.${state}`)}`) : null,
    ),
    h(
      "td",
      { class: "points" },
      h("strong", {}, () => pointsText(points)),
      fire
        ? h(
            "span",
            { class: "fire", title: () => t("event.fire") },
            "×2",
            h("span", { class: "visually-hidden" }, () => t("event.fire")),
          )
        : null,
    ),
    h("td", { class: "more" }, games.length > 0 ? matchesButton(row, parts) : null),
    ...ties.map((value) => h("td", { class: "tie" }, () => pointsText(value))),
    h("td", { class: "games" }, ...games.slice(-RESULTS).map(gameResult)),
  );
}

/** The button that lists the matches of a player. @param {StandingRow} row @param {EventParts} parts */
function matchesButton(row, parts) {
  const name = () => t("event.matches.of", { name: fullName(row.player) });
  const open = () => {
    import("./event-matches.js").then(
      ({ openMatches }) => openMatches(parts, row),
      // The next press fetches it.
      () => {},
    );
  };
  return h(
    "button",
    { type: "button", class: "icon", "aria-haspopup": "dialog", title: name, "aria-label": name, onclick: open },
    sign("on"),
  );
}

/** A result in short. @param {StandingGame} game */
function gameResult({ opponent, result }) {
  const label = () =>
    [t(`event.result.${result ?? "running"}`), opponent === null ? "" : t("event.result.against", { place: opponent })]
      .filter(Boolean)
      .join(" ");
  return h(
    "span",
    { class: `result ${result ?? "running"}`, role: "img", title: label, "aria-label": label },
    result === null ? "…" : { won: "1", drawn: "½", lost: "0", "called-off": "–" }[result],
  );
}

/** The ways to the other pages. @param {EventParts} parts */
function pagesPart({ page, load, update }) {
  const turn = (/** @type {boolean} */ on) => () => {
    turnPage(page, on);
    update();
    void load();
  };
  return hideWhen(
    h(
      "p",
      { class: "pages" },
      turner("back", "event.pages.back", () => page.cursors.length < 2, turn(false)),
      h("span", { role: "status" }, () => t("event.pages.places", { from: page.rows[0]?.place ?? 0, to: page.rows.at(-1)?.place ?? 0 })),
      turner("on", "event.pages.on", () => page.next === null, turn(true)),
    ),
    () => page.cursors.length < 2 && page.next === null,
  );
}
