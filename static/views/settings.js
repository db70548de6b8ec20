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
import { GAMES, loadGame } from "../games/index.js";
import { accountParts } from "./account-settings.js";
import { callsPart } from "./calls.js";
import { choiceRow } from "./parts/choice-row.js";
import { logOutButton } from "./site-header.js";

/** @import { Language } from "../core/types.js" */
/** @import { SettingName } from "../core/settings.js" */
/** @import { Game } from "../games/types.js" */
/** @import { Context, View, ViewMaker } from "./context.js" */

/** The games of the sample boards: one with pieces that are moved, one with pieces that are placed, one with seeds that are sown. */
const SAMPLES = [GAMES.find(({ lifts }) => lifts), GAMES.find(({ lifts, sows }) => !lifts && !sows), GAMES.find(({ sows }) => sows)].filter(
  (game) => game !== undefined,
);

/** The page, with the games of its sample boards loaded. @returns {Promise<ViewMaker>} */
export async function settingsPage() {
  const games = await Promise.all(SAMPLES.map(({ id }) => loadGame(id)));
  return (ctx) => settingsView(ctx, games);
}

/** @param {Context} ctx @param {Game[]} games @returns {View} */
function settingsView(ctx, games) {
  const boards = games.map(sample);
  const languages = languageRow(ctx);
  const kept = hideWhen(
    h("p", { class: "quiet" }, () => t("settings.language.account")),
    () => ctx.session.player()?.kind !== "account",
  );
  const account = h("div", { class: "account-parts" });
  const showAccount = () => account.replaceChildren(...accountPart(ctx));
  showAccount();
  const samples = h(
    "div",
    { class: "samples" },
    boards.map(({ host }) => host),
  );
  const look = card("settings.look", [
    languages,
    kept,
    settingRow("theme"),
    settingRow("board"),
    settingRow("pieces"),
    samples,
    h("p", { class: "quiet" }, () => t("settings.pieces.hint")),
    settingRow("motion"),
    settingRow("sowing"),
    settingRow("words"),
    settingRow("sound"),
  ]);
  const hand = card("settings.hand", [
    settingRow("hands"),
    settingRow("confirm"),
    settingRow("premove"),
    settingRow("movable"),
    h("p", { class: "quiet" }, () => t("settings.typed")),
  ]);
  // The header and another tab can change settings, too.
  const stops = [
    onSettings(() => checkRows([look, hand])),
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
      for (const { board } of boards) board.destroy();
    },
  };
}

/** @param {string} title a key of the catalogues @param {HTMLElement[]} parts */
const card = (title, parts) =>
  h(
    "section",
    { class: "card" },
    h("h2", {}, () => t(title)),
    ...parts,
  );

/** A picture of a game on its board. @param {Game} game */
function sample(game) {
  const layout = game.layout("");
  const host = h("div", { class: layout.width > layout.height ? "board-host wide" : "board-host" });
  const board = createBoard(host, layout, game, { label: () => t("match.board", { game: t(`game.${game.id}.name`) }) });
  board.update((state) => setPosition(state, { pieces: game.parse(game.picture).pieces, options: [], hand: null, last: [] }));
  return { host, board };
}

/** @param {SettingName} name */
const settingRow = (name) =>
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

/** Shows the settings as they are now. @param {HTMLElement[]} cards */
function checkRows(cards) {
  for (const input of cards.flatMap((el) => [...el.querySelectorAll("input")])) {
    const name = /** @type {SettingName} */ (input.name.replace(/^set-/, ""));
    if (name in SETTINGS) input.checked = input.value === setting(name);
  }
}

/** @param {Context} ctx */
const languageRow = (ctx) =>
  choiceRow(
    "set-language",
    () => t("menu.language"),
    Object.entries(LANGUAGES).map(([tag, name]) => ({ value: tag, label: () => name, lang: tag })),
    currentLanguage(),
    (value) => void ctx.speak(/** @type {Language} */ (value)).catch(() => ctx.announce(t("problem.offline"))),
  );

/** The settings of the account, or the ways to one. @param {Context} ctx */
function accountPart(ctx) {
  if (ctx.session.player()?.kind !== "account")
    return [
      card("settings.account", [
        h("p", {}, () => t("account.register.hint")),
        h(
          "p",
          { class: "actions" },
          h("a", { class: "button primary", href: "/register?next=/settings" }, () => t("account.register")),
          h("a", { class: "button", href: "/login?next=/settings" }, () => t("account.log-in")),
        ),
      ]),
    ];
  return [...accountParts(ctx), h("p", {}, logOutButton(ctx))];
}
