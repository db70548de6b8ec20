// @ts-check
// A part of a page that is closed at first, and loaded when it is opened.
//
//   details
//     summary
//     p.error
//     the content, once it is there

import { h, refresh } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { errorLine } from "./error-line.js";

/**
 * A part that is loaded when it is first opened; after a failure, when it is opened again.
 * @param {() => string} summary
 * @param {() => Promise<HTMLElement>} load
 * @param {string} [name] its class
 */
export function closedPart(summary, load, name = "card") {
  const error = errorLine();
  let isAsked = false;
  const el = h(
    "details",
    {
      class: name,
      ontoggle: () => {
        if (!el.open || isAsked) return;
        isAsked = true;
        error.say(null);
        load().then(
          (content) => {
            el.append(content);
            refresh(content);
          },
          () => {
            isAsked = false;
            error.say(() => t("problem.offline"));
          },
        );
      },
    },
    h("summary", {}, summary),
    error.el,
  );
  return el;
}
