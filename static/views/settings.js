// @ts-check
// The settings: appearance and behaviour of the page on this device, and for an account password, sessions and tokens.
//
//   section.page.settings
//     section.card  language, light or dark, boards, pieces (with sample boards), motion, sound
//     section.card  how moves are made
//     section.card  push messages to this device
//     section.card… the account's, if there is one

import { createBoard } from "../board/board.js";
import { setPosition } from "../board/state.js";
import { h, hideWhen, refresh } from "../core/dom.js";
import { currentLanguage, LANGUAGES, onLanguage, t } from "../core/i18n.js";
import { onSettings, SETTINGS, setSetting, setting } from "../core/settings.js";
import { sound } from "../core/sound.js";
import { GAMES } from "../games/index.js";
import { accountParts } from "./account-settings.js";
import { callsPart } from "./calls.js";
import { choiceRow } from "./parts/choice-row.js";

/** @import { Language } from "../core/types.js" */
/** @import { SettingName } from "../core/settings.js" */
/** @import { Board } from "../board/board.js" */
/** @import { Game } from "../games/types.js" */
/** @import { ViewMaker } from "./context.js" */

/** The games of the sample boards: one with pieces that are moved, one with pieces that are placed, one with seeds that are sown. */
const SAMPLES = [GAMES.find(({ lifts }) => lifts), GAMES.find(({ lifts, sows }) => !lifts && !sows), GAMES.find(({ sows }) => sows)].filter(
  (game) => game !== undefined,
);

/** @type {ViewMaker} */
export function settingsView(ctx) {
  /** @type {Board[]} */
  const boards = [];
  const samples = h("div", { class: "samples" }, SAMPLES.map(sample));

  /** @param {Game} game */
  function sample(game) {
    const layout = game.layout("");
    const host = h("div", { class: layout.width > layout.height ? "board-host wide" : "board-host" });
    const board = createBoard(host, layout, game, { label: () => t("match.board", { game: t(`game.${game.id}.name`) }) });
    board.update((state) => setPosition(state, { pieces: game.parse(game.picture).pieces, options: [], hand: null, last: [] }));
    boards.push(board);
    return host;
  }

  /** @param {SettingName} name */
  const row = (name) =>
    choiceRow(
      `set-${name}`,
      () => t(`settings.${name}`),
      SETTINGS[name].map((value) => ({ value, label: () => t(`settings.${name}.${value}`) })),
      setting(name),
      (value) => {
        setSetting(name, /** @type {any} */ (value));
        if (name === "sound") sound("move");
      },
    );

  const languages = choiceRow(
    "set-language",
    () => t("menu.language"),
    Object.entries(LANGUAGES).map(([tag, name]) => ({ value: tag, label: () => name, lang: tag })),
    currentLanguage(),
    (value) => void ctx.speak(/** @type {Language} */ (value)).catch(() => ctx.announce(t("problem.offline"))),
  );

  const kept = hideWhen(
    h("p", { class: "quiet" }, () => t("settings.language.account")),
    () => ctx.session.player()?.kind !== "account",
  );

  const account = h("div", { class: "account-parts" });
  const logOut = () =>
    ctx.session.logOut().then(
      () => ctx.go("/"),
      () => ctx.announce(t("problem.offline")),
    );
  const showAccount = () =>
    account.replaceChildren(
      ...(ctx.session.player()?.kind === "account"
        ? [
            ...accountParts(ctx),
            h(
              "p",
              {},
              h("button", { type: "button", onclick: logOut }, () => t("account.log-out")),
            ),
          ]
        : [
            h(
              "section",
              { class: "card" },
              h("h2", {}, () => t("settings.account")),
              h("p", {}, () => t("account.register.hint")),
              h(
                "p",
                { class: "actions" },
                h("a", { class: "button primary", href: "/register?next=/settings" }, () => t("account.register")),
                h("a", { class: "button", href: "/login?next=/settings" }, () => t("account.log-in")),
              ),
            ),
          ]),
    );
  showAccount();

  const look = h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("settings.look")),
    languages,
    kept,
    row("theme"),
    row("board"),
    row("pieces"),
    samples,
    h("p", { class: "quiet" }, () => t("settings.pieces.hint")),
    row("motion"),
    row("sowing"),
    row("sound"),
  );
  const hand = h(
    "section",
    { class: "card" },
    h("h2", {}, () => t("settings.hand")),
    row("hands"),
    row("confirm"),
    row("premove"),
    row("movable"),
    h("p", { class: "quiet" }, () => t("settings.typed")),
  );

  // The header and another tab can change settings, too.
  const stops = [
    onSettings(() => {
      for (const input of [...look.querySelectorAll("input"), ...hand.querySelectorAll("input")]) {
        const name = /** @type {SettingName} */ (input.name.replace(/^set-/, ""));
        if (name in SETTINGS) input.checked = input.value === setting(name);
      }
    }),
    onLanguage(() => {
      for (const input of languages.querySelectorAll("input")) input.checked = input.value === currentLanguage();
    }),
    ctx.session.onChange(() => {
      showAccount();
      refresh(account);
      refresh(kept);
    }),
  ];

  return {
    title: () => t("settings.title"),
    el: h(
      "section",
      { class: "page settings" },
      h("h1", { tabindex: "-1" }, () => t("settings.title")),
      h("p", { class: "quiet" }, () => t("settings.device")),
      look,
      hand,
      callsPart(ctx),
      account,
    ),
    destroy() {
      for (const stop of stops) stop();
      for (const board of boards) board.destroy();
    },
  };
}
