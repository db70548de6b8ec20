// @ts-check
// The field for typing a move.
//
//   form.typed
//     button[aria-expanded]
//     label > span.visually-hidden, input;  button[type=submit]

import { h, hideWhen, refresh } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { typedMove } from "../games/typed.js";

/** @import { Side } from "../core/types.js" */
/** @import { Game } from "../games/types.js" */

/**
 * @param {Game} game
 * @param {() => { legal: string[], side: Side } | null} turn null while nothing can be played
 * @param {(wish: ReturnType<typeof typedMove>) => void} onWish
 */
export function typedField(game, turn, onWish) {
  let open = false;
  const input = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
    "aria-label": () => t("typed.title"),
    placeholder: () => (turn()?.legal[0] ? game.notation(turn()?.legal[0] ?? "") : ""),
  });

  /** @param {boolean} next */
  function toggle(next) {
    open = next;
    refresh(el);
    if (open) input.focus({ preventScroll: true });
  }

  const el = h(
    "form",
    {
      class: "typed",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const now = turn();
        if (now === null || input.value.trim() === "") return;
        const wish = typedMove(game, input.value, now.legal, now.side);
        if (wish.kind === "move") input.value = "";
        else input.select();
        onWish(wish);
      },
    },
    h("button", { type: "button", class: "plain", "aria-expanded": () => String(open), onclick: () => toggle(!open) }, () =>
      t("typed.title"),
    ),
    hideWhen(
      h(
        "span",
        { class: "typed-row" },
        input,
        h("button", { type: "submit", disabled: () => turn() === null }, () => t("typed.do")),
      ),
      () => !open,
    ),
  );

  return {
    el,
    /** Whether a key on the board begins a typed move. @param {KeyboardEvent} event */
    takes: ({ key, altKey, ctrlKey, metaKey, target }) =>
      /^[a-z0-9]$/i.test(key) && !altKey && !ctrlKey && !metaKey && target instanceof HTMLElement && target.closest("[role=grid]") !== null,
    /** @param {KeyboardEvent} event */
    begin(event) {
      event.preventDefault();
      input.value = event.key;
      toggle(true);
    },
  };
}
