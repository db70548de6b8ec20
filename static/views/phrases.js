// @ts-check
// The phrases that players can send to each other, each shown in the reader's language.
//
//   div.phrases
//     button[aria-expanded]
//     div.menu[role=group] > button…, button.mute

import { h, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { sign } from "./parts/sign.js";

/** @import { Phrase } from "../core/types.js" */
/** @import { MatchLine } from "./context.js" */

const PHRASES = /** @type {const} */ ([
  "hello",
  "good-luck",
  "good-game",
  "well-played",
  "thank-you",
  "one-moment",
  "sorry",
  "oops",
  "must-go",
]);

/** The matches in which this tab has muted the opponent, for the next visit: the server stores that, but does not send it. */
const STORED = "mawe.muted";

/**
 * @param {MatchLine} line
 * @param {string} id of the match
 * @param {() => void} onMute called when the opponent has been muted
 */
export function phraseMenu(line, id, onMute) {
  let open = false;
  let muted = mutedMatches().includes(id);

  /** @param {boolean} next */
  function toggle(next) {
    open = next;
    refresh(el);
  }

  /** @param {Phrase} phrase */
  function say(phrase) {
    line.phrase(id, phrase);
    toggle(false);
    button.focus();
  }

  function mute() {
    muted = !muted;
    line.mute(id, muted);
    remember(id, muted);
    if (muted) onMute();
    refresh(el);
  }

  const closed = () => line.status() !== "open";
  const button = h(
    "button",
    { type: "button", "aria-expanded": () => String(open), disabled: closed, onclick: () => toggle(!open) },
    sign("chat"),
    " ",
    () => t("phrase.open"),
  );
  const el = h(
    "div",
    {
      class: "phrases",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || !open) return;
        toggle(false);
        button.focus();
      },
    },
    button,
    h(
      "div",
      { class: "menu", role: "group", "aria-label": () => t("phrase.open"), hidden: () => !open },
      PHRASES.map((phrase) => h("button", { type: "button", disabled: closed, onclick: () => say(phrase) }, () => t(`phrase.${phrase}`))),
      h("button", { type: "button", class: "mute", disabled: closed, onclick: mute }, () => t(muted ? "phrase.unmute" : "phrase.mute")),
    ),
  );
  return { el, muted: () => muted };
}

/** @returns {string[]} */
function mutedMatches() {
  try {
    return (sessionStorage.getItem(STORED) ?? "").split(" ").filter(Boolean);
  } catch {
    return [];
  }
}

/** @param {string} id @param {boolean} muted */
function remember(id, muted) {
  try {
    const others = mutedMatches().filter((match) => match !== id);
    sessionStorage.setItem(STORED, (muted ? [...others, id] : others).join(" "));
  } catch {
    // Then the setting lasts as long as the page.
  }
}
